"""Entropy of terms over documents: how evenly a term is spread.

    w[i, j] = tf[i, j] / F[i]          F[i] = sum over documents of tf[i, j]
    EN(i)   = - sum over j of w[i, j] log_n w[i, j]        W(i) = 1 - EN(i)

A term spread evenly over all n documents has EN 1 (template), one on a single page EN 0 (information).

Splitting the logarithm gives `EN(i) ln n = ln F[i] - T[i] / F[i]` with `T[i] = sum of tf ln tf`. Both F and
T are plain sums over documents: so partial statistics are merged by adding them, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Floats
from sitegrain.errors import UsageError


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


def term_entropy(tf: Any, n_docs: int | None = None) -> Floats:
    """EN of each term (column) of a documents x terms matrix, sparse or dense.

    `n_docs` is the number of documents when it is not the number of rows. A term that never occurs has EN 0.

    >>> 1 - term_entropy(np.array([[2, 1], [2, 1], [2, 4], [0, 0]])).round(6)
    array([0.207519, 0.374185])
    """
    matrix = sparse.csc_array(tf, dtype=np.float64)
    matrix.sum_duplicates()
    if matrix.nnz and matrix.data.min() < 0:
        raise UsageError("term frequencies are counts: none may be below 0")
    n = matrix.shape[0] if n_docs is None else n_docs
    term = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
    total = np.bincount(term, matrix.data, minlength=matrix.shape[1]).astype(np.float64)
    t_log_t = np.bincount(term, _x_log_x(matrix.data), minlength=matrix.shape[1]).astype(np.float64)
    return _entropy(total, t_log_t, n)


def term_weight(tf: Any, n_docs: int | None = None) -> Floats:
    """W = 1 - EN of each term: 1 says much about its page, 0 says nothing.

    >>> term_weight(np.array([[1, 1], [1, 0]]))
    array([0., 1.])
    """
    return 1.0 - term_entropy(tf, n_docs)


def inverse_document_frequency(tf: Any, n_docs: int | None = None) -> Floats:
    """`log_n(n / df)` of each term; 0 for a term that never occurs and when there is one document.

    >>> inverse_document_frequency(np.array([[1, 1], [1, 0]]))
    array([0., 1.])
    """
    matrix = sparse.csc_array(tf)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    n = matrix.shape[0] if n_docs is None else n_docs
    df = np.diff(matrix.indptr)
    if n <= 1:
        return np.zeros(matrix.shape[1])
    return np.where(df > 0, np.log(n / np.maximum(df, 1)) / np.log(n), 0.0)


def entropy_with_page(entropy: Floats, total: Floats, frequency: Floats, n_docs: int) -> Floats:
    """EN of each term after one more page: the closed form of WISDOM, kept for the record and for checks.

    `entropy` and `total` are EN and F over the first `n_docs` pages, `frequency` the counts on the new page.
    `EntropyStats` gives the same value and does not need the old entropies.

    >>> entropy_with_page(np.array([1.0]), np.array([2.0]), np.array([1.0]), 2).round(9)
    array([1.])
    """
    k = n_docs
    if k < 1:
        return np.zeros(len(entropy))
    old = entropy * np.log(k)  # S; with one page both EN and S are 0
    f, t = total, frequency
    both = f + t
    safe_f, safe_t = np.where(f > 0, f, 1.0), np.where(t > 0, t, 1.0)
    safe = np.where(both > 0, both, 1.0)
    grown = f / safe * (old + np.log(np.where(f > 0, safe / safe_f, 1.0)))
    grown += t / safe * np.log(np.where(t > 0, safe / safe_t, 1.0))
    return np.asarray(np.clip(np.where(t > 0, grown, old) / np.log(k + 1), 0.0, 1.0), np.float64)


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

    def weight(self) -> Floats:
        """W = 1 - EN."""
        return 1.0 - self.entropy()

    def _grow(self, size: int) -> None:
        if size > self.n_terms:
            extra = np.zeros(size - self.n_terms)
            self.total = np.concatenate((self.total, extra))
            self.t_log_t = np.concatenate((self.t_log_t, extra))
