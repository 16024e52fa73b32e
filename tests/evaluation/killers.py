"""Functions for the processes of a pool; a module of their own, since each process has to import it."""

from __future__ import annotations

import os


def double_or_die(n: int) -> int:
    if n == 3:
        os._exit(1)
    return 2 * n


def same_or_die(numbers: tuple[int, ...]) -> list[int]:
    if 3 in numbers:
        os._exit(1)
    return list(numbers)
