from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.trees.preorder import subtree_end, subtree_sum
from sitegrain.methods.wisdom import search as mib
from tests.arrays.trees.test_preorder import parents
from tests.oracles import wisdom as slow


def tree_of(up: list[int], is_node: list[bool] | None = None) -> mib.SearchTree:
    parent = np.array(up, np.int32)
    end = subtree_end(parent)
    page = np.cumsum(parent < 0) - 1
    nodes = np.ones(len(up), bool) if is_node is None else np.array(is_node, bool)
    return mib.SearchTree(parent, end, page, nodes)


@given(parents(max_size=25), st.data())
@settings(max_examples=200, deadline=None)
def test_search_and_expansion_equal_the_heap(up: list[int], data: st.DataObject) -> None:
    n = len(up)
    own = data.draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 5, 9]), min_size=n, max_size=n))
    fits = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    dummy = data.draw(st.lists(st.sampled_from([False, False, False, True]), min_size=n, max_size=n))
    drops = data.draw(st.lists(st.sampled_from([False, False, True]), min_size=n, max_size=n))
    k = data.draw(st.integers(1, 4))
    threshold = data.draw(st.sampled_from([0.0, 0.5, 0.8, 0.95, 1.0]))
    cstm = data.draw(st.sampled_from([(), (1,), (2,), (1, 2)]))
    # A node's parent is a node; a dummy's text counts for nothing.
    nodes = [not any(dummy[a] for a in slow.way_up(up, i)) for i in range(n)]
    own = [v if ok else 0 for v, ok in zip(own, nodes, strict=True)]
    tree = tree_of(up, nodes)
    total = subtree_sum(np.array(own, np.int64), tree.end)
    kids = slow.children(up, nodes)
    want_total = [slow.aggregate(up, own, i) for i in range(n)]
    assert total.tolist() == want_total
    sii = mib.structure_information(total, tree)
    np.testing.assert_allclose(sii, [slow.sii([want_total[j] for j in kids[i]]) for i in range(n)], atol=1e-12)
    stops = mib.stopping(tree, sii, threshold)
    ok = np.array(fits, bool)
    want_found: list[int] = []
    for root in [i for i in range(n) if up[i] < 0 and nodes[i]]:
        want_found += slow.mib(kids, want_total, fits, k, threshold, root)
    skeleton = mib.informative_blocks(tree, total, stops, ok, k)
    assert skeleton.tolist() == want_found
    roots = mib.expand(tree, total, ok, skeleton, mib.Expansion(cstm=cstm))
    want_roots = slow.expand(up, kids, want_total, fits, want_found, cstm)
    assert set(np.flatnonzero(roots).tolist()) == want_roots
    kept = mib.condense(tree, roots, np.array(drops, bool))
    assert np.flatnonzero(kept).tolist() == slow.condense(up, want_roots, drops)


def test_figure_7() -> None:
    # ** 1 with children 1 and * 3, which has children 3 and 0.
    tree = tree_of([-1, 0, 0, 2, 2])
    total = subtree_sum(np.array([1, 1, 3, 3, 0]), tree.end)
    assert total.tolist() == [8, 1, 6, 3, 0]


def test_sii_by_hand() -> None:
    tree = tree_of([-1, 0, 0, 0, 0])
    assert mib.structure_information(np.array([4, 1, 1, 1, 1]), tree)[0] == 1
    assert mib.structure_information(np.array([4, 2, 2, 0, 0]), tree)[0] == pytest.approx(0.5)
    assert mib.structure_information(np.array([4, 2, 2, 0, 0]), tree, count_empty=False)[0] == 1
    assert mib.structure_information(np.array([4, 4, 0, 0, 0]), tree)[0] == 0
    assert mib.structure_information(np.zeros(5), tree)[0] == 0


def test_reduced_tree() -> None:
    #      0
    #    1    5
    #  2 3 4    6
    tree = tree_of([-1, 0, 1, 1, 1, 0, 5])
    blocks = np.array([0, 0, 1, 0, 1, 0, 1], bool)
    structure = mib.reduced_tree(tree, blocks)
    assert structure.node.tolist() == [0, 1, 2, 4, 6]
    assert structure.parent.tolist() == [-1, 0, 1, 1, 0]
    assert structure.is_block.tolist() == [False, False, True, True, True]
    assert len(mib.reduced_tree(tree, np.zeros(7, bool))) == 0
