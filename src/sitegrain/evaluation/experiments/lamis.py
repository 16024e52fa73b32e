"""The experiments of Kao et al. 2004 on page roles: tables 1 to 5, figures 3 to 7, 9 to 11, 13, 15 and 16."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata, spearmanr

from sitegrain.arrays.entropy import term_entropy
from sitegrain.arrays.linkrank import link_matrix
from sitegrain.arrays.types import Bools, Floats
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.evaluation.experiments._graphs import draw, part_of, roles_of, share_removed
from sitegrain.evaluation.metrics import (
    bootstrap_difference,
    precision_at,
    precision_at_recall,
    r_precision,
    rank_labels,
)
from sitegrain.evaluation.report import Cell, MarkdownPage, bar_plot, can_plot, line_plot, new_figure
from sitegrain.methods.base import ARTICLE, TOC
from sitegrain.methods.lamis.graph import SiteGraph, site_graph
from sitegrain.methods.lamis.ranking import (
    LAMIS,
    TABLE_4,
    Ranking,
    anchor_ranking,
    outlink_ranking,
    toc_cut,
)
from sitegrain.methods.registry import lamis_combinations
from sitegrain.partition import Partition, partitioner
from sitegrain.result.distilled import distilled_links, write_graphml
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.text.terms import Terms, site_terms

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
READINGS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "LN-CB, hub of a page: sum of its blocks": ("LAMIS-LN-CB", {"page_hub": "sum"}),
    "LN-CB, hub of a page: its best block": ("LAMIS-LN-CB", {"page_hub": "max"}),
    **{
        f"LN-CB-HR-TW, {hub}, {what}, links are {links}": (
            BEST, {"page_hub": hub, "eta_reading": reading, "eta_links": links},
        )
        for hub in ("sum", "max")
        for reading, what in (("ratio", "log10(links / 1000), not below 0"), ("logs", "log10(links) / log10(1000)"))
        for links in ("pairs", "anchors")
    },
    "LN-CB-HR-TW, sum, eta 0.3 (fitted, not the paper's)": (BEST, {"eta": 0.3}),
    "LN-CB-HR, sum, eta 0.3": ("LAMIS-LN-CB-HR", {"eta": 0.3}),
    "LN-CB-HR-TW, TABLE blocks": (BEST, {"partition": "table"}),
}  # fmt: skip
"""What the paper leaves open or what its damaged formula may have been, all measured."""
TOP_20 = ("Outlinks", "HITS", "SALSA", "LAMIS-LN-CB", "LAMIS-LN-CB-HR", "LAMIS-LN-CB-TW", BEST)
MAX_DRAWN = 700
"""Pages that a picture of a graph can hold."""
FIGURE_7 = {
    0: {1: "hot news", 2: "sales"},
    1: {0: "home", 2: "sales", 3: "alpha", 4: "beta"},
    2: {0: "home"},
    3: {0: "home", 1: "hot news", 2: "sales", 4: "news beta"},
    4: {0: "home", 1: "hot news", 2: "sales", 3: "news alpha"},
}
"""The example of section 3.4 as anchors by source and target."""
ABSENT = {
    "Figures 1, 2, 8, 12, 14": "a screenshot and diagrams, with nothing to measure. What figure 2 draws, the informative "
    "structure, is what `mine --pipeline papers` writes",
    "Figures 17, 18, table 6": "InfoDiscoverer's: see `reproduce infodiscoverer`",
}


@dataclass(frozen=True)
class Row:
    """One site."""

    name: str
    n_pages: int
    n_toc: int
    n_links: int
    n_pairs: int
    n_blocks: int
    r_precision: dict[str, float]
    by_reading: dict[str, float]
    outlinks_all: float
    """R-precision of counting every anchor."""
    at_20: dict[str, float]
    at_recall: dict[str, Floats]
    found_toc: int
    toc_f1: float
    article_f1: float
    over_08: float
    """Share of links with an entropy over 0.8."""
    toc_authority: float
    """Mean rank (0...1) of the labelled TOC pages by LAMIS-LN-CB authority."""
    hubs: Floats
    """LAMIS hubs after ten iterations, in descending order."""

    @property
    def zero_hubs(self) -> float:
        """Share of LAMIS hubs that are 0 (under 1e-6) after 10 iterations."""
        return float((self.hubs < 1e-6).mean()) if len(self.hubs) else 0.0


@dataclass(frozen=True)
class Case:
    """A labelled site with what the rankings need."""

    name: str
    site: Site
    kind: tuple[str, ...]
    terms: Terms
    graph: SiteGraph
    cut: Partition

    def is_kind(self, kind: str) -> Bools:
        return np.array([k == kind for k in self.kind], bool)

    def ranking(self, name: str, **parameters: Any) -> Ranking:
        """A row of table 4, perhaps with another reading."""
        if name == "Outlinks":
            return outlink_ranking(self.graph)
        switches: dict[str, Any] = {**lamis_combinations()[name], **parameters}
        cut = partitioner("table")(self.site) if switches.get("partition") == "table" else self.cut
        return LAMIS(**switches).scores(
            self.graph, cut.row_block[self.site.links.node[self.graph.link]].astype(np.int64)
        )


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """Rank the pages of every labelled site by every method of table 4, and draw one site before and after."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    drawn: MarkdownPage | None = None
    for labelled in sites:
        case = _case(labelled)
        rows.append(_row(case, out))
        if drawn is None and 50 <= case.site.n_pages <= MAX_DRAWN and len(case.graph):
            drawn = MarkdownPage("")
            _one_site(drawn, case)
    page = MarkdownPage("LAMIS: TOC pages by link analysis")
    _example(page)
    if drawn is not None:
        page.extend(drawn)
    _write(page, rows, out)


