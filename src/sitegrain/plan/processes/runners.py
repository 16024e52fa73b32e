"""Who runs a stage: this process, or workers on the cores of this machine. The answers are the same.

A worker is told a stage and then part after part, those first of which it kept the tables. When it dies (out of memory, a crash,
a kill), the part that it had is known: another worker tries it once more, and then it is given up, counted and named, and the run
goes on.
"""

from __future__ import annotations

import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sitegrain.arrays.room import give_back
from sitegrain.errors import OutputError, UsageError
from sitegrain.light import dataclass
from sitegrain.plan.ahead import Ahead, step
from sitegrain.plan.kept import HANDED, KEPT, KEPT_BYTES, PARSED
from sitegrain.plan.processes.nursery import Nursery
from sitegrain.plan.stages import RowsStage, Stage
from sitegrain.tables.budgets import SECONDS_PER_PART

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

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
        self.stop(at_once=kind is not None)

    def prepare(self) -> None:  # noqa: B027
        """There will be something to run soon."""

    def begin(self, ahead: Ahead) -> None:  # noqa: B027
        """What those may do that have nothing else to do."""

    @abstractmethod
    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        """Do these parts; the parts that were given up, with the reason."""

    @abstractmethod
    def stop(self, at_once: bool = False) -> None:
        """Nothing is to be run any more; `at_once`, since somebody waits for us to end."""


class InlineRunner(Runner):
    """Runs in this process, one part after the other; tables of `room` bytes of HTML are kept from pass to pass."""

    def __init__(self, room: int = KEPT_BYTES) -> None:
        self.room = room

    def __enter__(self) -> Self:
        KEPT.open(self.room)
        PARSED.open()
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

    def stop(self, at_once: bool = False) -> None:
        KEPT.close()
        PARSED.close()
        HANDED.close()


@dataclass(eq=False)
class _Worker:
    line: Connection
    pid: int | None = None
    """The first thing that it says."""
    part: int | None = None
    stage: Stage | None = None
    kept: frozenset[int] = frozenset()
    """Parts whose tables it has."""


class ProcessRunner(Runner):
    """Runs on workers of this machine, which keep tables of `room` bytes of HTML together."""

    def __init__(self, n_workers: int, room: int = KEPT_BYTES) -> None:
        self.n_workers, self.room = n_workers, room
        self.workers: list[_Worker] = []
        self.nursery: Nursery | None = None
        self.unborn = 0
        """Workers that ended before they began."""

    def prepare(self) -> None:
        """Start all workers. Does not wait for them: they are ready when there is work."""
        self._start(self.n_workers)

    def begin(self, ahead: Ahead) -> None:
        for worker in list(self.workers):
            self._tell(worker, ahead)

    def run(self, stage: Stage, parts: Sequence[int], on_part: OnPart) -> dict[int, str]:
        waiting = list(parts)
        tries: dict[int, int] = {}
        lost: dict[int, str] = {}
        while waiting or any(worker.part is not None for worker in self.workers):
            self._hand_out(stage, waiting)
            for worker in self._heard():
                part = worker.part
                try:
                    told = worker.line.recv()
                    if worker.pid is None:
                        worker.pid = told
                        continue
                    worker.part = None
                    reason, worker.kept = told
                except (EOFError, OSError):
                    reason = self._bury(worker)
                if part is None:  # it died while it had nothing to do
                    continue
                if reason is None:
                    # The next part before this one is taken up here: nobody waits for what this process does with it.
                    self._hand_out(stage, waiting)
                    on_part(part)
                    continue
                tries[part] = tries.get(part, 0) + 1
                _need_disk(reason)
                if tries[part] < TRIES:
                    waiting.append(part)
                else:
                    lost[part] = reason
        for worker in list(self.workers):  # what the stage holds is not needed any more, here and there
            worker.stage = None
            self._tell(worker, None)
        return lost

    def _heard(self) -> list[_Worker]:
        """Those that have said something; at once when all have died, since nobody is left to wait for."""
        if not self.workers:
            return []
        from multiprocessing.connection import wait  # one process needs none of it

        lines = wait([worker.line for worker in self.workers])
        return [worker for worker in self.workers if worker.line in lines]

    def _start(self, n_workers: int) -> None:
        while len(self.workers) < n_workers:
            if self.nursery is None or not self.nursery.is_alive:
                self.nursery = Nursery(self.room // self.n_workers)
            self.workers.append(_Worker(self.nursery.start()))

    def _hand_out(self, stage: Stage, waiting: list[int]) -> None:
        self._start(min(self.n_workers, len(waiting) + sum(worker.part is not None for worker in self.workers)))
        for worker in list(self.workers):
            if worker.part is None and waiting:
                part = self._next(worker, waiting)
                if (worker.stage is stage or self._tell(worker, stage)) and self._tell(worker, part):
                    worker.stage, worker.part = stage, part
                    waiting.remove(part)

    def _next(self, worker: _Worker, waiting: list[int]) -> int:
        """The part that a worker should do: one whose tables it has; else one that nobody has; else the last one of others."""
        taken = frozenset(part for other in self.workers if other is not worker for part in other.kept)
        own = (part for part in waiting if part in worker.kept)
        free = (part for part in waiting if part not in taken)
        return next(own, next(free, waiting[-1]))

    def _tell(self, worker: _Worker, what: object) -> bool:
        try:
            worker.line.send(what)
        except OSError:  # it died while it had nothing to do
            self._bury(worker)
            return False
        return True

    def _bury(self, worker: _Worker) -> str:
        self.workers.remove(worker)
        worker.line.close()
        assert self.nursery is not None
        if worker.pid is None:
            self.unborn += 1
            if self.unborn > TRIES * self.n_workers:
                raise UsageError("workers cannot be started here: try --workers 1")
            return f"{DEAD}ended before it began"
        return f"{DEAD}{worker.pid} {self.nursery.ended(worker.pid)}"

    def stop(self, at_once: bool = False) -> None:
        for worker in self.workers:
            if worker.pid is not None:
                with suppress(OSError):
                    os.kill(worker.pid, signal.SIGKILL)
            with suppress(OSError):
                worker.line.close()
        self.workers.clear()
        if self.nursery is not None:
            self.nursery.close(at_once)
            self.nursery = None


def make_runner(n_workers: int, room: int = KEPT_BYTES) -> Runner:
    """Workers where there is more than one core to use. Tables of `room` bytes of HTML are kept from pass to pass."""
    return ProcessRunner(n_workers, room) if n_workers > 1 and hasattr(os, "fork") else InlineRunner(room)


def work(line: Any) -> None:
    """What a worker does until the line is closed."""
    stage: Stage | None = None
    ahead: Iterator[None] = iter(())
    _limit_memory()
    while True:
        try:
            while not line.poll() and step(ahead):
                pass
            told = line.recv()
        except EOFError:
            return
        if isinstance(told, Ahead):
            _limit_time()
            ahead = told.steps()
            continue
        if isinstance(told, RowsStage):  # now it is done part by part
            ahead = iter(())
        if told is None or isinstance(told, Stage):
            stage = told
            if stage is None:
                give_back()
            continue
        assert stage is not None
        _limit_time()
        line.send((_done(stage, told), KEPT.parts))


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
