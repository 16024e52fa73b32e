"""The files of a report by their names, each made when asked for: a folder holds them all, the explorer serves them."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.methods.base import NodeVerdict
from sitegrain.native import json_bytes
from sitegrain.report.body import MARKED, SHAPES, Bodies
from sitegrain.report.graph import distilled_svg, graph_data
from sitegrain.report.overview import TextSums, overview, page_columns, text_sums
from sitegrain.report.tables import Tables, numbers
from sitegrain.result.arrow import dictionary_encoded, taken
from sitegrain.tables.site import Site

ASSETS = ("index.html", "style.css", "core.js", "site.js", "graph.js", "pages.js", "body.js", "page.js", "explore.js")
CHUNK_ROWS, CHUNK_PAGES = 50_000, 64
"""Rows and pages in a file of bodies, about: neighbours share their template, which is packed once. A page that is
looked at waits for all of its file, about 50 ms for one of this size."""
LEVEL = 1
"""Of deflate. On three sites level 6 made files a tenth smaller in four times the time, and a report is written often
and read seldom."""
MAX_FACTS = 6
"""Columns of a block's evidence that are shown."""
_NOT_FACTS = frozenset(
    ("page", "url", "path", "css_path", "is_informative", "score", "reason", "n_characters", "kind", "site_masked")
)
UNKNOWN = -(2**31)
"""A number that there is not."""


def packed(name: str, value: Any, columns: Mapping[str, npt.NDArray[Any]] | None = None) -> str:
    """A data file: a call that hands over deflated JSON, and arrays behind it. A script can be loaded from a disk
    without a server, and text cannot break out of what is base64 here.

    >>> packed("a", [1]).startswith('sitegrain("a","')
    True
    """
    arrays = {key: np.ascontiguousarray(column) for key, column in (columns or {}).items()}
    if arrays:
        value = {**value, "columns": [[key, array.dtype.name, array.size] for key, array in arrays.items()]}
    head = json_bytes(value)
    pack = zlib.compressobj(LEVEL)
    parts = [pack.compress(len(head).to_bytes(4, "little") + head)]
    parts += [pack.compress(array.tobytes()) for array in arrays.values()]
    return f'sitegrain("{name}","{base64.b64encode(b"".join([*parts, pack.flush()])).decode()}")\n'


def asset(name: str) -> str:
    """A file of the report that is the same for every site."""
    return (Path(__file__).parent / "assets" / name).read_text("utf-8")


class BlockPages:
    """Pages with the blocks of one verdict on them: a whole site, or a part of one whose first page is `first`."""

    def __init__(
        self,
        site: Site,
        verdict: NodeVerdict,
        tables: Tables,
        beside: npt.NDArray[np.bool_] | None = None,
        first: int = 0,
        starts: Sequence[int] | None = None,
    ) -> None:
        self.site = site
        self.tables = tables
        self.verdict = verdict
        self.first = first
        self.beside = beside
        """Per row: kept by the verdict to compare with."""
        page = site.nodes.page[verdict.blocks.node].astype(np.int64)
        self.order = np.argsort(page, kind="stable")
        self.start = np.searchsorted(page[self.order], np.arange(site.n_pages + 1))
        number = np.full(len(page) + 1, -1, np.int64)  # the last is for "no block"
        number[self.order] = np.arange(len(page)) - self.start[page[self.order]]
        self.row_block = number[np.where(verdict.node_block >= 0, verdict.node_block, len(page))]
        self.bodies = Bodies(site, self.row_block)

        self._bounds = [*(start - first for start in starts), site.n_pages] if starts is not None else self._cut()

    @property
    def starts(self) -> list[int]:
        """The first page of every file of bodies."""
        return [self.first + page for page in self._bounds[:-1]]

    def _cut(self) -> list[int]:
        bounds, rows = [0], 0
        for page in range(self.site.n_pages):
            if page > bounds[-1] and (rows >= CHUNK_ROWS or page - bounds[-1] >= CHUNK_PAGES):
                bounds.append(page)
                rows = 0
            held = self.site.page_rows(page)
            rows += held.stop - held.start
        return [*bounds, self.site.n_pages]

    @cached_property
    def _facts(self) -> dict[str, npt.NDArray[np.float64]]:
        blocks = self.tables.table("blocks")
        names = [name for name in blocks.column_names if name not in _NOT_FACTS and _is_number(blocks, name)]
        return {name: numbers(blocks, name) for name in names[:MAX_FACTS]}

    def data(self, name: str, start: int) -> str:
        """The file of bodies that begins with a page; `KeyError` if there is none."""
        if start not in self.starts:
            raise KeyError(name)
        at = self.starts.index(start)
        low, high = self._bounds[at], self._bounds[at + 1]
        body = self.bodies.of(low, high)
        rows = self.order[self.start[low] : self.start[high]]
        blocks, found = self.tables.table("blocks"), self.verdict.blocks
        kept = found.is_informative[rows]
        columns: dict[str, npt.NDArray[Any]] = {
            **body.columns,
            "n_blocks": np.diff(self.start[low : high + 1]).astype(np.uint32),
            "score": np.round(np.clip(np.nan_to_num(found.score[rows]), 0, 1) * 100).astype(np.uint8),
            "kept": kept.astype(np.uint8),
        }
        words: dict[str, list[str]] = {}
        for key, column in (("reason", "reason"), ("path", "css_path"), ("kind", "kind")):
            if column in blocks.column_names:
                columns[key], words[key] = _coded(blocks.column(column), rows)
        if "kind" not in words:
            columns["kind"], words["kind"] = kept.astype(np.uint32), ["template", "content"]
        for fact, values in self._facts.items():
            columns[f"fact {fact}"] = _hundredths(values[rows])
        if self.beside is not None:
            columns["other"] = self._other(low, high)
        markdown = self.tables.table("pages", ["markdown"]).column("markdown").slice(low, high - low).to_pylist()
        value = {
            "first": start, "shapes": SHAPES, "marked": MARKED, "text": body.text, "labels": body.labels,
            "attributes": body.attributes, "words": words, "markdown": [text or "" for text in markdown],
        }  # fmt: skip
        return packed(name, value, columns)

    def _other(self, low: int, high: int) -> npt.NDArray[np.uint8]:
        """Per block: whether the verdict to compare with keeps most of its text."""
        assert self.beside is not None
        rows = slice(self.site.page_rows(low).start, self.site.page_rows(high - 1).stop)
        nodes, first = self.site.nodes, self.start[low]
        own = self.row_block[rows] >= 0
        block = (self.row_block[rows] + self.start[nodes.page[rows]] - first)[own]
        size = (nodes.text_end[rows] - nodes.text_start[rows])[own].astype(float)
        n = int(self.start[high] - first)
        kept = np.bincount(block, size * self.beside[rows][own], minlength=n)
        return np.asarray(2 * kept > np.bincount(block, size, minlength=n)).astype(np.uint8)


