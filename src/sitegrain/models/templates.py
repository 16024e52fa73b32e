"""Pages made from one template, found by the markup that they share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.tables.site import Site

SAME_TEMPLATE = 0.6
"""Jaccard similarity of markup from which two pages count as one template. On the demo site pages of one template
are above 0.7 and pages of two looks below 0.1; what lies between is one look with other contents."""


def page_templates(site: Site, threshold: float = SAME_TEMPLATE) -> npt.NDArray[np.int32]:
    """Per page: the number of its template, in the order in which templates appear.

    The features of a page are its different (parent tag and class, tag and class) pairs. A page joins the
    template whose first page it is most like, or starts a new one.
    """
    features = _features(site)
    size = np.asarray(features.sum(axis=1)).ravel()
    template = np.full(site.n_pages, -1, np.int32)
    leaders: list[int] = []
    # Pages that no leader is like are few, so the loop runs once per template and not once per page.
    while (rest := np.flatnonzero(template < 0)).size:
        leader = int(rest[0])
        leaders.append(leader)
        shared = np.asarray((features[rest] @ features[[leader]].T).todense()).ravel()
        union = size[rest] + size[leader] - shared
        near = shared >= threshold * np.maximum(union, 1)
        near[0] = True
        template[rest[near]] = len(leaders) - 1
    return template


def _features(site: Site) -> sparse.csr_array:
    rows = np.flatnonzero(~site.is_text & (site.nodes.parent >= 0))
    kind = site.nodes.tag.astype(np.int64) * (len(site.strings) + 1) + site.attr("class") + 1
    _, kind = np.unique(kind, return_inverse=True)
    pair = kind[site.nodes.parent[rows]] * (kind.max(initial=0) + 1) + kind[rows]
    _, column = np.unique(pair, return_inverse=True)
    shape = (site.n_pages, int(column.max(initial=-1)) + 1)
    counts = sparse.csr_array((np.ones(len(rows)), (site.nodes.page[rows], column)), shape=shape)
    counts.sum_duplicates()
    counts.data[:] = 1
    return counts
