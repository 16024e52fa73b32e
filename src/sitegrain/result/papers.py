"""The system of Kao et al. 2004 from end to end, as the paper draws it in its figures 2 and 8.

    link graph -> LAMIS -> TOC pages -> InfoDiscoverer on the TOC pages -> their informative blocks
        -> the pages that these lead to, in clusters -> InfoDiscoverer on each cluster -> article blocks

The result is the *informative structure*: TOC blocks that point to article blocks. `PaperPages` and `PaperBlocks` are the two
halves of it as methods, so that all that can be done with a result can be done with this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.methods.base import ARTICLE, OTHER, TOC, Blocks, NodeMethod, NodeVerdict, PageMethod, PageVerdict
from sitegrain.methods.infodiscoverer import InfoDiscoverer
from sitegrain.methods.lamis.ranking import LAMIS
from sitegrain.roles.templates import page_templates
from sitegrain.tables.memo import per_site
from sitegrain.tables.paths import anchor_texts, shared_css_paths
from sitegrain.tables.site import Site

LEAST_PAGES = 5
"""Articles of a cluster: the papers learn from five pages or more. Templates with fewer are one cluster together."""
MOST_CLUSTERS = 12
"""Clusters of their own: the largest. Each costs one judgement of the site."""
FORMAT = "sitegrain informative structure"


@dataclass(frozen=True, eq=False)
class PaperSystem:
    """What the system found; it holds arrays only and no site."""

    pages: PageVerdict
    nodes: NodeVerdict
    cluster: Ints64
    """Per page: its article cluster, -1 for pages that are no articles."""
    threshold: tuple[float, ...]
    """Per cluster: the cut that its own pages gave."""
    toc_threshold: float
    links: Ints64
    """Rows of the link table: the anchors of TOC blocks that lead to articles."""
    titles: tuple[str, ...]
    """Per page: TITLE, or, of articles whose TITLE is redundant in their cluster, the first sentence of their text."""


@per_site
def paper_system(site: Site, n_toc: int | None = None, refines: bool = True) -> PaperSystem:
    """Run the system on a site. `n_toc` is the paper's top-N; without it the ranking is cut where it parts best."""
    lamis = LAMIS(normalize_links=True, blocks=True, hybrid=True, term_weight=True, n_toc=n_toc).apply(site)
    is_toc = lamis.page_role == TOC
    toc_model = InfoDiscoverer(partitioner="list", refines=refines)
    toc = toc_model.fit(site, np.flatnonzero(is_toc)).apply(site)
    links = _article_links(site, is_toc, toc.blocks.is_informative, _link_block(site, toc))
    is_article = np.zeros(site.n_pages, bool)
    is_article[site.links.target[links]] = True
    cluster = _clusters(page_templates(site), is_article)
    titles = list(site.pages.title)
    parts = [(toc, is_toc)]
    cuts = []
    for number in range(int(cluster.max(initial=-1)) + 1):
        mine = cluster == number
        model = InfoDiscoverer(refines=refines).fit(site, np.flatnonzero(mine))
        verdict = model.apply(site)
        cuts.append(float(model.threshold_))
        parts.append((verdict, mine))
        for page, title in enumerate(model.titles(site, verdict)):
            if mine[page]:
                titles[page] = title
    rest = ~is_toc & ~is_article
    parts.append((toc, rest))
    role = np.select([is_toc, is_article], [TOC, ARTICLE], OTHER).astype(np.int8)
    pages = PageVerdict(
        page_toc=lamis.page_toc,
        page_article=np.bincount(site.links.target[links], minlength=site.n_pages).astype(np.float64),
        page_role=role,
        page_confidence=lamis.page_confidence,
        evidence={**lamis.evidence, "cluster": cluster, "informative_title": np.array(titles, dtype=object)},
        notes=lamis.notes,
    )
    nodes = _joined(site, parts, rest)
    return PaperSystem(pages, nodes, cluster, tuple(cuts), float(toc_model.threshold_), links, tuple(titles))


def _link_block(site: Site, verdict: NodeVerdict) -> Ints64:
    """Per link: the block of its text (-1 for an anchor without text, which tells nothing)."""
    nodes, rows = site.nodes, site.text_rows
    first = np.searchsorted(rows, site.links.node)
    inside = first < len(rows)
    inside[inside] = rows[first[inside]] < nodes.end[site.links.node[inside]]
    out = np.full(len(site.links), -1, np.int64)
    out[inside] = verdict.node_block[rows[first[inside]]]
    return out


def _article_links(site: Site, is_toc: Bools, informative: Bools, block: Ints64) -> Ints64:
    """Links in informative blocks of TOC pages to pages that are no TOC pages."""
    links = site.links
    known = (links.target >= 0) & ~links.is_self & is_toc[links.page] & (block >= 0)
    known[known] = informative[block[known]] & ~is_toc[links.target[known]]
    return np.flatnonzero(known)


def _clusters(template: npt.NDArray[np.int32], is_article: Bools) -> Ints64:
    """Articles by template, the largest first; small templates are one cluster, the last."""
    out = np.full(len(template), -1, np.int64)
    found, count = np.unique(template[is_article], return_counts=True)
    order = np.argsort(-count, kind="stable")
    large = found[order][count[order] >= LEAST_PAGES][:MOST_CLUSTERS]
    number = np.full(int(template.max(initial=0)) + 1, len(large))
    number[large] = np.arange(len(large))
    out[is_article] = number[template[is_article]]
    return out


