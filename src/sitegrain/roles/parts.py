"""Arrays of a site that the evidence about page roles is made of: what repeats, what is a page's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import median
from sitegrain.arrays.room import give_back
from sitegrain.arrays.strings import Strings
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import page_keys, string_facts
from sitegrain.roles.counts import IS_HEADING, RoleKnown, heading_keys, link_keys, link_texts, placed_keys
from sitegrain.roles.menus import in_links, menu_rows, text_keys
from sitegrain.roles.views import view_links
from sitegrain.tables.repeats import repeated_items
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

OWN = 0.4
"""A text or link whose weight `1 - log_n(pages that have it)` is over this is the page's own: on a site of 100
pages it stands on at most 16, of 1,000 on at most 63. A menu is far below, a list of headlines far above."""
RARE = 0.6
"""Over this a text stands on no more than 6 pages of 100 and 16 of 1,000: a part of no template."""
MANY, TOGETHER = 5_000, 32
"""Pages from which on memory is given back while columns are made, and after how many that are made into others."""
_PLAIN_ADDRESS = re.compile(
    r"(?:https?://[A-Za-z0-9.:-]*(?=[/?#]|$)|(?!//))([^?#:\[\]\x00-\x20]*)(?:[?#][^\[\]\x00-\x20]*)?"
)
"""Addresses of which nothing but the path can be taken for it: most, in a quarter of the time of `urlsplit`."""
_DEFAULT = re.compile(r"(?:index|default)\.\w{2,5}")
STOPS = ".!?。！？؟।…"
"""What ends a sentence."""
LONG_TEXT = 80
"""Characters of a text node that is a sentence and not a label."""


def tag_codes(*names: str) -> list[int]:
    """Codes of tags."""
    return [TAG_CODE[n] for n in names]


@dataclass
class Columns:
    """Columns of evidence. The kind of each tells how the trees see it: as it is, as a logarithm, or against the other pages of the
    site, which is done at the end, when all pages are together. Only columns of the last kind are kept as they were measured; the
    others, which are most, as they are seen: half the room."""

    n: int
    names: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    columns: list[npt.NDArray[np.floating]] = field(default_factory=list)

    def add(self, name: str, values: npt.ArrayLike, kind: str = "plain") -> None:
        x = np.asarray(values, np.float64)
        self.names.append(name)
        self.kinds.append(kind)
        self.columns.append(x if kind == "relative" else _shown(x, kind))

    def log(self, name: str, values: npt.ArrayLike) -> None:
        self.add(name, values, "log")

    def relative(self, name: str, values: npt.ArrayLike) -> None:
        """The value (log), and its rank within the site."""
        self.add(name, values, "relative")

    def __getitem__(self, name: str) -> Floats:
        """A column as it was measured, which those of logarithms are not kept as."""
        at = self.names.index(name)
        if self.kinds[at] == "log":
            raise KeyError(f"{name} is kept as a logarithm")
        return np.asarray(self.columns[at], np.float64)

    @classmethod
    def joined(cls, parts: Iterable[Columns], n: int) -> Columns:
        """The `n` pages of all parts, in their order; one part after the other is asked for."""
        out, at = cls(n), 0
        for part in parts:
            if not at:
                out.names, out.kinds = list(part.names), list(part.kinds)
                out.columns = [np.empty(n, np.float64 if kind == "relative" else np.float32) for kind in part.kinds]
            for whole, own in zip(out.columns, part.columns, strict=True):
                whole[at : at + part.n] = own
            at += part.n
        return out

    def shown(self) -> tuple[tuple[str, ...], Floats32]:
        """The names and the n x k values that the trees see. What was measured is let go, column by column: one set of all pages is much."""
        names: list[str] = []
        out = np.empty((self.n, sum(3 if kind == "relative" else 1 for kind in self.kinds)), np.float32, order="F")
        of_name = list(zip(self.names, self.kinds, strict=True))[::-1]
        self.names, self.kinds, self.columns, left = [], [], [], self.columns[::-1]
        while of_name:
            (name, kind), x = of_name.pop(), left.pop()
            if len(left) % TOGETHER == 0:
                let_go(self.n)
            if kind != "relative":
                out[:, len(names)] = x
                names.append(name)
                continue
            logs = np.log1p(np.maximum(x, 0))
            middle = np.log1p(median(x)) if self.n > 1 else np.nan
            for k, values in enumerate((logs, rank(np.asarray(x, np.float64)), logs - middle)):
                out[:, len(names) + k] = values
            names += [name, f"{name}_rank", f"{name}_ratio"]
        return tuple(names), out


def let_go(n_pages: int) -> None:
    """Much was let go: give it back, if the site is large."""
    if n_pages >= MANY:
        give_back()


def _shown(x: Floats, kind: str) -> Floats32:
    return np.asarray(np.log1p(np.maximum(x, 0)) if kind == "log" else x, np.float32)


def rank(values: Floats) -> Floats:
    """Mid-rank of each value in 0...1; NaN when there is one value only."""
    n = len(values)
    if n < 2:
        return np.full(n, np.nan)
    order = np.sort(values)
    low, high = np.searchsorted(order, values, "left"), np.searchsorted(order, values, "right")
    return np.asarray((low + high - 1) / 2 / (n - 1), np.float64)


def share(part: Floats, whole: Floats) -> Floats:
    """`part / whole`, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