def _case(labelled: LabelledSite) -> Case:
    site = build_site(blank_role_hints(c) for c in labelled.captures())
    kind = tuple(labelled.labels[p].kind if p in labelled.labels else "other" for p in site.pages.path)
    terms = site_terms(site)
    return Case(labelled.name, site, kind, terms, site_graph(site, terms), partitioner("list")(site))


def _row(case: Case, out: Path) -> Row:
    site, graph, is_toc = case.site, case.graph, case.is_kind("toc")
    rankings = {name: case.ranking(name) for name in (*TABLE_4, *TOP_20)}
    order = {name: rank_labels(r.score, is_toc) for name, r in rankings.items()}
    switches: dict[str, Any] = {**lamis_combinations()[BEST]}
    verdict = LAMIS(**switches).verdict(site, case.terms, graph, case.cut)
    keep = distilled_links(site, case.terms, graph, case.cut, verdict.page_role)
    write_graphml(out / f"{case.name}.graphml", site, graph, verdict.page_role)
    write_graphml(out / f"{case.name}.distilled.graphml", site, graph, verdict.page_role, keep)
    return Row(
        name=case.name,
        n_pages=site.n_pages,
        n_toc=int(is_toc.sum()),
        n_links=len(graph),
        n_pairs=graph.n_pairs,
        n_blocks=len(case.cut),
        r_precision={name: r_precision(o) for name, o in order.items()},
        by_reading={
            what: r_precision(rank_labels(case.ranking(name, **parameters).score, is_toc))
            for what, (name, parameters) in READINGS.items()
        },
        outlinks_all=r_precision(rank_labels(anchor_ranking(site).score, is_toc)),
        at_20={name: precision_at(o, 20) for name, o in order.items()},
        at_recall={name: precision_at_recall(o) for name, o in order.items()},
        found_toc=toc_cut(rankings[BEST].score).n_toc,
        toc_f1=_f1(verdict.page_role == TOC, is_toc),
        article_f1=_f1(verdict.page_role == ARTICLE, case.is_kind("article")),
        over_08=float((np.nan_to_num(graph.entropy, nan=1.0) > 0.8).mean()) if len(graph) else 0.0,
        toc_authority=_mean_rank(rankings["LAMIS-LN-CB"].authority, is_toc),
        hubs=np.sort(LAMIS(n_iterations=10, tolerance=0.0).scores(graph).hub)[::-1],
    )


def _f1(found: Bools, true: Bools) -> float:
    return 2 * float((found & true).sum()) / max(float(found.sum() + true.sum()), 1.0)


def _mean_rank(values: Floats, chosen: Bools) -> float:
    if len(values) < 2 or not chosen.any():
        return 0.0
    return float(((rankdata(values) - 1) / (len(values) - 1))[chosen].mean())


def _example(page: MarkdownPage) -> None:
    """Figure 7 with tables 1 and 2, from HTML."""
    site = build_site(
        Capture(
            f"http://figure7.example/{p}.html",
            "".join(f"<p><a href={v}.html>{text}</a></p>" for v, text in links.items()).encode(),
        )
        for p, links in FIGURE_7.items()
    )
    graph = site_graph(site, site_terms(site, language="en"))
    page.heading("Figure 7, tables 1 and 2: the paper's example from raw HTML")
    page.text("Entropy of each link (table 1):")
    page.table(
        ["link", "anchor", "entropy"],
        [
            [f"P{u} to P{v}", FIGURE_7[u][v], float(e)]
            for u, v, e in zip(graph.source.tolist(), graph.target.tolist(), graph.entropy, strict=True)
        ],
    )
    page.text("Ten iterations (table 2):")
    plain, weighted = (LAMIS(entropy=e, n_iterations=10, tolerance=0).scores(graph) for e in (False, True))
    page.table(
        ["page", "HITS authority", "HITS hub", "authority with entropy", "hub with entropy"],
        [
            [f"P{p}", *(float(x[p]) for x in (plain.authority, plain.hub, weighted.authority, weighted.hub))]
            for p in range(5)
        ],
    )


