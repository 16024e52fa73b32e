"""`mine` for a site of any size: the plan from the source to the result folder."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, overload

import numpy as np

from sitegrain.arrays.types import Floats
from sitegrain.errors import OutputError, SourceError, UsageError
from sitegrain.extractor.model import Extractor
from sitegrain.light import dataclass
from sitegrain.methods.base import ROLES, TOC
from sitegrain.plan.frames import frame, read_frame
from sitegrain.plan.judging import Judged, Judging, OnProgress
from sitegrain.plan.kept import KEPT_BYTES
from sitegrain.plan.processes.runners import make_runner
from sitegrain.plan.spool import HALVED, PART_BYTES, PART_PAGES, Spool, SpooledSource
from sitegrain.plan.stages import Fresh, PartHook, RowsStage, remove_answer
from sitegrain.result.distilled import PageEdges, graphml_lines
from sitegrain.result.folder import GRAPH, ResultWriter, check_out
from sitegrain.result.mining import Input, opened
from sitegrain.result.mining import mine as mine_in_memory
from sitegrain.result.provenance import provenance
from sitegrain.result.recipe import AnyMethod, Recipe, make_recipe
from sitegrain.result.result import Result
from sitegrain.result.stored import StoredResult, open_result
from sitegrain.roles.model import SiteRoles
from sitegrain.tables.notebook import counted
from sitegrain.tables.site import Site

WORKER_BYTES = 150 << 20
"""Memory of a process with the models and a small part: 700 pages of 6 KB took 168 MB in one process and 357 in four."""
PART_FACTOR = 14
"""Memory that the tables and texts of a part take, times its HTML."""
KEPT_FACTOR = 7
"""The same of parts whose tables are kept, which are as much as one part in all."""
PAGE_BYTES = 6144
"""Memory per page of the whole site, where pages have some 25 links; without links 4 KB."""


LINES_AT_ONCE = 16 << 20
"""Bytes of lines of TOC pages that are put in order together: each group of them is unpacked once for all that are wanted of it."""


@dataclass(frozen=True)
class Means:
    """What a run may use, and how it is told how far it is."""

    workers: int = 0
    """Processes; 0 is one for each core."""
    memory: int = 0
    """Bytes that all processes together may take; 0 is no limit."""
    part_pages: int = PART_PAGES
    hooks: tuple[PartHook, ...] = ()
    """What else is to be done with each part."""
    whole: bool = False
    """The whole site is wanted in memory."""
    on_progress: OnProgress | None = field(default=None, compare=False)

    @property
    def n_workers(self) -> int:
        return self.workers or len(os.sched_getaffinity(0))

    @property
    def kept_bytes(self) -> int:
        """HTML whose tables are kept from pass to pass: as much as one part where memory is limited."""
        return PART_BYTES if self.memory else KEPT_BYTES


@overload
def mine(
    source: Input,
    out: None = None,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    save_model: str | Path | None = None,
    means: Means | None = None,
) -> Result: ...
@overload
def mine(
    source: Input,
    out: str | Path | None,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    save_model: str | Path | None = None,
    means: Means | None = None,
) -> Result | StoredResult: ...
def mine(
    source: Input,
    out: str | Path | None = None,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    save_model: str | Path | None = None,
    means: Means | None = None,
) -> Result | StoredResult:
    """Find the TOC pages, the articles and their informative text in a site; write them to `out` if given.

    `source` is an address to crawl, a folder, a WARC, Parquet or HTML file, or anything that yields captures.
    `methods` are others than the default ones, by name or with their parameters (`[SiteRoles(n_toc=3)]`); `model` is a
    file with what was learned earlier, and `save_model` the file for what is learned now; `means` says how many workers
    and how much memory may be used.

    A site of some hundred pages, one that is not written, and one for methods that need the whole site at once, is mined
    in memory: a `Result`. A larger one goes through the plan, part by part on all cores, and what comes back is its folder,
    opened: a `StoredResult`, which can be asked the same.

    >>> from sitegrain.tables.capture import Capture
    >>> result = mine([Capture("http://a.org/", b"<a href=b>All about the letter B</a>"),
    ...                Capture("http://a.org/b", b"<p>" + b"B is a fine letter. " * 20)], methods=["outlink-count"])
    >>> result
    Result(http://a.org/: 2 pages, 1 TOC page, 1 article)
    >>> result.articles[0].url
    'http://a.org/b'
    """
    means = means or Means()
    recipe = make_recipe(methods, model)
    on_page = _reading(means)

    def in_memory(given: Input, n_bytes: int = 0) -> Result:
        _need_memory(means, 1, n_bytes, 0)
        return mine_in_memory(given, out, methods=methods, model=model, save_model=save_model, on_page=on_page)

    if out is None or means.whole or isinstance(source, Site) or not _is_default(recipe):
        return in_memory(source)
    check_out(out)
    if save_model is not None and not Path(save_model).absolute().parent.is_dir():
        raise OutputError(f"cannot write the model {save_model}: there is no such folder")
    start = time.perf_counter()
    source = opened(source, out)
    with _work_folder(Path(out)) as work, make_runner(means.n_workers, means.kept_bytes) as runner:
        spool = Spool(work, means.part_pages, means.kept_bytes if means.n_workers == 1 else 0)
        for n, capture in enumerate(source, 1):
            spool.add(capture)
            if len(spool) == means.part_pages + 1:  # more than one part: workers start while the others are read
                runner.prepare()
            if on_page is not None:
                on_page(n)
        spooled = SpooledSource(spool, source)
        place = spooled.place
        if place.n_parts < 2:
            if not place.n_pages:
                raise SourceError("the source holds no page")
            return in_memory(spooled, spool.n_bytes)
        n_workers = min(means.n_workers, place.n_parts)
        part_bytes = min(PART_BYTES, spool.n_bytes // max(place.n_parts - HALVED, 1))
        _need_memory(means, n_workers, part_bytes, place.n_pages, min(means.kept_bytes, spool.n_bytes))
        judging = Judging(work, place, recipe, runner, Fresh(tuple(methods), model), means.on_progress)
        about = {"start": start, **provenance(recipe, model)}
        _Run(judging, spooled, dict(spool.counts), about).mine(Path(out), means.hooks)
        if save_model is not None:
            judging.learned().save(save_model)
    return open_result(out)


def _is_default(recipe: Recipe) -> bool:
    return type(recipe.nodes) is Extractor and type(recipe.pages) is SiteRoles


def _reading(means: Means) -> Callable[[int], None] | None:
    tell = means.on_progress
    return None if tell is None else lambda n: tell("reading", n, 0)


def _need_memory(means: Means, n_workers: int, part_bytes: int, n_pages: int, kept: int = 0) -> None:
    """`UsageError` now rather than a kill later."""
    n_processes = n_workers + 1 if n_workers > 1 else 1
    need = WORKER_BYTES * n_processes + PART_FACTOR * part_bytes * n_workers + KEPT_FACTOR * kept + PAGE_BYTES * n_pages
    if means.memory and need > means.memory:
        less = "give fewer --workers or more --memory" if n_workers > 1 else "give more --memory"
        raise UsageError(
            f"{n_pages or 'these'} pages on {counted(n_workers, 'worker')} may take {need >> 20:,} MB of memory, and "
            f"{means.memory >> 20:,} MB are allowed: {less}"
        )


@contextmanager
def _work_folder(out: Path) -> Iterator[Path]:
    """A folder beside the result, where it has as much room; gone in any case."""
    real = Path(os.path.realpath(out))
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{real.name}.part-{os.getpid()}.", dir=real.parent))
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Run:
    """One site on its way from the spool to the folder."""

    def __init__(self, judging: Judging, source: SpooledSource, counts: dict[str, int], about: dict[str, Any]) -> None:
        self.judging, self.source, self.counts, self.about = judging, source, counts, about

    def mine(self, out: Path, hooks: tuple[PartHook, ...]) -> None:
        """Judge and write, again without what was lost: a result is always that of the pages it has."""
        try:
            while not self._write(self.judging.judge(), out, hooks):
                self.judging.forget()
        except OSError as error:  # the pages are read: what is opened from here on are files of our own
            raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error

    def _write(self, judged: Judged, out: Path, hooks: tuple[PartHook, ...]) -> bool:
        judging, roles = self.judging, judged.verdict.roles
        with ResultWriter(out) as writer:
            rows = RowsStage(judging.work, judging.place, judged.first, judged.verdict, writer.folder, hooks)
            order = _InOrder(rows, judging.parts, writer)
            if not judging.run(rows, order.take):
                return False
            judging.place.remove()  # the pages are in the result: their room is for the lines of TOC pages
            order.write_lists(judging.parts, roles.page_toc)
            summary = self._summary(judged, order.failed)
            edges = PageEdges(*(np.concatenate(column) for column in zip(*order.edges, strict=True)))
            cards = judged.found.cards
            lines = graphml_lines(cards.url, cards.title, roles.page_role, edges)
            writer.finish(summary, {GRAPH: lines})
        return True

    def _summary(self, judged: Judged, failed: list[str]) -> dict[str, Any]:
        found, verdict, of, lost = judged.found, judged.verdict, self.source.of, self.judging.lost
        count = np.bincount(verdict.roles.page_role, minlength=len(ROLES)).tolist()
        skipped = {**found.skipped, **lost.counts, **self.counts, **(of.counts if of else {})}
        if failed:
            skipped["failed: a page that cannot be written whole"] = len(failed)
        start = self.about.pop("start")
        knows = verdict.extractor.knowledge_ is not None
        return {
            "pages": found.said.n_pages,
            "roles": dict(zip(ROLES, count, strict=True)),
            "templates": int(verdict.template.max(initial=-1)) + 1,
            "nodes": found.n_nodes,
            "links": found.n_links,
            "notes": [*(() if knows else ("one page only: no site evidence",)), *verdict.roles.notes],
            "source": self.source.name,
            **({"address": self.source.about} if self.source.about else {}),
            "links_inside": found.links_inside,
            "links_resolved": judged.links_resolved,
            "skipped": skipped,
            "problems": [*found.problems, *(of.problems if of else ()), *failed, *lost.problems],
            **self.about,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - start, 3),
        }


class _InOrder:
    """Puts the rows of parts into the result in the order of the parts, whatever order they come in."""

    def __init__(self, stage: RowsStage, parts: Sequence[int], writer: ResultWriter) -> None:
        self.stage, self.writer = stage, writer
        self.waiting = list(parts)[::-1]
        self.done: set[int] = set()
        self.failed: list[str] = []
        """Pages of which something could not be made."""
        self.edges = [PageEdges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
        self.lists = open(stage.work / "tocs", "w+b")  # noqa: SIM115
        """The lines of TOC pages, some packed together, until all are there to be put in order."""
        self.groups: list[tuple[int, int, int]] = []
        """Of each line: where its group is, its number there, and its bytes."""

    def take(self, part: int) -> None:
        """A part is done: write it if all before it are written, and those that waited for it."""
        self.done.add(part)
        while self.waiting and self.waiting[-1] in self.done:
            self._write(self.waiting.pop())

    def _write(self, part: int) -> None:
        rows = self.stage.rows(part)
        for name, table in rows.tables.items():
            self.writer.add_parquet(name, table)
        self.edges.append(rows.edges)
        self.failed += rows.failed
        self.writer.add_lines("articles", rows.articles)
        for lines in rows.tocs:
            at = self.lists.tell()
            self.groups += [(at, k, len(line)) for k, line in enumerate(lines.split(b"\n")[:-1])]
            self.lists.write(frame(lines))
        remove_answer(self.stage.work, "entropy", part)

    def write_lists(self, parts: Sequence[int], page_toc: Floats) -> None:
        """The lines of TOC pages: those most like one first, as they are within each part."""
        role, first = self.stage.verdict.roles.page_role, self.stage.first
        as_written: list[int] = []
        for part in parts:
            own = np.flatnonzero(role[first[part] : first[part + 1]] == TOC) + first[part]
            as_written += own[np.argsort(-page_toc[own], kind="stable")].tolist()
        group = dict(zip(as_written, self.groups, strict=True))
        page = np.array(sorted(as_written), np.int64)
        wanted: list[tuple[int, int, int]] = []
        n_bytes = 0
        for number in page[np.argsort(-page_toc[page], kind="stable")].tolist():
            wanted.append(group[number])
            n_bytes += group[number][2]
            if n_bytes >= LINES_AT_ONCE:
                self._write_lines(wanted)
                wanted, n_bytes = [], 0
        self._write_lines(wanted)
        self.lists.close()

    def _write_lines(self, wanted: list[tuple[int, int, int]]) -> None:
        """Write these lines of TOC pages in this order; a group of them is unpacked once."""
        of_group: dict[int, list[int]] = {}
        for row, (at, _, _) in enumerate(wanted):
            of_group.setdefault(at, []).append(row)
        lines = [b""] * len(wanted)
        for at in sorted(of_group):
            self.lists.seek(at)
            group = read_frame(self.lists).split(b"\n")  # not `splitlines`, which also cuts at a carriage return
            for row in of_group[at]:
                lines[row] = group[wanted[row][1]] + b"\n"
        self.writer.add_lines("tocs", b"".join(lines))
