"""Some pages of a site as a site of their own: what is done with many of them at once costs a fraction of what it costs one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from sitegrain.arrays.ragged import offsets
from sitegrain.tables.columns import Attrs, Nodes, Pages
from sitegrain.tables.site import Site


def some_pages(site: Site, pages: Sequence[int]) -> Site:
    """These pages of a site, which ascend; their attributes have the numbers of `site.strings`, which is shared.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture(f"http://a.org/{k}", f"<p id={k}>text {k}".encode()) for k in range(3)])
    >>> some = some_pages(site, [0, 2])
    >>> some.texts, some.node_attrs(int(some.rows("p")[1]))
    (('text 0', 'text 2'), {'id': '2'})
    """
    if len(pages) == site.n_pages:
        return site
    chosen = np.array(pages, np.int64)
    offset = site.pages.node_offset
    size = np.diff(offset)[chosen]
    start = offsets(size)
    rows = np.arange(start[-1]) + np.repeat(offset[chosen] - start[:-1], size)
    # Rows of a page move together.
    by = np.repeat(start[:-1] - offset[chosen], size).astype(np.int32)
    nodes = {f.name: getattr(site.nodes, f.name)[rows] for f in fields(Nodes)}
    nodes["page"] = np.repeat(np.arange(len(chosen), dtype=np.int32), size)
    nodes["parent"] = np.where(nodes["parent"] < 0, nodes["parent"], nodes["parent"] + by).astype(np.int32)
    nodes["end"] = nodes["end"] + by
    held = [site.page_attrs(p) for p in chosen.tolist()]
    at = np.concatenate([np.arange(own.start, own.stop) for own in held] or [np.zeros(0, np.int64)])
    n_attrs = [own.stop - own.start for own in held]
    moved = site.attrs.node[at] + np.repeat(start[:-1] - offset[chosen], n_attrs).astype(np.int32)
    columns = {f.name: getattr(site.pages, f.name) for f in fields(Pages)}
    own: dict[str, Any] = {
        name: column[chosen] if isinstance(column, np.ndarray) else tuple(column[p] for p in chosen.tolist())
        for name, column in columns.items()
        if name != "node_offset"
    }
    return replace(
        site,
        pages=Pages(**own, node_offset=start),
        nodes=Nodes(**nodes),
        attrs=Attrs(moved, site.attrs.name[at], site.attrs.value[at]),
        texts=tuple(site.texts[p] for p in chosen.tolist()),
    )
