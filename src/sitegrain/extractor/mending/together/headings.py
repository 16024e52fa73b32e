"""A heading between kept text belongs to it."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints64
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.mending.anchors import are_anchors
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.tables.tags import HEADINGS, TAG_CODE, tag_mask

_IS_LOWER = tag_mask(HEADINGS[1:])
_IS_HIGHER = tag_mask(HEADINGS[:4])
"""`<h5>` and `<h6>` are lines with a day or a name as often as headings."""
_H1 = TAG_CODE["h1"]
NEARLY = 0.4
"""Score of a heading that is kept with the text under it, when the site is known. Set beforehand."""
LEAST_SCORE, MOST_LINKED = 0.1, 0.5
"""Score of such a heading, and the share of it that may be linked: out of fold 0 to 0.3 do the same."""


def with_headings(blocks: TextBlocks, score: Floats, links: Floats32, is_heading: Bools, kept: Bools) -> Bools:
    """The kept blocks with headings (`h2` to `h6`, of one block) between a kept block and kept text, all within the heading's parent."""
    spans = spans_of(blocks, np.flatnonzero(_IS_LOWER[blocks.rows.tag]))
    spans = spans.only((spans.last - spans.first == 1) & (spans.first > 0) & (spans.last < len(kept)))
    block = spans.first
    found = ~kept[block] & kept[block - 1] & kept[block + 1] & ~is_heading[block + 1]
    found &= (score[block] >= LEAST_SCORE) & (links[block] < MOST_LINKED)
    if not found.any():
        return kept
    parent = blocks.rows.parent[spans.row]
    found &= (parent <= blocks.first[block - 1]) & (blocks.first[block + 1] < blocks.rows.end[parent])
    out = kept.copy()
    out[block[found]] = True
    return out


def with_headings_of_site(blocks: TextBlocks, score: Floats, kept: Bools) -> Bools:
    """The kept blocks with the headings that stand between two of them, or above one and were nearly kept: what a site's lists of contents say,
    too, repeats and scores less. Before the heading something may be left out, if there is kept text in the heading's own element before that,
    and after it the link to the heading itself.
    A heading may be the last of its page or of its section; then it stays as it was judged."""
    box = blocks.rows.tag[blocks.box]
    is_heading = _IS_HIGHER[box]
    i = np.flatnonzero(is_heading[1:-1] & ~kept[1:-1]) + 1
    after = _after(blocks, i, kept)
    is_above = kept[after] & (blocks.page[after] == blocks.page[i]) & ~is_heading[after]
    i = i[is_above]
    before = np.maximum(i[:, None] - np.arange(1, 4), 0)
    is_between = (kept[before] & (blocks.page[before] == blocks.page[i][:, None])).any(axis=1)
    n_kept, first = prefix_sum(kept), np.searchsorted(blocks.first, blocks.rows.parent[blocks.box[i]])
    is_between |= n_kept[i] > n_kept[np.minimum(first, i)]
    of_sections = np.bincount(blocks.page[kept & (box == _H1)], minlength=int(blocks.page[-1]) + 1) > 0
    found = i[is_between | ((score[i] >= NEARLY) & ((box[i] != _H1) | of_sections[blocks.page[i]]))]
    if not len(found):
        return kept
    out = kept.copy()
    out[found] = True
    return out


def _after(blocks: TextBlocks, heading: Ints64, kept: Bools) -> Ints64:
    """The block after each heading, beyond the link to the heading itself."""
    last = len(kept) - 1
    after = np.minimum(heading + 1, last)
    asked = np.flatnonzero(~kept[after] & kept[np.minimum(heading + 2, last)])
    if len(asked):
        after[asked] += are_anchors(blocks, after[asked])
    return np.minimum(after, last)
