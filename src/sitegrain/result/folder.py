"""The result folder, written whole or not at all; `stored` reads it.

Files are written into a sibling folder that takes the place of the old one in a single step, so whatever stops a run (a
full disk, a kill) leaves either the old result or none. `manifest.json` names the files that are ours: only those are
ever replaced, and a folder that holds anything else is refused by name.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.errors import OutputError

FORMAT = "sitegrain result"
VERSION = 1
TABLES = ("pages", "blocks", "links")
LINES = ("articles", "tocs")
GRAPH = "distilled.graphml"
MANIFEST = "manifest.json"
_OLDER = frozenset((*(f"{n}.parquet" for n in TABLES), *(f"{n}.jsonl" for n in LINES), GRAPH, "site.json", MANIFEST))
"""What a result without a manifest holds: one of an older version."""
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def check_out(out: str | Path) -> None:
    """Raise `OutputError` now, before the work is done, when a result could not be written there."""
    out = Path(out)
    if out.exists():
        if not out.is_dir():
            raise OutputError(f"{out} is a file: give a folder for the result")
        if others := foreign_files(out):
            more = f" and {len(others) - 3} more" if len(others) > 3 else ""
            raise OutputError(
                f"{out} holds other files ({', '.join(others[:3])}{more}), which sitegrain did not write and will not "
                "replace: move them, or give a new or empty folder for the result"
            )
    part = _part(out)
    try:
        _clean_leftovers(part)
        part.mkdir(parents=True)
        part.rmdir()
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error


def write_result(
    out: str | Path,
    tables: Mapping[str, pa.Table],
    lines: Mapping[str, Iterable[Mapping[str, Any]]],
    summary: Mapping[str, Any],
    texts: Mapping[str, str] | None = None,
) -> None:
    """Write a result folder: tables as Parquet, `articles` and `tocs` as lines of JSON, and other files by their
    names; an earlier result of the same name is replaced."""
    out = Path(out)
    check_out(out)
    had_result = out.exists() and is_result(out)
    part = _part(out)
    try:
        part.mkdir(parents=True)
        for name in TABLES:
            path = part / f"{name}.parquet"
            pq.write_table(tables[name], path, compression="zstd")
            _sync(path)
        for name in LINES:
            path = part / f"{name}.jsonl"
            with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
                for row in lines[name]:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
            _sync(path)
        for name, content in (texts or {}).items():
            path = part / name
            path.write_text(content, encoding="utf-8")
            _sync(path)
        # Last: a folder without site.json is no result.
        path = part / "site.json"
        text = json.dumps({"format": FORMAT, "version": VERSION, **summary}, ensure_ascii=False, indent=2)
        path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
        _sync(path)
        record_files(part, (p.name for p in part.iterdir()))
        _swap(part, Path(os.path.realpath(out)))
    except OSError as error:  # pyarrow's I/O errors are OSErrors too
        shutil.rmtree(part, ignore_errors=True)
        left = "the earlier result is as it was" if had_result else "nothing was left there"
        raise OutputError(f"{out} cannot be written: {error.strerror or error}; {left}") from error
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def record_files(folder: Path, names: Iterable[str]) -> None:
    """Add files of ours to the manifest of a result folder; `names` are relative to it."""
    known = {*_own_files(folder), *names, MANIFEST} if (folder / MANIFEST).exists() else {*names, MANIFEST}
    part = folder / f".{MANIFEST}.part"
    part.write_text(json.dumps({"files": sorted(known)}, indent=0) + "\n", encoding="utf-8")
    _sync(part)
    part.replace(folder / MANIFEST)


def foreign_files(folder: Path) -> list[str]:
    """The files of a folder that are not ours, by name."""
    own = _own_files(folder) if is_result(folder) else frozenset()
    found: list[str] = []
    for where, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        empty = [] if names or folders or where == str(folder) else [""]
        for name in (*names, *links, *empty):
            path = os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")
            if path not in own:
                found.append(path)
    return sorted(found)


def _own_files(folder: Path) -> frozenset[str]:
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
    except FileNotFoundError:
        return _OLDER
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()  # nobody knows: nothing is replaced
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def _part(out: Path) -> Path:
    # Beside the folder itself, where `out` is a link to it: the link stays one.
    out = Path(os.path.realpath(out))
    return out.parent / f".{out.name}.part-{os.getpid()}"


def _clean_leftovers(part: Path) -> None:
    """Remove what killed runs left beside the result."""
    for left in part.parent.glob(f"{part.name.rpartition('-')[0]}-*"):
        number = left.name.rpartition("-")[2].partition(".")[0]
        if number.isdigit() and int(number) != os.getpid() and not _is_running(int(number)):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _sync(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _swap(part: Path, out: Path) -> None:
    """Put a folder in the place of another, in one step where the system has one."""
    if not out.exists():
        os.rename(part, out)
        return
    for name in foreign_files(out):  # they came while we worked, and stay
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        os.rename(out / name, part / name)
    if not _exchange(part, out):
        old = part.with_name(part.name + ".old")
        os.rename(out, old)
        try:
            os.rename(part, out)
        except OSError:
            os.rename(old, out)
            raise
        part = old
    shutil.rmtree(part, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders by renameat2; False where there is no such thing."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):  # an old kernel, or a file system without it
        return False
    raise OSError(code, os.strerror(code))


def is_result(folder: Path) -> bool:
    """Whether there is a result in a folder, of whatever version."""
    try:
        about = json.loads((folder / "site.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("format") == FORMAT
