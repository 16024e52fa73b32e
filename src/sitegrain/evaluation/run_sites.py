"""Methods and peers on labelled sites: text of articles, blocks, and roles of pages.

One task is one site: it is read once, every method sees the same tables. Text methods see the pages as they
are; page methods see them without the hints that the page kinds were read from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import above
from sitegrain.evaluation import metrics
from sitegrain.evaluation.data import LabelledSite
from sitegrain.evaluation.disguise import blank_role_hints
from sitegrain.evaluation.gold import Gold, gold_nodes
from sitegrain.evaluation.methods import (
    Candidate,
    node_verdict,
    page_answer,
    page_verdict,
)
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.results import Results, Row, Score, by_group, versions
from sitegrain.evaluation.run_pages import warm_up
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.methods.base import ARTICLE, TOC, NodeVerdict
from sitegrain.plan.processes.pool import SECONDS_PER_PAGE, guarded, run_tasks
from sitegrain.render import to_text
from sitegrain.roles.model import KIND as ROLES_KIND
from sitegrain.roles.model import default_trees
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.language import primary_language

SECONDS_PER_SITE = 1800.0
"""A method that takes longer on one site has failed there: 0.5 s a page for the largest labelled site."""
REPEATED = 0.02
"""A site of whose gold text more than this share repeats over its articles is reported apart."""


@dataclass(frozen=True)
class SiteTask:
    """Some methods on one site."""

    methods: tuple[Candidate, ...]
    site: LabelledSite
    options: Options


@dataclass
class SiteAnswer:
    """What a worker found on one site."""

    scores: list[Score] = field(default_factory=list)
    figures: list[tuple[str, str, float, int]] = field(default_factory=list)
    """(method, metric, value, n) of the site as a whole."""
    counts: Counter[str] = field(default_factory=Counter)
    site: str = ""
    n_methods: int = 1
    repeated: float = 0.0


def evaluate_sites(
    data: Sequence[LabelledSite], methods: Sequence[Candidate], options: Options, progress: Progress
) -> Results:
    """Scores of the methods on labelled sites; the group `all` is the mean over sites."""
    tasks = [SiteTask(tuple(methods), site, options) for site in data]
    progress(0, len(tasks))
    answers: dict[str, SiteAnswer] = {}
    done = 0
    for answer in run_tasks(
        score_site,
        tasks,
        workers=min(options.workers, len(tasks)),
        split=lambda task: [replace(task, methods=(m,)) for m in task.methods],
        give_up=_died,
    ):
        whole = answers.setdefault(answer.site, SiteAnswer(site=answer.site))
        whole.scores += answer.scores
        whole.figures += answer.figures
        whole.counts |= answer.counts
        whole.repeated = max(whole.repeated, answer.repeated)
        done += answer.n_methods
        progress(done // len(methods), len(tasks))
    name = data[0].name if len(data) == 1 else f"{len(data)} sites"
    name += " scrambled" if options.scramble else ""
    ordered = [answers[k] for k in sorted(answers)]
    scores = sorted((s for a in ordered for s in a.scores), key=lambda s: (s.method, s.group, s.page))
    digests = {site.name: site.digest for site in data}
    language = {site.name: primary_language(site.language.partition("/")[0]) for site in data}
    return Results(
        rows=tuple(site_rows(ordered, name)),
        scores=tuple(replace(s, data=name, language=language[s.group]) for s in scores),
        problems={a.site: dict(+a.counts) for a in ordered if +a.counts},
        digests=digests,
        versions=versions(methods),
        notes=tuple(_in_sample(methods, options, digests)),
    )


def _in_sample(methods: Sequence[Candidate], options: Options, digests: Mapping[str, str]) -> Iterator[str]:
    """Say so when page roles were judged by trees that learned from these very sites."""
    names = [m.name for m in methods if m.has_role_trees and not (options.no_site and m.kind == "default")]
    if not names or ROLES_KIND in options.folds:
        return
    learned = set(default_trees().about.get("sites", ()))
    seen = [name for name, digest in digests.items() if digest in learned]
    if seen:
        yield (
            f"page roles of {', '.join(names)} are in-sample on {len(seen)} of {len(digests)} sites: the shipped trees "
            "learned from them; --out-of-fold DIR (of `python -m sitegrain.training roles`) gives honest figures"
        )


def site_rows(answers: Sequence[SiteAnswer], data: str) -> Iterator[Row]:
    """Figures per site, and their mean over sites."""
    table: dict[tuple[str, str], dict[str, tuple[float, int]]] = {}
    pages: dict[str, npt.NDArray[np.float64]] = {}
    for answer in answers:
        for method, group, mine in by_group(answer.scores):
            if group == "all":
                continue
            for metric, value in _text_figures(mine):
                table.setdefault((method, metric), {})[group] = (value, len(mine))
            pages[method] = np.array([s.values["token_f1"] for s in mine])
        for method, metric, value, n in answer.figures:
            table.setdefault((method, metric), {})[answer.site] = (value, n)
    apart = {a.site for a in answers if a.repeated > REPEATED}
    for (method, metric), sites in table.items():
        rest = {k: v for k, v in sites.items() if k not in apart}
        for group, chosen in (("all", sites), ("all, gold repeats nothing", rest)):
            if not chosen or (group != "all" and not apart):
                continue
            values = np.array([v for v, _ in chosen.values()])
            value = float(values.sum() if metric == "crashes" else values.mean())
            yield Row(method, data, group, metric, value, len(values))
            if metric == "token_f1":
                # Sites are what varies; of one site, its pages are all there is to draw from.
                interval = metrics.bootstrap(values if len(answers) > 1 else pages[method])
                yield Row(method, data, group, "token_f1_low", interval.low, len(values))
                yield Row(method, data, group, "token_f1_high", interval.high, len(values))
        for site in sorted(sites):
            yield Row(method, data, site, metric, *sites[site])
    for answer in answers:
        yield Row("gold", data, answer.site, "gold_repeated", answer.repeated, 1)


def _text_figures(scores: Sequence[Score]) -> Iterator[tuple[str, float]]:
    for metric in ("token_f1", "token_precision", "token_recall"):
        yield metric, float(np.mean([s.values[metric] for s in scores]))
    yield "ms_per_page", float(np.mean([s.ms for s in scores]))
    yield "crashes", float(sum(bool(s.error) for s in scores))


# In the worker


def score_site(task: SiteTask) -> SiteAnswer:
    """Run in a worker: the scores of the methods on one site."""
    labelled, options = task.site, task.options
    answer = SiteAnswer(site=labelled.name, n_methods=len(task.methods))
    sample = labelled.sample(options.sample, options.seed)
    plain = list(labelled.captures())
    seen = {c.path for c in plain}
    answer.counts["label_of_absent_page"] = len(set(labelled.labels) - seen)
    captures = [options.shown(c, labelled.name) for c in plain]
    begin = time.process_time()
    site = build_site(captures)
    build_ms = 1000 * (time.process_time() - begin) / max(1, len(captures))
    gold = gold_nodes(site, labelled, plain)
    answer.counts.update(gold.counts)
    answer.repeated = repeated_gold(site, gold)
    wanted = [path for path in sample if path in gold.texts]
    answer.counts["sampled_article_without_gold"] = len(sample) - len(wanted)
    blank: Site | None = None
    for method in task.methods:
        if method.kind == "page" or (method.kind == "default" and not options.no_site):
            if blank is None:
                blank = build_site(blank_role_hints(c) for c in captures)
            answer.figures += _roles(method, task, blank)
        if method.kind == "peer" or (options.no_site and method.kind != "page"):
            answer.scores += _alone(method, task, captures, gold, wanted)
        elif method.kind != "page":
            _nodes(method, task, site, gold, wanted, build_ms, answer)
    return answer


def _alone(
    method: Candidate, task: SiteTask, captures: Sequence[Capture], gold: Gold, wanted: Sequence[str]
) -> Iterator[Score]:
    model = task.options.model_for(CONTENT_KIND, task.site.name) if method.kind == "default" else None
    by_path = {c.path: c for c in captures}
    warm_up(method)
    for path in wanted:
        begin = time.process_time()
        text, error = guarded(lambda p=path: page_answer(method, by_path[p], model).text)  # type: ignore[misc]
        ms = 1000 * (time.process_time() - begin)
        yield _score(method, task.site.name, path, text or "", gold.texts[path], ms, error)


def _nodes(
    method: Candidate,
    task: SiteTask,
    site: Site,
    gold: Gold,
    wanted: Sequence[str],
    build_ms: float,
    answer: SiteAnswer,
) -> None:
    model = task.options.model_for(CONTENT_KIND, task.site.name) if method.kind == "default" else None
    begin = time.process_time()
    verdict, error = guarded(lambda: node_verdict(method, site, model), _limit(site))
    ms = build_ms + 1000 * (time.process_time() - begin) / max(1, site.n_pages)
    row = {path: p for p, path in enumerate(site.pages.path)}
    for path in wanted:
        text = to_text(site, row[path], verdict.node_kept) if verdict else ""
        answer.scores.append(_score(method, answer.site, path, text, gold.texts[path], ms, error))
    answer.figures += ((method.name, *figure) for figure in node_figures(site, gold, verdict))


def _roles(method: Candidate, task: SiteTask, site: Site) -> Iterator[tuple[str, str, float, int]]:
    labels = task.site.labels
    model = task.options.model_for(ROLES_KIND, task.site.name) if method.has_role_trees else None
    verdict, error = guarded(lambda: page_verdict(method, site, model), _limit(site))
    rows = [p for p, path in enumerate(site.pages.path) if path in labels]
    zero = np.zeros(len(rows))
    toc = verdict.page_toc[rows] if verdict else zero
    role = verdict.page_role[rows] if verdict else zero
    for metric, value, n in role_figures(toc, role, [labels[site.pages.path[p]].kind for p in rows]):
        yield method.name, metric, value if verdict else 0.0, n
    if method.kind == "page":
        yield method.name, "crashes", float(bool(error)), 1


def role_figures(
    toc_score: npt.NDArray[np.float64], role: npt.NDArray[np.generic], kinds: Sequence[str]
) -> Iterator[tuple[str, float, int]]:
    """LAMIS's measures of a ranking of TOC pages, and F of the roles."""
    kind = np.array(kinds, dtype="<U8")
    is_toc, is_article = kind == "toc", kind == "article"
    if is_toc.any():
        ranked = metrics.rank_labels(toc_score, is_toc)
        n = int(is_toc.sum())
        yield "toc_r_precision", metrics.r_precision(ranked), n
        yield "toc_precision_at_20", metrics.precision_at(ranked, 20), min(20, len(ranked))
        for level, value in enumerate(metrics.precision_at_recall(ranked)):
            yield f"toc_precision_at_recall_{level / 10:.1f}", float(value), n
        yield "toc_f1", metrics.coverage_prf(np.asarray(role == TOC), is_toc).f1, len(kind)
    if is_article.any():
        yield "article_f1", metrics.coverage_prf(np.asarray(role == ARTICLE), is_article).f1, len(kind)


