"""Running one thing in a child process with ceilings on its time and memory, and saying what it took."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """What a child took."""

    seconds: float
    """Of the processor."""
    megabytes: float
    """More than before it began."""
    error: str
    """Empty when it ended well."""


def peak_megabytes() -> float:
    """The most memory that this process ever held."""
    with open("/proc/self/status", encoding="ascii") as file:
        line = next(line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def taken_by(work: Callable[[], object], seconds: int, gigabytes: float) -> Taken:
    """Fork, do the work under hard limits, and report. The parent must run no threads that hold locks."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(read)
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * (1 << 30)),) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
                file.write("5")  # the peak starts anew
            before, start = peak_megabytes(), time.process_time()
            error = ""
            try:
                work()
            except BaseException as caught:
                error = f"{type(caught).__name__}: {caught}"[:300]
            os.write(write, f"{time.process_time() - start} {peak_megabytes() - before} {error}".encode())
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        said = file.read().decode("utf-8", "replace")
    _, status = os.waitpid(pid, 0)
    if status or not said:
        return Taken(seconds, gigabytes * 1024, f"killed by signal {status & 127}" if status & 127 else "died")
    spent, grown, error = said.split(" ", 2)
    return Taken(float(spent), float(grown), error)
