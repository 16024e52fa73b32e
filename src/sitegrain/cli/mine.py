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
    n_toc: Annotated[int | None, typer.Option(help="How many TOC pages there are; found when not given")] = None,
    save_model: Annotated[Path | None, typer.Option(help="Write what was learned of the site to this file")] = None,
    base: Annotated[
        str | None, typer.Option(help="Address that a folder's files live under; found from the pages when not given")
    ] = None,
    url_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds addresses")] = "url",
    html_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds pages")] = "html",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Find the TOC pages, the articles and their text in a whole site."""
    from sitegrain.result.mining import mine as mine_site
    from sitegrain.sources.open import open_source

    opened = open_source(source, base, url_column, html_column)
    with page_counter("reading", quiet or as_json) as on_page:
        result = mine_site(opened, out, methods=method or (), model=model, n_toc=n_toc, on_page=on_page)
    if save_model is not None:
        result.save_model(save_model)
    summary = result.summary
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
    elif not quiet:
        _print(summary, out)
    inside, resolved = summary["links_inside"], summary["links_resolved"]
    if 2 * resolved < inside:
        say = f"sitegrain: only {resolved:,} of {inside:,} links within the site lead to pages at hand"
        typer.echo(f"{say}: is --base right, and is this the whole site?", err=True)
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
    if "address" in summary:
        typer.echo(f"address: {summary['address']}; {summary['links_resolved']:,} links lead from page to page")
    typer.echo(f"{roles['toc']:,} TOC pages, {roles['article']:,} articles, {roles['other']:,} others")
    for reason, count in skipped.items():
        typer.echo(f"{reason}: {count:,}")
    if out is not None:
        typer.echo(f"wrote {out}")
