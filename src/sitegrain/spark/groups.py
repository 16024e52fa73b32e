"""What executors do with batches of pages and of rows: Arrow in, Arrow out, and nothing of Spark.

A *piece* is some rows of one table of a site's result, packed as a value of bytes. All tables of all sites are pieces in one
column, so that a site is mined once whichever tables are asked for, and a batch never holds more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from sitegrain.errors import PAGE_FAULTS, SitegrainError
from sitegrain.result.folder import TABLES
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.tables.address import host_of, page_key, resolve, site_key
from sitegrain.tables.capture import Capture

PIECE_ROWS = 64
"""Rows of a piece: with the largest pages that are read (some MB of text and Markdown) far below the 2 GB that a batch may have."""
PAGES = pa.schema(
    [
        ("site", pa.string()),
        ("key", pa.string()),
        ("url", pa.string()),
        ("content_type", pa.string()),
        ("html", pa.binary()),
    ]
)
PIECES = pa.schema([("site", pa.string()), ("name", pa.string()), ("rows", pa.binary())])
SITES = pa.schema(
    [
        ("n_pages", pa.int64()), ("n_toc", pa.int64()), ("n_articles", pa.int64()), ("n_parts", pa.int64()),
        ("problems", pa.list_(pa.string())),
    ]
)  # fmt: skip
TEXT = "text/html; charset=utf-8"
"""Text has no character set any more, whatever its <meta> says."""


@dataclass(frozen=True)
class SiteRow:
    """The row of a site in the table of sites."""

    n_pages: int
    n_toc: int
    n_articles: int
    n_parts: int
    """0 for a site that was mined in one piece."""
    problems: list[str]


def keyed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pages with the site that they are of and with what makes two captures one page. Rows without HTML are none."""
    for batch in batches:
        columns = batch.to_pydict()
        n = batch.num_rows
        types = columns.get("content_type") or [None] * n
        sites = columns.get("site") or [None] * n
        rows = []
        for url, html, kind, site in zip(columns["url"], columns["html"], types, sites, strict=True):
            if html is None:
                continue
            url = url or ""
            if isinstance(html, str):
                html, kind = html.encode("utf-8", "replace"), TEXT
            site = site_key(host_of(url)) if site is None else site
            rows.append((site, page_key(resolve(url, "") or url), url, kind, bytes(html)))
        yield batch_of(PAGES, rows)


def batch_of(schema: pa.Schema, rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    """Rows as a batch."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def captures_of(batch: pa.RecordBatch) -> list[tuple[str, Capture]]:
    """The pages of a batch of `PAGES`, with their keys."""
    columns = (batch.column(name).to_pylist() for name in ("key", "url", "content_type", "html"))
    return [
        (key, Capture(url, html, headers={"content-type": kind} if kind else {}))
        for key, url, kind, html in zip(*columns, strict=True)
    ]


def in_order(pages: list[tuple[str, Capture]]) -> list[Capture]:
    """Pages by key, and of those with the same one by address and content: rows of a DataFrame have no order of their own."""
    return [page for _, page in sorted(pages, key=lambda p: (p[0], p[1].url, p[1].body))]


def mine_site(key: tuple[pa.Scalar, ...], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Mine the site of a group in memory."""
    site = key[0].as_py()
    pages = in_order([page for batch in batches for page in captures_of(batch)])
    try:
        result = mine(pages)
        yield from pieces(site, result)
        summary = result.summary
        counts = (len(result), result.count("toc"), result.count("article"))
        row = SiteRow(*counts, n_parts=0, problems=summary["problems"])
    except (SitegrainError, *PAGE_FAULTS) as error:  # whatever it is, it is one site: the others go on
        row = SiteRow(0, 0, 0, 0, [f"the site cannot be mined ({type(error).__name__}: {error})"])
    yield site_piece(site, row)


def site_piece(site: str, row: SiteRow) -> pa.RecordBatch:
    """The piece of the table of sites."""
    return batch_of(PIECES, [(site, "sites", packed(pa.Table.from_pylist([asdict(row)], SITES)))])


def pieces(site: str, result: Result) -> Iterator[pa.RecordBatch]:
    """The tables of a result, each piece a batch."""
    for name in TABLES:
        table = getattr(result, name)
        for start in range(0, len(table), PIECE_ROWS):
            yield batch_of(PIECES, [(site, name, packed(table.slice(start, PIECE_ROWS)))])


def packed(table: pa.Table) -> bytes:
    """A table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Unpack:
    """Pieces of one table as its rows."""

    schema: pa.Schema

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for site, rows in zip(batch.column("site").to_pylist(), batch.column("rows").to_pylist(), strict=True):
                table = pa.ipc.open_stream(rows).read_all()
                has = set(table.column_names)
                columns = [
                    pa.array([site] * len(table), pa.string())
                    if field.name == "site"
                    else table[field.name].cast(field.type)
                    if field.name in has
                    else pa.nulls(len(table), field.type)
                    for field in self.schema
                ]
                yield from pa.table(columns, schema=self.schema).to_batches()


def table_schema(name: str) -> pa.Schema:
    """The columns of a table of all sites, with strings as Spark has them."""
    if name == "sites":
        fields = list(SITES)
    else:
        page = b"<title>%d</title><p>Some words of a page, and more of them.<a href=%d>link</a>"
        fields = list(getattr(mine([Capture(f"http://a.example/{k}", page % (k, 1 - k)) for k in (0, 1)]), name).schema)
    return pa.schema([("site", pa.string()), *((f.name, _small(f.type)) for f in fields)])


def _small(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_small(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(f.name, _small(f.type)) for f in kind])
    return kind
