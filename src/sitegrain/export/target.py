"""Where an export goes: a file, or a folder of many; whole or not at all, and never over what is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sitegrain.errors import OutputError
from sitegrain.wholefile import whole_file

MANIFEST = ".sitegrain-export.json"
"""Names the files of a folder that an export wrote: only those are ever replaced."""


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A name to write under; the file takes its place at the end."""
    if path.is_dir():
        raise OutputError(f"{path} is a folder: name a file")
    with whole_file(path) as part:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        yield part


def write_folder(folder: Path, files: Iterator[tuple[str, str]]) -> list[str]:
    """Write files (name, text) into a folder; those of an earlier export go, and what is not ours stays. Returns the names."""
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder} is a file: name a folder")
        old = _own_files(folder)
        written: list[str] = []
        for name, text in files:
            path = folder / name
            if path.exists() and name not in old:
                raise OutputError(
                    f"{path} is in the way, and sitegrain did not write it: move it, or name another folder"
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            written.append(name)
        for name in old - set(written):
            (folder / name).unlink(missing_ok=True)
            for above in (folder / name).parents:
                if above == folder or any(above.iterdir()):
                    break
                above.rmdir()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).write_text(json.dumps({"files": sorted(written)}, indent=0) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
    return [*written, MANIFEST]


def _own_files(folder: Path) -> frozenset[str]:
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
        root = folder.resolve()
        return frozenset(
            name for name in names if isinstance(name, str) and (folder / name).resolve().is_relative_to(root)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
