"""Code is kept whole: the lines of a `<pre>` are blocks of their own, and a program with holes is worth nothing."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import TAG_CODE

_PRE = TAG_CODE["pre"]
MOST = 0.5
"""Share of the text of a `<pre>` from which all of it is kept; set beforehand. What a site repeats (a line of `import`) is left out otherwise."""


def whole_code(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks with those of every `<pre>` of which most is kept.

    A loop over the code of some pages of which a part is kept: few, and each is a slice.
    """
    pre = np.flatnonzero(blocks.rows.tag == _PRE)
    if not len(pre) or kept.all():
        return kept
    bounds = np.searchsorted(blocks.first, np.stack([pre, blocks.rows.end[pre]]))
    n_kept = np.concatenate([[0], np.cumsum(kept)])
    of_pre = n_kept[bounds[1]] - n_kept[bounds[0]]
    some = np.flatnonzero((of_pre > 0) & (of_pre < bounds[1] - bounds[0]))
    if not len(some):
        return kept
    size = blocks.text_end - blocks.text_start
    out = kept.copy()
    for first, last in bounds[:, some].T.tolist():
        own = slice(first, last)
        if size[own][kept[own]].sum() >= MOST * size[own].sum():
            out[own] = True
    return out
