"""Code and tables are kept whole or left out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.together.wholes import MAX_CELL, MIN_FACTS, MOST, OF_FACTS, kept_whole
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PAGE = b"<p>Tea.<pre>int a;<br><br>int bcdefgh;<br><br>c</pre><p>Milk.<pre>x<br><br>y</pre>"


def test_a_program_has_no_holes() -> None:
    blocks = text_blocks(rows_of(build_site([Capture("http://a.org/", PAGE)]), 0, 1))
    assert [blocks.text(i) for i in range(len(blocks))] == ["Tea.", "int a;", "int bcdefgh;", "c", "Milk.", "x", "y"]
    kept = np.array([True, False, True, False, False, False, False])
    assert kept_whole(blocks, kept).tolist() == [True, True, True, True, False, False, False]
    little = np.array([True, False, False, True, True, False, False])
    assert kept_whole(blocks, little).tolist() == little.tolist()


def test_a_table_has_no_holes() -> None:
    table = "<table><tr><th>Tea<th>Price<tr><td>Assam tea<td>3</table>"
    thread = f"<table><tr><td>Jane<td>{'word ' * MAX_CELL}<tr><td>Joe<td>Yes</table>"
    layout = f"<table><tr><td>Menu<td>Home<tr><td>About<td>{table}</table>"

    def whole(html: str, *dropped: str) -> list[str]:
        blocks = text_blocks(rows_of(build_site([Capture("http://a.org/", html.encode())]), 0, 1))
        texts = [blocks.text(i) for i in range(len(blocks))]
        kept = kept_whole(blocks, np.array([text not in dropped for text in texts]))
        return [text for text, is_kept in zip(texts, kept, strict=True) if not is_kept]

    assert whole(table, "Price", "3") == []
    assert whole(table, "Assam tea", "3") == ["Assam tea", "3"]
    assert whole(thread, "Jane", "Joe") == ["Jane", "Joe"]
    assert whole(layout, "Menu", "Home", "Price") == ["Menu", "Home"]
    facts = "<table><tr><th>Colour<td>red<tr><th>Weight<td>4 kg<tr><th>In stock<td>5</table>"
    assert whole(facts, "Colour", "Weight", "4 kg", "In stock", "5") == []
    plain = facts.replace("<th>", "<td>")
    assert whole(plain, "Colour", "Weight", "4 kg", "In stock", "5") == ["Colour", "Weight", "4 kg", "In stock", "5"]
    assert whole("<table><tr><td>Tea<tr><td>Milk and sugar</table>", "Tea") == ["Tea"]


PIECES = [
    "<p>",
    "<pre>",
    "</pre>",
    "<br><br>",
    "tea",
    "milk and more",
    "<div>",
    "</div>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<th>",
]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.data())
def test_equals_the_obvious_way(pieces: list[str], data: st.DataObject) -> None:
    site = build_site([Capture("http://a.org/", "".join(pieces).encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks))), bool)
    wanted = kept.copy()
    for row in range(site.n_nodes):
        inside = [site.tag_name(i) for i in range(row + 1, int(site.nodes.end[row]))]
        n_rows, n_cells = inside.count("tr"), inside.count("td") + inside.count("th")
        is_plain = "table" not in inside and n_rows >= 2 and n_cells >= 2 * n_rows
        if site.tag_name(row) == "pre" or (site.tag_name(row) == "table" and is_plain):
            own = [b for b in range(len(blocks)) if row <= blocks.first[b] < site.nodes.end[row]]
            sizes = {b: int(blocks.text_end[b] - blocks.text_start[b]) for b in own}
            is_facts = site.tag_name(row) == "table" and inside.count("th") == inside.count("td") == n_rows >= MIN_FACTS
            least = OF_FACTS if is_facts else MOST
            if any(kept[b] for b in own) and sum(sizes[b] for b in own if kept[b]) >= least * sum(sizes.values()):
                wanted[own] = True
    assert kept_whole(blocks, kept).tolist() == wanted.tolist()
