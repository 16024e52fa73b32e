"""A linear support vector machine, solved in the primal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Floats
from sitegrain.errors import UsageError


@dataclass(frozen=True, eq=False)
class LinearSvm:
    """A hyperplane: `x @ weight + bias` is over 0 for the positive class."""

    weight: Floats
    bias: float

    def decide(self, rows: Any) -> Floats:
        """Signed distance of each row (dense or sparse) from the plane, in units of the margin."""
        return np.asarray(rows @ self.weight, np.float64).reshape(-1) + self.bias


def fit_svm(rows: Any, positive: npt.ArrayLike, c: float = 1.0) -> LinearSvm:
    """The plane that minimises `|w|^2 / 2 + c * sum of max(0, 1 - y (w x + b))^2`.

    The squared hinge makes the cost smooth and piecewise quadratic, so that Newton's method finds its one
    minimum in some ten steps; the bias is not penalised. Rows may be sparse, columns are some hundreds at most.

    >>> plane = fit_svm(np.array([[0.0], [1.0], [3.0], [4.0]]), [False, False, True, True], c=1000)
    >>> plane.decide(np.array([[1.9], [2.1]])) > 0
    array([False,  True])
    """
    y = np.where(np.asarray(positive, bool), 1.0, -1.0)
    if len(y) == 0:
        raise UsageError("no labelled example to learn from")
    if (y > 0).all() or (y < 0).all():
        raise UsageError("all examples have the same label: examples of both classes are needed")
    matrix = sparse.hstack((sparse.csr_array(rows), sparse.csr_array(np.ones((len(y), 1)))), format="csr")
    ridge = np.append(np.ones(matrix.shape[1] - 1), 0.0)

    def margin(v: Floats) -> Floats:
        return 1.0 - y * np.asarray(matrix @ v, np.float64)

    def cost(v: Floats, slack: Floats) -> float:
        return float(0.5 * (ridge * v) @ v + c * slack @ slack)

    v = np.zeros(matrix.shape[1])
    slack = np.maximum(0.0, margin(v))
    value = cost(v, slack)
    # Newton's steps: the cost is quadratic as long as the same rows lie within the margin, so it ends exactly.
    for _ in range(200):
        inside = np.flatnonzero(slack > 0)
        part = matrix[inside]
        slope = ridge * v - 2.0 * c * np.asarray(part.T @ (y * slack)[inside])
        bend = np.diag(ridge + 1e-10) + 2.0 * c * (part.T @ part).toarray()
        step = np.linalg.solve(bend, -slope)
        length = 1.0
        while True:
            moved = v + length * step
            new_slack = np.maximum(0.0, margin(moved))
            new_value = cost(moved, new_slack)
            if new_value <= value + 1e-4 * length * float(slope @ step) or length < 1e-8:
                break
            length /= 2
        same = np.array_equal(new_slack > 0, slack > 0)
        v, slack, gain, value = moved, new_slack, value - new_value, new_value
        if (same and length == 1.0) or gain <= 1e-12 * max(1.0, value):
            break
    return LinearSvm(v[:-1], float(v[-1]))
