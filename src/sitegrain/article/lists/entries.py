"""The list that a TOC page is there for: its entries with title, address and snippet.

Links that stand at the same path (tags and first class names) are one group: the titles of a list, its "read more"
links, a menu. A group's weight is how much its anchors say, less what marks a menu: standing in `<nav>` or `<footer>`,
the same links on many pages of the site, a low score of the text; and what marks a link within prose: text before it in
its block, another site. The heaviest group is the list; groups close to it belong to it. The date of an item stands in it, or
before or after it, as with the first one. A link that only says when ("9:30 PM") or "permalink" is called by the heading before
it, one that says "more" by the heading of its item, or by the title of the page it leads to.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from sitegrain import native
from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.sitevote import SiteFields
from sitegrain.article.fields.titles.titles import strip_site
from sitegrain.article.fields.view import View
from sitegrain.article.lists.listdates import MAX_ITEM_ROWS, Item, list_dates
from sitegrain.article.lists.listgroups import (
    CLOSE,
    MAX_DATE,
    MAX_KNOWN,
    PERIOD,
    Group,
    beside,
    in_the_same_box,
    in_the_same_slots,
    name_permalinks,
    of_the_same_kind,
    of_the_same_tree,
    own_links,
    says_period,
)
from sitegrain.article.lists.listlinks import SCORE_STEPS, TextScores, entry_links, link_columns
from sitegrain.article.lists.sitelinks import FULL_ANCHOR, ON_MANY_PAGES, SiteLinks
from sitegrain.light import late_pattern
from sitegrain.native.scripts import EAST_ASIAN, char_class
from sitegrain.render.images import image_address
from sitegrain.tables.elements import REMEMBERED, is_named
from sitegrain.tables.paths import anchor_texts
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS, TAG_CODE, TEXT, tag_mask

MAX_SNIPPET = 500
MAX_ITEM = 3000
"""Characters of an item of a list of one; beyond, it is the page around it."""
SAME = 3
"""Targets that a text may not name alike if it is a title."""
MIN_LINE, MIN_IMAGE = 6, 32
"""Characters of a text that can be a title where no link says it, and pixels of a picture that is no icon."""
_NO_TITLE = re.compile(
    r"\W*(?:(?:read|continue|keep|see|view|learn|find)?\s*(?:the\s+)?(?:more|reading|full|rest|on)\b.{0,40}|permalink|permanent link|"
    r"link|#|weiterlesen.{0,20}|mehr(?: lesen)?|lire la suite.{0,20}|leer m[aá]s.{0,20}|seguir leyendo.{0,20}|"
    r"continua.{0,20}|leia mais|saiba mais|ver m[aá]s|lees verder|читать.{0,20}|далее|подробн.{0,20}|details?|loe (?:veel|edasi|rohkem)|阅读全文|繼續閱讀|閱讀全文|続きを読む|もっと見る|more|"
    r"\d{1,2}[:.h]\d\d\s*(?:[ap]\.?m\.?)?|comments?.{0,15}|\d+ comments?|[^\W\d]{1,15}\s?\(\d+\))\W*",
    re.IGNORECASE,
)
_DAY = re.compile(r"\W*(?:\d{1,2}[-/.]\d{1,2}|\d{1,2}月\d{1,2}日)\W*")
_SIDE = frozenset(TAG_CODE[tag] for tag in ("nav", "footer", "aside", "form"))
_HEADING = tag_mask(HEADINGS)
_HEADING_CODES = frozenset(TAG_CODE[tag] for tag in HEADINGS)
_ITEMS = frozenset(TAG_CODE[tag] for tag in ("li", "tr", "article", "section"))
"""What a list of one is an item of."""
_BODY, _HTML, _MAIN, _HEADER, _ARTICLE, _FORM = (
    TAG_CODE[tag] for tag in ("body", "html", "main", "header", "article", "form")
)
_EAST_ASIAN = late_pattern(f"[{char_class(EAST_ASIAN)}]")
_FIRST_EAST_ASIAN = chr(EAST_ASIAN[0][0])
_SIDE_NAME = re.compile(
    r"(?:^|(?<!with|.has|..no)[-_ ])(?:nav|menu|foot|footer|sidebar|side|widget|bread-?crumbs?|pagination|pager|tagcloud|social|"
    r"share|blogroll|archives?-list|"
    r"calendar|comments?)(?:$|[-_ ])",
    re.IGNORECASE,
)


@lru_cache(maxsize=REMEMBERED)
def _known_no_title(text: str) -> bool:
    return _NO_TITLE.fullmatch(text) is not None


def _is_no_title(text: str) -> bool:
    """True for "read more" and the like. Titles come again on other pages."""
    return _known_no_title(text) if len(text) <= MAX_KNOWN else _known_no_title.__wrapped__(text)


class TocEntry(NamedTuple):
    """One entry of a TOC page's list."""

    title: str
    url: str
    snippet: str = ""
    date: str = ""
    """`YYYY-MM-DD` when it was written, if the list shows it."""
    image: str = ""
    """Address of the picture beside it."""
    page: int = -1
    """The page it leads to, if that is in the set."""
    updated: str = ""
    """`YYYY-MM-DD` of the last change or post, if the item shows one: boards do."""


