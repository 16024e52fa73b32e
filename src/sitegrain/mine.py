"""The recipe for one site: captures -> `Site` -> verdicts -> `Result`.

Which methods judge is decided in one place, `make_recipe`; everything else here only carries what they say.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.article import Article, SiteContext, kind_nodes
from sitegrain.errors import SourceError, UsageError
from sitegrain.models.base import ROLES, NodeModel, NodeVerdict, PageModel, PageVerdict
from sitegrain.models.distill import distilled_links, graphml
from sitegrain.models.extractor import Extractor, load_extractor
from sitegrain.models.registry import NODE_MODELS, PAGE_MODELS
from sitegrain.models.sitegraph import SiteGraph, site_graph
from sitegrain.models.templates import page_templates
from sitegrain.partition import partitioner
from sitegrain.render import to_text
from sitegrain.sources.base import Source
from sitegrain.sources.open import open_source
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.build import SiteBuilder, build_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.paths import anchor_texts, css_paths, node_paths
from sitegrain.tables.site import Site
from sitegrain.tables.store import check_out, write_result
from sitegrain.tables.terms import site_terms

DEFAULT_NODES = "default"
DEFAULT_PAGES = "siteroles"

OnPage = Callable[[int], None]
Input = str | Path | Source | Iterable[Capture] | Site


@dataclass(frozen=True)
class Recipe:
    """The two methods that judge a site."""

    nodes: NodeModel
    pages: PageModel
    is_learned: bool = False
    """The node method was loaded from a file with what it knows of a site: it learns nothing now."""

    def judge(self, site: Site) -> NodeVerdict:
        """The verdict on a site's text: by what the method knows of the site already, or else by what it learns now."""
        if self.is_learned or (isinstance(self.nodes, Extractor) and self.nodes.knowledge_ is not None):
            return self.nodes.apply(site)
        return self.nodes.fit_apply(site)


def make_recipe(
    methods: Sequence[str] = (), model: str | Path | None = None, n_toc: int | None = None
) -> Recipe:
    """The default methods, with those of these names in their place. This is where another default is plugged in.

    `n_toc` is the number of TOC pages, for who knows it; else it is found.

    >>> make_recipe(["outlink-count"]).pages
    OutlinkCount(min_characters=200)
    """
    chosen = {"nodes": DEFAULT_NODES, "pages": DEFAULT_PAGES}
    for name in methods:
        if name not in NODE_MODELS and name not in PAGE_MODELS:
            known = ", ".join([*NODE_MODELS, *PAGE_MODELS])
            raise UsageError(f"no method is called {name!r}; there are: {known}")
        chosen["nodes" if name in NODE_MODELS else "pages"] = name
    nodes = NODE_MODELS[chosen["nodes"]]()
    try:
        pages = PAGE_MODELS[chosen["pages"]](**({} if n_toc is None else {"n_toc": n_toc}))
    except TypeError as error:
        raise UsageError(f"{chosen['pages']!r} does not take a number of TOC pages") from error
    if model is None:
        return Recipe(nodes, pages)
    if chosen["nodes"] == DEFAULT_NODES:
        return Recipe(load_extractor(model), pages)
    return Recipe(type(nodes).load(model), pages, is_learned=True)


