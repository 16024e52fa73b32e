"""The experiments of Debnath, Mitra, Pal and Giles 2005: tables 2 to 6 and figures 7 to 10."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from sitegrain.arrays.types import Bools
from sitegrain.errors import OutputError, UsageError
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.experiments._articles import (
    LINE,
    MAX_PAGES,
    BlockTruth,
    Cluster,
    clusters,
    leave_one_out,
    mean,
)
from sitegrain.evaluation.metrics import PRF, block_gold, block_prf, storage_saved
from sitegrain.evaluation.report import Cell, MarkdownPage, bar_plot, line_plot
from sitegrain.learned.origin import write_origin
from sitegrain.methods.base import NodeMethod
from sitegrain.methods.blockwise import block_text_group, blocks_of
from sitegrain.methods.contentextractor import ContentExtractor
from sitegrain.methods.featureextractor import FeatureExtractor, KFeatureExtractor
from sitegrain.methods.infodiscoverer import InfoDiscoverer
from sitegrain.methods.lextractor import BlockSet, Example, LExtractor, cv_scores, join_blocks
from sitegrain.methods.shingling import Shingling
from sitegrain.partition import block_chars
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

COMMAND = "sitegrain reproduce debnath DATA/sites --out OUT"
METHODS: dict[str, Callable[[], NodeMethod]] = {
    "LH": InfoDiscoverer,
    "ContentExtractor": ContentExtractor,
    "ContentExtractor, 10 pages": lambda: ContentExtractor(n_training=10),
    "FeatureExtractor": FeatureExtractor,
    "K-FeatureExtractor": KFeatureExtractor,
    "shingling": Shingling,
}
READINGS: dict[str, Callable[[], FeatureExtractor]] = {
    f"{name}, {values}, {cut}": partial(kind, partitioner=cut, values=values, **more)  # type: ignore[arg-type]
    for name, kind, more in (
        ("F", FeatureExtractor, {}),
        ("K, k = 3, two win", KFeatureExtractor, {"k": 3, "n_high": 2}),
        ("K, k = 2, one wins", KFeatureExtractor, {"k": 2, "n_high": 1}),
    )
    for values in ("share", "largest")
    for cut in ("list", "section-coarse", "section", "getblockset")
}
"""Both readings of what the value of a feature is, coarse and atomic blocks, and the paper's two numbers of clusters."""
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "all blocks": (),
    "text blocks": ("links",),
    "no headlines": ("links", "headlines"),
    "no comments": ("links", "headlines", "comments"),
    "no lines": ("links", "headlines", "comments", "lines"),
}
"""Kinds of blocks outside the labels that are not counted, one more in each column (see `_articles.KINDS`). The paper measured
"for text feature", and its readers judged headlines as content; its news pages had no comments."""
GRID = [
    {"partitioner": partitioner, "eps": eps, "few": few}
    for partitioner in ("section-fine", "section", "section-coarse")
    for eps in (0.7, 0.9)
    for few in (0.0, 0.01)
]
"""Settings of ContentExtractor that are compared: what was chosen on the labelled sites, and eps, which the paper gives."""
LEARNED = (2, 5, 10, 20, 50, 100)
"""Pages that ContentExtractor learns from, for b-precision against their number."""
SIZES = (100, 200, 400, 800, 1600)

PAPER = {
    "ABC": (0.89, 0.95, 1.0), "BB": (0.93, 0.998, 1.0), "BBC": (0.905, 0.983, 1.0), "CBS": (0.902, 0.985, 0.978),
    "CNN": (0.922, 0.988, 0.98), "FOX": (0.901, 0.983, 0.994), "FOX23": (0.902, 0.992, 1.0),
    "IE": (0.85, 0.95, 0.959), "IT": (0.878, 0.951, 0.969), "MSNBC": (0.89, 0.989, 0.95), "YAHOO": (0.84, 0.98, 0.974),
    "Shopping": (0.88, 0.985, 0.994), "Amazon": (0.86, 0.989, 0.983), "Barnes And Noble": (0.895, 0.98, 0.983),
    "Epinion": (0.88, 0.984, 0.977),
}  # fmt: skip
"""Tables 2 and 3: b-F of LH, ContentExtractor and (K-)FeatureExtractor."""


