"""The experiments of Lin and Ho 2002 (figures 8 to 11) and of Kao et al. 2004 (tables 6, figures 17 and 18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.experiments._articles import LINE, MAX_PAGES, Cluster, clusters, mean
from sitegrain.evaluation.metrics import PRF, term_prf
from sitegrain.evaluation.report import Cell, MarkdownPage, line_plot
from sitegrain.methods.blockwise import blocks_of, choose_pages, unseen
from sitegrain.methods.infodiscoverer import InfoDiscoverer

CUTS = [i / 10 for i in range(1, 10)]
PROMISE = 0.956
"""The papers' recall and precision "on 11 of 13 sites"."""
TRAINING = tuple(range(5, 45, 5))
READINGS: dict[str, dict[str, Any]] = {
    "section": {},
    "section, refined": {"refines": True},
    "table": {"partitioner": "table"},
    "table, refined": {"partitioner": "table", "refines": True},
    "getblockset": {"partitioner": "getblockset"},
    "section, steps of 0.05": {"step": 0.05},
}
"""Ways to cut and to find the threshold: what the papers leave open, to see how much hangs on it."""

PAPER = {
    "IThome": (0.7, 0.957, 1.0), "ET": (0.2, 1.0, 0.979), "FTV": (0.4, 1.0, 1.0), "CNet": (0.5, 0.956, 1.0),
    "TSS": (0.3, 0.989, 1.0), "CDN": (0.5, 1.0, 1.0), "TVBS": (0.1, 1.0, 1.0), "CTV": (0.2, 1.0, 1.0),
    "CAN": (0.7, 1.0, 1.0), "UDN": (0.7, 0.76, 1.0), "CTimes": (0.4, 1.0, 1.0), "CTS": (0.5, 1.0, 0.959),
    "TTimes": (0.7, 0.997, 0.53),
}  # fmt: skip
"""Kao et al. 2004, table 6: threshold, recall and precision."""


CURVES = 12
"""Curves that a reader can tell apart in one plot."""
TEN = 10
"""Pages that the papers learn from and score on."""
DRAWS = 3
"""Random draws of these pages; figures are means over them."""
ABSENT = (
    "Lin and Ho's figures 1 to 7 and the tables of both papers' sites are diagrams, a worked example (figure 6 is a test) and lists of "
    "sites; their figures 8 to 11 and table 2 are the ones of Kao et al. below (table 6, figures 17 and 18) on other sites."
)


@dataclass(frozen=True)
class Row:
    """One site."""

    name: str
    n_pages: int
    threshold: float
    ten: PRF
    """Learned from ten random pages, on those, page by page."""
    everything: PRF
    """Nothing left out, on the same pages."""
    pooled: PRF
    """Terms of all pages of the site's cluster pooled: a measure that says little, beside `pooled_everything`."""
    pooled_everything: PRF
    blocks: PRF
    at_cut: list[PRF]
    by_training: dict[int, PRF]
    by_reading: dict[str, tuple[float, PRF]]
    without_comments: float
    """Precision on the ten pages when blocks that are named comments are left out."""
    why: str
    mistakes: tuple[str, str]


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """Term recall and precision of InfoDiscoverer on the article cluster of every site."""
    rows = [_site(cluster) for cluster in clusters(sites)]
    write(rows, out)


def _site(cluster: Cluster) -> Row:
    site = cluster.site
    seen = site.is_text & ~unseen(site)
    model = InfoDiscoverer().fit(site)
    verdict = model.apply(site)
    truth = cluster.blocks(blocks_of(site, model.partitioner))
    block = np.maximum(truth.partition.node_block, 0)
    draws = [_Draw(cluster, TEN, seed) for seed in range(DRAWS)]
    first = draws[0]
    return Row(
        name=cluster.name,
        n_pages=site.n_pages,
        threshold=mean([d.threshold for d in draws]),
        ten=_mean_prf([d.score(d.kept) for d in draws]),
        everything=_mean_prf([d.score(seen) for d in draws]),
        pooled=_pooled(cluster, verdict.node_kept),
        pooled_everything=_pooled(cluster, seen),
        blocks=truth.score(verdict.blocks.is_informative),
        at_cut=[_mean_prf([d.score(seen & (d.entropy <= cut + 1e-9)[block]) for d in draws]) for cut in CUTS],
        by_training={
            n: _mean_prf([d.score(d.kept) for d in (_Draw(cluster, n, seed) for seed in range(DRAWS))])
            for n in TRAINING
            if n <= site.n_pages
        },
        by_reading={name: _reading(cluster, parameters) for name, parameters in READINGS.items()},
        without_comments=first.score(first.kept & ~truth.is_comment[block]).precision,
        why=truth.why(verdict.blocks.is_informative),
        mistakes=truth.mistakes(verdict.blocks.is_informative),
    )


