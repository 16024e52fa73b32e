"""The result folder: written whole or not at all, read back as tables.

Files are written into a sibling folder that is renamed at the end, so whatever stops a run (a full disk, a kill)
leaves either the old result or none.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.errors import OutputError, SourceError

FORMAT = "sitegrain result"
VERSION = 1
TABLES = ("pages", "blocks", "links")
LINES = ("articles", "tocs")


def check_out(out: str | Path) -> None:
    """Raise `OutputError` now, before the work is done, when a result could not be written there."""
    out = Path(out)
    if out.exists() and not _is_result(out):
        if not out.is_dir():
            raise OutputError(f"{out} is a file: give a folder for the result")
        if any(out.iterdir()):
            raise OutputError(f"{out} holds other files: give a new or empty folder for the result")
    part = _part(out)
    try:
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
        _swap(part, out)
    except OSError as error:  # pyarrow's I/O errors are OSErrors too
        shutil.rmtree(part, ignore_errors=True)
        reason = error.strerror or str(error)
        raise OutputError(f"{out} cannot be written: {reason}; nothing was left there") from error
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _part(out: Path) -> Path:
    out = Path(os.path.abspath(out))
    return out.parent / f".{out.name}.part-{os.getpid()}"


def _sync(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _swap(part: Path, out: Path) -> None:
    if not out.exists():
        os.rename(part, out)
        return
    old = part.with_name(part.name + ".old")
    os.rename(out, old)
    try:
        os.rename(part, out)
    except OSError:
        os.rename(old, out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _is_result(folder: Path) -> bool:
    try:
        about = json.loads((folder / "site.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("format") == FORMAT


@dataclass(frozen=True)
class StoredResult:
    """A result folder, opened; tables are read when asked for."""

    folder: Path
    summary: Mapping[str, Any]

    def table(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """`pages`, `blocks` or `links`."""
        try:
            return pq.read_table(self.folder / f"{name}.parquet", columns=columns)
        except (OSError, pa.ArrowInvalid) as error:
            raise SourceError(f"{self.folder / name}.parquet cannot be read: {error}") from error

    def articles(self) -> Iterator[dict[str, Any]]:
        """The rows of articles.jsonl."""
        return self._lines("articles")

    def tocs(self) -> Iterator[dict[str, Any]]:
        """The rows of tocs.jsonl."""
        return self._lines("tocs")

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with open(self.folder / f"{name}.jsonl", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def read_result(folder: str | Path) -> StoredResult:
    """Open a folder that `mine` wrote."""
    folder = Path(folder)
    if not _is_result(folder):
        raise SourceError(f"{folder} is no sitegrain result: make one with `sitegrain mine SOURCE --out {folder}`")
    summary = json.loads((folder / "site.json").read_bytes())
    if summary.get("version", 0) > VERSION:
        raise SourceError(f"{folder} was written by a newer sitegrain: update, or mine the site again")
    return StoredResult(folder, summary)
