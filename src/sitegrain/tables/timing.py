"""A limit on the time that a page may take, for work that Python can interrupt.

What it cannot interrupt (a loop inside of C) has bounded input (`budgets`), and for a site of several parts runs in workers, which
are killed (`plan/processes/runners.py`).
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` makes an enum of every number, which takes longer than the calls
import os
import threading
from math import inf
from types import TracebackType
from typing import Any

from sitegrain.tables.budgets import SECONDS_PER_PAGE

_CAN = hasattr(signal, "setitimer")
_IN_FORCE: list[float] = []
"""Seconds of the limits that are in force, the outermost first: within one that is as strict, another asks the system for nothing."""


class TooSlowError(RuntimeError):
    """A page took more processor time than it may: one of `errors.PAGE_FAULTS`, caught for that page alone."""


def _forget() -> None:
    """No limit that was set before rings any more."""
    _IN_FORCE[:] = [inf] * len(_IN_FORCE)


if _CAN:
    os.register_at_fork(after_in_child=_forget)  # alarms are not inherited


def _ring(*_: Any) -> None:
    if not _IN_FORCE:  # of a limit that Ctrl-C ended while it was set or lifted
        return
    _forget()
    raise TooSlowError("more processor time than one page may take")


def is_limited() -> bool:
    """Whether a limit as strict as that of a page is in force: another within it would do nothing."""
    return bool(_IN_FORCE) and _IN_FORCE[-1] <= SECONDS_PER_PAGE


class time_limited:
    """Raise `TooSlowError` inside the block after so many seconds of this process's own time.

    Limits may stand in one another. Only in the main thread, where the system has alarms, and where the program around us does
    not use this one (`SIGVTALRM`).
    """

    def __init__(self, seconds: float = SECONDS_PER_PAGE) -> None:
        self.seconds = seconds
        self.outer = -1.0
        """What was left to the limit around this one; -1 when this one is not in force."""

    def __enter__(self) -> None:
        if _IN_FORCE and _IN_FORCE[-1] <= self.seconds:
            return  # the one around rings first, and no other thread has limits
        if not _CAN or threading.get_ident() != threading.main_thread().ident:
            return
        handler = signal.getsignal(signal.SIGVTALRM)
        if handler is not _ring:
            if handler is not signal.SIG_DFL:
                return
            signal.signal(signal.SIGVTALRM, _ring)
        # What was left is told by setting the alarm: three limits a page ask for as few calls of the system as can be.
        left, again = signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)
        if handler is _ring and not _IN_FORCE:
            left = 0.0  # of no limit: see `_ring`
        if left and (handler is not _ring or left <= self.seconds):  # of somebody else, or the one around rings first
            signal.setitimer(signal.ITIMER_VIRTUAL, left, again)
            if handler is not _ring:
                signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            return
        self.outer = left
        _IN_FORCE.append(self.seconds)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.outer < 0:
            return
        _IN_FORCE.pop()
        left = signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0]
        if self.outer:
            signal.setitimer(signal.ITIMER_VIRTUAL, max(self.outer - (self.seconds - left), 0.001))
        else:
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
