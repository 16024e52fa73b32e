"""Columns of evidence and paths of addresses: kept in little room, read as if they were not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.arrays.strings import Strings
from sitegrain.roles.links.flow import numbered
from sitegrain.roles.parts import Columns, folders, forget_folders, rank

numbers = st.lists(st.floats(0, 1e6), min_size=1, max_size=12)
KINDS = ("plain", "log", "relative")


@given(numbers, st.integers(1, 12))
def test_columns_of_parts_are_those_of_the_whole(values: list[float], size: int) -> None:
    x = np.array(values)
    whole = Columns(len(x))
    parts = [Columns(len(x[k : k + size])) for k in range(0, len(x), size)]
    for kind in KINDS:
        whole.add(kind, x, kind)
        for k, part in enumerate(parts):
            part.add(kind, x[k * size : (k + 1) * size], kind)
    joined = Columns.joined(iter(parts), len(x))
    assert (joined["relative"] == x).all()
    names, shown = whole.shown()
    assert names == ("plain", "log", "relative", "relative_rank", "relative_ratio")
    middle = np.log1p(np.median(x)) if len(x) > 1 else np.nan
    logs = np.log1p(x)
    wanted = np.column_stack((x, logs, logs, rank(x), logs - middle)).astype(np.float32)
    for found in (shown, joined.shown()[1]):
        np.testing.assert_array_equal(found, wanted)


def test_a_column_of_logarithms_is_not_taken_for_what_was_measured() -> None:
    columns = Columns(1)
    columns.log("links", [3])
    with pytest.raises(KeyError, match="logarithm"):
        columns["links"]


def test_paths_are_read_as_folders() -> None:
    urls = Strings.of(
        ["http://a.org/", "http://a.org/b%20c/d/index.html", "http://a.org/%C3%A9t%C3%A9?x=1", "http://a.org//b//"]
    )
    found = folders(urls)
    assert list(found) == [(), ("b c", "d"), ("été",), ("b",)] == [found[k] for k in range(len(found))]
    assert folders(urls) is found
    assert list(folders(["http://a.org/z"])) == [("z",)]
    forget_folders()
    assert folders(urls) is not found


@given(st.lists(st.integers(0, 2**64 - 1), max_size=40))
def test_keys_are_numbered_as_numpy_does(keys: list[int]) -> None:
    given_keys = np.array(keys, np.uint64)
    used, which = numbered(given_keys)
    wanted, number = np.unique(given_keys, return_inverse=True)
    assert used.tolist() == wanted.tolist()
    assert which.tolist() == number.reshape(-1).tolist()
