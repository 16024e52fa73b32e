"""Trees, path keys and character counts against slow bodies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.errors import ModelError
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.native import path_keys
from sitegrain.native.chars import CharCounts
from tests.native.bodies import both, in_python


@pytest.fixture(scope="module")
def booster() -> lightgbm.Booster:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(800, 6)).astype(np.float32)
    x[rng.random(x.shape) < 0.1] = np.nan
    x[:, 5] = rng.integers(0, 4, 800)  # a feature without missing values
    y = (np.nan_to_num(x[:, 0]) + x[:, 5] > 1).astype(float)
    params = {"objective": "cross_entropy", "num_leaves": 7, "verbose": -1, "num_threads": 1, "seed": 1}
    return lightgbm.train(params, lightgbm.Dataset(x, y), num_boost_round=20)


def test_trees_equal_lightgbm(booster: lightgbm.Booster) -> None:
    trees = TreeEnsemble.from_lightgbm(booster.dump_model())
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 6)).astype(np.float32)
    x[rng.random(x.shape) < 0.2] = np.nan
    expected = np.asarray(booster.predict(x))
    np.testing.assert_allclose(trees.predict(x), expected, rtol=1e-9)
    with in_python():
        np.testing.assert_allclose(replace(trees).predict(x), expected, rtol=1e-9)


def test_trees_survive_json(booster: lightgbm.Booster) -> None:
    trees = TreeEnsemble.from_lightgbm(booster.dump_model())
    again = Reader("m").read(TreeEnsemble, to_plain(trees))
    x = np.random.default_rng(2).normal(size=(50, 6)).astype(np.float32)
    np.testing.assert_array_equal(trees.predict(x), again.predict(x))


def test_damaged_trees_are_refused(booster: lightgbm.Booster) -> None:
    trees = TreeEnsemble.from_lightgbm(booster.dump_model())
    last, ones = len(trees.left), np.ones_like(trees.left)
    damage: dict[str, Any] = {"left": ones * last, "right": ones * 0, "feature": ones * 6, "roots": ones * last}
    for part, wrong in damage.items():
        with pytest.raises(ModelError, match="m is damaged"):
            Reader("m").read(TreeEnsemble, to_plain(replace(trees, **{part: wrong})))
    with pytest.raises(ModelError, match="different lengths"):
        Reader("m").read(TreeEnsemble, to_plain(replace(trees, value=trees.value[1:])))
    with pytest.raises(ModelError):
        trees.predict(np.zeros((1, 5), np.float32))


def test_trees_with_a_cycle_are_refused(booster: lightgbm.Booster) -> None:
    trees = TreeEnsemble.from_lightgbm(booster.dump_model())
    left = trees.left.copy()
    left[0] = 0
    with pytest.raises(ValueError, match="fit together"):
        TreeEnsemble(**{**vars(trees), "left": left}).predict(np.zeros((1, 6), np.float32))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 2**63)), min_size=1, max_size=40))
def test_path_keys_equal_the_slow_body(rows: list[tuple[int, int]]) -> None:
    parent = np.array([-1 if i == 0 else p % i for i, (p, _) in enumerate(rows)], np.int32)
    own = np.array([o for _, o in rows], np.uint64)
    np.testing.assert_array_equal(*both(lambda: path_keys(parent, own)))


@settings(max_examples=100)
@given(st.text(alphabet="aB1 .,中の😀𠀀\n-é", max_size=60))
def test_counts_of_characters(text: str) -> None:
    counts = CharCounts(text)
    assert counts.visible[-1] == sum(not c.isspace() for c in text)
    assert counts.digits[-1] == text.count("1")
    assert counts.stops[-1] == text.count(".")
    assert counts.wide[-1] == sum(c in "中の𠀀" for c in text)
    latin = "".join(c if c in "aB1é" else " " for c in text)
    assert counts.words[-1] == len(latin.split()) + counts.wide[-1] / 2


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_packed_trees_equal_the_slow_body(seed: int, n: int) -> None:
    """Random trees, shared subtrees too, over columns of several parts; missing values go both ways."""
    rng = np.random.default_rng(seed)
    size, n_features = int(rng.integers(1, 60)), int(rng.integers(1, 6))
    left, right = (np.array([rng.integers(i + 1, size) if i + 1 < size else -1 for i in range(size)]) for _ in "lr")
    is_leaf = rng.random(size) < 0.3
    trees = TreeEnsemble(
        names=tuple("abcdef"[:n_features]),
        feature=rng.integers(0, n_features, size).astype(np.int32),
        threshold=rng.choice(np.array([-1, 0, 0.5, 3.4028235e38], np.float32), size),
        left=np.where(is_leaf, -1, left).astype(np.int32),
        right=np.where(is_leaf, -1, right).astype(np.int32),
        default_left=rng.integers(0, 2, size).astype(np.uint8),
        value=rng.normal(size=size),
        roots=rng.integers(0, size, 5).astype(np.int32),
        is_probability=False,
    )
    trees.left[-1] = trees.right[-1] = -1
    x = rng.choice(np.array([-2, -1, 0, 0.25, 0.5, 7, np.nan], np.float32), (n, 9))
    at = rng.integers(0, 9, n_features)
    parts = (x[:, :4], x[:, 4:4], x[:, 4:])
    np.testing.assert_array_equal(*both(lambda: replace(trees).predict_parts(parts, at)))


@pytest.mark.parametrize("n_leaves", [1, 2, 31, 32, 33, 200])
@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 48])
def test_trees_of_few_and_of_many_leaves(n_leaves: int, n: int) -> None:
    """Chains to either side: the C body has one way for trees of up to 32 leaves and one for others."""
    rng = np.random.default_rng(n_leaves)
    size = 2 * n_leaves - 1
    inner = np.arange(size) % 2 == 0
    inner[-1] = False
    down, leaf = np.arange(size) + 2, np.arange(size) + 1
    goes_right = rng.random(size) < 0.5
    trees = TreeEnsemble(
        names=("a", "b"),
        feature=rng.integers(0, 2, size).astype(np.int32),
        threshold=rng.normal(size=size).astype(np.float32) * 3,
        left=np.where(inner, np.where(goes_right, leaf, down), -1).astype(np.int32),
        right=np.where(inner, np.where(goes_right, down, leaf), -1).astype(np.int32),
        default_left=rng.integers(0, 2, size).astype(np.uint8),
        value=rng.normal(size=size),
        roots=np.array([0, size - 1, 0], np.int32),
        is_probability=False,
    )
    x = rng.normal(size=(n, 2)).astype(np.float32) * 3
    x[rng.random(x.shape) < 0.2] = np.nan
    np.testing.assert_array_equal(*both(lambda: replace(trees).predict(x)))


def test_columns_that_are_not_there_are_refused(booster: lightgbm.Booster) -> None:
    trees = TreeEnsemble.from_lightgbm(booster.dump_model())
    x = np.zeros((3, 6), np.float32)
    for at in ([0, 1, 2, 3, 4, 6], [0, 1, 2, 3, 4, -1], [0, 1, 2]):
        with pytest.raises(ValueError, match="column"):
            trees.predict_parts((x,), np.array(at))
    with pytest.raises(ValueError, match="part"):
        trees.predict_parts((x, x[:2]), np.arange(6))
