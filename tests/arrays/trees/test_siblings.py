import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.trees.siblings import like_siblings


def test_posts_with_names_of_their_own_fall_together() -> None:
    parent = np.array([-1, 0, 0, 0, 0], np.int32)
    kind = np.array([0, 5, 5, 5, 6], np.int64)
    # post-1 post, post-2 post, side; the last is of another kind
    token_row, token = np.array([1, 1, 2, 2, 3]), np.array([10, 1, 11, 1, 7])
    found = like_siblings(parent, kind, token_row, token)
    assert found.row_group.tolist() == [-1, 0, 0, -1, -1]
    assert found.size.tolist() == [2]
    assert found.parent.tolist() == [0]


def slow(parent: list[int], kind: list[int], names: list[set[int]]) -> set[tuple[int, ...]]:
    best: dict[int, int] = {}
    for row, up in enumerate(parent):
        if up < 0 or kind[row] < 0:
            continue

        def count(name: int, row: int = row, up: int = up) -> int:
            return sum(u == up and kind[r] == kind[row] and name in names[r] for r, u in enumerate(parent))

        best[row] = min(names[row], key=lambda n: (-count(n), n), default=-1)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for row, name in best.items():
        groups.setdefault((parent[row], kind[row], name), []).append(row)
    return {tuple(rows) for rows in groups.values() if len(rows) > 1}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2), st.sets(st.integers(0, 3), max_size=2)), max_size=12))
@settings(max_examples=80, deadline=None)
def test_equals_loops(rows: list[tuple[int, int, set[int]]]) -> None:
    parent = [-1] + [min(p, i) for i, (p, _, _) in enumerate(rows)]
    kind = [0] + [k for _, k, _ in rows]
    names: list[set[int]] = [set()] + [n for _, _, n in rows]
    pairs = [(r, n) for r, ns in enumerate(names) for n in sorted(ns)]
    for some, scale in (
        (pairs, 1),
        (pairs[::-1], 1),
        (pairs, 2**21),
        (pairs, 2**58),
    ):  # other orders and ways of sorting
        found = like_siblings(
            np.array(parent, np.int32), np.array(kind, np.int64) * min(scale, 2**21),
            np.array([r for r, _ in some], np.int64), np.array([n for _, n in some], np.int64) * scale,
        )  # fmt: skip
        got = {tuple(np.flatnonzero(found.row_group == g).tolist()) for g in range(len(found))}
        assert got == slow(parent, kind, names)