class _Items(NamedTuple):
    """Rows that are items of a list."""

    row: Ints64
    end: Ints32
    group: Ints32
    first_text: Ints64
    last_text: Ints64


class PageParts:
    """Arrays that many columns are made of: of the pages of a site, or of a part of it that begins at page `first`."""

    def __init__(self, site: Site, known: RoleKnown | None = None, first: int = 0) -> None:
        self.site = site
        self.known = RoleKnown.of(site) if known is None else known
        self.first = first
        nodes, rows = site.nodes, site.text_rows
        n = self.known.n_pages
        self.in_link = in_links(site)
        """Per row, as the next one; what follows that is per text node, of which there are a third as many."""
        self.headings, self.heading_key = heading_keys(site)
        self.in_heading = under(IS_HEADING[nodes.tag], nodes.end)
        self.texts_before = prefix_sum(site.is_text)
        """Text nodes before each row, and in all."""
        self.text = site.text_id[rows]
        self.page = nodes.page[rows].astype(np.int64)
        self.length = (nodes.text_end[rows] - nodes.text_start[rows]).astype(np.float64)
        self.linked, self.headed = self.in_link[rows], self.in_heading[rows]
        """Text nodes in a link, and in a heading."""
        self.dated = np.zeros(len(rows), bool)
        # How many pages have each text, and the weight of a text by that.
        self.text_facts = string_facts(site.unique_texts, STOPS)
        self.text_pages = self.known.counts.texts.at(text_keys(site), 1)
        self.text_weight = _weight(self.text_pages, n)
        in_menu = menu_rows(site, self.known.counts.boxes)
        self.weight = np.where(in_menu[rows], 0.0, self.text_weight[self.text])
        self.own_length = self.length * self.weight
        self.groups = repeated_items(site)
        items = np.flatnonzero(self.groups.row_group >= 0)
        self.items = _Items(items, nodes.end[items], self.groups.row_group[items], *self.texts_of(items))
        self.titles = self.known.cards.main_titles.some(first, first + site.n_pages)
        links, found = site.links, link_texts(site)
        self.texts = found
        self.link_url, self.link_anchor = found.url, found.anchor
        # Which pair of page and address each link is, and the page of each pair.
        width = np.int64(max(len(found.urls), 1))
        pairs = page_keys(links.page, (links.page * width + found.url).astype(np.uint64))
        self._pair, self._pair_page = pairs.which, pairs.key.astype(np.int64) // width
        nowhere = found.urls.index("") if "" in found.urls else -1
        self.to_self = links.is_self | view_links(site.pages.url, links.page, found.urls, found.url)
        """Links to the page itself, or to a view of it."""
        self.leads_on = np.asarray(links.is_same_site & ~self.to_self & (self.link_url != nowhere), bool)
        named = link_keys(site)
        self.link_weight = _weight(self.known.counts.links.at(named.key, 1), n)[named.which]
        in_menu = in_menu[links.node]
        self.link_own = self.leads_on & (self.link_weight > OWN) & ~in_menu
        # The same with the place on the page: a list that names what a menu names too is still the page's own.
        placed = placed_keys(site)
        self.link_place, self.link_key, which = placed.place, placed.key, placed.on_pages.which
        times = self.known.counts.placed.at(placed.on_pages.key, 1)
        self.placed_pages, self.placed_weight = times[which], _weight(times, n)[which]
        self.link_placed = self.leads_on & (self.placed_weight > OWN) & ~in_menu
        self.anchor_facts = string_facts(found.anchors, "")
        self.anchor_empty = self.link_anchor == (found.anchors.index("") if "" in found.anchors else -1)
        # Page of the whole site that a link leads to.
        self.target = self.known.cards.targets(site).astype(np.int64)

    def texts_of(self, rows: Ints64) -> tuple[Ints64, Ints64]:
        """The first text node below each row, and the one behind the last."""
        return self.texts_before[rows], self.texts_before[self.site.nodes.end[rows]]

    def per_page(self, chosen: Bools | None, weight: Floats | None = None) -> Floats:
        """Sum over text nodes, by page."""
        page = self.page if chosen is None else self.page[chosen]
        value = weight if weight is None or chosen is None else weight[chosen]
        return np.bincount(page, value, minlength=self.site.n_pages).astype(np.float64)

    def per_page_rows(self, rows: Ints64) -> Floats:
        """How many of these rows each page has."""
        return np.bincount(self.site.nodes.page[rows], minlength=self.site.n_pages).astype(np.float64)

    def longest(self, length: Floats) -> Floats:
        """The largest of what text nodes have, by page."""
        out = np.zeros(self.site.n_pages)
        start = np.flatnonzero(np.append(True, self.page[1:] != self.page[:-1])) if len(self.page) else self.page
        out[self.page[start]] = np.maximum.reduceat(length, start) if len(start) else 0.0
        return out

    def per_page_links(self, mask: Bools) -> Floats:
        return np.bincount(self.site.links.page[mask], minlength=self.site.n_pages).astype(np.float64)

    def targets(self, mask: Bools) -> Floats:
        """Different addresses that the chosen links of each page lead to."""
        has = np.zeros(len(self._pair_page), bool)
        has[self._pair[mask]] = True
        return np.bincount(self._pair_page[has], minlength=self.site.n_pages).astype(np.float64)


