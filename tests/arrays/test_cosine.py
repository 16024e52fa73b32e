from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import sitegrain.arrays.cosine as cosine
from sitegrain.arrays.cosine import count_groups_near, similar_pairs, unique_rows


def random_rows(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = (rng.random((4, 12)) < 0.5).astype(float)
    rows = base[rng.integers(0, 4, n)]
    flip = rng.random(rows.shape) < 0.06
    rows = np.where(flip, 1 - rows, rows)
    rows[:, :3] *= rng.integers(0, 4, (n, 3)) / 3
    rows[rng.random(n) < 0.1] = 0
    return rows


def dense_cosine(rows: np.ndarray) -> np.ndarray:
    length = np.sqrt((rows**2).sum(1, keepdims=True))
    unit = rows / np.where(length > 0, length, 1)
    return unit @ unit.T


@given(seed=st.integers(0, 10**6), eps=st.sampled_from((0.5, 0.8, 0.9, 0.99)), n=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_pairs_and_counts_equal_all_pairs(seed: int, eps: float, n: int) -> None:
    rows = random_rows(seed, n)
    unique = unique_rows(sparse.csr_array(rows))
    pairs = {(int(a), int(b)) for i, j in similar_pairs(unique.rows, unique.rows, eps) for a, b in zip(i, j, strict=True)}
    near = dense_cosine(rows[unique.first]) > eps + cosine.SLACK
    assert pairs == set(zip(*map(np.ndarray.tolist, np.nonzero(near)), strict=True))
    page = np.random.default_rng(seed).integers(0, 6, n)
    shape = (len(unique.first), 6)
    member = sparse.csr_array((np.ones(n), (unique.group, page)), shape=shape)
    slow = [len({int(page[b]) for b in np.flatnonzero(row > eps + cosine.SLACK)}) for row in dense_cosine(rows)]
    assert count_groups_near(unique.rows, unique.rows, member, eps)[unique.group].tolist() == slow


def test_batches_give_the_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    unique = unique_rows(sparse.csr_array(random_rows(3, 60)))

    def pairs() -> list[tuple[int, int]]:
        return [(int(a), int(b)) for i, j in similar_pairs(unique.rows, unique.rows, 0.8) for a, b in zip(i, j, strict=True)]

    whole = pairs()
    monkeypatch.setattr(cosine, "PAIRS_AT_ONCE", 7)
    assert pairs() == whole


def test_nine_of_ten_is_not_over_nine_tenths() -> None:
    rows = np.zeros((2, 11))
    rows[0, :10] = 1
    rows[1, 1:] = 1  # they share 9 of 10
    unique = unique_rows(sparse.csr_array(rows))
    assert sum(len(i) for i, _ in similar_pairs(unique.rows, unique.rows, 0.9)) == 2


def test_equal_rows_are_found_once() -> None:
    rows = sparse.csr_array(np.array([[1.0, 0, 2], [0, 0, 0], [1, 0, 2], [0, 3, 0]]))
    unique = unique_rows(rows)
    assert unique.group.tolist() == [0, 1, 0, 2]
    assert unique.first.tolist() == [0, 1, 3]
