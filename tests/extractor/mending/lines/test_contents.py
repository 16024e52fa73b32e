"""The list of a page's own headings is left out."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.lines.contents import without_contents
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

BODY = "<h2>Tea</h2><p>Hot.<h2>Milk</h2><p>Cold.<h2>Sugar</h2><p>Sweet."
LIST = "<h2>Contents</h2><ul><li><a href='{0}#a'>1 Tea</a><li><a href='{0}#b'>2 Milk</a><li><a href='{0}#c'>3 Sugar</a></ul>"


def kept_texts(html: str) -> list[str]:
    site = build_site([Capture("http://a.org/tea.html", html.encode()), Capture("http://a.org/b", b"<h2>Tea</h2>")])
    blocks = text_blocks(rows_of(site, 0, 2))
    kept = without_contents(blocks, np.ones(len(blocks), bool))
    return [blocks.text(i) for i in np.flatnonzero(kept & (blocks.page == 0)).tolist()]


@pytest.mark.parametrize("page", ["", "tea.html", "http://a.org/tea.html"])
def test_a_list_of_contents_is_left_out(page: str) -> None:
    assert kept_texts(LIST.format(page) + BODY) == ["Tea", "Hot.", "Milk", "Cold.", "Sugar", "Sweet."]


def test_the_number_of_its_heading_goes_with_it() -> None:
    html = LIST.format("").replace("Contents", "2. Table of Contents") + BODY
    assert "2. Table of Contents" not in kept_texts(html)


@pytest.mark.parametrize(
    "page",
    [
        LIST.format("other.html") + BODY,  # a list of another page's parts
        "<p>See <a href='#a'>Tea</a>, <a href='#b'>Milk</a> and <a href='#c'>Sugar</a>." + BODY,  # in a sentence
        "<ul><li><a href='#a'>Tea</a><li><a href='#b'>Milk</a></ul>" + BODY,  # too few
        "<ul><li><a href='#a'>Green tea</a><li><a href='#b'>Goat milk</a><li><a href='#c'>No sugar</a></ul>" + BODY,
    ],
)
def test_other_lists_stay(page: str) -> None:
    site = build_site([Capture("http://a.org/tea.html", page.encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    assert kept_texts(page) == [blocks.text(i) for i in range(len(blocks))]