WEIGHT_UNIT = 2.0**24
"""Weights are multiples of 1 / this, so that sums of weighted lengths are exact and do not depend on their order."""


def _weight(df: Ints64, n: int) -> Floats:
    if n < 2:
        return np.ones(len(df))
    weight = np.clip(1.0 - np.log(np.maximum(df, 1)) / np.log(n), 0.0, 1.0)
    return np.asarray(np.rint(weight * WEIGHT_UNIT) / WEIGHT_UNIT, np.float64)


def heading_columns(parts: PageParts, columns: Columns, prefix: str, mask: Bools) -> None:
    """Headings that lead on (a list of titles) and headings that lead to the page itself (its own title)."""
    site = parts.site
    links = site.links
    end = site.nodes.end[links.node]
    # A link inside a heading, or a link that holds one.
    inside = parts.in_heading[links.node]
    heading = inside | (np.searchsorted(parts.headings, links.node) < np.searchsorted(parts.headings, end))
    columns.log(f"{prefix}_heading_links", parts.targets(heading & mask))
    columns.log(f"{prefix}_heading_self", parts.per_page_links(heading & links.is_self))
    named = links.node[~parts.anchor_empty]
    within = np.searchsorted(named, parts.headings) < np.searchsorted(named, site.nodes.end[parts.headings])
    plain = parts.headings[~(within | parts.in_link[parts.headings])]
    columns.log(f"{prefix}_heading_plain", parts.per_page_rows(plain))


