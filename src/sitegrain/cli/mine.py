"""`sitegrain mine`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sitegrain.cli.progress import page_counter

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
    n_toc: Annotated[int | None, typer.Option(help="How many TOC pages there are; found when not given")] = None,
    save_model: Annotated[Path | None, typer.Option(help="Write what was learned of the site to this file")] = None,
    base: Annotated[str | None, typer.Option(help="Address that a folder's files live under")] = None,
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
    from sitegrain.methods.registry import node_model
    from sitegrain.result.mining import mine as mine_site
    from sitegrain.sources.open import open_source

    others = {name: node_model(name) for name in also or ()}
    opened = open_source(source, base, url_column, html_column)
    with page_counter("reading", quiet or as_json) as on_page:
        result = mine_site(opened, out, methods=method or (), model=model, n_toc=n_toc, on_page=on_page)
    if save_model is not None:
        result.save_model(save_model)
    report = None
    if out is not None and not no_report:
        verdicts = {name: model.fit_apply(result.site) for name, model in others.items()}
        report = _write_report(result, out, single_file, verdicts)
    summary = result.summary
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
    elif not quiet:
        _print(summary, out)
        if report is not None:
            typer.echo(f"look at {report}")
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
    typer.echo(f"{roles['toc']:,} TOC pages, {roles['article']:,} articles, {roles['other']:,} others")
    for reason, count in skipped.items():
        typer.echo(f"{reason}: {count:,}")
    if out is not None:
        typer.echo(f"wrote {out}")