@dataclass(frozen=True)
class Row:
    """One site."""

    name: str
    n_pages: int
    scores: dict[str, PRF]
    left_out: list[float]
    """b-F of ContentExtractor for each of `LEFT_OUT`."""
    by_reading: dict[str, float]
    """b-F of FeatureExtractor and K-FeatureExtractor by `READINGS`."""
    by_pages: dict[int, PRF]
    """ContentExtractor learned from so many pages."""
    bytes_saved: dict[str, float]
    """Share of the bytes of pages that need not be stored when template text is stored once, by method."""
    n_bytes: int
    by_setting: list[list[float]]
    """The same for each setting of `GRID`."""
    why: str
    mistakes: tuple[str, str]
    saved_equal: float
    saved_template: float


@dataclass(frozen=True)
class Times:
    """Seconds by method and number of pages, on one site."""

    name: str
    seconds: dict[str, dict[int, float]]


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """b-precision, b-recall and b-F of every method, run time, and storage saved; trains an L-Extractor too."""
    rows: list[Row] = []
    sets: list[BlockSet] = []
    learner = LExtractor()
    for cluster in clusters(sites):
        rows.append(_site(cluster))
        try:
            sets.append(learner.block_set([Example(cluster.site, cluster.node_gold)]))
        except UsageError:  # a site all of whose blocks are content teaches nothing
            sets.append(BlockSet(sparse.csr_array((0, 0)), np.zeros(0, bool), np.zeros(0, np.int64)))
    learned = _learn(learner, sets)
    curve = _learning_curve([s for s in sets if len(s.is_content)], [r.n_pages for r in rows])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {out}: {error}") from error
    if learner.is_fitted:
        learner.save(out / "l-extractor.json")
        write_origin(out / "l-extractor.json", COMMAND, {site.name: site.digest for site in sites})
    # Run time is measured on the site with the most articles.
    largest = max(sites, key=lambda s: len(s.sample(0)), default=None)
    times = Times(largest.name, _seconds(largest)) if largest else None
    write(rows, Learned(learner, learned, curve), times, out)


@dataclass(frozen=True)
class Learned:
    """L-Extractor: trained on all sites, and what it scores on sites that it did not see."""

    model: LExtractor
    scores: list[PRF | None]
    curve: list[tuple[int, float]]
    """Pages, and the share of blocks judged right out of fold: figure 10."""


def _learning_curve(sets: Sequence[BlockSet], n_pages: Sequence[int]) -> list[tuple[int, float]]:
    """Accuracy out of fold when there are 2, 4, 8, ... sites to learn from."""
    out = []
    n = 2
    while n <= len(sets):
        blocks = join_blocks(sets[:n])
        found = LExtractor().cross_validate(blocks)
        out.append((sum(n_pages[:n]), float((found == blocks.is_content).mean())))
        n *= 2
    return out


def _learn(learner: LExtractor, sets: Sequence[BlockSet]) -> list[PRF | None]:
    """Train on all sites; per site, the score of the model that did not see it."""
    used = [(i, s) for i, s in enumerate(sets) if len(s.is_content)]
    scores: list[PRF | None] = [None] * len(sets)
    if len(used) < 2:
        return scores
    blocks = join_blocks([s for _, s in used])
    found = learner.cross_validate(blocks)
    for number, (i, _) in enumerate(used):
        mine = blocks.group == number
        scores[i] = block_prf(found[mine], blocks.is_content[mine])
    learner.train(blocks, cv_scores(blocks.is_content, found))
    return scores


def _site(cluster: Cluster) -> Row:
    site = cluster.site
    partition = blocks_of(site, "section")
    truth = BlockTruth(cluster, partition)
    scores = {name: _score(cluster, make()) for name, make in METHODS.items()}
    verdict = ContentExtractor().fit_apply(site)
    kept = verdict.blocks.is_informative
    template = np.asarray(verdict.blocks.evidence.get("template_pages", np.zeros(len(partition)))) > 0
    size = block_chars(site, partition)
    group = block_text_group(site, partition)
    first = np.zeros(len(partition), bool)
    first[np.unique(group, return_index=True)[1]] = True
    total = float(size.sum())
    return Row(
        name=cluster.name,
        n_pages=site.n_pages,
        scores=scores,
        left_out=[truth.score(kept, without=kinds).f1 for kinds in LEFT_OUT.values()],
        by_reading={name: _score(cluster, make()).f1 for name, make in READINGS.items()},
        by_pages={n: _score(cluster, ContentExtractor(n_training=n)) for n in LEARNED if n <= site.n_pages},
        bytes_saved={
            "ContentExtractor": _bytes_saved(site, template[partition.node_block[site.text_rows]]),
            "shingling": _bytes_saved(site, ~Shingling().fit_apply(site).node_kept[site.text_rows]),
        },
        n_bytes=int(site.pages.n_bytes.sum()),
        by_setting=[_block_f(cluster, setting) for setting in GRID],
        why=truth.why(kept),
        mistakes=truth.mistakes(kept),
        saved_equal=storage_saved(total, float(size[first].sum())),
        saved_template=storage_saved(total, float(size[~template].sum() + size[template & first].sum())),
    )


