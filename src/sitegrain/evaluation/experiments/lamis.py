"""The experiments of Kao et al. 2004 on page roles: table 4, figures 3-6 (the graph) and 10-13, 15."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata, spearmanr

from sitegrain.arrays.types import Floats
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.evaluation.metrics import precision_at, precision_at_recall, r_precision, rank_labels
from sitegrain.evaluation.report import MarkdownPage, bar_plot, line_plot, new_figure
from sitegrain.methods.base import ARTICLE, TOC
from sitegrain.methods.lamis.graph import SiteGraph, site_graph
from sitegrain.methods.lamis.ranking import LAMIS, TABLE_4, Ranking, outlink_ranking, toc_cut
from sitegrain.methods.registry import lamis_combinations
from sitegrain.partition import partitioner
from sitegrain.result.distilled import distilled_links, write_graphml
from sitegrain.tables.build import build_site
from sitegrain.text.terms import site_terms

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PAPER: Mapping[str, float] = {
    "Outlinks": 0.57, "HITS": 0.27, "SALSA": 0.59, "LAMIS": 0.42, "LAMIS-LN": 0.64, "CB-HITS": 0.32,
    "CB-HITS-LN": 0.49, "LAMIS-CB": 0.39, "LAMIS-LN-CB": 0.75, "LAMIS-LN-CB-HR": 0.77, "LAMIS-LN-CB-HR-TW": 0.82,
}  # fmt: skip
"""R-precision, mean of eight news sites: the paper's table 4."""
BEST = "LAMIS-LN-CB-HR-TW"
ORDER = (
    ("HITS", "SALSA"), ("LAMIS", "LAMIS-LN"), ("LAMIS-LN", "LAMIS-LN-CB"), ("LAMIS-LN-CB", "LAMIS-LN-CB-HR"),
    ("LAMIS-LN-CB-HR", BEST), ("LAMIS-LN-CB", BEST),
)  # fmt: skip
"""Pairs that the paper's table puts in this order."""
MAX_DRAWN = 700
"""Pages that a picture of a graph can hold."""


