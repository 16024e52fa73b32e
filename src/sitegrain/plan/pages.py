"""Single pages in bulk: each judged alone, on all cores, in the order of the source."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import partial
from itertools import chain, islice
from pathlib import Path

from sitegrain.extractor.model import Extractor
from sitegrain.light import dataclass
from sitegrain.plan.processes.pool import OutOfTime, run_tasks, time_limit
from sitegrain.result.extracting import extract_capture
from sitegrain.result.recipe import AnyMethod, make_recipe
from sitegrain.tables.budgets import SECONDS_PER_PAGE
from sitegrain.tables.capture import Capture

BATCH = 16
"""Pages that a process is given at once: a page takes milliseconds, and so does handing it over."""
FEW = 128
"""Pages up to which this process does the work itself: another takes about a second to start, as long as these."""


@dataclass(frozen=True)
class Wanted:
    """What to make of each page: text, markdown, html or json, by these methods or this model."""

    form: str = "text"
    methods: Sequence[AnyMethod] = ()
    model: str | Path | None = None
    comments: bool = False
    front_matter: bool = False


@dataclass(frozen=True)
class Extracted:
    """What came out of one page."""

    name: str
    """The file or the address of the page."""
    text: str = ""
    """In the form that was wanted."""
    is_empty: bool = True
    known: float = 1.0
    """How well the page fits the model of its site; 1 where nobody can tell."""
    notes: tuple[str, ...] = ()
    """What to know of it, where the form does not say it itself."""
    problem: str = ""


@dataclass(frozen=True)
class _Batch:
    number: int
    pages: list[Capture]


@dataclass(frozen=True)
class _Answer:
    number: int
    pages: list[Extracted] = field(default_factory=list)


def extract_all(captures: Iterable[Capture], wanted: Wanted, workers: int) -> Iterator[Extracted]:
    """What is in each page, in their order, as soon as it is known.

    A page that takes too long, or that kills its process, is one page: its `problem` says so.
    """
    pages = iter(captures)
    first = list(islice(pages, FEW + 1))
    if workers < 2 or len(first) <= FEW:
        yield from (_extracted(page, wanted) for page in chain(first, pages))
        return
    waiting: dict[int, list[Extracted]] = {}
    following = 0
    answers = run_tasks(
        partial(_batch_extracted, wanted=wanted), _batches(chain(first, pages)), workers=workers, split=_split, give_up=_given_up
    )  # fmt: skip
    for answer in answers:
        waiting.setdefault(answer.number, []).extend(answer.pages)
        while len(waiting.get(following, ())) == BATCH:
            yield from waiting.pop(following)
            following += 1
    for number in sorted(waiting):  # the last one, which may be shorter
        yield from waiting[number]


def _batches(pages: Iterator[Capture]) -> Iterator[_Batch]:
    number = 0
    while batch := list(islice(pages, BATCH)):
        yield _Batch(number, batch)
        number += 1


def _split(batch: _Batch) -> list[_Batch]:
    return [_Batch(batch.number, [page]) for page in batch.pages]


def _given_up(batch: _Batch) -> _Answer:
    return _Answer(batch.number, [Extracted(_name(page), problem="ended its process") for page in batch.pages])


def _batch_extracted(batch: _Batch, wanted: Wanted) -> _Answer:
    return _Answer(batch.number, [_extracted(page, wanted) for page in batch.pages])


def _name(page: Capture) -> str:
    return page.path or page.url


def _extracted(page: Capture, wanted: Wanted) -> Extracted:
    try:
        with time_limit(SECONDS_PER_PAGE):
            article = extract_capture(page, methods=wanted.methods, model=wanted.model, comments=wanted.comments)
            notes: tuple[str, ...] = ()
            if wanted.form == "json":
                text = json.dumps({**article.to_dict(), "path": page.path}, ensure_ascii=False)
            else:
                head = article.front_matter if wanted.front_matter and wanted.form == "markdown" else ""
                text = head + getattr(article, wanted.form)
                notes = article.notes
            judge = make_recipe(wanted.methods, wanted.model).nodes if wanted.model is not None else None
            is_fitted = isinstance(judge, Extractor) and getattr(judge, "knowledge_", None)
            known = judge.drift(article.site).known if is_fitted and isinstance(judge, Extractor) else 1.0
            return Extracted(_name(page), text, not article.text, known, notes)
    except OutOfTime as error:
        return Extracted(_name(page), problem=f"took {error} of processor time, and was given up")
