"""Steps and parts are those of scipy's csgraph."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

from sitegrain.arrays.reach import joined_parts, steps_from


@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_as_csgraph(n: int, n_links: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    ends = chance.integers(0, n, (2, n_links), np.int32)
    links = sparse.csr_array((np.ones(n_links), (ends[0], ends[1])), shape=(n, n))
    expected = csgraph.dijkstra(links, indices=[0], unweighted=True)[0]
    assert np.array_equal(steps_from(links, 0), np.where(np.isinf(expected), np.nan, expected), equal_nan=True)
    count, part = csgraph.connected_components(links, directed=False)
    found = joined_parts(links)
    assert len(np.unique(found)) == count
    assert len(np.unique(np.stack((found, part)), axis=1).T) == count