def _coded(column: pa.ChunkedArray, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.uint32], list[str]]:
    """Some rows of a column of strings: for each the place of its string in a list of different ones."""
    n = len(rows)
    is_run = n > 0 and rows[-1] - rows[0] == n - 1 and bool((np.diff(rows) == 1).all())
    some = (column.slice(int(rows[0]), n) if is_run else taken(column, rows)).combine_chunks()
    if isinstance(some, pa.ChunkedArray):  # of no rows
        return np.zeros(0, np.uint32), []
    coded = dictionary_encoded(some)
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.uint32)
    return codes, [word or "" for word in coded.dictionary.to_pylist()] or [""]


def _hundredths(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    rounded = np.round(np.clip(values, -1e7, 1e7) * 100)
    return np.where(np.isnan(rounded), UNKNOWN, rounded).astype(np.int32)


def _is_number(table: pa.Table, name: str) -> bool:
    kind = table.schema.field(name).type
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


class ReportFiles:
    """Every file of the report of a result."""

    def __init__(
        self,
        tables: Tables,
        pages: BlockPages | None = None,
        others: Mapping[str, BlockPages] | None = None,
        starts: Sequence[int] | None = None,
    ) -> None:
        self.tables = tables
        self.pages = pages
        """None when the bodies are elsewhere, or nowhere."""
        self.others = others or {}
        """The pages as other methods judge them, by the names of the methods."""
        self.starts = list(starts if starts is not None else pages.starts if pages is not None else ())
        """The first pages of the files of bodies; none when there are no bodies."""

    @cached_property
    def _sums(self) -> TextSums:
        return text_sums(self.tables)

    @cached_property
    def columns(self) -> dict[str, Any]:
        return page_columns(self.tables, self._sums)

    @cached_property
    def overview(self) -> dict[str, Any]:
        return overview(self.tables, self.columns, self._sums)

    @cached_property
    def graph(self) -> dict[str, Any]:
        return graph_data(self.tables, self.columns)

    def data_names(self) -> list[str]:
        """The names of the data files, without bodies that are made elsewhere."""
        ends = ["", *(f"-{method}" for method in self.others)] if self.pages is not None else []
        return ["site", "pages", "graph", *(f"body-{k}{end}" for end in ends for k in self.starts)]

    def data(self, name: str) -> str:
        """A data file by its name; `KeyError` for a name that there is not."""
        if name == "site":
            return packed(name, {**self.overview, "starts": self.starts, "methods": list(self.others)})
        if name == "pages":
            return packed(name, self.columns)
        if name == "graph":
            return packed(name, self.graph)
        if name == "svg":
            return packed(name, self.svg())
        number, method = body_name(name)
        pages = self.others[method] if method else self.pages
        if pages is None:
            raise KeyError(name)
        return pages.data(name, number)

    def svg(self) -> str:
        return distilled_svg(self.graph, self.columns)


def body_name(name: str) -> tuple[int, str]:
    """The first page and the method of a file of bodies; `KeyError` for another name.

    >>> body_name("body-12"), body_name("body-0-wisdom-m1")
    ((12, ''), (0, 'wisdom-m1'))
    """
    found = re.fullmatch(r"body-([0-9]{1,9})(?:-([a-z0-9-]+))?", name)
    if found is None:
        raise KeyError(name)
    return int(found[1]), found[2] or ""
