"""`sitegrain extract`."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sitegrain.errors import UsageError


class Format(StrEnum):
    """What `extract` prints."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(extract)


def extract(
    files: Annotated[list[str], typer.Argument(help="HTML files; - is standard input")],
    format_: Annotated[Format, typer.Option("--format", "-f", help="text, markdown, html or json")] = Format.TEXT,
    url: Annotated[str | None, typer.Option(help="Address of the page, to resolve its links")] = None,
    method: Annotated[
        list[str] | None, typer.Option(help="Use this method in place of the default one; may be repeated")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Use what was learned of the page's site (see `mine --save-model`)")
    ] = None,
    comments: Annotated[bool, typer.Option("--comments", help="With the comments under an article")] = False,
    front_matter: Annotated[
        bool, typer.Option("--front-matter", help="Title, author, date and address above the Markdown")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only")] = False,
) -> None:
    """Print the main text of single pages; of several, each under its name (JSON: one line each)."""
    from sitegrain.result.extracting import extract as extract_page
    from sitegrain.result.recipe import with_settings
    from sitegrain.sources.folder import FileSource

    for name in files:
        if name.lower().startswith(("http://", "https://")) or Path(name).is_dir():
            what = "a folder" if Path(name).is_dir() else "an address"
            raise UsageError(f"{name} is {what}, and `extract` reads files: `sitegrain mine {name}` takes whole sites")
    source = FileSource(files, url)
    is_empty = True
    methods = with_settings(method or (), settings or ())
    for n, capture in enumerate(source):
        article = extract_page(capture.body, capture.url, methods=methods, model=model, comments=comments)
        is_empty = is_empty and not article.text
        if format_ is Format.JSON:
            typer.echo(json.dumps({**article.to_dict(), "path": capture.path}, ensure_ascii=False))
            continue
        if len(files) > 1 and not quiet:
            typer.echo(f"{'' if n == 0 else chr(10)}==> {capture.path} <==")
        head = article.front_matter if front_matter and format_ is Format.MARKDOWN else ""
        typer.echo(head + getattr(article, format_.value))
    for problem in source.problems:
        typer.echo(f"sitegrain: {problem}", err=True)
    if is_empty:
        typer.echo("sitegrain: no text was found", err=True)
    if is_empty or source.problems:
        raise typer.Exit(1)