@dataclass(frozen=True)
class Row:
    """One site."""

    name: str
    n_pages: int
    n_toc: int
    r_precision: dict[str, float]
    at_20: dict[str, float]
    at_recall: dict[str, Floats]
    found_toc: int
    toc_f1: float
    article_f1: float
    over_08: float
    """Share of links with an entropy over 0.8."""
    toc_authority: float
    """Mean rank (0...1) of the labelled TOC pages by LAMIS-LN-CB authority."""
    zero_hubs: float
    """Share of LAMIS hubs that are 0 (under 1e-6) after 10 iterations."""


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """Rank the pages of every labelled site by every method of table 4, and draw one site before and after."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    drawn = False
    page = MarkdownPage("LAMIS: TOC pages by link analysis")
    for labelled in sites:
        row, figures = _site(labelled, out, draw=not drawn)
        rows.append(row)
        for name, (figure, caption) in figures.items():
            page.figure(figure, name, caption)
            drawn = True
    _write(page, rows, out)


def _f1(found: npt.NDArray[np.bool_], true: npt.NDArray[np.bool_]) -> float:
    return 2 * float((found & true).sum()) / max(float(found.sum() + true.sum()), 1.0)


def _mean_rank(values: Floats, chosen: npt.NDArray[np.bool_]) -> float:
    if len(values) < 2 or not chosen.any():
        return 0.0
    return float(((rankdata(values) - 1) / (len(values) - 1))[chosen].mean())


def _site(labelled: LabelledSite, out: Path, draw: bool) -> tuple[Row, dict[str, tuple[Figure, str]]]:
    site = build_site(blank_role_hints(c) for c in labelled.captures())
    kind = [labelled.labels[p].kind if p in labelled.labels else "other" for p in site.pages.path]
    is_toc = np.array([k == "toc" for k in kind], bool)
    is_article = np.array([k == "article" for k in kind], bool)
    terms = site_terms(site)
    graph = site_graph(site, terms)
    cut = partitioner("list")(site)
    block = cut.row_block[site.links.node[graph.link]].astype(np.int64)
    switches: dict[str, dict[str, Any]] = {**lamis_combinations()}
    rankings: dict[str, Ranking] = {}
    for name in TABLE_4:
        rankings[name] = outlink_ranking(graph) if name == "Outlinks" else LAMIS(**switches[name]).scores(graph, block)
    order = {name: rank_labels(r.score, is_toc) for name, r in rankings.items()}
    verdict = LAMIS(**switches[BEST]).verdict(site, terms, graph, cut)
    ten = LAMIS(n_iterations=10, tolerance=0.0).scores(graph)
    row = Row(
        name=labelled.name,
        n_pages=site.n_pages,
        n_toc=int(is_toc.sum()),
        r_precision={name: r_precision(o) for name, o in order.items()},
        at_20={name: precision_at(o, 20) for name, o in order.items()},
        at_recall={name: precision_at_recall(o) for name, o in order.items()},
        found_toc=toc_cut(rankings[BEST].score).n_toc,
        toc_f1=_f1(verdict.page_role == TOC, is_toc),
        article_f1=_f1(verdict.page_role == ARTICLE, is_article),
        over_08=float((np.nan_to_num(graph.entropy, nan=1.0) > 0.8).mean()) if len(graph) else 0.0,
        toc_authority=_mean_rank(rankings["LAMIS-LN-CB"].authority, is_toc),
        zero_hubs=float((ten.hub < 1e-6).mean()) if site.n_pages else 0.0,
    )
    figures: dict[str, tuple[Figure, str]] = {}
    keep = distilled_links(site, terms, graph, cut, verdict.page_role)
    write_graphml(out / f"{labelled.name}.graphml", site, graph, verdict.page_role)
    write_graphml(out / f"{labelled.name}.distilled.graphml", site, graph, verdict.page_role, keep)
    if draw and 50 <= site.n_pages <= MAX_DRAWN and len(graph):
        entropy = np.nan_to_num(graph.entropy, nan=1.0)
        for name, mask, what in (
            ("graph_all", np.ones(len(graph), bool), "all links (fig. 3)"),
            ("graph_08", entropy <= 0.8, "links with entropy up to 0.8 (fig. 4)"),
            ("graph_04", entropy <= 0.4, "links with entropy up to 0.4 (fig. 5)"),
            ("graph_distilled", keep, "the distilled site: TOC pages, articles, informative links (fig. 6)"),
        ):
            figures[name] = (_picture(graph, mask, kind, labelled.name), f"{labelled.name}: {what}")
    return row, figures


def _picture(graph: SiteGraph, mask: npt.NDArray[np.bool_], kind: Sequence[str], title: str) -> Figure:
    """Pages on three rings by role (TOC pages inside), links as thin lines: the same places in every picture."""
    figure, axes = new_figure(6.0, 6.0)
    place = np.zeros((graph.n_pages, 2))
    colours = {"toc": "tab:red", "article": "tab:blue", "other": "tab:gray"}
    for radius, role in ((0.35, "toc"), (1.0, "article"), (0.7, "other")):
        pages = [p for p, k in enumerate(kind) if k == role]
        angle = 2 * np.pi * np.arange(len(pages)) / max(len(pages), 1)
        place[pages] = radius * np.column_stack((np.cos(angle), np.sin(angle)))
        axes.scatter(
            place[pages, 0], place[pages, 1], s=6, color=colours[role], label=f"{role} ({len(pages)})", zorder=2
        )
    pairs = np.unique(np.column_stack((graph.source[mask], graph.target[mask])), axis=0)
    if len(pairs):
        from matplotlib.collections import LineCollection

        lines = LineCollection(list(place[pairs]), linewidths=0.2, colors="black", alpha=0.15, zorder=1)
        lines.set_rasterized(True)
        axes.add_collection(lines)
    axes.set_title(f"{title}: {len(pairs):,} pairs of pages linked", fontsize=9)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.legend(fontsize=7, loc="lower right")
    return figure


def _association(page: MarkdownPage, rows: Sequence[Row]) -> None:
    """What hybrid ranking costs or gains against how much authority TOC pages have: measured, not explained."""
    if len(rows) < 3:
        return
    change = [r.r_precision["LAMIS-LN-CB-HR"] - r.r_precision["LAMIS-LN-CB"] for r in rows]
    found = spearmanr(change, [r.toc_authority for r in rows])
    page.text(
        f"Hybrid ranking changes R-precision by {np.mean(change):+.3f} on average. Its change and the mean authority rank "
        f"of a site's TOC pages have a Spearman correlation of {found.statistic:.2f} (p {found.pvalue:.3f}, "
        f"{len(rows)} sites): an association over few sites, not a proven cause. No other cause was tested."
    )


def _write(page: MarkdownPage, rows: Sequence[Row], out: Path) -> None:
    mean = {name: float(np.mean([r.r_precision[name] for r in rows])) for name in TABLE_4}
    page.heading("R-precision (table 4)")
    page.table(
        ["site", "pages", "TOC", *TABLE_4],
        [
            *([r.name, r.n_pages, r.n_toc, *(r.r_precision[n] for n in TABLE_4)] for r in rows),  # type: ignore[list-item]
            ["mean", None, None, *(mean[n] for n in TABLE_4)],
            ["paper (8 news sites)", None, None, *(PAPER[n] for n in TABLE_4)],
        ],
        digits=2,
    )
    page.heading("Does the paper's order show?")
    page.table(
        ["lower", "higher", "means", "holds", "sites that disagree"],
        [
            [
                low, high, f"{mean[low]:.3f} / {mean[high]:.3f}", "yes" if mean[low] < mean[high] else "no",
                ", ".join(r.name for r in rows if r.r_precision[low] > r.r_precision[high] + 1e-9) or "none",
            ]
            for low, high in ORDER
        ],
    )  # fmt: skip
    _association(page, rows)
    levels = [i / 10 for i in range(11)]
    shown = ("Outlinks", "HITS", "SALSA", "LAMIS", "LAMIS-LN", BEST)
    curves = {n: (levels, np.mean([r.at_recall[n] for r in rows], axis=0).tolist()) for n in shown}
    page.figure(line_plot(curves, x="recall", y="precision", ylim=(0, 1)), "precision_recall", "As in figure 13")
    page.figure(
        bar_plot(
            [r.name for r in rows], {n: [r.r_precision[n] for r in rows] for n in ("SALSA", BEST)}, y="R-precision"
        ),
        "r_precision", "As in figure 15",
    )  # fmt: skip
    page.heading("The cut, top 20, and what the entropies look like")
    page.table(
        ["site", "TOC", "TOC found", "TOC F1", "article F1", "top-20 precision", "links over 0.8", "hubs at 0"],
        [[r.name, r.n_toc, r.found_toc, r.toc_f1, r.article_f1, r.at_20[BEST], r.over_08, r.zero_hubs] for r in rows],
    )
    page.text(
        f"Mean share of links with an entropy over 0.8: {np.mean([r.over_08 for r in rows]):.1%} (paper: 71.6%). "
        f"Mean share of hub values that are 0 after 10 iterations: {np.mean([r.zero_hubs for r in rows]):.1%} "
        "(paper: 91.7%)."
    )
    page.write(out, "lamis")