# One site, drawn


def _one_site(page: MarkdownPage, case: Case) -> None:
    _graph_figures(page, case)
    _figure_9(page, case)
    _figure_11(page, case)
    _table_5(page, case)


def _graph_figures(page: MarkdownPage, case: Case) -> None:
    """Figures 3 to 6: the whole graph, the answer set, and two cuts by entropy; then what we distil."""
    graph = case.graph
    true = roles_of(case.kind)
    verdict = LAMIS(**lamis_combinations()[BEST]).verdict(case.site, case.terms, graph, case.cut)  # type: ignore[arg-type]
    entropy = np.nan_to_num(graph.entropy, nan=1.0)
    whole = part_of(graph, np.ones(len(graph), bool), all_pages=True)
    parts = (
        ("graph_all", whole, verdict.page_role, "Figure 3: all links, coloured by found role"),
        (
            "graph_answer",
            part_of(graph, (true[graph.source] == TOC) & (true[graph.target] == ARTICLE)),
            true,
            "Figure 4: the answer set, links from labelled TOC pages to labelled articles",
        ),
        ("graph_08", part_of(graph, entropy <= 0.8), verdict.page_role, "Figure 5: links with an entropy up to 0.8"),
        ("graph_04", part_of(graph, entropy <= 0.4), verdict.page_role, "Figure 6: links with an entropy up to 0.4"),
        (
            "graph_distilled",
            part_of(graph, distilled_links(case.site, case.terms, graph, case.cut, verdict.page_role)),
            verdict.page_role,
            "Ours: TOC pages, articles and informative links found",
        ),
    )
    page.heading(f"Figures 3 to 6: the graph of {case.name}")
    page.text(
        "A link is a pair of pages. The paper's site has 270 pages and 1,515 links; its answer set 252 pages and 350 links "
        "(6.7% and 76.8% removed); the cut at 0.4 leaves 236 pages and 353 links."
    )
    page.table(
        ["picture", "pages", "links", "pages removed", "links removed"],
        [[caption, len(p.pages), len(p.pairs), *share_removed(p, whole)] for _, p, _, caption in parts],
    )
    for name, part, role, caption in parts:
        page.figure(draw(part, role, case.name), name, caption)


def _figure_9(page: MarkdownPage, case: Case) -> None:
    matrix = case.terms.page_term
    weight = 1 - term_entropy(matrix)
    df = np.bincount(matrix.indices, minlength=matrix.shape[1])
    idf = np.log(case.site.n_pages / np.maximum(df, 1)) / np.log(max(case.site.n_pages, 2))
    seen = df > 0
    page.heading(f"Figure 9: 1 - EN against IDF ({case.name})")
    page.text(
        f"{int(seen.sum()):,} terms. The weight is never below IDF ({int((weight[seen] < idf[seen] - 1e-9).sum())} "
        f"terms are) and equal to it for {float((np.abs(weight - idf)[seen] < 1e-9).mean()):.1%} of them: those spread "
        "evenly over their pages."
    )
    if can_plot():
        figure, axes = new_figure(5.5, 5.0)
        axes.scatter(idf[seen], weight[seen], s=4, alpha=0.4, rasterized=True)
        axes.plot([0, 1], [0, 1], color="black", linewidth=0.7)
        axes.set_xlabel("IDF")
        axes.set_ylabel("1 - EN")
        page.figure(figure, "lamis-fig9", "Weight of terms by entropy against their IDF")
    else:
        page.figure(None, "lamis-fig9")


def _figure_11(page: MarkdownPage, case: Case) -> None:
    """Both vectors taken from the round before, as in the paper: they undulate; ours in sequence do not."""
    graph = case.graph
    m = link_matrix(graph.source, graph.target, graph.information, (graph.n_pages, graph.n_pages))
    hub, authority = np.ones(graph.n_pages), np.ones(graph.n_pages)
    sequence = np.ones(graph.n_pages)
    rounds: list[tuple[Floats, Floats, Floats]] = []
    for _ in range(15):
        hub, authority = _unit(m @ authority), _unit(m.T @ hub)
        sequence = _unit(m @ (m.T @ sequence))
        rounds.append((hub, authority, sequence))
    top = int(np.argmax(rounds[-1][0]))
    page.heading(f"Figure 11: convergence ({case.name})")
    page.text(
        f"The best hub, {case.site.pages.path[top] or case.site.pages.url[top]}: its values round by round when hubs and "
        "authorities are both taken from the round before (the paper's two independent series, figure 12), and when the "
        "hub step uses the authorities of the same round (ours)."
    )
    series = {
        name: (list(range(1, 16)), [float(r[k][top]) for r in rounds])
        for k, name in enumerate(("hub", "authority", "hub in sequence"))
    }
    page.table(["round", *series], [[n + 1, *(v[1][n] for v in series.values())] for n in range(15)])
    page.figure(line_plot(series, x="round", y="value"), "lamis-fig11", "Values of one page round by round")


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


