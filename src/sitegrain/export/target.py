"""Where an export goes: a file, or a folder of many; whole or not at all, and never over what is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
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
    old = _own_files(folder)
    written: list[str] = []
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder} is a file: name a folder")
        for name, text in files:
            path = folder / name
            if path.exists() and name not in old:
                raise OutputError(
                    f"{path} is in the way, and sitegrain did not write it: move it, or name another folder"
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            written.append(name)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        _remove(folder, old - set(written))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).write_text(json.dumps({"files": sorted(written)}, indent=0) + "\n", encoding="utf-8")
    except BaseException as error:
        # Files that no manifest names would be in the way of the next export.
        with suppress(OSError):
            _remove(folder, set(written) - old)
        if isinstance(error, OSError):
            raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
        raise
    return [*written, MANIFEST]


def _remove(folder: Path, names: Set[str]) -> None:
    """Files of ours, and the folders that are empty then."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
        for above in (folder / name).parents:
            if above == folder or not above.is_dir() or any(above.iterdir()):
                break
            above.rmdir()


def _own_files(folder: Path) -> frozenset[str]:
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
        root = folder.resolve()
        return frozenset(
            name for name in names if isinstance(name, str) and (folder / name).resolve().is_relative_to(root)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
