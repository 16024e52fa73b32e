"""Counts merge in any order and any grouping to the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.arrays import counts
from sitegrain.arrays.counts import Counts, Distinct, merged
from sitegrain.arrays.strings import StringCounts

KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=30)
WORDS = st.dictionaries(st.text(max_size=3), st.integers(1, 9), max_size=8)


def counted(keys: list[int]) -> Counts:
    key = np.array(keys, np.uint64)
    return Counts.of(key, np.arange(len(keys)))


def same(a: Counts, b: Counts) -> bool:
    return np.array_equal(a.key, b.key) and np.array_equal(a.values, b.values)


@given(KEYS, KEYS, KEYS)
def test_merging_counts(a: list[int], b: list[int], c: list[int]) -> None:
    x, y, z = map(counted, (a, b, c))
    assert same(x.merge(y), y.merge(x))
    assert same(x.merge(y).merge(z), x.merge(y.merge(z)))
    assert same(merged([x, y, z], n_columns=2), x.merge(y).merge(z))
    total = merged([x, y, z], n_columns=2)
    assert {int(k): int(n) for k, n in zip(total.key, total.times, strict=True)} == {
        k: (a + b + c).count(k) for k in {*a, *b, *c}
    }


@given(KEYS, KEYS)
def test_ranges_change_nothing(a: list[int], b: list[int]) -> None:
    x, y = counted(a), counted(b)
    at_once, counts.KEYS_AT_ONCE = counts.KEYS_AT_ONCE, 3
    try:
        parted = merged([x, y], 2, 2)
    finally:
        counts.KEYS_AT_ONCE = at_once
    assert same(parted, merged([x, y], 2, 2))


@given(KEYS, KEYS, KEYS)
def test_merging_distinct(a: list[int], b: list[int], c: list[int]) -> None:
    def of(keys: list[int]) -> Distinct:
        key = np.array(keys, np.uint64)
        return Distinct.unique(key, key % np.uint64(7))

    x, y, z = map(of, (a, b, c))
    one, other = x.merge(y).merge(z), z.merge(y.merge(x))
    assert np.array_equal(one.key, other.key)
    assert np.array_equal(one.owner, other.owner)
    assert one.key.tolist() == sorted({*a, *b, *c})


@given(WORDS, WORDS, WORDS)
def test_merging_strings(a: dict[str, int], b: dict[str, int], c: dict[str, int]) -> None:
    x, y, z = map(StringCounts.of, (a, b, c))
    total = {w: a.get(w, 0) + b.get(w, 0) + c.get(w, 0) for w in {*a, *b, *c}}
    assert x.merge(y).merge(z).as_dict() == total == z.merge(x.merge(y)).as_dict()
    assert list(x.merge(y).as_dict()) == list(y.merge(x).as_dict())
