"""What the benches share."""

from __future__ import annotations

import time
from collections.abc import Callable


def least(task: Callable[[], object], repeats: int) -> float:
    """The least processor time of some runs: what the task needs when nothing disturbs it."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best
