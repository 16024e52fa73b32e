"""The page against its site: who links to it, with which words, and what it shares with its neighbours."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from sitegrain.arrays.types import Bools, Floats
from sitegrain.methods.lamis.graph import SiteGraph
from sitegrain.methods.lamis.ranking import LAMIS
from sitegrain.native.scripts import DENSE, char_class
from sitegrain.roles.flow import flow_columns
from sitegrain.roles.parts import (
    LONG_TEXT,
    OWN,
    RARE,
    Columns,
    PageParts,
    folders,
    group_columns,
    heading_columns,
    rank,
    share,
    tag_codes,
)
from sitegrain.roles.titles import about_columns, own_images, prose_rows
from sitegrain.tables.site import Site
from sitegrain.text.words import fold

_DENSE = re.compile(f"[{char_class(DENSE)}]")


def site_columns(
    parts: PageParts, graph: SiteGraph, template: npt.NDArray[np.int32], columns: Columns
) -> tuple[sparse.csr_array, npt.NDArray[np.int32]]:
    """The page against its site; returns the page's own links and its group by the first word of its title."""
    site, n = parts.site, parts.site.n_pages
    links = site.links
    rows = site.text_rows
    own = parts.per_page(rows, parts.own_length)
    columns.relative("site_own_chars", own)
    columns.add("site_own_share", share(own, parts.per_page(rows, parts.length)))
    columns.add("site_own_density", share(parts.per_page(parts.in_link, parts.own_length), own))
    long = (parts.length >= LONG_TEXT) & ~parts.in_link
    columns.relative("site_own_long", parts.per_page(long, parts.own_length))
    unique = np.zeros(site.n_nodes, bool)
    unique[rows] = parts.text_pages[site.text_id[rows]] == 1
    columns.add("site_unique_share", share(parts.per_page(unique, parts.length), own))
    # The body: what is neither title, heading, link nor date, and stands on few other pages.
    body = site.is_text & ~parts.in_link & ~parts.in_heading & ~parts.dated
    body[rows] &= ~np.isin(site.nodes.tag[site.nodes.parent[rows]], tag_codes("title", "option", "button", "label"))
    columns.relative("site_body_chars", parts.per_page(body & (parts.row_weight > RARE), parts.length))
    rare = np.zeros(site.n_nodes, bool)
    rare[rows] = parts.text_pages[site.text_id[rows]] <= 2
    columns.relative("site_rare_chars", parts.per_page(body & rare, parts.length))
    prose = prose_rows(parts)
    columns.relative("site_prose_chars", parts.per_page(prose, parts.length))
    columns.log("site_prose_nodes", parts.per_page(prose))
    longest = np.zeros(n)
    np.maximum.at(longest, parts.page[prose], parts.length[prose])
    columns.log("site_prose_longest", longest)
    columns.log("site_own_images", own_images(parts))
    columns.relative("site_own_links", parts.targets(parts.link_own))
    heading_columns(parts, columns, "site", parts.link_own)
    group_columns(parts, columns, "site", parts.link_own, parts.own_length)

    # Who links to a page and with what words.
    inner = parts.link_own & (links.target >= 0) & (links.target != links.page)
    one = np.ones(int(inner.sum()))
    own_links = sparse.csr_array((one, (links.page[inner], links.target[inner])), shape=(n, n))
    own_links.sum_duplicates()
    own_links.data[:] = 1.0
    in_set = (links.target >= 0) & ~links.is_self
    every = sparse.csr_array((np.ones(int(in_set.sum())), (links.page[in_set], links.target[in_set])), shape=(n, n))
    every.sum_duplicates()
    every.data[:] = 1.0
    scale = np.log(max(n, 2))
    columns.add("site_in_pages", np.log1p(_sums(every, 0)) / scale)
    columns.add("site_out_pages", np.log1p(_sums(every, 1)) / scale)
    columns.add("site_in_rank", rank(_sums(every, 0)))
    columns.add("site_own_in", np.log1p(_sums(own_links, 0)) / scale)
    columns.add("site_own_in_rank", rank(_sums(own_links, 0)))
    columns.add("site_in_own_share", share(_sums(own_links, 0), _sums(every, 0)))
    reach = own_links.multiply(own_links.T)
    columns.add("site_mutual", share(_sums(sparse.csr_array(reach), 1), _sums(own_links, 1)))

    words = np.array([len(a.split()) if not _dense(a) else len(a) / 3 for a in parts.anchors] or [0.0])
    named = in_set & ~parts.anchor_empty
    anchor_words = words[parts.link_anchor] if len(links) else np.zeros(0)
    target = links.target[named]
    columns.add("site_in_words", _mean(target, anchor_words[named], n))
    columns.add("site_out_words", _mean(links.page[named], anchor_words[named], n))
    own_named = inner & ~parts.anchor_empty
    columns.add("site_own_in_words", _mean(links.target[own_named], anchor_words[own_named], n))
    columns.add("site_own_out_words", _mean(links.page[own_named], anchor_words[own_named], n))
    different = np.unique(links.target[named].astype(np.int64) * max(len(parts.anchors), 1) + parts.link_anchor[named])
    n_names = np.bincount(different // max(len(parts.anchors), 1), minlength=n).astype(np.float64)
    columns.log("site_in_names", n_names)

    _title_columns(parts, columns, in_set, inner)
    about_columns(parts, columns)
    _below_columns(parts, columns, inner)
    _copy_columns(parts, own_links, columns)
    _rank_columns(graph, columns)
    _home_columns(parts, every, columns)
    size = np.bincount(template, minlength=1)[template].astype(np.float64)
    columns.add("site_template_share", size / max(n, 1))
    dates = columns.columns[columns.names.index("page_own_dates")] > 0
    columns.add("site_dated_share", np.full(n, dates.mean() if n else 0.0))
    columns.add("site_template_dated", _mean(template, dates.astype(np.float64), n)[template])
    columns.add("site_pages", np.full(n, np.log1p(n)))
    columns.log("site_template_size", size)
    return own_links, flow_columns(parts, columns, prose, own_links, template)


def _sums(matrix: sparse.csr_array, axis: int) -> Floats:
    return np.asarray(matrix.sum(axis=axis), np.float64).reshape(-1)


def _mean(index: npt.ArrayLike, values: Floats, n: int) -> Floats:
    at = np.asarray(index)
    count = np.bincount(at, minlength=n)
    total = np.bincount(at, values, minlength=n)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _dense(text: str) -> bool:
    """True for text of a script without spaces."""
    return _DENSE.search(text[:20]) is not None


def _title_columns(parts: PageParts, columns: Columns, in_set: Bools, own: Bools) -> None:
    """Anchors that name their target: the words of the link are a heading or the title of the page it leads to."""
    site, n = parts.site, parts.site.n_pages
    links = site.links
    titles = [fold(t) for t in site.pages.title]
    headings: list[set[str]] = [set() for _ in range(n)]
    for row in parts.headings.tolist():
        headings[int(parts.page[row])].add(" ".join(fold(site.node_text(row)).split()))
    anchors = [fold(a) for a in parts.anchors]
    width = max(len(anchors), 1)
    chosen = np.flatnonzero(in_set & ~parts.anchor_empty)
    pair, where = np.unique(
        links.target[chosen].astype(np.int64) * width + parts.link_anchor[chosen], return_inverse=True
    )
    found = np.zeros(len(pair))
    for i, (t, a) in enumerate(zip((pair // width).tolist(), (pair % width).tolist(), strict=True)):
        text = anchors[a]
        if len(text) >= 3:
            found[i] = 1.0 if titles[t].startswith(text) or text in headings[t] else 0.0
    match = found[where.reshape(-1)]
    columns.add("site_in_title", _mean(links.target[chosen], match, n))
    columns.add("site_out_title", _mean(links.page[chosen], match, n))
    mine = own[chosen]
    columns.add("site_own_in_title", _mean(links.target[chosen][mine], match[mine], n))
    columns.add("site_own_out_title", _mean(links.page[chosen][mine], match[mine], n))
    named = np.bincount(links.page[chosen][mine], match[mine], minlength=n).astype(np.float64)
    columns.relative("site_title_links", named)
    same: dict[str, int] = {}
    for t in titles:
        same[t] = same.get(t, 0) + 1
    columns.log("site_same_title", [same[t] - 1 for t in titles])


def _copy_columns(parts: PageParts, own_links: sparse.csr_array, columns: Columns) -> None:
    """Text that a page shares with the pages it links to (a TOC page quotes), or with those that link to it."""
    site, n = parts.site, parts.site.n_pages
    rows = site.text_rows
    text = site.text_id[rows]
    # Texts on two pages and more that are no template; a label is too short to be a quotation.
    good = (parts.text_pages >= 2) & (parts.text_weight > OWN)
    good &= np.array([len(t) >= 15 or (_dense(t) and len(t) >= 6) for t in site.unique_texts], bool)
    keep = good[text]
    number = np.cumsum(good) - 1
    shape = (n, int(good.sum()))
    place = (parts.page[rows][keep], number[text[keep]])
    length = sparse.csr_array((parts.length[rows][keep], place), shape=shape)
    length.sum_duplicates()
    has = length.copy()
    has.data[:] = 1.0
    own = parts.per_page(rows, parts.own_length)
    for name, matrix in (("out", own_links), ("in", sparse.csr_array(own_links.T))):
        near = sparse.csr_array(matrix @ has)
        near.data[:] = 1.0
        columns.add(f"site_copied_{name}", share(_sums(sparse.csr_array(length.multiply(near)), 1), own))


def _below_columns(parts: PageParts, columns: Columns, own: Bools) -> None:
    """Links to pages whose address continues that of the page: an archive leads to its months, a chapter to its parts."""
    site, n = parts.site, parts.site.n_pages
    links = site.links
    stem = ["/".join(p) for p in folders(site)]
    stem = [re.sub(r"\.\w{2,5}$", "", s) for s in stem]
    chosen = np.flatnonzero(own)
    pair = np.unique(links.page[chosen].astype(np.int64) * max(n, 1) + links.target[chosen])
    source, target = pair // max(n, 1), pair % max(n, 1)
    below = np.array(
        [
            stem[t] != stem[s] and stem[t].startswith(stem[s])
            for s, t in zip(source.tolist(), target.tolist(), strict=True)
        ],
        bool,
    )
    leads = np.bincount(source[below], minlength=n).astype(np.float64)
    order = sorted(stem)
    under = np.array(
        [bisect_left(order, s + "\U0010ffff") - bisect_left(order, s) - 1 for s in stem], np.float64
    ).reshape(n)
    columns.log("site_below_links", leads)
    columns.add("site_below_share", share(leads, np.bincount(source, minlength=n).astype(np.float64)))
    columns.add("site_below_cover", np.where(under > 0, leads / np.maximum(under, 1), np.nan))


def _rank_columns(graph: SiteGraph, columns: Columns) -> None:
    for name, model in (
        ("salsa", LAMIS(entropy=False, normalize_links=True, n_iterations=50)),
        ("lamis", LAMIS(n_iterations=50)),
        ("lamis_ln_tw", LAMIS(normalize_links=True, term_weight=True, n_iterations=50)),
    ):
        found = model.scores(graph)
        columns.add(f"site_{name}_hub", rank(found.hub))
        columns.add(f"site_{name}_authority", rank(found.authority))
        columns.add(f"site_{name}_hybrid", rank(found.hub - found.authority))
        columns.add(f"site_{name}_balance", np.log((found.hub + 1e-6) / (found.authority + 1e-6)))
    columns.add("site_in_entropy", _mean(graph.target, np.nan_to_num(graph.entropy, nan=1.0), graph.n_pages))
    columns.add("site_out_entropy", _mean(graph.source, np.nan_to_num(graph.entropy, nan=1.0), graph.n_pages))


def _home_columns(parts: PageParts, every: sparse.csr_array, columns: Columns) -> None:
    """Where the home page is, and how many clicks away from it a page is."""
    site, n = parts.site, parts.site.n_pages
    in_pages = _sums(every, 0)
    depth = np.array([len(p) for p in folders(site)], np.float64)
    below = columns.columns[columns.names.index("url_below")]
    first = np.full(n, np.nan)
    links = site.links
    ok = np.flatnonzero((links.target >= 0) & ~links.is_self)
    if len(ok):
        # The place of a link on its page: 0 is the first. Home is what pages link to first.
        start = np.searchsorted(links.page, np.arange(n))
        place = (np.arange(len(links)) - start[links.page])[ok]
        size = np.bincount(links.page, minlength=n)[links.page[ok]]
        first = _mean(links.target[ok], place / np.maximum(size, 1), n)
    columns.add("site_link_place", first)
    name = site_name_share(site)
    columns.add("site_name_title", name)
    leads = parts.targets(parts.link_own)
    home = home_page(depth, below, in_pages, first, name, leads)
    clicks = np.full(n, np.nan)
    if home >= 0:
        clicks = np.asarray(csgraph.dijkstra(every, indices=[home], unweighted=True)).reshape(-1)
        clicks[np.isinf(clicks)] = np.nan
    columns.add("site_clicks", clicks)
    columns.add("site_home", np.arange(n) == home)


def site_name_share(site: Site) -> Floats:
    """Share of pages that have this page's whole title as a part of theirs: `News - The Paper` has `The Paper`."""
    whole = [" ".join(fold(t).split()) for t in site.pages.title]
    pages: dict[str, int] = {}
    for title in whole:
        for part in {p.strip() for p in re.split(r"\s[-–—|•·:»«]+\s|\s?[|»«]\s?|:\s", title)} | {title}:
            pages[part] = pages.get(part, 0) + 1
    n = max(site.n_pages - 1, 1)
    return np.array([(pages[t] - 1) / n if t else 0.0 for t in whole], np.float64)


def home_page(depth: Floats, below: Floats, in_pages: Floats, place: Floats, name: Floats, leads: Floats) -> int:
    """The page that the site calls its home, or -1.

    Linked from nearly every page, near the top of it, few folders deep, with the others below it, and titled
    with the name of the site: each sign counts up to 1. A page that leads to fewer than three others (a
    redirect, a cover) is no home.
    """
    able = leads >= 3
    if not able.any():
        return -1
    linked = in_pages / max(float(in_pages.max(initial=0.0)), 1.0)
    early = 1.0 - np.nan_to_num(place, nan=1.0)
    shallow = 1.0 / (1.0 + depth)
    holds = below / max(float(below.max(initial=0.0)), 1e-9)
    return int(np.argmax(np.where(able, linked + early + shallow + holds + name, -1.0)))
