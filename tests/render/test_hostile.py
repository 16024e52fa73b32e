"""Rendering stays small and quick whatever a page claims."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from sitegrain.render import to_html, to_markdown
from tests.builders import site_of

PAGES: dict[str, Callable[[], str]] = {
    "spans": lambda: "<table>" + "<tr><td colspan=1000 rowspan=1000>a<td>b</tr>" * 1000 + "</table>",
    "wide": lambda: "<table><tr>" + "<td>a" * 20_000 + "</tr>" + "<tr><td>b<td>c</tr>" * 5000 + "</table>",
    "marks": lambda: "<b><i>a</i>" * 3000,
    "links": lambda: "<a href=/x><div>a</div>" * 3000,
    "formulas": lambda: "<math>" + "<msup><mi>x</mi>" * 5000,
    "delimiters": lambda: "<span class=math>" + r"\(" * 9000 + "</span>",
    "images": lambda: "<p>a</p>" + "<div>" * 400 + "<img src=a.png>" * 5000 + "</div>" * 400 + "<p>b</p>",
    "code": lambda: "<pre>" + "<div><span class=linenos>1</span>a</div>" * 5000 + "</pre>",
    "signs": lambda: ("<a href='/x#" + "\x0e" * 2000 + "\x0f" * 2000 + "'>a</a> ") * 20,
    "signs of mail": lambda: ("<a href='mailto:" + "\x0e" * 2000 + "\x0f" * 2000 + "'>a</a> ") * 20,
    "signs in formulas": lambda: ("<span class=math>\\(" + "\x0e" * 9000 + "x" + "\x0f" * 9000 + "\\)</span> ") * 4,
    "terms": lambda: "<dl>" + "<dt>a<dd>b" * 5000,
}


@pytest.mark.parametrize("name", PAGES)
def test_bounded(name: str) -> None:
    html = PAGES[name]()
    site = site_of(html)
    begin = time.process_time()
    written = [render(site, 0, site.is_text) for render in (to_markdown, to_html)]
    assert time.process_time() - begin < 15
    assert max(map(len, written)) < 40 * len(html) + 10_000