def _score(cluster: Cluster, model: NodeMethod) -> PRF:
    """b-precision, b-recall and b-F over the blocks that a method judges; over sections where it judges text nodes."""
    verdict = model.fit_apply(cluster.site)
    cut = getattr(model, "partitioner", None)
    truth = BlockTruth(cluster, blocks_of(cluster.site, cut or "section"))
    if cut is not None:
        return truth.score(verdict.blocks.is_informative)
    nodes = cluster.site.nodes
    weight = (nodes.text_end - nodes.text_start).astype(np.float64)
    return truth.score(block_gold(truth.partition.node_block, verdict.node_kept, weight, len(truth.partition)))


def _bytes_saved(site: Site, template: Bools) -> float:
    """Share of the pages' bytes that need not be stored when a template text is stored once.

    A block is stored with its markup, so the bytes of a page go by its text. `template` is per text node.
    """
    rows = site.text_rows
    first = np.zeros(len(rows), bool)
    first[np.unique(site.text_id[rows], return_index=True)[1]] = True
    size = (site.nodes.text_end - site.nodes.text_start)[rows]
    page = site.nodes.page[rows]
    again = np.bincount(page, size * (template & ~first), minlength=site.n_pages)
    share = again / np.maximum(np.bincount(page, size, minlength=site.n_pages), 1)
    return float((share * site.pages.n_bytes).sum() / max(float(site.pages.n_bytes.sum()), 1.0))


def _block_f(cluster: Cluster, setting: dict[str, Any]) -> list[float]:
    model = ContentExtractor(**setting)
    truth = BlockTruth(cluster, blocks_of(cluster.site, model.partitioner))
    found = model.fit_apply(cluster.site).blocks.is_informative
    return [truth.score(found, without=kinds).f1 for kinds in LEFT_OUT.values()]


def _seconds(labelled: LabelledSite) -> dict[str, dict[int, float]]:
    """CPU time of learning from n articles and judging them; the tables are built before."""
    out: dict[str, dict[int, float]] = {name: {} for name in METHODS}
    articles = labelled.sample(0)
    for n in SIZES:
        if n > len(articles) and n > SIZES[0]:
            break
        site = build_site(labelled.captures(set(articles[:n])))
        for name, make in METHODS.items():
            fresh = replace(site)  # nothing is remembered of it, so that the making of terms and blocks counts
            # Interning the texts belongs to the tables, whoever asks first.
            assert fresh.unique_texts is not None
            start = time.process_time()
            make().fit_apply(fresh)
            out[name][n] = time.process_time() - start
    return out


def _content_extractor(page: MarkdownPage, rows: Sequence[Row]) -> None:
    """What its b-F is made of: the kinds of wrong blocks, the sites under 0.9, and its parameters."""
    page.heading("ContentExtractor: what the labels do not count as content")
    page.text(
        "The labels are of article bodies. b-F over all blocks; over text blocks alone (those outside the labels that are "
        'mostly anchors left out: the paper measured "for text feature"); then also without headlines, without blocks '
        f"under an element named for comments, and without lines of up to {LINE} terms (dates, names)."
    )
    table: list[list[str | float]] = [[r.name, *r.left_out] for r in rows]
    if rows:
        table.append(["mean", *(mean([r.left_out[i] for r in rows]) for i in range(len(LEFT_OUT)))])
    page.table(["site", *LEFT_OUT], table)
    page.heading("ContentExtractor: sites under 0.9, what the mistakes are and where they stand")
    low = [r for r in rows if r.scores["ContentExtractor"].f1 < 0.9]
    page.table(
        ["site", "b-precision", "b-recall", "why", "wrong blocks", "missed blocks"],
        [[r.name, *r.scores["ContentExtractor"][:2], r.why, *r.mistakes] for r in low],
    )
    if not rows:
        return
    by_setting = np.array([r.by_setting for r in rows]).transpose(1, 0, 2)
    scores = by_setting[:, :, 0]
    best, held = leave_one_out(scores)
    others = [scores[:, np.arange(len(rows)) != i] for i in range(len(rows))]
    chosen = [int(np.argmax(part.mean(axis=1))) if part.size else best for part in others]
    columns = np.mean([by_setting[c, i] for i, c in enumerate(chosen)], axis=0)
    named = ", ".join(f"{name} {value:.3f}" for name, value in zip(LEFT_OUT, columns.tolist(), strict=True))
    page.heading("ContentExtractor: its parameters, each site left out once")
    page.text(
        "How finely pages are cut, the cosine eps, and the share of pages that is few. For each site the setting is the "
        f"best of the *other* sites: mean b-F **{held.mean():.3f}**. The best over all sites gives {scores[best].mean():.3f}, "
        f"the defaults {mean([r.scores['ContentExtractor'].f1 for r in rows]):.3f}. With the left-out choice: {named}."
    )
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    settings: list[list[str | float]] = [
        [*(str(v) for v in GRID[i].values()), float(scores[i].mean())] for i in order.tolist()
    ]
    page.table([*GRID[0], "b-F"], settings)


