"""What was found in a site: verdicts as tables, articles and files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.strings import SharedStrings
from sitegrain.arrays.types import Bools, Floats, Ints32
from sitegrain.article.article import Article
from sitegrain.article.context import SiteContext
from sitegrain.errors import UsageError
from sitegrain.extractor.judged import Reasons
from sitegrain.light import dataclass
from sitegrain.methods.base import ROLES, NodeVerdict, PageVerdict
from sitegrain.methods.lamis.graph import SiteGraph, page_facts, site_graph
from sitegrain.native.chars import storable
from sitegrain.partition import blocks_of
from sitegrain.render import to_text
from sitegrain.result.arrow import column, taken
from sitegrain.result.base import AnyResult
from sitegrain.result.blocktext import block_texts
from sitegrain.result.distilled import distilled_links, graphml
from sitegrain.result.folder import GRAPH, LINES, TABLES, ResultWriter
from sitegrain.result.recipe import Recipe
from sitegrain.roles.templates import page_templates
from sitegrain.tables.paths import shared_anchor_texts, shared_css_paths, shared_node_paths
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

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: what was found, and not what was worked out of it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def _where(self) -> str:
        return min(self.site.pages.url, key=len) if len(self) else "empty"  # the entrance, or near it

    def __len__(self) -> int:
        return len(self.site)

    def __getitem__(self, page: int) -> Article:
        return self._found[page]

    @cached_property
    def _found(self) -> list[Article]:
        # One object per page, so that a text is written once however often it is asked for.
        roles = self.roles.page_role.tolist()
        context, types = self._context, self.roles.page_type
        return [Article(self.site, page, self.nodes, ROLES[role], context, types) for page, role in enumerate(roles)]

    @cached_property
    def _context(self) -> SiteContext:
        return SiteContext(self.site)

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
    def _page_facts(self) -> Mapping[str, npt.NDArray[np.int64]]:
        return page_facts(self.site)

    @cached_property
    def pages(self) -> pa.Table:
        """One row per page: see docs/output.md."""
        pages, roles = self.site.pages, self.roles
        self.complete()
        found = self._found
        return _with_evidence(
            {
                "page": column(np.arange(len(self), dtype=np.int32)),
                "url": _strings(pages.url),
                "path": _strings(pages.path),
                "role": _strings(a.role for a in found),
                "toc_score": column(roles.page_toc),
                "article_score": column(roles.page_article),
                "role_confidence": column(roles.page_confidence),
                "template": column(self.templates),
                "page_type": _strings(a.page_type for a in found),
                "language": _strings(a.language for a in found),
                "title": _strings(a.title for a in found),
                "author": _strings(a.author for a in found),
                "date": _strings(a.date for a in found),
                "sitename": _strings(a.sitename for a in found),
                "canonical": _strings(a.canonical for a in found),
                "description": _strings(a.description for a in found),
                "images": pa.array([[storable(u) for u in a.images] for a in found], pa.list_(pa.large_string())),
                "sources": _strings(_sources(a) for a in found),
                "text": _strings(a.text for a in found),
                "markdown": _strings(a.markdown for a in found),
                "html": _strings(a.html if a.role in LINES.values() else "" for a in found),
                "entries": _entries(found),
                "confidence": pa.array([a.confidence for a in found], pa.float64()),
                "n_bytes": column(pages.n_bytes),
                **{name: column(fact) for name, fact in self._page_facts.items()},
                "notes": _strings("; ".join(a.notes) for a in found),
            },
            roles.evidence,
        )

    @cached_property
    def blocks(self) -> pa.Table:
        """One row per block: see docs/output.md."""
        blocks, reason = self.nodes.blocks, self.nodes.blocks.reason
        page = self.site.nodes.page[blocks.node] if len(blocks) else np.zeros(0, np.int32)
        own = self.nodes.node_block
        is_own = own >= 0
        length = self.site.nodes.text_end - self.site.nodes.text_start
        n_chars = np.bincount(own[is_own], length[is_own], minlength=len(blocks)).astype(np.int64)
        columns = {
            "page": column(page),
            "url": _shared(SharedStrings(self.site.pages.url, page)),
            "path": _shared(shared_node_paths(self.site, blocks.node)),
            "css_path": _shared(shared_css_paths(self.site, blocks.node)),
            "is_informative": column(blocks.is_informative),
            "score": column(np.round(blocks.score * _SCORE_STEPS) / _SCORE_STEPS),
            "reason": _shared(reason.shared()) if isinstance(reason, Reasons) else _strings(reason),
            "n_characters": column(blocks.evidence.get("n_characters", n_chars)),
            "text": _shared(block_texts(self.site, own, len(blocks))),
        }
        more = {name: values for name, values in blocks.evidence.items() if name != "n_characters"}
        return _with_evidence(columns, more)

    @cached_property
    def links(self) -> pa.Table:
        """One row per link: see docs/output.md."""
        graph, keep = self._distilled
        entropy = np.full(len(self.site.links), np.nan)
        entropy[graph.link] = graph.entropy
        distilled = np.zeros(len(self.site.links), bool)
        distilled[graph.link] = keep
        return link_table(self.site, self.site.links.target, entropy, distilled)

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
            **self._failed,
        }

    @property
    def failed(self) -> list[str]:
        """The pages of which something could not be made so far, with the reasons."""
        return [f"{a.url or a.path}: {'; '.join(a.faults)}" for a in self._found if a.faults]

    @property
    def _failed(self) -> dict[str, Any]:
        """What was skipped and the problems, with the pages of which something could not be made so far."""
        failed = self.failed
        if not failed:
            return {}
        skipped = {**self.provenance.get("skipped", {}), "failed: a page that cannot be written whole": len(failed)}
        return {"skipped": skipped, "problems": [*self.provenance.get("problems", []), *failed]}

    def save_model(self, path: str | Path) -> None:
        """Write what was learned of the site, to judge new pages of it by (`extract(..., model=path)`)."""
        if self.recipe is None or len(self) < 2:
            raise UsageError("one page teaches nothing about a site: there is no model to save")
        self.recipe.nodes.save(path)

    def lines(self, role: str) -> Iterator[dict[str, Any]]:
        """The lines of articles.jsonl ("article") or tocs.jsonl ("toc"), in the order of `articles` and `tocs`."""
        reasons = self.roles.evidence.get("role_reason")
        for page in self._order(role):
            why = {} if reasons is None else {"role_reason": str(reasons[page])}
            line = self[page].to_dict()
            del line["html"]  # in the page table, which is packed: here it took as much room as all text
            yield {**line, "role_confidence": float(self.roles.page_confidence[page]), **why}

    def complete(self) -> None:
        """Make what is written of pages, page by page: what cannot be made is known before the summary is written."""
        for article in self._found:
            article.complete(article.role in LINES.values())

    def forget(self) -> None:
        """Let go of all that was made; articles may be held by what was begun before."""
        for article in self.__dict__.pop("_found", ()):
            article.__dict__.pop("fields", None)
        for name in (*TABLES, "_context", "_distilled", "_page_facts"):
            self.__dict__.pop(name, None)

    def save(self, out: str | Path) -> None:
        """Write the result folder, whole or not at all."""
        self.complete()
        with ResultWriter(out) as writer:
            for name in TABLES:
                writer.add_table(name, getattr(self, name))
            for name, role in LINES.items():
                for line in self.lines(role):
                    writer.add_line(name, line)
            writer.finish(self.summary, {GRAPH: self.graphml()})


def link_table(site: Site, target: Ints32, entropy: Floats, is_distilled: Bools, first: int = 0) -> pa.Table:
    """The table of links of a site, or of a part of it that begins at page `first`."""
    links = site.links
    return pa.table(
        {
            "page": column(links.page + np.int32(first)),
            "target": column(target),
            "target_url": _shared(SharedStrings(links.addresses, links.address)),
            "anchor": _shared(shared_anchor_texts(site)),
            "is_self": column(links.is_self),
            "is_same_site": column(links.is_same_site),
            "entropy": column(entropy, ~np.isnan(entropy)),
            "is_distilled": column(is_distilled),
        }
    )


_SCORE_STEPS = 2.0**20
"""Steps from 0 to 1 in which tables tell scores: finer ones mean nothing, and take two thirds of the room of the column."""
_ENTRY = pa.struct([(n, pa.large_string()) for n in ("title", "url", "snippet")] + [("page", pa.int32())])
_ENTRIES = pa.list_(_ENTRY)


def _entries(found: Sequence[Article]) -> pa.Array:
    """The entries of the lists of pages: column by column, as one object for each takes four times as long."""
    own = [article.entries for article in found]
    every = [entry for entries in own for entry in entries]
    columns = [_strings(entry.title for entry in every), _strings(entry.url for entry in every)]
    columns += [_strings(entry.snippet for entry in every), pa.array([entry.page for entry in every], pa.int32())]
    start = offsets(np.array([len(entries) for entries in own], np.int64)).astype(np.int32)
    return pa.ListArray.from_arrays(column(start), pa.StructArray.from_arrays(columns, fields=list(_ENTRY)), _ENTRIES)


_known_sources = lru_cache(maxsize=1 << 10)(lambda found: json.dumps(dict(found)))


def _sources(article: Article) -> str:
    """As JSON: most pages of a site have their fields from the same places."""
    told: str = _known_sources(tuple(article.sources.items()))
    return told


def _strings(values: Iterable[str]) -> pa.Array:
    strings = list(values)
    try:
        return pa.array(strings, pa.large_string())
    except UnicodeEncodeError:  # halves of surrogate pairs
        return pa.array(list(map(storable, strings)), pa.large_string())


def _shared(values: SharedStrings) -> pa.Array:
    """A column of which each different string was made once."""
    return taken(_strings(values.strings), values.which)


def _with_evidence(columns: dict[str, pa.Array], evidence: Mapping[str, npt.NDArray[Any]]) -> pa.Table:
    """A table with what a method decided by; a name that is taken gets a prefix."""
    for name, values in evidence.items():
        values = np.asarray(values)
        told = _strings(map(str, values.tolist())) if values.dtype.kind in "OUS" else column(values)
        columns[f"evidence_{name}" if name in columns else name] = told
    return pa.table(columns)
