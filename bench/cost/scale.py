"""How `mine` grows with a site: time per page, memory of all processes and room on disk, and what a second worker brings.

    python bench/cost/scale.py [PAGES ...] [--alone]

Sites are editions of the demo newspaper (150 pages each, one seed an edition, each in a folder of its own address).
They are written to a Parquet file first, which is then mined, so that making them counts nowhere. Prints
ratios: CPU per page to that of the first size; memory by page, beyond that of the size before; the most room that files took at any time, the growing result among them, and the
room of the finished result, both to the HTML. What a second worker brings is told by the clock, which is right on a machine that does
nothing else, on runs that nobody watches (looking at memory and files takes the parent's time), and by CPU, which
other load changes less: that of a run on one worker to the length of the run on two where nobody waits for a disk or for other programs: of
each step (a pass, and what the parent does between two of them) the busiest process, or half of all. The steps are printed to stderr. What every stage took is printed to stderr as it ends: a run that is cut short has said something.
`--alone` leaves out the run on one worker, which is made up to 10,000 pages. Reads /proc, so it runs on Linux.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.demo import generate
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.processes.runners import OnPart, ProcessRunner
from sitegrain.plan.stages import Stage
from sitegrain.result.arrow import be_lean
from sitegrain.sources.parquet import ParquetSource

SIZES = (1_000, 10_000, 100_000)
EDITION = 150


def editions(n_pages: int) -> Iterator[list[tuple[str, bytes]]]:
    """The first pages of a newspaper of many editions, edition by edition: paths and HTML. Links stay within the edition."""
    for seed in range(-(-n_pages // EDITION)):
        with tempfile.TemporaryDirectory() as folder:
            truth = generate(folder, seed)
            pages = truth.pages[: n_pages - seed * EDITION]
            bodies = [(truth.html / page.path).read_bytes().replace(b'="/', b'="/%d/' % seed) for page in pages]
        yield [(f"{seed}/{page.path}", body) for page, body in zip(pages, bodies, strict=True)]


def written(n_pages: int, file: Path) -> int:
    """Those pages in a Parquet file; the bytes of their HTML."""
    n_bytes = 0
    schema = pa.schema({"url": pa.string(), "html": pa.binary()})
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        for edition in editions(n_pages):
            urls = [f"http://courier.example/{path}" for path, _ in edition]
            bodies = [body for _, body in edition]
            out.write_table(pa.table({"url": urls, "html": bodies}, schema=schema))
            n_bytes += sum(map(len, bodies))
    return n_bytes


class Watch(threading.Thread):
    """Looks five times a second at the memory of this process and its children, and at the size of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.memory = self.disk = 0
        self.busy: dict[str, float] = {}
        """CPU seconds of every process."""
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(0.2):
            processes = family()
            self.memory = max(self.memory, sum(map(resident, processes)))
            self.busy.update((process, seconds) for process in processes if (seconds := busy(process)))
            self.disk = max(self.disk, sum(size(path) for path in self.folder.rglob("*")))


def size(path: Path) -> int:
    """Bytes of a file; 0 for one that has gone."""
    try:
        return path.stat().st_blocks * 512
    except OSError:
        return 0


def family() -> list[str]:
    """This process, those that it started, and those that they started."""
    found = ["self"]
    for process in found:  # which grows meanwhile
        with suppress(OSError):
            found += [w for path in Path(f"/proc/{process}/task").glob("*/children") for w in path.read_text().split()]
    return found


