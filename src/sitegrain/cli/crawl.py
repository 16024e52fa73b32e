"""`sitegrain crawl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sitegrain.errors import UsageError

if TYPE_CHECKING:
    from sitegrain.sources.crawl import CrawlSummary


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the app."""
    app.command()(crawl)


def crawl(
    url: Annotated[str, typer.Argument(help="The entrance: an http or https address")],
    out: Annotated[Path, typer.Option(help="The WARC to write, NAME.warc.gz; an unfinished one is continued")],
    scope: Annotated[str, typer.Option(help="domain (with its subdomains), host, or prefix (the folder)")] = "domain",
    depth: Annotated[
        list[str] | None,
        typer.Option(help="Links from the entrance, at most: N, or /path/=N for a path prefix; may be repeated"),
    ] = None,
    max_pages: Annotated[int, typer.Option(help="Stop at so many pages; 0: no limit")] = 10_000,
    max_bytes: Annotated[int, typer.Option(help="Stop at so many bytes of pages; 0: no limit")] = 4 << 30,
    include: Annotated[
        list[str] | None, typer.Option(help="Regular expression that addresses must match; may be repeated")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Regular expression of addresses to leave out; may be repeated")
    ] = None,
    sitemaps: Annotated[bool, typer.Option("--sitemaps", help="Also start from the site's sitemaps")] = False,
    feeds: Annotated[bool, typer.Option("--feeds", help="Also start from RSS and Atom feeds")] = False,
    no_traps: Annotated[bool, typer.Option("--no-traps", help="Follow what looks endless, too")] = False,
    delay: Annotated[float, typer.Option(help="Seconds between requests to a host; 0 is no pacing")] = 0.5,
    concurrency: Annotated[int, typer.Option(help="Requests at one time")] = 8,
    contact: Annotated[
        str, typer.Option(help="Where the site's owner reaches you; sent along", envvar="SITEGRAIN_CONTACT")
    ] = "",
    user_agent: Annotated[str, typer.Option(help="The whole User-Agent header")] = "",
    no_robots: Annotated[bool, typer.Option("--no-robots", help="Ignore robots.txt (your own site only)")] = False,
    retries: Annotated[int, typer.Option(help="New tries for a failed request")] = 2,
    page_timeout: Annotated[float, typer.Option(help="Seconds for one page")] = 30.0,
    max_body: Annotated[int, typer.Option(help="Bytes of one page as sent")] = 16 << 20,
    max_decoded: Annotated[int, typer.Option(help="Bytes of one page when unpacked")] = 64 << 20,
    max_redirects: Annotated[int, typer.Option(help="Redirects in a row")] = 10,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also connect to loopback and private addresses")
    ] = False,
    insecure: Annotated[bool, typer.Option("--insecure", help="Do not check TLS certificates")] = False,
    earlier: Annotated[
        Path | None, typer.Option(help="WARC of an earlier crawl: only what changed is stored again")
    ] = None,
    render: Annotated[bool, typer.Option("--render", help="Run scripts in Chromium, store the DOM, too")] = False,
    browser: Annotated[str, typer.Option(help="The Chromium for --render")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Fetch a site into a WARC file. The same command again goes on after a stop or a kill."""
    from sitegrain.sources.crawl import CrawlOptions
    from sitegrain.sources.crawl import crawl as crawl_site

    limit, limits = _depths(depth or [])
    options = CrawlOptions(
        scope=scope,  # type: ignore[arg-type]  # checked there
        depth=limit,
        depths=limits,
        max_pages=max_pages or None,
        max_bytes=max_bytes or None,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        sitemaps=sitemaps,
        feeds=feeds,
        traps=not no_traps,
        delay=delay,
        concurrency=concurrency,
        obey_robots=not no_robots,
        user_agent=user_agent,
        contact=contact,
        retries=retries,
        allow_private=allow_private,
        verify_tls=not insecure,
        max_body=max_body,
        max_decoded=max_decoded,
        max_redirects=max_redirects,
        page_timeout=page_timeout,
        earlier=str(earlier) if earlier else "",
        render=render,
        browser=browser,
    )
    with crawl_progress(quiet) as on_event:
        summary = crawl_site(url, out, options, on_event=on_event)
    if as_json:
        typer.echo(summary.to_json())
    elif not quiet:
        print_summary(summary)
    if summary.stopped == "interrupted":
        typer.echo("sitegrain: interrupted; the same command goes on", err=True)
        raise typer.Exit(130)


def _depths(values: list[str]) -> tuple[int | None, dict[str, int]]:
    """`["2", "/news/=4"]` → the general limit and that of each prefix."""
    limit: int | None = None
    limits: dict[str, int] = {}
    for value in values:
        prefix, _, number = value.rpartition("=")
        try:
            if prefix:
                limits[prefix] = int(number)
            else:
                limit = int(number)
        except ValueError:
            raise UsageError(f"--depth {value}: write a number, or /path/=NUMBER") from None
    return limit, limits


def print_summary(summary: CrawlSummary) -> None:
    """The summary in plain words."""
    before = f" ({summary.resumed:,} of them by an earlier run)" if summary.resumed else ""
    typer.echo(f"{summary.stopped}: {summary.pages:,} pages, {summary.bytes / 1e6:,.1f} MB{before}")
    if summary.recrawl:
        typer.echo(
            f"{summary.new:,} new, {summary.changed:,} changed, {summary.unchanged:,} unchanged, {summary.gone:,} gone"
        )
    counts = {
        "redirects": summary.redirects,
        "answers 4xx": summary.not_found,
        "not HTML": summary.not_html,
        "forbidden by robots.txt": summary.disallowed,
        "private address": summary.refused,
        "too large": summary.too_large,
        "cut short by the server": summary.truncated,
        "errors": summary.errors,
        "rendered": summary.rendered,
        "still waiting": summary.queue,
        **{f"trap ({kind})": count for kind, count in summary.traps.items()},
    }
    for name, count in counts.items():
        if count:
            typer.echo(f"{name}: {count:,}")
    if summary.crawl_delay:
        typer.echo(f"robots.txt asks for {summary.crawl_delay:g} s between requests")
    for url, reason in summary.problems[:5]:
        typer.echo(f"sitegrain: {url}: {reason}", err=True)
    if len(summary.problems) > 5:
        typer.echo(f"sitegrain: and {len(summary.problems) - 5} more problems (--json lists them)", err=True)
    typer.echo(f"wrote {summary.out} in {summary.seconds:,.1f} s")
    if summary.stopped in LIMITS:
        option = LIMITS[summary.stopped]
        typer.echo(
            f"sitegrain: stopped at the {summary.stopped}: the same command with a larger {option} goes on", err=True
        )


LIMITS = {"page limit": "--max-pages", "byte limit": "--max-bytes"}
"""Why a crawl stopped -> the option that lets it go on."""


@contextmanager
def crawl_progress(quiet: bool = False) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """A function that shows progress events on standard error: a live line on a terminal, else JSON lines."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield lambda event: typer.echo(json.dumps(event), err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=20), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=None)

        def show(event: dict[str, Any]) -> None:
            if event["event"] == "warning":
                progress.console.print(f"sitegrain: {event['message']}", markup=False, highlight=False)
            if event["event"] != "progress":
                return
            eta = event["eta_seconds"]
            left = "" if eta is None else f", about {_clock(eta)} left"
            progress.update(
                task,
                completed=event["pages"],
                total=event["pages"] + event["queue"],
                description=f"{event['pages']:,} pages, {event['queue']:,} waiting, {event['errors']:,} errors, "
                f"{event['mb_per_second']:.2f} MB/s{left}",
            )

        yield show


def _clock(seconds: float) -> str:
    """
    >>> _clock(75), _clock(7200)
    ('1:15', '2:00:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
