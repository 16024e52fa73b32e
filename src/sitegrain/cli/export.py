"""`sitegrain export`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo


class Form(StrEnum):
    """What `export` writes."""

    SQLITE = "sqlite"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    CHUNKS = "chunks"
    MARKDOWN = "markdown"
    OBSIDIAN = "obsidian"


def export(
    folder: Annotated[Path, Argument(help="A result folder of `mine`")],
    to: Annotated[Form, Option(metavar="FORM", help="sqlite, csv, jsonl, parquet, chunks, markdown or obsidian")],
    out: Annotated[Path | None, Option(help="File or folder to write; if not given, beside the result")] = None,
    max_tokens: Annotated[int, Option(min=1, help="For chunks: at most this many tokens in a chunk, estimated")] = 400,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Write a result in a form that other programs open: a database, a table, notes, chunks for retrieval."""
    from sitegrain.export import export as export_result

    written = export_result(folder, to.value, out, max_tokens=max_tokens)
    if not quiet:
        echo(f"wrote {written}")
        if to is Form.SQLITE:
            echo(f"look at it with: datasette {written}")
