"""Where workers come from: a process of our own that has imported all they need and divides, so that a second worker costs nothing.

It is a fresh interpreter and no fork of this one: a fork of a process with threads (a progress bar, a notebook) may hang on a lock.
It starts while the pages are still being read. `sitegrain.plan.processes.worker` is its other side.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ALONE = "alone"
"""The last word of the command when the process is a worker and no nursery."""
SECONDS_TO_END = 0.5
"""How long it may take to end its workers before it is killed, and they with it."""


class Nursery:
    """Starts workers and tells how they ended. `room` are the bytes of HTML of the tables that each may keep."""

    def __init__(self, room: int) -> None:
        # Not multiprocessing's own start: that runs the main script again, and scripts call `mine` at their top level.
        self._line, there = socket.socketpair()
        path = os.pathsep.join(p or os.getcwd() for p in sys.path)
        command = [sys.executable, "-m", "sitegrain.plan.processes.worker", str(there.fileno()), str(room)]
        environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(command, pass_fds=[there.fileno()], env=environment, stdin=subprocess.DEVNULL)
        there.close()
        self._is_gone = False

    def start(self) -> Connection:
        """The line to a new worker, which says its number before all else. Does not wait for it."""
        from multiprocessing.connection import Pipe

        here, there = Pipe()
        with there:
            try:
                socket.send_fds(self._line, [b"+" * 8], [there.fileno()])
            except OSError:  # nobody is at the other end: that is seen by who listens
                self._is_gone = True
        return here

    def ended(self, pid: int) -> str:
        """How a worker ended, whose line is closed."""
        try:
            self._line.sendall(pid.to_bytes(8, "little"))
            code = int.from_bytes(_all(self._line, 8), "little", signed=True)
        except OSError:  # then it was killed itself, and they die with it
            code = -signal.SIGKILL
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    @property
    def is_alive(self) -> bool:
        """Whether it can start any more."""
        return not self._is_gone and self._process.poll() is None

    def close(self, at_once: bool = False) -> None:
        """End all workers; at once without waiting for them: who is not killed with it finds his line closed."""
        self._line.close()
        with suppress(subprocess.TimeoutExpired):
            if not at_once:
                self._process.wait(SECONDS_TO_END)
        self._process.kill()
        self._process.wait()


def _all(line: socket.socket, n: int) -> bytes:
    """So many bytes; `OSError` when the other side is gone."""
    found = b""
    while len(found) < n:
        more = line.recv(n - len(found))
        if not more:
            raise ConnectionResetError("the other side is gone")
        found += more
    return found


def _divided(line: int) -> int:
    """The number of a new worker; 0 in itself."""
    if sys.platform == "linux":
        return os.fork()
    # Elsewhere libraries of the system do not bear to be forked: a fresh interpreter.
    os.set_inheritable(line, True)
    command = [sys.executable, "-m", "sitegrain.plan.processes.worker", str(line), *sys.argv[2:], ALONE]
    return os.posix_spawn(sys.executable, command, os.environ)


def serve(line: socket.socket) -> int:
    """What the other side does: start workers until nobody asks any more. Returns in every child, with the file number of its line,
    and not at all in the nursery itself."""
    children: set[int] = set()
    while True:
        asked, lines, _, _ = socket.recv_fds(line, 8, 1)
        if not asked:
            break
        asked += b"" if len(asked) == 8 else _all(line, 8 - len(asked))
        if lines:
            if not (pid := _divided(lines[0])):
                line.close()
                return lines[0]
            os.close(lines[0])
            children.add(pid)
            continue
        number = int.from_bytes(asked, "little")
        code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) if number in children else 0
        children.discard(number)
        line.sendall(code.to_bytes(8, "little", signed=True))
    for pid in children:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for pid in children:
        os.waitpid(pid, 0)
    os._exit(0)
