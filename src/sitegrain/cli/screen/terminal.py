"""What reaches a terminal: text, and no command to it.

Titles and texts come from pages, and a page may hold sequences that rename the window, hide what was printed or answer in the
user's name. On a terminal, everything that is printed as text goes without control characters; files and pipes get the bytes as
they are. Colours and progress are drawn by `console`, which only gets text of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from sitegrain.light import late_pattern

if TYPE_CHECKING:
    from rich.console import Console

_CONTROL = late_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but tab and line feed; and what turns the direction of writing around, which shows another address than there is."""


class _PlainTerminal:
    """A text stream that writes `\N{REPLACEMENT CHARACTER}` for control characters."""

    buffer = None  # nobody gets around the stream

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def plain_streams() -> Iterator[None]:
    """Here, what is printed to a terminal is text."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        _PlainTerminal(stream) if stream is not None and stream.isatty() else stream for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def console(stderr: bool = False, width: int | None = None) -> Console:
    """A rich console on a standard stream, for what is drawn and not printed."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream.stream if isinstance(stream, _PlainTerminal) else stream, width=width)
