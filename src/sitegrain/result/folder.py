"""The result folder, written whole or not at all; `stored` reads it.

Files are written into a sibling folder that is renamed at the end, so whatever stops a run (a full disk, a kill)
leaves either the old result or none.
"""

from __future__ import annotations

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


def check_out(out: str | Path) -> None:
    """Raise `OutputError` now, before the work is done, when a result could not be written there."""
    out = Path(out)
    if out.exists() and not is_result(out):
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


def is_result(folder: Path) -> bool:
    """Whether there is a result in a folder, of whatever version."""
    try:
        about = json.loads((folder / "site.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("format") == FORMAT