@dataclass(frozen=True)
class Result:
    """A site with what was found in it."""

    site: Site
    nodes: NodeVerdict
    roles: PageVerdict
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """Source, methods with their parameters, versions, time, and what was skipped."""
    recipe: Recipe | None = field(default=None, repr=False)
    """The methods that judged, with what they learned."""

    def __repr__(self) -> str:
        return f"Result({self.site!r}: {self.count('toc')} TOC pages, {self.count('article')} articles)"

    def __len__(self) -> int:
        return len(self.site)

    def __getitem__(self, page: int) -> Article:
        return self._found[page]

    @cached_property
    def _found(self) -> list[Article]:
        # One object per page, so that a text is written once however often it is asked for.
        roles = self.roles.page_role.tolist()
        context = SiteContext(self.site)
        return [Article(self.site, page, self.nodes, ROLES[role], context) for page, role in enumerate(roles)]

    def count(self, role: str) -> int:
        """How many pages have this role."""
        return int((self.roles.page_role == ROLES.index(role)).sum())

    def page_text(self, page: int) -> str:
        """The kept text of a page."""
        return to_text(self.site, page, self.nodes.node_kept)

    @property
    def articles(self) -> Iterator[Article]:
        """The article pages, in order."""
        return (self[p] for p in np.flatnonzero(self.roles.page_role == ROLES.index("article")).tolist())

    @property
    def tocs(self) -> Iterator[Article]:
        """The TOC pages, those most like one first."""
        rows = np.flatnonzero(self.roles.page_role == ROLES.index("toc"))
        return (self[p] for p in rows[np.argsort(-self.roles.page_toc[rows], kind="stable")].tolist())

    @cached_property
    def templates(self) -> npt.NDArray[np.int32]:
        """Per page: which template it is made from."""
        return page_templates(self.site)

    @cached_property
    def pages(self) -> pa.Table:
        """One row per page: see docs/output.md."""
        pages, roles = self.site.pages, self.roles
        found = self._found
        return _with_evidence(
            {
                "page": pa.array(range(len(self)), pa.int32()),
                "url": _strings(pages.url),
                "path": _strings(pages.path),
                "role": _strings(a.role for a in found),
                "toc_score": pa.array(roles.page_toc),
                "article_score": pa.array(roles.page_article),
                "role_confidence": pa.array(roles.page_confidence),
                "template": pa.array(self.templates),
                "page_type": _strings(a.page_type for a in found),
                "language": _strings(a.language for a in found),
                "title": _strings(a.title for a in found),
                "author": _strings(a.author for a in found),
                "date": _strings(a.date for a in found),
                "sitename": _strings(a.sitename for a in found),
                "canonical": _strings(a.canonical for a in found),
                "description": _strings(a.description for a in found),
                "images": pa.array([[_clean(u) for u in a.images] for a in found], pa.list_(pa.large_string())),
                "sources": _strings(json.dumps(a.sources) for a in found),
                "text": _strings(a.text for a in found),
                "markdown": _strings(a.markdown for a in found),
                "confidence": pa.array([a.confidence for a in found], pa.float64()),
                "n_bytes": pa.array(pages.n_bytes),
                "notes": _strings("; ".join(a.notes) for a in found),
            },
            roles.evidence,
        )

    @cached_property
    def blocks(self) -> pa.Table:
        """One row per block: see docs/output.md."""
        blocks = self.nodes.blocks
        page = self.site.nodes.page[blocks.node] if len(blocks) else np.zeros(0, np.int32)
        own = self.nodes.node_block
        is_own = own >= 0
        length = self.site.nodes.text_end - self.site.nodes.text_start
        n_chars = np.bincount(own[is_own], length[is_own], minlength=len(blocks)).astype(np.int64)
        columns = {
            "page": pa.array(page),
            "url": _strings(self.site.pages.url[p] for p in page.tolist()),
            "path": _strings(node_paths(self.site, blocks.node)),
            "css_path": _strings(css_paths(self.site, blocks.node)),
            "is_informative": pa.array(blocks.is_informative),
            "score": pa.array(blocks.score),
            "reason": _strings(blocks.reason),
            "n_characters": pa.array(n_chars),
        }
        return _with_evidence(columns, blocks.evidence)

    @cached_property
    def links(self) -> pa.Table:
        """One row per link: see docs/output.md."""
        links = self.site.links
        graph, keep = self._distilled
        entropy = np.full(len(links), np.nan)
        entropy[graph.link] = graph.entropy
        distilled = np.zeros(len(links), bool)
        distilled[graph.link] = keep
        return pa.table(
            {
                "page": pa.array(links.page),
                "target": pa.array(links.target),
                "target_url": _strings(links.url),
                "anchor": _strings(anchor_texts(self.site)),
                "is_self": pa.array(links.is_self),
                "is_same_site": pa.array(links.is_same_site),
                "entropy": pa.array(entropy, from_pandas=True),
                "is_distilled": pa.array(distilled),
            }
        )

    @cached_property
    def _distilled(self) -> tuple[SiteGraph, npt.NDArray[np.bool_]]:
        """The links between the pages, and which of them make up the distilled site."""
        terms = site_terms(self.site)
        graph = site_graph(self.site, terms)
        return graph, distilled_links(self.site, terms, graph, partitioner("list")(self.site), self.roles.page_role)

    def graphml(self) -> str:
        """The distilled site as GraphML: TOC pages, articles, and the informative links between them."""
        graph, keep = self._distilled
        return graphml(self.site, graph, self.roles.page_role, keep)

    @property
    def summary(self) -> dict[str, Any]:
        """What site.json holds."""
        return {
            "pages": len(self),
            "roles": {role: self.count(role) for role in ROLES},
            "templates": int(self.templates.max(initial=-1)) + 1,
            "nodes": self.site.n_nodes,
            "links": len(self.site.links),
            "notes": [*self.nodes.notes, *self.roles.notes],
            **self.provenance,
        }

    def save_model(self, path: str | Path) -> None:
        """Write what was learned of the site, to judge new pages of it by (`extract(..., model=path)`)."""
        nodes = None if self.recipe is None else self.recipe.nodes
        if nodes is None or (isinstance(nodes, Extractor) and nodes.knowledge_ is None):
            raise UsageError("one page teaches nothing of a site: there is no model to save")
        nodes.save(path)

    def save(self, out: str | Path) -> None:
        """Write the result folder, whole or not at all."""

        def rows(pages: Iterable[Article]) -> Iterator[dict[str, Any]]:
            for a in pages:
                yield {**a.to_dict(), "role_confidence": float(self.roles.page_confidence[a.page])}

        tables = {n: getattr(self, n) for n in ("pages", "blocks", "links")}
        lines = {"articles": rows(self.articles), "tocs": rows(self.tocs)}
        write_result(out, tables, lines, self.summary, {"distilled.graphml": self.graphml()})


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
        return source, {"source": "a site", "skipped": dict(source.counts), "problems": []}
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
    return site, {"source": name, "skipped": skipped, "problems": problems}


def _strings(values: Iterable[str]) -> pa.Array:
    # Text from a page may hold halves of surrogate pairs, which no UTF-8 can.
    return pa.array([_clean(v) for v in values], pa.large_string())


def _clean(value: str) -> str:
    return value.encode("utf-8", "replace").decode()


def _with_evidence(columns: dict[str, pa.Array], evidence: Mapping[str, npt.NDArray[Any]]) -> pa.Table:
    """A table with what a method decided by; a name that is taken gets a prefix."""
    for name, values in evidence.items():
        values = np.asarray(values)
        column = _strings(map(str, values)) if values.dtype.kind in "OUS" else pa.array(values)
        columns[f"evidence_{name}" if name in columns else name] = column
    return pa.table(columns)


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
