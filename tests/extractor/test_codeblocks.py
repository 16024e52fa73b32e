"""Code is kept whole or left out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.codeblocks import MOST, whole_code
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture

PAGE = b"<p>Tea.<pre>int a;<br><br>int bcdefgh;<br><br>c</pre><p>Milk.<pre>x<br><br>y</pre>"


def test_a_program_has_no_holes() -> None:
    blocks = text_blocks(rows_of(build_site([Capture("http://a.org/", PAGE)]), 0, 1))
    assert [blocks.text(i) for i in range(len(blocks))] == ["Tea.", "int a;", "int bcdefgh;", "c", "Milk.", "x", "y"]
    kept = np.array([True, False, True, False, False, False, False])
    assert whole_code(blocks, kept).tolist() == [True, True, True, True, False, False, False]
    little = np.array([True, False, False, True, True, False, False])
    assert whole_code(blocks, little).tolist() == little.tolist()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<p>", "<pre>", "</pre>", "<br><br>", "tea", "milk and more", "<div>", "</div>"]), max_size=30
    ),
    st.data(),
)
def test_equals_the_obvious_way(pieces: list[str], data: st.DataObject) -> None:
    site = build_site([Capture("http://a.org/", "".join(pieces).encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks))), bool)
    wanted = kept.copy()
    for row in range(site.n_nodes):
        if site.tag_name(row) == "pre":
            own = [b for b in range(len(blocks)) if row <= blocks.first[b] < site.nodes.end[row]]
            sizes = {b: int(blocks.text_end[b] - blocks.text_start[b]) for b in own}
            if any(kept[b] for b in own) and sum(sizes[b] for b in own if kept[b]) >= MOST * sum(sizes.values()):
                wanted[own] = True
    assert whole_code(blocks, kept).tolist() == wanted.tolist()
