from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from sitegrain.arrays.svm import fit_svm
from sitegrain.errors import UsageError


@pytest.mark.parametrize("c", [0.1, 1.0, 30.0])
def test_the_plane_is_a_minimum(c: float) -> None:
    rng = np.random.default_rng(5)
    rows = rng.random((200, 6))
    label = rows @ np.array([3, -2, 0, 1, 0, 0]) + rng.normal(0, 0.7, 200) > 1
    plane = fit_svm(sparse.csr_array(rows), label, c)

    def cost(w: np.ndarray, b: float) -> float:
        slack = np.maximum(0, 1 - np.where(label, 1, -1) * (rows @ w + b))
        return float(w @ w / 2 + c * slack @ slack)

    best = cost(plane.weight, plane.bias)
    for _ in range(200):
        assert cost(plane.weight + rng.normal(0, 0.01, 6), plane.bias + rng.normal(0, 0.01)) >= best - 1e-9


def test_it_agrees_with_liblinear() -> None:
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(1)
    rows = rng.random((300, 5))
    label = rows[:, 0] - rows[:, 1] + rng.normal(0, 0.3, 300) > 0
    plane = fit_svm(rows, label)
    # liblinear also penalises the bias, unless its column is scaled up.
    other = svm.LinearSVC(C=1.0, dual=False, tol=1e-10, intercept_scaling=1e3, max_iter=100_000).fit(rows, label)
    np.testing.assert_allclose(plane.weight, other.coef_[0], atol=1e-3)
    np.testing.assert_allclose(plane.bias, other.intercept_[0], atol=1e-3)


def test_both_classes_are_needed() -> None:
    with pytest.raises(UsageError, match="both classes"):
        fit_svm(np.ones((3, 1)), [True, True, True])
    with pytest.raises(UsageError, match="no labelled example"):
        fit_svm(np.ones((0, 1)), [])
