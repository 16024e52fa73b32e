"""The paths of many rows at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.strings import SharedStrings
from sitegrain.arrays.types import Hashes, Ints32, Ints64
from sitegrain.native import intern_texts, path_keys
from sitegrain.tables.budgets import MAX_PATH, MAX_PATHS, MIN_PATH
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import CSS_NAME, Site
from sitegrain.tables.tags import ATTRIBUTES, TAGS, TEXT, UNKNOWN

MAX_LABEL_ROWS = 20
"""Rows of a link without text in which its name is looked for."""
_LABELS = ("alt", "title", "aria-label")
_IS_LABEL = np.isin(ATTRIBUTES, _LABELS)


def shared_node_paths(site: Site, rows: Ints32) -> SharedStrings:
    """`Site.xpath` of these rows, each different one once: pages of one template have the same, and ancestors are looked at once.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>a<p>b")])
    >>> shared_node_paths(site, site.rows("p")).each()
    ['/html/body[1]/p[1]', '/html/body[1]/p[2]']
    """
    position, limit = _positions(site), _limits(site, rows)
    first, which = _different(site, rows, limit, position.astype(np.uint64))
    known: dict[int, str] = {-1: ""}
    at = _with_ancestors(site, first)
    columns = (at, site.nodes.parent[at], site.nodes.tag[at], position[at], limit[at])
    for row, parent, tag, place, longest in zip(*(column.tolist() for column in columns), strict=True):
        step = "text()" if tag == TEXT else site.tag_name(row) if tag == UNKNOWN else TAGS[tag]
        path = f"{known[parent]}/{step}[{place}]" if parent >= 0 else f"/{step}"
        known[row] = path if len(path) <= longest else _end(path, longest)
    return SharedStrings([known[row] for row in first.tolist()], which)


def shared_css_paths(site: Site, rows: Ints32) -> SharedStrings:
    """`Site.css_path` of these rows, each different one once.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div id=main><p class='a b'>x</div><p>y")])
    >>> shared_css_paths(site, site.rows("p")).each()
    ['div#main > p.a.b', 'html > body > p']
    """
    ident, classes = site.attr("id"), site.attr("class")
    limit = _limits(site, rows)
    n = np.uint64(len(site.strings) + 1)
    told_by = (ident + 1).astype(np.uint64) * n + (classes + 1).astype(np.uint64)
    first, which = _different(site, rows, limit, told_by)
    step_of: dict[int, str] = {}
    known: dict[int, str] = {}
    at = _with_ancestors(site, first)
    columns = (at, site.nodes.parent[at], site.nodes.tag[at], ident[at], classes[at], limit[at])
    for row, parent, tag, own, cls, longest in zip(*(column.tolist() for column in columns), strict=True):
        if tag == TEXT:
            known[row] = known.get(parent, "")
            continue
        name = site.tag_name(row) if tag == UNKNOWN else TAGS[tag]
        if own >= 0 and CSS_NAME.fullmatch(site.strings[own]):
            path = f"{name}#{site.strings[own]}"
        else:
            if cls not in step_of:
                found = [c for c in site.strings[cls].split() if CSS_NAME.fullmatch(c)] if cls >= 0 else []
                step_of[cls] = "".join("." + c for c in found[:2])
            path = f"{known[parent]} > {name}{step_of[cls]}" if parent >= 0 else name + step_of[cls]
        known[row] = path if len(path) <= longest else _end(path, longest)
    return SharedStrings([known[row] for row in first.tolist()], which)


def _different(site: Site, rows: Ints32, limit: Ints64, told_by: Hashes) -> tuple[Ints32, Ints64]:
    """The first row of each different path, told by the tags, the limit and these numbers of all steps; and per row which it is."""
    own = mix(told_by) + mix(site.nodes.tag.astype(np.uint64) * np.uint64(2 * MAX_PATH) + limit.astype(np.uint64))
    named = np.flatnonzero(site.nodes.tag == UNKNOWN)
    if len(named):  # tags that have no number have a name
        own[named] += mix(site.attr(":tag")[named].astype(np.uint64))
    _, first, which = np.unique(path_keys(site.nodes.parent, own)[rows], return_index=True, return_inverse=True)
    return rows[first], which.reshape(-1)


def _limits(site: Site, rows: Ints32) -> Ints64:
    """Per node: how long its path may be. The paths of a page share a budget."""
    n_paths = np.bincount(site.nodes.page[rows], minlength=len(site))
    by_page = np.clip(MAX_PATHS // np.maximum(n_paths, 1), MIN_PATH, MAX_PATH)
    return np.asarray(by_page[site.nodes.page], np.int64)


def _end(path: str, limit: int) -> str:
    """The end of a path that is too long."""
    return "…" + path[1 - limit :]


def _with_ancestors(site: Site, rows: Ints32) -> Ints64:
    """These rows and all that are above them, parents before children."""
    wanted = np.zeros(site.n_nodes, bool)
    left = distinct(rows)
    while len(left):  # one step up for all rows at a time
        left = left[~wanted[left]]
        wanted[left] = True
        left = site.nodes.parent[left]
        left = distinct(left[left >= 0])
    return np.flatnonzero(wanted)


def _positions(site: Site) -> Ints64:
    """1, 2, 3 ... among the siblings of the same tag; 1 of the root of every page."""
    order = np.lexsort((site.nodes.tag, site.nodes.parent))
    parent, tag = site.nodes.parent[order], site.nodes.tag[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (parent[1:] != parent[:-1]) | (tag[1:] != tag[:-1])
    index = np.arange(len(order))
    rank = index - np.maximum.accumulate(np.where(is_first, index, 0)) + 1
    out = np.empty(len(order), np.int64)
    out[order] = np.where(parent < 0, 1, rank)  # the roots of all pages have the same "parent"
    return out


@per_site
def anchor_texts(site: Site) -> list[str]:
    """The text of every link, white space folded; of a link without text the `alt` or title of what it shows."""
    return shared_anchor_texts(site).each()


@per_site
def shared_anchor_texts(site: Site) -> SharedStrings:
    """The same, each different one once."""
    node, nodes = site.links.node, site.nodes
    found, texts = intern_texts(site.texts, nodes.page[node], nodes.text_start[node], nodes.text_end[node])
    if "" not in texts:
        return SharedStrings(texts, found)
    which, ids = found.copy(), {text: k for k, text in enumerate(texts)}
    empty = np.flatnonzero(which == ids[""])
    rows = distinct(site.attrs.node[_IS_LABEL[site.attrs.name]])
    first = np.searchsorted(rows, node[empty]).tolist()
    last = np.searchsorted(rows, np.minimum(nodes.end[node[empty]], node[empty] + MAX_LABEL_ROWS)).tolist()
    labels = (_label(site, rows[lo:hi].tolist()) for lo, hi in zip(first, last, strict=True))
    which[empty] = [ids.setdefault(label, len(ids)) for label in labels]
    return SharedStrings(tuple(ids), which)


def _label(site: Site, rows: Sequence[int]) -> str:
    """What the first of these rows that says something is called."""
    for row in rows:
        attrs = site.node_attrs(row)
        for name in _LABELS:
            if text := " ".join(attrs.get(name, "").split()):
                return text
    return ""
