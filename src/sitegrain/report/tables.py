"""What a report is made from: the three tables of a result and its summary, in memory or in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa


class Tables(Protocol):
    """A `Result`, or a result folder that was opened."""

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table: ...
    def column_names(self, name: str) -> Sequence[str]: ...
    @property
    def summary(self) -> Mapping[str, Any]: ...


def some(tables: Tables, name: str, *columns: str) -> pa.Table:
    """A table with those of these columns that it has: the others of a large result are never read."""
    have = set(tables.column_names(name))
    return tables.table(name, [column for column in columns if column in have])


def strings(table: pa.Table, name: str) -> list[str]:
    """A column of strings; empty ones when the table has no such column."""
    if name not in table.column_names:
        return [""] * len(table)
    return [value or "" for value in table.column(name).to_pylist()]


def numbers(table: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column of numbers, null as NaN; all NaN when the table has no such column."""
    if name not in table.column_names:
        return np.full(len(table), np.nan)
    return np.asarray(table.column(name).to_numpy(zero_copy_only=False), np.float64)


def integers(table: pa.Table, name: str) -> npt.NDArray[np.int64]:
    """A column of row numbers or counts."""
    return np.asarray(table.column(name).to_numpy(zero_copy_only=False), np.int64)


def rounded(values: npt.NDArray[np.float64], digits: int = 3) -> list[float | None]:
    """As JSON takes them: NaN is null."""
    return [None if value != value else value for value in np.round(values, digits).tolist()]
