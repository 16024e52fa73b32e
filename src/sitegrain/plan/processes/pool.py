"""Tasks on several processes, where a task may kill its process.

A native library that crashes takes its process with it, and then the pool. Tasks that were under way are run
again one at a time, so that only the one that kills is given up, and it is reported.
"""

from __future__ import annotations

import io
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sitegrain.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

Task = TypeVar("Task")
Answer = TypeVar("Answer")

SECONDS_PER_PAGE = 60.0
"""A method that takes longer on one page has failed there. The slowest peer takes under 15 s on the page
set's largest page."""
WINDOW = 4
"""Tasks under way per process: enough that none waits, few enough that pages do not pile up in memory."""


class OutOfTime(BaseException):
    """A task took too long. No `Exception`, so that a library's catch-all does not swallow it."""


WALL = 10
"""A task may take this many times its limit by the clock: others may be busy on the machine, and that must not make a
method fail; but one that sleeps uses no processor time at all."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` inside the block after so many seconds of processor time, or `WALL` times as many by the clock.

    Only where the system has alarms.
    """
    # Only the main thread may set alarms; the tasks of a pool run there.
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise OutOfTime(f"more than {seconds:g} s")

    alarms = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, WALL * seconds))
    before = [signal.signal(number, ring) for _, number, _ in alarms]
    for timer, _, after in alarms:
        signal.setitimer(timer, after)
    try:
        yield
    finally:
        for timer, _, _ in alarms:
            signal.setitimer(timer, 0)
        for (_, number, _), handler in zip(alarms, before, strict=True):
            signal.signal(number, handler)


def guarded(call: Callable[[], Answer], seconds: float = SECONDS_PER_PAGE) -> tuple[Answer | None, str]:
    """(result, "") or (None, what went wrong). Errors that speak to the user pass through."""
    try:
        # Peers print to both; the lines would run through the progress bar.
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), time_limit(seconds):
            return call(), ""
    except (UsageError, KeyboardInterrupt):
        raise
    except (Exception, OutOfTime) as error:
        return None, f"{type(error).__name__}: {error}"[:300]


def run_tasks(
    function: Callable[[Task], Answer],
    tasks: Iterable[Task],
    *,
    workers: int,
    split: Callable[[Task], list[Task]],
    give_up: Callable[[Task], Answer],
) -> Iterator[Answer]:
    """Answers of all tasks, as they come; with no workers, in this process and in order.

    A task that kills its process is split (`split` gives parts, or one) and tried again alone; one that
    cannot be split further is answered by `give_up`.
    """
    waiting = iter(tasks)
    if workers == 0:
        yield from map(function, waiting)
        return
    while True:
        killed: list[Task] = []
        yield from _until_broken(function, waiting, workers, workers * WINDOW, killed)
        if not killed:
            return
        suspects = deque(killed)
        while suspects:
            guilty: list[Task] = []
            yield from _until_broken(function, _taken(suspects), 1, 1, guilty)
            for task in guilty:
                parts = split(task)
                if len(parts) > 1:
                    suspects.extend(parts)
                else:
                    yield give_up(task)


def _taken(queue: deque[Task]) -> Iterator[Task]:
    while queue:
        yield queue.popleft()


def _until_broken(
    function: Callable[[Task], Answer], tasks: Iterator[Task], workers: int, window: int, killed: list[Task]
) -> Iterator[Answer]:
    """Answers until the tasks end or a process dies; then `killed` holds what was under way (up to `window`)."""
    # Here, since a page or two need no other process, and would wait for the import.
    import multiprocessing
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool

    running: dict[Future[Answer], Task] = {}
    # "spawn": a forked child of a process with threads (the progress bar) may hang on a lock.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        while True:
            for task in islice(tasks, window - len(running)):
                try:
                    running[pool.submit(function, task)] = task
                except BrokenProcessPool:
                    killed.append(task)
                    break
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    killed.append(task)
            if killed:
                killed.extend(running.values())
                return
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
