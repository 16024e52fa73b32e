"""`sitegrain crawl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sitegrain.cli.arguments.crawl_options import takes_crawl_options
from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import counted, echo
from sitegrain.cli.screen.terminal import console
from sitegrain.sources.crawl.options import CrawlOptions

if TYPE_CHECKING:
    from sitegrain.sources.crawl import CrawlSummary


@takes_crawl_options(always=True)
def crawl(
    url: Annotated[str, Argument(help="The entrance: an http or https address")],
    out: Annotated[Path, Option(help="WARC file to write, NAME.warc.gz; an unfinished one is continued")],
    options: CrawlOptions,
    as_json: Annotated[bool, Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Fetch a site into a WARC file. Run the same command again to continue after a stop or a kill."""
    summary = crawl_into(url, out, options, quiet, as_lines=True)
    if as_json:
        echo(summary.to_json())
    elif not quiet:
        print_summary(summary)
    stop_if_interrupted(summary)


def crawl_into(url: str, out: Path, options: CrawlOptions, quiet: bool, as_lines: bool = False) -> CrawlSummary:
    """Crawl with a progress line on a terminal; elsewhere with JSON lines, if wanted."""
    from sitegrain.sources.crawl import crawl as crawl_site

    with crawl_progress(quiet, as_lines) as on_event:
        return crawl_site(url, out, options, on_event=on_event)


def stop_if_interrupted(summary: CrawlSummary) -> None:
    """End the command, as after any Ctrl-C, when the crawl was stopped by one."""
    if summary.stopped == "interrupted":
        echo("sitegrain: interrupted; run the same command again to continue", err=True)
        raise SystemExit(130)


def print_summary(summary: CrawlSummary) -> None:
    """The summary in plain words."""
    before = f" ({summary.resumed:,} of them by an earlier run)" if summary.resumed else ""
    echo(f"{summary.stopped}: {counted(summary.pages, 'page')}, {summary.bytes / 1e6:,.1f} MB{before}")
    if summary.recrawl:
        echo(
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
            echo(f"{name}: {count:,}")
    if summary.crawl_delay:
        echo(f"robots.txt asks for {summary.crawl_delay:g} s between requests")
    tell_unfetched(summary)
    echo(f"wrote {summary.out} in {summary.seconds:,.1f} s")
    tell_limit(summary)


def tell_unfetched(summary: CrawlSummary, more: str = "--json lists them") -> None:
    """The pages that could not be fetched, the first of them by name."""
    for url, reason in summary.problems[:5]:
        echo(f"sitegrain: {url}: {reason}", err=True)
    if len(summary.problems) > 5:
        echo(f"sitegrain: and {counted(len(summary.problems) - 5, 'more problem')} ({more})", err=True)


def tell_limit(summary: CrawlSummary) -> None:
    """Say it when a limit ended a crawl."""
    if summary.stopped in LIMITS:
        option = LIMITS[summary.stopped]
        echo(
            f"sitegrain: stopped at the {summary.stopped}: run the same command with a larger {option} to continue",
            err=True,
        )


LIMITS = {"page limit": "--max-pages", "byte limit": "--max-bytes"}
"""Why a crawl stopped -> the option that lets it go on."""


@contextmanager
def crawl_progress(quiet: bool = False, as_lines: bool = True) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """A function that shows progress events on standard error: a live line on a terminal, else JSON lines or only what
    the user should know."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield (lambda event: echo(json.dumps(event), err=True)) if as_lines else _warn
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=20), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
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


def _warn(event: dict[str, Any]) -> None:
    if event["event"] == "warning":
        echo(f"sitegrain: {event['message']}", err=True)


def _clock(seconds: float) -> str:
    """
    >>> _clock(75), _clock(7200)
    ('1:15', '2:00:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
