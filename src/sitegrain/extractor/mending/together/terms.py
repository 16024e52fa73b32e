"""Lists of terms (`<dl>`): a term goes with its definition."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.tables.tags import TAG_CODE

_DT, _DD = TAG_CODE["dt"], TAG_CODE["dd"]
MIN_WORDS = 5.0
"""Words of a definition whose term is kept: less may be the choice of a filter or a number beside a name. On WCXB six pages are better for it (five of
documentation, whose functions lost their names) and four worse, by 0.002 to 0.016."""


def with_terms(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks with the terms right above a definition whose first line is kept; several may share one."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    terms = spans_of(blocks, np.flatnonzero(rows.tag == _DT))
    if not len(terms.row):
        return kept
    values = spans_of(blocks, np.flatnonzero(rows.tag == _DD))
    values = values.only(kept[values.first] & (values.total(evidence.words) >= MIN_WORDS))
    goes_on = np.zeros(len(kept) + 1, bool)
    goes_on[values.first] = True
    out = kept.copy()
    for first, last in zip(terms.first[::-1].tolist(), terms.last[::-1].tolist(), strict=True):
        if goes_on[last] and blocks.page[first] == blocks.page[last]:
            goes_on[first] = True
            out[first:last] = True
    return kept if np.array_equal(out, kept) else out
