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
    "<table>", "</table>", "<tr><td>1<td>2", f"<tr><td>cup<td>{LONG}", "<pre>a<br><br>b</pre>", "<p><a href=#m>Milk</a>", "<p><a href=#>Top</a>", "<p><a href=0.html#m>Milk</a>", "<p id=m>Milk <a href='1.html#m'>Tea</a>", "<p><a href='/x#'>Milk</a>",
    "<p>[ <a rel='nofollow NEXT' href=y>Milk</a> ]", "<a rel=prev href=y><img></a>", "<a rel='\u00e9 up'>up</a>", "<a rel=nofollow>no</a>", "<h2>Tea</h2>",
    "<div>", "</div>", "<select><option>North<option>South</select>", "<p>See http://t.example/0.html", "<blockquote>so he said</blockquote>", "<br><br>",
    f"<dialog>{LONG}</dialog>", "<div role=dialog><p>tea</div>", "<details>milk</details>",
    "<div><b>Size:</b><p>5 cm</div>", "<div><p>Cup:<p>Cup:<p>2</div>", "<li><b>Milk：</b><p>no</li>", "<div><b>Tea:</b><p>4<input></div>",
    f"<div><p>{(LONG + ' ') * 6}</div>", "<ol class=commentlist>", "<li id=comment-7 class=comment><p>milk for me", f"<div class=entry-content><p>{LONG}</div>",
    f"<div><p>Cookies: {LONG}<p>Our cookies: {LONG}</div>", "<video>Your browser shows no film</video>", "<canvas><p>Tea</canvas>",
)  # fmt: skip
LINED = (
    "<title>Tea</title>", "<h2>Tea</h2>", "<h3> Tea </h3>", "<h2>Re: Tea</h2>", "<h2>RE: tEA</h2>", "<h3>Tea é</h3>", "<h3>éTea</h3>", "<h3>Tea?</h3>", "<h3>Tea_</h3>", "<h3>Green Tea</h3>", "<h2>Tea <a href='/w?do=EDIT'>edit</a>]</h2>", "<table>", "</table>",
    "<p>Next: <a href=x>Milk</a>", "<p><a href=x>Read also: Milk</a>", "<p>Tags: <a href=x>milk</a>", "<p>Siehe： <a href=x>Milch</a>",
    "<p>From: Ann", "<p>Date: May", "<p>Subject: Tea", "<p>件名：茶", "<p><a href=/>Home</a> » <a href='/t/'>Tea</a> » Tea",
    "<p><a href='https://s.example/?u=t.example%2F0.html'>S</a> <a href='//s.example/?t=Tea&u=t.example%2F0.html'>T</a>",
    "<p><a href='/print/0'>Print</a>", "<p><a href=x>Previous</a> <a href=y>Tea</a>", "<h2><a href=x>Milk</a> <a href=y>Next</a></h2>", "<p><a href='/PRINT/0.html'>Print</a>", "<p class=signature>Ann", "<div id=sig_1>Bob</div>", "<p class='ſignature'>Cid",
    "<p><a href=x>Les også Tea with milk</a>", "<tr><td><a href=x>a.zip</a><td>12 KB", "<tr><td><a href=x>b.zip</a><td>(3 byteſ)", "<p>By Ann Lee", "<p>\u00bb VON: Ann Lee", "<p>teſto Ann Lee",
    "<textarea>&lt;iframe src=x></textarea>", "<p>&lt;a href=\"\" title=\"\">", f"<p>{LONG}", f"<p>{(LONG + ' ') * 6}", "<li>milk", "<br><br>",
    f"<p>{LONG}.", f"<p>{(LONG + ', ') * 6}", f"<div>Tea: {LONG}</div>", "<div><img><p>A cup</div>", "<figure><img><figcaption>A cup, seen</figcaption></figure>",
    "<ul><li>cup<li>milk</ul>", "<pre>tea</pre>", "<p>c", "<div class=lang-c><p>C<pre>tea</pre></div>", "<p><a href=x>Tea</a> &gt; <a href=y>Milk</a> | more", "<p><a href=x>Tea</a>: <a href='y?print=1'>Nächste</a>",
    "<p>3 May 2024", "<p>© 2024 Tea", "<p>Tea. All rights reſerved", "<p>All Rights Reserved", "<p>(C) 2024 Tea", "<p>Все права защищены", "<p>Write to Ann Teaman at ann.teaman@a.example",
)  # fmt: skip
"""Lines that a step may leave out, and text around them."""


class Drawn(NamedTuple):
    """A page that was drawn, with scores and a decision."""

    evidence: Evidence
    score: Floats
    kept: Bools

    @property
    def blocks(self) -> TextBlocks:
        return self.evidence.blocks


def pages() -> st.SearchStrategy[Drawn]:
    """A page with a decision that nobody would take."""
    return _drawn(PIECES)


def lined_pages() -> st.SearchStrategy[Drawn]:
    """The same, with lines."""
    return _drawn(LINED)


@st.composite
def _drawn(draw: st.DrawFn, pieces: tuple[str, ...]) -> Drawn:
    htmls = ["".join(draw(st.lists(st.sampled_from(pieces), max_size=30))) for _ in range(draw(st.integers(1, 2)))]
    site = site_of(*htmls)
    evidence = gather(rows_of(site, 0, site.n_pages))
    n = len(evidence.blocks)
    score = np.array(draw(st.lists(st.sampled_from((0.0, 0.05, 0.15, 0.3, 0.9)), min_size=n, max_size=n)), np.float64)
    kept = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    return Drawn(evidence, score, kept)
