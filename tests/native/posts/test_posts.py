"""Cutting pages into posts: C and Python alike on random trees, and what is asked wrongly is refused."""

from __future__ import annotations

import random
import time
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.native.inputs import PostRows, PostRules
from tests.native.bodies import both, in_python, needs_core

RULES = PostRules(0.3, 0.6, 1000, 100)


def rows_of(parents: list[int], tags: list[int], sizes: list[int]) -> PostRows:
    n = len(parents)
    end, depth = list(range(1, n + 1)), [0] * n
    for i in range(n):
        depth[i] = depth[parents[i]] + 1 if parents[i] >= 0 else 0
    for i in range(n - 1, 0, -1):
        if parents[i] >= 0:
            end[parents[i]] = max(end[parents[i]], end[i])
    total = np.concatenate(([0], np.cumsum(np.array(sizes, np.int64))))
    return PostRows(
        np.array(tags, np.int16), np.array(parents, np.int32), np.array(end, np.int32), np.array(depth, np.int32), total
    )


def thread(rng: random.Random) -> tuple[PostRows, np.ndarray, np.ndarray]:
    """A page of posts with things between them, some within others."""
    parents, tags, sizes, keys, marks = [-1, 0], [3, 4], [0, 0], [1, 2], [False, False]

    def add(parent: int, key: int, size: int = 0, mark: bool = False) -> int:
        parents.append(parent)
        tags.append(0 if size else 5)
        sizes.append(size)
        keys.append(key)
        marks.append(mark)
        return len(parents) - 1

    n_before, is_nested = rng.randrange(3), rng.random() < 0.3
    top = 1
    for _ in range(rng.randrange(1, 12)):
        for k in range(n_before):
            if rng.random() < 0.95:
                add(add(top, 10 + k), 30, 3, rng.random() < 0.5)
        post = add(top, 20 if rng.random() < 0.9 else 21)
        for _ in range(rng.randrange(3)):
            add(add(post, 22), 23, rng.randrange(1, 40), rng.random() < 0.6)
        if rng.random() < 0.5:
            add(post, 24, 5, True)
        if is_nested and rng.random() < 0.6:
            top = add(post, 25)
    # Rows must be in document order: number them anew by a walk.
    children: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents[1:], 1):
        children[parent].append(i)
    order, stack = [], [0]
    while stack:
        order.append(i := stack.pop())
        stack += reversed(children[i])
    new = {old: k for k, old in enumerate(order)}
    rows = rows_of([new.get(parents[i], -1) for i in order], [tags[i] for i in order], [sizes[i] for i in order])
    return rows, np.array([keys[i] for i in order], np.uint64), np.array([marks[i] for i in order])


@needs_core
def test_both_bodies_cut_random_threads_alike() -> None:
    rng = random.Random(7)
    n_found = 0
    for _ in range(1500):
        rows, keys, marks = thread(rng)
        n = len(keys)
        if rng.random() < 0.3:
            keys = native.path_keys(rows.parent, keys)
        may_be = np.array([rng.random() < 0.9 for _ in range(n)])
        start = rng.randrange(n) if rng.random() < 0.3 else 0
        within = slice(start, rng.randrange(start, n + 1) if rng.random() < 0.3 else n)
        rules = RULES._replace(max_posts=rng.choice((3, 1000)), max_places=rng.choice((1, 2, 100)))
        in_c, in_python = both(lambda: native.post_cut(rows, keys, may_be, marks, within, rules))  # noqa: B023
        assert in_c == in_python
        n_found += in_c is not None
    assert n_found > 300


