from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.trees import preorder as tree
from tests.oracles import tree as slow


@st.composite
def parents(draw: st.DrawFn, max_size: int = 30) -> list[int]:
    """A forest in pre-order: each next row hangs on the way up from the one before, or starts a tree."""
    n = draw(st.integers(0, max_size))
    out: list[int] = []
    for i in range(n):
        path = slow.way_up(out, i - 1) if i else []
        out.append(draw(st.sampled_from([*path, -1])))
    return out


@given(parents(), st.data())
@settings(max_examples=100, deadline=None)
def test_equals_slow(up: list[int], data: st.DataObject) -> None:
    n = len(up)
    marked = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    value_list = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    parent, mask, values = np.array(up, np.int32), np.array(marked, bool), np.array(value_list, np.int64)
    end = tree.subtree_end(parent)
    rows, v = range(n), value_list
    below = [slow.subtree(up, i) for i in rows]
    way = [slow.way_up(up, i) for i in rows]
    assert end.tolist() == [max(b) + 1 for b in below]
    assert tree.depths(parent).tolist() == [len(w) - 1 for w in way]
    assert tree.subtree_sum(values, end).tolist() == [sum(v[j] for j in b) for b in below]
    assert tree.subtree_count(mask, end).tolist() == [sum(marked[j] for j in b) for b in below]
    assert tree.child_count(parent, mask).tolist() == [sum(marked[j] for j in slow.kids(up, i)) for i in rows]
    assert tree.child_max(values, parent, mask, -1).tolist() == [
        max([v[j] for j in slow.kids(up, i) if marked[j]], default=-1) for i in rows
    ]
    assert tree.under(mask, end).tolist() == [any(marked[j] for j in way[i]) for i in rows]
    assert tree.under(mask, end, strictly=True).tolist() == [any(marked[j] for j in way[i][1:]) for i in rows]
    assert tree.above(mask, end).tolist() == [any(marked[j] for j in below[i]) for i in rows]
    assert tree.above(mask, end, strictly=True).tolist() == [any(marked[j] for j in below[i][1:]) for i in rows]
    assert tree.nearest(parent, mask).tolist() == [next((j for j in way[i] if marked[j]), -1) for i in rows]
    assert tree.nearest(parent, mask, strictly=True).tolist() == [
        next((j for j in way[i][1:] if marked[j]), -1) for i in rows
    ]
    assert tree.topmost(mask, end).tolist() == [marked[i] and not any(marked[j] for j in way[i][1:]) for i in rows]
    assert [tree.ancestors(parent, i) for i in rows] == [w[1:] for w in way]
    assert tree.sibling_index(parent).tolist() == [slow.kids(up, up[i]).index(i) if up[i] >= 0 else 0 for i in rows]
    order, offset = tree.by_level(parent)
    assert order.tolist() == sorted(rows, key=lambda i: len(way[i]))
    assert offset[-1] == n


def test_deep_and_wide() -> None:
    n = 100_000
    chain = np.arange(-1, n - 1)
    assert tree.depths(chain)[-1] == n - 1
    assert (tree.subtree_end(chain) == n).all()
    mask = np.zeros(n, bool)
    mask[0] = True
    assert (tree.nearest(chain, mask) == 0).all()
    star = np.zeros(n, np.int64)
    star[0] = -1
    assert tree.subtree_end(star)[0] == n
    assert tree.child_count(star)[0] == n - 1
