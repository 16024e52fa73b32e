"""What the experiments on blocks share: the article cluster of a labelled site, cut into blocks with gold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.metrics import PRF, block_gold, block_prf
from sitegrain.models.blockwise import terms_of
from sitegrain.partition import Partition
from sitegrain.tables.build import build_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS, TAG_CODE
from sitegrain.tables.terms import Terms

Bools = npt.NDArray[np.bool_]

MAX_PAGES = 200
"""Articles of a site that are used: the papers' clusters have 100 to a few hundred pages each."""
SEED = 0


@dataclass(frozen=True)
class Cluster:
    """Article pages of a site that have gold and are neither short nor copies."""

    name: str
    site: Site
    node_gold: Bools

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self.site)

    @cached_property
    def occurrence_row(self) -> npt.NDArray[np.int64]:
        """Per term occurrence: the row it is in."""
        return np.repeat(np.arange(self.site.n_nodes), np.diff(self.terms.node_offset))

    def blocks(self, partition: Partition) -> BlockTruth:
        return BlockTruth(self, partition)


@dataclass(frozen=True)
class BlockTruth:
    """Which blocks of a partition are content, and how a verdict on them scores."""

    cluster: Cluster
    partition: Partition

    @cached_property
    def is_gold(self) -> Bools:
        nodes = self.cluster.site.nodes
        weight = (nodes.text_end - nodes.text_start).astype(np.float64)
        return block_gold(self.partition.node_block, self.cluster.node_gold, weight, len(self.partition))

    @cached_property
    def counts(self) -> Bools:
        """Blocks that are judged: those with a term, except TITLE."""
        where = self.partition.node_block[self.cluster.occurrence_row]
        has_term = np.bincount(where, minlength=len(self.partition)) > 0
        is_title = self.cluster.site.nodes.tag[self.partition.block_node] == TAG_CODE["title"]
        return np.asarray(has_term & ~is_title)

    @cached_property
    def is_headline(self) -> Bools:
        """Blocks outside the gold that hold a heading whose text is in the page's TITLE.

        The labels are of bodies; a headline is neither noise nor part of the label, so it may be left out.
        """
        site = self.cluster.site
        titles = [re.sub(r"\W+", "", t.lower()) for t in site.pages.title]
        heads = site.rows(*HEADINGS)
        rows = site.text_rows
        out = np.zeros(len(self.partition), bool)
        for head, k in zip(heads.tolist(), np.searchsorted(rows, heads).tolist(), strict=True):
            text = re.sub(r"\W+", "", site.node_text(head).lower())
            if len(text) >= 3 and k < len(rows) and rows[k] < site.nodes.end[head]:
                out[self.partition.node_block[rows[k]]] |= text in titles[site.nodes.page[head]]
        return out & ~self.is_gold

    def score(self, found: Bools, *, with_headlines: bool = True) -> PRF:
        """b-precision, b-recall and b-F over all pages of the cluster."""
        used = self.counts if with_headlines else self.counts & ~self.is_headline
        return block_prf(found[used], self.is_gold[used])

    def mistakes(self, found: Bools, n: int = 3) -> tuple[str, str]:
        """Where the wrong and the missed blocks stand: their most frequent paths with their share."""
        return (
            self._paths(found & ~self.is_gold & self.counts, n),
            self._paths(~found & self.is_gold & self.counts, n),
        )

    def _paths(self, mask: Bools, n: int) -> str:
        rows = np.flatnonzero(mask)
        # A few thousand blocks are enough to see where they stand.
        rows = rows[:: max(1, len(rows) // 2000)]
        seen = Counter(
            re.sub(r"[0-9]+", "N", " > ".join(self.cluster.site.css_path(int(b)).split(" > ")[-2:]))
            for b in self.partition.block_node[rows]
        )
        return "; ".join(f"{path} ({count / max(1, len(rows)):.0%})" for path, count in seen.most_common(n)) or "none"


def clusters(sites: Sequence[LabelledSite]) -> Iterator[Cluster]:
    """The article cluster of every site that has one, one at a time."""
    for labelled in sites:
        paths = set(labelled.sample(MAX_PAGES, SEED))
        captures = list(labelled.captures(paths))
        site = build_site(captures)
        gold = gold_nodes(site, labelled, captures)
        if gold.page_has_gold.all():
            yield Cluster(labelled.name, site, gold.node_gold)
        elif gold.page_has_gold.any():
            kept = [c for c in captures if gold.page_has_gold[site.pages.path.index(c.path)]]
            site = build_site(kept)
            yield Cluster(labelled.name, site, gold_nodes(site, labelled, kept).node_gold)


def mean(values: Sequence[float]) -> float:
    """The mean, or 0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0