def write(rows: Sequence[Row], learning: Learned, times: Times | None, out: Path) -> Path:
    """The report."""
    learned, learner = learning.scores, learning.model
    page = MarkdownPage("ContentExtractor, FeatureExtractor, K-FeatureExtractor, L-Extractor")
    page.text(
        f"Cluster: at most {MAX_PAGES} articles of each site (a seeded sample), neither short nor copies. Partitioner: "
        "`section`. A block is content if over half of its text is gold; blocks without a term and TITLE are not "
        "counted. b-F is over all blocks of a site. L-Extractor: five folds of sites, each site judged by a model "
        "that did not see it. LH is InfoDiscoverer."
    )
    page.heading("Tables 2 and 3: b-F of each site")
    names = [*METHODS, "L-Extractor"]
    table: list[list[str | int | float | None]] = []
    for row, other in zip(rows, learned, strict=True):
        table.append(
            [row.name, row.n_pages, *(row.scores[n].f1 for n in METHODS), other.f1 if other else None]
        )  # fmt: skip
    if rows:
        seen = [x.f1 for x in learned if x]
        table.append(
            ["mean", sum(r.n_pages for r in rows), *(mean([r.scores[n].f1 for r in rows]) for n in METHODS),
             mean(seen) if seen else None]
        )  # fmt: skip
    page.table(["site", "pages", *names], table)
    page.heading("b-precision and b-recall")
    page.table(
        ["site", *(f"{name} {x}" for name in METHODS for x in ("P", "R"))],
        [[r.name, *(x for n in METHODS for x in r.scores[n][:2])] for r in rows],
    )
    page.text("Mean of sites:")
    means: list[list[str | float]] = [
        [n, mean([r.scores[n].precision for r in rows]), mean([r.scores[n].recall for r in rows])] for n in METHODS
    ]
    out_of_fold = [x for x in learned if x]
    if out_of_fold:
        means.append(["L-Extractor", mean([x.precision for x in out_of_fold]), mean([x.recall for x in out_of_fold])])
    page.table(["method", "b-precision", "b-recall"], means)
    if learner.is_fitted:
        scores = ", ".join(f"{k} {v:.3f}" for k, v in learner.cv_.items() if k != "n_blocks")
        page.text(f"L-Extractor over all {int(learner.cv_['n_blocks']):,} blocks, out of fold: {scores}.")
    page.text("The paper's own sites (b-F):")
    page.table(["site", "LH", "ContentExtractor", "(K-)FeatureExtractor"], [(k, *v) for k, v in PAPER.items()])

    _content_extractor(page, rows)
    _feature_readings(page, rows)

    if times:
        page.heading(f"Figures 7 and 9: run time against pages ({times.name}, CPU seconds)")
        sizes = sorted({n for by_size in times.seconds.values() for n in by_size})
        page.table(["pages", *METHODS], [[n, *(times.seconds[m].get(n) for m in METHODS)] for n in sizes])
        page.figure(
            line_plot(
                {m: ([float(n) for n in t], list(t.values())) for m, t in times.seconds.items() if t},
                x="pages",
                y="seconds",
            ),
            "debnath-time",
            "Learning and judging, tables built",
        )
    _shingling(page, rows, times)
    page.heading("Storage saved")
    page.text(
        "Share of the text of all blocks that need not be stored when every block with the same text is stored once "
        "(*equal*), and when only template blocks are (*template*)."
    )
    saved: list[list[str | float]] = [[r.name, r.saved_equal, r.saved_template] for r in rows]
    if rows:
        saved.append(["mean", mean([r.saved_equal for r in rows]), mean([r.saved_template for r in rows])])
    page.table(["site", "equal", "template"], saved)
    page.heading("Figure 10: L-Extractor by number of pages")
    page.text("Share of blocks judged right, five folds of sites, with 2, 4, 8, ... sites.")
    page.table(["pages", "accuracy"], learning.curve)
    if learning.curve:
        xs, ys = ([float(v) for v in column] for column in zip(*learning.curve, strict=True))
        page.figure(line_plot({"L-Extractor": (xs, ys)}, x="pages", y="accuracy"), "debnath-fig10", "L-Extractor")
    page.heading("What is not here")
    page.text(
        "Table 1 and figures 1 to 6 are the paper's sites, screenshots and pseudo-code. Table 4 compares properties in words. Table "
        "3's shopping sites are not among the labelled sites."
    )
    return page.write(out, "debnath")


