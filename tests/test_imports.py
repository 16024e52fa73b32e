"""How modules hang together, beside what `lint-imports` checks."""

from __future__ import annotations

import grimp
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def test_no_modules_import_each_other() -> None:
    """Not in a circle either, and not inside functions or for types only: grimp sees those too."""
    graph = grimp.build_graph("sitegrain")
    names = sorted(graph.modules)
    number = {name: i for i, name in enumerate(names)}
    pairs = [(number[m], number[other]) for m in names for other in graph.find_modules_directly_imported_by(m)]
    assert len(pairs) > 300
    rows, columns = zip(*pairs, strict=True)
    links = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(names), len(names)))
    _, part = connected_components(links, directed=True, connection="strong")
    circles = [[names[i] for i in np.flatnonzero(part == k)] for k in np.flatnonzero(np.bincount(part) > 1)]
    assert not circles
