"""What was found in a site: verdicts as tables, articles and files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.arrays.types import Bools, Ints32
from sitegrain.article.article import Article, SiteContext
from sitegrain.errors import UsageError
from sitegrain.methods.base import ROLES, NodeVerdict, PageVerdict
from sitegrain.methods.lamis.graph import SiteGraph, site_graph
from sitegrain.native.chars import storable
from sitegrain.partition import blocks_of
from sitegrain.render import to_text
from sitegrain.result.base import AnyResult
from sitegrain.result.distilled import distilled_links, graphml
from sitegrain.result.folder import GRAPH, TABLES, write_result
from sitegrain.result.recipe import Recipe
from sitegrain.roles.templates import page_templates
from sitegrain.tables.paths import anchor_texts, css_paths, node_paths
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms


@dataclass(frozen=True, repr=False)
class Result(AnyResult[Article]):
    """A site with what was found in it."""

    site: Site
    nodes: NodeVerdict
    roles: PageVerdict
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """Source, methods with their parameters, versions, time, and what was skipped."""
    recipe: Recipe | None = None
    """The methods that judged, with what they learned."""

    @property
    def _where(self) -> str:
        return self.site.pages.url[0] if len(self) else "empty"

    def __len__(self) -> int:
        return len(self.site)

    def __getitem__(self, page: int) -> Article:
        return self._found[page]

    @cached_property
    def _found(self) -> list[Article]:
        # One object per page, so that a text is written once however often it is asked for.
        roles = self.roles.page_role.tolist()
        context = SiteContext(self.site)
        types = self.roles.page_type
        return [Article(self.site, page, self.nodes, ROLES[role], context, types) for page, role in enumerate(roles)]

    @property
    def _page_role(self) -> npt.NDArray[np.int8]:
        return self.roles.page_role

    @property
    def _page_toc(self) -> npt.NDArray[np.float64]:
        return self.roles.page_toc

    def page_text(self, page: int) -> str:
        """The kept text of a page."""
        return to_text(self.site, page, self.nodes.node_kept)

    @cached_property
    def templates(self) -> Ints32:
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
                "images": pa.array([[storable(u) for u in a.images] for a in found], pa.list_(pa.large_string())),
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
    def _distilled(self) -> tuple[SiteGraph, Bools]:
        """The links between the pages, and which of them make up the distilled site."""
        terms = site_terms(self.site)
        graph = site_graph(self.site, terms)
        return graph, distilled_links(self.site, terms, graph, blocks_of(self.site, "list"), self.roles.page_role)

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
        if self.recipe is None or len(self) < 2:
            raise UsageError("one page teaches nothing of a site: there is no model to save")
        self.recipe.nodes.save(path)

    def save(self, out: str | Path) -> None:
        """Write the result folder, whole or not at all."""

        def rows(pages: Iterable[Article]) -> Iterator[dict[str, Any]]:
            for a in pages:
                yield {**a.to_dict(), "role_confidence": float(self.roles.page_confidence[a.page])}

        tables = {n: getattr(self, n) for n in TABLES}
        lines = {"articles": rows(self.articles), "tocs": rows(self.tocs)}
        write_result(out, tables, lines, self.summary, {GRAPH: self.graphml()})


def _strings(values: Iterable[str]) -> pa.Array:
    return pa.array([storable(v) for v in values], pa.large_string())


def _with_evidence(columns: dict[str, pa.Array], evidence: Mapping[str, npt.NDArray[Any]]) -> pa.Table:
    """A table with what a method decided by; a name that is taken gets a prefix."""
    for name, values in evidence.items():
        values = np.asarray(values)
        column = _strings(map(str, values)) if values.dtype.kind in "OUS" else pa.array(values)
        columns[f"evidence_{name}" if name in columns else name] = column
    return pa.table(columns)