class _PageLinks:
    """The links of a page that may be entries."""

    def __init__(self, view: View, links: SiteLinks, scores: TextScores | None) -> None:
        self.columns = link_columns(view.site)
        self.row = self.columns.row
        self.share: Sequence[float] | dict[int, float] = links.share.data
        self.scores = scores
        self._first, self._ends = view.rows.start, view.lists.end

    def mean_score(self, scores: TextScores, rows: Iterable[int]) -> float:
        """The mean score of the texts in the subtrees of these rows; below 0 without texts."""
        (sums, counts), first, ends = scores, self._first, self._ends
        total = n = 0
        for row in rows:
            end = ends[row - first]
            total += sums[end] - sums[row]
            n += counts[end] - counts[row]
        return total / n / SCORE_STEPS if n else -1.0


def toc_entries(
    site: Site,
    page: int,
    scores: TextScores | None = None,
    links: SiteLinks | None = None,
    fields: SiteFields | None = None,
    view: View | None = None,
) -> list[TocEntry]:
    """The entries of a page's main list, in document order, one for each address.

    `scores` and `links` are made once for all pages of a site; `fields` tell how the site
    writes 3/4/2020 and which days stand on all of its pages; `view` is the page as other fields were read from it.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<nav><a href=/>Home</a></nav><li><a href=a>All about tea</a> Boil it.<li><a href=b>Milk in tea</a>"
    >>> for entry in toc_entries(build_site([Capture("http://a.org/", html)]), 0):
    ...     print(f"{entry.title} <{entry.url}> {entry.snippet!r}")
    All about tea <http://a.org/a> 'Boil it.'
    Milk in tea <http://a.org/b> ''
    """
    links = links if links is not None else SiteLinks.of(site)
    own = entry_links(site).of_page(page)
    if not own:
        return []
    labels = anchor_texts(site)
    titles = {i: labels[i] for i in own}
    view = View(site, page) if view is None else view.again()
    if fields is not None:
        view.day_first = view.day_first if fields.day_first is None else fields.day_first
        view.clock_dates = frozenset(fields.clock_dates)
    headings = view.headings
    named = name_permalinks(view, headings, titles, links)
    if not any(titles.values()):  # a menu of pictures: its targets say what they are
        titles = {i: links.page_title[t] if (t := int(links.target[i])) >= 0 else "" for i in own}
    groups: dict[tuple[int, bool], Group] = {}
    place: Sequence[int] = links.place.data
    for i in own:
        key = place[i], i in named
        if (group := groups.get(key)) is None:
            group = groups[key] = Group([])
        group.links.append(i)
    of = _PageLinks(view, links, scores)
    for group in groups.values():
        _weigh(view, group, titles, of, named)
    best = max(groups.values(), key=lambda group: group.weight)
    if best.weight <= 0:  # all pages of this kind have the same list: it is a menu, or there is but one list
        of.share = dict.fromkeys(own, 0.0)
        for group in groups.values():
            _weigh(view, group, titles, of, named)
        best = max(groups.values(), key=lambda group: group.weight)
    if best.weight <= 0:
        return []
    chosen = [
        group
        for group in groups.values()
        if group.weight >= CLOSE * best.weight and (best.is_side or not group.is_side)
    ]
    chosen = [group for group in chosen if group is best or not beside(view, best, group)]
    chosen += in_the_same_slots(site, chosen, groups.values())
    chosen += of_the_same_kind(site, chosen, groups.values())
    chosen += of_the_same_tree(view, chosen, groups.values())
    others = [group for group in groups.values() if not any(group is other for other in chosen)]
    chosen += in_the_same_box(view, best, others, links, of.share)
    own = sorted(i for group in chosen for i in own_links(site, group, of.share))
    return _entries(view, headings, own, titles, links, of, named, fields)


