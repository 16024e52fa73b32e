"""Other articles below: pages that go on with the next story, each with a top heading of its own."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.words import title_words

_H1 = TAG_CODE["h1"]
IS_OWN, IS_OTHER = 0.75, 0.5
"""Share of the words of a top heading that stand in the page's title: from the first on it is the page's own, below the second another's."""
MIN_WORDS = 40.0
"""Kept words of an article. Out of fold 30, 40 and 60 touch nearly the same pages."""
MIN_LETTERS = 4
"""Letters of a heading: a shorter one names anything."""


def without_other_articles(blocks: TextBlocks, words: Floats, kept: Bools) -> Bools:
    """The kept blocks without those from the element on that holds another top heading (`h1`) with text of its own.

    The page's own heading is the one that its title has most of, and it must stand in an element beside that one, with its text:
    top headings of the parts of one text stand in one element with them, or below a header that has none, or they are kept as part
    of the text, which a title is not.

    A loop over the pages with several top headings, because headings are text.
    """
    rows = blocks.rows
    heading = np.flatnonzero(rows.tag == _H1)
    if len(heading) < 2:
        return kept
    page = rows.page[heading]
    of_page = np.searchsorted(page, np.arange(rows.n_pages + 1))
    several = np.flatnonzero(np.diff(of_page) > 1)
    out = kept
    before: Floats | None = None
    for p in several.tolist():
        if before is None:
            before = prefix_sum(np.where(kept, words, 0.0))
        begin = _other_article(blocks, heading[of_page[p] : of_page[p + 1]], before, kept)
        if begin >= 0:
            out = kept.copy() if out is kept else out
            out[begin : blocks.page_offset[p + 1]] = False
    return out


def _other_article(blocks: TextBlocks, headings: Ints64, before: Floats, kept: Bools) -> int:
    """The first block of the first element that holds another article than these top headings of a page begin with; -1 if there is none."""
    rows = blocks.rows
    title = title_words(rows.site.pages.title[rows.first_page + int(rows.page[headings[0]])])
    known, whole = set(title), "".join(title)
    said: list[tuple[float, int, int]] = []  # share of its words in the title, letters, block
    for first, last in np.searchsorted(blocks.first, np.stack([headings, rows.end[headings]])).T.tolist():
        own = title_words(blocks.text(first)) if first < last else []
        letters = "".join(own)
        if len(letters) >= MIN_LETTERS:
            share = 1.0 if letters in whole else sum(word in known for word in own) / len(own)
            said.append((share, len(letters), first))
    if len(said) < 2:
        return -1
    share, _, main = max(said, key=lambda s: (s[0] >= IS_OWN, s[0] * s[1], -s[2]))
    if share < IS_OWN:
        return -1
    for share, _, block in said:
        if block > main and share < IS_OTHER and not kept[block]:
            above, its = int(blocks.box[block]), int(blocks.box[block])
            while not above <= blocks.first[main] < rows.end[above]:
                above, its = int(rows.parent[above]), above
            mine = int(blocks.box[main])
            while mine > above and rows.parent[mine] != above:
                mine = int(rows.parent[mine])
            ends, begins, last = np.searchsorted(blocks.first, (rows.end[mine], its, rows.end[its])).tolist()
            own, between, others = (
                before[ends] - before[main],
                before[block] - before[begins],
                before[last] - before[block],
            )
            if mine > above and own >= MIN_WORDS > between and others >= MIN_WORDS:
                return int(begins)
    return -1