def _feature_readings(page: MarkdownPage, rows: Sequence[Row]) -> None:
    page.heading("FeatureExtractor and K-FeatureExtractor: every reading")
    page.text(
        "b-F (mean of sites) over the blocks that each judges. *share*: a feature's share of all counts of the block (the paper's "
        "Algorithm 3); *largest*: its count divided by the largest on the page (the paper's example). `list` and "
        "`section-coarse` are whole blocks, `section` and `getblockset` atomic ones."
    )
    page.table(["reading", "b-F"], [[n, mean([r.by_reading[n] for r in rows])] for n in READINGS])


def _shingling(page: MarkdownPage, rows: Sequence[Row], times: Times | None) -> None:
    """Tables 5 and 6, figures 8 and 9, and b-precision against the pages learned from."""
    names = ("shingling", "ContentExtractor")
    page.heading("Table 6: shingling and ContentExtractor")
    table: list[list[Cell]] = [[r.name, *(v for n in names for v in r.scores[n])] for r in rows]
    if rows:
        table.append(["mean", *(mean([r.scores[n][i] for r in rows]) for n in names for i in range(3))])
    page.table(["site", *(f"{n} {x}" for n in names for x in ("b-P", "b-R", "b-F"))], table)
    page.text(
        "The paper, on 50 pages of each of five sites: b-F 0.953 to 0.989 (shingling), 0.95 to 0.998 (ContentExtractor)."
    )
    page.heading("Figure 8: storage in bytes of pages")
    page.text("A template text is stored once; a page's bytes go by its text.")
    storage: list[list[Cell]] = [
        [
            r.name,
            r.n_bytes,
            *(int(r.n_bytes * (1 - r.bytes_saved[n])) for n in names),
            *(r.bytes_saved[n] for n in names),
        ]
        for r in rows
    ]
    if rows:
        storage.append(["mean", None, None, None, *(mean([r.bytes_saved[n] for r in rows]) for n in names)])
    page.table(["site", "bytes", *(f"with {n}" for n in names), *(f"saved by {n}" for n in names)], storage)
    bars = {"pages": [r.n_bytes / 1e6 for r in rows]}
    bars |= {f"with {n}": [r.n_bytes * (1 - r.bytes_saved[n]) / 1e6 for r in rows] for n in names}
    page.figure(bar_plot([r.name for r in rows], bars, y="MB"), "debnath-fig8", "Storage with each method")
    page.heading("b-precision against the pages learned from")
    page.text('"The b-precision of ContentExtractor increases with the number of pages involved" (section 6.3).')
    done = [n for n in LEARNED if all(n in r.by_pages for r in rows)]
    page.table(
        ["pages", "b-P", "b-R", "b-F"], [[n, *(mean([r.by_pages[n][i] for r in rows]) for i in range(3))] for n in done]
    )
    if done:
        curves = {
            what: ([float(n) for n in done], [mean([r.by_pages[n][i] for r in rows]) for n in done])
            for i, what in enumerate(("b-P", "b-R", "b-F"))
        }
        page.figure(line_plot(curves, x="pages learned from", ylim=(0, 1.02)), "debnath-pages", "ContentExtractor")
    page.heading("Table 5: shingling and ContentExtractor, property by property")
    fast: list[Cell] = [times.seconds[n][max(times.seconds[n])] for n in names] if times else []
    page.table(
        ["property", *names],
        [
            ["what is compared", "nodes of the tree", "blocks"],
            ["similarity", "resemblance of shingles", "cosine of features and terms (IBDF)"],
            ["b-F", *(mean([r.scores[n].f1 for r in rows]) for n in names)],
            ["seconds, most pages", *(fast or [None, None])],
            ["bytes saved", *(mean([r.bytes_saved[n] for r in rows]) for n in names)],
        ],
    )
