import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.ragged import offsets, segment_mean, segment_sum, span_mean, span_sum, take_segments

segments = st.lists(st.lists(st.integers(-100, 100), max_size=4), max_size=8)


@given(segments)
@settings(max_examples=60, deadline=None)
def test_segments_equal_loops(parts: list[list[int]]) -> None:
    flat = np.array([x for p in parts for x in p], float)
    cut = offsets([len(p) for p in parts])
    assert segment_sum(flat, cut).tolist() == [sum(p) for p in parts]
    want = [sum(p) / len(p) if p else -7 for p in parts]
    assert segment_mean(flat, cut, empty=-7) == pytest.approx(want)
    assert span_sum(flat, cut[:-1], cut[1:]).tolist() == [sum(p) for p in parts]
    assert span_mean(flat, cut[:-1], cut[1:], empty=-7) == pytest.approx(want)
    order = list(range(len(parts)))[::-1] * 2
    assert take_segments(flat, cut, order).tolist() == [x for i in order for x in parts[i]]


def test_values_past_the_last_offset_are_ignored() -> None:
    assert segment_sum([1, 2, 99], [0, 1, 2]).tolist() == [1, 2]
