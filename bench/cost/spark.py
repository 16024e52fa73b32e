"""What `mine` on Spark costs: CPU of all processes per page, bytes that are shuffled, memory of the Python workers.

    python bench/cost/spark.py [SITES] [PAGES]

Sites are editions of the demo newspaper, of up to 150 pages each on hosts of their own, and one of PAGES pages, which goes through the
plan. Mines a few pages first: what starts (Java, its compiler, Python's imports) is in those, and the others tell what a page costs. Runs on a small cluster of two executors (`local-cluster[2,1,1024]`) on this machine; CPU is read from /proc, bytes from the event
log of Spark. Prints the figures of docs/spark.md, and to stderr what each step took as it ends. Some minutes by default.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from scale import EDITION, busy, editions, resident

from sitegrain.spark import Limits, mine

LARGE_PART = 128


class Tree(threading.Thread):
    """Looks twice a second at this process and all that were started by it or by those."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.cpu: dict[str, float] = {}
        self.memory: dict[str, int] = {}
        self.name_of: dict[str, str] = {}
        self.ends = threading.Event()
        self.begun = time.perf_counter()

    def run(self) -> None:
        while not self.ends.wait(0.5):
            self.look()

    def look(self) -> None:
        """Note what every process has used."""
        parent: dict[str, str] = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                parent[path.name] = (path / "stat").read_text().rpartition(")")[2].split()[1]
                self.name_of[path.name] = (path / "comm").read_text().strip()  # Java begins as a shell
            except OSError:
                continue
        own = {str(os.getpid())}
        while more := {pid for pid, of in parent.items() if of in own} - own:
            own |= more
        for pid in own:
            self.cpu[pid] = max(busy(pid), self.cpu.get(pid, 0.0))
            self.memory[pid] = max(resident(pid), self.memory.get(pid, 0))

    def tell(self, what: str) -> float:
        """Print how far it is; CPU seconds of all processes until now."""
        self.look()
        used = sum(self.cpu.values())
        print(f"{what}: {time.perf_counter() - self.begun:.0f} s, {used:.0f} s of CPU", file=sys.stderr, flush=True)
        return used

    def by_name(self) -> dict[str, float]:
        """CPU seconds of processes with the same name."""
        found: Counter[str] = Counter()
        for pid, seconds in self.cpu.items():
            found[self.name_of.get(pid, "?")] += seconds  # type: ignore[assignment]
        return dict(found)


def _pages_to(rows: list[tuple[str, bytes]], path: Path) -> None:
    """Where pages come from as a rule: handed over as Python objects they would be in a task of their own each time."""
    path.mkdir(parents=True)
    for k in range(4):
        url, html = zip(*rows[k::4], strict=True)
        pq.write_table(pa.table({"url": url, "html": pa.array(html, pa.binary())}), path / f"{k}.parquet")


def shuffled(events: Path) -> Counter[str]:
    """Bytes written by shuffles and of what is kept on disk, by the event log."""
    found: Counter[str] = Counter()
    for path in events.rglob("*"):
        if path.is_file() and not path.name.startswith("."):
            for line in path.read_text(errors="replace").splitlines():
                event = json.loads(line) if '"SparkListenerTaskEnd"' in line else {}
                metrics = event.get("Task Metrics") or {}
                found["shuffle"] += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
                found["to the driver"] += metrics.get("Result Size", 0)
    return found


def pages_of(n_sites: int, n_large: int) -> list[tuple[str, bytes]]:
    """Addresses and pages of some small sites and a large one."""
    rows: list[tuple[str, bytes]] = []
    for edition in editions(EDITION * n_sites):
        rows += [(f"http://small{path.partition('/')[0]}.example/{path}", body) for path, body in edition]
    for edition in editions(n_large):
        rows += [(f"http://large.example/{path}", body) for path, body in edition]
    return rows


class Run:
    """`mine` of some sites on a cluster: what it took."""

    def __init__(self, spark: Any, tree: Tree, n_sites: int, n_large: int, folder: Path) -> None:
        rows = pages_of(n_sites, n_large)
        self.n, self.html = len(rows), sum(len(body) for _, body in rows)
        _pages_to(rows, folder / "pages")
        before, by_name = tree.tell(f"{self.n:,} pages are there"), tree.by_name()
        with mine(
            spark.read.parquet(str(folder / "pages")), Limits(max(150, n_large - 1), part_pages=LARGE_PART)
        ) as mined:
            tree.tell("the large site is mined")
            mined.save(str(folder / "out"))
        self.cpu = tree.tell("all are written") - before
        self.by_name = {name: seconds - by_name.get(name, 0.0) for name, seconds in tree.by_name().items()}
        self.out = sum(path.stat().st_size for path in (folder / "out").rglob("*.parquet"))

    def tell(self, what: str) -> None:
        """Print CPU per page and the room of the tables."""
        each = self.cpu / self.n * 1000
        print(f"{what}, {self.n:,} pages of {self.html / self.n:,.0f} bytes: CPU {each:.1f} ms a page,", end=" ")
        print(f"{3.6e6 / each:,.0f} pages a core-hour; tables {self.out / self.html:.2f} of the HTML")
        print("  ms a page:", ", ".join(f"{name} {s / self.n * 1000:.1f}" for name, s in self.by_name.items()))


def main(n_sites: int, n_large: int) -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "spark.ui.enabled": "false",
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            "spark.executor.memory": "1g",
            "spark.driver.memory": "1g",
            "spark.sql.shuffle.partitions": "4",  # 200 by default: tasks of nothing, on two cores
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": f"file:{folder}/events",
        }
        Path(folder, "events").mkdir()
        tree = Tree()
        tree.start()
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("bench")
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        tree.tell("Spark is there")
        first = Run(spark, tree, 1, 200, Path(folder, "first"))
        first.tell("cold")
        second = Run(spark, tree, n_sites, n_large, Path(folder, "second"))
        batch = spark.conf.get("spark.sql.execution.arrow.maxBytesPerBatch")
        spark.stop()
        tree.ends.set()
        moved = shuffled(Path(folder, "events"))
    second.tell("warm")
    n, html = first.n + second.n, first.html + second.html
    workers = [memory for pid, memory in tree.memory.items() if tree.name_of.get(pid, "").startswith("python")]
    print(
        f"both, a page: shuffled {moved['shuffle'] / n:,.0f} bytes, {moved['shuffle'] / html:.2f} of the HTML;", end=" "
    )
    print(f"to the driver {moved['to the driver'] / n:,.0f}; maxBytesPerBatch is {batch}")
    print(f"most memory of a Python process: {max(workers) >> 20} MB")


if __name__ == "__main__":
    given = [int(n) for n in sys.argv[1:]]
    main(*(given or [8, 1_200]))
