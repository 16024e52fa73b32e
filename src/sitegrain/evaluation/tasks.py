"""Two tasks that cleaning is good for (the paper on site style trees): clustering by k-means, classifying by naive Bayes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.arrays.types import Floats, Ints64
from sitegrain.evaluation.metrics import class_f, clustering_f

MAX_STEPS = 100
"""Lloyd's steps per run; runs settle after about ten."""
_CELLS = 20_000_000
"""Numbers in one block of runs: some 160 MB."""


def unit_rows(counts: sparse.csr_array) -> sparse.csr_array:
    """Rows scaled to length 1, so that long pages weigh as much as short ones; empty rows stay empty."""
    x = sparse.csr_array(counts).astype(np.float64)
    norm = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.where(norm > 0, norm, 1)) @ x)


def kmeans(counts: sparse.csr_array, k: int, runs: int = 1, seed: int = 0) -> Ints64:
    """Labels (runs x pages) of many k-means runs, each from k random pages as first centres.

    All runs go at once and never form a centre: the distance of a page to the mean of a cluster follows from the
    inner products of pages alone, which is one product with a 0/1 matrix a step. A cluster that runs empty
    stays empty.
    """
    x = unit_rows(counts)
    n = x.shape[0]
    if n == 0:
        return np.zeros((runs, 0), np.int64)
    k = min(k, n)
    gram = np.asarray((x @ x.T).todense(), np.float64)
    rng = np.random.default_rng(seed)
    first = np.stack([rng.choice(n, k, replace=False) for _ in range(runs)])
    out = np.empty((runs, n), np.int64)
    step = max(1, _CELLS // (n * k))
    for a in range(0, runs, step):
        out[a : a + step] = _lloyd(gram, first[a : a + step])
    return out


def _lloyd(gram: Floats, first: Ints64) -> Ints64:
    runs, k = first.shape
    n = len(gram)
    # Distance to a single page c: |x|^2 - 2 x.c + |c|^2; the first term is the same for all c.
    distance = np.diag(gram)[first][None, :, :] - 2 * gram[:, first]
    labels: Ints64 = np.ascontiguousarray(np.argmin(distance, axis=2).T)
    moving = np.arange(runs)
    for _ in range(MAX_STEPS):
        member = np.zeros((len(moving), k, n))
        np.put_along_axis(member, labels[moving][:, None, :], 1.0, axis=1)
        size = member.sum(axis=2)
        reach = (member.reshape(-1, n) @ gram).reshape(-1, k, n)
        inside = np.einsum("rkn,rkn->rk", reach, member)
        some = np.maximum(size, 1)
        distance = (inside / some**2)[:, :, None] - 2 * reach / some[:, :, None]
        distance[size == 0] = np.inf
        new = np.argmin(distance, axis=1)
        changed = (new != labels[moving]).any(axis=1)
        # A run that did not change is done; the others go on without it.
        moving, new = moving[changed], new[changed]
        if not len(moving):
            break
        labels[moving] = new
    return labels


def clustering_scores(counts: sparse.csr_array, truth: npt.NDArray[Any], runs: int = 800, seed: int = 0) -> Floats:
    """F of every run of k-means, with as many clusters as there are classes."""
    labels = kmeans(counts, len(np.unique(truth)), runs, seed)
    classes = truth.tolist()
    return np.array([clustering_f(row.tolist(), classes) for row in labels])


class NaiveBayes:
    """Multinomial naive Bayes with one added to every count."""

    def fit(self, counts: sparse.csr_array, truth: npt.NDArray[Any]) -> NaiveBayes:
        """Learn the word shares of every class."""
        self.classes_, which = np.unique(truth, return_inverse=True)
        member = sparse.csr_array(
            (np.ones(len(which)), (which, np.arange(len(which)))), shape=(len(self.classes_), len(which))
        )
        total = np.asarray((member @ counts).todense()) + 1.0
        self.term_ = np.log(total / total.sum(axis=1, keepdims=True))
        self.prior_ = np.log(np.bincount(which) / len(which))
        return self

    def predict(self, counts: sparse.csr_array) -> npt.NDArray[Any]:
        """The likeliest class of every row."""
        return np.asarray(self.classes_[np.argmax(counts @ self.term_.T + self.prior_, axis=1)])


def classification_scores(
    counts: sparse.csr_array, truth: npt.NDArray[Any], train_share: float, repeats: int = 5
) -> Floats:
    """F of naive Bayes for every pair of classes and every repeat; the pages to learn from are drawn per class."""
    scores = []
    for repeat in range(repeats):
        rng = np.random.default_rng([0, repeat])
        is_train = np.zeros(len(truth), np.bool_)
        for c in np.unique(truth):
            rows = rng.permutation(np.flatnonzero(truth == c))
            is_train[rows[: min(max(1, round(train_share * len(rows))), len(rows) - 1)]] = True
        for pair in combinations(np.unique(truth), 2):
            mine = np.isin(truth, pair)
            learn, ask = np.flatnonzero(mine & is_train), np.flatnonzero(mine & ~is_train)
            model = NaiveBayes().fit(counts[learn], truth[learn])
            scores.append(class_f(model.predict(counts[ask]).tolist(), truth[ask].tolist()))
    return np.array(scores)
