"""From a source to a result: captures -> `Site` -> verdicts -> `Result`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitegrain.errors import OutputError, SourceError, UsageError
from sitegrain.result.folder import check_out, is_result
from sitegrain.result.provenance import provenance
from sitegrain.result.recipe import AnyMethod, make_recipe, page_types
from sitegrain.result.result import Result
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FolderSource
from sitegrain.sources.open import open_source
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.build import SiteBuilder
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site

OnPage = Callable[[int], None]
Input = str | Path | Source | Iterable[Capture] | Site


def mine(
    source: Input,
    out: str | Path | None = None,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    save_model: str | Path | None = None,
    on_page: OnPage | None = None,
) -> Result:
    """Find the TOC pages, the articles and their informative text in a site; write them to `out` if given.

    `source` is an address to crawl, a folder, a WARC, Parquet or HTML file, or anything that yields captures.
    `methods` are others than the default ones, by name or with their parameters (`[SiteRoles(n_toc=3)]`); `model` is a
    file with what was learned earlier, and `save_model` the file for what is learned now; `on_page` is called with the
    number of pages read.

    >>> result = mine([Capture("http://a.org/", b"<a href=b>All about the letter B</a>"),
    ...                Capture("http://a.org/b", b"<p>" + b"B is a fine letter. " * 20)], methods=["outlink-count"])
    >>> result
    Result(http://a.org/: 2 pages, 1 TOC page, 1 article)
    >>> result.articles[0].url
    'http://a.org/b'
    """
    recipe = make_recipe(methods, model)
    if out is not None:
        check_out(out)
    if save_model is not None:
        recipe.nodes.need_savable()
        if not Path(save_model).absolute().parent.is_dir():
            raise OutputError(f"cannot write the model {save_model}: there is no such folder")
    start = time.perf_counter()
    site, read = _read(source, on_page)
    if not len(site):
        raise SourceError("the source holds no page")
    nodes = recipe.judge(site)
    roles = replace(recipe.pages.fit_apply(site), page_type=page_types(nodes))
    about = {
        **read,
        **provenance(recipe, model),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - start, 3),
    }
    result = Result(site, nodes, roles, about, recipe)
    if out is not None:
        result.save(out)
    if save_model is not None:
        result.save_model(save_model)
    return result


def read_folder(folder: str | Path, base: str | None = None) -> Site:
    """The tables of a folder of HTML files; relative paths become addresses under `base`."""
    source = open_source(folder, base)
    return _read(source, None)[0]


def read_warc(*files: str | Path) -> Site:
    """The tables of the HTML pages in WARC files."""
    return _read(WarcSource(files), None)[0]


def read_parquet(*files: str | Path, url_column: str = "url", html_column: str = "html") -> Site:
    """The tables of the pages in Parquet files."""
    return _read(ParquetSource(files, url_column, html_column), None)[0]


def _read(source: Input, on_page: OnPage | None) -> tuple[Site, dict[str, Any]]:
    if isinstance(source, Site):
        return source, {"source": "a site", "skipped": dict(source.counts), "problems": []}
    if isinstance(source, str | Path):
        source = open_source(source)
    if isinstance(source, FolderSource) and is_result(Path(source.name)):
        raise UsageError(f"{source.name} is a result already: open_result reads it; mine what it was made from")
    builder = SiteBuilder()
    for n, capture in enumerate(source, 1):
        builder.add(capture)
        if on_page is not None:
            on_page(n)
    site = builder.build()
    skipped = dict(site.counts)
    problems = list(builder.problems)
    if isinstance(source, Source):
        skipped = {**skipped, **source.counts}
        problems += source.problems
    name = source.name if isinstance(source, Source) else "captures"
    return site, {"source": name, "skipped": skipped, "problems": problems}
