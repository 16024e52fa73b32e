"""Rows of a sparse matrix that point the same way: an exact cosine join without comparing all pairs.

*Prefix filtering.* Order the features by how rare they are. Of each unit vector keep the shortest prefix of rare
features after which what is left has a norm of at most eps. If two vectors share no feature in both of their
prefixes, then all that they share lies in the rest of the one with the shorter prefix, and their product is at most
the norm of that rest (Cauchy and Schwarz): not above eps. So pairs that share a rare prefix feature are the
only candidates; they are few, and each is then checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Floats32, Ints64

SLACK = 1e-9
"""A cosine must exceed the threshold by this much: 9/10 is not above 0.9, whatever the order of the sum."""

PAIRS_AT_ONCE = 4_000_000
"""Candidate pairs held in memory at a time (some 100 MB)."""


@dataclass(frozen=True, eq=False)
class Unique:
    """The different rows of a matrix."""

    rows: sparse.csr_array
    """Each different row once, scaled to length 1; a row of zeros stays zeros."""
    first: Ints64
    """Per different row: the first row that has it."""
    group: Ints64
    """Per row: which different row it is."""


def unique_rows(matrix: sparse.csr_array) -> Unique:
    """Find equal rows by their bytes (linear), then scale to unit length."""
    matrix = matrix.astype(np.float64)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    seen: dict[tuple[bytes, bytes], int] = {}
    group = np.zeros(matrix.shape[0], np.int64)
    first: list[int] = []
    indices, data, cut = matrix.indices.astype(np.int32), matrix.data, matrix.indptr.tolist()
    for row in range(matrix.shape[0]):
        span = slice(cut[row], cut[row + 1])
        number = seen.setdefault((indices[span].tobytes(), data[span].tobytes()), len(first))
        if number == len(first):
            first.append(row)
        group[row] = number
    at = np.array(first, np.int64)
    return Unique(unit_rows(matrix[at]), at, group)


def unit_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    """Every row divided by its Euclidean length; a row of zeros stays."""
    out: sparse.csr_array = matrix.astype(np.float64, copy=True)
    size = np.diff(out.indptr)
    rows = np.repeat(np.arange(out.shape[0]), size)
    length = np.sqrt(np.bincount(rows, out.data**2, minlength=out.shape[0]))
    out.data /= length[rows]
    return out


def similar_pairs(left: sparse.csr_array, right: sparse.csr_array, eps: float) -> Iterator[tuple[Ints64, Ints64]]:
    """All pairs (row of left, row of right) with a cosine above eps, in batches.

    Both matrices have unit rows of non-negative values. If they are one object, each pair is looked at once.
    """
    width = left.shape[1]
    df = np.bincount(left.indices, minlength=width) + np.bincount(right.indices, minlength=width)
    order = np.empty(width, np.int64)
    order[np.argsort(df, kind="stable")] = np.arange(width)
    ours = _Prefixes.of(left, order, eps)
    theirs = ours if right is left else _Prefixes.of(right, order, eps)
    ends = np.sort(np.append(ours.last, theirs.last))
    marks = distinct(ends[np.linspace(0, len(ends) - 1, 32).astype(int)]) if len(ends) else ends
    for side in (ours, theirs):
        side.set_marks(marks)
    postings = sparse.csr_array(theirs.prefix.T)
    # Work per row: how many entries of the index it touches.
    lengths = np.diff(postings.indptr)[ours.prefix.indices]
    work = prefix_sum(_row_sum(ours.prefix, lengths.astype(np.float64)))
    start = 0
    while start < left.shape[0]:
        stop = int(np.searchsorted(work, work[start] + PAIRS_AT_ONCE, side="right")) - 1
        stop = min(max(stop, start + 1), left.shape[0])
        found = sparse.coo_array(ours.prefix[start:stop] @ postings)
        i, j = found.row + np.int32(start), found.col
        # The product is at most the sum of one row times the largest value of the other.
        keep = np.minimum(ours.total[i] * theirs.top[j], theirs.total[j] * ours.top[i]) > eps
        if right is left:
            keep &= i <= j
        i, j, shared = i[keep], j[keep], found.data[keep]
        keep = ours.bound(theirs, i, j, shared) > eps
        a, b = i[keep].astype(np.int64), j[keep].astype(np.int64)
        keep = _dots(left, right, a, b) > eps + SLACK
        a, b = a[keep], b[keep]
        if right is left:
            apart = a != b
            a, b = np.concatenate((a, b[apart])), np.concatenate((b, a[apart]))
        yield a, b
        start = stop


@dataclass
class _Prefixes:
    """The rare prefix of every row, and what bounds a product without computing it. Columns are ranks of rarity."""

    ranked: sparse.csr_array
    prefix: sparse.csr_array
    rest: Floats
    """Per row: the norm of what follows its prefix."""
    last: Ints64
    """Per row: the rank of the last prefix feature; -1 for a row of zeros."""
    total: Floats32
    """Per row: the sum of its values, rounded up; `top` is the largest."""
    top: Floats32
    mark: Ints64
    """Per row: how many marks (ranks at which masses are kept) are at most its last rank."""
    mass: Floats32
    """Rows x marks: the sum of squares up to each mark, with a leading 0."""

    @classmethod
    def of(cls, matrix: sparse.csr_array, order: Ints64, eps: float) -> _Prefixes:
        n, width = matrix.shape
        ranked = sparse.csr_array((matrix.data.copy(), order[matrix.indices], matrix.indptr), shape=(n, width))
        ranked.has_sorted_indices = False
        ranked.sort_indices()
        rows = np.repeat(np.arange(n), np.diff(ranked.indptr))
        total = prefix_sum(ranked.data**2)
        after = total[ranked.indptr[1:]]
        # What is left from an entry on falls along a row: the prefix is where it is still over eps.
        keep = after[rows] - total[:-1] > eps * eps - 1e-6
        size = np.bincount(rows[keep], minlength=n)
        entries = (ranked.data[keep], ranked.indices[keep], prefix_sum(size))
        end = ranked.indptr[:-1] + size
        last = np.full(n, -1, np.int64)
        last[size > 0] = ranked.indices[end[size > 0] - 1]
        rest = np.sqrt(np.maximum(0.0, after - total[end]))
        prefix = sparse.csr_array(entries, shape=(n, width))
        sums = (_row_sum(ranked, ranked.data) * (1 + 1e-5)).astype(np.float32)
        top = np.zeros(n, np.float32)
        full = np.flatnonzero(np.diff(ranked.indptr))
        if len(full):
            top[full] = np.maximum.reduceat(ranked.data, ranked.indptr[full])
        return cls(ranked, prefix, rest, last, sums, top, np.zeros(0, np.int64), np.zeros((0, 0), np.float32))

    def set_marks(self, marks: Ints64) -> None:
        """Keep masses up to these ranks, so that a pair needs one look-up and no search."""
        n, k = len(self.last), len(marks)
        rows = np.repeat(np.arange(n), np.diff(self.ranked.indptr))
        step = np.searchsorted(marks, self.ranked.indices, side="left") + 1
        mass = np.bincount(rows * (k + 2) + step, self.ranked.data**2, minlength=n * (k + 2)).reshape(n, k + 2)
        self.mass = np.cumsum(mass[:, : k + 1], axis=1).astype(np.float32)
        self.mark = np.searchsorted(marks, self.last, side="right")

    def bound(self, other: _Prefixes, i: npt.NDArray[Any], j: npt.NDArray[Any], shared: Floats) -> Floats:
        """What the product of row i here and row j there cannot exceed; `shared` is that of their prefixes.

        Up to the end of the shorter prefix all that they share is in `shared`. Beyond it the product is at most
        the norm of the one's rest times that of the other beyond the same rank.
        """
        ours = self.last[i] <= other.last[j]
        rest = np.where(ours, self.rest[i], other.rest[j])
        known = np.empty(len(i), np.float32)
        known[ours] = other.mass[j[ours], self.mark[i[ours]]]
        known[~ours] = self.mass[i[~ours], other.mark[j[~ours]]]
        # float32 sums may be off by some 1e-6.
        return np.asarray(shared + rest * np.sqrt(np.clip(1.0 - known, 0.0, 1.0)) + 1e-4)


def _row_sum(matrix: sparse.csr_array, values: Floats) -> Floats:
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return np.bincount(rows, values, minlength=matrix.shape[0]).astype(np.float64)


def _dots(left: sparse.csr_array, right: sparse.csr_array, i: Ints64, j: Ints64) -> Floats:
    """The product of row i of left with row j of right, pair by pair."""
    out = np.zeros(len(i))
    size = np.diff(left.indptr)[i] + np.diff(right.indptr)[j]
    # A few million entries at a time; an edge lies at least one pair after the one before it.
    edges = np.searchsorted(np.cumsum(size), np.arange(8_000_000, size.sum(), 8_000_000), side="right")
    edges = distinct(np.append(edges, len(i)))
    for a, b in zip(np.append(0, edges[:-1]), edges, strict=True):
        if b > a:
            product: Any = left[i[a:b]].multiply(right[j[a:b]])
            out[a:b] = np.asarray(product.sum(axis=1)).reshape(-1)
    return out


def _families(rows: sparse.csr_array) -> Ints64:
    """A key per row, made of its two most frequent features.

    Near copies of one another share their frequent features; it is no matter if they do not, for all that
    is found this way is checked.
    """
    df = np.bincount(rows.indices, minlength=rows.shape[1])
    order = np.empty(rows.shape[1], np.int64)
    order[np.argsort(-df, kind="stable")] = np.arange(rows.shape[1])
    ranked = sparse.csr_array((rows.data.copy(), order[rows.indices], rows.indptr), shape=rows.shape)
    ranked.has_sorted_indices = False
    ranked.sort_indices()
    feature = np.append(ranked.indices, -1).astype(np.int64)
    start, size = rows.indptr[:-1], np.diff(rows.indptr)
    first = np.where(size > 0, feature[np.minimum(start, len(feature) - 1)], -1)
    second = np.where(size > 1, feature[np.minimum(start + 1, len(feature) - 1)], -1)
    return np.asarray(first * (rows.shape[1] + 1) + second, np.int64)


def groups_at_least(rows: sparse.csr_array, member: sparse.csr_array, eps: float, enough: int) -> Ints64:
    """Per row: a number of groups in which a similar row is known to occur; exact up to `enough` is not promised.

    A lower bound in linear time, for families of near copies: thousands of rows that are all alike would give
    millions of pairs. Each row is compared with the next few rows that have the same frequent features; rows that meet
    nothing similar drop out soon, and those that reach `enough` need not be joined at all.
    """
    known = np.diff(member.indptr).astype(np.int64)
    key = _families(rows)
    order = np.argsort(key, kind="stable")
    key = key[order]
    active = np.ones(len(order), bool)
    found_i: list[Ints64] = [np.arange(len(order))]
    found_j: list[Ints64] = [np.arange(len(order))]
    for shift in range(1, 3 * enough + 1):
        if shift >= len(order):
            break
        at = np.flatnonzero((key[shift:] == key[:-shift]) & active[:-shift])
        if not len(at):
            break
        near = _dots(rows, rows, order[at], order[at + shift]) > eps + SLACK
        i, j = order[at[near]], order[at[near] + shift]
        found_i += [i, j]
        found_j += [j, i]
        if shift % 4 == 0:
            known = _union_size(found_i, found_j, member)
            alone = np.bincount(np.concatenate(found_i), minlength=len(order)) == 1
            active &= ~alone[order] & (known[order] < enough)
    return _union_size(found_i, found_j, member)


def _union_size(i: list[Ints64], j: list[Ints64], member: sparse.csr_array) -> Ints64:
    pairs = (np.concatenate(i), np.concatenate(j))
    near = sparse.csr_array((np.ones(len(pairs[0]), np.float32), pairs), shape=(member.shape[0], member.shape[0]))
    return np.asarray(np.diff((near @ member.astype(np.float32)).indptr), np.int64)


def thin_out(rows: sparse.csr_array, eps: float) -> Ints64:
    """Rows that stand for all: each of the others has a cosine above eps with one of them.

    A few rounds; in each, the first row of every family covers what is similar to it. Rows that no round covers stay.
    """
    left = np.arange(rows.shape[0])
    key = _families(rows)
    kept: list[Ints64] = []
    for _ in range(8):
        if not len(left):
            break
        _, first, place = np.unique(key[left], return_index=True, return_inverse=True)
        leader = left[first]
        kept.append(leader)
        near = _dots(rows, rows, left, leader[place.reshape(-1)]) > eps + SLACK
        left = left[~near & ~np.isin(left, leader)]
    return np.sort(np.concatenate([*kept, left])) if kept else left


def count_groups_near(rows: sparse.csr_array, chosen: Ints64, member: sparse.csr_array, eps: float) -> Ints64:
    """Per chosen row: in how many groups some row is similar to it.

    `member[j, g]` is not 0 when row j occurs in group g (a block on a page).
    """
    mine = rows[chosen]
    others = np.setdiff1d(np.arange(rows.shape[0]), chosen, assume_unique=True)
    # Among the chosen every pair is looked at once; the others are only met, never asked for.
    near = [(i, chosen[j]) for i, j in similar_pairs(mine, mine, eps)]
    near += [(i, others[j]) for i, j in similar_pairs(mine, rows[others], eps)]
    i, j = (np.concatenate(part) for part in zip(*near, strict=True)) if near else (chosen[:0], chosen[:0])
    shape = (len(chosen), rows.shape[0])
    pairs = sparse.csr_array((np.ones(len(i), np.float32), (i, j)), shape=shape)
    return np.asarray(np.diff((pairs @ member.astype(np.float32)).indptr), np.int64)
