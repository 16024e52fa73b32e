"""Random pages with lists, headings, forms and lines that announce, for what mends a decision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks, rows_of
from sitegrain.extractor.evidence import Evidence, gather
from tests.builders import site_of

LONG = "the kettle sings for an hour and nobody in the house gets up to take it from the fire"
PIECES = (
    "<p>tea", "<p>one cup of tea:", "<p>das sind vier Wörter：", f"<p>{LONG}", f"<div><p>{LONG}</div>", "<h1>Tea</h1>", "<h1>Milk and sugar</h1>", "<h2>Milk</h2>",
    "<h3><a href=x>Linked</a></h3>", "<ul>", "</ul>", "<ol>", "</ol>", "<li>cup", "<li>a cup of hot milk", f"<li>{LONG}", "<dl><dt>Term<dd>Meaning</dl>",
    "<table>", "</table>", "<tr><td>1<td>2", f"<tr><td>cup<td>{LONG}", "<pre>a<br><br>b</pre>", "<p><a href=#m>Milk</a>", "<p><a href='/x#'>Milk</a>",
    "<p>[ <a rel='nofollow NEXT' href=y>Milk</a> ]", "<a rel=prev href=y><img></a>", "<a rel='\u00e9 up'>up</a>", "<a rel=nofollow>no</a>", "<h2>Tea</h2>",
    "<div>", "</div>", "<select><option>North<option>South</select>", "<p>See http://t.example/0.html", "<blockquote>so he said</blockquote>", "<br><br>",
    f"<dialog>{LONG}</dialog>", "<div role=dialog><p>tea</div>", "<details>milk</details>",
    "<div><b>Size:</b><p>5 cm</div>", "<div><p>Cup:<p>Cup:<p>2</div>", "<li><b>Milk：</b><p>no</li>", "<div><b>Tea:</b><p>4<input></div>",
    f"<div><p>{(LONG + ' ') * 6}</div>",
)  # fmt: skip


class Drawn(NamedTuple):
    """A page that was drawn, with scores and a decision."""

    evidence: Evidence
    score: Floats
    kept: Bools

    @property
    def blocks(self) -> TextBlocks:
        return self.evidence.blocks


@st.composite
def pages(draw: st.DrawFn) -> Drawn:
    """A page with a decision that nobody would take."""
    htmls = ["".join(draw(st.lists(st.sampled_from(PIECES), max_size=30))) for _ in range(draw(st.integers(1, 2)))]
    site = site_of(*htmls)
    evidence = gather(rows_of(site, 0, site.n_pages))
    n = len(evidence.blocks)
    score = np.array(draw(st.lists(st.sampled_from((0.0, 0.05, 0.15, 0.3, 0.9)), min_size=n, max_size=n)), np.float64)
    kept = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    return Drawn(evidence, score, kept)
