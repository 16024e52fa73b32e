"""The paths of many rows at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sitegrain.arrays.types import Ints32, Ints64
from sitegrain.tables.budgets import MAX_PATH, MAX_PATHS, MIN_PATH
from sitegrain.tables.site import CSS_NAME, Site
from sitegrain.tables.tags import TEXT


def node_paths(site: Site, rows: Ints32) -> list[str]:
    """`Site.xpath` of every one of these rows; ancestors that rows share are looked at once.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>a<p>b")])
    >>> node_paths(site, site.rows("p"))
    ['/html/body[1]/p[1]', '/html/body[1]/p[2]']
    """
    nodes = site.nodes
    position = _positions(site)
    limit = _limits(site, rows)
    known: dict[int, str] = {-1: ""}
    for row in _with_ancestors(site, rows):
        parent = int(nodes.parent[row])
        name = site.tag_name(row)
        step = "text()" if name == "#text" else name
        known[row] = _short(f"{known[parent]}/{step}[{position[row]}]", limit[row]) if parent >= 0 else f"/{step}"
    return [known[row] for row in rows.tolist()]


def css_paths(site: Site, rows: Ints32) -> list[str]:
    """`Site.css_path` of every one of these rows; ancestors that rows share are looked at once.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div id=main><p class='a b'>x</div><p>y")])
    >>> css_paths(site, site.rows("p"))
    ['div#main > p.a.b', 'html > body > p']
    """
    nodes = site.nodes
    ident, classes = site.attr("id"), site.attr("class")
    limit = _limits(site, rows)
    step_of: dict[int, str] = {}
    known: dict[int, str] = {}
    for row in _with_ancestors(site, rows):
        parent = int(nodes.parent[row])
        if nodes.tag[row] == TEXT:
            known[row] = known.get(parent, "")
            continue
        name, own, cls = site.tag_name(row), int(ident[row]), int(classes[row])
        if own >= 0 and CSS_NAME.fullmatch(site.strings[own]):
            known[row] = _short(f"{name}#{site.strings[own]}", limit[row])
            continue
        if cls not in step_of:
            found = [c for c in site.strings[cls].split() if CSS_NAME.fullmatch(c)] if cls >= 0 else []
            step_of[cls] = "".join("." + c for c in found[:2])
        step = name + step_of[cls]
        known[row] = _short(f"{known[parent]} > {step}" if parent >= 0 else step, limit[row])
    return [known[row] for row in rows.tolist()]


def _limits(site: Site, rows: Ints32) -> Ints64:
    """Per node: how long its path may be. The paths of a page share a budget."""
    n_paths = np.bincount(site.nodes.page[rows], minlength=len(site))
    by_page = np.clip(MAX_PATHS // np.maximum(n_paths, 1), MIN_PATH, MAX_PATH)
    return np.asarray(by_page[site.nodes.page], np.int64)


def _short(path: str, limit: int) -> str:
    """A path, or the end of one that is too long."""
    return path if len(path) <= limit else "…" + path[1 - limit :]


def _with_ancestors(site: Site, rows: Ints32) -> list[int]:
    """These rows and all that are above them, parents before children."""
    wanted = np.zeros(site.n_nodes, bool)
    left = np.unique(rows)
    while len(left):  # one step up for all rows at a time
        left = left[~wanted[left]]
        wanted[left] = True
        left = site.nodes.parent[left]
        left = np.unique(left[left >= 0])
    return np.flatnonzero(wanted).tolist()


def _positions(site: Site) -> Ints64:
    """1, 2, 3 ... among the siblings of the same tag."""
    order = np.lexsort((site.nodes.tag, site.nodes.parent))
    parent, tag = site.nodes.parent[order], site.nodes.tag[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (parent[1:] != parent[:-1]) | (tag[1:] != tag[:-1])
    index = np.arange(len(order))
    rank = index - np.maximum.accumulate(np.where(is_first, index, 0)) + 1
    out = np.empty(len(order), np.int64)
    out[order] = rank
    return out


def anchor_texts(site: Site) -> list[str]:
    """The text of every link, white space folded; of a link without text the `alt` or title of what it shows."""
    return anchor_labels(site, range(len(site.links)))


def anchor_labels(site: Site, links: Sequence[int]) -> list[str]:
    """`anchor_texts` of these links."""
    node = site.links.node[np.asarray(links, np.int64)]
    spans = zip(
        site.nodes.page[node].tolist(),
        site.nodes.text_start[node].tolist(),
        site.nodes.text_end[node].tolist(),
        strict=True,
    )
    texts = [" ".join(site.texts[page][start:end].split()) for page, start, end in spans]
    for i in (i for i, text in enumerate(texts) if not text):
        texts[i] = _label(site, int(node[i]))
    return texts


def _label(site: Site, node: int) -> str:
    names: Iterable[str] = ("alt", "title", "aria-label")
    for row in range(node, min(int(site.nodes.end[node]), node + 20)):
        attrs = site.node_attrs(row)
        for name in names:
            if text := " ".join(attrs.get(name, "").split()):
                return text
    return ""
