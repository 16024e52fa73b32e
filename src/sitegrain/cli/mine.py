"""`sitegrain mine`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sitegrain.cli.progress import page_counter


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(mine)


def mine(
    source: Annotated[str, typer.Argument(help="An address, a folder, a WARC, Parquet or HTML file, or -")],
    out: Annotated[Path | None, typer.Option(help="Folder for the result (see docs/output.md)")] = None,
    method: Annotated[
        list[str] | None, typer.Option(help="Use this method in place of a default one; may be repeated")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Judge by this model, saved earlier, instead of learning now")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    save_model: Annotated[Path | None, typer.Option(help="Write what was learned of the site to this file")] = None,
    base: Annotated[str | None, typer.Option(help="Address that a folder's files live under")] = None,
    url_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds addresses")] = "url",
    html_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds pages")] = "html",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Find the TOC pages, the articles and their text in a whole site."""
    from sitegrain.result.mining import mine as mine_site
    from sitegrain.result.recipe import with_settings
    from sitegrain.sources.open import open_source

    opened = open_source(source, base, url_column, html_column)
    with page_counter("reading", quiet or as_json) as on_page:
        methods = with_settings(method or (), settings or ())
        result = mine_site(opened, out, methods=methods, model=model, save_model=save_model, on_page=on_page)
    summary = result.summary
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
    elif not quiet:
        _print(summary, out)
    for problem in summary["problems"][:20]:
        typer.echo(f"sitegrain: {problem}", err=True)
    if summary["problems"]:
        typer.echo(f"sitegrain: only a part could be read ({len(summary['problems'])} problems)", err=True)
        raise typer.Exit(1)


def _print(summary: dict[str, object], out: Path | None) -> None:
    roles, skipped = summary["roles"], summary["skipped"]
    assert isinstance(roles, dict)
    assert isinstance(skipped, dict)
    typer.echo(f"{summary['pages']:,} pages, {summary['links']:,} links, {summary['templates']} templates")
    typer.echo(f"{roles['toc']:,} TOC pages, {roles['article']:,} articles, {roles['other']:,} others")
    for reason, count in skipped.items():
        typer.echo(f"{reason}: {count:,}")
    if out is not None:
        typer.echo(f"wrote {out}")
