"""Maximum informative blocks of a tree: the search, the merging and the condensing of WISDOM as array steps.

The search of the paper is a heap: pop the node with the largest aggregate, keep it or push its children.
An aggregate never exceeds that of the parent, so, with ties broken by document order, the heap pops the
rows that it can reach in plain sorted order. Which rows it can reach does not depend on the order either:
those with no stopping row above them. So one marking and one sort give the same result for all pages at
once, and the heap itself lives on as the oracle of the tests.

All functions take a forest in pre-order (see `sitegrain.arrays.trees.preorder`). `is_node` marks the rows that are
nodes of the tree; it must be closed upwards (the parent of a node is a node).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import above, child_count, child_max, nearest, topmost, under
from sitegrain.arrays.types import Bools, Floats, Ints, Ints64


@dataclass(frozen=True)
class SearchTree:
    """The shape that a search runs on."""

    parent: Ints
    end: Ints
    page: Ints
    """Which tree a row is of; rows of a page are contiguous."""
    is_node: Bools


def structure_information(total: npt.NDArray[Any], tree: SearchTree, count_empty: bool = True) -> Floats:
    """SII: how evenly the children of each row share its aggregate, 0 (one child has all) ... 1 (all equal).

    `-sum w log_m w` with w = a child's share and m = the number of children that are nodes. 0 for rows with
    fewer than two of them and where the children hold nothing. With `count_empty` off, m counts only children
    that hold something.
    """
    parent = np.asarray(tree.parent)
    kids = np.flatnonzero(tree.is_node & (parent >= 0))
    if not count_empty:
        kids = kids[total[kids] > 0]
    up = parent[kids]
    n = len(parent)
    m = np.bincount(up, minlength=n)
    value = np.asarray(total[kids], np.float64)
    whole = np.bincount(up, value, minlength=n)
    held = value > 0
    up, value = up[held], value[held]
    share = value / whole[up]
    nats = np.bincount(up, -share * np.log(share), minlength=n)
    out = np.zeros(n)
    many = m > 1
    out[many] = np.clip(nats[many] / np.log(m[many]), 0.0, 1.0)
    return out


def reachable(tree: SearchTree, stops: Bools) -> Bools:
    """Rows that the search can come to: nodes with no stopping row above them."""
    return tree.is_node & ~under(stops, tree.end, strictly=True)


def stopping(tree: SearchTree, sii: Floats, st: float) -> Bools:
    """Rows at which the search goes no deeper: `SII > st`, and leaves."""
    return np.asarray(tree.is_node & ((sii > st) | (child_count(tree.parent, tree.is_node) == 0)))


def informative_blocks(tree: SearchTree, total: npt.NDArray[Any], stops: Bools, fits: Bools, k: int) -> Ints64:
    """The skeleton of every page: of the stopping rows in reach that fit, the k with the largest aggregate.

    A row that holds nothing (`total` 0) is no block. Rows come in the order in which the search finds them,
    page by page.
    """
    rows = np.flatnonzero(reachable(tree, stops) & stops & fits & (total > 0))
    rows = rows[np.lexsort((rows, -np.asarray(total[rows], np.float64), tree.page[rows]))]
    return rows[_rank_in_page(tree.page[rows]) < k]


def _rank_in_page(page: npt.NDArray[Any]) -> Ints64:
    """0, 1, 2, ... within each run of equal pages."""
    n = len(page)
    first = np.flatnonzero(np.diff(page, prepend=-1))
    return np.arange(n) - np.repeat(first, np.diff(np.append(first, n)))


def sibling_merge(tree: SearchTree, total: npt.NDArray[Any], fits: Bools, marked: Bools) -> Bools:
    """DSTM: siblings of a marked row that fit and hold less than it does (and hold something)."""
    parent = np.asarray(tree.parent)
    limit = child_max(total, parent, marked & tree.is_node)
    able = np.flatnonzero(tree.is_node & fits & (total > 0) & (parent >= 0))
    out = np.zeros(len(parent), bool)
    out[able] = total[able] < limit[parent[able]]
    return out


def collateral_ancestor(
    tree: SearchTree, total: npt.NDArray[Any], rows: Ints64, k: int, min_siblings: int = 2
) -> Ints64:
    """P_k of each row: its k-th ancestor with at least `min_siblings` siblings that hold something; or -1."""
    parent = np.asarray(tree.parent)
    live = tree.is_node & (total > 0)
    count = child_count(parent, live)
    siblings = np.where(parent >= 0, count[parent] - live, 0)
    up = nearest(parent, siblings >= min_siblings, strictly=True)
    at = np.asarray(rows, np.int64)
    for _ in range(k):
        at = np.where(at >= 0, up[at], -1)
    return at


@dataclass(frozen=True)
class Expansion:
    """How blocks are merged and condensed."""

    dstm: bool = True
    cstm: tuple[int, ...] = (1,)
    """Which collateral ancestors to merge at; empty for none."""
    min_siblings: int = 2


def expand(tree: SearchTree, total: npt.NDArray[Any], fits: Bools, skeleton: Ints64, how: Expansion) -> Bools:
    """Roots of the merged subtrees: the skeleton and what DSTM and k-CSTM bring in; none holds another."""
    marked = np.zeros(len(tree.parent), bool)
    marked[skeleton] = True
    roots = marked.copy()
    if how.dstm:
        roots |= sibling_merge(tree, total, fits, marked)
    for k in how.cstm:
        ancestors = collateral_ancestor(tree, total, skeleton, k, how.min_siblings)
        collateral = np.zeros(len(tree.parent), bool)
        collateral[ancestors[ancestors >= 0]] = True
        roots |= sibling_merge(tree, total, fits, collateral)
    return topmost(roots, tree.end)


def condense(tree: SearchTree, roots: Bools, drops: Bools) -> Bools:
    """Rows that stay: those under a root, less the subtrees of rows that `drops` marks."""
    inside = under(roots, tree.end)
    return inside & ~under(drops & inside, tree.end)


@dataclass(frozen=True)
class Structure:
    """The informative structure: kept blocks and the rows where their branches meet, as a reduced tree."""

    node: Ints64
    """Rows, in document order."""
    parent: Ints64
    """Position in `node` of the nearest row of the structure above, or -1."""
    is_block: Bools

    def __len__(self) -> int:
        return len(self.node)


def reduced_tree(tree: SearchTree, blocks: Bools) -> Structure:
    """The smallest tree that keeps how blocks hang together: blocks and their lowest common ancestors."""
    parent = np.asarray(tree.parent)
    holds = above(blocks, tree.end)
    branches = child_count(parent, holds)
    kept = blocks | ((branches > 1) & holds)
    rows = np.flatnonzero(kept)
    up = nearest(parent, kept, strictly=True)[rows]
    position = np.full(len(parent) + 1, -1, np.int64)
    position[rows] = np.arange(len(rows))
    return Structure(rows, position[up], blocks[rows])
