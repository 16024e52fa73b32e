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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self

import pyarrow as pa

from sitegrain.errors import OutputError
from sitegrain.native import json_bytes
from sitegrain.result.parquet import parquet_writer
from sitegrain.result.rowgroups import JoinedParquet

FORMAT = "sitegrain result"
VERSION = 2
"""2: HTML is in the page table, and no longer in the lines of articles and TOC pages."""
TABLES = ("pages", "blocks", "links")
LINES = {"articles": "article", "tocs": "toc"}
"""Files of lines, and the role of the pages in each."""
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


class ResultWriter:
    """Writes a result folder piece by piece, whole or not at all: an earlier result is replaced when all of it is there.

    Used in a `with`: what was written goes when the block is left before `finish`. Pieces of a table become row groups.
    """

    def __init__(self, out: str | Path) -> None:
        self.out = Path(out)
        check_out(self.out)
        self._had_result = self.out.exists() and is_result(self.out)
        self.folder = _part(self.out)
        """Where it is written; files of others that are put here belong to the result."""
        self._tables: dict[str, Any] = {}
        self._joined: dict[str, JoinedParquet] = {}
        self._lines: dict[str, IO[bytes]] = {}
        self._is_done = False

    def __enter__(self) -> Self:
        with self._told():
            self.folder.mkdir(parents=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if not self._is_done:
            with suppress(Exception):  # what could not be written cannot be closed either
                self._close()
            shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:  # pyarrow's I/O errors are OSErrors too
            left = "the earlier result is as it was" if self._had_result else "nothing was left there"
            raise OutputError(f"{self.out} cannot be written: {error.strerror or error}; {left}") from error

    def add_table(self, name: str, rows: pa.Table) -> None:
        """More rows of a table."""
        with self._told():
            if name not in self._tables:
                self._tables[name] = parquet_writer(self.folder / f"{name}.parquet", rows.schema)
            self._tables[name].write_table(rows)

    def add_parquet(self, name: str, rows: bytes) -> None:
        """More rows of a table, as the bytes of a Parquet file."""
        with self._told():
            if name not in self._joined:
                self._joined[name] = JoinedParquet(self.folder / f"{name}.parquet")
            self._joined[name].add(rows)

    def add_line(self, name: str, line: Mapping[str, Any]) -> None:
        """One more line of JSON."""
        self.add_lines(name, json_line(line))

    def add_lines(self, name: str, lines: bytes) -> None:
        """More lines, as they are."""
        with self._told():
            self._file(name).write(lines)

    def _file(self, name: str) -> IO[bytes]:
        if name not in self._lines:
            self._lines[name] = open(self.folder / f"{name}.jsonl", "wb")  # noqa: SIM115
        return self._lines[name]

    def _close(self) -> None:
        for file in (*self._tables.values(), *self._joined.values(), *self._lines.values()):
            file.close()

    def finish(self, summary: Mapping[str, Any], texts: Mapping[str, str | Iterable[str]]) -> None:
        """Write the other files by their names, and put the folder in its place."""
        with self._told():
            for name in LINES:
                self._file(name)
            self._close()
            for name, content in texts.items():
                with open(self.folder / name, "w", encoding="utf-8", newline="") as file:
                    file.writelines([content] if isinstance(content, str) else content)
            # Last: a folder without site.json is no result.
            text = json.dumps({"format": FORMAT, "version": VERSION, **summary}, ensure_ascii=False, indent=2)
            (self.folder / "site.json").write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
            files = [p for p in self.folder.rglob("*") if p.is_file()]
            for path in files:
                _sync(path)
            record_files(self.folder, (p.relative_to(self.folder).as_posix() for p in files))
            _swap(self.folder, Path(os.path.realpath(self.out)))
            self._is_done = True


def json_line(line: Mapping[str, Any]) -> bytes:
    """A line of articles.jsonl or tocs.jsonl."""
    return json_bytes(line) + b"\n"


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
