"""What can be reached over links: steps from one node, and the parts that links hold together.

scipy's csgraph has both, and loading it takes longer than mining a small site.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.ragged import take_segments
from sitegrain.arrays.types import Floats, Ints64


def steps_from(links: sparse.csr_array, start: int) -> Floats:
    """Per node: the least number of links to it from `start`; NaN where none lead.

    >>> steps_from(sparse.csr_array(np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0]])), 0)
    array([ 0.,  1., nan])
    """
    out = np.full(links.shape[0], np.nan)
    found, steps = np.array([start], np.int64), 0
    while len(found):
        out[found] = steps
        steps += 1
        found = distinct(take_segments(links.indices, links.indptr, found))
        found = found[np.isnan(out[found])]
    return out


def joined_parts(links: sparse.csr_array) -> Ints64:
    """Per node: the first node of the part that links, in whatever direction, hold together.

    >>> joined_parts(sparse.csr_array(np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]])))
    array([0, 1, 0])
    """
    part = np.arange(links.shape[0], dtype=np.int64)
    source = np.repeat(part, np.diff(links.indptr))
    while True:
        one, other = part[source], part[links.indices]
        lower = part.copy()
        np.minimum.at(lower, one, other)
        np.minimum.at(lower, other, one)
        while (lower[lower] != lower).any():
            lower = lower[lower]
        if (lower == part).all():
            return part
        part = lower
