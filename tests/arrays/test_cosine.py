from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import sitegrain.arrays.cosine as cosine
from sitegrain.arrays.cosine import count_groups_near, groups_at_least, similar_pairs, thin_out, unique_rows


def random_rows(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = (rng.random((4, 12)) < 0.5).astype(float)
    rows = base[rng.integers(0, 4, n)]
    flip = rng.random(rows.shape) < 0.06
    rows = np.where(flip, 1 - rows, rows)
    rows[:, :3] *= rng.integers(0, 4, (n, 3)) / 3
    rows[rng.random(n) < 0.1] = 0
    return rows


def pairs_of(rows: sparse.csr_array, eps: float) -> list[tuple[int, int]]:
    return sorted(pair for i, j in similar_pairs(rows, rows, eps) for pair in zip(i.tolist(), j.tolist(), strict=True))


def dense_cosine(rows: np.ndarray) -> np.ndarray:
    length = np.sqrt((rows**2).sum(1, keepdims=True))
    unit = rows / np.where(length > 0, length, 1)
    return unit @ unit.T


@given(seed=st.integers(0, 10**6), eps=st.sampled_from((0.5, 0.8, 0.9, 0.99)), n=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_pairs_and_counts_equal_all_pairs(seed: int, eps: float, n: int) -> None:
    rows = random_rows(seed, n)
    unique = unique_rows(sparse.csr_array(rows))
    pairs = set(pairs_of(unique.rows, eps))
    near = dense_cosine(rows[unique.first]) > eps + cosine.SLACK
    assert pairs == set(zip(*map(np.ndarray.tolist, np.nonzero(near)), strict=True))
    page = np.random.default_rng(seed).integers(0, 6, n)
    shape = (len(unique.first), 6)
    member = sparse.csr_array((np.ones(n), (unique.group, page)), shape=shape)
    slow = [len({int(page[b]) for b in np.flatnonzero(row > eps + cosine.SLACK)}) for row in dense_cosine(rows)]
    assert count_groups_near(unique.rows, np.arange(shape[0]), member, eps)[unique.group].tolist() == slow
    some = np.arange(0, shape[0], 2)
    assert count_groups_near(unique.rows, some, member, eps).tolist() == [slow[b] for b in unique.first[some]]


def test_batches_give_the_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    unique = unique_rows(sparse.csr_array(random_rows(3, 60)))

    whole = pairs_of(unique.rows, 0.8)
    monkeypatch.setattr(cosine, "PAIRS_AT_ONCE", 7)
    assert pairs_of(unique.rows, 0.8) == whole


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


@given(seed=st.integers(0, 10**6), enough=st.integers(1, 5), n=st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_lower_bounds_and_leaders_hold(seed: int, enough: int, n: int) -> None:
    rows = random_rows(seed, n)
    unique = unique_rows(sparse.csr_array(rows))
    page = np.random.default_rng(seed).integers(0, 9, n)
    member = sparse.csr_array((np.ones(n), (unique.group, page)), shape=(len(unique.first), 9))
    exact = count_groups_near(unique.rows, np.arange(len(unique.first)), member, 0.8)
    is_zero = np.diff(unique.rows.indptr) == 0
    assert (groups_at_least(unique.rows, member, 0.8, enough) <= exact)[~is_zero].all()
    kept = thin_out(unique.rows, 0.8)
    near = dense_cosine(rows[unique.first]) > 0.8 + cosine.SLACK
    others = np.setdiff1d(np.arange(len(unique.first)), kept)
    assert near[np.ix_(others, kept)].any(axis=1).all()


def test_a_family_of_near_copies_is_settled_without_all_pairs() -> None:
    """A panel that differs by one word on every page."""
    rows = np.zeros((400, 430))
    rows[:, :30] = 1
    for i in range(400):
        rows[i, i % 30] = 0
        rows[i, 30 + i] = 1
    unique = unique_rows(sparse.csr_array(rows))
    member = sparse.csr_array(np.eye(400))
    assert (groups_at_least(unique.rows, member, 0.9, 12) >= 12).mean() > 0.9
    assert len(thin_out(unique.rows, 0.9)) < 20
