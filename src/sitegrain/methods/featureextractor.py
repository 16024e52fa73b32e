"""FeatureExtractor and K-FeatureExtractor: the blocks of one page in which one feature stands out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.files import load_state, save_state
from sitegrain.methods.base import NodeModel, NodeVerdict
from sitegrain.methods.blockwise import (
    Bools,
    Floats,
    Ints,
    block_tags,
    block_verdict,
    blocks_of,
    occurrence_block,
    terms_of,
)
from sitegrain.partition import Partition
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

FEATURES: dict[str, tuple[str, ...]] = {
    "text": (),
    "text-tag": ("b", "big", "blockquote", "cite", "code", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "pre",
                 "q", "s", "small", "strike", "strong", "sub", "sup", "tt", "u"),
    "list": ("dd", "dir", "dl", "dt", "li", "menu", "ol", "ul"),
    "table": ("caption", "table", "td", "th", "tr"),
    "link": ("a", "area"),
    "image": ("img", "picture", "svg"),
    "object": ("applet", "audio", "canvas", "embed", "object", "video"),
    "frame": ("frame", "frameset", "iframe"),
    "form": ("button", "fieldset", "form", "input", "option", "select", "textarea"),
    "script": ("noscript", "script"),
    "style-sheet": ("link", "style"),
}  # fmt: skip
"""The features of Debnath et al. 2005, section 5.1, with the tags that are counted; text is counted in terms.
Images are apart from other objects, as in the paper's own example."""

Scope = Literal["page", "site"]


def feature_counts(site: Site, partition: Partition) -> Floats:
    """Blocks x features: how much of each feature a block has."""
    tags = block_tags(site, partition)
    out = np.zeros((len(partition), len(FEATURES)))
    for column, names in enumerate(FEATURES.values()):
        if names:
            out[:, column] = np.asarray(tags[:, [TAG_CODE[n] for n in names]].sum(axis=1)).reshape(-1)
    out[:, 0] = np.bincount(occurrence_block(partition, terms_of(site)), minlength=len(partition))
    return out


def feature_values(counts: Floats, largest: Floats) -> Floats:
    """Each count divided by the largest of its feature; a feature that nothing has is 0.

    >>> feature_values(np.array([[1000.0, 2, 3, 1]]), np.array([2000.0, 4, 50, 3])).round(3)
    array([[0.5  , 0.5  , 0.06 , 0.333]])
    """
    return np.where(largest > 0, counts / np.where(largest > 0, largest, 1.0), 0.0)


def k_means(values: Floats, k: int) -> Ints:
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


