"""What steps do with the kept blocks."""

from __future__ import annotations

from sitegrain.arrays.types import Bools


def without(kept: Bools, found: list[int]) -> Bools:
    """The kept blocks without some; the very array that was given where there are none."""
    if not found:
        return kept
    out = kept.copy()
    out[found] = False
    return out
