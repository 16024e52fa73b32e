"""`export`: one result, one form, one file or folder."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.errors import UsageError
from sitegrain.export.chunks import MAX_TOKENS, chunks
from sitegrain.export.names import section_of
from sitegrain.export.notes import markdown_files, vault_files
from sitegrain.export.sqlite import write_sqlite
from sitegrain.export.target import new_file, write_folder
from sitegrain.result.base import AnyResult
from sitegrain.result.stored import open_result

FORMATS: dict[str, str] = {
    "sqlite": ".sqlite",
    "csv": ".csv",
    "jsonl": ".jsonl",
    "parquet": ".parquet",
    "chunks": ".chunks.jsonl",
    "markdown": "-markdown",
    "obsidian": "-vault",
}
"""What can be written -> how its name ends when none is given."""
_LEFT_OUT = ("images", "entries", "sources", "html")
"""Columns of the page table that a flat table has no place for, and HTML, which programs that ask for tables do not read."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(
    result: str | Path | AnyResult[Any], to: str, out: str | Path | None = None, *, max_tokens: int = MAX_TOKENS
) -> Path:
    """Write a result (or the folder of one) in another form; returns the file or folder.

    Without `out` it stands beside the result folder, under its name. Files are written whole or not at all.
    """
    if to not in FORMATS:
        raise UsageError(f"there is no export format {to!r}; use one of {', '.join(FORMATS)}")
    if isinstance(result, str | Path):
        folder = Path(result)
        result = open_result(folder)
        named = folder if folder.name else folder.resolve()  # "." has no name of its own
        out = named.with_name(f"{named.name}{FORMATS[to]}") if out is None else out
    if out is None:
        raise UsageError("name the file or folder to write: out=NAME")
    path = Path(out)
    if to in _FOLDERS:
        write_folder(path, _FOLDERS[to](result))
        return path
    with new_file(path) as part:
        if to == "sqlite":
            write_sqlite(result, part)
        elif to == "parquet":
            pq.write_table(_flat(result), part, compression="zstd")
        elif to == "csv":
            _write_csv(_flat(result), part)
        else:
            _write_lines(chunks(result, max_tokens) if to == "chunks" else _rows(result), part)
    return path


_FOLDERS: Mapping[str, Callable[[AnyResult[Any]], Iterator[tuple[str, str]]]] = {
    "markdown": markdown_files,
    "obsidian": vault_files,
}


def _flat(result: AnyResult[Any]) -> pa.Table:
    """The page table without lists, with the section of each page."""
    table = result.pages
    table = table.select([name for name in table.column_names if name not in _LEFT_OUT])
    sections = [section_of(url or "") for url in table.column("url").to_pylist()]
    return table.append_column("section", pa.array(sections, pa.large_string()))


def _write_csv(table: pa.Table, path: Path) -> None:
    """For spreadsheets: with the mark that tells them it is UTF-8, and no cell of text that they would run as a formula."""
    is_text = [pa.types.is_large_string(kind) or pa.types.is_string(kind) for kind in table.schema.types]
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        for batch in table.to_batches(1000):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                writer.writerow(
                    f"'{value}" if text and value and value.startswith(_FORMULA) else value
                    for value, text in zip(row, is_text, strict=True)
                )


def _rows(result: AnyResult[Any]) -> Iterator[dict[str, Any]]:
    for page in result:
        row = page.to_dict()
        row.pop("html", None)
        yield {**row, "section": section_of(page.url)}


def _write_lines(rows: Iterator[dict[str, Any]], path: Path) -> None:
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
