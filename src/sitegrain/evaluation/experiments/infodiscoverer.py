"""The experiments of Lin and Ho 2002 (figures 8 to 11) and of Kao et al. 2004 (tables 6, figures 17 and 18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.experiments._articles import LINE, MAX_PAGES, BlockTruth, Cluster, clusters, mean
from sitegrain.evaluation.metrics import PRF, term_prf
from sitegrain.evaluation.report import MarkdownPage, line_plot
from sitegrain.methods.blockwise import blocks_of, unseen
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


@dataclass(frozen=True)
class Row:
    """One site."""

    name: str
    n_pages: int
    threshold: float
    terms: PRF
    per_page: PRF
    blocks: PRF
    at_cut: list[PRF]
    by_training: dict[int, PRF]
    by_reading: dict[str, tuple[float, PRF]]
    without_comments: float
    """Term precision when blocks that are named comments are left out."""
    why: str
    mistakes: tuple[str, str]


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """Term recall and precision of InfoDiscoverer on the article cluster of every site."""
    rows = [_site(cluster) for cluster in clusters(sites)]
    write(rows, out)


def _site(cluster: Cluster) -> Row:
    site = cluster.site
    by_reading: dict[str, tuple[float, PRF]] = {}
    for name, parameters in READINGS.items():
        model = InfoDiscoverer(**parameters).fit(site)
        by_reading[name] = (model.threshold_, _terms(cluster, model.apply(site).node_kept))
    model = InfoDiscoverer().fit(site)
    verdict = model.apply(site)
    truth = cluster.blocks(blocks_of(site, model.partitioner))
    found = verdict.blocks.is_informative
    entropy = verdict.blocks.evidence.get("entropy", np.zeros(len(found)))
    seen = site.is_text & ~unseen(site)
    block = np.maximum(truth.partition.node_block, 0)
    return Row(
        name=cluster.name,
        n_pages=site.n_pages,
        threshold=model.threshold_,
        terms=_terms(cluster, verdict.node_kept),
        per_page=_terms_per_page(truth, found),
        blocks=truth.score(found),
        at_cut=[_terms(cluster, seen & (entropy <= cut + 1e-9)[block]) for cut in CUTS],
        by_training=_training(cluster),
        by_reading=by_reading,
        without_comments=_terms(cluster, verdict.node_kept & ~truth.is_comment[block]).precision,
        why=truth.why(found),
        mistakes=truth.mistakes(found),
    )


def _training(cluster: Cluster) -> dict[int, PRF]:
    """Learn from a few pages, judge all."""
    out = {}
    for n in TRAINING:
        if n <= cluster.site.n_pages:
            verdict = InfoDiscoverer(n_training=n, seed=n).fit(cluster.site).apply(cluster.site)
            out[n] = _terms(cluster, verdict.node_kept)
    return out


def _terms(cluster: Cluster, kept: Bools) -> PRF:
    """The papers' measure: distinct terms of the kept text of the page set against those of the gold."""
    row, ids = cluster.occurrence_row, cluster.terms.ids
    return term_prf(set(ids[kept[row]].tolist()), set(ids[cluster.node_gold[row]].tolist()))


