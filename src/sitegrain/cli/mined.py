"""What `mine` says at its end: what was found, how sure that is, what is missing, and what to open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegrain.cli.screen.printing import counted, echo, fitted
from sitegrain.tables.address import host_of, site_key

if TYPE_CHECKING:
    from sitegrain.plan.sites import MinedSites
    from sitegrain.result.base import AnyResult

LEAST_SURE = 0.6
"""A page is named as doubtful below this. Ours: it only says what to look at first."""
NAMED = 3
"""Doubtful pages that are named; the report lists more."""
SITES, PROBLEMS = 20, 20
"""Sites and problems that are named; as many as fit on a screen."""


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
            echo(f"unsure of the {what} of {counted(len(pages), 'page')}; the least sure:")
            for sure, url in pages[:NAMED]:
                echo(fitted(f"  {sure:.2f} {url}"))
    lacks = [(name, sum(not row[k] for row in articles)) for k, name in enumerate(names) if k > 3]
    if said := [f"{n:,} without {name}" for name, n in lacks if n]:
        echo(f"of {counted(len(articles), 'article')}: {', '.join(said)}")
    inside, resolved = result.summary["links_inside"], result.summary["links_resolved"]
    if resolved < inside:
        echo(f"links within the site: {inside - resolved:,} of {inside:,} lead to pages that are not here")
    for note in result.summary["notes"]:
        echo(fitted(f"note: {note}"))
    sites = Counter(map(site_key, map(host_of, (row[0] for row in rows))))
    if len(sites) > 1:
        named = ", ".join(site or "no address" for site, _ in sites.most_common(NAMED))
        more = ", ..." if len(sites) > NAMED else ""
        echo(
            fitted(f"note: pages of {len(sites):,} sites ({named}{more}) were mined as one: --by-site keeps them apart")
        )


def print_where(out: Path, report: Path | None, notes: Path | None) -> None:
    """Where the result is and what to open."""
    echo(f"wrote {out}")
    if notes is not None:
        echo(f"wrote {notes}")
    if report is not None:
        echo(f"look at {report}")


def print_sites(found: MinedSites, out: Path, as_json: bool, quiet: bool) -> None:
    """What was found in a source of many sites: the largest of them, and where the others are named."""
    if as_json:
        rows = [asdict(site) for site in found.sites]
        echo(json.dumps({"sites": rows, "skipped": found.skipped, "problems": found.problems}, ensure_ascii=False))
    elif not quiet:
        echo(f"{counted(len(found.sites), 'site')}, {counted(sum(s.n_pages for s in found.sites), 'page')}")
        for site in sorted(found.sites, key=lambda s: (-s.n_pages, s.site))[:SITES]:
            kinds = f"{counted(site.n_toc, 'TOC page')}, {counted(site.n_articles, 'article')}"
            echo(fitted(f"  {site.site or 'pages without an address'}: {counted(site.n_pages, 'page')}, {kinds}"))
        if len(found.sites) > SITES:
            echo(f"  and {len(found.sites) - SITES:,} more, all of them in {out / 'sites.parquet'}")
        for reason, count in found.skipped.items():
            echo(f"{reason}: {count:,}")
        echo(f"wrote {out}")


def end_with(problems: Sequence[str]) -> None:
    """Name what could not be read; exit code 1 if there is anything."""
    for problem in problems[:PROBLEMS]:
        echo(f"sitegrain: {problem}", err=True)
    if problems:
        echo(f"sitegrain: only a part could be read ({counted(len(problems), 'problem')})", err=True)
        raise SystemExit(1)
