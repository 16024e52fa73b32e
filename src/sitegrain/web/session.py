"""What the explorer holds: a result from its folder or just mined, what was run on it since, and labels."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.errors import OutputError, SourceError, UsageError
from sitegrain.extractor.model import Extractor
from sitegrain.index import FILE, index_folder, index_result, open_index
from sitegrain.methods.registry import NODE_METHODS, make_method
from sitegrain.report.body import block_tops
from sitegrain.report.files import CHUNK, BlockPages, ReportFiles, body_name, packed
from sitegrain.report.tables import Tables, strings
from sitegrain.report.write import judged_pages
from sitegrain.result.mining import mine
from sitegrain.result.recipe import DEFAULT_NODES, make_recipe
from sitegrain.result.result import Result
from sitegrain.result.stored import open_result
from sitegrain.sources.open import open_source
from sitegrain.tables.build import build_site

PAGE_ALONE = "page-alone"
"""The default extractor without what it knows of the site."""
KINDS = ("article", "toc", "other")


class Session:
    """One site in the explorer. Work that takes long is done under one lock, in the thread of the request."""

    def __init__(
        self, tables: Tables, folder: Path | None = None, pages: str | None = None, labels: Path | None = None
    ) -> None:
        self.tables = tables
        self.folder = folder
        """The result folder; None when the site was mined for this session."""
        self._source = pages
        self._lock = threading.RLock()
        self._runs: dict[str, BlockPages] = {}
        self._packed: dict[str, str] = {}
        self.labels_path = labels or (folder / "labels.jsonl" if folder is not None else Path("labels.jsonl"))
        self.other: Tables | None = None
        """A second result of the site, to compare with."""
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    # --- the report's files

    @cached_property
    def files(self) -> ReportFiles:
        own = isinstance(self.tables, Result)
        return ReportFiles(self.tables, self._own_pages if own else None)

    @cached_property
    def result(self) -> Result:
        """The site with its verdict: as mined, or read again from where the result was mined from."""
        if isinstance(self.tables, Result):
            return self.tables
        name = self._source or str(self.tables.summary.get("source", ""))
        if not name or not Path(name).exists():
            raise SourceError("the pages that this result was mined from are not here: say with --pages where they are")
        site = build_site(open_source(name))
        if list(site.pages.url) != strings(self.tables.pages, "url"):
            raise SourceError(f"{name} holds other pages than this result: say with --pages where its pages are")
        made = self.tables.summary["methods"]
        # A name as LAMIS-LN is a set of parameters, so those are enough; JSON made lists of tuples.
        given = [
            {k: tuple(v) if isinstance(v, list) else v for k, v in made[kind].items()} for kind in ("nodes", "pages")
        ]
        recipe = make_recipe([make_method(str(parameters.pop("name")), **parameters) for parameters in given])
        nodes = recipe.judge(site)
        if nodes.blocks.is_informative.tolist() != self.tables.blocks.column("is_informative").to_pylist():
            raise SourceError(
                "these pages are judged otherwise now than when the result was made (a model file was given then, or "
                "sitegrain has changed): mine them again"
            )
        return Result(site, nodes, recipe.pages.fit_apply(site), dict(self.tables.summary), recipe)

    @cached_property
    def _own_pages(self) -> BlockPages:
        return BlockPages(self.result.site, self.result.nodes, self.result)

    def data(self, name: str) -> str:
        """A data file of the report; bodies also by any method. `KeyError` if there is none of that name."""
        with self._lock:
            if name == "site":
                about = {"chunk": CHUNK, "methods": self.methods, "server": self.about()}
                return packed(name, {**self.files.overview, **about})
            if name in ("pages", "graph"):
                if name not in self._packed:
                    self._packed[name] = self.files.data(name)
                return self._packed[name]
            number, method = body_name(name)
            if not method and self.folder is not None:
                written = self.folder / "report" / "data" / f"body-{number}.js"
                if written.is_file():
                    return written.read_text("ascii")
            if method:
                self.run(method)
            return ReportFiles(self.tables, self._own_pages, self._runs).data(name)

    @cached_property
    def methods(self) -> list[str]:
        """The other methods that can be run."""
        return [PAGE_ALONE, *(name for name in NODE_METHODS if name != DEFAULT_NODES)]

    def about(self) -> dict[str, Any]:
        """What the explorer can do with this site."""
        return {
            "compare": self.other is not None,
            "labels": len(self.labels),
        }

    # --- methods

    def run(self, method: str) -> BlockPages:
        """Judge the site by another method, once."""
        if method not in self.methods:
            raise UsageError(f"no method {method!r} here")
        with self._lock:
            if method not in self._runs:
                result = self.result
                judge = Extractor(use_site=False) if method == PAGE_ALONE else NODE_METHODS[method]()
                self._runs[method] = judged_pages(result, judge.fit_apply(result.site))
            return self._runs[method]

    def agreement(self, method: str) -> dict[str, Any]:
        """How far another method agrees with the result: characters kept by both, by one, and where they differ most."""
        judged, own = self.run(method).verdict.node_kept, self.result.nodes.node_kept
        nodes, n = self.result.site.nodes, len(self.result)
        size = np.where(self.result.site.is_text, nodes.text_end - nodes.text_start, 0)

        def total(chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> Any:
            return np.bincount(nodes.page[chosen], size[chosen], minlength=n)

        both, other, mine_only = total(judged & own), total(judged & ~own), total(own & ~judged)
        most = np.argsort(-(other + mine_only), kind="stable")[:50]
        return {
            "method": method, "both": int(both.sum()), "only_method": int(other.sum()), "only_result": int(mine_only.sum()),
            "pages": [[int(p), int(other[p]), int(mine_only[p])] for p in most.tolist() if other[p] + mine_only[p]],
        }  # fmt: skip

    def save_model(self) -> str:
        """Write what was learned of the site into the result folder."""
        if self.folder is None:
            raise UsageError("this site has no result folder: mine it with --out, and explore that")
        with self._lock:
            path = self.folder / "model.json"
            self.result.save_model(path)
        return path.name

    # --- search and comparison

    def search(self, query: str, n: int = 30) -> list[dict[str, Any]]:
        """Full-text search in the informative text; the index is made at the first search."""
        with self._lock:
            folder = self._index()
            page_of = self._page_of
        with open_index(folder) as index:
            hits = index.search(query, n)
        return [
            {"page": page_of.get(hit.url, -1), "url": hit.url, "title": hit.title, "snippet": hit.snippet}
            for hit in hits
        ]

    @cached_property
    def _page_of(self) -> dict[str, int]:
        return {url: page for page, url in enumerate(strings(self.tables.pages, "url"))}

    def _index(self) -> Path:
        if self.folder is not None:
            if not (self.folder / FILE).exists():
                index_folder(self.folder)
            return self.folder
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="sitegrain-explore-")
            index_result(self.result, self._temporary.name)
        return Path(self._temporary.name)

    def compare(self) -> dict[str, Any]:
        """Pages that are new, gone or changed since the other result, by their addresses."""
        if self.other is None:
            raise UsageError("nothing to compare with: say --against FOLDER")
        now, before = self._texts(self.tables), self._texts(self.other)
        new = [page for url, (page, _, _) in now.items() if url not in before]
        gone = [[url, title] for url, (_, title, _) in before.items() if url not in now]
        changed = []
        for url, (page, _, text) in now.items():
            if url in before and before[url][2] != text:
                changed.append([page, len(before[url][2]), len(text)])
        same = len(now) - len(new) - len(changed)
        return {"new": new, "gone": gone, "changed": changed, "same": same, "before": dict(self.other.summary)}

    @staticmethod
    def _texts(tables: Tables) -> dict[str, tuple[int, str, str]]:
        columns = (strings(tables.pages, name) for name in ("url", "title", "text"))
        return {url: (page, title, text) for page, (url, title, text) in enumerate(zip(*columns, strict=True))}

    # --- labels

    @cached_property
    def labels(self) -> dict[str, dict[str, Any]]:
        """The rows of labels.jsonl by path."""
        try:
            lines = self.labels_path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return {}
        try:
            rows = [json.loads(line) for line in lines if line.strip()]
            return {str(row["path"]): row for row in rows}
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{self.labels_path} holds no labels: give another file with --labels") from error

    def label(self, page: int, kind: str, blocks: Sequence[int]) -> dict[str, Any]:
        """Write what a person says of a page: its kind, and the blocks that are its content (or its list)."""
        if kind not in KINDS:
            raise UsageError(f"no kind {kind!r}; use one of {', '.join(KINDS)}")
        if not 0 <= page < len(self.tables.pages):
            raise UsageError(f"no page {page}")
        with self._lock:
            path = strings(self.tables.pages, "path")[page] or strings(self.tables.pages, "url")[page]
            row: dict[str, Any] = {"path": path.removeprefix("html/"), "kind": kind}
            if kind != "other":
                row["toc_selector" if kind == "toc" else "content_selector"] = self._selector(page, blocks)
            self.labels[row["path"]] = row
            self._write_labels()
        return row

    def _selector(self, page: int, blocks: Sequence[int]) -> str:
        """A CSS selector of the largest elements all of whose text is chosen."""
        site = self.result.site
        rows = site.page_rows(page)
        chosen = np.isin(self._own_pages.row_block[rows], np.asarray(list(blocks), np.int64)).astype(np.int64)
        end, parent = site.nodes.end[rows] - rows.start, site.nodes.parent[rows] - rows.start
        tops = np.flatnonzero(
            block_tops(site.nodes.tag[rows], end.astype(np.int64), parent.astype(np.int64), chosen) == 1
        )
        if not len(tops):
            raise UsageError("choose the blocks that are the content of the page first")
        # Text beside text that was not chosen has no element of its own: its parent is the nearest there is.
        elements = dict.fromkeys(int(parent[r]) if site.is_text[r + rows.start] else int(r) for r in tops.tolist())
        return ", ".join(_nth_path(site.xpath(row + rows.start)) for row in elements)

    def _write_labels(self) -> None:
        path = self.labels_path
        part = path.with_name(path.name + ".part")
        try:
            part.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in self.labels.values()), "utf-8")
            part.replace(path)
        except OSError as error:
            raise OutputError(f"cannot write {path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Remove what was made for this session only."""
        if self._temporary is not None:
            self._temporary.cleanup()


def _nth_path(xpath: str) -> str:
    """An XPath with positions as CSS.

    >>> _nth_path("/html/body[1]/p[2]")
    'html > body:nth-of-type(1) > p:nth-of-type(2)'
    """
    return " > ".join(step.replace("[", ":nth-of-type(").replace("]", ")") for step in xpath.strip("/").split("/"))


def open_session(
    source: str, pages: str | None = None, against: Path | None = None, labels: Path | None = None
) -> Session:
    """Open a result folder, or mine a source now."""
    folder = Path(source)
    if (folder / "site.json").is_file() and (folder / "pages.parquet").is_file():
        session = Session(open_result(folder), folder, pages, labels)
    else:
        session = Session(mine(source), None, None, labels)
    _ = session.labels  # a file that holds no labels is told now
    if against is not None:
        session.other = open_result(against)
    return session


def page_numbers(values: object) -> list[int]:
    """Block numbers from a request; anything else is refused."""
    if not isinstance(values, list) or len(values) > 100_000 or not all(type(v) is int and v >= 0 for v in values):
        raise UsageError("blocks must be a list of numbers")
    return list(values)
