"""Files that are written whole or not at all: who reads an old one never reads half of a new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sitegrain.errors import OutputError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write under, in a folder that is there; at the end the file takes its place, and `OutputError` says why it cannot."""
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text; what UTF-8 cannot hold (half of a surrogate pair) is written as an escape."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