class _Draw:
    """InfoDiscoverer learned from some random pages, to be scored on these."""

    def __init__(self, cluster: Cluster, n: int, seed: int, **parameters: Any) -> None:
        model = InfoDiscoverer(n_training=n, seed=seed, **parameters).fit(cluster.site)
        verdict = model.apply(cluster.site)
        self.cluster = cluster
        self.pages = choose_pages(cluster.site, None, n, seed)
        self.kept = verdict.node_kept
        self.threshold = model.threshold_
        self.entropy = verdict.blocks.evidence.get("entropy", np.zeros(len(verdict.blocks)))

    def score(self, kept: Bools) -> PRF:
        """Distinct terms of the kept text of each page against those of its gold, then the mean over pages."""
        cluster = self.cluster
        row = cluster.occurrence_row
        page = cluster.site.nodes.page[row].astype(np.int64)
        mine = np.isin(page, self.pages)
        n_terms = max(1, cluster.terms.n_terms)
        key = page * n_terms + cluster.terms.ids
        found = np.unique(key[kept[row] & mine])
        gold = np.unique(key[cluster.node_gold[row] & mine])
        both = np.intersect1d(found, gold, assume_unique=True)
        n_both, n_found, n_gold = (
            np.bincount(k // n_terms, minlength=cluster.site.n_pages) for k in (both, found, gold)
        )
        # A page where nothing is kept has no precision; its recall is 0.
        has, true = n_found > 0, n_gold > 0
        precision = float(np.mean(n_both[has] / n_found[has])) if has.any() else 0.0
        recall = float(np.mean(n_both[true] / n_gold[true])) if true.any() else 0.0
        return PRF(precision, recall, 2 * precision * recall / max(precision + recall, 1e-12))


def _reading(cluster: Cluster, parameters: dict[str, Any]) -> tuple[float, PRF]:
    draws = [_Draw(cluster, TEN, seed, **parameters) for seed in range(DRAWS)]
    return mean([d.threshold for d in draws]), _mean_prf([d.score(d.kept) for d in draws])


def _mean_prf(scores: Sequence[PRF]) -> PRF:
    precision, recall = mean([s.precision for s in scores]), mean([s.recall for s in scores])
    return PRF(precision, recall, 2 * precision * recall / max(precision + recall, 1e-12))


def _pooled(cluster: Cluster, kept: Bools) -> PRF:
    """Distinct terms of the kept text of all pages against those of the gold."""
    row, ids = cluster.occurrence_row, cluster.terms.ids
    return term_prf(set(ids[kept[row]].tolist()), set(ids[cluster.node_gold[row]].tolist()))


def write(rows: Sequence[Row], out: Path) -> Path:
    """The report."""
    page = MarkdownPage("InfoDiscoverer")
    page.text(
        f"Cluster: at most {MAX_PAGES} articles of each site (a seeded sample), neither short nor copies. As in the papers, {TEN} random "
        f"pages are learned from and scored, page by page (means over {DRAWS} draws): distinct terms of the informative "
        "blocks of a page against those of its gold. *Everything* is the same for all text of these pages: what a method must beat. "
        "Partitioner `section`, the method's own (greedy) threshold. *b-F*: all pages learned from, over blocks, as in Debnath et al."
    )
    table: list[list[Cell]] = [
        [r.name, r.n_pages, r.threshold, r.ten.recall, r.ten.precision, r.everything.recall, r.everything.precision,
         r.without_comments, r.blocks.f1]
        for r in rows
    ]  # fmt: skip
    if rows:
        numbers = np.array([[float(c or 0) for c in row[2:]] for row in table])
        table.append(["mean", sum(r.n_pages for r in rows), *numbers.mean(axis=0).tolist()])
    page.heading("Table 6: each site at its own threshold")
    columns = [
        "recall",
        "precision",
        "everything: recall",
        "precision of everything",
        "precision without comments",
        "b-F",
    ]
    page.table(["site", "pages", "threshold", *columns], table)
    good = sum(min(r.ten[:2]) >= PROMISE for r in rows)
    page.text(f"Recall and precision are both {PROMISE} or more on {good} of {len(rows)} sites (papers: 11 of 13).")
    page.text("The papers' thirteen sites (ten training pages each):")
    page.table(["site", "threshold", "recall", "precision"], [(k, *v) for k, v in PAPER.items()])
    page.heading("Why not pooled")
    page.text(
        "Terms pooled over all pages of a site: nearly every term is gold on some page, so that keeping everything scores as "
        f"well as the method. Precision {mean([r.pooled.precision for r in rows]):.3f} (everything "
        f"{mean([r.pooled_everything.precision for r in rows]):.3f}), recall {mean([r.pooled.recall for r in rows]):.3f} "
        f"(everything {mean([r.pooled_everything.recall for r in rows]):.3f})."
    )
    low = [r for r in rows if min(r.ten[:2]) < 0.9]
    page.heading("Sites under 0.9: what their mistakes are, and where they stand")
    page.text(
        "What a wrong block is: under an element named for comments; a headline (outside the labels, which are of bodies); mostly "
        f"anchors (previous and next, related articles, tags, breadcrumbs); a line of up to {LINE} terms (dates, names); or running text."
    )
    page.table(
        ["site", "why", "wrong blocks", "missed blocks"],
        [[r.name, r.why, *r.mistakes] for r in low] or [["none", "", "", ""]],
    )
    _curves(page, rows)
    page.heading("Other readings")
    page.text("How pages are cut and how fine the steps of the threshold are; *refined* cuts ambiguous blocks further.")
    page.table(
        ["reading", "threshold", "recall", "precision"],
        [
            [
                name,
                *(
                    mean(list(v))
                    for v in zip(
                        *((t, p.recall, p.precision) for t, p in (r.by_reading[name] for r in rows)), strict=True
                    )
                ),
            ]
            for name in READINGS
            if rows
        ],
    )
    page.heading("What is not here")
    page.text(ABSENT)
    return page.write(out, "infodiscoverer")


def _curves(page: MarkdownPage, rows: Sequence[Row]) -> None:
    """Figures 17 and 18, a curve for each site."""
    page.heading("Figure 17: recall and precision at each threshold")
    names = [*(r.name for r in rows), "mean"]
    for what, i in (("Recall", 1), ("Precision", 0)):
        values = [[prf[i] for prf in r.at_cut] for r in rows]
        values.append([mean([v[k] for v in values]) for k in range(len(CUTS))])
        page.text(f"{what}:")
        page.table(["site", *map(str, CUTS)], [[n, *v] for n, v in zip(names, values, strict=True)], digits=2)
        series = {n: (CUTS, v) for n, v in list(zip(names, values, strict=True))[-CURVES:]}
        plot = line_plot(series, x="threshold", y=what.lower(), ylim=(0, 1.02))
        page.figure(plot, f"infodiscoverer-fig17-{what.lower()}", f"{what} of sites against the threshold")
    page.heading("Figure 18: number of training pages")
    page.text("Learned from so many random pages and scored on these.")
    done = [n for n in TRAINING if any(n in r.by_training for r in rows)]
    r_by = [mean([r.by_training[n].recall for r in rows if n in r.by_training]) for n in done]
    p_by = [mean([r.by_training[n].precision for r in rows if n in r.by_training]) for n in done]
    page.table(["training pages", "recall", "precision"], list(zip(done, r_by, p_by, strict=True)))
    series = {
        f"{r.name} {what}": ([float(n) for n in r.by_training], [p[i] for p in r.by_training.values()])
        for r in rows[: CURVES // 2]
        for what, i in (("R", 1), ("P", 0))
    }
    if series:
        page.figure(line_plot(series, x="training pages", ylim=(0, 1.02)), "infodiscoverer-fig18", "Training pages")