def _joined(site: Site, parts: Sequence[tuple[NodeVerdict, Bools]], outside: Bools) -> NodeVerdict:
    """One verdict of several, each for its own pages; nothing is kept on pages outside the informative structure."""
    score, kept = np.zeros(site.n_nodes), np.zeros(site.n_nodes, bool)
    block = np.full(site.n_nodes, -1, np.int32)
    reasons: list[str] = []
    tops, scores, informative, entropy = [], [], [], []
    n = 0
    for verdict, pages in parts:
        rows = pages[site.nodes.page]
        mine = (
            np.flatnonzero(pages[site.nodes.page[verdict.blocks.node]])
            if len(verdict.blocks)
            else np.zeros(0, np.int64)
        )
        number = np.full(len(verdict.blocks) + 1, -1, np.int32)
        number[mine] = n + np.arange(len(mine))
        n += len(mine)
        is_out = bool(pages.any()) and bool(outside[pages].all())
        score[rows] = verdict.node_score[rows] * (0.0 if is_out else 1.0)
        kept[rows] = verdict.node_kept[rows] & (not is_out)
        block[rows] = number[verdict.node_block[rows]]
        tops.append(verdict.blocks.node[mine])
        scores.append(verdict.blocks.score[mine] * (0.0 if is_out else 1.0))
        informative.append(verdict.blocks.is_informative[mine] & (not is_out))
        why = np.array(verdict.blocks.reason, dtype=object)[mine].tolist()
        reasons += ["the page is outside the informative structure"] * len(mine) if is_out else why
        entropy.append(np.asarray(verdict.blocks.evidence.get("entropy", np.full(len(verdict.blocks), np.nan)))[mine])
    notes = tuple(dict.fromkeys(note for verdict, _ in parts for note in verdict.notes))
    blocks = Blocks(
        np.concatenate(tops).astype(np.int32),
        np.concatenate(scores),
        np.concatenate(informative),
        tuple(reasons),
        {"entropy": np.concatenate(entropy).astype(np.float64)},
    )
    return NodeVerdict(score, kept, block, blocks, notes)


@dataclass
class PaperPages(PageMethod):
    """The papers' system: which pages are TOC pages and which are articles.

    Parameters: `n_toc`, how many pages are TOC pages, found from the ranking when not given; `refines` as for InfoDiscoverer.
    Paper: Kao, Lin, Ho and Chen 2004, sections 3 and 4.
    """

    name: ClassVar[str] = "papers-pages"
    n_toc: int | None = None
    refines: bool = True

    def apply(self, site: Site) -> PageVerdict:
        """Judge every page; nothing is learned before."""
        return paper_system(site, self.n_toc, self.refines).pages


@dataclass
class PaperBlocks(NodeMethod):
    """The papers' system: which text is informative, on TOC pages and in each cluster of articles.

    Parameters: `n_toc` and `refines` as for `PaperPages`. Paper: Kao, Lin, Ho and Chen 2004, sections 3 and 4.
    """

    name: ClassVar[str] = "papers-blocks"
    n_toc: int | None = None
    refines: bool = True

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every text node; nothing is learned before."""
        return paper_system(site, self.n_toc, self.refines).nodes


def structure_json(site: Site, found: PaperSystem) -> dict[str, Any]:
    """The informative structure: TOC blocks that point to articles, and the blocks of these. Pages are row numbers."""
    blocks = found.nodes.blocks
    owner = found.nodes.node_block
    rows = site.text_rows[found.nodes.node_kept[site.text_rows]]
    used = np.unique(owner[rows])
    path = dict(zip(used.tolist(), shared_css_paths(site, blocks.node[used]).each(), strict=True))
    of_page: dict[int, list[str]] = {}
    for block in used.tolist():
        of_page.setdefault(int(site.nodes.page[blocks.node[block]]), []).append(path[block])
    anchors = anchor_texts(site)
    link_block = _link_block(site, found.nodes)
    entries: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for link in found.links.tolist():
        page, block = int(site.links.page[link]), int(link_block[link])
        entry = {"anchor": anchors[link], "page": int(site.links.target[link])}
        entries.setdefault(page, {}).setdefault(block, []).append(entry)
    role = found.pages.page_role
    score: Floats = found.pages.page_toc
    tocs = sorted(np.flatnonzero(role == TOC).tolist(), key=lambda p: -score[p])
    return {
        "format": FORMAT,
        "version": 1,
        "toc_threshold": found.toc_threshold,
        "clusters": [
            {"cluster": n, "articles": int((found.cluster == n).sum()), "threshold": cut}
            for n, cut in enumerate(found.threshold)
        ],
        "tocs": [
            {
                "page": page,
                "url": site.pages.url[page],
                "title": found.titles[page],
                "blocks": [
                    {"css_path": path.get(block, ""), "entries": listed}
                    for block, listed in sorted(entries.get(page, {}).items())
                ],
            }
            for page in tocs
        ],
        "articles": [
            {
                "page": page,
                "url": site.pages.url[page],
                "title": found.titles[page],
                "cluster": int(found.cluster[page]),
                "blocks": of_page.get(page, []),
            }
            for page in np.flatnonzero(role == ARTICLE).tolist()
        ],
    }
