"""`sitegrain mine`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sitegrain.cli.progress import page_counter
from sitegrain.errors import UsageError

if TYPE_CHECKING:
    from sitegrain.methods.base import NodeVerdict
    from sitegrain.result.result import Result


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
    base: Annotated[
        str | None, typer.Option(help="Address that a folder's files live under; found from the pages when not given")
    ] = None,
    url_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds addresses")] = "url",
    html_column: Annotated[str, typer.Option(help="Column of a Parquet file that holds pages")] = "html",
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Leave the report to look at out of the result")
    ] = False,
    single_file: Annotated[
        bool, typer.Option("--single-file", help="The report as one file, report.html, instead of a folder")
    ] = False,
    also: Annotated[
        list[str] | None, typer.Option(help="Judge by this method, too, for the report; may be repeated")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Find the TOC pages, the articles and their text in a whole site."""
    from sitegrain.methods.registry import NODE_METHODS
    from sitegrain.result.mining import mine as mine_site
    from sitegrain.result.recipe import with_settings
    from sitegrain.sources.open import open_source

    for name in also or ():
        if name not in NODE_METHODS:
            raise UsageError(f"--also {name}: use one of {', '.join(NODE_METHODS)}")
    opened = open_source(source, base, url_column, html_column)
    with page_counter("reading", quiet or as_json) as on_page:
        methods = with_settings(method or (), settings or ())
        result = mine_site(opened, out, methods=methods, model=model, save_model=save_model, on_page=on_page)
    report = None
    if out is not None and not no_report:
        verdicts = {name: NODE_METHODS[name]().fit_apply(result.site) for name in also or ()}
        report = _write_report(result, out, single_file, verdicts)
    summary = result.summary
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
    elif not quiet:
        _print(summary, out)
        if report is not None:
            typer.echo(f"look at {report}")
    inside, resolved = summary["links_inside"], summary["links_resolved"]
    if 2 * resolved < inside:
        say = f"sitegrain: only {resolved:,} of {inside:,} links within the site lead to pages at hand"
        typer.echo(f"{say}: is --base right, and is this the whole site?", err=True)
    for problem in summary["problems"][:20]:
        typer.echo(f"sitegrain: {problem}", err=True)
    if summary["problems"]:
        typer.echo(f"sitegrain: only a part could be read ({len(summary['problems'])} problems)", err=True)
        raise typer.Exit(1)


def _write_report(result: Result, out: Path, is_single: bool, also: dict[str, NodeVerdict]) -> Path:
    from sitegrain.report.write import LARGE_FILE, write_report, write_single_file

    if not is_single:
        return write_report(result, out / "report", also)
    size = write_single_file(result, out / "report.html", also)
    if size > LARGE_FILE:
        typer.echo(f"sitegrain: report.html has {size >> 20} MB and opens slowly: leave --single-file out", err=True)
    return out / "report.html"


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
