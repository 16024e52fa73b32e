"""A program right below kept text belongs to it."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import tag_mask

LEAST_SCORE = 0.3
"""Score of such a block: programs score higher between paragraphs than at the end of a short page. Set beforehand, as half of what is kept anyway."""
_IS_CODE = tag_mask(("pre", "xmp"))


def with_code(blocks: TextBlocks, score: Floats, left_out: Bools, kept: Bools) -> Bools:
    """The kept blocks with the `<pre>` of some score right below one of them; what is `left_out` for a reason stays out."""
    below = np.flatnonzero(~kept[1:] & kept[:-1] & ~left_out[1:] & (score[1:] >= LEAST_SCORE)) + 1
    below = below[_IS_CODE[blocks.rows.tag[blocks.box[below]]] & (blocks.page[below] == blocks.page[below - 1])]
    if not len(below):
        return kept
    out = kept.copy()
    out[below] = True
    return out
