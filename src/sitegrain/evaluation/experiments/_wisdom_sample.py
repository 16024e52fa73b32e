"""Samples of labelled sites for the experiments of WISDOM: a few pages, with the evidence of the whole site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.entropy import EntropyStats
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.trees.preorder import subtree_count
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.metrics import PRF
from sitegrain.methods.wisdom.evidence import WisdomEvidence, wisdom_evidence
from sitegrain.methods.wisdom.method import WISDOM
from sitegrain.methods.wisdom.search import SearchTree
from sitegrain.methods.wisdom.structure import BlockType
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Attrs, Nodes, Pages, Site
from sitegrain.text.terms import Terms, site_terms

ARTICLES = 40
"""Articles per site: twice the sample of the site score, since a page costs little here."""
TOC_PAGES = 40
CHECKPOINTS = (10, 20, 50, 100, 150, 200, 300, 400, 600, 800, 1200, 1600, 2400, 3200)

Variant = tuple[str, bool, int]


def variant(model: WISDOM) -> Variant:
    """What of a model decides its evidence."""
    return model.tree, model.distinct, model.surround


@dataclass(frozen=True)
class Growth:
    """How far entropies are from their final values when so many pages have arrived."""

    n_pages: int
    ratio: float
    """Mean entropy of the term occurrences so far, as a share of what it is when all pages are in."""
    per_occurrence: float
    """Mean absolute difference over the term occurrences so far."""
    per_term: float
    """The same over the different terms so far (those that stay on one page left out)."""
    once: float
    """Share of those terms that are on one page so far: their entropy is 0 until another page has them."""


@dataclass(frozen=True)
class Sample:
    """Some pages of a labelled site: articles first, then TOC pages."""

    name: str
    site: Site
    n_articles: int
    node_gold: Bools
    """Per row: a text node of the gold."""
    length: Floats
    """Per row: length of a text node, white space folded."""
    link_counts: Bools
    """Per link: an anchor with text. Anchors around images only cannot be told apart by text and do not count."""
    link_gold: Bools
    """Per link: an anchor of the gold list."""
    evidence: dict[Variant, WisdomEvidence]
    growth: tuple[Growth, ...]
    """While pages arrive."""
    n_pages: int
    """Pages of the whole site."""

    def scores(self, model: WISDOM, kind: BlockType) -> Floats:
        """Precision, recall and F of every page of a kind (rows): IC of articles, SNC of TOC pages."""
        evidence = self.evidence[variant(model)]
        found = model.typed_blocks(self.site, evidence, kind, model.pages_by_alen(self.site, evidence))
        return self.score_rows(found.kept, kind)

    def score_rows(self, kept: Bools, kind: BlockType) -> Floats:
        """The same for any set of rows."""
        site = self.site
        if kind == "article":
            page, weight = site.nodes.page, self.length
            found, gold = kept & site.is_text, self.node_gold
        else:
            page, weight = site.links.page, self.link_counts.astype(np.float64)
            found, gold = kept[site.links.node], self.link_gold

        def per_page(rows: Bools) -> Floats:
            return np.bincount(page, weight * rows, minlength=site.n_pages).astype(np.float64)

        both, mine, true = per_page(found & gold), per_page(found), per_page(gold)
        precision = both / np.maximum(mine, 1)
        recall = both / np.maximum(true, 1)
        f = 2 * both / np.maximum(mine + true, 1)
        chosen = np.arange(site.n_pages) < self.n_articles
        if kind == "toc":
            chosen = ~chosen
        # A page whose gold holds nothing to count says nothing.
        return np.stack((precision, recall, f), axis=1)[chosen & (true > 0)]


def mean_prf(scores: Floats) -> PRF | None:
    """The mean over pages; None without pages."""
    return PRF(*scores.mean(axis=0).tolist()) if len(scores) else None


def site_sample(labelled: LabelledSite, models: Iterable[WISDOM]) -> Sample:
    """Read a whole site, learn its entropies, and keep some pages of it."""
    captures = list(labelled.captures())
    site = build_site(captures)
    terms = site_terms(site)
    paths = labelled.sample(ARTICLES)
    toc_paths = sorted(x.path for x in labelled.labels.values() if x.kind == "toc" and not x.dup_of)
    rng = np.random.default_rng(0)
    if len(toc_paths) > TOC_PAGES:
        toc_paths = sorted(rng.choice(np.array(toc_paths, dtype=object), TOC_PAGES, replace=False).tolist())
    wanted = {*paths, *toc_paths}
    gold = gold_nodes(site, labelled, [c for c in captures if c.path in wanted])
    del captures
    articles, toc = gold.pages("article", sampled=wanted), gold.pages("toc", sampled=wanted)
    stats = EntropyStats.of(terms.page_term)
    cut, rows, links = take_pages(site, np.concatenate((articles, toc)))
    evidence: dict[Variant, WisdomEvidence] = {}
    for model in models:
        if variant(model) not in evidence:
            whole = wisdom_evidence(
                site,
                terms,
                stats.entropy(),
                tree=model.tree,
                distinct=model.distinct,
                surround=model.surround,
            )
            tree = SearchTree(cut.nodes.parent, cut.nodes.end, cut.nodes.page, whole.tree.is_node[rows])
            evidence[variant(model)] = whole.take(rows, tree, links)
    sizes = np.fromiter(map(len, site.unique_texts), np.float64, len(site.unique_texts))
    length = np.zeros(cut.n_nodes)
    length[cut.is_text] = sizes[site.text_id[rows][cut.is_text]]
    node_gold = gold.node_gold[rows]
    at = cut.links.node
    return Sample(
        name=labelled.name,
        site=cut,
        n_articles=len(articles),
        node_gold=node_gold,
        length=length,
        link_counts=subtree_count(cut.is_text, cut.nodes.end)[at] > 0,
        link_gold=subtree_count(node_gold, cut.nodes.end)[at] > 0,
        evidence=evidence,
        growth=tuple(entropy_growth(terms, site.n_pages, rng)),
        n_pages=site.n_pages,
    )


def entropy_growth(terms: Terms, n_pages: int, rng: np.random.Generator) -> list[Growth]:
    """Entropies while pages arrive in random order, against the final ones (the paper's fig. 11)."""
    order = rng.permutation(n_pages)
    matrix = terms.page_term
    final = EntropyStats.of(matrix).entropy()
    spread = final > 0
    stats = EntropyStats(0, np.zeros(terms.n_terms), np.zeros(terms.n_terms))
    total = np.asarray(matrix.sum(axis=0)).reshape(-1)
    whole = float(final @ total) / max(float(total.sum()), 1.0)
    out: list[Growth] = []
    # A loop over pages: they arrive one at a time.
    for count, page in enumerate(order.tolist(), 1):
        row = slice(matrix.indptr[page], matrix.indptr[page + 1])
        stats.add(np.repeat(matrix.indices[row], matrix.data[row].astype(np.int64)))
        if count in CHECKPOINTS and count < n_pages:
            now, size = stats.entropy(), max(float(stats.total.sum()), 1.0)
            seen = spread & (stats.total > 0)
            if seen.any():
                apart = np.abs(now - final)
                out.append(
                    Growth(
                        count,
                        float(now @ stats.total) / size / max(whole, 1e-12),
                        float(apart @ stats.total) / size,
                        float(apart[seen].mean()),
                        float((now[seen] <= 0).mean()),
                    )
                )
    return out


def take_pages(site: Site, pages: Ints64) -> tuple[Site, Ints64, Ints64]:
    """A site of some pages, with the rows of the node table and of the link table that it kept.

    Links to pages that were left behind are unknown in it.
    """
    pages = np.asarray(pages, np.int64)
    offset = site.pages.node_offset
    size = offset[pages + 1] - offset[pages]
    node_offset = offsets(size)
    shift = np.repeat(offset[pages] - node_offset[:-1], size)
    rows = np.arange(node_offset[-1]) + shift
    number = np.full(site.n_pages + 1, -1, np.int64)
    number[pages] = np.arange(len(pages))
    place = np.full(site.n_nodes, -1, np.int64)
    place[rows] = np.arange(len(rows))
    columns = {name: column[rows] for name, column in vars(site.nodes).items()}
    columns["page"] = number[columns["page"]].astype(np.int32)
    columns["parent"] = np.where(columns["parent"] >= 0, columns["parent"] - shift, -1).astype(np.int32)
    columns["end"] = (columns["end"] - shift).astype(np.int32)
    links = _kept(place, site.links.node)
    attrs = _kept(place, site.attrs.node)
    cut = replace(
        site,
        pages=_take_rows(site.pages, pages, node_offset),
        nodes=Nodes(**columns),
        attrs=Attrs(place[site.attrs.node[attrs]].astype(np.int32), site.attrs.name[attrs], site.attrs.value[attrs]),
        texts=tuple(site.texts[p] for p in pages.tolist()),
    )
    return cut, rows, links


def _take_rows(table: Pages, pages: Ints64, node_offset: Ints64) -> Pages:
    taken: dict[str, Any] = {"node_offset": node_offset}
    for name, column in vars(table).items():
        if isinstance(column, tuple):
            taken[name] = tuple(column[p] for p in pages.tolist())
        elif name != "node_offset":
            taken[name] = column[pages]
    return Pages(**taken)


def _kept(place: Ints64, node: npt.NDArray[np.int32]) -> Ints64:
    """Rows of a table whose node was kept, in the new order of nodes."""
    rows = np.flatnonzero(place[node] >= 0)
    return rows[np.argsort(place[node[rows]], kind="stable")]


def site_means(samples: Sequence[Sample], model: WISDOM, kind: BlockType) -> Floats:
    """Mean F of each site; NaN for a site without such pages."""
    values = [mean_prf(s.scores(model, kind)) for s in samples]
    return np.array([np.nan if v is None else v.f1 for v in values])
