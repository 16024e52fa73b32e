"""How a page is cut into posts: elements at the same place that hold the wanted text and have a mark each."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Hashes, Ints32
from sitegrain.native.inputs import PostRows, PostRules
from sitegrain.native.reference.strings.words import path_keys

_TEXT = 0
_MOST_BETWEEN = 6
_MOST_NEAR = 50
Found = tuple[list[int], list[int], float]


def post_cut(
    rows: PostRows, keys: Hashes, may_be: Bools, marks: Bools, start: int, stop: int, rules: PostRules
) -> Found | None:
    """`sitegrain.native.post_cut`."""
    n = len(rows.tag)
    columns: list[npt.NDArray[Any]] = [rows.parent, rows.end, rows.depth, rows.total[1:], keys, may_be, marks]
    at = np.arange(n)
    if (
        any(len(column) != n for column in columns)
        or len(rows.total) != n + 1
        or not 0 <= start <= stop <= n
        or ((rows.parent < -1) | (rows.parent >= at) | (rows.end <= at) | (rows.end > n)).any()
        or not 0 < rules.max_posts <= 1 << 16
        or not 0 < rules.max_places <= 1 << 12
    ):
        raise ValueError("rows of posts do not fit")
    elements = start + np.flatnonzero(rows.tag[start:stop] != _TEXT)
    if not len(elements):
        return None
    whole = int(rows.total[stop] - rows.total[start])
    mass = rows.total[rows.end] - rows.total[:-1]
    # A post of which no text is wanted is a post of the same template all the same.
    order = elements[np.argsort(keys[elements], kind="stable")]
    first = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]))
    last = np.append(first[1:], len(order))
    held = np.where(may_be[order], mass[order], 0)
    counts = np.add.reduceat(held > 0, first, dtype=np.int64)
    covered = np.add.reduceat(held, first)
    groups = np.flatnonzero((counts >= 2) & (counts <= rules.max_posts) & (covered >= rules.covered * whole))
    if len(groups) > rules.max_places:
        groups = np.sort(groups[np.argsort(-covered[groups], kind="stable")[: rules.max_places]])
    cutting = _Cutting(rows, keys, marks, whole, rules)
    best: Found | None = None
    seen: set[tuple[int, ...]] = set()
    for lo, hi in zip(first[groups].tolist(), last[groups].tolist(), strict=True):
        if hi - lo > rules.max_posts:
            continue
        roots = cutting.climbed(order[lo:hi].tolist())
        if roots[0] < start:
            continue
        if (place := tuple(roots)) in seen:  # the parts of a post all lead up to it
            continue
        seen.add(place)
        begins, ends = cutting.cut(roots)
        score = cutting.score(begins, ends)
        if score > (best[2] if best is not None else 0.0):
            best = (begins, ends, score)
    return best


class _Cutting:
    def __init__(self, rows: PostRows, keys: Hashes, marks: Bools, whole: int, rules: PostRules) -> None:
        self.n, self.whole, self.rules = len(rows.tag), whole, rules
        self.parents: list[int] = rows.parent.tolist()
        self.ends: list[int] = rows.end.tolist()
        self.depth: list[int] = rows.depth.tolist()
        self.total: list[int] = rows.total.tolist()
        self.marked: list[int] = prefix_sum(marks).tolist()
        self.keys: list[int] = keys.tolist()

    def climbed(self, roots: list[int]) -> list[int]:
        """The largest elements around each that hold no other; few steps if the first post stands higher than the answers. Roots are in
        document order."""
        depth, parents, ends = self.depth, self.parents, self.ends
        is_level = all(depth[root] == depth[roots[0]] for root in roots)
        for _ in range(self.n if is_level else 4):
            up = [parents[root] for root in roots]
            if min(up) < 0:
                break
            # The next root within the element around one, or the one before.
            if any(roots[i + 1] < ends[u] or roots[i] >= up[i + 1] for i, u in enumerate(up[:-1])):
                break
            roots = up
        return roots

    def cut(self, roots: list[int]) -> tuple[list[int], list[int]]:
        """Where posts begin and end; what stands in two of them is the later one's."""
        parents = self.parents
        often = Counter(parents[root] for root in roots)
        parent, most = min(often.items(), key=lambda found: (-found[1], found[0]))
        if most >= 0.7 * len(roots):  # elements of the same name elsewhere are no posts
            roots = [root for root in roots if parents[root] == parent]
        if len(roots) > 1 and all(parents[root] == parents[roots[0]] for root in roots):
            before = self._before(roots)
            begins = [self._back(root, before) for root in roots]
            return begins, [*begins[1:], self._last_end(roots, begins)]
        # An answer inside of a post is a post of its own.
        return roots, [self.ends[root] for root in roots]

    def _before(self, roots: list[int]) -> int:
        """How many elements before each post are its own: as many as repeat before nearly all, the first one too."""
        gap = min(self._between(a, b) for a, b in pairwise(roots))
        near = [[self.keys[i] for i in self._siblings_before(root, gap)] for root in roots[:_MOST_NEAR]]
        k = 0
        while k < gap and len(near[0]) > k:
            same = sum(len(one) > k and one[k] == near[0][k] for one in near)
            if same < 0.8 * len(near):
                break
            k += 1
        return k

    def _back(self, root: int, steps: int) -> int:
        before = self._siblings_before(root, steps)
        return before[-1] if before else root

    def _last_end(self, roots: list[int], begins: list[int]) -> int:
        """The last post ends like the one before it: with as many elements after it, if they are the same."""
        ends, keys = self.ends, self.keys
        row, other, above = ends[roots[-1]], ends[roots[-2]], self.parents[roots[-1]]
        stop = ends[above] if above >= 0 else self.n
        while other < begins[-1] and row < stop and keys[row] == keys[other]:
            row, other = ends[row], ends[other]
        return row

    def _siblings_before(self, root: int, limit: int) -> list[int]:
        """The elements before a row under the same parent, nearest first."""
        parents = self.parents
        parent = parents[root]
        out: list[int] = []
        row = root - 1
        while row > parent and len(out) < limit:
            while row >= 0 and parents[row] != parent:
                row = parents[row]
            if row < 0:
                break
            out.append(row)
            row -= 1
        return out

    def _between(self, first: int, second: int) -> int:
        """How many elements stand between two siblings, up to `_MOST_BETWEEN`."""
        n, row = 0, self.ends[first]
        while row < second and n < _MOST_BETWEEN:
            n += 1
            row = self.ends[row]
        return n

    def score(self, begins: Sequence[int], ends: Sequence[int]) -> float:
        """By how much of the wanted text the posts hold, and how many have a mark."""
        mass = [self.total[stop] - self.total[start] for start, stop in zip(begins, ends, strict=True)]
        marks = [self.marked[stop] - self.marked[start] for start, stop in zip(begins, ends, strict=True)]
        around: list[int] = []
        for i, start in enumerate(begins):  # what stands in a post within a post is the inner one's
            while around and ends[around[-1]] <= start:
                around.pop()
            if around:
                mass[around[-1]] -= mass[i]
                marks[around[-1]] -= marks[i]
            around.append(i)
        n_full = sum(m > 0 for m in mass)
        if n_full < 2:
            return 0.0
        share = sum(m > 0 and n_marks > 0 for m, n_marks in zip(mass, marks, strict=True)) / n_full
        covered = sum(mass) / max(self.whole, 1)
        is_good = share >= self.rules.marked and covered >= self.rules.covered
        return covered * share * math.log(1 + n_full) if is_good else 0.0


