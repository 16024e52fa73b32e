"""A heading between kept text belongs to it."""

from __future__ import annotations

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.mending.lists import spans_of
from sitegrain.tables.tags import HEADINGS, tag_mask

_IS_LOWER = tag_mask(HEADINGS[1:])
LEAST_SCORE, MOST_LINKED = 0.1, 0.5
"""Score of such a heading, and the share of it that may be linked: out of fold 0 to 0.3 do the same."""


def with_headings(blocks: TextBlocks, score: Floats, links: Floats32, is_heading: Bools, kept: Bools) -> Bools:
    """The kept blocks with headings (`h2` to `h6`, of one block) between a kept block and kept text, all within the heading's parent."""
    spans = spans_of(blocks, _IS_LOWER)
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