def group_columns(parts: PageParts, columns: Columns, prefix: str, mask: Bools, length: Floats) -> None:
    """The repeated items of a page: lists of teasers, of links, of posts."""
    site = parts.site
    items, groups, n = parts.items, parts.groups, site.n_pages
    links_before = prefix_sum(np.bincount(site.links.node[mask], minlength=site.n_nodes))
    count = links_before[items.end] - links_before[items.row]
    chars = _between(length, items.first_text, items.last_text)
    linked = _between(np.where(parts.linked, length, 0.0), items.first_text, items.last_text)
    size = len(groups)
    lead = np.bincount(items.group, count > 0, minlength=size)
    one = np.bincount(items.group, count == 1, minlength=size)
    g_chars = np.bincount(items.group, chars, minlength=size)
    g_linked = np.bincount(items.group, linked, minlength=size)
    g_rich = np.bincount(items.group, (count > 0) & (chars - linked >= 40), minlength=size)
    page = site.nodes.page[groups.parent]
    total = parts.per_page(None, length)
    # The last one stands for pages without groups.
    of_groups = np.zeros((5, size + 1))
    of_groups[:, :size] = groups.size, lead, one, g_chars, g_linked
    for name, key in (("lead", lead), ("rich", g_rich), ("text", g_chars)):
        n_items, leads, ones, in_all, in_links = of_groups[:, _best_of_page(page, n, key, g_chars)]
        columns.log(f"{prefix}_{name}_items", n_items)
        columns.log(f"{prefix}_{name}_leads", leads)
        columns.add(f"{prefix}_{name}_lead_share", share(leads, n_items))
        columns.add(f"{prefix}_{name}_one_share", share(ones, n_items))
        columns.add(f"{prefix}_{name}_chars", share(in_all, total))
        columns.add(f"{prefix}_{name}_density", share(in_links, in_all))
        columns.log(f"{prefix}_{name}_item_chars", share(in_all, n_items))


def _best_of_page(page: npt.NDArray[np.integer], n: int, *keys: npt.NDArray[np.number]) -> Ints64:
    """Of rows in the order of pages, the last of the largest of each page, by the first key, then by the next; -1 without."""
    best = np.full(n, -1, np.int64)
    if not len(page):
        return best
    start = np.flatnonzero(np.append(True, page[1:] != page[:-1]))
    of = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(page))))
    left = np.ones(len(page), bool)
    for key in keys:  # none is below 0
        among = np.where(left, key, -1)
        left = among == np.maximum.reduceat(among, start)[of]
    best[page[start]] = np.maximum.reduceat(np.where(left, np.arange(len(page)), -1), start)
    return best


def _between(values: Floats, first: Ints64, last: Ints64) -> Floats:
    """Sums of values from one place up to another."""
    prefix = prefix_sum(values)
    return np.asarray(prefix[last] - prefix[first], np.float64)


class Folders(Sequence[tuple[str, ...]]):
    """Paths of addresses, each as its folders. All of them as lists would take seven times the room."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = Strings.of(paths)
        """Folders with a slash between them, which none of them has."""

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (tuple(path.split("/")) if path else () for path in self.paths)

    def __getitem__(self, k: int) -> tuple[str, ...]:  # type: ignore[override]
        path = self.paths[k]
        return tuple(path.split("/")) if path else ()


def folders(urls: Sequence[str]) -> Folders:
    """The path of each address as folders, without a default document at the end. Several columns of a site ask one after the other:
    those of the last addresses are kept until `forget_folders`."""
    last = next(iter(_last), None)
    if last is None or last[0] is not urls:
        last = (urls, Folders(map(_path, urls)))
        _last[:] = [last]
    return last[1]  # and not what stands there now: another thread may have put its own


_last: list[tuple[Sequence[str], Folders]] = []


def query_of(url: str) -> str:
    """What an address asks for; most ask for nothing, and need not be taken apart."""
    return urlsplit(url).query if "?" in url else ""


def forget_folders() -> None:
    """Those of the last site are not asked for any more."""
    _last.clear()


def address_path(url: str) -> str:
    """The path of an address; empty for what is none."""
    if (plain := _PLAIN_ADDRESS.fullmatch(url)) is not None:
        return plain[1]
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def is_root(url: str) -> bool:
    """Whether this is what a site opens with, and nothing is asked for.

    >>> is_root("http://a.org/index.html"), is_root("http://a.org/?p=1"), is_root("http://a.org/tea/")
    (True, False, False)
    """
    return not _path(url) and not query_of(url)


def _path(url: str) -> str:
    parts = [p for p in unquote(address_path(url)).split("/") if p]
    if parts and _DEFAULT.fullmatch(parts[-1]):
        parts.pop()
    return "/".join(parts)