def _table_5(page: MarkdownPage, case: Case) -> None:
    page.heading(f"Table 5: the first twenty of {case.name}")
    page.text("Addresses with their labelled role.")
    best, hits = (np.argsort(-case.ranking(name).score, kind="stable")[:20].tolist() for name in (BEST, "HITS"))
    where = case.site.pages.path if all(case.site.pages.path) else case.site.pages.url
    page.table(
        ["rank", BEST, "label", "HITS", "label"],
        [
            [i + 1, where[a], case.kind[a], where[b], case.kind[b]]
            for i, (a, b) in enumerate(zip(best, hits, strict=True))
        ],
    )


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
    page.heading("Table 3: the sites")
    page.table(
        ["site", "pages", "TOC pages", "links", "pairs of pages", "blocks"],
        [[r.name, r.n_pages, r.n_toc, r.n_links, r.n_pairs, r.n_blocks] for r in rows],
    )
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
    _readings(page, rows)
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
    bars = {n: [r.r_precision[n] for r in rows] for n in ("Outlinks", "HITS", "SALSA", BEST)}
    page.figure(bar_plot([r.name for r in rows], bars, y="R-precision"), "r_precision", "As in figure 15")
    page.heading("Figure 10: hub values after ten iterations")
    first = sorted(rows, key=lambda r: -r.n_pages)[:8]
    sorted_hubs = {r.name: (list(range(1, 51)), r.hubs[:50].tolist()) for r in first if len(r.hubs) >= 50}
    page.text(
        f"Mean share of hub values that are 0 after 10 iterations: {np.mean([r.zero_hubs for r in rows]):.1%} "
        "(paper: 91.7%). The plot has the fifty largest of each of the largest sites."
    )
    if sorted_hubs:
        page.figure(line_plot(sorted_hubs, x="rank", y="hub"), "lamis-fig10", "Hub values in descending order")
    page.heading("Figure 16: precision of the first twenty")
    page.table(["site", *TOP_20], [[r.name, *(r.at_20[n] for n in TOP_20)] for r in rows], digits=2)
    top = {n: [float(np.mean([r.at_20[n] for r in rows]))] for n in TOP_20}
    page.text("Mean of sites: " + ", ".join(f"{n} {v[0]:.3f}" for n, v in top.items()) + ".")
    page.figure(bar_plot(["mean of sites"], top, y="precision"), "lamis-fig16", "Precision of the first twenty")
    page.heading("The cut, top 20, and what the entropies look like")
    page.table(
        ["site", "TOC", "TOC found", "TOC F1", "article F1", "top-20 precision", "links over 0.8", "hubs at 0"],
        [[r.name, r.n_toc, r.found_toc, r.toc_f1, r.article_f1, r.at_20[BEST], r.over_08, r.zero_hubs] for r in rows],
    )
    page.text(f"Mean share of links with an entropy over 0.8: {np.mean([r.over_08 for r in rows]):.1%} (paper: 71.6%).")
    page.heading("What is not here")
    page.table(["the paper's", "why"], list(ABSENT.items()))
    page.write(out, "lamis")


def _readings(page: MarkdownPage, rows: Sequence[Row]) -> None:
    """Every reading, and whether TW helps after HR."""
    page.heading("Every reading")
    page.text(
        "Mean R-precision. The paper does not say how a page's hub is taken from its blocks, and its formula of eta is "
        "damaged; what `lamis-ln-cb-hr-tw` does by default is the first of the HR rows."
    )
    cells: list[list[Cell]] = [
        [what, float(np.mean([r.by_reading[what] for r in rows])) if rows else None] for what in READINGS
    ]
    all_anchors = float(np.mean([r.outlinks_all for r in rows])) if rows else None
    page.table(["reading", "R-precision"], [*cells, ["Outlinks, every anchor counted", all_anchors]])
    if len(rows) > 1:
        gap = bootstrap_difference([r.r_precision[BEST] for r in rows], [r.r_precision["LAMIS-LN-CB-HR"] for r in rows])
        page.text(f"TW after HR: {gap.mean:+.3f} (95% interval over sites {gap.low:+.3f} to {gap.high:+.3f}).")