def node_figures(site: Site, gold: Gold, verdict: NodeVerdict | None) -> Iterator[tuple[str, float, int]]:
    """b-F over blocks and IC over text on article pages, SNC over anchors on TOC pages (micro averages)."""
    kept = verdict.node_kept if verdict else np.zeros(site.n_nodes, np.bool_)
    length = (site.nodes.text_end - site.nodes.text_start).astype(np.float64)
    articles = np.isin(site.nodes.page, gold.pages("article")) & site.is_text
    if articles.any():
        score = metrics.ic(kept[articles], gold.node_gold[articles], length[articles])
        yield "ic_f1", score.f1 if verdict else 0.0, int(articles.sum())
        if verdict is not None and len(verdict.blocks):
            block = np.where(articles, verdict.node_block, -1)
            true = metrics.block_gold(block, gold.node_gold, length, len(verdict.blocks))
            there = np.bincount(block[block >= 0], minlength=len(verdict.blocks)) > 0
            found = verdict.blocks.is_informative
            yield "b_f1", metrics.block_prf(found[there], true[there]).f1, int(there.sum())
    tocs = np.isin(site.nodes.page, gold.pages("toc"))
    if tocs.any():
        is_anchor = site.nodes.tag == TAG_CODE["a"]
        found, true = above(kept, site.nodes.end), above(gold.node_gold, site.nodes.end)
        mine = tocs & is_anchor
        yield "snc_f1", metrics.snc(found[mine], true[mine], is_anchor[mine]).f1, int(mine.sum())


