"""HITS and its variants with dictionaries and loops. A link is (source, target, weight)."""

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

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
