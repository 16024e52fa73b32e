"""LAMIS: TOC pages and article pages from the link structure (Kao, Lin, Ho and Chen 2004), and its rivals."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.entropy import term_entropy
from sitegrain.arrays.late import sparse
from sitegrain.arrays.linkrank import LinkRank, hits, link_matrix
from sitegrain.arrays.threshold import greedy_threshold
from sitegrain.arrays.types import Bools, Floats
from sitegrain.errors import UsageError
from sitegrain.light import dataclass
from sitegrain.methods.base import ARTICLE, OTHER, TOC, PageMethod, PageVerdict
from sitegrain.methods.blockwise import block_entropy, block_terms
from sitegrain.methods.lamis.graph import SiteGraph, site_graph
from sitegrain.partition import Partition, PartitionerName, partitioner
from sitegrain.tables.site import Site
from sitegrain.text.terms import Terms, site_terms

PageHub = Literal["sum", "max"]
EtaReading = Literal["ratio", "logs"]
EtaLinks = Literal["pairs", "anchors"]


@dataclass
class LAMIS(PageMethod):
    """Rank pages as TOC candidates; the targets of the informative blocks of the best are the articles.

    A link counts by how much its anchor tells: `1 - entropy` of the anchor's terms. Menus, the same on every
    page, weigh nothing; a list of headlines weighs much, and the page that holds it becomes a hub.

    Parameters
    ----------
    entropy: weigh links by anchor entropy; without it this is HITS.
    normalize_links: LN, divide by out-weight and in-weight (with `entropy=False`: SALSA).
    blocks: CB, every block of a page is a hub of its own.
    page_hub: what a page's hub is over its blocks, which the paper does not say: their "sum" or the best one ("max").
    hybrid: HR, rank by `hub - eta * authority`.
    eta_reading: the paper's formula of eta is damaged (see `eta`): "ratio" is log10(links / 1000) and not below 0,
        "logs" is log10(links) / log10(1000).
    eta_links: what a link is in it: a pair of pages that are linked ("pairs": the paper's sites have 5 to 10 links
        for each page), or every anchor ("anchors").
    eta: a value in place of the formula.
    term_weight: TW, times `1 + log10(number of terms)` of the anchor.
    partition: how pages are cut into blocks.
    n_toc: how many pages are TOC pages; found from the ranking when not given (`toc_cut`).
    n_iterations, tolerance: when the iteration ends.

    Paper: Kao, Lin, Ho and Chen, "Mining Web informative structures and contents based on entropy analysis", 2004,
    sections 4.2 and 5.2; the names of table 4 are in the registry. Where we differ: hub and authority
    are updated in sequence, so that they do not undulate (fig. 11); an anchor without terms has weight 0;
    blocks are layout boxes unless `partition="table"`.
    """

    name: ClassVar[str] = "lamis"

    entropy: bool = True
    normalize_links: bool = False
    blocks: bool = False
    page_hub: PageHub = "sum"
    hybrid: bool = False
    eta_reading: EtaReading = "ratio"
    eta_links: EtaLinks = "pairs"
    eta: float | None = None
    term_weight: bool = False
    partition: PartitionerName = "list"
    n_toc: int | None = None
    n_iterations: int = 200
    tolerance: float = 1e-10

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_n_toc(self.n_toc)
        if self.eta is not None and not math.isfinite(self.eta):
            raise UsageError(f"eta={self.eta}: the weight of authority must be a number")

    def apply(self, site: Site) -> PageVerdict:
        """Judge every page; nothing is learned before."""
        terms = site_terms(site)
        graph = site_graph(site, terms)
        cut = partitioner(self.partition)(site)
        return self.verdict(site, terms, graph, cut)

    def scores(self, graph: SiteGraph, link_block: npt.NDArray[np.int64] | None = None) -> Ranking:
        """Score of each page as a TOC page. `link_block` is the block of each edge, needed in block mode only."""
        weight = graph.information if self.entropy else np.ones(len(graph))
        if self.term_weight:
            weight = weight * (1.0 + np.log10(np.maximum(graph.n_terms, 1)))
        n = graph.n_pages
        if self.blocks:
            if link_block is None:
                raise UsageError("block mode needs the block of each link")
            block, row = np.unique(link_block, return_inverse=True)
            page = np.zeros(len(block), np.int64)
            page[row] = graph.source
            matrix = link_matrix(row, graph.target, weight, (len(block), n))
            # Pages start equal, not blocks: else each menu, which stands on every page, would have as much to
            # share out as all lists of headlines together.
            found = hits(matrix, self.normalize_links, self.n_iterations, self.tolerance, start="authority")
            hub = np.zeros(n)
            (np.add if self.page_hub == "sum" else np.maximum).at(hub, page, found.hub)
        else:
            matrix = link_matrix(graph.source, graph.target, weight, (n, n))
            found = hits(matrix, self.normalize_links, self.n_iterations, self.tolerance)
            hub = found.hub
        score = hub - self._eta(graph) * found.authority if self.hybrid else hub
        return Ranking(score, hub, found.authority, found)

    def _eta(self, graph: SiteGraph) -> float:
        if self.eta is not None:
            return self.eta
        return eta(graph.n_pairs if self.eta_links == "pairs" else len(graph), self.eta_reading)

    def verdict(self, site: Site, terms: Terms, graph: SiteGraph, cut: Partition) -> PageVerdict:
        """The verdict from parts that were made before; `apply` makes them."""
        link_block = cut.row_block[site.links.node[graph.link]].astype(np.int64)
        ranking = self.scores(graph, link_block)
        where = toc_cut(ranking.score, self.n_toc)
        return _verdict(site, terms, graph, cut, ranking, where)


@dataclass
class Outlinks(PageMethod):
    """OL: rank by the number of out-links.

    Parameters: `counts` is what an out-link is: an anchor that leads to another page of the set ("pages"), or every
    anchor, wherever it leads ("anchors"; the paper does not say); `partition` and `n_toc` as for `LAMIS`. Paper:
    Kao, Lin, Ho and Chen 2004, table 4.
    """

    name: ClassVar[str] = "outlinks"

    counts: Literal["pages", "anchors"] = "pages"
    partition: PartitionerName = "list"
    n_toc: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_n_toc(self.n_toc)

    def apply(self, site: Site) -> PageVerdict:
        """Judge every page; nothing is learned before."""
        terms = site_terms(site)
        graph = site_graph(site, terms)
        cut = partitioner(self.partition)(site)
        ranking = outlink_ranking(graph) if self.counts == "pages" else anchor_ranking(site)
        return _verdict(site, terms, graph, cut, ranking, toc_cut(ranking.score, self.n_toc))


def _check_n_toc(n_toc: int | None) -> None:
    if n_toc is not None and n_toc < 0:
        raise UsageError(f"n_toc={n_toc}: the number of TOC pages cannot be negative")


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of pages as TOC pages, with what they were made of."""

    score: Floats
    hub: Floats
    authority: Floats
    iteration: LinkRank


