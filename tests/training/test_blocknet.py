"""Training of the network: its gradient, and that it learns what no single block shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sitegrain.training import blocknet
from sitegrain.training.blocknet import Neighbours, NetPage, Weights, fit_scaling, train_net


def test_the_gradient_is_that_of_finite_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocknet, "WIDTH", 6)
    rng = np.random.default_rng(0)
    net = Weights.start(5, rng)
    net.values = [v.astype(np.float64) for v in net.values]
    sizes = [3, 7, 1]
    around = Neighbours(sizes, np.arange(11.0))
    monkeypatch.setattr(Neighbours, "near_sum", near_sum)  # in double precision
    x: Any = rng.normal(size=(11, 5))  # the network is of float32, which is too coarse for differences
    label: Any = rng.random(11)
    weight: Any = rng.random(11) + 0.1
    _, gradient = net.gradient(x, around, label, weight)
    for value, found in zip(net.values, gradient, strict=True):
        for _ in range(10):
            at = tuple(int(rng.integers(0, n)) for n in value.shape)
            kept, step = value[at], 1e-6
            value[at] = kept + step
            above = net.gradient(x, around, label, weight)[0]
            value[at] = kept - step
            below = net.gradient(x, around, label, weight)[0]
            value[at] = kept
            assert found[at] == pytest.approx((above - below) / (2 * step), abs=2e-6, rel=1e-3)


def near_sum(self: Neighbours, h: np.ndarray) -> np.ndarray:
    return np.array([h[lo:hi].sum(axis=0) for lo, hi in zip(self.lo, self.hi, strict=True)])


def test_what_is_trained_is_what_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocknet, "WIDTH", 32)
    rng = np.random.default_rng(1)
    pages = [page_of(rng) for _ in range(20)]
    net = train_net(pages, ("a", "b", "c"), seed=5, epochs=2)
    again = train_net([page_of(r) for r in [np.random.default_rng(1)] for _ in range(20)], ("a", "b", "c"), 5, 2)
    assert all((a == b).all() for a, b in zip(net.weights, again.weights, strict=True))
    x, words = pages[0].draw(), pages[0].words
    trained = Weights([v for pair in zip(net.weights, net.bias, strict=True) for v in pair])
    odds = trained.odds(net.scaling.scaled(x), Neighbours([len(words)], words))
    applied = net.predict_parts((x,), net.names, np.zeros(len(x), np.int64), words)
    assert applied == pytest.approx(1 / (1 + np.exp(-odds.astype(np.float64))), abs=1e-5)


def page_of(rng: np.random.Generator) -> NetPage:
    """A block is content when the block before has a high `a`: no column of its own says so."""
    n = int(rng.integers(8, 20))
    x = rng.normal(size=(n, 3)).astype(np.float32)
    label = np.concatenate([[0.0], (x[:-1, 0] > 0).astype(float)])
    return NetPage(lambda: x, label, np.ones(n), np.ones(n))


def test_it_learns_from_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocknet, "WIDTH", 16)
    rng = np.random.default_rng(2)
    net = train_net([page_of(rng) for _ in range(300)], ("a", "b", "c"), seed=1, epochs=15)
    right = []
    for page in [page_of(rng) for _ in range(30)]:
        score = net.predict_parts((page.draw(),), net.names, np.zeros(len(page.words), np.int64), page.words)
        right += ((score > 0.5) == (page.label > 0.5)).tolist()
    assert np.mean(right) > 0.93


def test_scaling_of_columns_that_are_missing_or_constant() -> None:
    x = np.array([[np.nan, 0, 7, 1], [np.nan, 0, 7, -1]], np.float32)
    scaling = fit_scaling([x])
    assert np.isfinite(scaling.typical).all()
    assert scaling.scaled(x)[:, :2].tolist() == [[0, 0], [0, 0]]
    assert np.isfinite(scaling.scaled(x)).all()
