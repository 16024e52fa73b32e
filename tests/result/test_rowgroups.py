"""Row groups of many Parquet files in one: what is read is what was written."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.errors import OutputError
from sitegrain.result import rowgroups
from sitegrain.result.parquet import parquet_bytes
from sitegrain.result.rowgroups import JoinedParquet

SCHEMA = pa.schema(
    {
        "page": pa.int32(),
        "score": pa.float64(),
        "text": pa.string(),
        "is_kept": pa.bool_(),
        "names": pa.list_(pa.string()),
    }
)
row = st.fixed_dictionaries(
    {
        "page": st.integers(-(2**31), 2**31 - 1),
        "score": st.floats(allow_nan=False) | st.none(),
        "text": st.text("aé漢\0", max_size=30) | st.none(),
        "is_kept": st.booleans() | st.none(),
        "names": st.lists(st.text("ab", max_size=3), max_size=3) | st.none(),
    }
)


def joined(tables: list[pa.Table], path: Path) -> pa.Table:
    file = JoinedParquet(path)
    for table in tables:
        file.add(parquet_bytes(table))
    file.close()
    return pq.read_table(path)


@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.lists(row, max_size=3), min_size=1, max_size=20))
def test_all_rows_are_there_in_order(
    parts: list[list[dict[str, object]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    tables = [pa.Table.from_pylist(rows, SCHEMA) for rows in parts]
    path = tmp_path_factory.mktemp("rows") / "a.parquet"
    as_one = pq.read_table(pa.BufferReader(parquet_bytes(pa.concat_tables(tables))))
    assert joined(tables, path).equals(as_one, check_metadata=True)
    about = pq.ParquetFile(path).metadata
    # Every group says of itself what it said in its own file, also which values it has.
    assert [about.row_group(k).num_rows for k in range(about.num_row_groups)] == list(map(len, parts))
    for k, rows in enumerate(parts):
        assert pq.ParquetFile(path).read_row_group(k).to_pylist() == tables[k].to_pylist()
        if rows:
            pages = tables[k]["page"].to_pylist()
            told = about.row_group(k).column(0).statistics
            assert (told.min, told.max) == (min(pages), max(pages))


def test_a_footer_is_written_as_it_was_read() -> None:
    parquet = parquet_bytes(pa.Table.from_pylist([{"page": 1, "score": 0.5, "text": "a" * 99}], SCHEMA))
    footer = parquet[-8 - int.from_bytes(parquet[-8:-4], "little") : -8]
    again = bytearray()
    rowgroups._write_struct(again, rowgroups._Reader(footer).struct())
    assert bytes(again) == footer


def test_more_groups_than_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rowgroups, "MOST_ORDINALS", 2)
    tables = [pa.table({"page": [k]}) for k in range(5)]
    assert joined(tables, tmp_path / "a").equals(pa.concat_tables(tables))


def test_other_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="different columns"):
        joined([pa.table({"page": [1]}), pa.table({"page": ["a"]})], tmp_path / "a")
