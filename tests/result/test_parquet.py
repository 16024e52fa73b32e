"""Parquet files by the inner part of pyarrow: what the outer one reads is what was written, and the other way round."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegrain.result.parquet import StoredTable, parquet_bytes, parquet_writer

ENTRIES = pa.list_(pa.struct([("title", pa.large_string()), ("page", pa.int32())]))
TABLE = pa.table(
    {
        "page": pa.array([3, 1, 2], pa.int32()),
        "score": pa.array([0.25, None, 0.5]),
        "text": pa.array(["b" * 5000, None, "a"], pa.large_string()),
        "is_kept": pa.array([True, None, False]),
        "entries": pa.array([[{"title": "One", "page": 7}], None, []], ENTRIES),
    }
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of two row groups."""
    path = tmp_path / "a.parquet"
    writer = parquet_writer(path, TABLE.schema)
    writer.write_table(TABLE)
    writer.write_table(TABLE.slice(1))
    writer.close()
    return path


def test_what_is_written_is_read(path: Path) -> None:
    whole = pa.concat_tables([TABLE, TABLE.slice(1)])
    assert pq.read_table(path).equals(whole)
    assert pq.read_table(pa.BufferReader(parquet_bytes(TABLE))).equals(TABLE)
    stored = StoredTable(path)
    assert stored.read().equals(whole)
    assert (stored.names, stored.group_sizes) == (TABLE.column_names, [3, 2])


@pytest.mark.parametrize("columns", [["text"], ["entries", "page"], [], ["nowhere", "is_kept"]])
def test_columns_are_read_as_pyarrow_reads_them(path: Path, columns: list[str]) -> None:
    assert StoredTable(path).read(columns).equals(pq.ParquetFile(path).read(columns))
    assert StoredTable(path).read_group(1, columns).equals(pq.ParquetFile(path).read_row_group(1, columns))


def test_least_and_greatest_are_told_of_numbers_and_not_of_texts(path: Path) -> None:
    group = pq.ParquetFile(path).metadata.row_group(0)
    told = {group.column(k).path_in_schema: group.column(k).statistics for k in range(group.num_columns)}
    assert (told["page"].min, told["page"].max, told["is_kept"].max) == (1, 3, True)
    assert told["text"] is None
    assert told["entries.list.element.title"] is None


def test_rows_of_another_kind_are_refused(tmp_path: Path) -> None:
    writer = parquet_writer(tmp_path / "a.parquet", TABLE.schema)
    with pytest.raises(pa.ArrowInvalid):
        writer.write_table(TABLE.drop_columns(["text"]))
    writer.close()


def test_no_file_system_of_a_cloud_is_loaded() -> None:
    code = "import sys, sitegrain.plan.sites, sitegrain.report.parts; print('pyarrow.fs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
