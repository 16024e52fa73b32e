"""How far a command is, on standard error: a line that moves for a person, a line now and then for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitegrain.cli.screen.terminal import console

EVERY = 30.0
"""Seconds between two lines when nobody is there to see one move."""
Tell = Callable[[str, int, int], None]
"""To be called with what is done, how many pages so far, and of how many (0: nobody knows)."""


@contextmanager
def progress(quiet: bool) -> Iterator[Tell | None]:
    """Yield a function to tell progress with; None when nobody wants to know."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        from rich.progress import Progress, SpinnerColumn, TextColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=console(stderr=True), transient=True) as shown:
            task = shown.add_task("")
            yield _Told(lambda line: shown.update(task, description=line), 0.0)
    else:
        yield _Told(lambda line: print(f"sitegrain: {line}", file=sys.stderr, flush=True), EVERY)


@contextmanager
def page_counter(what: str, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of pages so far; None when nobody wants to know."""
    with progress(quiet) as tell:
        yield None if tell is None else lambda n: tell(what, n, 0)


class _Told:
    """Says what is done, with the rate and the time that is left."""

    def __init__(self, say: Callable[[str], None], every: float) -> None:
        self.say, self.every = say, every
        self.what = ""
        self.start = self.last = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self.what:
            self.what, self.start = what, now
        if now - self.last >= self.every:
            self.last = now
            self.say(progress_line(what, done, total, now - self.start))


def progress_line(what: str, done: int, total: int, seconds: float) -> str:
    """What is said.

    >>> progress_line("reading", 1200, 0, 10), progress_line("writing", 500, 2000, 10)
    ('reading: 1,200 pages, 120 a second', 'writing: 500 of 2,000 pages, 50 a second, 30 s left')
    """
    rate = done / seconds if seconds > 0 else 0.0
    of = f" of {total:,}" if total else ""
    speed = f", {rate:,.0f} a second" if rate else ""
    left = f", {(total - done) / rate:,.0f} s left" if total and rate else ""
    return f"{what}: {done:,}{of} pages{speed}{left}"
