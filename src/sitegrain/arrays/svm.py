"""A linear support vector machine, solved in the primal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from sitegrain.errors import UsageError

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LinearSvm:
    """A hyperplane: `x @ weight + bias` is over 0 for the positive class."""

    weight: Floats
    bias: float

    def decide(self, rows: Any) -> Floats:
        """Signed distance of each row (dense or sparse) from the plane, in units of the margin."""
        return np.asarray(rows @ self.weight, np.float64).reshape(-1) + self.bias


def fit_svm(rows: Any, positive: npt.ArrayLike, c: float = 1.0) -> LinearSvm:
    """The plane that minimises `|w|^2 / 2 + c * sum of max(0, 1 - y (w x + b))^2`.

    The squared hinge makes the cost smooth, so that a quasi-Newton method finds its one minimum; the bias is
    not penalised. Rows may be sparse.

    >>> plane = fit_svm(np.array([[0.0], [1.0], [3.0], [4.0]]), [False, False, True, True], c=1000)
    >>> plane.decide(np.array([[1.9], [2.1]])) > 0
    array([False,  True])
    """
    y = np.where(np.asarray(positive, bool), 1.0, -1.0)
    if len(y) == 0:
        raise UsageError("no labelled example to learn from")
    if (y > 0).all() or (y < 0).all():
        raise UsageError("all examples have the same label: examples of both classes are needed")
    n = rows.shape[1]

    def cost(v: Floats) -> tuple[float, Floats]:
        w, b = v[:n], v[n]
        slack = np.maximum(0.0, 1.0 - y * (np.asarray(rows @ w).reshape(-1) + b))
        pull = -2.0 * c * y * slack
        slope = np.append(w + np.asarray(rows.T @ pull).reshape(-1), pull.sum())
        return float(0.5 * w @ w + c * slack @ slack), slope

    found = minimize(
        cost, np.zeros(n + 1), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "maxcor": 30, "gtol": 1e-5}
    )
    return LinearSvm(found.x[:n], float(found.x[n]))
