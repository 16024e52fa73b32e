"""Blocks of one page in which one feature stands out: what FeatureExtractor and K-FeatureExtractor do, and what methods
that learn from many pages fall back on when there is one only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.methods.base import Blocks, NodeVerdict
from sitegrain.methods.blockwise import block_tags, block_verdict, blocks_of, occurrence_block
from sitegrain.partition import Partition
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.terms import site_terms

Page = npt.NDArray[np.int32]
Winners = Callable[[Floats, Bools, Page], Bools]
"""From the value, the basket and the page of each block: which blocks win."""

FEATURES: dict[str, tuple[str, ...]] = {
    "text": (),
    "text-tag": ("b", "big", "blockquote", "cite", "code", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "pre",
                 "q", "s", "small", "strike", "strong", "sub", "sup", "tt", "u"),
    "list": ("dir", "dl", "menu", "ol", "ul"),
    "table": ("table",),
    "link": ("a", "area"),
    "image": ("img", "picture", "svg"),
    "object": ("applet", "audio", "canvas", "embed", "object", "video"),
    "frame": ("frame", "frameset", "iframe"),
    "form": ("form",),
    "script": ("noscript", "script"),
    "style-sheet": ("link", "style"),
}  # fmt: skip
"""The features of Debnath et al. 2005, section 5.1, with the tags that are counted; text is counted in terms. Lists, tables
and forms are counted, not their items, rows and fields. Images are apart from other objects, as in the paper's example."""

Reading = Literal["share", "largest"]
"""What the value of a feature is: its share of all counts of the block (the paper's Algorithm 3 has Pr(F_I | F)), or its count
divided by the largest of the data set (the paper's example in section 5.1)."""

K, N_HIGH = 3, 2
"""Clusters of K-FeatureExtractor, and how many of the highest win: the paper has 2 or 3 clusters."""


def feature_counts(site: Site, partition: Partition) -> Floats:
    """Blocks x features: how much of each feature a block has."""
    tags = block_tags(site, partition)
    out = np.zeros((len(partition), len(FEATURES)))
    for column, names in enumerate(FEATURES.values()):
        if names:
            out[:, column] = np.asarray(tags[:, [TAG_CODE[n] for n in names]].sum(axis=1)).reshape(-1)
    out[:, 0] = np.bincount(occurrence_block(partition, site_terms(site)), minlength=len(partition))
    return out


def feature_values(counts: Floats, largest: Floats) -> Floats:
    """Each count divided by the largest of its feature; a feature that nothing has is 0.

    >>> feature_values(np.array([[1000.0, 2, 3, 1]]), np.array([2000.0, 4, 50, 3])).round(3)
    array([[0.5  , 0.5  , 0.06 , 0.333]])
    """
    return np.where(largest > 0, counts / np.where(largest > 0, largest, 1.0), 0.0)


def k_means(values: Floats, k: int) -> Ints64:
    """Clusters of numbers, 0 the lowest: Lloyd's steps from centroids at equidistant ranks of the sorted list.

    >>> k_means(np.array([0.1, 0.9, 0.2, 1.0]), 2)
    array([0, 1, 0, 1])
    """
    different = np.unique(values)
    if len(different) <= k:
        return np.searchsorted(different, values).astype(np.int64)
    ranked = np.sort(values)
    centres = ranked[np.round(np.linspace(0, len(ranked) - 1, k)).astype(int)].astype(np.float64)
    # In one dimension clusters are intervals and the cost falls with every step, so this ends; 100 is far off.
    for _ in range(100):
        edges = (centres[1:] + centres[:-1]) / 2
        label = np.searchsorted(edges, values)
        size = np.bincount(label, minlength=k)
        moved = np.where(size > 0, np.bincount(label, values, minlength=k) / np.maximum(size, 1), centres)
        if np.array_equal(moved, centres):
            break
        centres = np.sort(moved)
    return np.searchsorted((centres[1:] + centres[:-1]) / 2, values).astype(np.int64)


