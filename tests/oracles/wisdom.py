"""WISDOM as the paper tells it: one page, a recursive walk, a heap. Slow and obvious.

Nodes are numbered in document order; `kids[i]` lists the children that are not dummy.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence


def children(parent: Sequence[int], is_node: Sequence[bool]) -> list[list[int]]:
    out: list[list[int]] = [[] for _ in parent]
    for i, p in enumerate(parent):
        if p >= 0 and is_node[i]:
            out[p].append(i)
    return out


def aggregate(parent: Sequence[int], own: Sequence[float], i: int) -> float:
    """f_A(N) = f(N) + sum of f_A(children)."""
    return own[i] + sum(aggregate(parent, own, j) for j, p in enumerate(parent) if p == i)


def sii(values: Sequence[float]) -> float:
    m, whole = len(values), sum(values)
    if m < 2 or whole <= 0:
        return 0.0
    return -sum(v / whole * math.log(v / whole, m) for v in values if v > 0)


def mib(
    kids: list[list[int]], total: Sequence[float], fits: Sequence[bool], k: int, st: float, root: int = 0
) -> tuple[list[int], list[int]]:
    """(the skeleton, the nodes popped), both in the order of the search."""
    heap = [(-total[root], root)]
    found: list[int] = []
    popped: list[int] = []
    while len(found) < k and heap:
        negative, node = heapq.heappop(heap)
        if negative == 0:
            break  # all that is left holds nothing
        popped.append(node)
        if not kids[node] or sii([total[j] for j in kids[node]]) > st:
            if fits[node]:
                found.append(node)
        else:
            for j in kids[node]:
                heapq.heappush(heap, (-total[j], j))
    return found, popped


def dstm(
    parent: Sequence[int], kids: list[list[int]], total: Sequence[float], fits: Sequence[bool], node: int
) -> set[int]:
    if parent[node] < 0:
        return set()
    return {j for j in kids[parent[node]] if j != node and fits[j] and 0 < total[j] < total[node]}


def collateral(
    parent: Sequence[int], kids: list[list[int]], total: Sequence[float], node: int, k: int, least: int = 2
) -> int:
    node = parent[node]
    while node >= 0:
        up = parent[node]
        if up >= 0 and sum(total[j] > 0 for j in kids[up] if j != node) >= least:
            k -= 1
            if k == 0:
                return node
        node = up
    return -1


def expand(
    parent: Sequence[int],
    kids: list[list[int]],
    total: Sequence[float],
    fits: Sequence[bool],
    skeleton: Sequence[int],
    cstm: Sequence[int] = (1,),
) -> set[int]:
    out = set(skeleton)
    for s in skeleton:
        out |= dstm(parent, kids, total, fits, s)
        for k in cstm:
            p = collateral(parent, kids, total, s, k)
            if p >= 0:
                out |= dstm(parent, kids, total, fits, p)
    return {i for i in out if not any(a in out for a in way_up(parent, i)[1:])}


def way_up(parent: Sequence[int], i: int) -> list[int]:
    return [i, *way_up(parent, parent[i])] if i >= 0 else []


def condense(parent: Sequence[int], roots: set[int], drops: Sequence[bool]) -> list[int]:
    out: list[int] = []

    def walk(i: int) -> None:
        if drops[i]:
            return
        out.append(i)
        for j, p in enumerate(parent):
            if p == i:
                walk(j)

    for root in sorted(roots):
        walk(root)
    return out


def anchor_precision(
    anchor_terms: Sequence[str], target_terms: set[str], entropy: dict[str, float], floor: float
) -> float:
    return sum(1 / max(entropy[t], floor) for t in set(anchor_terms) & target_terms)