@dataclass(frozen=True)
class TocCut:
    """Where a ranking was cut into TOC pages and others."""

    n_toc: int
    value: float
    """Pages that score above this are TOC pages."""
    separation: float
    """0...1: share of the spread of scores that the cut explains; 1 when the user gave the number."""


def outlink_ranking(graph: SiteGraph) -> Ranking:
    """Pages by their number of out-links."""
    count = np.bincount(graph.source, minlength=graph.n_pages).astype(np.float64)
    in_count = np.bincount(graph.target, minlength=graph.n_pages).astype(np.float64)
    return Ranking(count, count, in_count, LinkRank(count, in_count, 0, 0.0, True))


def anchor_ranking(site: Site) -> Ranking:
    """Pages by their number of anchors, whether these lead to a page of the set or not."""
    count = np.bincount(site.links.page, minlength=site.n_pages).astype(np.float64)
    in_count = np.bincount(site.links.target[site.links.target >= 0], minlength=site.n_pages).astype(np.float64)
    return Ranking(count, count, in_count, LinkRank(count, in_count, 0, 0.0, True))


def eta(n_links: int, reading: EtaReading = "ratio") -> float:
    """The weight of authority in hybrid ranking.

    What is left of the paper's formula is "the number of links in the Web site" over "1,000" with one sign of a
    logarithm. As the logarithm of the ratio it is 0 for a site of a thousand links and grows with the site, which
    is what the paper says it is for; as the ratio of logarithms it is 1 there. A small site would get a negative
    weight by the first, so it is not let below 0.

    >>> eta(1000), eta(10_000), eta(1000, "logs")
    (0.0, 1.0, 1.0)
    """
    if reading == "logs":
        return math.log(max(n_links, 1)) / math.log(1000)
    return max(math.log10(max(n_links, 1) / 1000), 0.0)


