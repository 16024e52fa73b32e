"""Lines with a date: what tells comments, posts and teasers where class names do not."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.native.inputs import DATE

DATE_WORDS = 15.0
"""Words of a line with the date, the name and what else stands there."""


def dated(evidence: Evidence, of: slice) -> Bools:
    """Which of some blocks are lines with a date: a loop over short ones with digits, because dates are text."""
    found = np.zeros(of.stop - of.start, bool)
    for k in np.flatnonzero((evidence.words[of] <= DATE_WORDS) & (evidence.column("digit_rate")[of] > 0)).tolist():
        found[k] = DATE.search(evidence.blocks.text(of.start + k)) is not None
    return found
