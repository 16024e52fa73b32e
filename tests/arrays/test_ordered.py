from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.arrays.ordered import distinct, median


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1)))
def test_distinct_is_unique(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    found = distinct(values)
    assert found.dtype == np.int64
    assert np.array_equal(found, np.unique(values))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(st.lists(st.floats(width=32), min_size=1))
def test_median_is_that_of_numpy(kind: type[np.floating], numbers: list[float]) -> None:
    values = np.array(numbers, kind)
    with np.errstate(all="ignore"):
        found, want = median(values), np.median(values)
    assert found.dtype == want.dtype
    assert np.array_equal(found, want, equal_nan=True)
