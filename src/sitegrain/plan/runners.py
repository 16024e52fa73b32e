"""Who runs a stage: this process, or workers on the cores of this machine. The answers are the same.

A worker is a fresh interpreter that is told a stage and then part after part. When it dies (out of memory, a crash, a kill),
the part that it had is known: another worker tries it once more, and then it is given up, counted and named, and the run goes on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from types import TracebackType
from typing import Any, Self

from sitegrain.errors import OutputError
from sitegrain.plan.kept import KEPT
from sitegrain.plan.rows import HANDED
from sitegrain.plan.stages import Stage
from sitegrain.tables.budgets import SECONDS_PER_PART

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

TRIES = 2
"""Times that a part is tried: a worker may be killed for what another one did, but not twice."""
DEAD = "worker "
"""How the reason begins when the process that had a part is gone."""
OnPart = Callable[[int], None]
"""Called with every part that is done, in no order."""


class Runner(ABC):
    """Runs stages over parts."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @abstractmethod
    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        """Do these parts; the parts that were given up, with the reason."""

    @abstractmethod
    def stop(self) -> None:
        """Nothing is to be run any more."""


class InlineRunner(Runner):
    """Runs in this process, one part after the other; tables are kept from pass to pass as far as there is room."""

    def __enter__(self) -> Self:
        KEPT.open()
        HANDED.open()
        return self

    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        lost: dict[int, str] = {}
        for part in parts:
            for _ in range(TRIES):
                if (reason := _done(stage, part)) is None:
                    on_part(part)
                    break
                _need_disk(reason)
            else:
                lost[part] = str(reason)
        return lost

    def stop(self) -> None:
        KEPT.close()
        HANDED.close()


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    line: Connection
    part: int | None = None
    stage: Stage | None = None


class ProcessRunner(Runner):
    """Runs on workers of this machine."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self.workers: list[_Worker] = []

    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        waiting = deque(parts)
        tries: dict[int, int] = {}
        lost: dict[int, str] = {}
        while waiting or any(worker.part is not None for worker in self.workers):
            self._hand_out(stage, waiting)
            for line in wait([worker.line for worker in self.workers if worker.part is not None]):
                worker = next(w for w in self.workers if w.line is line)
                part = worker.part
                assert part is not None
                try:
                    reason = worker.line.recv()
                    worker.part = None
                except (EOFError, OSError):
                    reason = self._bury(worker)
                if reason is None:
                    on_part(part)
                    continue
                tries[part] = tries.get(part, 0) + 1
                _need_disk(reason)
                if tries[part] < TRIES:
                    waiting.append(part)
                else:
                    lost[part] = reason
        return lost

    def _hand_out(self, stage: Stage, waiting: deque[int]) -> None:
        while len(self.workers) < min(self.n_workers, len(waiting) + len(self.workers)):
            self.workers.append(_start())
        for worker in list(self.workers):
            if worker.part is None and waiting:
                try:
                    if worker.stage is not stage:
                        worker.line.send(stage)
                        worker.stage = stage
                    worker.line.send(waiting[0])
                    worker.part = waiting.popleft()
                except OSError:  # it died while it had nothing to do
                    self._bury(worker)

    def _bury(self, worker: _Worker) -> str:
        self.workers.remove(worker)
        worker.line.close()
        code = worker.process.wait()
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"{DEAD}{worker.process.pid} was {how}" if code < 0 else f"{DEAD}{worker.process.pid} {how}"

    def stop(self) -> None:
        for worker in self.workers:
            worker.process.kill()
            with suppress(OSError):
                worker.line.close()
        for worker in self.workers:
            worker.process.wait()
        self.workers.clear()


def _start() -> _Worker:
    # Not multiprocessing's own start: that runs the main script again, and scripts call `mine` at their top level.
    here, there = Pipe()
    path = os.pathsep.join(p or os.getcwd() for p in sys.path)
    command = [sys.executable, "-m", "sitegrain.plan.worker", str(there.fileno())]
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, pass_fds=[there.fileno()], env=environment, stdin=subprocess.DEVNULL)
    there.close()
    return _Worker(process, here)


def make_runner(n_workers: int, n_parts: int) -> Runner:
    """Workers where they pay: starting one takes as long as half a part."""
    wanted = min(n_workers, n_parts // 2)
    return ProcessRunner(wanted) if wanted > 1 and hasattr(os, "fork") else InlineRunner()


def work(line: Any) -> None:
    """What a worker does until the line is closed."""
    stage: Stage | None = None
    _limit_memory()
    while True:
        try:
            told = line.recv()
        except EOFError:
            return
        if isinstance(told, Stage):
            stage = told
            continue
        assert stage is not None
        _limit_time()
        line.send(_done(stage, told))


def _limit_memory() -> None:
    """No more than the machine has: an error that we can tell, rather than a kill of whatever the system chooses."""
    if resource is not None and hasattr(os, "sysconf"):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if most == resource.RLIM_INFINITY or has < most:
            resource.setrlimit(resource.RLIMIT_DATA, (has, most))


def _limit_time() -> None:
    """The system ends this worker when a part takes for ever, wherever it is."""
    if resource is not None:
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        wanted = int(used + SECONDS_PER_PART) + 1
        if most == resource.RLIM_INFINITY or wanted < most:
            resource.setrlimit(resource.RLIMIT_CPU, (wanted, most))


_DISK = "disk: "


def _need_disk(reason: str) -> None:
    """`OutputError` when a part could not be done for want of room: another try would not help."""
    if reason.startswith(_DISK):
        raise OutputError(f"a part of the site cannot be written: {reason.removeprefix(_DISK)}")


def _done(stage: Stage, part: int) -> str | None:
    """None, or why a part could not be done."""
    try:
        stage(part)
    except OSError as error:
        return f"{_DISK}{error.strerror or error}"
    except Exception as error:  # whatever it is, it is one part: the others go on
        return f"{type(error).__name__}: {error}"
    return None
