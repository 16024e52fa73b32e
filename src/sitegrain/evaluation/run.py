"""Run methods and peers on labelled data, in one run, on the same pages."""

from __future__ import annotations

import io
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from sitegrain.errors import OutputError, SourceError, UsageError
from sitegrain.evaluation import metrics
from sitegrain.evaluation.data import PageSet, Truth
from sitegrain.evaluation.disguise import scramble_names
from sitegrain.evaluation.methods import Candidate, page_text
from sitegrain.evaluation.peers import PEERS
from sitegrain.evaluation.pool import OutOfTime, run_tasks, time_limit
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.learned.files import model_kind
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture

SECONDS_PER_PAGE = 60.0
"""A method that takes longer on one page has failed there. The slowest peer takes under 15 s on the page
set's largest page."""


@dataclass(frozen=True)
class Options:
    """How to run."""

    sample: int = 20
    """Articles per site (the README of the data measures with 20); 0 is all of them."""
    seed: int = 0
    scramble: bool = False
    no_site: bool = False
    """Show a method one page at a time, also of a site."""
    folds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By kind of model (content trees, page roles): registrable domain, host, page or site -> file that has not seen it."""
    workers: int = 2

    def model_for(self, kind: str, *names: str) -> Path | None:
        """The model of a kind that has not seen what has one of these names; None to use the shipped one."""
        index = self.folds.get(kind)
        if index is None:
            return None
        for name in names:
            if name in index:
                return Path(index[name])
        raise UsageError(f"the out-of-fold index has no model for {' or '.join(map(repr, names))}")


@dataclass(frozen=True)
class Score:
    """What one method got on one page."""

    method: str
    page: str
    group: str
    values: Mapping[str, float]
    ms: float
    error: str = ""
    data: str = ""
    """As in `Row`; set when the run ends."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    method: str
    data: str
    group: str
    metric: str
    value: float
    n: int


@dataclass(frozen=True)
class Results:
    """Everything one run found."""

    rows: tuple[Row, ...]
    scores: tuple[Score, ...]
    problems: Mapping[str, Mapping[str, int]]
    """By data set or site: what was amiss with the data, counted."""
    digests: Mapping[str, str]
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    """What a reader of the figures must know."""

    def value(self, method: str, metric: str, group: str = "all") -> float | None:
        """One figure, or None."""
        for row in self.rows:
            if (row.method, row.metric, row.group) == (method, metric, group):
                return row.value
        return None

    def write(self, folder: Path) -> None:
        """Write results.json (figures) and pages.jsonl (one line per method and page)."""
        whole = {
            "rows": [asdict(r) for r in self.rows],
            "digests": dict(self.digests),
            "versions": dict(self.versions),
            "problems": {k: dict(v) for k, v in self.problems.items()},
            "notes": list(self.notes),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(asdict(score), ensure_ascii=False) + "\n" for score in self.scores)
            _write_whole(folder / "pages.jsonl", lines)
            _write_whole(folder / "results.json", [json.dumps(whole, indent=1) + "\n"])
        except OSError as error:
            raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from error


def check_out(folder: Path, data: Path) -> None:
    """Raise now, before minutes of measuring, when results could not be written there."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file: give a folder for the results")
    if data.is_dir() and folder.resolve().is_relative_to(data.resolve()):
        raise UsageError(
            f"{folder} is inside the data, whose digest it would change: give another folder for the results"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(folder / ".sitegrain-check", [])
        (folder / ".sitegrain-check").unlink()
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from error


def _write_whole(path: Path, lines: Iterable[str]) -> None:
    """Write a file whole or not at all: who reads an old result never reads half of a new one."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as out:
        out.writelines(lines)
    part.replace(path)


Progress = Callable[[int, int], None]
"""Called with (tasks done, tasks in all)."""


# Page sets


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
        if error:
            out.append(_crashed(method, task.truth, error, ms))
        else:
            values = page_values(text, task.truth)
            out.append(Score(method.name, task.truth.name, task.truth.page_type, values, ms))
    return out


@lru_cache(maxsize=64)
def warm_up(method: Candidate) -> None:
    """Let a method import and load what it needs, once a process, so that no page's time has it."""
    guarded(lambda: page_text(method, Capture("http://warm.example/", b"<p>Warm.</p>")))


def guarded(call: Callable[[], str]) -> tuple[str, str]:
    """(result, "") or ("", what went wrong). Errors that speak to the user pass through."""
    try:
        # Peers print to both; the lines would run through the progress bar.
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), time_limit(SECONDS_PER_PAGE):
            return call(), ""
    except (UsageError, KeyboardInterrupt):
        raise
    except (Exception, OutOfTime, RecursionError) as error:
        return "", f"{type(error).__name__}: {error}"[:300]


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


def by_group(scores: Iterable[Score]) -> Iterator[tuple[str, str, list[Score]]]:
    """(method, group, scores) for the group `all` and for each group."""
    found: dict[str, dict[str, list[Score]]] = {}
    for score in scores:
        groups = found.setdefault(score.method, {"all": []})
        groups["all"].append(score)
        groups.setdefault(score.group, []).append(score)
    for method, groups in found.items():
        for group in ["all", *sorted(g for g in groups if g != "all")]:
            yield method, group, groups[group]


# Models


def read_folds(folders: Iterable[Path]) -> dict[str, dict[str, str]]:
    """The out-of-fold indexes of folders of models: `index.json`, {"models": {domain or site: file}}.

    The models of a folder are of one kind, which the files themselves say.
    """
    out: dict[str, dict[str, str]] = {}
    for folder in folders:
        path = folder / "index.json"
        try:
            models = json.loads(path.read_text(encoding="utf-8"))["models"]
            found = {str(k): str(folder / v) for k, v in models.items()}
        except OSError as error:
            raise SourceError(
                f"cannot read {path} ({error.strerror or error}): an out-of-fold folder holds models and index.json, as "
                "`python -m sitegrain.training` writes them"
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f'{path} is not {{"models": {{"name": "file"}}}}: {error}') from error
        missing = sorted({f for f in found.values() if not os.path.isfile(f)})
        if missing:
            raise SourceError(f"{path} names models that are not there: {', '.join(missing[:3])}")
        if found:
            kind = model_kind(min(found.values()))
            if kind in out:
                raise UsageError(f"two folders of models of the same kind ({kind}): give one of each")
            out[kind] = found
    return out


def versions(methods: Iterable[Candidate]) -> dict[str, str]:
    """Versions of what was measured, and of what it ran on."""
    out = {"python": platform.python_version()}
    packages = ["sitegrain", "selectolax", "numpy", "scipy"]
    packages += [PEERS[m.name].package for m in methods if m.kind == "peer"]
    for package in packages:
        try:
            out[package] = version(package)
        except PackageNotFoundError:
            continue
    return out
