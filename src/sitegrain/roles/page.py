"""What a page shows of its role, as one row of numbers per page.

Three kinds of evidence: of the page alone (`page_*`), of the page against its site (`site_*`: what of it is its
own and what repeats, who links to it with which words), and of its address (`url_*`: shape only, no words).
On a site of one page the site columns are NaN. Class and id names are never read as words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Bools
from sitegrain.light import dataclass
from sitegrain.native import StringFacts, string_facts
from sitegrain.roles.counts import RoleKnown
from sitegrain.roles.formpages import form_pages
from sitegrain.roles.links.flow import links_alone, rel_columns, stretch_columns
from sitegrain.roles.links.graph import site_columns
from sitegrain.roles.own import PageEvidence, page_evidence
from sitegrain.roles.parts import (
    LONG_TEXT,
    OWN,
    Columns,
    PageParts,
    folders,
    group_columns,
    heading_columns,
    query_of,
    rank,
    share,
    tag_codes,
)
from sitegrain.roles.templates import telling_features, templates_of
from sitegrain.roles.titles import file_titles
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAGS
from sitegrain.text.jsonld import PLAIN_TYPE

ALONE = ("url_below", "url_beside")
"""Columns of the address that need other pages."""

SENTENCE = 40
"""Characters of a text that may be one."""
_ENDING = re.compile(r"\.\w{2,5}$")
_SHORT_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d")
_DATE = re.compile(
    rf"(?:19|20)\d\d\s?[-/.年]\s?\d{{1,2}}\s?(?:[-/.月]\s?\d{{1,2}})?|{_SHORT_DATE.pattern}"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?\w{3,10}\.?,?\s(?:de\s|del\s)?(?:19|20)\d\d"
    r"|\b\w{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d"
)


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """Feature matrix of a site and the groups that smooth it."""

    names: tuple[str, ...]
    values: npt.NDArray[np.float32]
    """n_pages x n_features; NaN where there is nothing to tell."""
    template: npt.NDArray[np.int32]
    """Template cluster of each page."""
    address: npt.NDArray[np.int32]
    """Pages whose addresses have the same folder and shape."""
    title: npt.NDArray[np.int32]
    """Pages whose titles begin with the same word."""
    own_links: sparse.csr_array
    """Pages x pages: 1 where a page links to another by a link of its own (no menu)."""
    leads: sparse.csr_array
    """The same for links that are its own at their place, to pages that have not the same list."""
    url: Sequence[str]
    bare_title: Sequence[str]
    """The title without the name of the site."""


def page_features(site: Site) -> PageFeatures:
    """All features of all pages of a site."""
    known = RoleKnown.of(site)
    return features_of(part_evidence(site, known), known)


def part_evidence(site: Site, known: RoleKnown, first: int = 0) -> PageEvidence:
    """What the pages of a site, or of a part of it that begins at page `first`, say of their roles."""
    parts = PageParts(site, known, first)
    columns = Columns(site.n_pages)
    page_columns(parts, columns)
    return page_evidence(parts, columns)


def features_of(found: PageEvidence, known: RoleKnown) -> PageFeatures:
    """The features of all pages, from what the parts of their site say."""
    columns, n = found.columns, found.columns.n
    template = templates_of(found.structure, telling_features(known.counts.structure, n))
    url_columns(known.cards.url, columns)
    own_links, leads, title = site_columns(found, known.cards, template)
    names, values = columns.shown()
    if n <= 1:
        gone = [
            i for i, c in enumerate(names) if c in ALONE or c.startswith("site_") or c.endswith(("_rank", "_ratio"))
        ]
        values[:, gone] = np.nan
    address = address_groups(known.cards.url)
    return PageFeatures(
        names, values, template, address, title, own_links, leads, known.cards.url, known.cards.bare_titles
    )


def page_columns(parts: PageParts, columns: Columns) -> None:
    """Evidence of the page alone, and the same over what of it is its own."""
    site, nodes = parts.site, parts.site.nodes
    links = site.links
    tag = nodes.tag
    columns.log("page_nodes", np.diff(site.pages.node_offset))
    chars = parts.per_page(None, parts.length)
    columns.relative("page_chars", chars)
    columns.add("page_link_density", share(parts.per_page(parts.linked, parts.length), chars))
    long = (parts.length >= LONG_TEXT) & ~parts.linked
    columns.relative("page_long_chars", parts.per_page(long, parts.length))
    columns.log("page_long_nodes", parts.per_page(long))
    columns.log("page_longest", parts.longest(np.where(parts.linked, 0.0, parts.length)))
    n_tags = np.bincount(nodes.page * len(TAGS) + tag, minlength=site.n_pages * len(TAGS)).reshape(-1, len(TAGS))
    for name, tags in (
        ("p", ("p",)), ("li", ("li",)), ("img", ("img",)), ("heading", ("h1", "h2", "h3", "h4", "h5", "h6")),
        ("h1", ("h1",)), ("time", ("time",)), ("article", ("article",)), ("form", ("form",)),
        ("textarea", ("textarea",)), ("td", ("td",)), ("blockquote", ("blockquote",)), ("pre", ("pre", "code")),
        ("frame", ("frame",)), ("video", ("iframe", "video", "audio", "embed", "object")), ("input", ("input", "button", "select")),
    ):  # fmt: skip
        columns.log(f"page_n_{name}", n_tags[:, tag_codes(*tags)].sum(axis=1))
    columns.relative("page_links", parts.targets(parts.leads_on))
    columns.add(
        "page_out_share", share(parts.per_page_links(~links.is_same_site), parts.per_page_links(links.page >= 0))
    )
    columns.log("page_self_links", parts.per_page_links(links.is_self))
    heading_columns(parts, columns, "page", parts.leads_on)
    group_columns(parts, columns, "page", parts.leads_on, parts.length)
    numeric = parts.anchor_facts.has("IS_DECIMAL") & (parts.anchor_facts.length <= 4)
    is_number = numeric[parts.link_anchor] if len(parts.link_anchor) else np.zeros(0, bool)
    columns.log("page_number_links", parts.targets(is_number & parts.leads_on))
    facts = parts.text_facts
    parts.dated = says_dates(site.unique_texts, facts)[parts.text]
    columns.log("page_dates", parts.per_page(parts.dated))
    columns.relative("page_own_dates", parts.per_page(parts.dated & (parts.weight > OWN)))
    ends = facts.has("ENDS_WITH_STOP") & (facts.length >= SENTENCE)
    columns.log("page_sentences", parts.per_page(ends[parts.text] & ~parts.linked))
    rel_columns(parts, columns)
    stretch_columns(parts, columns, "page", parts.leads_on & links_alone(site), ~parts.linked)
    said = [site.pages.meta[p] for p in range(site.n_pages)]
    columns.add("page_published", ["article:published_time" in m or "datepublished" in m for m in said])
    columns.log("page_title_chars", [len(t) for t in site.pages.title])
    of_file, like_file = file_titles(parts)
    columns.add("page_file_title", np.maximum(of_file, like_file))
    columns.add("page_of_file", of_file)
    asks = [asks_robots(site.pages.meta[p].get("robots", "")) for p in range(site.n_pages)]
    columns.add("page_noindex", [a >= 1 for a in asks])
    columns.add("page_nofollow", [a == 2 for a in asks])
    columns.add("page_form", form_pages(site))
    kinds = [_declared_kind(site, p) for p in range(site.n_pages)]
    columns.add("page_declared", kinds)


def says_date(text: str) -> bool:
    """A short text with a date in it.

    >>> says_date("Posted on 3 May 2019"), says_date("2019年5月3日"), says_date("Chapter 12"), says_date("May")
    (True, True, False, False)
    """
    return bool(says_dates((text,), string_facts((text,), ""))[0])


def says_dates(texts: Sequence[str], facts: StringFacts) -> Bools:
    """The same of many texts."""
    # Every date ends in or begins with two digits: of the other texts nothing is asked.
    found = facts.has("HAS_TWO_DIGITS") & (facts.length <= 200)
    some = np.flatnonzero(found)
    # All but one form have the century in them.
    found[some] = [
        (_DATE if "19" in text or "20" in text else _SHORT_DATE).search(text) is not None
        for text in (texts[k] for k in some.tolist())
    ]
    return found


def asks_robots(said: str) -> int:
    """What a page asks of robots: 1 not to index it, 2 nor to follow its links, 0 neither.

    >>> asks_robots("noindex, follow"), asks_robots("NOINDEX,NOFOLLOW"), asks_robots("none")
    (1, 2, 2)
    >>> asks_robots("index, nofollow"), asks_robots("max-image-preview:none")
    (0, 0)
    """
    words = set(said.lower().replace(",", " ").split())
    if "none" in words or {"noindex", "nofollow"} <= words:
        return 2
    return int("noindex" in words)


def _declared_kind(site: Site, page: int) -> float:
    """What OpenGraph or JSON-LD say of the page: 1 article or product, 0 a collection or site, NaN nothing."""
    said = site.pages.meta[page].get("og:type", "").lower()
    if said in ("article", "product", "video.other", "book", "recipe"):
        return 1.0
    if said in ("website", "blog", "profile"):
        return 0.0
    if not site.pages.json_ld[page]:
        return float("nan")
    types = " ".join(PLAIN_TYPE.findall(" ".join(site.pages.json_ld[page])))
    if re.search(r"Article|BlogPosting|Recipe|Product\b|Report|DiscussionForumPosting", types):
        return 1.0
    if re.search(r"CollectionPage|ItemList|SearchResultsPage|Blog\b", types):
        return 0.0
    return float("nan")


def url_columns(urls: Sequence[str], columns: Columns) -> None:
    """Shape of the address: lengths, numbers and depth; never words."""
    rows = []
    paths = folders(urls)
    count: dict[tuple[str, ...], int] = {}
    for path in paths:
        for i in range(len(path) + 1):
            count[path[:i]] = count.get(path[:i], 0) + 1
    for url, path in zip(urls, paths, strict=True):
        last = path[-1] if path else ""
        digits = sum(map(str.isdigit, last))
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
                url.partition("#")[0].partition("?")[0].endswith("/"),
                "%3F" in url or "?" in url,
                np.log1p(count[path] - 1),
                np.log1p(count[path[:-1]]) if path else np.nan,
                not path,
                ":" in last,
                len(path) > 1 and _ENDING.sub("", last).lower() == path[-2].lower(),
            )
        )
    names = (
        "depth", "digits", "digit_share", "words", "last_chars", "date", "years", "number_last", "folder", "query",
        "below", "beside", "root", "colon", "as_folder",
    )  # fmt: skip
    table = np.array(rows, np.float64).reshape(len(rows), len(names))
    for i, name in enumerate(names):
        columns.add(f"url_{name}", table[:, i])
    columns.add("url_depth_rank", rank(table[:, 0]))
    columns.add("url_words_rank", rank(table[:, 3]))
    columns.add("url_last_chars_rank", rank(table[:, 4]))


def share_of(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def address_groups(urls: Sequence[str]) -> npt.NDArray[np.int32]:
    """Pages with the same folder names (numbers taken as equal) and the same kind of last part."""
    ids: dict[tuple[object, ...], int] = {}
    out = []
    for path, url in zip(folders(urls), urls, strict=True):
        shape = tuple(re.sub(r"\d+", "0", p) for p in path[:-1])
        last = path[-1] if path else ""
        kind = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", last))
        kind = "words" if kind.count("a") > 1 else kind
        query = re.sub(r"=[^&]*", "", query_of(url))
        out.append(ids.setdefault((shape, kind, query), len(ids)))
    return np.array(out, np.int32)
