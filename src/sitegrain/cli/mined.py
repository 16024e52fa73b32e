"""What `mine` says at its end: what was found, how sure that is, what is missing, and what to open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegrain.cli.printing import at_most, counted, echo, fitted

if TYPE_CHECKING:
    from sitegrain.result.base import AnyResult

LEAST_SURE = 0.6
"""A page is named as doubtful below this. Ours: it only says what to look at first."""
NAMED = 3
"""Doubtful pages that are named; the report lists more."""


def print_found(summary: Mapping[str, Any]) -> None:
    """What was found, in numbers."""
    roles = summary["roles"]
    echo(
        ", ".join(
            counted(summary[key], word)
            for key, word in (("pages", "page"), ("links", "link"), ("templates", "template"))
        )
    )
    if "address" in summary:
        echo(f"address: {summary['address']}; {counted(summary['links_resolved'], 'link')} from page to page")
    echo(
        f"{counted(roles['toc'], 'TOC page')}, {counted(roles['article'], 'article')}, {counted(roles['other'], 'other page')}"
    )
    for reason, count in summary["skipped"].items():
        echo(f"{reason}: {count:,}")


def print_doubts(result: AnyResult[Any]) -> None:
    """How sure it is: doubtful pages, fields that articles lack, links that lead nowhere, notes."""
    names = ("url", "role", "confidence", "role_confidence", "title", "author", "date")
    table = result.table("pages", names)
    rows = list(zip(*(table.column(name).to_pylist() for name in names), strict=True))
    articles = [row for row in rows if row[1] == "article"]
    doubtful = [
        ("text", sorted((row[2] or 0.0, row[0]) for row in articles if (row[2] or 0.0) < LEAST_SURE)),
        ("role", sorted((row[3], row[0]) for row in rows if row[3] is not None and row[3] < LEAST_SURE)),
    ]
    for what, pages in doubtful:
        if pages:
            echo(f"unsure of the {what} of {counted(len(pages), 'page')}, least of:")
            for sure, url in at_most(NAMED, pages):
                echo(fitted(f"  {sure:.2f} {url}"))
    lacks = [(name, sum(not row[k] for row in articles)) for k, name in enumerate(names) if k > 3]
    if said := [f"{n:,} without {name}" for name, n in lacks if n]:
        echo(f"of {counted(len(articles), 'article')}: {', '.join(said)}")
    inside, resolved = result.summary["links_inside"], result.summary["links_resolved"]
    if resolved < inside:
        echo(f"links within the site: {inside - resolved:,} of {inside:,} lead to pages that are not here")
    for note in result.summary["notes"]:
        echo(fitted(f"note: {note}"))


def print_where(out: Path, report: Path | None, notes: Path | None) -> None:
    """Where the result is and what to open."""
    echo(f"wrote {out}")
    if notes is not None:
        echo(f"wrote {notes}")
    if report is not None:
        echo(f"look at {report}")