@needs_core
def test_both_bodies_cut_random_trees_alike() -> None:
    rng = random.Random(8)
    for _ in range(500):
        n = rng.randrange(1, 60)
        parents = [-1]
        for i in range(1, n):
            up = i - 1
            for _ in range(rng.randrange(4)):
                up = parents[up] if up >= 0 else up
            parents.append(up)
        rows = rows_of(parents, [rng.randrange(3) for _ in range(n)], [rng.choice((0, 0, 7)) for _ in range(n)])
        keys = np.array([rng.randrange(5) for _ in range(n)], np.uint64)
        marks = np.array([rng.random() < 0.5 for _ in range(n)])
        in_c, in_python = both(
            lambda: native.post_cut(rows, keys, np.ones(n, bool), marks, slice(0, n), RULES)  # noqa: B023
        )
        assert in_c == in_python


def test_what_does_not_fit_is_refused() -> None:
    rows, keys, marks = thread(random.Random(1))
    n = len(keys)
    yes = np.ones(n, bool)
    wrong = [
        (rows, keys[:-1], yes, marks, slice(0, n), RULES),
        (rows, keys, yes[:-1], marks, slice(0, n), RULES),
        (rows._replace(total=rows.total[:-1]), keys, yes, marks, slice(0, n), RULES),
        (rows._replace(parent=np.full(n, n, np.int32)), keys, yes, marks, slice(0, n), RULES),
        (rows._replace(end=np.full(n, n + 1, np.int32)), keys, yes, marks, slice(0, n), RULES),
        (rows, keys, yes, marks, slice(0, n + 1), RULES),
        (rows, keys, yes, marks, slice(2, 1), RULES),
        (rows, keys, yes, marks, slice(0, n), RULES._replace(max_posts=0)),
        (rows, keys, yes, marks, slice(0, n), RULES._replace(max_places=1 << 20)),
    ]
    for case in wrong:
        with pytest.raises(ValueError, match="rows of posts do not fit"):
            native.post_cut(*case)
        with in_python(), pytest.raises(ValueError, match="rows of posts do not fit"):
            native.post_cut(*case)


@needs_core
def test_many_places_and_deep_pages_take_little_time() -> None:
    n = 200_000
    deep = [-1, *range(n - 1)]
    flat = [-1, *[0] * (n - 1)]
    for parents in (deep, flat):
        rows = rows_of(parents, [5] * n, [1] * n)
        for n_keys in (300, n // 2):
            keys = (np.arange(n) % n_keys).astype(np.uint64)
            began = time.process_time()
            native.post_cut(rows, keys, np.ones(n, bool), np.ones(n, bool), slice(0, n), RULES)
            assert time.process_time() - began < 1.0


NAMES = ("post odd", "post\x1ceven", "", "  nick\u3000x ", "é 😀", "\ud800 ?", "?", "a a b c d e", "e", "odd post")


@needs_core
@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(1, 5))
def test_parts_of_posts(seed: int, n: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    tag, owner = rng.integers(0, 4, n).astype(np.int16), rng.integers(-1, 5, n).astype(np.int32)
    parent = np.array([int(rng.integers(-1, i)) for i in range(n)], np.int32)
    row = np.flatnonzero(rng.random(n) < 0.7).astype(np.int32)
    names = row, rng.integers(0, len(NAMES), len(row)).astype(np.int32)
    both_ways = both(lambda: native.part_keys(tag, parent, owner, 5, names, NAMES, (0.4, most)).tolist())
    assert both_ways[0] == both_ways[1]


def test_parts_that_do_not_fit_are_refused() -> None:
    tag, none, one = np.zeros(1, np.int16), np.full(1, -1, np.int32), np.zeros(1, np.int32)
    for parent, owner, n_posts, row, value in (
        (none, one[1:], 1, one, one), (none, one + 1, 1, one, one), (none, none - 1, 1, one, one), (one, one, 1, one, one), (none, one, 1, one + 1, one),
        (none, one, 1, one, one + 1), (none, one, 1, one, none), (none, one, 1, one[1:], one),
    ):  # fmt: skip
        for body in (nullcontext(), in_python()):
            with body, pytest.raises(ValueError, match="fit"):
                native.part_keys(tag, parent, owner, n_posts, (row, value), ("x",), (0.6, 4))
