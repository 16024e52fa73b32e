"""`sitegrain export`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """What `export` writes."""

    SQLITE = "sqlite"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    CHUNKS = "chunks"
    MARKDOWN = "markdown"
    OBSIDIAN = "obsidian"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(export)


def export(
    folder: Annotated[Path, typer.Argument(help="A result folder of `mine`")],
    to: Annotated[Form, typer.Option(metavar="FORM", help="sqlite, csv, jsonl, parquet, chunks, markdown or obsidian")],
    out: Annotated[Path | None, typer.Option(help="File or folder to write; beside the result if not given")] = None,
    max_tokens: Annotated[
        int, typer.Option(min=1, help="For chunks: the most tokens that one may have, by estimate")
    ] = 400,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Write a result in a form that other programs open: a database, a table, notes, chunks for retrieval."""
    from sitegrain.export import export as export_result

    written = export_result(folder, to.value, out, max_tokens=max_tokens)
    if not quiet:
        typer.echo(f"wrote {written}")
        if to is Form.SQLITE:
            typer.echo(f"look at it with: datasette {written}")
