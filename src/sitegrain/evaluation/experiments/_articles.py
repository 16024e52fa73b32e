"""What the experiments on blocks share: the article cluster of a labelled site, cut into blocks with gold."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import subtree_count, under
from sitegrain.arrays.types import Bools
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.metrics import PRF, block_gold, block_prf
from sitegrain.methods.blockwise import page_counts, unseen
from sitegrain.partition import Partition
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS, TAG_CODE
from sitegrain.text.terms import Terms, site_terms

KINDS = ("comments", "headlines", "links", "lines", "text")
"""What a block outside the labels is: under an element named for comments; a headline; mostly anchors (previous and next,
related articles, tags, breadcrumbs); up to `LINE` terms (dates, names); running text."""
LINE = 8
"""Terms of the longest line: author, date and category fit in."""
_COMMENTS = re.compile(r"comment|coment|kommentar|respond|trackback|pingback|disqus", re.I)

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
        return site_terms(self.site)

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
        """Blocks that are judged: those with a term that a reader sees, except TITLE."""
        row = self.cluster.occurrence_row
        where = self.partition.node_block[row[~unseen(self.cluster.site)[row]]]
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

    @cached_property
    def is_comment(self) -> Bools:
        """Blocks outside the gold under an element whose class or id speaks of comments and that holds no gold.

        A guess by names, in the experiments only: no method sees it.
        """
        site = self.cluster.site
        named = np.array([bool(_COMMENTS.search(x)) for x in site.strings] + [False])
        marked = (named[site.attr("class")] | named[site.attr("id")]) & (site.nodes.parent >= 0)
        marked &= subtree_count(self.cluster.node_gold, site.nodes.end) == 0
        rows = site.text_rows[under(marked, site.nodes.end)[site.text_rows]]
        out = np.zeros(len(self.partition), bool)
        out[self.partition.node_block[rows]] = True
        return out & ~self.is_gold

    @cached_property
    def kind(self) -> npt.NDArray[np.int64]:
        """Per block: which of `KINDS` it would be, were it outside the gold."""
        site, n = self.cluster.site, len(self.partition)
        rows = site.text_rows
        block = self.partition.node_block[rows]
        size = (site.nodes.text_end - site.nodes.text_start)[rows]
        in_link = under(site.nodes.tag == TAG_CODE["a"], site.nodes.end)[rows]
        links = 2 * np.bincount(block, size * in_link, n) > np.bincount(block, size, n)
        terms = np.bincount(self.partition.node_block[self.cluster.occurrence_row], minlength=n)
        return np.select([self.is_comment, self.is_headline, links, terms <= LINE], range(4), 4)

    def score(self, found: Bools, *, without: Sequence[str] = ()) -> PRF:
        """b-precision, b-recall and b-F over all pages; blocks outside the gold of some kinds may be left out."""
        used = self.counts & (self.is_gold | ~np.isin(self.kind, [KINDS.index(kind) for kind in without]))
        return block_prf(found[used], self.is_gold[used])

    def why(self, found: Bools) -> str:
        """What the wrong blocks are, and how many of the missed ones have the same text on other pages."""
        wrong, missed = found & ~self.is_gold & self.counts, ~found & self.is_gold & self.counts
        parts = []
        if wrong.any():
            share = np.bincount(self.kind[wrong], minlength=len(KINDS)) / wrong.sum()
            named = (f"{KINDS[k]} {share[k]:.0%}" for k in np.argsort(-share, kind="stable") if share[k] >= 0.1)
            parts.append(f"{wrong.sum():,} wrong: {', '.join(named)}")
        if missed.any():
            again = (page_counts(self.cluster.site, self.partition)[missed] > 1).mean()
            parts.append(f"{missed.sum():,} missed: {again:.0%} with the same text on other pages")
        return "; ".join(parts)

    def mistakes(self, found: Bools) -> tuple[str, str]:
        """Where the wrong and the missed blocks stand: their most frequent paths with their share."""
        return (
            self._paths(found & ~self.is_gold & self.counts),
            self._paths(~found & self.is_gold & self.counts),
        )

    def _paths(self, mask: Bools) -> str:
        rows = np.flatnonzero(mask)
        # A few thousand blocks are enough to see where they stand.
        rows = rows[:: max(1, len(rows) // 2000)]
        seen = Counter(
            re.sub(r"[0-9]+", "N", " > ".join(self.cluster.site.css_path(int(b)).split(" > ")[-2:]))
            for b in self.partition.block_node[rows]
        )
        return "; ".join(f"{path} ({count / max(1, len(rows)):.0%})" for path, count in seen.most_common(3)) or "none"


def clusters(sites: Sequence[LabelledSite]) -> Iterator[Cluster]:
    """The article cluster of every site that has one, one at a time."""
    for number, labelled in enumerate(sites, 1):
        # An experiment takes minutes: say where it is.
        print(f"{number} of {len(sites)}: {labelled.name}", file=sys.stderr)
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


def leave_one_out(scores: npt.NDArray[np.float64]) -> tuple[int, npt.NDArray[np.float64]]:
    """The best setting over all sites, and for every site the score of what is best on the others.

    `scores[i, j]` is the mean score of setting i on site j.
    """
    n = scores.shape[1]
    best = int(np.argmax(np.nanmean(scores, axis=1)))
    if n < 2:
        return best, scores[best]
    held = np.array([scores[np.argmax(np.nanmean(np.delete(scores, j, 1), axis=1)), j] for j in range(n)])
    return best, held