def resident(process: str) -> int:
    """Bytes of memory of a process; of what it shares with others (the code of libraries) its share, so that the sum of all is
    what they take together."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def busy(process: str) -> float:
    """CPU seconds of a process; 0 for one that has gone."""
    try:
        columns = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


class Timeline:
    """CPU seconds of every process at the beginning and end of each pass on workers."""

    def __init__(self) -> None:
        self.marks: list[tuple[str, float, dict[str, float]]] = []

    def mark(self, what: str) -> None:
        """A step ends."""
        others = {process: busy(process) for process in family() if process != "self"}
        self.marks.append((what, time.thread_time(), others))  # without the thread that watches

    def run(self, runner: ProcessRunner, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        """In place of `ProcessRunner.run`."""
        self.mark(f"before {stage.name}")
        lost = _run(runner, stage, parts, on_part)
        self.mark(stage.name)
        return lost

    @property
    def seconds(self) -> float:
        """How long the steps take on two cores that nobody else uses; each is printed."""
        total = 0.0
        for (_, parent, before), (what, end, after) in itertools.pairwise(self.marks):
            workers = sorted((seconds - before.get(process, 0.0) for process, seconds in after.items()), reverse=True)
            each = [end - parent, *workers]
            total += max(*each, sum(each) / 2)
            told = ", ".join(f"{seconds:.2f}" for seconds in each)
            print(f"{what}: parent and workers {told} s of CPU", file=sys.stderr, flush=True)
        return total


_run = ProcessRunner.run


class Run:
    """`mine` of a site: what it took."""

    def __init__(self, pages: Path, html: int, workers: int, is_watched: bool) -> None:
        self.html, self.stage, self.told = html, "", time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            self.watch = Watch(Path(folder))
            if is_watched:
                self.watch.start()
            self.line = Timeline()
            before, start = cpu(), time.perf_counter()
            if is_watched:
                ProcessRunner.run = lambda *its: self.line.run(*its)  # type: ignore[method-assign]
            self.line.mark("start")
            mine(ParquetSource(pages), out, means=Means(workers=workers, on_progress=self.tell if is_watched else None))
            self.wall = time.perf_counter() - start
            self.line.mark("the end")
            ProcessRunner.run = _run  # type: ignore[method-assign]
            self.cpu = cpu() - before
            self.watch.ends.set()
            if is_watched:
                self.watch.join()
            self.result = sum(size(path) for path in out.rglob("*"))

    def tell(self, what: str, done: int, total: int) -> None:
        """Print what was used up to now: when a stage begins, when it ends, and every half minute."""
        now = time.perf_counter()
        if what != self.stage or done == total or now - self.told > 30:
            self.stage, self.told = what, now
            used = ", ".join(f"{seconds:.0f}" for seconds in dict(self.watch.busy).values())
            room = f"{self.watch.memory >> 20} MB at most, disk {self.watch.disk / self.html:.2f} of the HTML"
            print(f"{what} {done:,} of {total:,}: CPU seconds {used}; {room}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> None:
    be_lean()  # as the command is
    first, before = 0.0, (0, 0)
    is_alone = "--alone" in arguments
    sizes = [int(word) for word in arguments if word != "--alone"] or list(SIZES)
    print(
        "| pages | HTML MB | CPU ms per page | to the first | peak MB | KB a page beyond | disk / HTML | result / HTML | one worker / two, wall | by CPU |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for n_pages in sizes:
        with tempfile.TemporaryDirectory() as folder:
            pages = Path(folder) / "pages.parquet"
            html = written(n_pages, pages)
            two = Run(pages, html, 2, is_watched=True)
            each = two.cpu / n_pages * 1000
            first = first or each
            row = f"| {n_pages:,} | {html / 1e6:.1f} | {each:.1f} | {each / first:.2f} | {two.watch.memory >> 20} | "
            more, pages_more = two.watch.memory - before[0], n_pages - before[1]
            row += f"{more / pages_more / 1024:.1f} | " if before[1] and pages_more > 0 else "| "
            before = two.watch.memory, n_pages
            row += f"{two.watch.disk / html:.2f} | {two.result / html:.2f} |"
            print(row, end=" ", flush=True)
            if n_pages <= 10_000 and not is_alone:
                one, quiet = (Run(pages, html, workers, is_watched=False) for workers in (1, 2))
                print(f"{one.wall / quiet.wall:.2f} | {one.cpu / two.line.seconds:.2f} |", flush=True)
            else:
                print("| |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