def _terms_per_page(truth: BlockTruth, found: Bools) -> PRF:
    """The same page by page, then the mean: harder, for a wrong term cannot hide in another page's gold."""
    cluster = truth.cluster
    row = cluster.occurrence_row
    page = cluster.site.nodes.page[row].astype(np.int64)
    key = page * max(1, cluster.terms.n_terms) + cluster.terms.ids
    kept = np.unique(key[found[truth.partition.node_block[row]]])
    gold = np.unique(key[cluster.node_gold[row]])
    both = np.intersect1d(kept, gold, assume_unique=True)
    n_terms = max(1, cluster.terms.n_terms)
    size = cluster.site.n_pages
    n_both, n_kept, n_gold = (np.bincount(k // n_terms, minlength=size) for k in (both, kept, gold))
    precision = float(np.mean(n_both[n_kept > 0] / n_kept[n_kept > 0])) if n_kept.any() else 0.0
    recall = float(np.mean(n_both[n_gold > 0] / n_gold[n_gold > 0])) if n_gold.any() else 0.0
    return PRF(precision, recall, 2 * precision * recall / max(precision + recall, 1e-12))


def write(rows: Sequence[Row], out: Path) -> Path:
    """The report."""
    page = MarkdownPage("InfoDiscoverer")
    page.text(
        f"Cluster: at most {MAX_PAGES} articles of each site (a seeded sample), neither short nor copies. Learned from "
        "all of them, partitioner `section`, the method's own (greedy) threshold. *Terms*: distinct terms of the "
        "informative blocks of the page set against those of the gold, the papers' measure. *Per page*: the same on "
        "each page, then the mean. *b-F*: blocks, as in Debnath et al."
    )
    table: list[list[str | int | float | None]] = [
        [r.name, r.n_pages, r.threshold, r.terms.recall, r.terms.precision, r.without_comments, r.per_page.recall,
         r.per_page.precision, r.blocks.precision, r.blocks.recall, r.blocks.f1]
        for r in rows
    ]  # fmt: skip
    if rows:
        table.append(
            ["mean", sum(r.n_pages for r in rows), mean([r.threshold for r in rows]),
             mean([r.terms.recall for r in rows]), mean([r.terms.precision for r in rows]),
             mean([r.without_comments for r in rows]),
             mean([r.per_page.recall for r in rows]), mean([r.per_page.precision for r in rows]),
             *(mean([r.blocks[i] for r in rows]) for i in range(3))]
        )  # fmt: skip
    page.heading("Each site at its own threshold")
    columns = [
        "recall",
        "precision",
        "precision without comments",
        "page recall",
        "page precision",
        "b-P",
        "b-R",
        "b-F",
    ]
    page.table(["site", "pages", "threshold", *columns], table)
    good = sum(min(r.terms[:2]) >= PROMISE for r in rows)
    page.text(f"Recall and precision are both {PROMISE} or more on {good} of {len(rows)} sites (papers: 11 of 13).")
    page.text("The papers' thirteen sites (ten training pages each):")
    page.table(["site", "threshold", "recall", "precision"], [(k, *v) for k, v in PAPER.items()])

    low = [r for r in rows if min(r.terms.recall, r.terms.precision) < 0.9 or min(r.per_page[:2]) < 0.9]
    page.heading("Sites under 0.9: what their mistakes are, and where they stand")
    page.text(
        "Sites whose term or page recall or precision is under 0.9. What a wrong block is: under an element named for "
        "comments; a headline (outside the labels, which are of bodies); mostly anchors (previous and next, related "
        f"articles, tags, breadcrumbs); a line of up to {LINE} terms (dates, names); or running text."
    )
    page.table(
        ["site", "why", "wrong blocks", "missed blocks"],
        [[r.name, r.why, *r.mistakes] for r in low] or [["none", "", "", ""]],
    )

    page.heading("Recall and precision at each threshold (mean of sites)")
    recall = [mean([r.at_cut[i].recall for r in rows]) for i in range(len(CUTS))]
    precision = [mean([r.at_cut[i].precision for r in rows]) for i in range(len(CUTS))]
    page.table(["threshold", "recall", "precision"], list(zip(CUTS, recall, precision, strict=True)))
    page.figure(
        line_plot({"recall": (CUTS, recall), "precision": (CUTS, precision)}, x="threshold", ylim=(0, 1.02)),
        "infodiscoverer-threshold",
        "Term recall and precision against the threshold",
    )
    for what, i in (("Recall", 1), ("Precision", 0)):
        page.text(f"{what} of each site at each threshold:")
        page.table(["site", *map(str, CUTS)], [[r.name, *(prf[i] for prf in r.at_cut)] for r in rows], digits=2)

    page.heading("Number of training pages")
    done = [n for n in TRAINING if any(n in r.by_training for r in rows)]
    r_by = [mean([r.by_training[n].recall for r in rows if n in r.by_training]) for n in done]
    p_by = [mean([r.by_training[n].precision for r in rows if n in r.by_training]) for n in done]
    page.table(["training pages", "recall", "precision"], list(zip(done, r_by, p_by, strict=True)))
    xs = [float(n) for n in done]
    page.figure(
        line_plot({"recall": (xs, r_by), "precision": (xs, p_by)}, x="training pages", ylim=(0, 1.02)),
        "infodiscoverer-training",
        "Learned from so many random pages, measured on all",
    )

    page.heading("Other readings")
    page.text("How pages are cut and how fine the steps of the threshold are; *refined* cuts ambiguous blocks further.")
    page.table(
        ["reading", "threshold", "recall", "precision"],
        [
            [
                name,
                mean([r.by_reading[name][0] for r in rows]),
                mean([r.by_reading[name][1].recall for r in rows]),
                mean([r.by_reading[name][1].precision for r in rows]),
            ]
            for name in READINGS
        ],
    )
    return page.write(out, "infodiscoverer")
