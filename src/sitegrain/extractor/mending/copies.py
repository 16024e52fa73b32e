"""The same text twice on one page counts once: a hidden copy, a print or mobile version, a teaser of the text itself."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.native.columns import NUMBERS

_COPY_WORDS = NUMBERS["COPY_WORDS"]


def kept_once(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without copies: of blocks of a page with the same text, the one with the best score, or the first.

    Quotes may repeat what they quote. A loop over the few blocks that have a copy, because they are text.
    """
    has_copy = (evidence.column("copies_before") > 0) | (evidence.column("copies_after") > 0)
    some = np.flatnonzero(kept & has_copy & (evidence.words >= _COPY_WORDS) & (evidence.column("in_quote") == 0))
    if len(some) < 2:
        return kept
    out = kept.copy()
    best: dict[tuple[int, str], int] = {}
    for block in some.tolist():
        key = int(evidence.blocks.page[block]), evidence.blocks.text(block)
        other = best.setdefault(key, block)
        if other != block:
            worse = other if score[block] > score[other] else block
            best[key] = other + block - worse
            out[worse] = False
    return out
