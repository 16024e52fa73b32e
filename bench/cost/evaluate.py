"""How soon `sitegrain evaluate` shows progress, and how much of the machine it uses.

    python bench/cost/evaluate.py DATA [--method default | --peers trafilatura] [--workers 2]

Runs the command as a user does, in a process of its own, and prints one JSON line:

- `first_line_s`: seconds from the start of the process to its first line of progress;
- `first_page_s`: to the first line that says that a page is done;
- `cores`: processor time of the command and its workers / wall time (2.0 is both cores for the whole run). On a busy
  machine this is low whatever the command does: `share` is then the figure to look at, `cores` / the cores
  that a loop of the same length got beside it, measured right after.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import subprocess
import sys
import time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--method", default="")
    parser.add_argument("--peers", default="")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    command = [sys.executable, "-m", "sitegrain", "evaluate", options.data, "--workers", str(options.workers)]
    if options.method or not options.peers:
        command += ["--method", options.method or "default"]
    if options.peers:
        command += ["--peers", options.peers]

    before = _children()
    begin = time.perf_counter()
    first_line = first_page = 0.0
    tail: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            now = time.perf_counter() - begin
            first_line = first_line or now
            if not first_page and re.match(r"measured [1-9]", line):
                first_page = now
            tail = [*tail[-4:], line]
    wall = time.perf_counter() - begin
    if process.returncode:
        sys.exit("".join(tail) or f"exit code {process.returncode}")
    cores = (_children() - before) / wall
    free = _free_cores(options.workers, min(10.0, wall))
    figures = {
        "first_line_s": first_line,
        "first_page_s": first_page,
        "wall_s": wall,
        "cores": cores,
        "free_cores": free,
        "share": cores / free,
    }
    print(json.dumps({k: round(v, 2) for k, v in figures.items()}))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _spin(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def _free_cores(workers: int, seconds: float) -> float:
    """Processor time that as many busy loops get, per second."""
    before = _children()
    begin = time.perf_counter()
    loops = [
        multiprocessing.get_context("spawn").Process(target=_spin, args=(seconds,)) for _ in range(max(1, workers))
    ]
    for loop in loops:
        loop.start()
    for loop in loops:
        loop.join()
    return (_children() - before) / (time.perf_counter() - begin)


if __name__ == "__main__":
    main()
