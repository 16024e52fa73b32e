"""Train what tells page types, from single pages: by the layout alone, and by the layout and the words.

What the words of a page say reaches the trees out of fold, like the first scores: each group of pages is asked by words that were
weighed without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array

from sitegrain.arrays.types import Floats, Floats32, Hashes32, Ints64
from sitegrain.extractor.pagetypes import PAGE_TYPES, told_names, type_columns, type_names
from sitegrain.extractor.typewords import PageWords, TypeWords
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.training.examples import PageExample
from sitegrain.training.stages import HINT_PREFIXES, OutOfFold, blanked, columns_of, deal, nameless, train_ensemble

TYPE_ROUNDS = 120
TYPES: dict[str, Any] = {
    "objective": "binary", "learning_rate": 0.05, "num_leaves": 8, "min_data_in_leaf": 15, "feature_fraction": 0.25,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63,
}  # fmt: skip
LEAST_GROUPS = 5
"""Domains that must have a word for it to be weighed, so that no site is learned by heart. With 3 the model is twice as large and no better."""
PENALTY = 1.0
"""Of squared weights, beside the sum of the losses of all pages; 3 does as well."""
INNER_FOLDS = 4


class TypeModel(NamedTuple):
    """What tells types, as `ContentTrees` has it."""

    types: tuple[TreeEnsemble, ...]
    type_words: TypeWords
    told_types: tuple[TreeEnsemble, ...]


def train_types(names: tuple[str, ...], examples: Sequence[PageExample], score: OutOfFold, seed: int) -> TypeModel:
    """Small ensembles for every page type, from single pages, each once with its class and id names and once without: trees that only knew
    pages with names took a thread for anything else where names are scrambled."""
    pages = [e for e in examples if not e.site and e.is_learned and not e.is_partial]
    rng = np.random.default_rng(seed)
    hinted = columns_of(names, HINT_PREFIXES)
    rows = [
        type_columns(
            names, blanked(seen.x, rng, [], hinted)[0], e.words, np.zeros(len(e.words), np.int64), p[e.name], 1
        )
        for e in pages
        for seen, p in ((e, score.named), (nameless(names, e), score.unnamed))
    ]
    said = words_out_of_fold(pages, seed)
    told = [np.concatenate([row, said[k // 2 : k // 2 + 1]], axis=1) for k, row in enumerate(rows)]
    return TypeModel(
        _ensembles(pages, rows, type_names(names)), train_words(pages), _ensembles(pages, told, told_names(names))
    )


def _ensembles(pages: Sequence[PageExample], rows: list[Floats32], names: tuple[str, ...]) -> tuple[TreeEnsemble, ...]:
    """One ensemble for each type; each page has two rows."""
    weight = [np.ones(1)] * len(rows)
    return tuple(
        train_ensemble(
            rows,
            [np.array([float(e.kind == kind)]) for e in pages for _ in range(2)],
            weight,
            names,
            TYPES,
            TYPE_ROUNDS,
        )
        for kind in PAGE_TYPES
    )


def words_out_of_fold(pages: Sequence[PageExample], seed: int) -> Floats32:
    """[pages x types]: what the words of each page say, weighed on the pages of other groups."""
    said = np.zeros((len(pages), len(PAGE_TYPES)), np.float32)
    for hand in deal({e.group for e in pages}, INNER_FOLDS, seed):
        unseen = [k for k, e in enumerate(pages) if e.group in hand]
        if unseen:
            learned = train_words([e for e in pages if e.group not in hand])
            said[unseen] = learned.odds(_words([pages[k] for k in unseen]), len(unseen))
    return said


def _words(pages: Sequence[PageExample]) -> PageWords:
    sizes = [len(e.type_words) for e in pages]
    return PageWords(np.concatenate([e.type_words for e in pages]), np.repeat(np.arange(len(pages)), sizes))


def train_words(pages: Sequence[PageExample]) -> TypeWords:
    """What words weigh: a multinomial logistic regression of which words a page has."""
    n_types = len(PAGE_TYPES)
    if not pages:
        return TypeWords(np.zeros(0, np.uint32), np.zeros((0, n_types), np.float32), np.zeros(n_types))
    words = _words(pages)
    key, column, known = _shared_words(words, [e.group for e in pages])
    n = len(key)
    x = csr_array((np.ones(len(column)), (words.page[known], column)), shape=(len(pages), n))
    kind = np.array([PAGE_TYPES.index(e.kind) for e in pages])
    is_kind = kind[:, None] == np.arange(n_types)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weight = flat.reshape(n + 1, n_types)
        odds = x @ weight[:n] + weight[n]
        odds -= odds.max(axis=1, keepdims=True)
        odds -= np.log(np.exp(odds).sum(axis=1, keepdims=True))
        miss = np.exp(odds) - is_kind
        slope = np.concatenate([x.T @ miss + PENALTY * weight[:n], miss.sum(axis=0, keepdims=True)])
        return float(-odds[is_kind].sum() + PENALTY / 2 * (weight[:n] ** 2).sum()), slope.ravel()

    found = minimize(loss, np.zeros((n + 1) * n_types), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weight = found.x.reshape(n + 1, n_types)
    # As saved: float16.
    return TypeWords(key, weight[:n].astype(np.float16).astype(np.float32), weight[n])


def _shared_words(words: PageWords, groups: Sequence[str]) -> tuple[Hashes32, Ints64, Ints64]:
    """The words that enough groups have, ascending; and the uses of them: which word, and which of all uses it is."""
    number = {g: k for k, g in enumerate(sorted(set(groups)))}
    group = np.array([number[g] for g in groups], np.uint64)[words.page]
    of_group = np.unique((group << np.uint64(32)) | words.hashes)
    different, count = np.unique((of_group & np.uint64(0xFFFFFFFF)).astype(np.uint32), return_counts=True)
    key = different[count >= LEAST_GROUPS]
    if not len(key):
        return key, np.zeros(0, np.int64), np.zeros(0, np.int64)
    at = np.minimum(np.searchsorted(key, words.hashes), len(key) - 1)
    known = np.flatnonzero(key[at] == words.hashes)
    return key, at[known], known
