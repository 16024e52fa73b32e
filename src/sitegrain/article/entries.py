"""The list that a TOC page is there for: its entries with title, address and snippet.

Links that stand at the same path (tags and first class names) are one group: the titles of a list, its "read more"
links, a menu. A group's weight is how much its anchors say, less what marks a menu: standing in `<nav>` or `<footer>`,
the same links on many pages of the site, a low score of the text; and what marks a link within prose: text before it in
its block, another site. The heaviest group is the list; groups close to it belong to it. The date of an item stands in it, or
before or after it, as with the first one; a link that only says "more" or a time of day is called by the heading of its item.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Hashes, Ints64
from sitegrain.article.fields.dates import parse_date
from sitegrain.article.fields.view import View
from sitegrain.native.scripts import EAST_ASIAN, char_class
from sitegrain.render.images import image_address
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.paths import anchor_labels
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, HEADINGS, TAG_CODE, TEXT, tag_mask

MAX_SNIPPET = 500
MAX_ITEM = 3000
"""Characters of an item of a list of one; beyond, it is the page around it."""
MAX_ITEM_ROWS = 400
"""Rows of an item that are searched for its date, heading and picture."""
MAX_DATE_LINE = 120
"""Characters of an element that may be a date line."""
MAX_DATE = 40
"""Characters of a text that is a date and no more."""
SAME = 3
"""Targets that a text may not name alike if it is a title."""
MIN_IMAGE = 32
"""Pixels of a picture that is no icon."""
FULL_ANCHOR = 60
"""Characters of an anchor that says all a title can; more add no weight."""
CLOSE = 0.3
"""Weight of a group next to the heaviest one that makes it part of the list; set beforehand, not tuned."""
ON_MANY_PAGES = 0.4
"""Share of the pages with the same link at the same place that makes it a menu's."""
MIN_SITE = 5
"""Pages that a site must have for its repetition to count."""
LEAD = 40
"""Characters before a link in its block beyond which it stands within prose: a date or a number is shorter."""
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|bmp|pdf|zip|gz|bz2|tgz|mp[34]|ogg|avi|mov|docx?|pptx?|xlsx?|exe|rar)$", re.IGNORECASE
)
_NO_TITLE = re.compile(
    r"\W*(?:(?:read|continue|keep|see|view|learn|find)?\s*(?:the\s+)?(?:more|reading|full|rest|on)\b.{0,40}|permalink|permanent link|"
    r"link|#|weiterlesen.{0,20}|mehr(?: lesen)?|lire la suite.{0,20}|leer m[aá]s.{0,20}|seguir leyendo.{0,20}|"
    r"continua.{0,20}|leia mais|lees verder|читать.{0,20}|далее|阅读全文|繼續閱讀|閱讀全文|続きを読む|もっと見る|more|"
    r"\d{1,2}[:.h]\d\d\s*(?:[ap]\.?m\.?)?|comments?.{0,15}|\d+ comments?)\W*",
    re.IGNORECASE,
)
_IS_BLOCK = tag_mask(BLOCK_TAGS)
_SIDE = tag_mask(("nav", "footer", "aside", "header", "form"))
_HEADING = tag_mask(HEADINGS)
_BODY, _HTML, _MAIN, _IMG = (TAG_CODE[tag] for tag in ("body", "html", "main", "img"))
_EAST_ASIAN = re.compile(f"[{char_class(EAST_ASIAN)}]")
_SIDE_NAME = re.compile(
    r"(?:^|[-_ ])(?:nav|menu|foot|footer|sidebar|side|widget|breadcrumbs?|pagination|pager|tagcloud|social|"
    r"share|blogroll|archives?-list|"
    r"calendar|comments?)(?:$|[-_ ])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TocEntry:
    """One entry of a TOC page's list."""

    title: str
    url: str
    snippet: str = ""
    date: str = ""
    """`YYYY-MM-DD`, if the item shows one."""
    image: str = ""
    """Address of the picture beside it."""
    page: int = -1
    """The page it leads to, if that is in the set."""


@dataclass(frozen=True)
class SiteLinks:
    """Per link of a site: where it stands, and how many pages have the same link at the same place."""

    place: Hashes
    share: Floats

    @classmethod
    def of(cls, site: Site) -> SiteLinks:
        """Look at all links of a site."""
        links = site.links
        place = first_name_places(site)[links.node]
        ids: dict[str, int] = {}
        target = np.array([ids.setdefault(url, len(ids)) for url in links.url], np.uint64)
        mixed = (place ^ (target * np.uint64(0x9E3779B97F4A7C15))) if len(links) else np.zeros(0, np.uint64)
        _, which = np.unique(mixed, return_inverse=True)
        # Each page counts once for a link however often it has it.
        pairs = np.unique(which.astype(np.int64) * max(site.n_pages, 1) + links.page)
        n_pages = np.bincount(pairs // max(site.n_pages, 1))
        share = n_pages[which] / max(site.n_pages, 1) if len(links) else np.zeros(0)
        return cls(place, share if site.n_pages >= MIN_SITE else np.zeros(len(links)))


@dataclass
class _Group:
    links: list[int]
    weight: float = 0.0
    is_side: bool = False


def toc_entries(site: Site, page: int, score: Floats | None = None, links: SiteLinks | None = None) -> list[TocEntry]:
    """The entries of a page's main list, in document order, one for each address.

    `score` is a `NodeVerdict.node_score`; `links` is made once for all pages of a site.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<nav><a href=/>Home</a></nav><li><a href=a>All about tea</a> Boil it.<li><a href=b>Milk in tea</a>"
    >>> for entry in toc_entries(build_site([Capture("http://a.org/", html)]), 0):
    ...     print(f"{entry.title} <{entry.url}> {entry.snippet!r}")
    All about tea <http://a.org/a> 'Boil it.'
    Milk in tea <http://a.org/b> ''
    """
    links = links if links is not None else SiteLinks.of(site)
    mine = site.page_links(page)
    own = [
        i
        for i in range(mine.start, mine.stop)
        if (url := site.links.url[i]) and not site.links.is_self[i] and not _FILE.search(url.partition("?")[0])
    ]
    if not own:
        return []
    titles = dict(zip(own, anchor_labels(site, own), strict=True))
    groups: dict[int, _Group] = {}
    for i in own:
        groups.setdefault(int(links.place[i]), _Group([])).links.append(i)
    for group in groups.values():
        _weigh(site, group, titles, links, score)
    best = max(groups.values(), key=lambda group: group.weight)
    if best.weight <= 0:
        return []
    chosen = sorted(
        i
        for group in groups.values()
        if group.weight >= CLOSE * best.weight and (best.is_side or not group.is_side)
        for i in group.links
    )
    return _entries(site, page, chosen, titles)


def _weigh(site: Site, group: _Group, titles: dict[int, str], links: SiteLinks, score: Floats | None) -> None:
    nodes = site.nodes
    by_target: dict[str, int] = {}
    texts: set[str] = set()
    for i in group.links:
        if links.share[i] < ON_MANY_PAGES:
            by_target[site.links.url[i]] = max(by_target.get(site.links.url[i], 0), _says(titles[i]))
            texts.add(titles[i])
    # What says the same of every target ("read more", "3 comments") says it once.
    said = sum(min(n, FULL_ANCHOR) for n in by_target.values()) * max(
        0.3, min(1.0, len(texts) / max(len(by_target), 1))
    )
    if not said:
        return
    rows = [int(site.links.node[i]) for i in group.links]
    group.is_side, is_heading = _surroundings(site, rows[0])
    factor = (0.05 if group.is_side else 1.0) * (2.0 if is_heading else 1.0)
    if len(by_target) < 2 and not is_heading:
        factor *= 0.5
    if score is not None:
        inner = [score[r : nodes.end[r]][nodes.tag[r : nodes.end[r]] == TEXT] for r in rows]
        values = np.concatenate(inner) if inner else np.zeros(0)
        factor *= 0.1 + 0.9 * float(values.mean()) if len(values) else 0.5
    same = float(np.mean([bool(site.links.is_same_site[i]) for i in group.links]))
    within = float(np.mean([_is_within_prose(site, row) for row in rows[:50]]))
    shown = float(np.mean([bool(nodes.text_end[row] > nodes.text_start[row]) for row in rows[:50]]))
    # Short anchors are menus, tags and numbers: the square of the mean length parts them from titles.
    mean = said / len(by_target)
    factor *= (0.02 + 0.98 * same) * (1.0 - 0.95 * within) * (0.2 + 0.8 * shown)
    group.weight = float(said * mean * factor)


def _is_within_prose(site: Site, row: int) -> bool:
    """True for a link that text stands before in its block."""
    nodes = site.nodes
    up = int(nodes.parent[row])
    while up >= 0 and not _IS_BLOCK[nodes.tag[up]]:
        up = int(nodes.parent[up])
    return up >= 0 and int(nodes.text_start[row] - nodes.text_start[up]) > LEAD


def _says(title: str) -> int:
    # Scripts without spaces say more with a character.
    return len(title) + len(_EAST_ASIAN.findall(title))


def _surroundings(site: Site, row: int) -> tuple[bool, bool]:
    """(inside of a menu, footer or side box; inside of a heading)."""
    nodes = site.nodes
    is_side = is_heading = False
    end = int(nodes.end[row])
    is_heading = bool(_HEADING[nodes.tag[row:end]].any())
    while row >= 0:
        tag = int(nodes.tag[row])
        if tag in (_BODY, _MAIN):
            break
        is_side = is_side or bool(_SIDE[tag])
        is_heading = is_heading or bool(_HEADING[tag])
        if not is_side:
            attrs = site.node_attrs(row)
            is_side = bool(_SIDE_NAME.search(f"{attrs.get('class', '')} {attrs.get('id', '')}"))
        row = int(nodes.parent[row])
    return is_side, is_heading


class _Item(NamedTuple):
    """An address of the list, the link that names it, and the element that holds its entry."""

    url: str
    link: int
    row: int


def _entries(site: Site, page: int, chosen: list[int], titles: dict[int, str]) -> list[TocEntry]:
    nodes = site.nodes
    by_url: dict[str, list[int]] = defaultdict(list)
    for i in chosen:
        by_url[site.links.url[i]].append(i)
    rows = np.array([int(site.links.node[i]) for i in chosen], np.int64)
    urls = [site.links.url[i] for i in chosen]
    ids = {url: k for k, url in enumerate(by_url)}
    target = np.array([ids[u] for u in urls], np.int64)
    # How often the target changes up to each link: no change between two of them is one target, whatever the distance.
    changes = prefix_sum(target[1:] != target[:-1])
    anchors: dict[str, list[int]] = defaultdict(list)
    for i in titles:
        anchors[site.links.url[i]].append(int(site.links.node[i]))
    items: list[_Item] = []
    for url, found in by_url.items():
        longest = max(found, key=lambda i: (len(titles[i]), -i))
        items.append(_Item(url, longest, _item(site, int(site.links.node[longest]), len(ids) == 1, rows, changes)))
    items.sort(key=lambda item: item.link)
    view = View(site, page)
    is_before = bool(items) and bool(_date_in(view, int(nodes.parent[items[0].row]) + 1, items[0].row))
    said = Counter(titles[item.link] for item in items)
    out: list[TocEntry] = []
    for k, (url, link, item) in enumerate(items):
        skip = anchors[url]
        end = int(nodes.end[item])
        snippet = _text(site, page, item, end, skip)
        following = items[k + 1].row if k + 1 < len(items) else -1
        is_flat = following >= end and nodes.parent[following] == nodes.parent[item]
        if not snippet and is_flat:
            # Flat lists: what follows the heading up to the next one.
            snippet = _text(site, page, end, following, skip)
        before = int(nodes.end[items[k - 1].row]) if k else int(nodes.parent[item]) + 1
        date = _date_in(view, item, end)
        if not date and is_before and before <= item:
            date = _date_in(view, max(before, item - MAX_ITEM_ROWS), item)
        elif not date and is_flat:
            date = _date_in(view, end, following)
        title = _title_in(view, int(site.links.node[link])) or titles[link] or url
        if _NO_TITLE.fullmatch(title) or said[titles[link]] >= SAME or parse_date(title):
            title = _heading_of(view, before, item) or title
        image = _image_in(site, page, item, end)
        out.append(TocEntry(title, url, snippet, date, image, int(site.links.target[link])))
    return out


def _date_in(view: View, start: int, end: int) -> str:
    """The first date that these rows show."""
    nodes = view.site.nodes
    datetimes = view.attrs("datetime")
    for row in range(start, min(end, start + MAX_ITEM_ROWS)):
        if row in datetimes and (found := parse_date(datetimes[row])):
            return found
        size = int(nodes.text_end[row] - nodes.text_start[row])
        # The element around a text node first: months and years may be nodes of their own.
        if 6 <= size <= MAX_DATE_LINE and (found := parse_date(view.text(row), view.day_first)):
            return found
    return ""


def _title_in(view: View, link: int) -> str:
    """The heading within a link, or its text without a date; empty when it has neither."""
    nodes = view.site.nodes
    inside = range(link, min(int(nodes.end[link]), link + MAX_ITEM_ROWS))
    if heading := next((row for row in inside if _HEADING[nodes.tag[row]]), None):
        return view.text(heading)
    texts = [view.text(row) for row in inside if nodes.tag[row] == TEXT]
    rest = [text for text in texts if not (len(text) <= MAX_DATE and parse_date(text, view.day_first))]
    return " ".join(rest) if 0 < len(rest) < len(texts) else ""


def _heading_of(view: View, start: int, item: int) -> str:
    """The first heading of an item, or the last one before it and after the item before."""
    nodes = view.site.nodes
    inside = [r for r in range(item, min(int(nodes.end[item]), item + MAX_ITEM_ROWS)) if _HEADING[nodes.tag[r]]]
    above = [r for r in range(max(start, item - MAX_ITEM_ROWS), item) if _HEADING[nodes.tag[r]]]
    return next((text for row in (*inside[:1], *above[::-1][:1]) if (text := view.text(row))), "")


def _image_in(site: Site, page: int, start: int, end: int) -> str:
    """The first picture of an item that is no icon."""
    nodes = site.nodes
    for row in range(start, min(end, start + MAX_ITEM_ROWS)):
        if nodes.tag[row] == _IMG:
            attrs = site.node_attrs(row)
            sizes = [attrs.get(name, "") for name in ("width", "height")]
            if not any(v.isascii() and v.isdigit() and int(v[:6]) < MIN_IMAGE for v in sizes) and (
                url := image_address(attrs, site.pages.base[page])
            ):
                return "" if url.startswith("data:") else url
    return ""


def _item(site: Site, row: int, is_alone: bool, rows: Ints64, changes: Ints64) -> int:
    """The item of a link: the largest element around it with no link of the list to anything else."""
    nodes = site.nodes
    while True:
        up = int(nodes.parent[row])
        if up < 0 or nodes.tag[up] in (_BODY, _HTML, _MAIN):
            return row
        lo, hi = np.searchsorted(rows, [up, int(nodes.end[up])])
        if changes[lo] != changes[hi - 1]:
            return row
        if is_alone and nodes.text_end[up] - nodes.text_start[up] > MAX_ITEM:
            return row
        row = up


def _text(site: Site, page: int, start: int, end: int, skip: list[int]) -> str:
    """Text of rows without some subtrees, blocks apart by a space, cut at `MAX_SNIPPET`."""
    nodes, text = site.nodes, site.texts[page]
    left = deque(sorted(skip))
    pieces: list[str] = []
    size = 0
    row = start
    while row < end and size < 2 * MAX_SNIPPET:
        while left and left[0] < row:
            left.popleft()
        if left and left[0] == row:
            row = int(nodes.end[row])
            pieces.append(" ")
            continue
        tag = nodes.tag[row]
        if nodes.flags[row] & SPACE_BEFORE or tag != TEXT:
            pieces.append(" ")
        if tag == TEXT:
            pieces.append(text[nodes.text_start[row] : nodes.text_end[row]])
            size += len(pieces[-1])
        row += 1
    found = " ".join("".join(pieces).split())
    if len(found) > MAX_SNIPPET:
        found = found[:MAX_SNIPPET].rsplit(" ", 1)[0] + "…"
    return found.strip(" |·•-–—:")
