"""One page of the tables as the readers of fields see it: attributes by name, text of rows, names of classes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.types import Ints16, Ints64
from sitegrain.article.fields.dates import writes_day_first
from sitegrain.tables.address import host_of
from sitegrain.tables.elements import is_named
from sitegrain.tables.site import HIDDEN, SPACE_BEFORE, Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TEXT, tag_mask
from sitegrain.text.jsonld import LinkedData, read_linked_data

_NAMES = (ATTRIBUTES.index("class"), ATTRIBUTES.index("id"))
MAX_ROWS = 400
"""Rows of a subtree that are read as one text: more is no field."""
_ENDS_LINE = frozenset(",.:;!?)")
"""Signs that belong to what stands before them, also where that is a block."""
BREAKS = frozenset(TAG_CODE[tag] for tag in (*BLOCK_TAGS, "br"))
# Where other things stand than the page's own title, author and date.
_ELSEWHERE_TAGS = frozenset(TAG_CODE[tag] for tag in ("nav", "form", "template", "dialog"))
_SIDE_TAGS = frozenset(TAG_CODE[tag] for tag in ("footer", "aside"))
_PAGE_TAGS = frozenset(TAG_CODE[tag] for tag in ("body", "html", "main", "article"))
_IS_HEADING = tag_mask(HEADINGS)
SMALL_SIDE = 300
"""Characters of an `<aside>` or `<footer>` inside of an article that may hold its date and author."""
_ELSEWHERE_NAMES = re.compile(
    r"comment|(?:^|[-_ ])(?:nav|menu|aside|footer|cookie)|sidebar|related|recommend|popular|trending|recent|latest|"
    r"(?:^| )widget|read-?more|more-?(?:stories|posts|articles|news)|also-?like|next-?post|prev(?:$|[-_ i])|"
    r"breadcrumb|newsletter|"
    r"promo|teaser|carousel|disqus|respond",
    re.IGNORECASE,
)
_OTHERS = frozenset({"comment", "usercomments", "answer", "review"})
"""Items of microdata that others wrote."""
EXAMPLES = ("code", "samp", "kbd")
"""What these hold is an example: a line of a log, what a program prints."""


class RowLists(NamedTuple):
    """Columns of the rows of a page; numbers of rows are those of the site."""

    tag: Sequence[int]
    parent: Sequence[int]
    end: Sequence[int]
    text_start: Sequence[int]
    text_end: Sequence[int]
    flags: Sequence[int]


class View:
    """One page of a site."""

    def __init__(self, site: Site, page: int) -> None:
        self.site = site
        self.page = page
        self.rows = site.page_rows(page)
        self.meta = site.pages.meta[page]
        self.day_first = writes_day_first(site.pages.language[page], host_of(site.pages.url[page]))
        """How the page writes 3/4/2020, if it can be told; what the site's other dates tell goes before."""
        self.clock_dates: frozenset[str] = frozenset()
        """Dates that nearly all pages of the site show: the day of the visit, or of the site's last change."""
        self.shown_dates: dict[bool | None, list[tuple[int, str]]] = {}
        """By how 3/4/2020 is read: `visible.shown_dates`."""
        self._texts: dict[int, str] = {}
        """Headings and lines are asked for by several fields."""
        self._attrs: dict[str, dict[int, str]] = {}
        self._elsewhere: tuple[dict[int, bool], dict[int, bool]] = ({}, {})

    @cached_property
    def linked(self) -> LinkedData:
        return read_linked_data(self.site.pages.json_ld[self.page])

    @cached_property
    def tag(self) -> Ints16:
        return self.site.nodes.tag[self.rows]

    def tagged(self, *names: str) -> list[int]:
        """Rows of the page with one of these tags."""
        if len(names) > 1:
            return sorted(row for name in names for row in self.tagged(name))
        code = TAG_CODE[names[0]]
        if names[0] in HEADINGS:
            return [row for row, of in self._headings if of == code]
        found: list[int] = (np.flatnonzero(self.tag == code) + self.rows.start).tolist()
        return found

    @cached_property
    def _headings(self) -> list[tuple[int, int]]:
        """(row, code of its tag) of headings, which are asked for one tag after the other, and again."""
        at = np.flatnonzero(_IS_HEADING[self.tag])
        return list(zip((at + self.rows.start).tolist(), self.tag[at].tolist(), strict=True))

    @cached_property
    def _h1(self) -> Ints64:
        return np.asarray(self.tagged("h1"), np.int64)

    def attrs(self, name: str) -> dict[int, str]:
        """Row -> value of an attribute, in document order."""
        if name not in self._attrs:
            self._attrs[name] = self.site.attr_values(self.page, ATTRIBUTES.index(name))
        return self._attrs[name]

    def _row_names(self, row: int) -> list[str]:
        """The class and the id of a row, the class first. A title asks for few rows: those of all are not made for it."""
        node, name, value = self._attr_lists
        strings, own = self.site.strings, self._own_attrs
        at = bisect_left(node, row, own.start, own.stop)
        found: list[str] = []
        while at < own.stop and node[at] == row:
            if name[at] in _NAMES and (said := strings[value[at]]):
                found.insert(len(found) if name[at] == _NAMES[1] else 0, said)
            at += 1
        return found

    @cached_property
    def _own_attrs(self) -> slice:
        return self.site.page_attrs(self.page)

    @cached_property
    def _attr_lists(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Rows, names and values of the attributes of the site, as views of memory; see `lists`."""
        attrs = self.site.attrs
        return attrs.node.data, attrs.name.data, attrs.value.data

    def named(self, pattern: re.Pattern[str], *names: str) -> list[int]:
        """Rows whose class or id (or these attributes) match, in document order."""
        return sorted(
            {
                row
                for name in names or ("class", "id")
                for row, value in self.attrs(name).items()
                if is_named(pattern, value)
            }
        )

    @cached_property
    def lists(self) -> RowLists:
        """The rows as views of memory: single numbers come out of them faster than out of arrays (35 ns against 50). Lists are faster
        still (16), but to make them costs more than most pages ask for."""
        nodes, rows = self.site.nodes, self.rows
        columns = (nodes.tag, nodes.parent, nodes.end, nodes.text_start, nodes.text_end, nodes.flags)
        return RowLists(*(column[rows].data for column in columns))

    def text(self, row: int) -> str:
        """Text of a row's subtree as a line: blocks apart by a space."""
        if (known := self._texts.get(row)) is None:
            known = self._texts[row] = self._text(row)
        return known

    def _text(self, row: int) -> str:
        first = self.rows.start
        tags, parent, ends, starts, stops, flags = self.lists
        row -= first
        if row < 0:
            return ""  # above the root
        end = min(ends[row] - first, row + MAX_ROWS)
        page_text = self.site.texts[self.page]
        if end - row <= 2:
            return " ".join(page_text[starts[row] : stops[row]].split())
        pieces: list[str] = []
        closed: set[int] = set()  # where the blocks so far end
        for i in range(row, end):
            tag = tags[i]
            if tag in BREAKS:
                closed.add(ends[i] - first)
                pieces.append(" ")
            elif flags[i] & SPACE_BEFORE or (i in closed and page_text[starts[i] : starts[i] + 1] not in _ENDS_LINE):
                pieces.append(" ")
            if tag == TEXT:
                pieces.append(page_text[starts[i] : stops[i]])
                if tags[parent[i] - first] in BREAKS:
                    pieces.append(" ")
        return " ".join("".join(pieces).split())

    def is_elsewhere(self, row: int, sides: bool = True) -> bool:
        """True inside of what is not the page's own matter: menus, comments, lists of other pages, what is hidden;
        and, with `sides`, in an `<aside>` or `<footer>`."""
        seen: list[int] = []
        cache = self._elsewhere[sides]
        first, lists = self.rows.start, self.lists
        up = row
        answer = False
        while up >= 0:
            if (known := cache.get(up)) is not None:
                answer = known
                break
            seen.append(up)
            tag = lists.tag[up - first]
            if tag in _PAGE_TAGS:
                # Themes name the whole page after what it also holds ("has-sidebar", "comments-open").
                up = lists.parent[up - first]
                continue
            if (
                tag in _ELSEWHERE_TAGS
                or lists.flags[up - first] & HIDDEN
                or (sides and tag in _SIDE_TAGS and not self._is_small_in_article(up))
                or self._is_named_elsewhere(up)
            ):
                answer = True
                break
            up = lists.parent[up - first]
        for i in seen:
            cache[i] = answer
        return answer

    def _is_small_in_article(self, row: int) -> bool:
        nodes = self.site.nodes
        return int(nodes.text_end[row] - nodes.text_start[row]) <= SMALL_SIDE and self.inside(row, "article", "main")

    def _is_named_elsewhere(self, row: int) -> bool:
        for value in self._row_names(row):
            if is_named(_ELSEWHERE_NAMES, value):
                # A box that holds most of the page, or its heading, is the page.
                nodes = self.site.nodes
                size = int(nodes.text_end[row] - nodes.text_start[row])
                inside = np.searchsorted(self._h1, [row, int(nodes.end[row])])
                return 2 * size < len(self.site.texts[self.page]) and bool(inside[0] == inside[1])
        return False

    @cached_property
    def _of_others(self) -> list[int]:
        types = self.attrs("itemtype").items()
        return [row for row, value in types if value.rpartition("/")[2].lower() in _OTHERS]

    def is_of_others(self, row: int) -> bool:
        """True in a comment, an answer or a review, as microdata tells them."""
        return any(other < row < self.site.nodes.end[other] for other in self._of_others)

    def has_code(self, row: int) -> bool:
        """True when a row is, stands in or holds what a program reads or prints: no name of a person, and no date of the page."""
        end = int(self.site.nodes.end[row])
        return self.inside(row, *EXAMPLES) or any(row < code < end for code in self.tagged(*EXAMPLES))

    def inside(self, row: int, *names: str) -> bool:
        """True when a row is or stands in an element with one of these tags."""
        codes = {TAG_CODE[name] for name in names}
        first, lists = self.rows.start, self.lists
        while row >= 0:
            if lists.tag[row - first] in codes:
                return True
            row = lists.parent[row - first]
        return False
