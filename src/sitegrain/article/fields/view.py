"""One page of the tables as the readers of fields see it: attributes by name, text of rows, names of classes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Ints16
from sitegrain.article.fields.days.dates import has_open_order, writes_day_first, year_spots
from sitegrain.article.fields.shared import (
    ELSEWHERE,
    ELSEWHERE_NAMES,
    EXAMPLES,
    FORM,
    PAGES,
    SIDES,
    SMALL_SIDE,
    TextNodes,
    asked_rows,
    elsewhere,
    examples,
    heading_rows,
    line_rows,
    pages_with,
    text_nodes,
)
from sitegrain.native.inputs import LineRows
from sitegrain.tables.address import host_of, page_key, resolve
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, TAG_CODE, TAGS
from sitegrain.text.jsonld import LinkedData, read_linked_data
from sitegrain.text.language import primary_language, text_language

MAX_ROWS = 400
"""Rows of a subtree that are read as one text: more is no field."""
MAX_OWN_LINKS = 20
"""Links of a page to itself that are looked at."""
_NOT_LINKED = LinkedData(())
_A = TAG_CODE["a"]
_NAMES = tuple(ATTRIBUTES.index(name) for name in ("class", "id"))
BREAKS = frozenset(TAG_CODE[tag] for tag in (*BLOCK_TAGS, "br"))
_IS_BREAK = bytes(code in BREAKS for code in range(len(TAGS)))
_OTHERS = frozenset({"comment", "usercomments", "answer", "review"})
"""Items of microdata that others wrote."""


class View:
    """One page of a site."""

    def __init__(self, site: Site, page: int) -> None:
        self.site = site
        self.page = page
        self.rows = site.page_rows(page)
        self.meta = site.pages.meta[page]
        self.clock_dates: frozenset[str] = frozenset()
        """Dates that nearly all pages of the site show: the day of the visit, or of the site's last change."""
        self.shown_dates: dict[bool | None, tuple[list[tuple[int, str]], Iterator[tuple[int, str]]]] = {}
        """By how 3/4/2020 is read: `visible.shown_dates` as far as they were asked for, and the others."""
        self._texts: dict[int, str] = {}
        """Headings and lines are asked for by several fields."""
        self._attrs: dict[str, dict[int, str]] = {}

    def again(self) -> View:
        """The same page for another reader, as it was at first; what is known of its rows is shared."""
        new = View(self.site, self.page)
        mine = (self._texts, self._attrs, self.lists, self.years)
        new._texts, new._attrs, new.lists, new.years = mine
        return new

    @cached_property
    def day_first(self) -> bool | None:
        """How the page writes 3/4/2020, if it can be told; what the site's other dates tell goes before."""
        language = self.site.pages.language[self.page]
        if not language and has_open_order(self.site.texts[self.page]):
            language = self.language
        return writes_day_first(language, host_of(self.site.pages.url[self.page]))

    @cached_property
    def language(self) -> str:
        """What the page declares, or else what most of its words are of."""
        declared = primary_language(self.site.pages.language[self.page])
        return declared or text_language(self.site.texts[self.page])

    @cached_property
    def timed(self) -> list[int]:
        """Rows with a `datetime`."""
        return list(self.attrs("datetime"))

    @cached_property
    def headings(self) -> list[int]:
        """Rows of headings."""
        return self.of_page(heading_rows(self.site))

    @cached_property
    def images(self) -> list[int]:
        """Rows of pictures."""
        return self.tagged("img")

    @cached_property
    def linked(self) -> LinkedData:
        blobs = self.site.pages.json_ld[self.page]
        return read_linked_data(blobs) if blobs else _NOT_LINKED

    @cached_property
    def tag(self) -> Ints16:
        return self.site.nodes.tag[self.rows]

    def tagged(self, *names: str) -> list[int]:
        """Rows of the page with one of these tags; those of `ASKED` are known."""
        if len(names) > 1:
            return sorted(row for name in names for row in self.tagged(name))
        code = TAG_CODE[names[0]]
        if code in self._asked:
            return self.of_page(self._asked[code])
        found: list[int] = (np.flatnonzero(self.tag == code) + self.rows.start).tolist()
        return found

    @cached_property
    def _asked(self) -> dict[int, list[int]]:
        return asked_rows(self.site)

    def attrs(self, name: str) -> dict[int, str]:
        """Row -> value of an attribute, in document order."""
        if (known := self._attrs.get(name)) is None:
            number = ATTRIBUTES.index(name)
            # Of a page alone it takes longer to know which it has than to look for some.
            is_there = self.site.n_pages == 1 or self.page in pages_with(self.site)[number]
            known = self._attrs[name] = self.site.attr_values(self.page, number) if is_there else {}
        return known

    def values(self, start: int, stop: int, names: Sequence[int]) -> list[tuple[int, str]]:
        """(row, value) of the attributes with these numbers, of a few rows: to find those of all rows takes longer."""
        node, name, value = self._attr_columns
        at, out = bisect_left(node, start), []
        while at < len(node) and node[at] < stop:
            if name[at] in names:
                out.append((node[at], self.site.strings[value[at]]))
            at += 1
        return out

    @cached_property
    def _attr_columns(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        attrs = self.site.attrs
        return attrs.node.data, attrs.name.data, attrs.value.data

    def of_page(self, rows: list[int]) -> list[int]:
        """Those of these rows of the site, which are in document order, that are of the page."""
        return rows[bisect_left(rows, self.rows.start) : bisect_left(rows, self.rows.stop)]

    @cached_property
    def lists(self) -> LineRows:
        """The rows as views of memory."""
        rows = self.rows
        return LineRows(*[column[rows] for column in line_rows(self.site)])

    @cached_property
    def text_nodes(self) -> TextNodes:
        """The text nodes of the page."""
        rows, starts, ends = text_nodes(self.site)
        own = slice(bisect_left(rows, self.rows.start), bisect_left(rows, self.rows.stop))
        return TextNodes(rows[own], starts[own], ends[own])

    @property
    def text_rows(self) -> list[int]:
        """Rows of text nodes."""
        return self.text_nodes.rows

    @cached_property
    def years(self) -> list[int]:
        """Where four digits that may be a year begin in the page's text."""
        return year_spots(self.site.texts[self.page])

    def has_year(self, start: int, end: int) -> bool:
        """False for characters of the page's text without four digits that may be a year: they hold no date either. Also digits that
        stand in a longer number count, as the texts of two nodes follow one another without a space."""
        at = bisect_left(self.years, start)
        return at < len(self.years) and self.years[at] + 4 <= end

    def text(self, row: int) -> str:
        """Text of a row's subtree as a line: blocks apart by a space."""
        if (known := self._texts.get(row)) is None:
            first = self.rows.start
            if row < first:
                return ""  # above the root
            text = self.site.texts[self.page]
            known = self._texts[row] = native.line_text(text, self.lists, first, row, MAX_ROWS, _IS_BREAK)
        return known

    def is_elsewhere(self, row: int, sides: bool = True) -> bool:
        """True inside of what is not the page's own matter: menus, comments, lists of other pages, what is hidden;
        and, with `sides`, in an `<aside>` or `<footer>`."""
        if self.site.n_pages > 1:
            return row >= 0 and bool(self._elsewhere[sides][row])
        # A page alone asks of few rows, and the names of all its elements take longer to look at than those above these.
        known, seen, answer = self._walked[sides], [], False
        while row >= 0:
            if (said := known.get(row)) is not None:
                answer = said
                break
            seen.append(row)
            if self._is_other_box(row, sides):
                answer = True
                break
            row = self.lists.parent[row]
        known.update(dict.fromkeys(seen, answer))
        return answer

    @cached_property
    def _walked(self) -> tuple[dict[int, bool], dict[int, bool]]:
        return {}, {}

    def _is_other_box(self, row: int, sides: bool) -> bool:
        """One element of a page alone, asked what `elsewhere` asks of all."""
        tags, _, _, starts, stops, flags = self.lists
        tag = tags[row]
        if tag in PAGES:
            return False
        size = stops[row] - starts[row]
        if tag in ELSEWHERE or (flags[row] & HIDDEN and 2 * size < len(self.site.texts[self.page])):
            return True
        if sides and tag in SIDES and not (size <= SMALL_SIDE and self.inside(row, "article", "main")):
            return True
        names = self.values(row, row + 1, _NAMES)
        if tag != FORM and not any(is_named(ELSEWHERE_NAMES, name) for _, name in names):
            return False
        return not self.holds_page(row)

    def holds_page(self, row: int) -> bool:
        """True for an element that holds most of the page, or its heading: no box of it. Of some programs the whole page is a form."""
        at, headings = row - self.rows.start, self._asked[TAG_CODE["h1"]]
        size = self.lists.text_end[at] - self.lists.text_start[at]
        has_heading = bisect_left(headings, row) < bisect_left(headings, self.lists.end[at])
        return has_heading or 2 * size >= len(self.site.texts[self.page])

    @cached_property
    def _elsewhere(self) -> tuple[Sequence[int], Sequence[int]]:
        found = elsewhere(self.site)
        return found.strictly.data, found.or_aside.data

    @cached_property
    def _of_others(self) -> list[int]:
        """Rows of items that others wrote, none of them inside of another."""
        out: list[int] = []
        for row, value in self.attrs("itemtype").items():
            is_inside = bool(out) and row < self.site.nodes.end[out[-1]]
            if not is_inside and value.rpartition("/")[2].lower() in _OTHERS:
                out.append(row)
        return out

    def is_of_others(self, row: int) -> bool:
        """True in a comment, an answer or a review, as microdata tells them."""
        at = bisect_left(self._of_others, row) - 1
        return at >= 0 and row < int(self.site.nodes.end[self._of_others[at]])

    def has_code(self, row: int) -> bool:
        """True when a row is, stands in or holds what a program reads or prints: no name of a person, and no date of the page."""
        end = int(self.site.nodes.end[row])
        codes = (self._asked[TAG_CODE[tag]] for tag in EXAMPLES)
        return bool(examples(self.site).in_code[row]) or any(
            (at := bisect_right(rows, row)) < len(rows) and rows[at] < end for rows in codes
        )

    def inside(self, row: int, *names: str) -> bool:
        """True when a row is or stands in an element with one of these tags."""
        codes = {TAG_CODE[name] for name in names}
        first, lists = self.rows.start, self.lists
        while row >= 0:
            if lists.tag[row - first] in codes:
                return True
            row = lists.parent[row - first]
        return False

    @cached_property
    def own_links(self) -> list[int]:
        """Rows of the links to the page itself, but for those to a place in it; none on a home page, to which all pages lead."""
        own = page_key(self.site.pages.url[self.page])
        last = own.partition("?")[0].rstrip("/").rpartition("/")[2].lower() if "/" in own else ""
        if not last:
            return []
        # To read all links takes ten times as long as to look for the end of the address in them.
        base = self.site.pages.base[self.page]
        near = [row for row, href in self.attrs("href").items() if last in href.lower() and "#" not in href]
        return [row for row in near[:MAX_OWN_LINKS] if page_key(resolve(self.attrs("href")[row], base)) == own]

    def leads_on(self, row: int) -> bool:
        """True when a row stands in a link, and that not to the page itself."""
        first, lists = self.rows.start, self.lists
        while row >= 0 and lists.tag[row - first] != _A:
            row = lists.parent[row - first]
        href = self.attrs("href").get(row, "") if row >= 0 else ""
        found = resolve(href, self.site.pages.base[self.page]) if href else ""
        return bool(href) and (not found or page_key(found) != page_key(self.site.pages.url[self.page]))
