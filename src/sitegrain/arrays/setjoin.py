"""All pairs of similar sets, exactly, without looking at all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sitegrain.arrays.hashing import mix
from sitegrain.arrays.late import sparse
from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Hashes, Ints64

_BATCH = 4_000_000
"""Candidate pairs looked at in one go: bounds memory to some hundred megabytes."""


@dataclass(frozen=True, eq=False)
class Sets:
    """Many sets of 64-bit values, as CSR; values of a set are sorted and different."""

    offset: Ints64 = field(default_factory=lambda: np.zeros(1, np.int64))
    value: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))

    @classmethod
    def from_arrays(cls, arrays: Sequence[Hashes]) -> Sets:
        """From one sorted array per set."""
        return cls(offsets([len(a) for a in arrays]), np.concatenate(arrays) if arrays else np.zeros(0, np.uint64))

    def __len__(self) -> int:
        return len(self.offset) - 1

    @property
    def size(self) -> Ints64:
        """How many values each set has."""
        return np.diff(self.offset)

    def take(self, which: Ints64) -> Sets:
        """Some of the sets, in the order given."""
        return Sets(offsets(self.size[which]), take_segments(self.value, self.offset, which))

    def unique(self) -> tuple[Sets, Ints64]:
        """Equal sets once, and for each set which of those it is."""
        total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mix(self.value), dtype=np.uint64)])
        key = mix(total[self.offset[1:]] - total[self.offset[:-1]]) ^ self.size.astype(np.uint64)
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        return self.take(first), which.astype(np.int64)


def similar_pairs(left: Sets, right: Sets, least: float) -> tuple[Ints64, Ints64]:
    """Every pair (i, j) whose sets have |A∩B| / |A∪B| >= `least` (which is above 0).

    Two such sets share one of the |A| - ⌈least·|A|⌉ + 1 rarest values of A and likewise of B (the prefix filter of
    Chaudhuri, Ganti and Kaushik 2006), so only those are indexed; candidates are then counted in full.

    >>> a = Sets.from_arrays([np.array(s, np.uint64) for s in ([1, 2, 3], [1, 2, 3, 4], [9])])
    >>> i, j = similar_pairs(a, a, 0.75)
    >>> list(zip(i.tolist(), j.tolist()))
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    """
    none = np.zeros(0, np.int64)
    if not len(left.value) or not len(right.value):
        return none, none
    values, ids = np.unique(np.concatenate([left.value, right.value]), return_inverse=True)
    n_left = len(left.value)
    rank = np.empty(len(values), np.int64)
    rank[np.argsort(np.bincount(ids, minlength=len(values)), kind="stable")] = np.arange(len(values))
    x = _matrix(left, rank[ids[:n_left]], len(values))
    y = _matrix(right, rank[ids[n_left:]], len(values))
    px, py = _prefixes(x, left.size, least), _prefixes(y, right.size, least)
    # Cost of a row of px @ py.T is the total length of the lists that it joins: cut the rows into batches by it.
    cost = np.cumsum(px @ np.asarray(py.sum(axis=0)).ravel())
    out_i, out_j = [none], [none]
    start = 0
    pyt = py.T.tocsr()
    while start < len(left):
        base = cost[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(cost, base + _BATCH, "right")))
        pair = (px[start:stop] @ pyt).tocoo()
        i, j = pair.row.astype(np.int64) + start, pair.col.astype(np.int64)
        small, large = np.minimum(left.size[i], right.size[j]), np.maximum(left.size[i], right.size[j])
        near = small >= least * large - 1e-9
        i, j = i[near], j[near]
        both = _common(x, y, i, j)
        ok = both >= least * (left.size[i] + right.size[j] - both) - 1e-9
        out_i.append(i[ok])
        out_j.append(j[ok])
        start = stop
    i, j = np.concatenate(out_i), np.concatenate(out_j)
    order = np.lexsort((j, i))
    return i[order], j[order]


def _matrix(sets: Sets, column: Ints64, n_columns: int) -> sparse.csr_array:
    out = sparse.csr_array((np.ones(len(column), np.float64), column, sets.offset), shape=(len(sets), n_columns))
    out.sort_indices()
    return out


def _prefixes(x: sparse.csr_array, size: Ints64, least: float) -> sparse.csr_array:
    """The rarest values of each row (columns are ordered by how common they are)."""
    n = np.where(size > 0, size - np.ceil(least * size - 1e-9).astype(np.int64) + 1, 0)
    within = np.arange(x.nnz) - np.repeat(x.indptr[:-1], size)
    keep = within < np.repeat(n, size)
    return sparse.csr_array((x.data[keep], x.indices[keep], offsets(n)), shape=x.shape)


def _common(x: sparse.csr_array, y: sparse.csr_array, i: Ints64, j: Ints64) -> Ints64:
    """|A∩B| of each pair of rows."""
    out = np.zeros(len(i), np.int64)
    step = max(1, _BATCH // 32)
    for s in range(0, len(i), step):
        a, b = i[s : s + step], j[s : s + step]
        out[s : s + step] = np.asarray(x[a].multiply(y[b]).sum(axis=1)).ravel().astype(np.int64)
    return out
