"""`sitegrain diff` and `sitegrain watch`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sitegrain.cli.arguments.crawl_options import takes_crawl_options
from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import counted, echo, fitted
from sitegrain.sources.crawl.options import CrawlOptions

if TYPE_CHECKING:
    from sitegrain.watching.changes import Changes, PageChange

NOTHING_CHANGED = 3
"""Exit code of `diff` and `watch` when all is as it was: a script can tell it from a failure."""
SHOWN = 20
"""Pages of one kind that are printed."""
SHOWN_LINES = 3
"""Lines of changed text that are printed of a page, of each sign."""
_MARK = {"new": "+", "changed": "~", "gone": "-", "redesigned": "*"}


class ChangeFormat(StrEnum):
    """What `diff` and `watch` print."""

    TABLE = "table"
    JSON = "json"
    ATOM = "atom"


def diff(
    old: Annotated[
        Path, Argument(help="A result folder of `mine`, or a WARC file or folder of pages, which is mined first")
    ],
    new: Annotated[Path, Argument(help="The same kind of thing, of a later time")],
    format_: Annotated[
        ChangeFormat,
        Option("--format", "-f", metavar="FORMAT", help="table, json, or atom (a feed for a news reader)"),
    ] = ChangeFormat.TABLE,
    as_json: Annotated[bool, Option("--json", help="The same as --format json")] = False,
) -> None:
    """Show which pages of a site are new, changed, gone or redesigned. The exit code is 3 if nothing changed."""
    from sitegrain.errors import SourceError
    from sitegrain.watching.changes import diff as diff_results
    from sitegrain.watching.feed import atom, entries

    for name in (old, new):
        if not name.exists():
            raise SourceError(f"{name} does not exist: give a result folder, or what `mine` reads")
    changes = diff_results(old, new)
    if as_json or format_ is ChangeFormat.JSON:
        echo(json.dumps(changes.to_dict(), ensure_ascii=False))
    elif format_ is ChangeFormat.ATOM:
        time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        site = next((page.url for page in changes.pages), str(new))
        echo(atom(site, entries(changes, time, site)), nl=False)
    else:
        print_changes(changes)
    if not len(changes):
        raise SystemExit(NOTHING_CHANGED)


@takes_crawl_options(without=("earlier",), always=True)
def watch(
    url: Annotated[str, Argument(help="The entrance: an http or https address")],
    out: Annotated[Path, Option(help="Folder for the crawls, the result and the changes of this site")],
    options: CrawlOptions,
    no_report: Annotated[bool, Option("--no-report", help="Write no report")] = False,
    as_json: Annotated[bool, Option("--json", help="Print what changed as JSON")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Crawl a site again, mine it with what was learned about it, and show what changed. Exit code 3: nothing changed.

    The first run has nothing to compare with. OUT/changes.atom is a feed of the changes, OUT/result the newest result.
    """
    from sitegrain.cli.crawl import crawl_progress, stop_if_interrupted, tell_limit, tell_unfetched
    from sitegrain.watching.watch import FEED, RESULT
    from sitegrain.watching.watch import watch as watch_site

    with crawl_progress(quiet or as_json, as_lines=False) as on_event:
        found = watch_site(url, out, options, report=not no_report, on_event=on_event)
    stop_if_interrupted(found.crawl)
    assert found.result is not None
    if as_json:
        changes = {} if found.changes is None else found.changes.to_dict()
        echo(
            json.dumps(
                {"first_run": found.changes is None, "is_refitted": found.is_refitted, **changes}, ensure_ascii=False
            )
        )
    elif not quiet:
        if found.changes is None:
            echo(f"first run: {counted(len(found.result), 'page')}; run the same command again to see what changed")
        else:
            print_changes(found.changes)
        if found.is_refitted:
            echo("the site has been learned again")
        echo(f"result: {out / RESULT}; feed: {out / FEED}")
    if not quiet:
        tell_unfetched(found.crawl, "earlier copies are kept")
        tell_limit(found.crawl)
    problems = found.result.provenance.get("problems", ())
    for problem in problems[:20]:
        echo(f"sitegrain: {problem}", err=True)
    if problems:
        raise SystemExit(1)
    if found.changes is not None and not len(found.changes):
        raise SystemExit(NOTHING_CHANGED)


def print_changes(changes: Changes) -> None:
    """The changes as a table: a line per page, its changed text below."""
    counts = ", ".join(f"{n:,} {kind}" for kind, n in changes.counts.items())
    echo(f"{counts}, {changes.n_same:,} unchanged")
    for kind, n in changes.counts.items():
        for page in islice(changes.of(kind), SHOWN):
            _print_page(page)
        if n > SHOWN:
            echo(f"{_MARK[kind]} and {n - SHOWN:,} more {kind} (--json lists all)")
    if changes.is_redesigned:
        echo(f"the template has changed: {changes.known:.0%} of the elements of the median page are where they were")
    for note in changes.notes:
        echo(f"note: {note}")


def _print_page(page: PageChange) -> None:
    echo(fitted(f"{_MARK[page.kind]} {page.kind} {page.role}: {page.title or 'without a title'}"))
    echo(f"    {page.url}")
    if page.kind == "changed":
        for mark, lines in (("+", page.added), ("-", page.removed)):
            for line in lines[:SHOWN_LINES]:
                echo(fitted(f"    {mark} {line}"))
            if len(lines) > SHOWN_LINES:
                echo(f"    {mark} and {counted(len(lines) - SHOWN_LINES, 'more line')}")
