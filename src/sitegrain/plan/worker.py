"""The nursery of workers of `ProcessRunner`, and each of them: `python -m sitegrain.plan.worker FD ROOM`."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection

from sitegrain.plan.kept import KEPT
from sitegrain.plan.nursery import ALONE, serve
from sitegrain.plan.runners import work
from sitegrain.result.arrow import be_lean

_PR_SET_PDEATHSIG = 1


class _NoPandas(MetaPathFinder):
    """Where pandas is installed, pyarrow imports it to see whether a list is one of its arrays: a third of the time that a worker
    takes to start, and 35 MB. None of ours are."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("a worker does without pandas", name=name)


def _die_with_parent() -> None:
    """On Linux: a parent that is killed takes its children along."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    sys.meta_path.insert(0, _NoPandas())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us, and he ends us
    _die_with_parent()
    be_lean()
    gc.freeze()  # what all workers share stays shared
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
