"""Lines with a date: what tells comments, posts and teasers where class names do not."""

from __future__ import annotations

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence

DATE_WORDS = 15.0
"""Words of a line with the date, the name and what else stands there."""


def dated(evidence: Evidence, some: Bools) -> Bools:
    """Which of some blocks are lines with a date (`DATE`): short ones with digits."""
    blocks, found = evidence.blocks, np.zeros(len(some), bool)
    may_be = np.flatnonzero(some & (evidence.words <= DATE_WORDS) & (evidence.column("digit_rate") > 0))
    found[may_be] = native.have_dates(blocks.rows.text, blocks.text_start[may_be], blocks.text_end[may_be])
    return found
