"""Scores of blocks: trees, means, first scores around a block, and which blocks to keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Floats32, Ints32
from sitegrain.native.columns import STAGE
from sitegrain.native.inputs import Geometry, TreeColumns
from sitegrain.native.reference.blocks.blocks import order_by_score, ratio, shift, window_ratio


class PackedTrees(NamedTuple):
    """Trees that were looked over."""

    n_features: int
    nodes: TreeColumns
    roots: Ints32


def pack_trees(n_features: int, nodes: TreeColumns, roots: Ints32) -> PackedTrees:
    """`sitegrain.native.pack_trees`."""
    n = len(nodes.feature)
    at = np.arange(n)
    inner = nodes.left >= 0 if {len(column) for column in nodes} == {n} else np.zeros(0, bool)
    below = np.stack([nodes.left, nodes.right])[:, inner] if len(inner) == n else np.zeros((2, 0), int)
    # Children come after their node: no cycle, and every index is in range.
    fits = len(inner) == n and (below > at[inner]).all() and (below < n).all()
    fits = fits and ((nodes.feature[inner] >= 0) & (nodes.feature[inner] < n_features)).all()
    if not fits or ((roots < 0) | (roots >= n)).any():
        raise ValueError("tree arrays do not fit together")
    return PackedTrees(n_features, nodes, roots)


def predict(trees: PackedTrees, parts: Sequence[Floats32], at: npt.NDArray[np.int64], is_probability: bool) -> Floats:
    """`sitegrain.native.predict`: all rows walk one tree at a time, level by level."""
    if len({len(part) for part in parts}) > 1:
        raise ValueError("a part does not fit")
    x = np.concatenate(parts, axis=1)
    if len(at) != trees.n_features or ((at < 0) | (at >= x.shape[1])).any():
        raise ValueError("one column for each feature")
    x, nodes = x[:, at], trees.nodes
    out = np.zeros(len(x))
    rows = np.arange(len(x))
    for root in trees.roots:
        node = np.full(len(x), root)
        while (inner := nodes.left[node] >= 0).any():
            q = x[rows, np.where(inner, nodes.feature[node], 0)]
            goes_left = np.where(np.isnan(q), nodes.default_left[node] > 0, q <= nodes.threshold[node])
            node = np.where(inner, np.where(goes_left, nodes.left[node], nodes.right[node]), node)
        out += nodes.value[node]
    return 1 / (1 + np.exp(-out)) if is_probability else out


def mean_score(parts: Sequence[Floats]) -> Floats:
    """`sitegrain.native.mean_score`."""
    if len({len(part) for part in parts}) != 1:
        raise ValueError("a part does not fit")
    odds = [np.log(p / (1 - p)) for p in (np.clip(p, 1e-6, 1 - 1e-6) for p in parts)]
    return np.asarray(1 / (1 + np.exp(-sum(odds) / len(odds))))


def decide(score: Floats, words: Floats, page: Ints32, n_pages: int, nothing_below: float) -> npt.NDArray[np.bool_]:
    """`sitegrain.native.decide`."""
    n = len(score)
    if len(words) != n or len(page) != n or (n and (page[0] < 0 or page[-1] >= n_pages or (np.diff(page) < 0).any())):
        raise ValueError("one score, size and page for each block")
    kept = np.zeros(n, bool)
    if not n:
        return kept
    order = order_by_score(score, page)
    p, w, of = score[order], np.maximum(words[order], 0.1), page[order]
    first = np.searchsorted(of, np.arange(n_pages))
    gain, size = np.cumsum(p * w), np.cumsum(w)
    base_gain = np.concatenate([[0.0], gain])[first][of]
    base_size = np.concatenate([[0.0], size])[first][of]
    total = np.bincount(of, p * w, n_pages)[of]
    f1 = 2 * (gain - base_gain) / (size - base_size + total)
    best = np.zeros(n_pages)
    np.maximum.at(best, of, f1)
    # The first place of each page that reaches its best value; everything up to it is kept.
    at = np.flatnonzero((f1 >= best[of] - 1e-12) & (best[of] >= nothing_below))
    cut = np.full(n_pages, -1)
    cut[of[at][::-1]] = at[::-1]
    kept[order] = np.arange(n) <= cut[of]
    return kept


def _alike_scores(alike: npt.NDArray[np.int32], words: Floats, pw: Floats) -> Floats:
    """[n x 4]: the mean first score of the blocks that are like a block, with it and without."""
    columns = []
    for of in alike:
        total_p, total_w, count = np.bincount(of, pw), np.bincount(of, words), np.bincount(of)
        others = ratio(total_p[of] - pw, total_w[of] - words)
        columns += [ratio(total_p, total_w)[of], np.where(count[of] > 1, others, np.nan)]
    return np.stack(columns, axis=1)


def stage(where: Geometry, words: Floats, p: Floats, path: Floats | None, tag_path: Floats | None) -> Floats32:
    """`sitegrain.native.stage`."""
    page, n, n_rows, n_pages = where.page, len(p), len(where.row_end), where.n_pages
    if {len(page), len(words), where.chain.shape[1], where.alike.shape[1]} != {n} or any(
        ((places < 0) | (places >= most)).any() for places, most in ((where.chain, n_rows), (where.alike, n))
    ):
        raise ValueError("columns of blocks do not fit")
    words = words + 1.0
    pw = p * words
    total_p, total_w = (prefix_sum(np.bincount(where.first, values, n_rows)) for values in (pw, words))
    ends = where.row_end[where.chain]
    page_w, page_p = np.bincount(page, words, n_pages), np.bincount(page, pw, n_pages)
    most = np.zeros(n_pages)
    np.maximum.at(most, page, p)
    first = np.searchsorted(page, page)
    rank = np.empty(n)
    rank[order_by_score(p, page)] = np.arange(n)
    running = prefix_sum(pw)
    share, before = ratio(pw, page_p[page]), ratio(running[:-1] - running[first], page_p[page])
    unknown = np.full(n, np.nan)
    return STAGE.filled(
        {
            "p": p,
            "p_around": np.stack([shift(p, by, page) for by in (-3, -2, -1, 1, 2, 3)], axis=1),
            "p_within": window_ratio(pw, words, page, 4),
            "p_within_far": window_ratio(pw, words, page, 15),
            "p_up": np.stack(
                [
                    ratio(total_p[end] - total_p[at], total_w[end] - total_w[at])
                    for at, end in zip(where.chain, ends, strict=True)
                ],
                axis=1,
            ),
            "p_alike": _alike_scores(where.alike, words, pw),
            "p_page": ratio(page_p, page_w)[page],
            "p_page_words": np.log1p(page_p)[page],
            "p_page_max": most[page],
            "p_rank": ratio(rank - first, np.bincount(page, minlength=n_pages)[page]),
            "p_words_share": share,
            "p_before": before,
            "p_after": 1 - before - share,
            "p_path": unknown if path is None else path,
            "p_tagpath": unknown if tag_path is None else tag_path,
        },
        n,
    )
