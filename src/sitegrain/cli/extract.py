"""`sitegrain extract`."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo


class Format(StrEnum):
    """What `extract` prints."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


def extract(
    files: Annotated[
        list[str], Argument(help="HTML, WARC, Parquet or JSON lines files, addresses of pages, or - for standard input")
    ],
    format_: Annotated[
        Format, Option("--format", "-f", metavar="FORMAT", help="text, markdown, html or json")
    ] = Format.TEXT,
    url: Annotated[
        str | None, Option(help="Address of the page, to resolve its links; if not given, the one that the page names")
    ] = None,
    method: Annotated[
        list[str] | None, Option(help="Use this method instead of the default one; may be repeated")
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    model: Annotated[
        Path | None, Option(help="Use this model of the page's site, which `mine --save-model` wrote")
    ] = None,
    comments: Annotated[bool, Option("--comments", help="Also print the comments under an article")] = False,
    front_matter: Annotated[
        bool, Option("--front-matter", help="Print title, author, date and address above the Markdown")
    ] = False,
    allow_private: Annotated[
        bool, Option("--allow-private", help="Also fetch from loopback and private addresses")
    ] = False,
    url_column: Annotated[
        str, Option(help="Column of a Parquet file, or field of JSON lines, that holds addresses")
    ] = "url",
    html_column: Annotated[
        str, Option(help="Column of a Parquet file, or field of JSON lines, that holds pages")
    ] = "html",
    workers: Annotated[int, Option(min=0, help="Number of processes for many pages; 0 is one for each core")] = 0,
    as_json: Annotated[bool, Option("--json", help="The same as --format json")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print results and errors only")] = False,
) -> None:
    """Print the main text of single pages. Several pages follow one another under their names; JSON has one page per line."""
    from sitegrain.plan.pages import Wanted, extract_all
    from sitegrain.result.recipe import make_recipe, with_settings
    from sitegrain.sources.single import SinglePages

    pages = SinglePages(files, url, (url_column, html_column), allow_private)
    methods = with_settings(method or (), settings or ())
    make_recipe(methods, model)  # a model that cannot be used is told before any page is fetched
    form = Format.JSON if as_json else format_
    wanted = Wanted(form.value, methods, model, comments, front_matter)
    known: list[float] = []
    is_empty = True
    n = -1
    for n, page in enumerate(extract_all(pages, wanted, workers or os.cpu_count() or 1)):
        if page.problem:
            pages.problems.append(f"{page.name}: {page.problem}")
            continue
        is_empty = is_empty and page.is_empty
        known.append(page.known)
        if form is not Format.JSON and (len(files) > 1 or pages.is_many) and not quiet:
            echo(f"{'' if n == 0 else chr(10)}==> {page.name} <==")
        echo(page.text)
        if not quiet:
            for note in page.notes:
                echo(f"sitegrain: {page.name or 'the page'}: {note}", err=True)
    if pages.is_many and not quiet:
        for reason, count in pages.counts.items():
            echo(f"sitegrain: {reason}: {count:,}", err=True)
    for problem in pages.problems:
        echo(f"sitegrain: {problem}", err=True)
    if model is not None and known:
        _tell_drift(model, known)
    if n >= 0 and is_empty:
        echo("sitegrain: no text was found", err=True)
    if is_empty or pages.problems:
        raise SystemExit(1)


def _tell_drift(model: Path, known: list[float]) -> None:
    """Say it when the pages are not those that the model was made of; `known` are the shares of their elements that it knows."""
    from statistics import median

    from sitegrain.extractor.model import DRIFTED_BELOW

    share = median(known)
    if share < DRIFTED_BELOW:
        what = f"{share:.0%} of the elements of the median page stand at places that {model} knows"
        echo(f"sitegrain: the model belongs to another site, or the template has changed: only {what}", err=True)
