"""What the WISDOM paper shows of single pages and of its data: table 2, and figures 6, 14, 19 and 20."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.trees.preorder import subtree_count
from sitegrain.evaluation.experiments._wisdom_sample import Sample, mean_prf, variant
from sitegrain.evaluation.report import Cell, MarkdownPage, bar_plot, can_plot, new_figure
from sitegrain.methods.wisdom.evidence import TreeKind
from sitegrain.methods.wisdom.method import WISDOM
from sitegrain.methods.wisdom.search import informative_blocks, stopping
from sitegrain.methods.wisdom.structure import BlockType

TREES: tuple[TreeKind, ...] = ("blocks", "tags", "texts")
TOP_K = 5
"""Blocks of a page whose mean API figure 14 shows; the paper speaks of k up to 5."""


def table_2(page: MarkdownPage, samples: Sequence[Sample]) -> None:
    """The sites, and which share of anchors and of text the labels cover."""
    page.heading("Table 2: the sites, and what of their pages the labels cover")
    page.text(
        "Coverage: anchors with text that are in the labelled list, of all on the TOC pages (the paper: 18% to 79%); length "
        "of text in the labelled body, of all on the articles (the paper: 44% to 98%)."
    )
    rows: list[list[Cell]] = []
    for s in samples:
        toc = (s.site.links.page >= s.n_articles) & s.link_counts
        text = s.site.is_text & (s.site.nodes.page < s.n_articles)
        rows.append([
            s.name, s.n_pages, s.site.n_pages - s.n_articles, s.n_articles,
            float(s.link_gold[toc].mean()) if toc.any() else None,
            float(s.length[text & s.node_gold].sum() / max(float(s.length[text].sum()), 1.0)) if text.any() else None,
        ])  # fmt: skip
    columns = ["site", "pages", "marked TOC pages", "marked articles", "TOC coverage", "article coverage"]
    page.table(columns, rows)


def figure_6(page: MarkdownPage, samples: Sequence[Sample]) -> None:
    """CII and API over the nodes of two pages, in document order, inside and outside the labelled block."""
    page.heading("Fig. 6: CII and API over the nodes of a page")
    model = WISDOM()
    s = next((s for s in samples if 0 < s.n_articles < s.site.n_pages), None)
    if s is None:
        page.text("No site has labelled pages of both kinds.")
        return
    evidence = s.evidence[variant(model)]
    gold = subtree_count(s.node_gold, s.site.nodes.end) > 0
    of_links = np.zeros(s.site.n_nodes, bool)
    of_links[s.site.links.node] = True
    cases = (
        ("CII", 0, evidence.cii, (evidence.terms_a > 0) & evidence.tree.is_node),
        ("API", s.n_articles, evidence.api, of_links),
    )
    rows: list[list[Cell]] = []
    for name, number, value, counts in cases:
        here = s.site.page_rows(number)
        at = np.flatnonzero(counts[here]) + here.start
        inside = gold[at] & (s.site.nodes.end[at] - at < 0.5 * (here.stop - here.start))
        rows.append([
            f"{s.name}, {s.site.pages.path[number]}", name, int(inside.sum()), float(value[at][inside].mean()) if inside.any() else None,
            int((~inside).sum()), float(value[at][~inside].mean()) if (~inside).any() else None,
        ])  # fmt: skip
        if not can_plot():
            page.figure(None, f"wisdom-fig6-{name.lower()}")
            continue
        figure, axes = new_figure(7.5, 3.2)
        axes.scatter(at - here.start, value[at], s=8, c=np.where(inside, "tab:blue", "tab:gray"))
        axes.set_xlabel("node")
        axes.set_ylabel(name)
        page.figure(figure, f"wisdom-fig6-{name.lower()}", f"{name} of nodes; blue: inside the labelled block")
    page.table(["page", "index", "nodes inside", "mean", "nodes outside", "mean outside"], rows)


def figure_14(page: MarkdownPage, samples: Sequence[Sample]) -> None:
    """Mean API per anchor of the largest blocks, before the type constraint, at ST = 0.9."""
    page.heading("Fig. 14: mean API of the largest blocks (ST = 0.9)")
    model = WISDOM(toc_feature="api")
    edges = [0.0, 0.6, 1.1, 1.25, 2.2, 3.0, 5.0, 10.0, np.inf]
    inside, outside = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for s in samples:
        evidence = s.evidence[variant(model)]
        stops = stopping(evidence.tree, evidence.sii("api", model.count_empty), 0.9)
        found = informative_blocks(evidence.tree, evidence.api_a, stops, evidence.anchors_a > 0, TOP_K)
        found = found[s.site.nodes.page[found] >= s.n_articles]
        mean = evidence.api_a[found] / np.maximum(evidence.anchors_a[found], 1)
        is_gold = subtree_count(s.node_gold, s.site.nodes.end)[found] > 0
        inside += np.histogram(mean[is_gold], edges)[0]
        outside += np.histogram(mean[~is_gold], edges)[0]
    page.text(
        f"The {TOP_K} largest blocks of each TOC page by API, no constraint. The paper sees noise around 1.1 and 2.2 and sets "
        "TC to 1.25, one matching term of entropy 0.8."
    )
    names = [f"{a:g} to {b:g}" for a, b in itertools.pairwise(edges)]
    page.table(
        ["mean API", "blocks of the list", "other blocks"],
        [[n, int(a), int(b)] for n, a, b in zip(names, inside, outside, strict=True)],
    )
    bars = {"blocks of the list": inside.tolist(), "other blocks": outside.tolist()}
    page.figure(bar_plot(names, bars, y="blocks"), "wisdom-fig14", "Mean API of the largest blocks")


def figure_19(page: MarkdownPage, samples: Sequence[Sample]) -> None:
    """WISDOM and the straw men on one and the same tree, for each reading of what a node is."""
    page.heading("Fig. 19: against the straw men (articles)")
    page.text(
        "All three on the same tree, IC F. On the tree of tags, the paper's, a leaf is an element without elements; where nodes "
        "are blocks, a leaf is a paragraph, so that the straw men are given what the search has to find."
    )
    rows: list[list[Cell]] = []
    for tree in TREES:
        models = (WISDOM(tree=tree), WISDOM.m1(tree=tree), WISDOM.m2(tree=tree))
        rows.append([tree, *(mean_of(samples, m, "article")[2] for m in models)])
    page.table(["nodes are", "WISDOM", "M1", "M2"], rows)
    bars = {name: [float(r[k] or 0) for r in rows] for k, name in ((1, "WISDOM"), (2, "M1"), (3, "M2"))}
    page.figure(bar_plot(list(TREES), bars, y="IC F"), "wisdom-fig19", "WISDOM and the straw men")


def figure_20(page: MarkdownPage, groups: dict[str, list[Sample]]) -> None:
    """Both measures by domain."""
    page.heading("Fig. 20: news and other domains")
    rows: list[list[Cell]] = [
        [name, len(group), *mean_of(group, WISDOM(), "article"), *mean_of(group, WISDOM(), "toc")]
        for name, group in groups.items()
        if group
    ]
    page.table(["domain", "sites", "IC P", "IC R", "IC F", "SNC P", "SNC R", "SNC F"], rows)
    bars = {"IC F": [float(r[4] or 0) for r in rows], "SNC F": [float(r[7] or 0) for r in rows]}
    page.figure(bar_plot([str(r[0]) for r in rows], bars, y="F"), "wisdom-fig20", "News and other domains")


def mean_of(samples: Sequence[Sample], model: WISDOM, kind: BlockType) -> list[float]:
    """Mean precision, recall and F over sites."""
    rows = [p for s in samples if (p := mean_prf(s.scores(model, kind))) is not None]
    return [float(v) for v in np.mean(np.array(rows), axis=0)] if rows else [0.0, 0.0, 0.0]
