"""Arrays of a site that the evidence about page roles is made of: what repeats, what is a page's own."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.tables.repeats import repeated_items
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.words import fold

OWN = 0.4
"""A text or link whose weight `1 - log_n(pages that have it)` is over this is the page's own: on a site of 100
pages it stands on at most 16, of 1,000 on at most 63. A menu is far below, a list of headlines far above."""
RARE = 0.6
"""Over this a text stands on no more than 6 pages of 100 and 16 of 1,000: a part of no template."""
LONG_TEXT = 80
"""Characters of a text node that is a sentence and not a label."""


_SEPARATOR = re.compile(r"\s[-–—|•·»«]+\s|\s?[|»«]\s?")


def tag_codes(*names: str) -> list[int]:
    """Codes of tags."""
    return [TAG_CODE[n] for n in names]


class Columns:
    def __init__(self, n: int) -> None:
        self.n = n
        self.names: list[str] = []
        self.columns: list[Floats] = []

    def add(self, name: str, values: npt.ArrayLike) -> None:
        self.names.append(name)
        self.columns.append(np.asarray(values, np.float64))

    def log(self, name: str, values: npt.ArrayLike) -> None:
        self.add(name, np.log1p(np.maximum(np.asarray(values, np.float64), 0)))

    def relative(self, name: str, values: npt.ArrayLike) -> None:
        """The value (log), and its rank within the site."""
        x = np.asarray(values, np.float64)
        self.log(name, x)
        self.add(f"{name}_rank", rank(x))
        middle = np.log1p(np.median(x)) if self.n > 1 else np.nan
        self.add(f"{name}_ratio", np.log1p(np.maximum(x, 0)) - middle)


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
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


class PageParts:
    """Arrays that many columns are made of."""

    def __init__(self, site: Site) -> None:
        self.site = site
        nodes = site.nodes
        n, m = site.n_pages, site.n_nodes
        self.page = nodes.page.astype(np.int64)
        self.length = np.where(site.is_text, nodes.text_end - nodes.text_start, 0).astype(np.float64)
        in_link = np.zeros(m + 1, np.int64)
        anchors = np.flatnonzero(np.isin(nodes.tag, tag_codes("a")))
        np.add.at(in_link, anchors, 1)
        np.add.at(in_link, nodes.end[anchors], -1)
        self.in_link = np.cumsum(in_link)[:m] > 0
        in_heading = np.zeros(m + 1, np.int64)
        self.headings = np.flatnonzero(np.isin(nodes.tag, tag_codes("h1", "h2", "h3", "h4", "h5", "h6")))
        np.add.at(in_heading, self.headings, 1)
        np.add.at(in_heading, nodes.end[self.headings], -1)
        self.in_heading = np.cumsum(in_heading)[:m] > 0
        # How many pages have each text, and the weight of a text by that.
        rows = site.text_rows
        text = site.text_id[rows].astype(np.int64)
        pair = np.unique(text * max(n, 1) + self.page[rows])
        df = np.bincount(pair // max(n, 1), minlength=len(site.unique_texts))
        self.text_pages = df
        self.text_weight = _weight(df, n)
        self.row_weight = np.zeros(m)
        self.row_weight[rows] = self.text_weight[text]
        self.own_length = self.length * self.row_weight
        self.dated = np.zeros(m, bool)
        self.groups = repeated_items(site)
        self.titles = main_titles(site)
        self._links(site, n)

    def _links(self, site: Site, n: int) -> None:
        links = site.links
        urls: dict[str, int] = {}
        anchors: dict[str, int] = {}
        self.link_url = np.array([urls.setdefault(u, len(urls)) for u in links.url], np.int64)
        texts, start, end = site.texts, site.nodes.text_start, site.nodes.text_end
        node = links.node.tolist()
        self.link_anchor = np.array(
            [
                anchors.setdefault(" ".join(texts[p][start[i] : end[i]].split()), len(anchors))
                for p, i in zip(links.page.tolist(), node, strict=True)
            ],
            np.int64,
        )
        self.anchors = tuple(anchors)
        self.leads_on = np.asarray(links.is_same_site & ~links.is_self & (self.link_url != urls.get("", -1)), bool)
        _, pair = np.unique(self.link_url * max(len(anchors), 1) + self.link_anchor, return_inverse=True)
        pair = pair.reshape(-1)
        seen = np.unique(pair * max(n, 1) + links.page) if len(pair) else np.zeros(0, np.int64)
        df = np.bincount(seen // max(n, 1), minlength=int(pair.max()) + 1 if len(pair) else 0)
        self.link_weight = _weight(df, n)[pair] if len(pair) else np.zeros(0)
        self.link_own = self.leads_on & (self.link_weight > OWN)
        self.anchor_empty = self.link_anchor == anchors.get("", -1)

    def per_page(self, rows: npt.ArrayLike, weight: Floats | None = None) -> Floats:
        """Sum over rows, by page."""
        index = np.asarray(rows)
        index = np.flatnonzero(index) if index.dtype == bool else index
        value = None if weight is None else weight[index]
        return np.bincount(self.page[index], value, minlength=self.site.n_pages).astype(np.float64)

    def per_page_links(self, mask: Bools) -> Floats:
        return np.bincount(self.site.links.page[mask], minlength=self.site.n_pages).astype(np.float64)

    def targets(self, mask: Bools) -> Floats:
        """Different addresses that the chosen links of each page lead to."""
        size = int(self.link_url.max()) + 1 if len(self.link_url) else 1
        pair = np.unique(self.site.links.page[mask].astype(np.int64) * size + self.link_url[mask])
        return np.bincount(pair // size, minlength=self.site.n_pages).astype(np.float64)


def _weight(df: Ints64, n: int) -> Floats:
    if n < 2:
        return np.ones(len(df))
    return np.asarray(np.clip(1.0 - np.log(np.maximum(df, 1)) / np.log(n), 0.0, 1.0), np.float64)


def heading_columns(parts: PageParts, columns: Columns, prefix: str, mask: Bools) -> None:
    """Headings that lead on (a list of titles) and headings that lead to the page itself (its own title)."""
    site = parts.site
    links = site.links
    end = site.nodes.end[links.node]
    # A link inside a heading, or a link that holds one.
    inside = parts.in_heading[links.node]
    marks = np.zeros(site.n_nodes + 1, np.int64)
    marks[parts.headings + 1] = 1
    holds = (np.cumsum(marks)[end] - np.cumsum(marks)[links.node]) > 0 if len(links) else np.zeros(0, bool)
    heading = inside | holds
    columns.log(f"{prefix}_heading_links", parts.targets(heading & mask))
    columns.log(f"{prefix}_heading_self", parts.per_page_links(heading & links.is_self))
    plain = np.ones(site.n_nodes, bool)
    for_heading = np.zeros(site.n_nodes + 1, np.int64)
    np.add.at(for_heading, links.node[~parts.anchor_empty], 1)
    prefix_links = np.concatenate(([0], np.cumsum(for_heading)))
    has_link = (prefix_links[site.nodes.end[parts.headings]] - prefix_links[parts.headings] > 0) | parts.in_link[
        parts.headings
    ]
    plain = parts.headings[~has_link]
    columns.log(f"{prefix}_heading_plain", parts.per_page(plain))


def group_columns(parts: PageParts, columns: Columns, prefix: str, mask: Bools, length: Floats) -> None:
    """The repeated items of a page: lists of teasers, of links, of posts."""
    site = parts.site
    n, m, end = site.n_pages, site.n_nodes, site.nodes.end
    groups = parts.groups
    items = np.flatnonzero(groups.row_group >= 0)
    links_at = np.bincount(site.links.node[mask], minlength=m).astype(np.float64)
    count = _subtree(links_at, items, end)
    chars = _subtree(length, items, end)
    linked = _subtree(np.where(parts.in_link, length, 0.0), items, end)
    group = groups.row_group[items]
    size = len(groups)
    lead = np.bincount(group, count > 0, minlength=size)
    one = np.bincount(group, count == 1, minlength=size)
    g_chars = np.bincount(group, chars, minlength=size).astype(np.float64)
    g_linked = np.bincount(group, linked, minlength=size).astype(np.float64)
    g_rich = np.bincount(group, (count > 0) & (chars - linked >= 40), minlength=size)
    page = parts.page[groups.parent]
    total = parts.per_page(site.text_rows, length)
    for name, key in (("lead", lead), ("rich", g_rich), ("text", g_chars)):
        # The best group of each page by this key.
        order = np.lexsort((g_chars, key, page))
        best = np.full(n, -1, np.int64)
        best[page[order]] = order
        has = best >= 0
        at = np.maximum(best, 0)

        def of(values: Floats, at: Ints64 = at, has: Bools = has) -> Floats:
            return np.where(has, values[at], 0.0) if len(values) else np.zeros(n)

        items_in = of(groups.size.astype(np.float64))
        columns.log(f"{prefix}_{name}_items", items_in)
        columns.log(f"{prefix}_{name}_leads", of(lead.astype(np.float64)))
        columns.add(f"{prefix}_{name}_lead_share", share(of(lead.astype(np.float64)), items_in))
        columns.add(f"{prefix}_{name}_one_share", share(of(one.astype(np.float64)), items_in))
        columns.add(f"{prefix}_{name}_chars", share(of(g_chars), total))
        columns.add(f"{prefix}_{name}_density", share(of(g_linked), of(g_chars)))
        columns.log(f"{prefix}_{name}_item_chars", share(of(g_chars), items_in))


def _subtree(values: Floats, rows: Ints64, end: npt.NDArray[np.int32]) -> Floats:
    prefix = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(prefix[end[rows]] - prefix[rows], np.float64)


def folders(site: Site) -> list[tuple[str, ...]]:
    """Path of each page as folders, without a default document at the end."""
    out = []
    for url in site.pages.url:
        parts = [p for p in unquote(urlsplit(url).path).split("/") if p]
        if parts and re.fullmatch(r"(?:index|default)\.\w{2,5}", parts[-1]):
            parts.pop()
        out.append(tuple(parts))
    return out


def main_titles(site: Site) -> list[str]:
    """The titles of the pages without the part that most of them share (the name of the site)."""
    whole = [" ".join(fold(t).split()) for t in site.pages.title]
    parts = [[p.strip() for p in _SEPARATOR.split(t)] for t in whole]
    count: dict[str, int] = {}
    for found in parts:
        for part in set(found):
            count[part] = count.get(part, 0) + 1
    # A part that stands in a third of the titles names the site or a section of it.
    common = {p for p, n in count.items() if n > max(2, site.n_pages / 3)}
    return [" - ".join(p for p in found if p not in common) or title for found, title in zip(parts, whole, strict=True)]
