"""Files that are written whole or not at all: who reads an old one never reads half of a new one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sitegrain.errors import OutputError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write under, in a folder that is there; at the end the file takes its place, and `OutputError` says why it cannot.

    A link stays, and what it leads to is written. A device or a pipe (`/dev/stdout`, `/dev/null`) cannot be replaced: it gets what was written.
    """
    try:
        with _beside(path) as (part, real):
            yield part
            if _is_special(real):
                with part.open("rb") as written, real.open("wb") as out:
                    shutil.copyfileobj(written, out)
            else:
                part.replace(real)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """Where to write first, and where it goes then."""
    if _is_special(path):
        with tempfile.TemporaryDirectory(prefix="sitegrain-") as folder:
            yield Path(folder) / "part", path
        return
    real = Path(os.path.realpath(path)) if path.is_symlink() else path
    part = real.with_name(f".{real.name}.part-{os.getpid()}")
    try:
        yield part, real
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def write_whole(path: Path, text: str) -> None:
    """Write a text; what UTF-8 cannot hold (half of a surrogate pair) is written as an escape."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