def part_keys(
    tag: npt.NDArray[np.int16],
    parent: Ints32,
    owner: Ints32,
    n_posts: int,
    row: Ints32,
    value: Ints32,
    strings: tuple[str, ...],
    share: float,
    most: int,
) -> Hashes:
    """`sitegrain.native.part_keys`."""
    n = len(tag)
    is_order = len(parent) == n == len(owner) and bool(((parent >= -1) & (parent < np.arange(n))).all())
    if not is_order or len(row) != len(value) or (n and not -1 <= owner.min() <= owner.max() < n_posts):
        raise ValueError("names do not fit the posts")
    if len(row) and not (0 <= row.min() <= row.max() < n and 0 <= value.min() <= value.max() < len(strings)):
        raise ValueError("names do not fit the posts")
    own = tag.astype(np.uint64)
    mine = owner[row] >= 0
    own[row[mine]] += _names_of_posts(value[mine], owner[row[mine]], n_posts, strings, share, most)
    # Where a post begins names do not count: it is the first, second ... element of its post.
    parent, n_tops = parent.copy(), Counter[int]()
    for i, post in enumerate(owner.tolist()):
        if post >= 0 and (parent[i] < 0 or owner[parent[i]] != post):
            own[i] = int(tag[i]) + (n_tops[post] << 8)
            n_tops[post] += 1
            parent[i] = -1
    return path_keys(parent, own)


def _names_of_posts(
    values: Ints32, owner: Ints32, n_posts: int, strings: tuple[str, ...], share: float, most: int
) -> Hashes:
    said = {
        value: [zlib.crc32(name.encode("utf-8", "replace")) for name in strings[value].split()[:most]]
        for value in set(values.tolist())
    }
    seen: dict[int, set[int]] = {}
    for value, post in zip(values.tolist(), owner.tolist(), strict=True):
        for name in said[value]:
            seen.setdefault(name, set()).add(post)
    often = {name for name, posts in seen.items() if len(posts) >= share * n_posts}
    first = {value: next((name << 8 for name in names if name in often), 0) for value, names in said.items()}
    return np.array([first[value] for value in values.tolist()], np.uint64)
