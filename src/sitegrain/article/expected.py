"""How good the text of a page is expected to be, by the scores of what was kept and of what was left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain.arrays.types import Bools, Floats

LOST, WRONG = 0.35, 0.6
"""A page is doubted when more than this share of its expected content was left out, or less than this of what was kept is
expected to be content. Out of fold on the page sets; docs/evaluation.md has how many pages that are."""
LITTLE = 300
"""Characters: of less, nothing is said."""


class Expected(NamedTuple):
    """What scores say of a page."""

    f1: float
    lost: float
    """Share of the expected content that was left out."""
    right: float
    """Share of what was kept that is expected to be content."""
    left_out: float
    """Expected characters of content that were left out."""

    @property
    def doubt(self) -> str:
        """A note for who reads the text, or nothing."""
        if self.lost > LOST and self.left_out > LITTLE:
            return "suspicious: much was left out that may be content"
        return "suspicious: much of the text may be no content" if 0 < self.right < WRONG else ""


def expected_content(score: Floats, size: Floats) -> Floats:
    """Per text node with a score and a size: how many of its characters are expected to be content."""
    return np.minimum(np.maximum(score, 0.0), 1.0) * size


def expected(content: Floats, size: Floats, kept: Bools) -> Expected:
    """Of text nodes with so much content expected in each (`expected_content`), some of them kept.

    >>> size = np.array([800.0, 800.0, 800.0])
    >>> found = expected(expected_content(np.array([1.0, 0.5, 0.0]), size), size, np.array([True, False, False]))
    >>> round(found.f1, 2), round(found.lost, 2), found.doubt
    (0.8, 0.33, '')
    """
    total, got, whole = (float(np.add.reduce(column)) for column in (content, content[kept], size[kept]))
    if not whole:
        return Expected(0.0, 0.0, 0.0, total)
    f1 = 2 * got / (whole + total)
    return Expected(f1, 1 - got / total if total else 0.0, got / whole, total - got)
