"""A worker of `ProcessRunner`: `python -m sitegrain.plan.worker FD`."""

from __future__ import annotations

import ctypes
import signal
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection

from sitegrain.plan.runners import work
from sitegrain.result.arrow import be_lean

_PR_SET_PDEATHSIG = 1


class _NoPandas(MetaPathFinder):
    """Where pandas is installed, pyarrow imports it to see whether a list is one of its arrays: a third of the time that a worker
    takes to start, and 35 MB. None of ours are."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("a worker does without pandas", name=name)


if __name__ == "__main__":
    sys.meta_path.insert(0, _NoPandas())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us, and he ends us
    with suppress(AttributeError, OSError):  # Linux: a parent that is killed takes its workers along
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    be_lean()
    work(Connection(int(sys.argv[1])))
