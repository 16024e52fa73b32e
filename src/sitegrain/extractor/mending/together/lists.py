"""Lists: what stands under a kept item, after a line that announces it, or in a list that is mostly left out."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.mending.spans import Spans, spans_of
from sitegrain.tables.tags import TAG_CODE, tag_mask

_IS_LIST = tag_mask(("ul", "ol", "dl"))
_IS_CHOICE = tag_mask(("select", "datalist", "option"))
_LI = TAG_CODE["li"]
LITTLE, MIN_BLOCKS = 0.25, 3
"""Share of the words of a list, and blocks of one, of which the rest is left out, too. Out of fold 0.15 to 0.35 gain; with 0.35 a thread
whose posts are items loses all of them."""
OF_PAGE = 0.5
"""Share of the kept words of its page that such a list may hold: one with more is what the page is about."""
LEAST_SCORE, LEAD_WORDS = 0.1, 4
"""Score of the blocks of an announced list, and words of the line that announces it: "Related:" announces nothing."""
COLONS = (":", "：")


def without_choices(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks without the options of a form: nobody reads all the forums that one may jump to."""
    choice = spans_of(blocks, np.flatnonzero(_IS_CHOICE[blocks.rows.tag]))
    if not len(choice.row) or not choice.total(kept).any():
        return kept
    return kept & ~choice.blocks(len(kept))


def lists_of(blocks: TextBlocks) -> Spans:
    """The lists of some pages."""
    return spans_of(blocks, np.flatnonzero(_IS_LIST[blocks.rows.tag]))


def with_sublists(blocks: TextBlocks, lists: Spans, kept: Bools) -> Bools:
    """The kept blocks with every list that stands within a list item whose own text, before it, is kept."""
    rows = blocks.rows
    item = rows.parent[lists.row]
    inner = lists.only(rows.tag[item] == _LI)  # -1, of a root, is the last row: text or an element without any
    own = np.searchsorted(blocks.first, rows.parent[inner.row])
    inner = inner.only((own < inner.first) & kept[own])
    if not len(inner.row) or (inner.total(kept) == inner.last - inner.first).all():
        return kept
    return kept | inner.blocks(len(kept))


def without_remnants(blocks: TextBlocks, lists: Spans, words: Floats, kept: Bools) -> Bools:
    """The kept blocks without what is left of lists that are mostly left out: one of many teasers, one of many comments."""
    size = words + 1.0
    of_kept = np.where(kept, size, 0.0)
    mine, total = lists.total(of_kept), lists.total(size)
    remnant = (mine > 0) & (mine <= LITTLE * total) & (lists.last - lists.first >= MIN_BLOCKS)
    if not remnant.any():
        return kept
    of_page = np.bincount(blocks.page, of_kept)[blocks.page[lists.first]]
    remnant &= mine <= OF_PAGE * of_page
    return kept & ~lists.only(remnant).blocks(len(kept)) if remnant.any() else kept


def with_announced(
    blocks: TextBlocks, lists: Spans, words: Floats, score: Floats, is_heading: Bools, kept: Bools
) -> Bools:
    """The kept blocks with the lists that a kept line beside them, no heading, announces with a colon.

    A loop over the lists after a kept line of which something is left out, because a colon is text.
    """
    before = lists.first - 1  # -1 is the last block, which stands in no parent of the list
    rows = blocks.rows
    parent = rows.parent[lists.row]
    is_lead = kept[before] & ~is_heading[before] & (words[before] >= LEAD_WORDS) & (lists.first > 0)
    is_lead &= (parent <= blocks.first[before]) & (lists.total(kept) < lists.last - lists.first)
    out = kept
    for k in np.flatnonzero(is_lead).tolist():
        if not blocks.text(int(before[k])).endswith(COLONS):
            continue
        own = slice(int(lists.first[k]), int(lists.last[k]))
        if out is kept:
            out = kept.copy()
        out[own] |= score[own] >= LEAST_SCORE
    return out
