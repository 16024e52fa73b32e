"""The files of a report by their names, each made when asked for: a folder holds them all, the explorer serves them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.methods.base import NodeVerdict
from sitegrain.report.body import Bodies
from sitegrain.report.graph import distilled_svg, graph_data
from sitegrain.report.overview import overview, page_columns
from sitegrain.report.tables import Tables, integers, numbers, rounded
from sitegrain.tables.site import Site

ASSETS = ("index.html", "style.css", "core.js", "site.js", "graph.js", "pages.js", "page.js", "explore.js")
CHUNK = 16
"""Pages in a file of bodies: neighbours share their template, and it is packed once. More are packed little better, and
a page that is looked at waits for all of them."""
MAX_FACTS = 6
"""Columns of a block's evidence that are shown."""


def packed(name: str, value: Any) -> str:
    """A data file: a call that hands over deflated JSON. A script can be loaded from a disk without a server, and
    JSON text cannot break out of what is base64 here.

    >>> packed("a", [1]).startswith('sitegrain("a","')
    True
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    data = base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 6)).decode()
    return f'sitegrain("{name}","{data}")\n'


def asset(name: str) -> str:
    """A file of the report that is the same for every site."""
    return resources.files("sitegrain.report").joinpath(f"assets/{name}").read_text("utf-8")


class BlockPages:
    """Pages with the blocks of one verdict on them."""

    def __init__(
        self, site: Site, verdict: NodeVerdict, tables: Tables, beside: npt.NDArray[np.bool_] | None = None
    ) -> None:
        self.site = site
        self.tables = tables
        self.verdict = verdict
        self.beside = beside
        """Per row: kept by the verdict to compare with."""
        page = integers(tables.blocks, "page")
        self.order = np.argsort(page, kind="stable")
        self.start = np.searchsorted(page[self.order], np.arange(site.n_pages + 1))
        number = np.full(len(page) + 1, -1, np.int64)  # the last is for "no block"
        number[self.order] = np.arange(len(page)) - self.start[page[self.order]]
        self.row_block = number[np.where(verdict.node_block >= 0, verdict.node_block, len(page))]
        self.bodies = Bodies(site, self.row_block)

    @cached_property
    def _columns(self) -> dict[str, Any]:
        blocks = self.tables.blocks
        plain = {"page", "url", "path", "css_path", "is_informative", "score", "reason", "n_characters", "kind"}
        facts = [name for name in blocks.column_names if name not in plain][:MAX_FACTS]
        return {
            "score": numbers(blocks, "score"),
            "kept": numbers(blocks, "is_informative") > 0,
            "facts": {name: numbers(blocks, name) for name in facts if _is_number(blocks, name)},
            "markdown": self.tables.pages.column("markdown"),
            "strings": {
                name: blocks.column(name) for name in ("reason", "css_path", "kind") if name in blocks.column_names
            },
        }

    def page(self, page: int) -> dict[str, Any]:
        """What the Page view shows."""
        columns = self._columns
        rows = self.order[self.start[page] : self.start[page + 1]]
        said = {name: column.take(rows).to_pylist() for name, column in columns["strings"].items()}
        kept = columns["kept"][rows]
        out = {
            "page": page,
            "html": self.bodies.page(page),
            "score": rounded(columns["score"][rows], 2),
            "kept": kept.astype(int).tolist(),
            "kind": said.get("kind") or ["content" if k else "template" for k in kept.tolist()],
            "reason": said["reason"],
            "path": said["css_path"],
            "facts": {name: rounded(values[rows], 2) for name, values in columns["facts"].items()},
            "markdown": columns["markdown"][page].as_py() or "",
        }
        if self.beside is not None:
            out["other"] = self._other(page, len(rows))
        return out

    def _other(self, page: int, n_blocks: int) -> list[int]:
        """Per block: whether the verdict to compare with keeps most of its text."""
        assert self.beside is not None
        rows = self.site.page_rows(page)
        block, nodes = self.row_block[rows], self.site.nodes
        own = block >= 0
        size = (nodes.text_end[rows] - nodes.text_start[rows])[own].astype(float)
        kept = np.bincount(block[own], size * self.beside[rows][own], minlength=n_blocks)
        return [int(k * 2 > t) for k, t in zip(kept, np.bincount(block[own], size, minlength=n_blocks), strict=True)]


def _is_number(table: Any, name: str) -> bool:
    return str(table.schema.field(name).type) in {"double", "float", "int64", "int32", "int16", "int8", "uint8"}


class ReportFiles:
    """Every file of the report of a result."""

    def __init__(
        self, tables: Tables, pages: BlockPages | None = None, others: Mapping[str, BlockPages] | None = None
    ) -> None:
        self.tables = tables
        self.pages = pages
        """None when only the tables are there: the report has no page bodies then."""
        self.others = others or {}
        """The pages as other methods judge them, by the names of the methods."""

    @cached_property
    def columns(self) -> dict[str, Any]:
        return page_columns(self.tables)

    @cached_property
    def overview(self) -> dict[str, Any]:
        return overview(self.tables, self.columns)

    @cached_property
    def graph(self) -> dict[str, Any]:
        return graph_data(self.tables, self.columns)

    def data_names(self) -> list[str]:
        """The names of the data files."""
        n_chunks = 0 if self.pages is None else -(-len(self.tables.pages) // CHUNK)
        ends = ["", *(f"-{method}" for method in self.others)]
        return ["site", "pages", "graph", *(f"body-{k}{end}" for end in ends for k in range(n_chunks))]

    def data(self, name: str) -> str:
        """A data file by its name; `KeyError` for a name that there is not."""
        if name == "site":
            about = {"chunk": CHUNK if self.pages else 0, "methods": list(self.others)}
            return packed(name, {**self.overview, **about})
        if name == "pages":
            return packed(name, self.columns)
        if name == "graph":
            return packed(name, self.graph)
        number, method = body_name(name)
        pages = self.others[method] if method else self.pages
        chunk = range(number * CHUNK, min((number + 1) * CHUNK, len(self.tables.pages)))
        if pages is None or not chunk:
            raise KeyError(name)
        return packed(name, [pages.page(page) for page in chunk])

    def svg(self) -> str:
        return distilled_svg(self.graph, self.columns)


def body_name(name: str) -> tuple[int, str]:
    """The number and the method of a file of bodies; `KeyError` for another name.

    >>> body_name("body-12"), body_name("body-0-wisdom-m1")
    ((12, ''), (0, 'wisdom-m1'))
    """
    found = re.fullmatch(r"body-([0-9]{1,9})(?:-([a-z0-9-]+))?", name)
    if found is None:
        raise KeyError(name)
    return int(found[1]), found[2] or ""
