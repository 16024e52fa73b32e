"""Commands without a process of their own."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

from sitegrain.cli import run


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    exit_code: int
    stdout: str
    output: str
    """Standard output, and standard error after it."""
    exception: BaseException | None


def invoke(arguments: Sequence[str], catch_exceptions: bool = True) -> Ran:
    """Run a command; an error that it raises, which `main` would print, is kept or raised."""
    out, err = io.StringIO(), io.StringIO()
    code, raised = 0, None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        except Exception as error:
            if not catch_exceptions:
                raise
            code, raised = 1, error
    return Ran(code, out.getvalue(), out.getvalue() + err.getvalue(), raised)
