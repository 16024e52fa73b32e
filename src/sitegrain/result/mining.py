"""From a source to a result: captures -> `Site` -> verdicts -> `Result`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitegrain.errors import PAGE_FAULTS, OutputError, SourceError, UsageError
from sitegrain.light import dataclass
from sitegrain.methods.base import ROLES, NodeVerdict, PageVerdict
from sitegrain.result.folder import check_out, is_result
from sitegrain.result.provenance import provenance
from sitegrain.result.recipe import AnyMethod, Recipe, make_recipe, page_types
from sitegrain.result.result import Result
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FolderSource
from sitegrain.sources.open import is_address, open_files, open_source
from sitegrain.sources.parquet import ParquetSource
from sitegrain.tables.budgets import SECONDS_PER_MORE, SECONDS_PER_PAGE
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import SiteBuilder
from sitegrain.tables.site import Site
from sitegrain.tables.timing import time_limited

OnPage = Callable[[int], None]
Input = str | Path | Sequence[str | Path] | Source | Iterable[Capture] | Site


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

    `source` is an address to crawl (its WARC stays beside `out`), a folder, a WARC, Parquet or HTML file, or anything that
    yields captures. `methods` are others than the default ones, by name or with their parameters (`[SiteRoles(n_toc=3)]`); `model` is a
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
    read = _read(source if isinstance(source, Site) else opened(source, out), on_page)
    if not len(read.site):
        raise SourceError("the source holds no page")
    try:
        with time_limited(SECONDS_PER_PAGE + SECONDS_PER_MORE * len(read.site)):
            nodes, roles = _judged(recipe, read.site)
    except PAGE_FAULTS:
        rest = _without_failing(read, lambda: make_recipe(methods, model))
        if rest is None:
            raise
        read = rest
        recipe = make_recipe(methods, model)
        nodes, roles = _judged(recipe, read.site)
    site, told = read.site, read.about
    del read  # each page as it was parsed, which was for a site that cannot be judged: as much again as the tables
    of_pages = [ROLES[role] for role in roles.page_role.tolist()]
    roles = replace(roles, page_type=page_types(nodes, of_pages, site.pages.url))
    about = {
        **told,
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
    return _read(source, None).site


def read_site(source: Input, on_page: OnPage | None = None) -> Site:
    """The tables of any source."""
    return _read(source, on_page).site


def read_warc(*files: str | Path) -> Site:
    """The tables of the HTML pages in WARC files."""
    from sitegrain.sources.warc import WarcSource  # its library is loaded for nothing else

    return _read(WarcSource(files), None).site


def read_parquet(*files: str | Path, url_column: str = "url", html_column: str = "html") -> Site:
    """The tables of the pages in Parquet files."""
    return _read(ParquetSource(files, url_column, html_column), None).site


def read_jsonl(*files: str | Path, url_column: str = "url", html_column: str = "html") -> Site:
    """The tables of the pages in files of JSON lines; `metadata.url` names a field within another."""
    from sitegrain.sources.jsonl import JsonLinesSource  # asked for by few

    return _read(JsonLinesSource(files, url_column, html_column), None).site


@dataclass(frozen=True, eq=False)
class _Read:
    """The site of a source, and what to tell of it."""

    site: Site
    source: Source | None = None
    builder: SiteBuilder | None = None
    """None when the site was there already."""

    @property
    def about(self) -> dict[str, Any]:
        skipped, problems = dict(self.site.counts), [*self.builder.problems] if self.builder else []
        name, about = "captures" if self.builder else "a site", {}
        if self.source is not None:
            skipped |= self.source.counts
            problems += self.source.problems
            name = self.source.name
            about = {"address": self.source.about} if self.source.about else {}
        return {"source": name, **about, **_resolved(self.site), "skipped": skipped, "problems": problems}


def _read(source: Input, on_page: OnPage | None) -> _Read:
    if isinstance(source, Site):
        return _Read(source)
    source = opened(source)
    builder = SiteBuilder()
    for n, capture in enumerate(source, 1):
        builder.add(capture)
        if on_page is not None:
            on_page(n)
    return _Read(builder.build(), source if isinstance(source, Source) else None, builder)


def _judged(recipe: Recipe, site: Site) -> tuple[NodeVerdict, PageVerdict]:
    return recipe.judge(site), recipe.pages.fit_apply(site)


def _without_failing(read: _Read, fresh: Callable[[], Recipe]) -> _Read | None:
    """The site without the pages that cannot be judged even alone; None when there are none, or no others."""
    builder = read.builder
    if builder is None:
        return None
    failing = failing_pages(builder, fresh)
    if not 0 < len(failing) < len(builder):
        return None
    for row in reversed(failing):
        builder.drop(row, failing[row])
    return replace(read, site=builder.build())


def failing_pages(builder: SiteBuilder, fresh: Callable[[], Recipe]) -> dict[int, str]:
    """The pages that cannot be judged even alone, with the reasons; `fresh` makes methods that have learned nothing."""
    failing: dict[int, str] = {}
    for row in range(len(builder)):
        try:
            with time_limited():
                _judged(fresh(), builder.alone(row))
        except PAGE_FAULTS as error:
            failing[row] = f"{type(error).__name__}: {error}"
    return failing


def opened(
    source: str | Path | Sequence[str | Path] | Source | Iterable[Capture], out: str | Path | None = None
) -> Source | Iterable[Capture]:
    """The source of a name; `UsageError` for a result, which is none. What is crawled is kept beside the result `out`."""
    if isinstance(source, str) and out is not None and is_address(source):
        from sitegrain.sources.crawled import CrawlSource, archive_name

        source = CrawlSource(source, keep=archive_name(source, out))
    elif isinstance(source, str | Path):
        source = open_source(source)
    elif isinstance(source, list | tuple) and source and all(isinstance(name, str | Path) for name in source):
        source = open_files([str(name) for name in source])
    elif not isinstance(source, Source):
        source = _checked(source)
    if isinstance(source, FolderSource) and is_result(Path(source.name)):
        raise UsageError(
            f"{source.name} is a result already: look at it with `sitegrain explore`, or mine what it was made from"
        )
    return source


def _checked(source: Iterable[object]) -> Iterator[Capture]:
    """The captures of a caller. A table or a list of dictionaries yields something else, and would fail far from here."""
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise UsageError(
            f"a site is a name, a list of files, or something that yields Captures, not {type(source).__name__}"
        )
    return map(_as_capture, source)


def _as_capture(page: object) -> Capture:
    if not isinstance(page, Capture):
        raise UsageError(
            f"a source yields pages as Capture(url, html.encode()), and this one yields {type(page).__name__}"
        )
    if not isinstance(page.body, bytes) or not isinstance(page.url, str):
        raise UsageError("a Capture holds an address as str, and a page as bytes: Capture(url, html.encode())")
    return page


def _resolved(site: Site) -> dict[str, int]:
    """How many links within the site lead to pages at hand, and of how many."""
    inside = site.links.is_same_site & ~site.links.is_self
    return {"links_inside": int(inside.sum()), "links_resolved": int((inside & (site.links.target >= 0)).sum())}
