"""What the benches share."""

from __future__ import annotations

import time
from collections.abc import Callable


def least(task: Callable[[], object], repeats: int) -> float:
    """The least processor time of some runs: what the task needs when nothing disturbs it.

    Of this thread: the clock of the process moves in ticks while a page's time limit is armed, and tasks have one thread.
    """
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        task()
        best = min(best, time.thread_time() - start)
    return best
