"""Lines that fit where they are printed."""

from __future__ import annotations

import os
import sys
from unicodedata import east_asian_width

from sitegrain.tables.notebook import counted

__all__ = ["counted", "echo", "fitted", "indented", "width"]

PIPE_WIDTH = 160
"""Columns where nobody looks: a file or a pipe has no width of its own."""


def echo(line: str, err: bool = False, nl: bool = True) -> None:
    """Print a line at once, to standard output or to standard error."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{line}\n" if nl else line)
    stream.flush()


def is_terminal() -> bool:
    """Whether lines have a width to fit in."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def width() -> int:
    """Columns of the terminal (or what COLUMNS says); a fixed number elsewhere."""
    if is_terminal():
        import shutil

        return max(20, shutil.get_terminal_size((PIPE_WIDTH, 24)).columns)
    return PIPE_WIDTH


def fitted(line: str) -> str:
    """A line that is cut where the terminal ends.

    >>> fitted("short")
    'short'
    """
    most = width()
    if columns(line) <= most:
        return line
    while columns(line) >= most:
        line = line[: min(len(line) - 1, most)]
    return line + "…"


def columns(text: str) -> int:
    """The columns that a text takes: signs of East Asian scripts take two.

    >>> columns("tea"), columns("茶")
    (3, 2)
    """
    return len(text) + sum(east_asian_width(sign) in "WF" for sign in text if not sign.isascii())


def indented(text: str, by: int) -> str:
    """A text with a margin; on a terminal, its lines are broken so that all of them have it."""
    margin = " " * by
    if not is_terminal():
        return margin + text
    import textwrap

    return textwrap.fill(
        text, width(), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False, break_long_words=False
    )
