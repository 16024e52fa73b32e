"""Sums and means over segments of a flat array, given by offsets or by spans.

An offset column has one entry more than there are segments: segment i is `values[offset[i]:offset[i + 1]]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Ints64


def segment_sum(values: npt.ArrayLike, offset: npt.ArrayLike) -> Floats:
    """Sum of each segment; an empty segment sums to 0.

    Each segment is summed by itself and not as a difference of a prefix sum, so that a small segment
    after large ones keeps its digits.

    >>> segment_sum([1.0, 2.0, 4.0], [0, 2, 2, 3])
    array([3., 0., 4.])
    """
    data = np.asarray(values, np.float64)
    cut = np.asarray(offset, np.int64)
    out = np.zeros(max(len(cut) - 1, 0))
    full = np.flatnonzero(np.diff(cut) > 0)
    if len(full):
        # Empty segments are left out, so the starts rise strictly and reduceat sums exactly each segment.
        out[full] = np.add.reduceat(data[: cut[-1]], cut[full])
    return out


def segment_mean(values: npt.ArrayLike, offset: npt.ArrayLike, empty: float = np.nan) -> Floats:
    """Mean of each segment; an empty segment gets `empty`.

    >>> segment_mean([1.0, 2.0, 4.0], [0, 2, 2, 3], empty=-1)
    array([ 1.5, -1. ,  4. ])
    """
    size = np.diff(np.asarray(offset, np.int64))
    total = segment_sum(values, offset)
    return np.where(size > 0, total / np.maximum(size, 1), empty)


def span_sum(values: npt.ArrayLike, start: npt.ArrayLike, end: npt.ArrayLike) -> Floats:
    """Sum of `values[start:end]` for each pair; spans may nest or overlap (subtrees do).

    >>> span_sum([1.0, 2.0, 4.0], [0, 1, 2], [3, 3, 2])
    array([7., 6., 0.])
    """
    prefix = prefix_sum(np.asarray(values, np.float64))
    return np.asarray(prefix[np.asarray(end, np.int64)] - prefix[np.asarray(start, np.int64)])


def span_mean(values: npt.ArrayLike, start: npt.ArrayLike, end: npt.ArrayLike, empty: float = np.nan) -> Floats:
    """Mean of `values[start:end]` for each pair; an empty span gets `empty`."""
    size = np.asarray(end, np.int64) - np.asarray(start, np.int64)
    return np.where(size > 0, span_sum(values, start, end) / np.maximum(size, 1), empty)


def offsets(sizes: npt.ArrayLike) -> Ints64:
    """The offset column of segments of these sizes.

    >>> offsets([2, 0, 1])
    array([0, 2, 2, 3])
    """
    return np.asarray(prefix_sum(np.asarray(sizes, np.int64)), np.int64)


def take_segments(values: npt.NDArray[Any], offset: npt.ArrayLike, segment: npt.ArrayLike) -> npt.NDArray[Any]:
    """The chosen segments one after the other; a segment may be chosen many times.

    >>> take_segments(np.array([10, 11, 12, 13]), [0, 1, 3, 4], [1, 0, 1])
    array([11, 12, 10, 11, 12])
    """
    cut = np.asarray(offset, np.int64)
    chosen = np.asarray(segment, np.int64)
    size = cut[chosen + 1] - cut[chosen]
    out = offsets(size)
    chosen_values: npt.NDArray[Any] = values[np.arange(out[-1]) + np.repeat(cut[chosen] - out[:-1], size)]
    return chosen_values
