"""Entropy of terms over documents: how evenly a term is spread.

    w[i, j] = tf[i, j] / F[i]          F[i] = sum over documents of tf[i, j]
    EN(i)   = - sum over j of w[i, j] log_n w[i, j]        W(i) = 1 - EN(i)

A term spread evenly over all n documents has EN 1 (template), one on a single page EN 0 (information).

Splitting the logarithm gives `EN(i) ln n = ln F[i] - T[i] / F[i]` with `T[i] = sum of tf ln tf`. Both F and
T are plain sums over documents: so partial statistics are merged by adding them, in any order.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Floats
from sitegrain.errors import UsageError
from sitegrain.light import dataclass


def _entropy(total: Floats, t_log_t: Floats, n_docs: int) -> Floats:
    """EN from the two sums. Rounding may leave the range by some 1e-16: clipped."""
    if n_docs <= 1:
        return np.zeros(len(total))
    seen = total > 0
    safe = np.where(seen, total, 1.0)
    nats = np.where(seen, np.log(safe) - t_log_t / safe, 0.0)
    # A term on one page has exactly EN 0; the subtraction above can leave a few ulp.
    nats[nats < 1e-14] = 0.0
    return np.asarray(np.clip(nats / np.log(n_docs), 0.0, 1.0), np.float64)


def _x_log_x(values: Floats) -> Floats:
    return np.where(values > 0, values * np.log(np.where(values > 0, values, 1.0)), 0.0)


def term_entropy(tf: Any) -> Floats:
    """EN of each term (column) of a documents x terms matrix, sparse or dense.

    A term that never occurs has EN 0.

    >>> 1 - term_entropy(np.array([[2, 1], [2, 1], [2, 4], [0, 0]])).round(6)
    array([0.207519, 0.374185])
    """
    return EntropyStats.of(tf).entropy()


@dataclass
class EntropyStats:
    """Partial statistics of a set of pages: enough for EN, and mergeable with those of other pages.

    Term ids are row numbers of one shared vocabulary, which may grow: a term not seen yet has count 0.

    >>> a, b = EntropyStats(), EntropyStats()
    >>> a.add([0, 0, 1]); a.add([0, 0, 1]); b.add([0, 0, 1, 1, 1, 1]); b.add([])
    >>> 1 - a.merge(b).entropy().round(6)
    array([0.207519, 0.374185])
    """

    n_docs: int = 0
    total: Floats = field(default_factory=lambda: np.zeros(0))
    """F: occurrences of each term."""
    t_log_t: Floats = field(default_factory=lambda: np.zeros(0))
    """T: sum over pages of tf ln tf."""

    @classmethod
    def of(cls, tf: Any) -> EntropyStats:
        """Statistics of a documents x terms matrix."""
        matrix = sparse.csc_array(tf, dtype=np.float64)
        matrix.sum_duplicates()
        if matrix.nnz and matrix.data.min() < 0:
            raise UsageError("term frequencies are counts: none may be below 0")
        term = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
        n_terms = int(matrix.shape[1])
        return cls(
            int(matrix.shape[0]),
            np.bincount(term, matrix.data, minlength=n_terms).astype(np.float64),
            np.bincount(term, _x_log_x(matrix.data), minlength=n_terms).astype(np.float64),
        )

    @property
    def n_terms(self) -> int:
        return len(self.total)

    def add(self, terms: npt.ArrayLike) -> None:
        """Add one page, given the term ids of its text with their repeats."""
        ids, counts = np.unique(np.asarray(terms, np.int64).reshape(-1), return_counts=True)
        if len(ids) and ids[0] < 0:
            raise UsageError("a term id is a row number: none may be below 0")
        if len(ids):
            self._grow(int(ids[-1]) + 1)
        frequency = counts.astype(np.float64)
        self.total[ids] += frequency
        self.t_log_t[ids] += _x_log_x(frequency)
        self.n_docs += 1

    def merge(self, other: EntropyStats, ids: npt.ArrayLike | None = None) -> EntropyStats:
        """Statistics of both page sets, which must not share a page.

        `ids[i]` is the id here of term i there, when the two have different vocabularies.
        """
        place = np.arange(other.n_terms) if ids is None else np.asarray(ids, np.int64)
        size = max(self.n_terms, int(place.max()) + 1 if len(place) else 0)
        out = EntropyStats(self.n_docs + other.n_docs, np.zeros(size), np.zeros(size))
        out.total[: self.n_terms] = self.total
        out.t_log_t[: self.n_terms] = self.t_log_t
        out.total[place] += other.total
        out.t_log_t[place] += other.t_log_t
        return out

    def entropy(self) -> Floats:
        """EN of each term over the pages added so far."""
        return _entropy(self.total, self.t_log_t, self.n_docs)

    def _grow(self, size: int) -> None:
        if size > self.n_terms:
            extra = np.zeros(size - self.n_terms)
            self.total = np.concatenate((self.total, extra))
            self.t_log_t = np.concatenate((self.t_log_t, extra))
