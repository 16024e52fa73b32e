"""Parquet files. By the part of pyarrow that reads and writes them: `pyarrow.parquet` around it also loads the file systems of clouds with
their certificates, 14 of the 430 ms that a command takes to start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

try:
    from pyarrow._parquet import ParquetReader, ParquetWriter

    _AS_USUAL = {"writer_engine_version": "V2"}
    """What `pyarrow.parquet` says for whoever asks it."""
except ImportError:  # a pyarrow that has them elsewhere
    from pyarrow.parquet import ParquetWriter
    from pyarrow.parquet.core import ParquetReader

    _AS_USUAL = {}

LEVEL = 2
"""Of zstd. On four sites level 3 takes 10 to 14 % longer to write and 2 to 4 % less room, and level 1 8 % less time and up to 12 % more room."""


def parquet_writer(where: Path | pa.BufferOutputStream, schema: pa.Schema) -> Any:
    """A file that grows by `write_table` until it is closed.

    Scores, of which hardly two are the same, are packed byte by byte. Of strings it is not told which are the least and the greatest: nobody
    asks, and of whole pages that took 2 to 6 % of the room.
    """
    scores = [name for name in schema.names if name == "score"]
    return ParquetWriter(
        str(where) if isinstance(where, Path) else where,
        schema,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=LEVEL,
        use_dictionary=[name for name in schema.names if name not in scores],
        use_byte_stream_split=scores,
        write_statistics=[field.name for field in schema if _is_number(field.type)],
        **_AS_USUAL,
    )


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as the bytes of a Parquet file."""
    sink = pa.BufferOutputStream()
    writer = parquet_writer(sink, table.schema)
    writer.write_table(table)
    writer.close()
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


class StoredTable:
    """A Parquet file that is there, mapped into memory."""

    def __init__(self, path: Path) -> None:
        self._reader = ParquetReader()
        self._reader.open(str(path), use_memory_map=True)

    @property
    def names(self) -> list[str]:
        """The columns."""
        return list(self._reader.schema_arrow.names)

    @property
    def group_sizes(self) -> list[int]:
        """The rows of each row group."""
        about = self._reader.metadata
        return [about.row_group(k).num_rows for k in range(about.num_row_groups)]

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The table, or those of these columns that it has, in this order."""
        return self._reader.read_all(self._leaves(columns))

    def read_group(self, group: int, columns: Sequence[str]) -> pa.Table:
        """The same of one row group."""
        return self._reader.read_row_group(group, self._leaves(columns))

    def _leaves(self, columns: Sequence[str] | None) -> list[int] | None:
        """The numbers of columns, as Parquet counts: what a list or a struct holds are columns of their own."""
        if columns is None:
            return None
        schema, of_name = self._reader.metadata.schema, dict[str, list[int]]()
        for k in range(len(schema)):
            of_name.setdefault(schema.column(k).path.partition(".")[0], []).append(k)
        return [k for name in columns for k in of_name.get(name, ())]
