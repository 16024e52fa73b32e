"""Hubs and authorities by power iteration on a sparse link matrix.

Rows of the matrix are what has out-links (pages, or blocks of pages), columns are the pages that are linked
to; so page mode is a square matrix and block mode a rectangular one, with the same program.

    authority = M^T hub          hub = M authority          each scaled to length 1

The hub step always uses the authority of the *same* round. Were both taken from the round before, two
independent series would alternate (Kao et al. 2004, fig. 12) and the values would undulate; in sequence the
hub vector is multiplied by the symmetric, non-negative definite M M^T, which cannot turn a sign: no
oscillation.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Floats
from sitegrain.errors import UsageError
from sitegrain.light import dataclass


@dataclass(frozen=True, eq=False)
class LinkRank:
    """Hub value per row and authority value per column of a link matrix, and how the iteration ended."""

    hub: Floats
    authority: Floats
    n_iterations: int
    change: float
    """Length of the last change of the hub vector."""
    converged: bool


def link_matrix(
    source: npt.ArrayLike, target: npt.ArrayLike, weight: npt.ArrayLike | None, shape: tuple[int, int]
) -> sparse.csr_array:
    """Links as a sparse matrix; several links from one source to one target add up.

    >>> link_matrix([0, 0, 1], [1, 1, 0], None, (2, 2)).toarray()
    array([[0., 2.],
           [1., 0.]])
    """
    row, column = np.asarray(source, np.int32), np.asarray(target, np.int32)
    value = np.ones(len(row)) if weight is None else np.asarray(weight, np.float64)
    if len(value) and not (np.isfinite(value).all() and value.min() >= 0):
        raise UsageError("link weights must be finite and not negative")
    matrix = sparse.csr_array(sparse.coo_array((value, (row, column)), shape=shape))
    matrix.sum_duplicates()
    return matrix


def hits(
    matrix: Any,
    normalize: bool = False,
    n_iterations: int = 200,
    tolerance: float = 1e-10,
    start: Literal["hub", "authority"] = "hub",
) -> LinkRank:
    """Hub and authority values of a link matrix (HITS, Kleinberg 1999); `normalize` gives SALSA.

    Normalised (LN), the step to authorities divides by the out-weight of the source and the step to hubs by
    the in-weight of the target. Starts from equal hubs, or from equal authorities; stops when the hub vector
    moves less than `tolerance`. A matrix without weight gives zeros. The start matters where the graph falls
    into parts: normalised, each part keeps the share of the whole that it starts with.

    >>> rank = hits(np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    >>> rank.hub.round(3), rank.converged
    (array([0.851, 0.526, 0.   ]), True)
    """
    m = sparse.csr_array(matrix, dtype=np.float64)
    n_rows, n_columns = m.shape
    if m.nnz == 0 or not m.data.any():
        return LinkRank(np.zeros(n_rows), np.zeros(n_columns), 0, 0.0, True)
    back = m.T  # a view as CSC: nothing is copied
    out_scale = _inverse(m.sum(axis=1)) if normalize else None
    in_scale = _inverse(m.sum(axis=0)) if normalize else None
    hub = np.full(n_rows, 1.0 / np.sqrt(n_rows))
    if start == "authority":
        hub = _unit(m @ (np.ones(n_columns) if in_scale is None else in_scale))
    authority = np.zeros(n_columns)
    change = np.inf
    done = 0
    while done < n_iterations and change > tolerance:
        authority = _unit(back @ (hub if out_scale is None else hub * out_scale))
        new = _unit(m @ (authority if in_scale is None else authority * in_scale))
        change = float(np.linalg.norm(new - hub))
        hub = new
        done += 1
    return LinkRank(hub, authority, done, change, change <= tolerance)


def _unit(vector: Floats) -> Floats:
    # Scaled by the largest entry first: squares of tiny weights would underflow to a zero length.
    top = float(vector.max(initial=0.0))
    if top <= 0.0:
        return np.zeros(len(vector))
    scaled = vector / top
    return np.asarray(scaled / np.linalg.norm(scaled), np.float64)


def _inverse(weight: Any) -> Floats:
    w = np.asarray(weight, np.float64).reshape(-1)
    return np.where(w > 0, 1.0 / np.where(w > 0, w, 1.0), 0.0)
