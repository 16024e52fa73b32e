"""Methods and peers on page sets: the text of single pages, by page type."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from sitegrain.errors import UsageError
from sitegrain.evaluation import metrics
from sitegrain.evaluation.data import PageSet, Truth
from sitegrain.evaluation.disguise import scramble_names
from sitegrain.evaluation.methods import Candidate, page_text
from sitegrain.evaluation.options import Options, Progress
from sitegrain.evaluation.pool import guarded, run_tasks
from sitegrain.evaluation.results import Results, Row, Score, by_group, versions
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture


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
            page = scramble_names(capture, truth.name) if options.scramble else capture
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
        text, error = guarded(lambda m=method: page_text(m, task.capture, task.model))  # type: ignore[misc]
        ms = 1000 * (time.process_time() - begin)
        if text is None:
            out.append(_crashed(method, task.truth, error, ms))
        else:
            values = page_values(text, task.truth)
            out.append(Score(method.name, task.truth.name, task.truth.page_type, values, ms))
    return out


@lru_cache(maxsize=64)
def warm_up(method: Candidate) -> None:
    """Let a method import and load what it needs, once a process, so that no page's time has it."""
    guarded(lambda: page_text(method, Capture("http://warm.example/", b"<p>Warm.</p>")))


def page_values(text: str, truth: Truth) -> dict[str, float]:
    """All measures of one page of a page set."""
    word = metrics.word_prf(text, truth.text)
    shingle = metrics.shingle_counts(text, truth.text)
    values = {
        "word_precision": word.precision,
        "word_recall": word.recall,
        "word_f1": word.f1,
        "shingle_tp": shingle.tp,
        "shingle_fp": shingle.fp,
        "shingle_fn": shingle.fn,
    }
    for name, snippets in (("with", truth.snippets), ("without", truth.noise)):
        rate = metrics.snippet_rate(text, snippets)
        if rate is not None:
            values[name] = rate
    return values


def _crashed(method: Candidate, truth: Truth, error: str, ms: float = 0.0) -> Score:
    # A crash scores 0 even where there was nothing to find: no answer is no right answer.
    values = page_values("", truth) | {"word_precision": 0.0, "word_recall": 0.0, "word_f1": 0.0}
    return Score(method.name, truth.name, truth.page_type, values, ms, error)


def page_rows(scores: Iterable[Score], data: str) -> Iterator[Row]:
    """Figures of a page set: for all pages and by page type."""
    for method, group, mine in by_group(scores):
        n = len(mine)
        for metric in ("word_f1", "word_precision", "word_recall"):
            values = np.array([s.values[metric] for s in mine])
            yield Row(method, data, group, metric, float(values.mean()), n)
        interval = metrics.bootstrap([s.values["word_f1"] for s in mine])
        yield Row(method, data, group, "word_f1_low", interval.low, n)
        yield Row(method, data, group, "word_f1_high", interval.high, n)
        shingles = metrics.shingle_prf(
            metrics.ShingleCounts(s.values["shingle_tp"], s.values["shingle_fp"], s.values["shingle_fn"]) for s in mine
        )
        yield Row(method, data, group, "shingle_f1", shingles.f1, n)
        for metric in ("with", "without"):
            rates = [s.values[metric] for s in mine if metric in s.values]
            if rates:
                yield Row(method, data, group, f"{metric}_rate", float(np.mean(rates)), len(rates))
        yield Row(method, data, group, "ms_per_page", float(np.mean([s.ms for s in mine])), n)
        yield Row(method, data, group, "crashes", float(sum(bool(s.error) for s in mine)), n)