@dataclass
class FeatureExtractor(NodeModel):
    """The block of each page in which a desired feature stands out most. One page is enough.

    Each feature of a block is divided by the largest value over the blocks of the data set. A block enters the
    winner basket if the desired feature exceeds the sum of the others; within the basket the values are
    computed again, and the block with the most of the desired feature wins.

    Parameters
        feature       the desired one: see `FEATURES`
        partitioner   how pages are cut
        scope         the data set that maxima are taken over: each "page", or the "site" learned from

    Learned
        largest_      with scope "site": the largest count of each feature

    Paper: Debnath, Mitra, Pal and Giles 2005, section 5. We differ in this: TITLE takes no part, and a page
    without a block of the desired feature has no winner.
    """

    name: ClassVar[str] = "featureextractor"
    kind: ClassVar[str] = "featureextractor"

    feature: str = "text"
    partitioner: str = "section"
    scope: Scope = "page"

    largest_: Floats | None = field(default=None, init=False, repr=False, compare=False)
    _counts: tuple[Site, Partition, Floats] | None = field(default=None, init=False, repr=False, compare=False)

    def fit(self, site: Site) -> Self:
        """Learn the largest counts (only used with scope "site")."""
        self._check()
        counts = self._prepare(site)[1]
        self.largest_ = counts.max(axis=0) if len(counts) else np.zeros(len(FEATURES))
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every block of every page."""
        self._check()
        partition, counts = self._prepare(site)
        page = partition.block_page
        if self.scope == "site":
            if self.largest_ is None:
                raise ModelError("FeatureExtractor with scope 'site' has learned nothing yet: call fit")
            largest = np.broadcast_to(self.largest_, counts.shape)
        else:
            largest = _page_max(counts, page, site.n_pages)
        values = np.minimum(feature_values(counts, largest), 1.0)
        wanted = list(FEATURES).index(self.feature)
        desired = values[:, wanted]
        others = values.sum(axis=1) - desired
        is_title = site.nodes.tag[partition.block_node] == TAG_CODE["title"]
        basket = (desired > others) & ~is_title
        again = np.zeros(len(partition))
        if basket.any():
            best = _page_max(counts[basket][:, [wanted]], page[basket], site.n_pages)
            again[basket] = feature_values(counts[basket][:, [wanted]], best)[:, 0]
        wins = self._winners(again, basket, page)
        share = np.where(desired + others > 0, desired / np.maximum(desired + others, 1e-300), 0.0)
        reason = [
            _reason(self.feature, b, w, v)
            for b, w, v in zip(basket.tolist(), wins.tolist(), again.tolist(), strict=True)
        ]
        notes = []
        if empty := site.n_pages - len(np.unique(page[wins])):
            notes.append(f"{empty:,} of {site.n_pages:,} pages have no block in which {self.feature} stands out")
        evidence = {"value": again, "share": share, "in_basket": basket}
        # A winner scores 0.5 to 1, anything else under 0.5: by its share of the desired feature.
        score = np.where(wins, 0.5 + 0.5 * again, 0.49 * share)
        return block_verdict(site, partition, score, wins, reason, evidence, notes)

    def save(self, path: Path | str) -> None:
        """Write the parameters and what was learned."""
        learned = None if self.largest_ is None else {"features": list(FEATURES), "largest": self.largest_}
        save_state(path, self.kind, {**self._parameters(), "learned": learned})

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a saved model."""
        state = load_state(path, cls.kind)
        try:
            learned = state.pop("learned")
            model = cls(**state)
            if learned is not None:
                if learned["features"] != list(FEATURES) or learned["largest"].shape != (len(FEATURES),):
                    raise ModelError(f"{path} was made with other features: train the model again")
                model.largest_ = learned["largest"]
        except (KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{path} is damaged: it is no complete {cls.__name__} model ({error!r})") from error
        return model

    def _parameters(self) -> dict[str, object]:
        return {"feature": self.feature, "partitioner": self.partitioner, "scope": self.scope}

    def _check(self) -> None:
        if self.feature not in FEATURES:
            raise UsageError(f"no feature {self.feature!r}; use one of {', '.join(FEATURES)}")
        if self.scope not in ("page", "site"):
            raise UsageError(f"no scope {self.scope!r}; use 'page' or 'site'")

    def _prepare(self, site: Site) -> tuple[Partition, Floats]:
        if self._counts is None or self._counts[0] is not site:
            partition = blocks_of(site, self.partitioner)
            self._counts = (site, partition, feature_counts(site, partition))
        return self._counts[1], self._counts[2]

    def _winners(self, value: Floats, basket: Bools, page: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Bools:
        """The one block of each page with the most of the feature; of equal ones, the first."""
        out = np.zeros(len(value), bool)
        rows = np.flatnonzero(basket)
        order = rows[np.lexsort((rows, -value[rows], page[rows]))]
        first = np.ones(len(order), bool)
        first[1:] = page[order][1:] != page[order][:-1]
        out[order[first]] = True
        return out


@dataclass
class KFeatureExtractor(FeatureExtractor):
    """FeatureExtractor for pages with more than one block of interest: the high cluster of the basket wins.

    Parameters
        k             clusters of the 1-D k-means over each page's basket (2 or 3 in the paper)
        n_high        how many of the highest clusters win

    Paper: Debnath, Mitra, Pal and Giles 2005, section 5.2.
    """

    name: ClassVar[str] = "k-featureextractor"
    kind: ClassVar[str] = "k-featureextractor"

    k: int = 3
    n_high: int = 2

    def _parameters(self) -> dict[str, object]:
        return {**super()._parameters(), "k": self.k, "n_high": self.n_high}

    def _check(self) -> None:
        super()._check()
        if not 1 <= self.n_high < self.k:
            raise UsageError(f"of {self.k} clusters between 1 and {self.k - 1} can win, not {self.n_high}")

    def _winners(self, value: Floats, basket: Bools, page: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Bools:
        """The blocks of each page that are in the high clusters."""
        out = np.zeros(len(value), bool)
        rows = np.flatnonzero(basket)
        edges = np.flatnonzero(np.diff(page[rows])) + 1
        for group in np.split(rows, edges):
            if len(group):
                label = k_means(value[group], self.k)
                out[group] = label > label.max() - self.n_high
        return out


def _page_max(counts: Floats, page: np.ndarray[tuple[int], np.dtype[np.int32]], n_pages: int) -> Floats:
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
