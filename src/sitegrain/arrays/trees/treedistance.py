"""Restricted top-down mapping between two ordered labelled trees (Reis et al. 2004).

A mapping pairs nodes of two trees. It keeps order and ancestry, the roots are paired, a node is paired only if
its parents are, and a pair with different labels has nothing paired below it (the roots excepted). Its cost is
one for every node left out of either tree and one for every pair with different labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.hashing import subtree_hashes
from sitegrain.arrays.trees.preorder import prefix_sum, subtree_end
from sitegrain.arrays.types import Hashes, Ints64

_SMALL = 256
"""Below so many cells a table is filled faster cell by cell than with arrays (measured)."""
_MOST_KNOWN = 2_000_000
"""Pairs whose cost is remembered before starting over: bounds memory to some 300 MB."""


@dataclass(frozen=True, eq=False)
class LabelTree:
    """A tree with its children as lists: mapping is dynamic programming, which needs them by number."""

    label_hash: Hashes
    parent: Ints64
    label: list[int]
    kids: list[list[int]]
    size: list[int]
    height: list[int]
    same: list[int]
    """Hash of the subtree: equal subtrees are equal here."""

    @classmethod
    def build(cls, labels: Hashes, parent: Ints64) -> LabelTree:
        """From labels and parents in pre-order; row 0 is the root."""
        n = len(labels)
        size = (subtree_end(parent) - np.arange(n)).tolist()
        kids: list[list[int]] = [[] for _ in range(n)]
        height = [0] * n
        for row, up in enumerate(parent.tolist()):
            if up >= 0:
                kids[up].append(row)
        for row in range(n - 1, 0, -1):
            up = int(parent[row])
            height[up] = max(height[up], height[row] + 1)
        same = subtree_hashes(labels, parent).tolist()
        return cls(labels, parent, labels.tolist(), kids, size, height, same)

    def __len__(self) -> int:
        return len(self.label)

    def keep(self, rows: Ints64) -> LabelTree:
        """The tree of some rows only; with a row, its parent must be kept. The root always is."""
        rows = np.union1d(rows, [0]).astype(np.int64)
        number = np.full(len(self), -1, np.int64)
        number[rows] = np.arange(len(rows))
        up = self.parent[rows]
        return LabelTree.build(self.label_hash[rows], np.where(up >= 0, number[up], -1))


class Mapper:
    """Computes mappings; costs of pairs of subtrees are remembered, for pages of a site repeat them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}

    def distance(self, a: LabelTree, b: LabelTree) -> int:
        """Cost of the best mapping.

        >>> from sitegrain.arrays.hashing import string_hashes
        >>> x = LabelTree.build(string_hashes("abcd"), np.array([-1, 0, 1, 0]))
        >>> y = LabelTree.build(string_hashes("abd"), np.array([-1, 0, 0]))
        >>> Mapper().distance(x, y)
        1
        """
        self._solve(a, b)
        left, right, _ = _trim(a, b, a.kids[0], b.kids[0])
        return int(self._table(a, b, left, right)[-1][-1]) + (a.label[0] != b.label[0])

    def pairs(self, a: LabelTree, b: LabelTree) -> Ints64:
        """A best mapping, one row (node of a, node of b) for each pair, sorted."""
        self._solve(a, b)
        out: list[tuple[int, int]] = [(0, 0)]
        stack = [(0, 0)]
        while stack:
            x, y = stack.pop()
            for p, q in self._align(a, b, a.kids[x], b.kids[y]):
                if a.same[p] == b.same[q]:
                    out += zip(range(p, p + a.size[p]), range(q, q + b.size[q]), strict=True)
                    continue
                out.append((p, q))
                if a.label[p] == b.label[q]:
                    stack.append((p, q))
        return np.array(sorted(out), np.int64)

    def same_labels(self, a: LabelTree, b: LabelTree) -> Ints64:
        """The pairs of a best mapping that have equal labels."""
        pairs = self.pairs(a, b)
        same: Ints64 = pairs[a.label_hash[pairs[:, 0]] == b.label_hash[pairs[:, 1]]]
        return same

    def _solve(self, a: LabelTree, b: LabelTree) -> None:
        """Costs of all pairs of inner nodes that a table may ask for, smaller subtrees first."""
        known = self._known
        if len(known) > _MOST_KNOWN:
            known.clear()
        todo: dict[tuple[int, int], tuple[int, int]] = {}
        stack = [(0, 0)]
        while stack:
            x, y = stack.pop()
            left, right = _trim(a, b, a.kids[x], b.kids[y])[:2]
            by_label: dict[int, list[int]] = {}
            for q in right:
                if b.kids[q]:
                    by_label.setdefault(b.label[q], []).append(q)
            for p in left:
                if a.kids[p]:
                    for q in by_label.get(a.label[p], ()):
                        key = (a.same[p], b.same[q])
                        if key not in known and key not in todo and key[0] != key[1]:
                            todo[key] = (p, q)
                            stack.append((p, q))
        for key, (p, q) in sorted(todo.items(), key=lambda item: a.height[item[1][0]]):
            left, right, _ = _trim(a, b, a.kids[p], b.kids[q])
            known[key] = int(self._table(a, b, left, right)[-1][-1])

    def _pair(self, a: LabelTree, b: LabelTree, p: int, q: int) -> int:
        if a.same[p] == b.same[q]:
            return 0
        if a.label[p] != b.label[q]:
            return a.size[p] + b.size[q] - 1
        if not a.kids[p] or not b.kids[q]:
            return a.size[p] + b.size[q] - 2
        return self._known[a.same[p], b.same[q]]

    def _table(self, a: LabelTree, b: LabelTree, left: Sequence[int], right: Sequence[int]) -> list[list[int]]:
        """Cost of every prefix of `left` against every prefix of `right`."""
        if len(left) * len(right) > _SMALL:
            return self._big_table(a, b, left, right)
        return self._small_table(a, b, left, right)

    def _small_table(self, a: LabelTree, b: LabelTree, left: Sequence[int], right: Sequence[int]) -> list[list[int]]:
        row = [0]
        for q in right:
            row.append(row[-1] + b.size[q])
        table = [row]
        for p in left:
            gone = a.size[p]
            cur = [row[0] + gone]
            for j, q in enumerate(right):
                best = row[j] + self._pair(a, b, p, q)
                if row[j + 1] + gone < best:
                    best = row[j + 1] + gone
                if cur[j] + b.size[q] < best:
                    best = cur[j] + b.size[q]
                cur.append(best)
            table.append(cur)
            row = cur
        return table

    def _big_table(self, a: LabelTree, b: LabelTree, left: Sequence[int], right: Sequence[int]) -> list[list[int]]:
        size_a = np.array([a.size[p] for p in left], np.int64)
        size_b = np.array([b.size[q] for q in right], np.int64)
        label_a = np.array([a.label[p] for p in left], np.uint64)
        label_b = np.array([b.label[q] for q in right], np.uint64)
        same_a = np.array([a.same[p] for p in left], np.uint64)
        same_b = np.array([b.same[q] for q in right], np.uint64)
        cost = size_a[:, None] + size_b[None, :] - 1
        equal = label_a[:, None] == label_b[None, :]
        cost -= equal
        inner_a = np.array([bool(a.kids[p]) for p in left])
        inner_b = np.array([bool(b.kids[q]) for q in right])
        identical = same_a[:, None] == same_b[None, :]
        ask = equal & inner_a[:, None] & inner_b[None, :] & ~identical
        known = self._known
        sa, sb = same_a.tolist(), same_b.tolist()
        for i, j in np.argwhere(ask).tolist():
            cost[i, j] = known[sa[i], sb[j]]
        cost[identical] = 0
        inserted = prefix_sum(size_b)
        row = inserted.copy()
        table = [row.tolist()]
        for i in range(len(left)):
            best = row + size_a[i]
            best[1:] = np.minimum(best[1:], row[:-1] + cost[i])
            # Insertions chain along the row: a running minimum once their own cost is taken off.
            row = np.minimum.accumulate(best - inserted) + inserted
            table.append(row.tolist())
        return table

    def _align(self, a: LabelTree, b: LabelTree, left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
        """Which children of two paired nodes are paired in a best mapping."""
        mid_left, mid_right, out = _trim(a, b, left, right)
        table = self._table(a, b, mid_left, mid_right)
        i, j = len(mid_left), len(mid_right)
        while i and j:
            p, q = mid_left[i - 1], mid_right[j - 1]
            if table[i][j] == table[i - 1][j - 1] + self._pair(a, b, p, q):
                out.append((p, q))
                i, j = i - 1, j - 1
            elif table[i][j] == table[i - 1][j] + a.size[p]:
                i -= 1
            else:
                j -= 1
        return out


class _Trimmed(NamedTuple):
    left: Sequence[int]
    right: Sequence[int]
    pairs: list[tuple[int, int]]
    """What was taken off at both ends."""


def _trim(a: LabelTree, b: LabelTree, left: Sequence[int], right: Sequence[int]) -> _Trimmed:
    """Both lists without the equal subtrees they begin and end with, and those pairs.

    Pairing them is never worse: had the first of `left` been paired with a later one, moving it to its equal
    saves at least the difference of their sizes, which is what leaving the later one out costs.
    """
    start, i, j = 0, len(left), len(right)
    same_a, same_b = a.same, b.same
    while start < i and start < j and same_a[left[start]] == same_b[right[start]]:
        start += 1
    while i > start and j > start and same_a[left[i - 1]] == same_b[right[j - 1]]:
        i, j = i - 1, j - 1
    pairs = [*zip(left[:start], right[:start], strict=True), *zip(left[i:], right[j:], strict=True)]
    return _Trimmed(left[start:i], right[start:j], pairs)