def _weigh(view: View, group: Group, titles: dict[int, str], of: _PageLinks, named: dict[int, int]) -> None:
    links, url = group.links, view.site.links.url
    by_target: dict[str, int] = {}
    texts: set[str] = set()
    share = of.share
    for i in links:
        if share[i] < ON_MANY_PAGES:
            address, title = url[i], titles[i]
            says = len(title) if title.isascii() else _says(title)
            says = FULL_ANCHOR if says > FULL_ANCHOR else says
            if says >= by_target.get(address, 0):
                by_target[address] = says
            texts.add(title)
    if not (total := sum(by_target.values())):
        return
    # What says the same of every target ("read more", "3 comments") says it once.
    said = total * max(0.3, min(1.0, len(texts) / len(by_target)))
    group.is_side, is_heading = _surroundings(view, of.row[links[0]])
    is_heading = is_heading or links[0] in named
    factor = (0.05 if group.is_side else 1.0) * (2.0 if is_heading else 1.0)
    if len(by_target) < 2 and not is_heading:
        factor *= 0.5
    if all(map(says_period, texts)):
        factor *= PERIOD
    if of.scores is not None:
        mean = of.mean_score(
            of.scores, [named.get(i, of.row[i]) for i in links] if named else [of.row[i] for i in links]
        )
        factor *= 0.1 + 0.9 * mean if mean >= 0 else 0.5
    columns = of.columns
    same = sum([columns.is_same_site[i] for i in links]) / len(links)
    some = links[:50]
    within = sum([columns.is_within_prose[i] for i in some]) / len(some)
    shown = sum([columns.is_shown[i] for i in some]) / len(some)
    # Short anchors are menus, tags and numbers: the square of the mean length parts them from titles.
    mean = said / len(by_target)
    factor *= (0.02 + 0.98 * same) * (1.0 - 0.95 * within) * (0.2 + 0.8 * shown)
    group.weight = float(said * mean * factor)
    group.each = group.weight / len(by_target)


def _says(title: str) -> int:
    # Scripts without spaces say more with a character.
    if title.isascii() or max(title) < _FIRST_EAST_ASIAN:
        return len(title)
    return len(title) + len(_EAST_ASIAN.findall(title))


def _surroundings(view: View, row: int) -> tuple[bool, bool]:
    """(inside of a menu, footer or side box; inside of a heading)."""
    first, lists, headings = view.rows.start, view.lists, view.headings
    classes, ids = view.attrs("class"), view.attrs("id")
    is_side = in_header = False
    is_heading = bisect_left(headings, row) < bisect_left(headings, lists.end[row - first])
    while row >= 0:
        tag = lists.tag[row - first]
        if tag in (_BODY, _MAIN):
            break
        if tag == _ARTICLE:
            in_header = False  # a post has a header of its own
        in_header = in_header or tag == _HEADER
        is_side = is_side or (tag in _SIDE and not (tag == _FORM and view.holds_page(row)))
        is_heading = is_heading or tag in _HEADING_CODES
        if not is_side and (row in classes or row in ids):
            is_side = is_named(_SIDE_NAME, f"{classes.get(row, '')} {ids.get(row, '')}")
        row = lists.parent[row - first]
    return is_side or in_header, is_heading


