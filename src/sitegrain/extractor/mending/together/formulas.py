"""Formulas within a text: what stands between two kept lines and begins with MathML is part of what they say.

A displayed formula is a block of signs, numbers and single letters, so it scores like a table of numbers.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.tables.tags import TAG_CODE

_MATH = TAG_CODE["math"]


def with_formulas(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks with those that begin in a formula between two kept ones, be it one of several in a row."""
    is_formula = spans_of(blocks, np.flatnonzero(blocks.rows.tag == _MATH)).blocks(len(kept))
    lost = np.flatnonzero(is_formula & ~kept)
    if not len(lost):
        return kept
    other = np.flatnonzero(kept | ~is_formula)
    at = np.searchsorted(other, lost)
    lost, at = (found[(at > 0) & (at < len(other))] for found in (lost, at))
    above, below, page = other[at - 1], other[np.minimum(at, len(other) - 1)], blocks.page
    found = lost[kept[above] & kept[below] & (page[above] == page[lost]) & (page[below] == page[lost])]
    if not len(found):
        return kept
    out = kept.copy()
    out[found] = True
    return out
