"""Parquet files, as results are kept in.

The module `pyarrow.parquet` loads all file systems that there are, with the libraries that they speak to networks by: 10 ms of a start. Of it
only the inner part is used, if that is where it was and takes what it took.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

LEVEL = 2
"""Of zstd. On four sites level 3 takes 10 to 14 % longer to write and 2 to 4 % less room, and level 1 8 % less time and up to 12 % more room."""


_CHANGED = (ImportError, AttributeError, TypeError)
"""What another pyarrow, whose inner part is another one, raises."""


def parquet_writer(where: Path | pa.BufferOutputStream, schema: pa.Schema) -> Any:
    """A file that grows by `write_table` until it is closed.

    Scores, of which hardly two are the same, are packed byte by byte. Of strings it is not told which are the least and the greatest: nobody
    asks, and of whole pages that took 2 to 6 % of the room.
    """
    scores = [name for name in schema.names if name == "score"]
    how = {
        "version": "2.6",  # this one and the next as `pyarrow.parquet` has them
        "writer_engine_version": "V2",
        "compression": "zstd",
        "compression_level": LEVEL,
        "use_dictionary": [name for name in schema.names if name not in scores],
        "use_byte_stream_split": scores,
        "write_statistics": [field.name for field in schema if _is_number(field.type)],
    }
    with suppress(*_CHANGED):
        return importlib.import_module("pyarrow._parquet").ParquetWriter(where, schema, **how)
    return importlib.import_module("pyarrow.parquet").ParquetWriter(where, schema, **how)


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
        self._reader = _reader(path)

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
        """The table, or those of these columns that it has."""
        return self._reader.read_all(column_indices=self._places(columns))

    def read_group(self, group: int, columns: Sequence[str]) -> pa.Table:
        """The same of one row group."""
        return self._reader.read_row_group(group, column_indices=self._places(columns))

    def _places(self, columns: Sequence[str] | None) -> list[int] | None:
        """Where they are among the columns of the file: lists and structs are several."""
        if columns is None:
            return None
        first = [path[0] for path in self._reader.column_paths]
        return [place for name in columns for place, own in enumerate(first) if own == name]


def _reader(path: Path) -> Any:
    with suppress(*_CHANGED):
        reader = importlib.import_module("pyarrow._parquet").ParquetReader()
        reader.open(str(path), use_memory_map=True)
        return reader
    return importlib.import_module("pyarrow.parquet").ParquetFile(path, memory_map=True).reader
