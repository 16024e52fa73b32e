"""Groups of links that stand at the same place of a page, and which of them belong to one list."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from sitegrain.article.fields.days.dates import YEAR, is_month, parse_date
from sitegrain.article.fields.titles.titles import squeeze
from sitegrain.article.fields.view import View
from sitegrain.article.lists.listlinks import link_columns, may_say_when
from sitegrain.article.lists.sitelinks import IN_HEADING, ON_MANY_PAGES, SiteLinks, in_headings
from sitegrain.light import dataclass
from sitegrain.tables.elements import REMEMBERED
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, tag_mask

MAX_DATE = 40
"""Characters of a text that is a date and no more."""
MAX_KNOWN = 300
"""Characters of a text of which it is remembered whether it says when."""
SAME_KIND = 3
"""Elements, from the link up, whose tags and first class names are those of the list's links."""
CLOSE = 0.2
"""Weight of a group next to the heaviest one that makes it part of the list. On the TOC pages of 65 labelled sites 0.15 and 0.25 do as well,
0.3 loses a second column of short titles on three of them."""
PERIOD = 0.1
"""What a group of links to months and years weighs next to titles of as many letters: it is the archive beside a list, and the list of
a page that has no other."""
BESIDE = 0.8
"""Share of the links of a group that stand within items of the list. Set beforehand."""
ON_NEARLY_ALL, SOME = 0.8, 0.25
"""What `ON_MANY_PAGES` is in a group of which some links stand on fewer pages than that, and how many of them those must be. Set beforehand."""
_IS_LIST = tag_mask(("ul", "ol", "dl"))
_IS_ITEM = tag_mask(("li", "dt", "dd"))
_IS_LOOK = tag_mask(("center", "font", "big", "b", "strong", "i", "em"))
"""Elements that say how something looks: pages made by hand put them around some items of a list."""
_IN_LISTS = frozenset(
    TAG_CODE[tag] for tag in ("ul", "ol", "dl", "li", "dt", "dd", "p", "span", "b", "strong", "i", "em", "font")
)
_IS_CELL = tag_mask(("td", "th"))
_WHEN = re.compile(
    r"\W*(?:\d{1,2}[:.h]\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?|permalink|permanent link|#|¶|∞)\W*", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")
_PAGE = frozenset(TAG_CODE[tag] for tag in ("html", "body"))
MIN_TITLE = 8
"""Letters and digits of a link that may be a title: less is a label. Set beforehand."""
_WORD = re.compile(r"(?![年月日년월일])[^\W\d_]+")


@dataclass
class Group:
    links: list[int]
    weight: float = 0.0
    each: float = 0.0
    """Weight of a target."""
    is_side: bool = False


def name_permalinks(view: View, headings: list[int], titles: dict[int, str], links: SiteLinks) -> dict[int, int]:
    """Under a post that is printed whole its one link may say no more than when it was written: the heading since the last
    such link names it, if it is no link itself and no link of the site below it says the same (a card that is clickable as a whole has the title in a link
    of its own, and the day leads to its month). Link -> row of that heading."""
    out: dict[int, int] = {}
    last: dict[int, int] = {}
    url = view.site.links.url
    if not headings:
        return out
    may_be = link_columns(view.site).may_say_when
    said = ((i, title) for i, title in titles.items() if may_be[i])
    when = [i for i, title in said if (_known_when if len(title) <= MAX_KNOWN else _says_when)(title, view.day_first)]
    if not when:
        return out
    in_heading = in_headings(view.site)
    is_named = {url[i] for i in titles if in_heading[i]}
    said_at: dict[str, list[int]] = {}
    columns = link_columns(view.site)
    for i, title in titles.items():
        if columns.is_same_site[i]:
            said_at.setdefault(title, []).append(int(view.site.links.node[i]))

    def is_said_below(at: int, text: str, row: int) -> bool:
        """Whether a link says this up to the next heading, in the smallest element with the heading and the link that says when."""
        if not (rows := said_at.get(text)):
            return False
        heading, first, lists = headings[at - 1], view.rows.start, view.lists
        while row > heading:
            row = lists.parent[row - first]
        end = lists.end[row - first] if row >= first else view.rows.stop
        end = min(end, headings[at]) if at < len(headings) else end
        return bisect_left(rows, heading) < bisect_left(rows, end)

    for i in when:
        if url[i] not in is_named:
            place, row = int(links.place[i]), int(view.site.links.node[i])
            at = bisect_left(headings, row)
            is_since = bisect_left(headings, last.get(place, 0)) < at
            last[place] = row
            if is_since and (text := view.text(headings[at - 1])) and not is_said_below(at, text, row):
                titles[i] = text
                out[i] = headings[at - 1]
    return out


def says_period(title: str) -> bool:
    """True for a link that names a month or a year and no more.

    >>> says_period("October 2013 (7)"), says_period("2013年10月"), says_period("March madness 2013"), says_period("2013")
    (True, True, False, True)
    """
    if len(YEAR.findall(title)) != 1:
        return False
    words = _WORD.findall(title)
    return not words or (len(words) == 1 and is_month(words[0]))


def _says_when(title: str, day_first: bool | None) -> bool:
    """True for a date or a time and no more.

    >>> [_says_when(t, None) for t in ("3 May 2020", "2020-05-03 10:30 pm", "2020-05-03 Tea", "9:30 PM", "#")]
    [True, True, False, True, True]
    """
    if not may_say_when(title):
        return False  # most titles
    if _WHEN.fullmatch(title):
        return True
    words = _WORD.findall(title)
    is_bare = len(words) <= 1 and all(len(word) <= 2 or is_month(word) for word in words)
    return is_bare and bool(parse_date(title, day_first))


_known_when = lru_cache(maxsize=REMEMBERED)(_says_when)
"""Links come again on other pages."""


def own_links(site: Site, group: Group, share: Sequence[float] | Mapping[int, float]) -> list[int]:
    """The links of a group that are no menu's. Some of a list stand on few pages; a page of three tags, an author and a month stands on more of the
    lists of a small site, and still not on nearly all of them. What a share counts less for, in headings, nearly all counts less for, too, unless
    the page has it twice: in its list, and in one that all pages have."""
    rare = [i for i in group.links if share[i] < ON_MANY_PAGES]
    if len(rare) < SOME * len(group.links):
        return rare
    in_heading, url = in_headings(site), site.links.url
    often = Counter(url[i] for i in group.links)
    least = (ON_NEARLY_ALL, ON_NEARLY_ALL * IN_HEADING)
    return [i for i in group.links if share[i] < least[bool(in_heading[i]) and often[url[i]] == 1]]


def in_the_same_box(
    view: View,
    best: Group,
    groups: Iterable[Group],
    links: SiteLinks,
    share: Sequence[float] | Mapping[int, float],
) -> list[Group]:
    """Groups of links in the element around the list, outside of its items, that each name a page beside those of the list by its title: the
    first story, set larger, and the last ones, which have but a line."""
    first, lists, of_site = view.rows.start, view.lists, view.site.links

    def may_fit(i: int) -> bool:
        return share[i] < ON_MANY_PAGES and links.target[i] >= 0

    beyond = (group for group in groups if group is not best and not group.is_side)
    others = [group for group in beyond if all(map(may_fit, group.links))]
    if not others:
        return []
    starts = sorted(int(of_site.node[i]) for i in best.links)
    folders = {_folder(of_site.url[i]) for i in best.links}

    def fits(i: int) -> bool:
        target = int(links.target[i])
        if _folder(of_site.url[i]) not in folders:
            return False
        text = squeeze(view.text(int(of_site.node[i])))
        if len(text) < MIN_TITLE or text not in squeeze(links.page_title[target]):
            return False
        up = int(of_site.node[i])
        lo = hi = 0
        while lo == hi:
            up = lists.parent[up - first]
            if up < first or lists.tag[up - first] in _PAGE:
                return False
            lo, hi = bisect_left(starts, up), bisect_left(starts, lists.end[up - first])
        return hi - lo >= max(2.0, BESIDE * len(starts))

    return [group for group in others if all(map(fits, group.links))]


def _folder(url: str) -> str:
    """An address up to its last slash, without numbers.

    >>> _folder("http://a.org/news/2024/05/tea.html"), _folder("http://a.org/news/tea/")
    ('http://a.org/news/#/#/', 'http://a.org/news/')
    """
    return _DIGITS.sub("#", url.rstrip("/").rpartition("/")[0] + "/")


def of_the_same_kind(site: Site, chosen: list[Group], groups: Iterable[Group]) -> list[Group]:
    """Groups of links with the same names around them as those of the list, at another depth or in another column, each of
    which says about as much."""

    def kind(group: Group) -> tuple[tuple[int, str], ...]:
        row = int(site.links.node[group.links[0]])
        out: list[tuple[int, str]] = []
        while row >= 0 and len(out) < SAME_KIND:
            name = " ".join(site.node_attrs(row).get("class", "").split()[:1])
            if name or not _IS_LOOK[site.nodes.tag[row]]:
                out.append((int(site.nodes.tag[row]), name))
            row = int(site.nodes.parent[row])
        return tuple(out)

    known = {kind(group) for group in chosen}
    least = CLOSE * max(group.each for group in chosen)
    return [
        group
        for group in groups
        if group.each >= least
        and not group.is_side
        and not any(group is other for other in chosen)
        and kind(group) in known
    ]


def in_the_same_slots(site: Site, chosen: list[Group], groups: Iterable[Group]) -> list[Group]:
    """Groups of links that stand where those of the list do and not beside them: the same items, with other names (a link
    to a page that is a redirection, or is not written yet)."""
    around, slot = link_columns(site).around, link_columns(site).slot

    def slots(group: Group) -> dict[int, int]:
        """Row of the element around each link -> its place."""
        return {up: slot[i] for i in group.links if (up := around[i]) >= 0}

    def lines(own: Iterable[int]) -> set[int]:
        """The rows of a table that cells stand in, and other elements themselves: the cells of a row are beside one another."""
        return {int(site.nodes.parent[up]) if _IS_CELL[site.nodes.tag[up]] else up for up in own}

    taken: dict[int, int] = {}
    for group in chosen:
        taken.update(slots(group))
    known, taken_lines = set(taken.values()), lines(taken)
    return [
        group
        for group in groups
        if group.weight > 0
        and not any(group is other for other in chosen)
        and (own := slots(group))
        and set(own.values()) <= known
        and own.keys().isdisjoint(taken)
        and lines(own).isdisjoint(taken_lines)
    ]


@per_site
def _lists_in_items(site: Site) -> list[int]:
    """Rows of the lists that stand right in an item of another, in document order."""
    at = np.flatnonzero(_IS_LIST[site.nodes.tag])
    up = site.nodes.parent[at]
    rows: list[int] = at[(up >= 0) & _IS_ITEM[site.nodes.tag[up]]].tolist()
    return rows


def of_the_same_tree(view: View, chosen: list[Group], groups: Iterable[Group]) -> list[Group]:
    """Groups of links in the other levels of the nested list that those of the list stand in: the chapters above sections, the answers
    below a message. Each has an item to itself."""
    first, lists, node = view.rows.start, view.lists, view.site.links.node
    if not view.of_page(_lists_in_items(view.site)):
        return []

    def place(i: int) -> tuple[int, int]:
        """(the item around a link, the outermost list around that)."""
        item = top = -1
        up = lists.parent[int(node[i]) - first]
        while up >= first and lists.tag[up - first] in _IN_LISTS:
            if _IS_ITEM[lists.tag[up - first]]:
                item = up if item < 0 else item
            elif _IS_LIST[lists.tag[up - first]]:
                top = up
            up = lists.parent[up - first]
        return item, top

    places = [place(i) for group in chosen for i in group.links]
    items, tops = {item for item, _ in places}, {top for _, top in places}
    if min(tops) < 0:
        return []
    out: list[Group] = []
    for group in groups:
        if group.weight > 0 and not any(group is other for other in chosen):
            own = [place(i) for i in group.links]
            if all(top in tops and item not in items for item, top in own) and len(set(own)) == len(own):
                out.append(group)
    return out


def beside(view: View, best: Group, group: Group) -> bool:
    """True for links within the items of the list that are no items: pictures alone (faces of authors), or the same few targets again and
    again in the same words (categories, authors). An item is the largest element around one of them with one link target of the list in it."""
    links = view.site.links
    own = {links.url[i] for i in best.links}
    others = [i for i in group.links if links.url[i] not in own]
    said = {view.text(int(links.node[i])) for i in group.links}
    if not others or (2 * len(said) > len(group.links) and any(said)) or not _has_text(view, best):
        return False
    rows = sorted((int(links.node[i]), links.url[i]) for i in best.links)
    starts = [row for row, _ in rows]
    first, lists = view.rows.start, view.lists
    n_beside = 0
    for i in others:
        up = int(links.node[i])
        lo = hi = 0
        while up >= first and lo == hi:
            up = lists.parent[up - first]
            if up >= first:
                lo, hi = bisect_left(starts, up), bisect_left(starts, lists.end[up - first])
        n_beside += lo < hi and len({url for _, url in rows[lo:hi]}) == 1
    return n_beside >= BESIDE * len(others)


def _has_text(view: View, group: Group) -> bool:
    return any(view.text(int(view.site.links.node[i])) for i in group.links[:50])
