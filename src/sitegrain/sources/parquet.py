"""Pages from Parquet files with an address and an HTML column."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sitegrain.errors import SourceError
from sitegrain.sources.rows import RowSource
from sitegrain.tables.capture import Capture

if TYPE_CHECKING:  # loaded by the first Parquet file: it takes longer than a page
    import pyarrow as pa
    import pyarrow.parquet as pq

_BATCH = 64
"""Rows held at a time, at most: pages are tens of kilobytes, so a batch is a few megabytes."""
_BATCH_BYTES = 64 * 2**20
"""What a batch may take when unpacked. One value may be as large as its whole column (a dictionary repeats it for free),
so a row group with more than this is read row by row."""
_BOMB_BYTES, _BOMB_RATIO = 256 * 2**20, 200
"""A row group that unpacks to so many bytes and so many times its size (the file's, by groups) is no HTML, which shrinks
5 to 20 times: the parts of a column can only be unpacked whole, so it is not touched. A group may be ten times the mean."""


class ParquetSource(RowSource):
    """The rows of one or more Parquet files as pages; text and binary columns both do."""

    def captures(self) -> Iterator[Capture]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        n = 0
        for name in self.files:
            try:
                with pq.ParquetFile(name) as table:
                    self._check(table.schema_arrow, name)
                    for batch in self._batches(table, name):
                        for capture in self._batch(batch):
                            n += 1
                            yield capture
            except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
                if not n and len(self.files) == 1:
                    raise SourceError(f"{name} is not a readable Parquet file: {error}") from error
                self.counts["damaged: broken Parquet file"] += 1
                self.problems.append(f"{name}: {error}")
        if not n:
            raise self.no_page()

    def _check(self, schema: pa.Schema, name: str) -> None:

        for column, option in zip(self.columns, ("url", "html"), strict=True):
            kind = _type_of(schema, column)
            if kind is None:
                have = ", ".join(_names(schema))
                raise SourceError(f"{name} has no column {column!r} (it has: {have}); name it with --{option}-column")
            if not (_is_text(kind) or _is_bytes(kind)):
                raise SourceError(f"{name}: column {column!r} holds {kind}, not text")

    def _batches(self, table: pq.ParquetFile, name: str) -> Iterator[pa.RecordBatch]:
        groups = table.metadata.num_row_groups
        packed = os.path.getsize(name) / max(groups, 1)
        for k in range(groups):
            # Sizes of single columns would be nearer, but asking for a damaged one ends the process inside pyarrow (26.0).
            group = table.metadata.row_group(k)
            size = group.total_byte_size
            if size > _BOMB_BYTES and size > _BOMB_RATIO * packed:
                self.counts["skipped: rows that unpack to far too much"] += group.num_rows
                self.problems.append(f"{name}: row group {k} claims {size >> 20:,} MB and is not read")
                continue
            rows = max(1, min(_BATCH, _BATCH_BYTES // max(size, 1)))
            yield from table.iter_batches(rows, row_groups=[k], columns=list(self.columns))

    def _batch(self, batch: pa.RecordBatch) -> Iterator[Capture]:
        urls, htmls = (_column(batch, name) for name in self.columns)
        is_text = _is_text(htmls.type)
        urls, htmls = _as_bytes(urls), _as_bytes(htmls)
        for i in range(batch.num_rows):
            url, html = (urls[i].as_py() or b"").decode("utf-8", "replace"), htmls[i].as_py()
            if (capture := self.page(url, html or b"", is_text)) is not None:
                yield capture


def _type_of(schema: pa.Schema, name: str) -> pa.DataType | None:
    """The type of a column, or of a field within one; None if there is none of this name."""
    import pyarrow as pa

    if name in schema.names:
        return schema.field(name).type
    outer, *inner = name.split(".")
    kind = schema.field(outer).type if outer in schema.names else None
    for part in inner:
        if kind is None or not pa.types.is_struct(kind) or kind.get_field_index(part) < 0:
            return None
        kind = kind.field(part).type
    return kind


def _names(schema: pa.Schema) -> list[str]:
    """The names of the columns, and of the fields within them."""
    import pyarrow as pa

    return [
        name
        for field in schema
        for name in (
            [f"{field.name}.{inner.name}" for inner in field.type] if pa.types.is_struct(field.type) else [field.name]
        )
    ]


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """A column, or a field within one; its values as they are, and not as numbers in a dictionary."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if name in batch.schema.names:
        column = batch.column(name)
    else:
        outer, *inner = name.split(".")
        column = pc.struct_field(batch.column(outer), inner)
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _is_text(kind: pa.DataType) -> bool:
    return _held(kind) in ("string", "large_string", "string_view")


def _is_bytes(kind: pa.DataType) -> bool:
    return _held(kind) in ("binary", "large_binary", "binary_view")


def _held(kind: pa.DataType) -> str:
    """What a column holds, also one whose values are kept once."""
    import pyarrow as pa

    return str(kind.value_type if pa.types.is_dictionary(kind) else kind)


def _as_bytes(column: pa.Array) -> pa.Array:
    """A column as bytes: text in a file may be no UTF-8, and then each look at it would raise."""
    import pyarrow as pa

    return column.cast(pa.large_binary()) if _is_text(column.type) else column
