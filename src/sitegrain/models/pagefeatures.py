"""What a page shows of its role, as one row of numbers per page.

Three kinds of evidence: of the page alone (`page_*`), of the page against its site (`site_*`: what of it is its
own and what repeats, who links to it with which words), and of its address (`url_*`: shape only, no words).
On a site of one page the site columns are NaN. Class and id names are never read as words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.models.lamis import LAMIS
from sitegrain.models.repeats import repeated_items
from sitegrain.models.sitegraph import SiteGraph, site_graph
from sitegrain.models.templates import page_templates
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.tables.terms import Terms, fold, site_terms

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

OWN = 0.4
"""A text or link whose weight `1 - log_n(pages that have it)` is over this is the page's own: on a site of 100
pages it stands on at most 16, of 1,000 on at most 63. A menu is far below, a list of headlines far above."""
LONG_TEXT = 80
"""Characters of a text node that is a sentence and not a label."""

_SENTENCE = re.compile(r"[.!?。！？؟।…]")
_DATE = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?(?:[-/.月]\s?\d{1,2})?|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?\w{3,10}\.?,?\s(?:de\s|del\s)?(?:19|20)\d\d"
    r"|\b\w{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d"
)


def _tags(*names: str) -> list[int]:
    return [TAG_CODE[n] for n in names]


@dataclass(frozen=True)
class PageFeatures:
    """Feature matrix of a site and the groups that smooth it."""

    names: tuple[str, ...]
    values: Floats
    """n_pages x n_features; NaN where there is nothing to tell."""
    template: npt.NDArray[np.int32]
    """Template cluster of each page."""
    address: npt.NDArray[np.int32]
    """Pages whose addresses have the same folder and shape."""
    own_links: sparse.csr_array
    """Pages x pages: 1 where a page links to another by a link of its own (no menu)."""


class _Columns:
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


def page_features(
    site: Site, terms: Terms | None = None, template: npt.NDArray[np.int32] | None = None
) -> PageFeatures:
    """All features of all pages of a site."""
    n = site.n_pages
    terms = site_terms(site) if terms is None else terms
    graph = site_graph(site, terms)
    template = page_templates(site) if template is None else template
    parts = _Parts(site)
    columns = _Columns(n)
    _page_columns(parts, columns)
    n_page_only = len(columns.names)
    _url_columns(site, columns)
    n_url = len(columns.names)
    own_links = _site_columns(parts, graph, template, columns)
    values = np.column_stack(columns.columns) if n else np.zeros((0, len(columns.names)))
    if n <= 1:
        values[:, n_url:] = np.nan
        values[:, [i for i, c in enumerate(columns.names) if c.endswith(("_rank", "_ratio"))]] = np.nan
    assert n_page_only <= n_url
    return PageFeatures(tuple(columns.names), values, template, address_groups(site), own_links)


class _Parts:
    """Arrays that many columns are made of."""

    def __init__(self, site: Site) -> None:
        self.site = site
        nodes = site.nodes
        n, m = site.n_pages, site.n_nodes
        self.page = nodes.page.astype(np.int64)
        self.length = np.where(site.is_text, nodes.text_end - nodes.text_start, 0).astype(np.float64)
        in_link = np.zeros(m + 1, np.int64)
        anchors = np.flatnonzero(np.isin(nodes.tag, _tags("a")))
        np.add.at(in_link, anchors, 1)
        np.add.at(in_link, nodes.end[anchors], -1)
        self.in_link = np.cumsum(in_link)[:m] > 0
        in_heading = np.zeros(m + 1, np.int64)
        self.headings = np.flatnonzero(np.isin(nodes.tag, _tags("h1", "h2", "h3", "h4", "h5", "h6")))
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
        self.leads_on = np.asarray(
            links.is_same_site & ~links.is_self & (self.link_url != urls.get("", -1)), bool
        )
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


def _weight(df: npt.NDArray[np.int64], n: int) -> Floats:
    if n < 2:
        return np.ones(len(df))
    return np.clip(1.0 - np.log(np.maximum(df, 1)) / np.log(n), 0.0, 1.0)


def _page_columns(parts: _Parts, columns: _Columns) -> None:
    """Evidence of the page alone, and the same over what of it is its own."""
    site, nodes = parts.site, parts.site.nodes
    links = site.links
    tag = nodes.tag
    columns.log("page_nodes", np.diff(site.pages.node_offset))
    rows = site.text_rows
    chars = parts.per_page(rows, parts.length)
    columns.relative("page_chars", chars)
    in_link = parts.in_link & site.is_text
    link_chars = parts.per_page(in_link, parts.length)
    columns.add("page_link_density", share(link_chars, chars))
    long = site.is_text & (parts.length >= LONG_TEXT)
    columns.relative("page_long_chars", parts.per_page(long & ~parts.in_link, parts.length))
    columns.log("page_long_nodes", parts.per_page(long & ~parts.in_link))
    longest = np.zeros(site.n_pages)
    np.maximum.at(longest, parts.page[rows], np.where(parts.in_link[rows], 0, parts.length[rows]))
    columns.log("page_longest", longest)
    for name, tags in (
        ("p", ("p",)), ("li", ("li",)), ("img", ("img",)), ("heading", ("h1", "h2", "h3", "h4", "h5", "h6")),
        ("h1", ("h1",)), ("time", ("time",)), ("article", ("article",)), ("form", ("form",)),
        ("textarea", ("textarea",)), ("td", ("td",)), ("blockquote", ("blockquote",)), ("pre", ("pre", "code")),
        ("video", ("iframe", "video", "audio", "embed", "object")), ("input", ("input", "button", "select")),
    ):  # fmt: skip
        columns.log(f"page_n_{name}", parts.per_page(np.isin(tag, _tags(*tags))))
    columns.relative("page_links", parts.targets(parts.leads_on))
    columns.add("page_out_share", share(parts.per_page_links(~links.is_same_site), parts.per_page_links(links.page >= 0)))
    columns.log("page_self_links", parts.per_page_links(links.is_self))
    _heading_columns(parts, columns, "page", parts.leads_on)
    _group_columns(parts, columns, "page", parts.leads_on, parts.length)
    numeric = np.array([a.isdecimal() and len(a) <= 4 for a in parts.anchors], bool)
    is_number = numeric[parts.link_anchor] if len(parts.link_anchor) else np.zeros(0, bool)
    columns.log("page_number_links", parts.targets(is_number & parts.leads_on))
    has_date = np.array([len(t) <= 200 and bool(_DATE.search(t)) for t in site.unique_texts], bool)
    dated = np.zeros(site.n_nodes, bool)
    dated[rows] = has_date[site.text_id[rows]]
    columns.log("page_dates", parts.per_page(dated))
    parts.dated = dated
    columns.relative("page_own_dates", parts.per_page(dated & (parts.row_weight > OWN)))
    ends = np.array([bool(_SENTENCE.search(t[-2:])) and len(t) >= 40 for t in site.unique_texts], bool)
    sentence = np.zeros(site.n_nodes, bool)
    sentence[rows] = ends[site.text_id[rows]]
    columns.log("page_sentences", parts.per_page(sentence & ~parts.in_link))
    rel = [site.strings[v].lower().split() if v >= 0 else [] for v in site.attr("rel")[links.node].tolist()]
    columns.log("page_rel_bookmark", parts.per_page_links(np.array(["bookmark" in r for r in rel], bool)))
    columns.log("page_rel_nofollow", parts.per_page_links(np.array(["nofollow" in r for r in rel], bool)))
    columns.log("page_title_chars", [len(t) for t in site.pages.title])
    robots = [site.pages.meta[p].get("robots", "").lower() for p in range(site.n_pages)]
    columns.add("page_noindex", ["noindex" in r or "none" in r for r in robots])
    kinds = [_declared_kind(site, p) for p in range(site.n_pages)]
    columns.add("page_declared", kinds)


def _declared_kind(site: Site, page: int) -> float:
    """What OpenGraph or JSON-LD say of the page: 1 article or product, 0 a collection or site, NaN nothing."""
    said = site.pages.meta[page].get("og:type", "").lower()
    if said in ("article", "product", "video.other", "book", "recipe"):
        return 1.0
    if said in ("website", "blog", "profile"):
        return 0.0
    types = " ".join(re.findall(r'"@type"\s*:\s*"(\w+)"', " ".join(site.pages.json_ld[page])))
    if re.search(r"Article|BlogPosting|Recipe|Product\b|Report|DiscussionForumPosting", types):
        return 1.0
    if re.search(r"CollectionPage|ItemList|SearchResultsPage|Blog\b", types):
        return 0.0
    return float("nan")


def _heading_columns(parts: _Parts, columns: _Columns, prefix: str, mask: Bools) -> None:
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
    has_link = (
        prefix_links[site.nodes.end[parts.headings]] - prefix_links[parts.headings] > 0
    ) | parts.in_link[parts.headings]
    plain = parts.headings[~has_link]
    columns.log(f"{prefix}_heading_plain", parts.per_page(plain))


def _group_columns(parts: _Parts, columns: _Columns, prefix: str, mask: Bools, length: Floats) -> None:
    """The repeated items of a page: lists of teasers, of links, of posts."""
    site = parts.site
    n, m, end = site.n_pages, site.n_nodes, site.nodes.end
    groups = parts_groups(parts)
    items = np.flatnonzero(groups.row_group >= 0)
    links_at = np.bincount(site.links.node[mask], minlength=m).astype(np.float64)
    count = _subtree(links_at, items, end)
    chars = _subtree(length, items, end)
    linked = _subtree(np.where(parts.in_link, length, 0.0), items, end)
    group = groups.row_group[items]
    size = len(groups)
    lead = np.bincount(group, count > 0, minlength=size)
    one = np.bincount(group, count == 1, minlength=size)
    g_chars = np.bincount(group, chars, minlength=size)
    g_linked = np.bincount(group, linked, minlength=size)
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

        def of(values: Floats, at: Ints = at, has: Bools = has) -> Floats:
            return np.where(has, values[at], 0.0) if len(values) else np.zeros(n)

        items_in = of(groups.size.astype(np.float64))
        columns.log(f"{prefix}_{name}_items", items_in)
        columns.log(f"{prefix}_{name}_leads", of(lead.astype(np.float64)))
        columns.add(f"{prefix}_{name}_lead_share", share(of(lead.astype(np.float64)), items_in))
        columns.add(f"{prefix}_{name}_one_share", share(of(one.astype(np.float64)), items_in))
        columns.add(f"{prefix}_{name}_chars", share(of(g_chars), total))
        columns.add(f"{prefix}_{name}_density", share(of(g_linked), of(g_chars)))
        columns.log(f"{prefix}_{name}_item_chars", share(of(g_chars), items_in))


def parts_groups(parts: _Parts):  # type: ignore[no-untyped-def]
    """Repeated items, made once for the two uses."""
    if not hasattr(parts, "groups"):
        parts.groups = repeated_items(parts.site)
    return parts.groups


def _subtree(values: Floats, rows: Ints, end: npt.NDArray[np.int32]) -> Floats:
    prefix = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(prefix[end[rows]] - prefix[rows], np.float64)


def _url_columns(site: Site, columns: _Columns) -> None:
    """Shape of the address: lengths, numbers and depth; never words."""
    rows = []
    folders = _folders(site)
    count: dict[tuple[str, ...], int] = {}
    for path in folders:
        for i in range(len(path) + 1):
            count[path[:i]] = count.get(path[:i], 0) + 1
    for url, path in zip(site.pages.url, folders, strict=True):
        parts = urlsplit(url)
        last = path[-1] if path else ""
        digits = sum(c.isdigit() for c in last)
        words = len(re.findall(r"[^\W\d_]{2,}", last))
        number = re.search(r"(?<!\d)(\d{1,3})(?:\.\w+)?$", last)
        rows.append(
            (
                len(path),
                digits,
                share_of(digits, len(last)),
                words,
                len(last),
                bool(re.search(r"(?:19|20)\d\d[/-]\d\d", "/".join(path))),
                sum(bool(re.fullmatch(r"(?:19|20)\d\d", p)) for p in path),
                bool(number and not re.search(r"[^\W\d_]{3,}", last.rsplit(".", 1)[0])),
                parts.path.endswith("/"),
                bool(parts.query) or "%3F" in url or "?" in url,
                np.log1p(count[path] - 1),
                np.log1p(count[path[:-1]]) if path else np.nan,
                not path,
            )
        )
    names = (
        "depth", "digits", "digit_share", "words", "last_chars", "date", "years", "number_last", "folder", "query",
        "below", "beside", "root",
    )  # fmt: skip
    table = np.array(rows, np.float64).reshape(len(rows), len(names))
    for i, name in enumerate(names):
        columns.add(f"url_{name}", table[:, i])
    columns.add("url_depth_rank", rank(table[:, 0]))
    columns.add("url_words_rank", rank(table[:, 3]))
    columns.add("url_last_chars_rank", rank(table[:, 4]))


def share_of(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _folders(site: Site) -> list[tuple[str, ...]]:
    """Path of each page as folders, without a default document at the end."""
    out = []
    for url in site.pages.url:
        parts = [p for p in unquote(urlsplit(url).path).split("/") if p]
        if parts and re.fullmatch(r"(?:index|default)\.\w{2,5}", parts[-1]):
            parts.pop()
        out.append(tuple(parts))
    return out


def address_groups(site: Site) -> npt.NDArray[np.int32]:
    """Pages with the same folder names (numbers taken as equal) and the same kind of last part."""
    ids: dict[tuple[object, ...], int] = {}
    out = []
    for path, url in zip(_folders(site), site.pages.url, strict=True):
        shape = tuple(re.sub(r"\d+", "0", p) for p in path[:-1])
        last = path[-1] if path else ""
        kind = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", last))
        kind = "words" if kind.count("a") > 1 else kind
        query = re.sub(r"=[^&]*", "", urlsplit(url).query)
        out.append(ids.setdefault((shape, kind, query), len(ids)))
    return np.array(out, np.int32)


def _site_columns(
    parts: _Parts, graph: SiteGraph, template: npt.NDArray[np.int32], columns: _Columns
) -> sparse.csr_array:
    """The page against its site."""
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
    body[rows] &= ~np.isin(site.nodes.tag[site.nodes.parent[rows]], _tags("title", "option", "button", "label"))
    columns.relative("site_body_chars", parts.per_page(body & (parts.row_weight > 0.6), parts.length))
    rare = np.zeros(site.n_nodes, bool)
    rare[rows] = parts.text_pages[site.text_id[rows]] <= 2
    columns.relative("site_rare_chars", parts.per_page(body & rare, parts.length))
    columns.relative("site_own_links", parts.targets(parts.link_own))
    _heading_columns(parts, columns, "site", parts.link_own)
    _group_columns(parts, columns, "site", parts.link_own, parts.own_length)

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
    return own_links


def _sums(matrix: sparse.csr_array, axis: int) -> Floats:
    return np.asarray(matrix.sum(axis=axis), np.float64).reshape(-1)


def _mean(index: npt.ArrayLike, values: Floats, n: int) -> Floats:
    at = np.asarray(index)
    count = np.bincount(at, minlength=n)
    total = np.bincount(at, values, minlength=n)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _dense(text: str) -> bool:
    """True for text of a script without spaces."""
    return any("\u2e80" <= c <= "\u9fff" or "\u0e00" <= c <= "\u0eff" for c in text[:20])


def _title_columns(parts: _Parts, columns: _Columns, in_set: Bools, own: Bools) -> None:
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
    pair, where = np.unique(links.target[chosen].astype(np.int64) * width + parts.link_anchor[chosen], return_inverse=True)
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


def _copy_columns(parts: _Parts, own_links: sparse.csr_array, columns: _Columns) -> None:
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


def _rank_columns(graph: SiteGraph, columns: _Columns) -> None:
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


def _home_columns(parts: _Parts, every: sparse.csr_array, columns: _Columns) -> None:
    """Where the home page is, and how many clicks away from it a page is."""
    site, n = parts.site, parts.site.n_pages
    in_pages = _sums(every, 0)
    depth = np.array([len(p) for p in _folders(site)], np.float64)
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
        clicks = sparse.csgraph.dijkstra(every, indices=home, unweighted=True)
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


def home_page(
    depth: Floats, below: Floats, in_pages: Floats, place: Floats, name: Floats, leads: Floats
) -> int:
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
