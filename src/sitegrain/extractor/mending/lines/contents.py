"""A page's list of its own headings says nothing that the page does not say again: it is left out."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.native.columns import NUMBERS
from sitegrain.tables.address import resolve
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, tag_mask
from sitegrain.text.words import title_words

_HREF = ATTRIBUTES.index("href")
_IS_HEADING = tag_mask(HEADINGS)
_NUMBER = re.compile(r"[\W\d_]+")
MIN_ENTRIES = NUMBERS["MIN_CONTENTS"]
MAX_LABEL = 3
"""Words of a heading that is a label ("1. Table of Contents", "On this page"), its number apart."""


def without_contents(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks without those that are a link to a heading of their page, and say what it says.

    A loop over the links of kept blocks that lead into their own page, because they are text.
    """
    is_heading = _IS_HEADING[blocks.rows.tag[blocks.box]]
    if is_heading.sum() < MIN_ENTRIES:
        return kept
    linked = np.array([block for block, _ in own_links(blocks, kept & ~is_heading)], np.int64)
    if len(linked) < MIN_ENTRIES:
        return kept
    page = blocks.page
    pages = distinct(page[linked])
    heading = np.flatnonzero(is_heading & np.isin(page, pages))
    said = {(int(page[i]), _words(blocks.text(i))) for i in heading.tolist()}
    found = np.array([i for i in linked.tolist() if (int(page[i]), _words(blocks.text(i))) in said], np.int64)
    n_found = np.bincount(page[found], minlength=int(page[-1]) + 1) if len(found) else np.zeros(1, np.int64)
    found = found[n_found[page[found]] >= MIN_ENTRIES]
    if not len(found):
        return kept
    out = kept.copy()
    out[found] = False
    for p in distinct(page[found]).tolist():
        above = int(found[page[found] == p][0]) - 1
        if above >= 0 and page[above] == p and is_heading[above] and len(_words(blocks.text(above))) <= MAX_LABEL:
            out[above] = False
    return out


def own_links(blocks: TextBlocks, wanted: Bools) -> list[tuple[int, str]]:
    """The wanted blocks that are wholly a link into their own page, and the name of the place that it leads to."""
    rows = blocks.rows
    link, value = rows.named(_HREF)
    first = np.searchsorted(blocks.first, link)
    inside = first < len(blocks.first)
    first = np.minimum(first, len(blocks.first) - 1)
    inside &= wanted[first] & (blocks.last[first] < rows.end[link])
    site = rows.site
    out = []
    for block, string in zip(first[inside].tolist(), value[inside].tolist(), strict=True):
        href = site.strings[string]
        if "#" in href and not href.endswith("#"):
            page = rows.first_page + int(blocks.page[block])
            if href.startswith("#") or resolve(href, site.pages.base[page]) == site.pages.url[page]:
                out.append((block, href.partition("#")[2]))
    return out


def _words(text: str) -> tuple[str, ...]:
    """The words of a heading without its number ("1.2 Tea")."""
    number = _NUMBER.match(text)
    return tuple(title_words(text[number.end() :] if number else text))
