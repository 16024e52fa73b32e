"""A site over the limit: its parts stay on the executors, and the passes of the plan go to them.

The driver has what was merged, as it has in a run on one machine, and the files of answers until they are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Floats
from sitegrain.light import dataclass
from sitegrain.methods.base import ARTICLE, TOC
from sitegrain.plan.judging import Judged, Judging
from sitegrain.plan.packing import Packed, pack
from sitegrain.plan.part import Verdict, part_result
from sitegrain.plan.processes.runners import OnPart, Runner
from sitegrain.plan.spool import PART_BYTES, Place
from sitegrain.plan.stages import Fresh, Stage, answer_file
from sitegrain.result.recipe import make_recipe
from sitegrain.spark.groups import PAGES, PIECES, SiteRow, batch_of, captures_of, packed, pieces
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PARTS = pa.schema([("site", pa.string()), ("place", pa.int64()), ("n_pages", pa.int64()), ("pages", pa.binary())])
ANSWERS = pa.schema([("part", pa.int64()), ("reason", pa.string()), ("answer", pa.binary())])
FAILED = "failed"
"""The name of a piece that says why a part could not be written."""


@dataclass(frozen=True)
class CutParts:
    """Cuts pages that come in the order of sites and keys into parts; of captures with one key the last counts."""

    part_pages: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        place = (context.partitionId() if context else 0) << 32
        rows: list[tuple[Any, ...]] = []
        size = 0
        for row in (row for batch in batches for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)):
            if rows and row[:2] == rows[-1][:2]:
                rows.pop()
            elif rows and (row[0] != rows[-1][0] or len(rows) >= self.part_pages or size >= PART_BYTES):
                yield self._part(place, rows)
                place, rows, size = place + 1, [], 0
            rows.append(row)
            size += len(row[-1])
        if rows:
            yield self._part(place, rows)

    def _part(self, place: int, rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
        pages = packed(pa.Table.from_batches([batch_of(PAGES, rows)]))
        return batch_of(PARTS, [(rows[0][0], place, len(rows), pages)])


def _captures(pages: bytes) -> tuple[Capture, ...]:
    return tuple(page for batch in pa.ipc.open_stream(pages).read_all().to_batches() for _, page in captures_of(batch))


@dataclass(frozen=True)
class SentPlace(Place):
    """Pages of parts that are elsewhere: `within` is a page's number within its part."""

    sent: tuple[Capture, ...] = ()
    """On an executor: the pages of the part at hand."""
    fetch: Callable[[dict[int, list[int]]], dict[tuple[int, int], Capture]] | None = field(default=None, compare=False)
    """On the driver: gets some pages of some parts."""

    @classmethod
    def of(cls, sizes: Sequence[int]) -> SentPlace:
        """Parts of so many pages."""
        start = offsets(sizes)
        part = np.repeat(np.arange(len(sizes)), np.diff(start))
        within = np.arange(int(start[-1])) - start[part]
        return cls(Path(), part, np.zeros(len(part), np.int64), within, start)

    def pages(self, rows: Iterable[int], lets_go: bool = False) -> Iterator[Capture]:
        rows = list(rows)
        if self.fetch is None:
            return (self.sent[int(self.within[row])] for row in rows)
        where = [(int(self.file[row]), int(self.within[row])) for row in rows]
        wanted: dict[int, list[int]] = {}
        for part, within in where:
            wanted.setdefault(part, []).append(within)
        found = self.fetch(wanted)
        return (found[at] for at in where)


class SparkRunner(Runner):
    """Runs stages where the parts are. A task that dies is tried again by Spark; a part that fails is named."""

    def __init__(self, parts: DataFrame, number: dict[int, int]) -> None:
        self.parts, self.number = parts, number

    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        from pyspark import StorageLevel
        from pyspark.sql.pandas.types import from_arrow_schema

        assert isinstance(stage.place, SentPlace)
        sent = replace(stage, work=Path(), place=replace(stage.place, fetch=None))
        task = AnswerParts(sent, self.number, frozenset(parts))
        answers = self.parts.mapInArrow(task, from_arrow_schema(ANSWERS)).persist(StorageLevel.DISK_ONLY)
        answers.count()  # all parts at once; and then one answer after the other comes to the driver
        lost: dict[int, str] = {}
        for part, reason, answer in answers.toLocalIterator():
            if reason is not None:
                lost[part] = reason
                continue
            answer_file(stage.work, stage.name, part).write_bytes(answer)
            on_part(part)
        answers.unpersist()
        return lost

    def stop(self, at_once: bool = False) -> None:
        """Nothing runs between stages."""


