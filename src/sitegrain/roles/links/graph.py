"""The page among the pages of its site: who links to it, with which words, and what it shares with its neighbours.

Here the evidence of all pages is together: their columns, the pairs of pages with links, and sums over links.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.counts import UNIT
from sitegrain.arrays.late import sparse
from sitegrain.arrays.linkrank import hits
from sitegrain.arrays.reach import steps_from
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.roles.counts import PageCards
from sitegrain.roles.links.flow import PageTexts, holding_columns, ones_like, row_chunks, series_columns, target_columns
from sitegrain.roles.links.leading import leading_columns
from sitegrain.roles.own import INTO, Edges, PageEvidence, mean_at
from sitegrain.roles.parts import Columns, folders, let_go, rank, share
from sitegrain.roles.titles import about_columns
from sitegrain.roles.views import viewed

_DEFAULT = re.compile(r"(?:index|default|home)\.\w{2,5}", re.IGNORECASE)
_ENDING = re.compile(r"\.\w{2,5}$")
KNOWN_HOME, NAMED_HOME, ABOVE_ALL = 0.5, 0.3, 0.9
"""Shares of the other pages that link to the home page, and whose titles have its title, from which it is surely that: every
second page, and the third that makes a part of titles the name of the site. In 700 sets of labelled pages 34 pages that are not at
the root of the site are such, and one of them is no TOC page; without both bounds, sets of articles have a home page. Instead of the
name, that this share of the pages stands in the folder that it opens: of single folders of the labelled sites 18 pages are such, 16 TOC pages."""
FEW_BESIDE = 2.0
"""Pages that are added to those of a folder: all of two pages is no list. Set beforehand."""
N_ITERATIONS = 50
"""Steps of the link analyses; ranks do not change visibly after."""


def site_columns(
    found: PageEvidence, cards: PageCards, template: npt.NDArray[np.int32]
) -> tuple[sparse.csr_array, sparse.csr_array, npt.NDArray[np.int32]]:
    """Add the columns that need all pages.

    Returns the pages' own links, those of them that lead on, and the groups of pages by the first word of the title.
    """
    columns, n = found.columns, found.columns.n
    edges = found.edges
    own_links = _matrix(edges, edges.is_own.astype(np.float32), n)
    every = _matrix(edges, np.ones(len(edges.source), np.float32), n)
    del edges  # which take 0.7 KB a page where pages have 24 links: they are asked for again when others have gone
    let_go(n)
    scale = np.log(max(n, 2))
    columns.add("site_in_pages", np.log1p(_sums(every, 0)) / scale)
    columns.add("site_out_pages", np.log1p(_sums(every, 1)) / scale)
    columns.add("site_in_rank", rank(_sums(every, 0)))
    columns.add("site_own_in", np.log1p(_sums(own_links, 0)) / scale)
    columns.add("site_own_in_rank", rank(_sums(own_links, 0)))
    columns.add("site_in_own_share", share(_sums(own_links, 0), _sums(every, 0)))
    mutual = _sums(sparse.csr_array(own_links.multiply(own_links.T)), 1)
    columns.add("site_mutual", share(mutual, _sums(own_links, 1)))
    into = _Into(found, n)
    columns.add("site_in_words", into.mean("words", "named", UNIT))
    columns.add("site_own_in_words", into.mean("own_words", "own_named", UNIT))
    columns.log("site_in_names", np.bincount(found.names.owner.astype(np.int64), minlength=n))
    columns.add("site_in_title", into.mean("match", "named"))
    columns.add("site_own_in_title", into.mean("own_match", "own_named"))
    for name in ("tag", "bookmark", "author", "next"):
        columns.add(f"site_in_rel_{name}", share(into[name], into.links))
    columns.add("site_in_entropy", into.mean("entropy", "", UNIT))
    columns.add("site_home_frame", into["home_frame"] > 0)
    same: dict[str, int] = {}
    for t in cards.folded:
        same[t] = same.get(t, 0) + 1
    columns.log("site_same_title", [same[t] - 1 for t in cards.folded])
    about_columns(cards.main_titles, columns)
    _below_columns(cards.url, own_links, columns)
    _beside_columns(cards.url, own_links, columns)
    let_go(n)
    _copy_columns(found.copied, own_links, columns)
    let_go(n)
    _rank_columns(found.edges, columns)
    let_go(n)
    _home_columns(cards, every, into.mean("place", "", UNIT), columns)
    del every, into
    let_go(n)
    size = np.bincount(template, minlength=1)[template].astype(np.float64)
    columns.add("site_template_share", size / max(n, 1))
    dates = columns["page_own_dates"] > 0
    columns.add("site_dated_share", np.full(n, dates.mean() if n else 0.0))
    columns.add("site_template_dated", mean_at(template.astype(np.int64), dates.astype(np.float64), n)[template])
    columns.add("site_pages", np.full(n, np.log1p(n)))
    columns.log("site_template_size", size)
    target_columns(columns, own_links, columns["site_prose_chars"], template)
    let_go(n)
    holding_columns(columns, found.quoted, viewed(cards.url))
    let_go(n)
    leads = leading_columns(columns, found.placed_links(), found.listed, template)
    let_go(n)
    return own_links, leads, series_columns(cards.url, cards.main_titles, columns)


class _Into:
    """Sums over the links to each page."""

    def __init__(self, found: PageEvidence, n: int) -> None:
        counts = found.into
        self.table = np.zeros((n, 1 + len(INTO)))
        self.table[counts.key.astype(np.int64)] = counts.values
        self.table[:, 0] -= self["home_frame"]

    @property
    def links(self) -> Floats:
        """How many."""
        return np.asarray(self.table[:, 0])

    def __getitem__(self, name: str) -> Floats:
        return np.asarray(self.table[:, 1 + INTO.index(name)])

    def mean(self, name: str, over: str, unit: float = 1.0) -> Floats:
        """A sum over a number of links; NaN where there are none."""
        count = self[over] if over else self.links
        return np.where(count > 0, self[name] / unit / np.maximum(count, 1), np.nan)


def _matrix(edges: Edges, weight: Floats | Floats32, n: int) -> sparse.csr_array:
    """Pages x pages; pairs of no weight are left out."""
    has = weight > 0
    return sparse.csr_array((weight[has], (edges.source[has], edges.target[has])), shape=(n, n))


def _sums(matrix: sparse.csr_array, axis: int) -> Floats:
    return np.asarray(matrix.sum(axis=axis), np.float64).reshape(-1)


def _copy_columns(copied: PageTexts, own_links: sparse.csr_array, columns: Columns) -> None:
    """Text that a page shares with the pages it links to (a TOC page quotes), or with those that link to it."""
    own = columns["site_own_chars"]
    length = copied.matrix(columns.n)
    del copied  # 0.3 KB a page
    let_go(columns.n)
    has = ones_like(length)
    for name, matrix in (("out", own_links), ("in", sparse.csr_array(own_links.T))):
        shared = np.zeros(columns.n)
        for rows in row_chunks(columns.n):
            near = sparse.csr_array(matrix[rows] @ has)
            near.data[:] = 1.0
            shared[rows] = _sums(sparse.csr_array(length[rows].multiply(near)), 1)
        columns.add(f"site_copied_{name}", share(shared, own))


def _below_columns(urls: Sequence[str], own_links: sparse.csr_array, columns: Columns) -> None:
    """Links to pages whose address continues that of the page: an archive leads to its months, a chapter to its parts."""
    n = columns.n
    stem = [_ENDING.sub("", path) for path in folders(urls).paths]
    source, target = np.repeat(np.arange(n, dtype=np.int32), np.diff(own_links.indptr)), own_links.indices
    below = np.zeros(len(source), bool)
    for rows in row_chunks(len(source)):  # a list of numbers takes five times the room of its array
        ends = zip(source[rows].tolist(), target[rows].tolist(), strict=True)
        below[rows] = [stem[t] != stem[s] and stem[t].startswith(stem[s]) for s, t in ends]
    leads = np.bincount(source[below], minlength=n).astype(np.float64)
    order = sorted(stem)
    under = np.array(
        [bisect_left(order, s + "\U0010ffff") - bisect_left(order, s) - 1 for s in stem], np.float64
    ).reshape(n)
    columns.log("site_below_links", leads)
    columns.add("site_below_share", share(leads, np.bincount(source, minlength=n).astype(np.float64)))
    columns.add("site_below_cover", np.where(under > 0, leads / np.maximum(under, 1), np.nan))


def _beside_columns(urls: Sequence[str], own_links: sparse.csr_array, columns: Columns) -> None:
    """Links among the pages of one folder: sites made by hand have `news/news.htm` beside all that it leads to."""
    n = columns.n
    ids: dict[str, int] = {}
    folder = np.array([ids.setdefault(path.rpartition("/")[0], len(ids)) for path in folders(urls).paths], np.int64)
    others = np.bincount(folder, minlength=1)[folder] - 1.0 if n else np.zeros(0)
    source, target = np.repeat(np.arange(n, dtype=np.int32), np.diff(own_links.indptr)), own_links.indices
    beside = folder[source] == folder[target]
    leads, led = (np.bincount(ends[beside], minlength=n).astype(np.float64) for ends in (source, target))
    columns.add("site_beside_share", share(leads, np.bincount(source, minlength=n).astype(np.float64)))
    usual = mean_at(folder, leads, len(ids))[folder] if n else leads
    columns.add("site_beside_more", np.log1p(leads) - np.log1p(usual))
    for name, count in (("cover", leads), ("in", led)):
        columns.add(f"site_beside_{name}", np.where(others > 0, count / (others + FEW_BESIDE), np.nan))


def indexes(urls: Sequence[str], leads: sparse.csr_array, least: int, cover: float) -> Bools:
    """Per page: it is what a folder below the root opens with (`guide/`, `guide/index.html`), and it leads on to this many pages and this share
    of what is in the folder.

    >>> from sitegrain.arrays.late import sparse
    >>> leads = sparse.csr_array(np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]]))
    >>> indexes(["http://a.org/tea/", "http://a.org/tea/green.htm", "http://a.org/tea/black.htm"], leads, 2, 0.5).tolist()
    [True, False, False]
    """
    out, order = np.zeros(len(urls), bool), sorted(urls)
    for page in np.flatnonzero(np.diff(leads.indptr) >= least).tolist():
        head, _, last = urls[page].rpartition("/")
        if head.count("/") < 3 or "?" in head or (last and _DEFAULT.fullmatch(last) is None):
            continue
        folder = f"{head}/"
        inside = bisect_left(order, folder + "\U0010ffff") - bisect_left(order, folder) - 1
        n = sum(urls[to].startswith(folder) for to in leads.indices[leads.indptr[page] : leads.indptr[page + 1]])
        out[page] = n >= max(least, cover * inside)
    return out


def _rank_columns(edges: Edges, columns: Columns) -> None:
    """SALSA, LAMIS and LAMIS-LN-TW (`methods/lamis`) over the pairs of pages."""
    for name, weight, is_normal in (
        ("salsa", edges.links, True),
        ("lamis", edges.information, False),
        ("lamis_ln_tw", edges.weighted, True),
    ):
        found = hits(_matrix(edges, weight, columns.n), is_normal, N_ITERATIONS)
        columns.add(f"site_{name}_hub", rank(found.hub))
        columns.add(f"site_{name}_authority", rank(found.authority))
        columns.add(f"site_{name}_hybrid", rank(found.hub - found.authority))
        columns.add(f"site_{name}_balance", np.log((found.hub + 1e-6) / (found.authority + 1e-6)))


def _home_columns(cards: PageCards, every: sparse.csr_array, first: Floats, columns: Columns) -> None:
    """Where the home page is, and how many clicks away from it a page is."""
    n = columns.n
    depth = np.array([len(p) for p in folders(cards.url)], np.float64)
    columns.add("site_link_place", first)
    name = site_name_share(cards.folded)
    columns.add("site_name_title", name)
    home = home_page(depth, columns["url_below"], _sums(every, 0), first, name, columns["site_own_links"])
    clicks = np.full(n, np.nan)
    if home >= 0:
        clicks = steps_from(every, home)
    columns.add("site_clicks", clicks)
    is_home = np.arange(n) == home
    columns.add("site_home", is_home)
    # Of a part of a site (`/forum/`) all that is at hand stands below its home.
    is_above = columns["url_below"] >= np.float32(np.log1p(ABOVE_ALL * (n - 1)))
    is_known = (_sums(every, 0) > KNOWN_HOME * (n - 1)) & ((name > NAMED_HOME) | is_above)
    is_root = (columns["url_root"] == 1) & (columns["url_query"] == 0)  # `index.php?title=Tea` is a page like others
    # Beside a page at the root, one that is linked from everywhere is something else: a whole book on one page.
    columns.add("site_sure_home", is_root if is_root.any() else is_home & is_known)


def site_name_share(titles: Sequence[str]) -> Floats:
    """Share of pages that have this page's whole title as a part of theirs: `News - The Paper` has `The Paper`."""
    whole = [" ".join(t.split()) for t in titles]
    pages: dict[str, int] = {}
    for title in whole:
        for part in {p.strip() for p in re.split(r"\s[-–—|•·:»«]+\s|\s?[|»«]\s?|:\s", title)} | {title}:
            pages[part] = pages.get(part, 0) + 1
    n = max(len(whole) - 1, 1)
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
