"""The nursery of workers of `ProcessRunner`, and each of them: `python -m sitegrain.plan.processes.worker FD ROOM`."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from sitegrain.plan.kept import KEPT
from sitegrain.plan.processes.nursery import ALONE, serve
from sitegrain.plan.processes.runners import work
from sitegrain.result.arrow import be_lean

_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """On Linux: a parent that is killed takes its children along."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us, and he ends us
    _die_with_parent()
    be_lean()  # what was loaded, which all workers share, stays shared
    number = int(sys.argv[1])
    if sys.argv[-1] != ALONE:
        number = serve(socket.socket(fileno=number))
        _die_with_parent()  # a child does not inherit it
    KEPT.open(int(sys.argv[2]))
    code = 1
    try:
        with Connection(number) as line:
            line.send(os.getpid())
            work(line)
        code = 0
    finally:
        os._exit(code)
