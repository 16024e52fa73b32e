"""FeatureExtractor and K-FeatureExtractor: the blocks of one page in which one feature stands out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

import numpy as np

from sitegrain.arrays.types import Floats
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict
from sitegrain.methods.blockfeatures import (
    FEATURES,
    N_HIGH,
    K,
    Reading,
    Winners,
    feature_counts,
    feature_verdict,
    high_clusters,
    most_of_page,
)
from sitegrain.methods.blockwise import blocks_of
from sitegrain.partition import PartitionerName
from sitegrain.tables.site import Site


@dataclass
class FeatureExtractor(NodeMethod):
    """The block of each page in which a desired feature stands out most. One page is enough.

    A block enters the winner basket if the desired feature exceeds the sum of the others; within the basket the values
    are computed again, and the block with the most of the desired feature wins.

    Parameters
        feature       the desired one: see `FEATURES`
        partitioner   how pages are cut. Coarsely: one block is to win, and the paper takes a whole table, not a row,
                      for a block
        values        what the paper's pseudo-code and its example divide a count by: all counts of the block ("share"),
                      or the largest count of that feature in the data set ("largest"). "auto" is the first for text and
                      the second for others: no block has more links or images than words
        scope         with "largest", the data set: each "page", or the "site" learned from

    Learned
        largest_      the largest count of each feature, for scope "site"

    Paper: Debnath, Mitra, Pal and Giles 2005, section 5. We differ in this: TITLE takes no part, and a page
    without a block of the desired feature has no winner.
    """

    name: ClassVar[str] = "featureextractor"

    feature: str = "text"
    partitioner: PartitionerName = "list"
    values: Literal["auto", "share", "largest"] = "auto"
    scope: Literal["page", "site"] = "page"

    largest_: Floats = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.feature not in FEATURES:
            raise UsageError(f"no feature {self.feature!r}; use one of {', '.join(FEATURES)}")

    def check(self) -> None:
        """There is one largest count for each feature."""
        need(len(self.largest_) == len(FEATURES), "it was made with other features: fit it again")

    def fit(self, site: Site) -> Self:
        """Learn the largest counts (only used with scope "site")."""
        counts = feature_counts(site, blocks_of(site, self.partitioner))
        self.largest_ = counts.max(axis=0) if len(counts) else np.zeros(len(FEATURES))
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every block of every page."""
        self.need_fitted()
        largest = self.largest_ if self.scope == "site" else None
        reading: Reading = ("share" if self.feature == "text" else "largest") if self.values == "auto" else self.values
        partition = blocks_of(site, self.partitioner)
        return feature_verdict(site, partition, self.feature, self._winners(), reading, largest)

    def _winners(self) -> Winners:
        return most_of_page


@dataclass
class KFeatureExtractor(FeatureExtractor):
    """FeatureExtractor for pages with more than one block of interest: the high clusters of the basket win.

    Parameters, with those of FeatureExtractor (but pages are cut into sections, since several blocks may win)
        k             clusters of the 1-D k-means over each page's basket (2 or 3 in the paper)
        n_high        how many of the highest clusters win

    Paper: Debnath, Mitra, Pal and Giles 2005, section 5.2.
    """

    name: ClassVar[str] = "k-featureextractor"

    partitioner: PartitionerName = "section-coarse"
    k: int = K
    n_high: int = N_HIGH

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.n_high < self.k:
            raise UsageError(f"of {self.k} clusters between 1 and {self.k - 1} can win, not {self.n_high}")

    def _winners(self) -> Winners:
        return high_clusters(self.k, self.n_high)
