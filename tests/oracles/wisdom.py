"""WISDOM as the paper tells it: one page, a recursive walk, a heap. Slow and obvious.

Nodes are numbered in document order; `kids[i]` lists the children that are not dummy.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import BLOCK_TAGS
from sitegrain.text.terms import Terms
from tests.oracles.terms import subtree_terms


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
    kids: list[list[int]],
    total: Sequence[float],
    fits: Sequence[bool],
    k: int,
    st: float,
    root: int = 0,
    weighed: list[list[int]] | None = None,
    descend: bool = False,
) -> list[int]:
    """The skeleton, in the order of the search.

    `weighed` are the children that SII counts, when not all. With `descend`, "otherwise push its children"
    holds for an even node that misses the constraint too.
    """
    weighed = kids if weighed is None else weighed
    heap = [(-total[root], root)]
    found: list[int] = []
    while len(found) < k and heap:
        negative, node = heapq.heappop(heap)
        if negative == 0:
            break  # all that is left holds nothing
        stop = not kids[node] or sii([total[j] for j in weighed[node]]) > st
        if stop and fits[node]:
            found.append(node)
        elif not stop or descend:
            for j in kids[node]:
                heapq.heappush(heap, (-total[j], j))
    return found


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


# Phase 1 on a site's tables, row by row


def below(site: Site, i: int) -> list[int]:
    return list(range(i, int(site.nodes.end[i])))


def is_dummy(site: Site, i: int, dummy_tags: Sequence[str]) -> bool:
    return any(
        site.tag_name(a) in dummy_tags or site.nodes.flags[a] & HIDDEN for a in way_up(site.nodes.parent.tolist(), i)
    )


def is_node(site: Site, i: int, kind: str, dummy_tags: Sequence[str]) -> bool:
    if is_dummy(site, i, dummy_tags):
        return False
    if kind == "tags":
        return not site.is_text[i]
    if kind == "blocks":
        up = int(site.nodes.parent[i])
        return up < 0 or any(
            site.tag_name(j) in BLOCK_TAGS and not is_dummy(site, j, dummy_tags) for j in below(site, up)[1:]
        )
    return True


def anchor_of(site: Site, i: int) -> bool:
    links = set(site.links.node.tolist())
    return any(a in links for a in way_up(site.nodes.parent.tolist(), i))


def lengths(site: Site, i: int, dummy_tags: Sequence[str]) -> tuple[int, int]:
    """(ALEN_A, CLEN_A) of a row."""
    alen = clen = 0
    for j in below(site, i):
        if site.is_text[j] and not is_dummy(site, j, dummy_tags):
            n = len(" ".join(site.node_text(j).split()))
            if anchor_of(site, j):
                alen += n
            else:
                clen += n
    return alen, clen


def row_terms(site: Site, terms: Terms, i: int, dummy_tags: Sequence[str] | None = None) -> list[str]:
    """Terms of a subtree; hidden text and that of dummy tags counts when no dummy tags are given."""
    return [
        terms.vocabulary[t]
        for j in below(site, i)
        if site.is_text[j] and (dummy_tags is None or not is_dummy(site, j, dummy_tags))
        for t in subtree_terms(terms, site, j)
    ]


def cii(words: Sequence[str], entropy: dict[str, float], distinct: bool) -> float:
    kept = sorted(set(words)) if distinct else list(words)
    return sum(1 - entropy[w] for w in kept) / len(kept) if kept else 0.0