def toc_cut(score: Floats, n_toc: int | None = None) -> TocCut:
    """Cut a ranking into TOC pages and others where the two parts differ most (Otsu 1979).

    The cut maximises the variance between the parts, which needs no parameter; the share of the whole
    variance that it explains is returned as evidence. Scores are ranked on a square-root scale, since hub
    values fall steeply (fig. 10) and the top page would else be a part of its own. Pages that score 0 or
    less are never TOC pages. All scores equal: nothing can be told apart, and no page is one.

    >>> toc_cut(np.array([0.5, 0.45, 0.0, 0.02, 0.4])).n_toc
    3
    """
    order = np.sort(score)[::-1]
    n_positive = int((order > 0).sum())
    if n_toc is not None:
        n = min(n_toc, len(order))
        value = _between(order, n)
        return TocCut(n, value, 1.0)
    x = np.sqrt(np.maximum(order, 0.0))
    spread = float(x.var()) if len(x) else 0.0
    if len(x) < 2 or n_positive == 0 or spread <= 1e-12:
        return TocCut(0, float(order[0]) if len(order) else 0.0, 0.0)
    size = np.arange(1, len(x))
    left = np.cumsum(x)[:-1] / size
    right = (x.sum() - np.cumsum(x)[:-1]) / (len(x) - size)
    share = size / len(x)
    between = share * (1 - share) * (left - right) ** 2
    # Equal scores cannot be parted: a cut stands only where the score falls.
    between[np.diff(order) == 0] = -1.0
    best = int(np.argmax(between))
    n = min(best + 1, n_positive)
    return TocCut(n, _between(order, n), float(max(between[best], 0.0) / spread))


def _between(order: Floats, n: int) -> float:
    """A value that parts the first n of sorted scores from the rest."""
    if len(order) == 0 or n == 0:
        return float(order[0]) if len(order) else 0.0
    if n >= len(order):
        return float(np.nextafter(order[-1], -np.inf))
    return float((order[n - 1] + order[n]) / 2)


TABLE_4: tuple[str, ...] = (
    "Outlinks", "HITS", "SALSA", "LAMIS", "LAMIS-LN", "CB-HITS", "CB-HITS-LN", "LAMIS-CB", "LAMIS-LN-CB",
    "LAMIS-LN-CB-HR", "LAMIS-LN-CB-HR-TW",
)  # fmt: skip
"""The rows of the paper's table 4."""


def informative_blocks(site: Site, terms: Terms, cut: Partition, pages: Bools) -> Bools:
    """Blocks with links, of the chosen pages, that InfoDiscoverer's greedy threshold calls informative.

    The entropies are those over the chosen pages only (section 4.3). On fewer than two pages every block is
    informative: nothing repeats.
    """
    has_link = np.zeros(len(cut), bool)
    block = cut.row_block[site.links.node]
    has_link[block[block >= 0]] = True
    mine = pages[cut.block_page] & has_link
    rows = np.flatnonzero(pages)
    if len(rows) < 2:
        return mine
    entropy = block_entropy(cut, terms, term_entropy(terms.page_term[rows]))[mine]
    words = sparse.csr_array(block_terms(cut, terms)[np.flatnonzero(mine)])
    greedy = greedy_threshold(entropy, words, group=cut.block_page[mine])
    out = np.zeros(len(cut), bool)
    out[mine] = ~np.isnan(entropy) & (np.nan_to_num(entropy, nan=2.0) <= greedy.threshold + 1e-9)
    return out


def _verdict(
    site: Site, terms: Terms, graph: SiteGraph, cut: Partition, ranking: Ranking, where: TocCut
) -> PageVerdict:
    n = site.n_pages
    is_toc = np.zeros(n, bool)
    is_toc[np.argsort(-ranking.score, kind="stable")[: where.n_toc]] = True
    block = cut.row_block[site.links.node[graph.link]]
    informative = informative_blocks(site, terms, cut, is_toc)
    good = is_toc[graph.source] & (block >= 0) & informative[block] & ~is_toc[graph.target]
    article = np.bincount(graph.target[good], graph.information[good], minlength=n).astype(np.float64)
    is_article = ~is_toc & (np.bincount(graph.target[good], minlength=n) > 0)
    role = np.where(is_toc, TOC, np.where(is_article, ARTICLE, OTHER)).astype(np.int8)
    notes = []
    if n <= 1:
        notes.append("one page only: links say nothing about it")
    elif len(graph) == 0:
        notes.append("no links between the pages: nothing to rank by")
    if not ranking.iteration.converged:
        notes.append(
            f"not converged after {ranking.iteration.n_iterations} iterations "
            f"(last change {ranking.iteration.change:.1e})"
        )
    return PageVerdict(
        page_toc=ranking.score,
        page_article=article,
        page_role=role,
        page_confidence=_confidence(ranking.score, where),
        evidence={"hub": ranking.hub, "authority": ranking.authority, "cut": np.full(n, where.value)},
        notes=tuple(notes),
    )


def _confidence(score: Floats, where: TocCut) -> Floats:
    """How far a page's score is from the cut, on the scale of the scores, times how well the cut separates."""
    spread = float(np.abs(score - where.value).max(initial=0.0))
    if spread <= 0:
        return np.zeros(len(score))
    far = np.sqrt(np.abs(score - where.value) / spread) * where.separation
    return np.minimum(far, 1.0)  # the separation may be above 1 by a rounding