class _Item(NamedTuple):
    """An address of the list, the link that names it, and the element that holds its entry."""

    url: str
    link: int
    row: int


def _entries(
    view: View,
    headings: list[int],
    chosen: list[int],
    titles: dict[int, str],
    links: SiteLinks,
    of: _PageLinks,
    named: dict[int, int],
    known: SiteFields | None,
) -> list[TocEntry]:
    first, lists = view.rows.start, view.lists
    by_url: dict[str, list[int]] = defaultdict(list)
    all_urls, to_section = view.site.links.url, of.columns.to_section
    rows = [of.row[i] for i in chosen]
    urls = [all_urls[i] for i in chosen]
    for i, url in zip(chosen, urls, strict=True):
        by_url[url].append(i)
    # How often the target changes up to each link: no change between two of them is one target, whatever the distance.
    changes = [0, *accumulate(a != b for a, b in pairwise(urls))]
    anchors: dict[str, list[int]] = defaultdict(list)
    headed: dict[str, list[int]] = defaultdict(list)
    for i, title in titles.items():
        if (url := all_urls[i]) in by_url:
            anchors[url].append(of.row[i])
            if of.columns.in_heading[i] and title and not to_section[i]:
                headed[url].append(i)
    items: list[_Item] = []
    for url, found in by_url.items():
        # A link to a section of a page has the section's name.
        if len(found) > 1:
            found = [i for i in found if not to_section[i]] or found
        longest = found[0] if len(found) == 1 else max(found, key=lambda i: (len(titles[i]), -i))
        item = _item(view, of.row[longest], len(by_url) == 1, rows, changes)
        # A summary may be a link as well, and be longer than the title in the heading.
        named_by = (i for i in headed[url] if item <= of.row[i] < lists.end[item - first])
        items.append(_Item(url, next(named_by, longest), item))
    items.sort(key=lambda item: item.link)
    places = [(of.row[item.link], item) for item in items]
    when = list_dates(view, [Item(item.url, row, named.get(item.link, row), item.row) for row, item in places])
    said = Counter([titles[item.link] for item in items])
    out: list[TocEntry] = []
    for k, (url, link, item) in enumerate(items):
        skip = anchors[url]
        end, up = lists.end[item - first], lists.parent[item - first]
        snippet = _text(view, item, end, skip)
        following = items[k + 1].row if k + 1 < len(items) else -1
        is_flat = following >= end and lists.parent[following - first] == up
        if not snippet and is_flat:
            # Flat lists: what follows the heading up to the next one.
            snippet = _text(view, end, following, skip)
        before = lists.end[items[k - 1].row - first] if k else up + 1
        texts = _texts_in(view, of.row[link])
        title = (texts[0] if len(texts) == 1 else "") or titles[link] or url
        if len(texts) > 1:
            called = _called(links, link, url, known)
            title = called if called in texts else _undated(view, texts) or title
        if _is_no_title(title) or said[titles[link]] >= SAME or parse_date(title):
            called = _called(links, link, url, known)
            is_answer = (
                called and called in title
            )  # answers to a letter are all called "[tea] Re: milk", and the pages "milk"
            if not is_answer:
                line = _first_line(view, item, end, called)
                title = _heading_of(view, headings, before, item) or line or called or title
        image = _image_in(view, item, end)
        date, updated = when[k]
        out.append(TocEntry(title, url, snippet, date, image, int(links.target[link]), updated))
    return out


def _called(links: SiteLinks, link: int, url: str, known: SiteFields | None) -> str:
    """The `<title>` of the page that a link leads to, without what the site adds to it; empty if that is not known."""
    leads_to = int(links.target[link])
    title = links.page_title[leads_to] if leads_to >= 0 else ""
    if known is None or not title:
        return title
    return strip_site(title, [known.site_name] if known.site_name else [], url, known.title_ends)


