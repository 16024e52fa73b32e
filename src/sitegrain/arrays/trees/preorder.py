"""Trees as pre-order arrays: row i's subtree is the slice `i:end[i]`, so most questions are prefix sums.

A forest is three things: rows in document order, `parent[i] < i` (-1 for a root) and the exclusive `end[i]`.
No function but those of one row (`ancestors`, `children`) loops over rows or over depth in Python; pointer jumping needs log2(depth) rounds, so a
chain of 100,000 nodes costs 17 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats, Ints, Ints64


def prefix_sum(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Running sum with a leading 0, so that the sum of rows a:b is `out[b] - out[a]`.

    >>> prefix_sum(np.array([2, 0, 5])).tolist()
    [0, 2, 2, 7]
    """
    dtype = np.float64 if values.dtype.kind == "f" else np.int64
    out = np.zeros(len(values) + 1, dtype)
    values.cumsum(dtype=dtype, out=out[1:])
    return out


def subtree_sum(values: npt.NDArray[Any], end: Ints) -> npt.NDArray[Any]:
    """Sum of `values` over every row's subtree, its own row included.

    Integers (and floats that are multiples of a power of two, below 2**53 of them) come out exact; a subtree
    of zeros is always exactly 0.

    >>> subtree_sum(np.array([1, 1, 3, 3, 0]), np.array([5, 2, 5, 4, 5])).tolist()
    [8, 1, 6, 3, 0]
    """
    total = prefix_sum(values)
    out: npt.NDArray[Any] = total[end] - total[:-1]
    return out


def subtree_count(mask: Bools, end: Ints) -> Ints64:
    """How many marked rows every subtree holds, its own row included."""
    return np.asarray(subtree_sum(mask.astype(np.int8), end), np.int64)


def subtree_end(parent: Ints) -> Ints64:
    """The exclusive end of every subtree, from parents in pre-order.

    >>> subtree_end(np.array([-1, 0, 0, 2, 2])).tolist()
    [5, 2, 5, 4, 5]
    """
    # A subtree ends after its last child's subtree: follow "last child" down to a leaf by pointer jumping.
    n = len(parent)
    last = np.arange(n, dtype=np.int64)
    rows = np.flatnonzero(np.asarray(parent) >= 0)
    last[parent[rows]] = rows  # of repeated indices the last value, here the last child, stays
    while True:
        further = last[last]
        if (further == last).all():
            return last + 1
        last = further


def depths(parent: Ints) -> Ints64:
    """Depth of every row; roots are 0.

    >>> depths(np.array([-1, 0, 1, 1, -1])).tolist()
    [0, 1, 2, 2, 0]
    """
    n = len(parent)
    out = np.zeros(n + 1, np.int64)
    out[:n] = parent >= 0
    jump = np.append(np.where(parent >= 0, parent, n), n).astype(np.int64)
    while (jump[:n] < n).any():
        out += out[jump]
        jump = jump[jump]
    return out[:n]


def children(end: Sequence[int], row: int) -> list[int]:
    """The rows right in a row, in order; -1 has the roots.

    >>> children([5, 3, 3, 5, 5, 6], 0), children([5, 3, 3, 5, 5, 6], -1)
    ([1, 3], [0, 5])
    """
    found, i, stop = [], row + 1, end[row] if row >= 0 else len(end)
    while i < stop:
        found.append(i)
        i = int(end[i])
    return found


def child_count(parent: Ints, is_node: Bools | None = None) -> Ints64:
    """How many children every row has (only those that are `is_node`)."""
    has = parent >= 0 if is_node is None else (parent >= 0) & is_node
    return np.bincount(parent[has], minlength=len(parent)).astype(np.int64)


def child_max(values: npt.NDArray[Any], parent: Ints, is_node: Bools, nothing: float = -np.inf) -> Floats:
    """Largest of `values` over each row's children that are `is_node`; `nothing` where there is none."""
    out = np.full(len(parent), nothing, np.float64)
    rows = np.flatnonzero(is_node & (parent >= 0))
    np.maximum.at(out, parent[rows], values[rows])
    return out


def under(mask: Bools, end: Ints, strictly: bool = False) -> Bools:
    """Which rows lie in the subtree of a marked row; with `strictly`, below it and not at it.

    >>> under(np.array([False, False, True, False, False]), np.array([5, 2, 4, 4, 5])).tolist()
    [False, False, True, True, False]
    """
    rows = np.flatnonzero(mask)
    if not len(rows):
        return np.zeros(len(mask), bool)
    # Of marked rows that lie within one another the topmost says it all, and no two of those begin or end at the same row.
    last = np.maximum.accumulate(end[rows])
    top = rows[np.append(True, rows[1:] >= last[:-1])]
    change = np.zeros(len(mask) + 1, np.int8)
    change[top + 1 if strictly else top] += 1
    change[end[top]] -= 1
    return np.cumsum(change[:-1], dtype=np.int8).view(bool)


def above(mask: Bools, end: Ints, strictly: bool = False) -> Bools:
    """Which rows have a marked row in their subtree; with `strictly`, their own row does not count."""
    inside = subtree_count(mask, end)
    return np.asarray(inside > mask if strictly else inside > 0)


def nearest(parent: Ints, mask: Bools, strictly: bool = False) -> Ints64:
    """The nearest marked row on the way up from every row (its own row counts unless `strictly`), or -1.

    >>> nearest(np.array([-1, 0, 1, 2]), np.array([True, False, True, False])).tolist()
    [0, 0, 2, 2]
    """
    n = len(parent)
    up = np.append(np.where(parent >= 0, parent, n), n).astype(np.int64)
    stop = np.append(mask, True)
    at = up.copy() if strictly else np.where(stop, np.arange(n + 1), up)
    hop = np.where(stop, np.arange(n + 1), up)
    moving = np.flatnonzero(~stop[at])
    while moving.size:
        # hop[i] is a row on i's way up with nothing marked strictly between: doubling it halves what is left.
        hop = hop[hop]
        at[moving] = hop[at[moving]]
        moving = moving[~stop[at[moving]]]
    return np.where(at[:n] == n, -1, at[:n])


def topmost(mask: Bools, end: Ints) -> Bools:
    """The marked rows that lie under no other marked row."""
    return mask & ~under(mask, end, strictly=True)


def ancestors(parent: Ints, row: int) -> list[int]:
    """The rows from a row's parent up to its root. A Python loop: it is for showing one row to people."""
    out = []
    row = int(parent[row])
    while row >= 0:
        out.append(row)
        row = int(parent[row])
    return out


def sibling_index(parent: Ints) -> Ints64:
    """Position of every row among its parent's children, from 0; roots are 0."""
    rows = np.flatnonzero(parent >= 0)
    rows = rows[np.argsort(parent[rows], kind="stable")]
    first = prefix_sum(np.bincount(parent[rows], minlength=len(parent)))
    out = np.zeros(len(parent), np.int64)
    out[rows] = np.arange(len(rows)) - first[parent[rows]]
    return out


def by_level(parent: Ints) -> tuple[Ints64, Ints64]:
    """Rows sorted by depth (document order within a level) and where each level starts in them.

    For what cannot be a prefix sum. The loop over levels is the caller's: keep it off untrusted depth.

    >>> order, offset = by_level(np.array([-1, 0, 1, 0]))
    >>> order.tolist(), offset.tolist()
    ([0, 1, 3, 2], [0, 1, 3, 4])
    """
    level = depths(parent)
    order = np.argsort(level, kind="stable")
    counts = np.bincount(level) if len(level) else np.zeros(0, np.int64)
    return order, prefix_sum(counts)
