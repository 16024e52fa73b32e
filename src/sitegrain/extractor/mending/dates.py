"""Lines with a date: what tells comments, posts and teasers where class names do not."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence

_DATE = re.compile(
    r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|(?<![\d.,])\d{1,2}:\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}(?!\d).*(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d).*(?<!\d)\d{1,2}(?!\d)",
    re.DOTALL,
)
"""A day in numbers, a time of the day, or a year with another number: what a date has in any language of these digits."""
DATE_WORDS = 15.0
"""Words of a line with the date, the name and what else stands there."""


def may_date(evidence: Evidence) -> Bools:
    """Per block: short, and has a digit."""
    found: Bools = (evidence.words <= DATE_WORDS) & (evidence.column("digit_rate") > 0)
    return found


def dated(evidence: Evidence, some: Bools, begin: int = 0) -> Bools:
    """Which of some blocks, from `begin` on, have a date: a loop, because dates are text."""
    found = np.zeros(len(some), bool)
    for k in np.flatnonzero(some).tolist():
        found[k] = _DATE.search(evidence.blocks.text(begin + k)) is not None
    return found