def most_of_page(value: Floats, basket: Bools, page: Page) -> Bools:
    """The one block of each page with the most of the feature; of equal ones, the first."""
    out = np.zeros(len(value), bool)
    rows = np.flatnonzero(basket)
    order = rows[np.lexsort((rows, -value[rows], page[rows]))]
    first = np.ones(len(order), bool)
    first[1:] = page[order][1:] != page[order][:-1]
    out[order[first]] = True
    return out


def high_clusters(k: int, n_high: int) -> Winners:
    """The blocks of each page that are in the `n_high` highest of k clusters."""

    def winners(value: Floats, basket: Bools, page: Page) -> Bools:
        out = np.zeros(len(value), bool)
        rows = np.flatnonzero(basket)
        edges = np.flatnonzero(np.diff(page[rows])) + 1
        for group in np.split(rows, edges):
            if len(group):
                label = k_means(value[group], k)
                out[group] = label > label.max() - n_high
        return out

    return winners


def feature_verdict(
    site: Site,
    partition: Partition,
    feature: str,
    winners: Winners,
    reading: Reading = "share",
    largest: Floats | None = None,
) -> NodeVerdict:
    """Judge every block by one feature; `largest` are the largest counts of the data set, those of each page if None."""
    counts, page = feature_counts(site, partition), partition.block_page
    if reading == "share":
        most = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
    else:
        most = _page_max(counts, page, site.n_pages) if largest is None else np.broadcast_to(largest, counts.shape)
    values = np.minimum(feature_values(counts, most), 1.0)
    wanted = list(FEATURES).index(feature)
    desired = values[:, wanted]
    others = values.sum(axis=1) - desired
    is_title = site.nodes.tag[partition.block_node] == TAG_CODE["title"]
    # Sums of shares round: two that are equal in numbers may differ in the last bits.
    basket = (desired > others + 1e-12) & ~is_title
    again = np.zeros(len(partition))
    if basket.any():
        best = _page_max(counts[basket][:, [wanted]], page[basket], site.n_pages)
        again[basket] = feature_values(counts[basket][:, [wanted]], best)[:, 0]
    wins = winners(again, basket, page)
    share = np.where(desired + others > 0, desired / np.maximum(desired + others, 1e-300), 0.0)
    reason = [_reason(feature, b, w, v) for b, w, v in zip(basket.tolist(), wins.tolist(), again.tolist(), strict=True)]
    notes = []
    if empty := site.n_pages - len(np.unique(page[wins])):
        notes.append(f"{empty:,} of {site.n_pages:,} pages have no block in which {feature} stands out")
    evidence = {"value": again, "share": share, "in_basket": basket}
    # A winner scores 0.5 to 1, anything else under 0.5: by its share of the desired feature.
    score = np.where(wins, 0.5 + 0.5 * again, 0.49 * share)
    return block_verdict(site, partition, score, wins, reason, evidence, notes)


def without_site(site: Site, cut_by: str) -> NodeVerdict:
    """The verdict of K-FeatureExtractor, marked as made without any evidence from the site."""
    verdict = feature_verdict(site, blocks_of(site, cut_by), "text", high_clusters(K, N_HIGH))
    blocks = Blocks(
        verdict.blocks.node,
        verdict.blocks.score,
        verdict.blocks.is_informative,
        tuple(f"{reason} (no site evidence)" for reason in verdict.blocks.reason),
        {**verdict.blocks.evidence, "confidence": np.zeros(len(verdict.blocks))},
    )
    note = "one page only (copies count once): no site evidence, judged by K-FeatureExtractor"
    return NodeVerdict(verdict.node_score, verdict.node_kept, verdict.node_block, blocks, (note, *verdict.notes))


def _page_max(counts: Floats, page: Page, n_pages: int) -> Floats:
    """Per block: the largest count of each feature over the blocks of its page."""
    most = np.zeros((n_pages, counts.shape[1]))
    np.maximum.at(most, page, counts)
    return most[page]


def _reason(feature: str, in_basket: bool, wins: bool, value: float) -> str:
    if wins:
        return f"{feature} stands out ({value:.2f} of the most on the page)"
    if in_basket:
        return f"{feature} stands out, but other blocks have more ({value:.2f} of the most)"
    return f"{feature} does not exceed the other features"