def repeated_gold(site: Site, gold: Gold) -> float:
    """Share of the gold text of articles in text nodes that stand in the gold of a tenth of the articles.

    Such text (a donation line, a signature) is gold by the label and template by the site's own evidence.
    """
    pages = gold.pages("article")
    rows = np.flatnonzero(gold.node_gold & np.isin(site.nodes.page, pages))
    if len(pages) < 10 or not len(rows):
        return 0.0
    text = site.text_id[rows].astype(np.int64)
    pairs = np.unique(text * site.n_pages + site.nodes.page[rows]) // site.n_pages
    on_pages = np.bincount(pairs, minlength=int(text.max()) + 1)
    length = site.nodes.text_end[rows] - site.nodes.text_start[rows]
    return float(length[on_pages[text] >= max(2, len(pages) / 10)].sum() / length.sum())


def _score(method: Candidate, site: str, path: str, text: str, true: str, ms: float, error: str) -> Score:
    score = metrics.PRF(0.0, 0.0, 0.0) if error else metrics.token_prf(text, true)
    values: Mapping[str, float] = {
        "token_f1": score.f1,
        "token_precision": score.precision,
        "token_recall": score.recall,
    }
    return Score(method.name, path, site, values, ms, error)


def _limit(site: Site) -> float:
    """Seconds that a method may take on a whole site."""
    return max(SECONDS_PER_PAGE, min(SECONDS_PER_SITE, site.n_pages))


def _died(task: SiteTask) -> SiteAnswer:
    method = task.methods[0]
    answer = SiteAnswer(site=task.site.name)
    if method.kind == "page":
        answer.figures.append((method.name, "crashes", 1.0, 1))
        answer.figures.append((method.name, "toc_r_precision", 0.0, 1))
        return answer
    for path in task.site.sample(task.options.sample, task.options.seed):
        answer.scores.append(_score(method, task.site.name, path, "", "", 0.0, "the process died"))
    return answer
