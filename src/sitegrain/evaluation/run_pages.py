"""Methods and peers on page sets: the text of single pages, by page type."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from sitegrain.errors import UsageError
from sitegrain.evaluation import metrics
from sitegrain.evaluation.data import PageSet, Truth
from sitegrain.evaluation.methods import Candidate, page_answer
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.results import Results, Row, Score, by_group, versions
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.plan.processes.pool import guarded, run_tasks
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture
from sitegrain.text.language import text_language


@dataclass(frozen=True)
class PageTask:
    """Some methods on one page."""

    methods: tuple[Candidate, ...]
    capture: Capture
    truth: Truth
    model: Path | None


def evaluate_pages(data: PageSet, methods: Sequence[Candidate], options: Options, progress: Progress) -> Results:
    """Word-level scores of the methods on a page set, by page type."""
    usable = tuple(m for m in methods if m.kind != "page")
    if not usable:
        raise UsageError("a page method ranks the pages of a site: it cannot be measured on a page set")

    def tasks() -> Iterator[PageTask]:
        for capture, truth in data.captures():
            page = options.shown(capture, truth.name)
            host = host_of(truth.url)
            yield PageTask(usable, page, truth, options.model_for(CONTENT_KIND, site_key(host), host, truth.name))

    scores: list[Score] = []
    total = len(data.truths)
    progress(0, total)
    answers = run_tasks(
        score_page,
        tasks(),
        workers=options.workers,
        split=lambda task: [replace(task, methods=(m,)) for m in task.methods],
        give_up=lambda task: [_crashed(task.methods[0], task.truth, "the process died")],
    )
    for answer in answers:
        scores += answer
        progress(len(scores) // len(usable), total)
    scores.sort(key=lambda s: (s.method, s.page))
    name = data.name + (" scrambled" if options.scramble else "")
    return Results(
        rows=tuple(page_rows(scores, name)),
        scores=tuple(replace(s, data=name) for s in scores),
        problems={data.name: amiss} if (amiss := {k: v for k, v in data.counts.items() if v}) else {},
        digests={name: data.digest},
        versions=versions(usable),
    )


def score_page(task: PageTask) -> list[Score]:
    """Run in a worker: the scores of one page."""
    out = []
    for method in task.methods:
        warm_up(method)
        begin = time.process_time()
        answer, error = guarded(lambda m=method: page_answer(m, task.capture, task.model))  # type: ignore[misc]
        ms = 1000 * (time.process_time() - begin)
        if answer is None:
            out.append(_crashed(method, task.truth, error, ms))
        else:
            values = page_values(answer.text, task.truth)
            if answer.confidence is not None:
                values |= {"confidence": answer.confidence, "doubted": float(answer.is_doubted)}
            out.append(_score(method, task.truth, values, ms))
    return out


@lru_cache(maxsize=64)
def warm_up(method: Candidate) -> None:
    """Let a method import and load what it needs, once a process, so that no page's time has it."""
    guarded(lambda: page_answer(method, Capture("http://warm.example/", b"<p>Warm.</p>")))


def page_values(text: str, truth: Truth) -> dict[str, float]:
    """All measures of one page of a page set: by snippets where no whole text is known."""
    if truth.is_partial:
        values = _named("snippet", metrics.snippet_prf(text, truth.snippets, truth.noise))
    else:
        shingle = metrics.shingle_counts(text, truth.text)
        values = {
            **_named("word", metrics.word_prf(text, truth.text)),
            **_named("token", metrics.token_prf(text, truth.text)),
            "shingle_tp": shingle.tp,
            "shingle_fp": shingle.fp,
            "shingle_fn": shingle.fn,
        }
    for name, snippets in (("with", truth.snippets), ("without", truth.noise)):
        rate = metrics.snippet_rate(text, snippets)
        if rate is not None:
            values[name] = rate
    return values


def _named(kind: str, found: metrics.PRF) -> dict[str, float]:
    return {f"{kind}_{name}": value for name, value in found._asdict().items()}


def _score(method: Candidate, truth: Truth, values: Mapping[str, float], ms: float, error: str = "") -> Score:
    language = text_language(truth.text or " ".join(truth.snippets))
    return Score(
        method.name, truth.name, truth.page_type, values, ms, error, language=language, is_doubtful=truth.is_doubtful
    )


def _crashed(method: Candidate, truth: Truth, error: str, ms: float = 0.0) -> Score:
    # A crash scores 0 even where there was nothing to find: no answer is no right answer.
    values = {name: 0.0 if name in _MEANS else value for name, value in page_values("", truth).items()}
    return _score(method, truth, values, ms, error)


_MEANS = tuple(f"{kind}_{what}" for kind in ("word", "token", "snippet") for what in ("f1", "precision", "recall"))
"""Measures whose figure is their mean over pages."""


def page_rows(scores: Iterable[Score], data: str) -> Iterator[Row]:
    """Figures of a page set: for all pages, by page type and by language."""
    for method, group, mine in by_group(scores, by_language=True):
        n = len(mine)
        for metric in _MEANS:
            values = [s.values[metric] for s in mine if metric in s.values]
            if not values:
                continue
            yield Row(method, data, group, metric, float(np.mean(values)), len(values))
            if metric in ("word_f1", "snippet_f1"):
                interval = metrics.bootstrap(values)
                yield Row(method, data, group, f"{metric}_low", interval.low, len(values))
                yield Row(method, data, group, f"{metric}_high", interval.high, len(values))
        whole = [s.values for s in mine if "shingle_tp" in s.values]
        if whole:
            counts = (metrics.ShingleCounts(v["shingle_tp"], v["shingle_fp"], v["shingle_fn"]) for v in whole)
            yield Row(method, data, group, "shingle_f1", metrics.shingle_prf(counts).f1, len(whole))
        for metric in ("with", "without"):
            rates = [s.values[metric] for s in mine if metric in s.values]
            if rates:
                yield Row(method, data, group, f"{metric}_rate", float(np.mean(rates)), len(rates))
        yield Row(method, data, group, "ms_per_page", float(np.mean([s.ms for s in mine])), n)
        yield Row(method, data, group, "crashes", float(sum(bool(s.error) for s in mine)), n)
