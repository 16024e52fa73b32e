"""From a source to a result: captures -> `Site` -> verdicts -> `Result`."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sitegrain.article.article import Article, kind_nodes
from sitegrain.errors import SourceError
from sitegrain.methods.base import NodeModel, PageModel
from sitegrain.result.folder import check_out
from sitegrain.result.recipe import make_recipe
from sitegrain.result.result import Result
from sitegrain.sources.base import Source
from sitegrain.sources.open import open_source
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.build import SiteBuilder, build_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site

OnPage = Callable[[int], None]
Input = str | Path | Source | Iterable[Capture] | Site


def mine(
    source: Input,
    out: str | Path | None = None,
    *,
    methods: Sequence[str] = (),
    model: str | Path | None = None,
    n_toc: int | None = None,
    on_page: OnPage | None = None,
) -> Result:
    """Find the TOC pages, the articles and their informative text in a site; write them to `out` if given.

    `source` is an address to crawl, a folder, a WARC, Parquet or HTML file, or anything that yields captures.
    `methods` names other methods than the default ones; `n_toc` gives the number of TOC pages, which is found
    otherwise; `on_page` is called with the number of pages read.

    >>> result = mine([Capture("http://a.org/", b"<a href=b>All about the letter B</a>"),
    ...                Capture("http://a.org/b", b"<p>" + b"B is a fine letter. " * 20)], methods=["outlink-count"])
    >>> result
    Result(Site(http://a.org/: 2 pages, 10 nodes, 1 link): 1 TOC pages, 1 articles)
    """
    recipe = make_recipe(methods, model, n_toc)
    if out is not None:
        check_out(out)
    start = time.perf_counter()
    site, provenance = _read(source, on_page)
    if not len(site):
        raise SourceError("the source holds no page")
    nodes = recipe.judge(site)
    roles = recipe.pages.rank(site)
    provenance = {
        **provenance,
        "methods": {"nodes": _about(recipe.nodes), "pages": _about(recipe.pages)},
        "versions": _versions(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - start, 3),
    }
    result = Result(site, nodes, roles, provenance, recipe)
    if out is not None:
        result.save(out)
    return result


def extract(
    html: str | bytes,
    url: str | None = None,
    *,
    methods: Sequence[str] = (),
    model: str | Path | None = None,
    comments: bool = False,
) -> Article:
    """The main text of one page; with the comments under it when `comments` is true (else they are `Article.comments`).

    >>> extract("<p>Hello <i>you</i>").text
    'Hello you'
    """
    if isinstance(html, str):
        # Text has no character set any more, whatever its <meta> says.
        headers = {"content-type": "text/html; charset=utf-8"}
        capture = Capture(url or "", html.encode("utf-8", "replace"), headers=headers)
    else:
        capture = Capture(url or "", html)
    site = build_site([capture])
    verdict = make_recipe(methods, model).judge(site)
    if comments:
        verdict = replace(verdict, node_kept=verdict.node_kept | kind_nodes(site, verdict, "comments"))
    return Article(site, 0, verdict)


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
        return source, {"source": "a site", **_resolved(source), "skipped": dict(source.counts), "problems": []}
    if isinstance(source, str | Path):
        source = open_source(source)
    builder = SiteBuilder()
    for n, capture in enumerate(source, 1):
        builder.add(capture)
        if on_page is not None:
            on_page(n)
    site = builder.build()
    skipped = dict(site.counts)
    problems: list[str] = []
    if isinstance(source, Source):
        skipped = {**skipped, **source.counts}
        problems = list(source.problems)
    name = source.name if isinstance(source, Source) else "captures"
    about = {"address": source.about} if isinstance(source, Source) and source.about else {}
    return site, {"source": name, **about, **_resolved(site), "skipped": skipped, "problems": problems}


def _resolved(site: Site) -> dict[str, int]:
    """How many links within the site lead to pages at hand, and of how many."""
    inside = site.links.is_same_site & ~site.links.is_self
    return {"links_inside": int(inside.sum()), "links_resolved": int((inside & (site.links.target >= 0)).sum())}


def _about(model: NodeModel | PageModel) -> dict[str, Any]:
    plain = (str, int, float, bool, type(None))
    fields: dict[str, Any] = asdict(model) if is_dataclass(model) else {}
    return {"name": model.name, **{k: v for k, v in fields.items() if isinstance(v, plain)}}


def _versions() -> dict[str, str]:
    out = {"python": platform.python_version()}
    for name in ("sitegrain", "numpy", "scipy", "pyarrow", "selectolax"):
        try:
            out[name] = version(name)
        except PackageNotFoundError:
            out[name] = "not installed"
    return out
