"""HITS and its variants with dictionaries and loops. A link is (source, target, weight)."""

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sitegrain.arrays.types import Floats

U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


def slow_hits(
    links: Sequence[tuple[U, V, float]],
    sources: Iterable[U],
    targets: Iterable[V],
    normalize: bool = False,
    n_iterations: int = 10,
    start: str = "hub",
) -> tuple[dict[U, float], dict[V, float]]:
    hub = dict.fromkeys(sources, 1.0)
    authority = dict.fromkeys(targets, 0.0)
    out_weight = dict.fromkeys(sources, 0.0)
    in_weight = dict.fromkeys(targets, 0.0)
    for u, v, w in links:
        out_weight[u] += w
        in_weight[v] += w
    if start == "authority":
        hub = dict.fromkeys(sources, 0.0)
        for u, v, w in links:
            if w:
                hub[u] += w / (in_weight[v] if normalize else 1.0)
        _unit(hub)
    for _ in range(n_iterations):
        authority = dict.fromkeys(targets, 0.0)
        for u, v, w in links:
            if w:
                authority[v] += hub[u] * w / (out_weight[u] if normalize else 1.0)
        _unit(authority)
        hub = dict.fromkeys(sources, 0.0)
        for u, v, w in links:
            if w:
                hub[u] += authority[v] * w / (in_weight[v] if normalize else 1.0)
        _unit(hub)
    return hub, authority


def _unit(values: dict[U, float]) -> None:
    length = math.sqrt(sum(x * x for x in values.values()))
    for key in values:
        values[key] = values[key] / length if length else 0.0


def salsa_limit(matrix: sparse.csr_array, start: str) -> tuple[Floats, Floats]:
    """Where SALSA converges to, without iteration.

    Within each connected part of the source-target graph a hub's value is its out-weight, and the share of
    a part is its share of the hubs (of the authorities with `start="authority"`).
    """
    m = matrix.copy()
    m.eliminate_zeros()
    n_rows, n_columns = m.shape
    out_weight = np.asarray(m.sum(axis=1), np.float64)
    in_weight = np.asarray(m.sum(axis=0), np.float64)
    if m.nnz == 0:
        return np.zeros(n_rows), np.zeros(n_columns)
    coo = m.tocoo()
    size = n_rows + n_columns
    graph = sparse.coo_array((np.ones(m.nnz, np.int8), (coo.row, coo.col + n_rows)), shape=(size, size))
    n_parts, part = connected_components(graph.tocsr(), directed=False)
    weight = np.bincount(part[:n_rows], out_weight, minlength=n_parts).astype(np.float64)
    equal = part[:n_rows][out_weight > 0] if start == "hub" else part[n_rows:][in_weight > 0]
    mass = np.bincount(equal, minlength=n_parts).astype(np.float64)
    share = np.where(weight > 0, mass / np.where(weight > 0, weight, 1.0), 0.0)
    hub, authority = out_weight * share[part[:n_rows]], in_weight * share[part[n_rows:]]
    return hub / np.linalg.norm(hub), authority / np.linalg.norm(authority)
