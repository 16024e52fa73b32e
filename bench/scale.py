"""How `mine` grows with a site: time per page, memory of all processes and room on disk, and what a second worker brings.

    python bench/scale.py [PAGES ...] [--alone]

Sites are editions of the demo newspaper (150 pages each, one seed an edition, each in a folder of its own address).
Pages are made while they are read and never held; the time that takes is measured on some of them before and taken off. Prints
ratios: CPU per page to that of the first size; the most room that files took at any time, the growing result among them, and the
room of the finished result, both to the HTML. What a second worker brings is told by the clock, which is right on a machine that does
nothing else, and by CPU: that of a run on one worker to that of the parent and the busier of two workers, as if the parent never
worked at the same time as they. What every stage took is printed to stderr as it ends: a run that is cut short has said something.
`--alone` leaves out the run on one worker, which is made up to 10,000 pages. Reads /proc, so it runs on Linux.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sitegrain import Capture
from sitegrain.demo import generate
from sitegrain.plan.mining import Means, mine

SIZES = (1_000, 10_000, 100_000)
SAMPLE = 3_000
"""Pages by which the time of making them is told."""
EDITION = 150


def captures(n_pages: int, total: list[int]) -> Iterator[Capture]:
    """The first pages of a newspaper of many editions; `total` gets the bytes of HTML."""
    left = n_pages
    for seed in range(-(-n_pages // EDITION)):
        with tempfile.TemporaryDirectory() as folder:
            truth = generate(folder, seed)
            for page in truth.pages[:left]:
                body = (
                    (truth.html / page.path).read_bytes().replace(b'="/', b'="/%d/' % seed)
                )  # links stay within the edition
                total[0] += len(body)
                yield Capture(f"http://courier.example/{seed}/{page.path}", body, path=f"{seed}/{page.path}")
        left -= EDITION


class Watch(threading.Thread):
    """Looks five times a second at the memory of this process and its children, and at the size of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.memory = self.disk = 0
        self.total = [0]
        """Bytes of HTML."""
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


class Run:
    """`mine` of a site of so many pages: what it took, without the making of the pages."""

    def __init__(self, n_pages: int, workers: int) -> None:
        self.n_pages, sample = n_pages, min(n_pages, SAMPLE)
        self.stage, self.told = "", time.perf_counter()
        before, start = cpu(), time.perf_counter()
        for _ in captures(sample, [0]):
            pass
        making = (cpu() - before) / sample * n_pages, (time.perf_counter() - start) / sample * n_pages
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            self.watch = Watch(Path(folder))
            self.watch.start()
            before, parent, start = cpu(), time.process_time(), time.perf_counter()
            mine(captures(n_pages, self.watch.total), out, means=Means(workers=workers, on_progress=self.tell))
            self.wall = time.perf_counter() - start - making[1]
            self.cpu = cpu() - before - making[0]
            self.parent = time.process_time() - parent - making[0]
            self.watch.ends.set()
            self.watch.join()
            self.result = sum(size(path) for path in out.rglob("*"))

    def tell(self, what: str, done: int, total: int) -> None:
        """Print what was used up to now: when a stage begins, when it ends, and every half minute."""
        now = time.perf_counter()
        if what != self.stage or done == total or now - self.told > 30:
            self.stage, self.told = what, now
            busy = dict(self.watch.busy)
            used = ", ".join(f"{seconds:.0f}" for seconds in busy.values())
            room = f"{self.watch.memory >> 20} MB at most, disk {self.watch.disk / max(self.watch.total[0], 1):.2f} of the HTML"
            print(f"{what} {done:,} of {total:,}: CPU seconds {used}; {room}", file=sys.stderr, flush=True)

    @property
    def longest(self) -> float:
        """CPU seconds of the parent and of the busiest worker: no machine could do it in less."""
        return self.parent + max((s for name, s in self.watch.busy.items() if name != "self"), default=0.0)


def main(arguments: list[str]) -> None:
    first = 0.0
    is_alone = "--alone" in arguments
    sizes = [int(word) for word in arguments if word != "--alone"] or list(SIZES)
    print(
        "| pages | HTML MB | CPU ms per page | to the first | peak MB | disk / HTML | result / HTML | one worker / two, wall | by CPU |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for n_pages in sizes:
        two = Run(n_pages, 2)
        html = two.watch.total[0]
        each = two.cpu / n_pages * 1000
        first = first or each
        row = f"| {n_pages:,} | {html / 1e6:.1f} | {each:.1f} | {each / first:.2f} | {two.watch.memory >> 20} | "
        row += f"{two.watch.disk / html:.2f} | {two.result / html:.2f} |"
        print(row, end=" ", flush=True)
        if n_pages <= 10_000 and not is_alone:
            one = Run(n_pages, 1)
            print(f"{one.wall / two.wall:.2f} | {one.cpu / two.longest:.2f} |", flush=True)
        else:
            print("| |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
