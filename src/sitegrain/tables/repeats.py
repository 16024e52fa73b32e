"""Repeated parts of pages: which rows are items of a list, and what the list holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.trees.siblings import LikeSiblings
from sitegrain.arrays.types import Ints64
from sitegrain.native import like_siblings
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, tag_mask

_NO_ITEM = tag_mask(("#text", "br", "hr", "script", "style", "meta", "link", "wbr", "param", "option", "col"))


class NamedRows(NamedTuple):
    """Every single name in the `class` attributes of a site."""

    row: Ints64
    name: Ints64
    """Which of `names`."""
    names: tuple[str, ...]


@per_site
def named_rows(site: Site, attribute: str = "class") -> NamedRows:
    """The rows that have names, once for each name."""
    mine = site.attrs.name == ATTRIBUTES.index(attribute)
    rows, value = site.attrs.node[mine], site.attrs.value[mine]
    if not len(rows):
        return NamedRows(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    is_used = np.zeros(len(site.strings), bool)
    is_used[value] = True
    where = (np.cumsum(is_used) - 1)[value]
    ids: dict[str, int] = {}
    used = np.flatnonzero(is_used).tolist()
    lists = [[ids.setdefault(t, len(ids)) for t in dict.fromkeys(site.strings[v].split())] for v in used]
    sizes = np.array([len(x) for x in lists], np.int64)
    flat = np.array([t for x in lists for t in x], np.int64)
    row = np.repeat(rows, sizes[where]).astype(np.int64)
    return NamedRows(row, take_segments(flat, offsets(sizes), where), tuple(ids))


def first_child_tag(site: Site) -> Ints64:
    """Tag of the first child of each row; -1 for a row without children."""
    nodes = site.nodes
    out = np.full(site.n_nodes, -1, np.int64)
    has = np.flatnonzero(nodes.end > np.arange(site.n_nodes) + 1)
    out[has] = nodes.tag[has + 1]
    return out


@per_site
def repeated_items(site: Site) -> LikeSiblings:
    """Alike siblings of all pages.

    Alike: the same tag and a shared class name; without a class name, the same tag and the same kind of first
    child (so that the columns of a layout table, which hold different things, fall apart).
    """
    tag = site.nodes.tag.astype(np.int64)
    token_row, token, _ = named_rows(site)
    has_name = np.zeros(site.n_nodes, bool)
    has_name[token_row] = True
    kind = tag * 1000 + np.where(has_name, 999, first_child_tag(site) + 1)
    kind[_NO_ITEM[site.nodes.tag]] = -1
    return like_siblings(site.nodes.parent, kind, token_row, token)