def _texts_in(view: View, link: int) -> list[str]:
    """The heading within a link, or all its texts if it has several."""
    first, lists = view.rows.start, view.lists
    own: list[int] = []
    for row in range(link, min(lists.end[link - first], link + MAX_ITEM_ROWS)):
        tag = lists.tag[row - first]
        if tag == TEXT:
            own.append(row)
        elif tag in _HEADING_CODES:
            return [view.text(row)]
    return [view.text(row) for row in own] if len(own) > 1 else []  # of one text nothing is left beside a date


def _undated(view: View, texts: list[str]) -> str:
    """Texts without those that are dates; empty if none or all of them are."""
    rest = [t for t in texts if not (len(t) <= MAX_DATE and (parse_date(t, view.day_first) or _DAY.fullmatch(t)))]
    return " ".join(rest) if 0 < len(rest) < len(texts) else ""


def _heading_of(view: View, headings: list[int], start: int, item: int) -> str:
    """The first heading of an item, or the last one before it and after the item before."""
    lo, at, hi = (bisect_left(headings, row) for row in (start, item, view.lists.end[item - view.rows.start]))
    found = [*headings[at:hi][:1], *headings[lo:at][-1:]]
    texts = (text for row in found if (text := view.text(row)) and not says_period(text))
    return next((text for text in texts if len(text) > MAX_DATE or not parse_date(text, view.day_first)), "")


def _first_line(view: View, start: int, end: int, called: str) -> str:
    """The first text of an item beside its date, if it can be a title: words, not "more", and part of the target's title if that is known."""
    first, tags = view.rows.start, view.lists.tag
    texts = (view.text(row) for row in range(start, min(end, start + MAX_ITEM_ROWS)) if tags[row - first] == TEXT)
    line = next((t for t in texts if len(t) >= MIN_LINE and not parse_date(t, view.day_first)), "")
    is_title = sum(map(str.isalpha, line)) > sum(map(str.isdigit, line)) and not _is_no_title(line)
    return line if is_title and len(line) <= MAX_SNIPPET and (not called or line in called) else ""


def _image_in(view: View, start: int, end: int) -> str:
    """The first picture of an item that is no icon."""
    site, images = view.site, view.images
    stop = min(end, start + MAX_ITEM_ROWS)
    for row in images[bisect_left(images, start) : bisect_left(images, stop)]:
        attrs = site.node_attrs(row)
        sizes = [attrs.get(name, "") for name in ("width", "height")]
        if not any(v.isascii() and v.isdigit() and int(v[:6]) < MIN_IMAGE for v in sizes) and (
            url := image_address(attrs, site.pages.base[view.page])
        ):
            return "" if url.startswith("data:") else url
    return ""


def _item(view: View, row: int, is_alone: bool, rows: list[int], changes: list[int]) -> int:
    """The item of a link: the largest element around it with no link of the list to anything else."""
    first, lists = view.rows.start, view.lists
    while True:
        up = lists.parent[row - first]
        if up < 0 or lists.tag[up - first] in (_BODY, _HTML, _MAIN):
            return row
        lo, hi = bisect_left(rows, up), bisect_left(rows, lists.end[up - first])
        if changes[lo] != changes[hi - 1]:
            return row
        if is_alone and (
            lists.tag[row - first] in _ITEMS
            or lists.text_end[up - first] - lists.text_start[up - first] > MAX_ITEM
            or _HEADING[view.tag[up - first : row - first]].any()
        ):
            return row
        row = up


def _text(view: View, start: int, end: int, skip: list[int]) -> str:
    """Text of rows without some subtrees, blocks apart by a space, cut at `MAX_SNIPPET`."""
    found = native.snippet(
        view.site.texts[view.page], view.lists, view.rows.start, start, end, sorted(skip), MAX_SNIPPET
    )
    if len(found) > MAX_SNIPPET:
        found = found[:MAX_SNIPPET].rsplit(" ", 1)[0] + "…"
    return found.strip(" |·•-–—:")