@dataclass(frozen=True)
class AnswerParts:
    """A stage as what is done with batches of parts."""

    stage: Stage
    number: dict[int, int]
    """The numbers of parts, by their places."""
    wanted: frozenset[int]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part, pages in _parts(batches, self.number):
            if part in self.wanted:
                stage = replace(self.stage, place=_with(self.stage.place, pages))
                try:
                    row: tuple[Any, ...] = (part, None, pack(stage.answer(part)))
                except Exception as error:  # whatever it is, it is one part: the others go on
                    row = (part, f"{type(error).__name__}: {error}", None)
                yield batch_of(ANSWERS, [row])


@dataclass(frozen=True)
class WriteParts:
    """The last pass: pieces of the result."""

    site: str
    place: SentPlace
    number: dict[int, int]
    judged: Judged
    entropy: dict[int, bytes]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        verdict: Verdict = self.judged.verdict
        for part, pages in _parts(batches, self.number):
            if part not in self.entropy:
                continue
            try:
                entropy = Packed(self.entropy[part]).read(Floats)
                site = build_site(_with(self.place, pages).captures(part))
                result = part_result(site, int(self.judged.first[part]), verdict, entropy)
                made = list(pieces(self.site, result))
                made += [
                    batch_of(PIECES, [(self.site, "faults", fault.encode("utf-8", "replace"))])
                    for fault in result.failed
                ]
            except Exception as error:  # as above
                reason = f"{part} {type(error).__name__}: {error}"
                made = [batch_of(PIECES, [(self.site, FAILED, reason.encode("utf-8", "replace"))])]
            yield from made


def _parts(batches: Iterator[pa.RecordBatch], number: dict[int, int]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        for k in range(batch.num_rows):
            if (place := batch.column("place")[k].as_py()) in number:
                yield number[place], batch.column("pages")[k].as_py()


def _with(place: Place, pages: bytes) -> SentPlace:
    assert isinstance(place, SentPlace)
    return replace(place, sent=_captures(pages))


@dataclass(frozen=True)
class FetchPages:
    """Some pages of some parts."""

    number: dict[int, int]
    wanted: dict[int, list[int]]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part, pages in _parts(batches, self.number):
            if rows := self.wanted.get(part):
                kept = pa.ipc.open_stream(pages).read_all().take(rows)
                yield batch_of(ANSWERS, [(part, None, packed(kept))])


def mine_parts(site: str, parts: DataFrame, sizes: dict[int, int], work: Path) -> tuple[DataFrame, SiteRow]:
    """Mine a site of some parts (`sizes`: pages by place); its pieces, kept on disk, and its row."""
    from pyspark import StorageLevel
    from pyspark.sql.pandas.types import from_arrow_schema

    places = sorted(sizes)
    number = {place: part for part, place in enumerate(places)}

    def fetch(wanted: dict[int, list[int]]) -> dict[tuple[int, int], Capture]:
        found = parts.mapInArrow(FetchPages(number, wanted), from_arrow_schema(ANSWERS)).collect()
        return {
            (row.part, within): page
            for row in found
            for within, page in zip(wanted[row.part], _captures(row.answer), strict=True)
        }

    place = replace(SentPlace.of([sizes[p] for p in places]), fetch=fetch)
    judging = Judging(work, place, make_recipe(), SparkRunner(parts, number), Fresh())
    while True:
        judged = judging.judge()
        assert isinstance(judging.place, SentPlace)
        entropy = {part: answer_file(work, "entropy", part).read_bytes() for part in judging.parts}
        task = WriteParts(site, replace(judging.place, fetch=None), number, judged, entropy)
        made = parts.mapInArrow(task, from_arrow_schema(PIECES)).persist(StorageLevel.DISK_ONLY)
        failed = [bytes(row.rows).decode().partition(" ") for row in made.filter(made.name == FAILED).collect()]
        if not failed:
            break
        made.unpersist()
        judging.leave_out({int(part): reason for part, _, reason in failed})
        judging.forget()
    faults = [bytes(row.rows).decode() for row in made.filter(made.name == "faults").collect()]
    roles = judged.verdict.roles.page_role
    counts = (len(roles), int((roles == TOC).sum()), int((roles == ARTICLE).sum()))
    return made, SiteRow(*counts, len(judging.parts), [*judged.found.problems, *faults, *judging.lost.problems])
