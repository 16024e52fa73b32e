"""The dates of a list's items: where a list shows when each of its pages was written.

What is marked as a date goes first (`<time>`, a class that names one), then the line of the link, then a date that stands alone above
items ("January 20, 2005": it holds for all up to the next one), then a line of the item that says little else, then what follows the
item in a flat list. A day without its year ("12-31", "3 January") takes the year from the heading above it or from an address. A sentence
that speaks of a day is no date line, and neither is a title, unless most titles of the list have one. Boards show when a thread was last written to: that is no
date of the thread, and told apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.article.fields.days.calendars import is_western
from sitegrain.article.fields.days.dates import YEAR, day_of_year, is_next_day, parse_date, url_date
from sitegrain.article.fields.days.visible import DATE_CLASS, date_of
from sitegrain.article.fields.view import View
from sitegrain.article.lists.listgroups import MAX_DATE
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import Asked, cached_property, per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TEXT

MAX_ITEM_ROWS = 400
"""Rows of an item that are searched for its date, heading and picture."""
MAX_DATE_LINE = 120
"""Characters of an element that may be a date line."""
ABOVE = 12
"""Rows before the first item in which a date stands above it, as `BESIDE` of the title of a page."""
MOST = 0.5
"""Share of the items from which a way to write dates is the list's; set beforehand."""
_BLOCKS = frozenset(TAG_CODE[tag] for tag in BLOCK_TAGS)
_MARKS = frozenset(TAG_CODE[tag] for tag in ("a", "b", "strong", "em", "i", "u", "mark"))
_TABLE, _TR, _TD, _TH = (TAG_CODE[tag] for tag in ("table", "tr", "td", "th"))
_LAST = re.compile(
    r"\b(?:last|latest)[-_ ]?(?:post|reply|answer|message|comment|activity|active|updated?|edit|modif|change)|\bactivity\b|\bupdated\b|\bmodified\b|"
    r"letzte[rsn]?\s(?:beitr|antwort|nachricht|aktiv|änder)|aktivität|aktualisiert|geändert|"
    r"derni[eè]re?s?\s(?:message|réponse|activité|modif)|activité|mis à jour|"
    r"[uú]ltim[oa]s?\s(?:mensaje|respuesta|actividad|modif|actuali|mensagem|resposta|atividade|messaggi|rispost|attivit)|actualizad|atualizad|aggiornat|"
    r"laatste\s(?:bericht|reactie|antwoord)|bijgewerkt|ostatni|poslední|utolsó|senast|siste (?:innlegg|svar)|son (?:mesaj|yanıt)|"
    r"последн|обновл|τελευταί|最后|最後|最終|最新|更新|마지막|آخرین",
    re.IGNORECASE,
)
_IN_LAST = (
    "last", "latest", "activity", "updated", "modified", "letzte", "aktualisiert", "derni", "ltim", "actualizad", "atualizad", "aggiornat", "laatste",
    "bijgewerkt", "ostatni", "senast", "siste", "son ", "aktivität", "geändert", "activité", "mis à jour", "poslední", "utolsó",
)  # fmt: skip
"""One of these stands in every text that the pattern matches, if that has letters of the West alone."""
_FIRST = re.compile(r"publi|post(?:ed)?[-_ ](?:on|date)|entry-date|created", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_YEAR_PART = re.compile(r"(?<=/)(?:19|20)\d\d(?=/)")
_LETTERS = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{2,}")
MAX_BESIDE = 24
"""Letters of a line that is a date and no more: the month, the day of the week, "posted on"."""


class Item(NamedTuple):
    """An item of a list."""

    url: str
    link: int
    """Row of the link that names it."""
    title: int
    """Row of the heading that names it, or of the link."""
    row: int
    """The element that holds its entry."""


class When(NamedTuple):
    """When the page of an item was written, and last written to; empty where the list does not show it."""

    date: str = ""
    updated: str = ""


class _Shown(NamedTuple):
    row: int
    date: str
    is_marked: bool
    is_title: bool
    is_last: bool


def list_dates(view: View, items: Sequence[Item]) -> list[When]:
    """The dates of the items, which are in document order."""
    shown = [_shown_in(view, item) for item in items]
    lines_above = _above(view, items)
    above = _dates_above(view, lines_above)
    titled = [next((s.date for s in own if s.is_title), "") for own in shown]
    of_titles = titled if sum(map(bool, titled)) > MOST * len(items) else [""] * len(items)
    in_year = _days_of_years(view, items, lines_above) if not all(shown) else [""] * len(items)
    columns = _Columns(view)
    out: list[When] = []
    for k, (item, own) in enumerate(zip(items, shown, strict=True)):
        last = [s for s in own if s.is_last or columns.tell_last(s.row)]
        lines = [s for s in own if not s.is_title and s not in last]
        date = _date_in(view, item, lines, above[k]) if lines else above[k]
        if not date and not last:
            date = _date_after(view, items, k)
        date = date or in_year[k] or of_titles[k]
        out.append(When(_day_of_address(item.url, date) if date else "", last[0].date if last else ""))
    return out


def _date_in(view: View, item: Item, lines: list[_Shown], above: str) -> str:
    """The date of an item that shows some, by how sure they are."""
    marked = next((s.date for s in lines if s.is_marked), "")
    return marked or _date_beside(view, item, lines) or above or lines[0].date


def _day_of_address(url: str, date: str) -> str:
    """Marked dates may be in UTC; an address has the day where it was written."""
    near = url_date(url)
    return near if is_next_day(near, date) else date


def _shown_in(view: View, item: Item) -> list[_Shown]:
    at = item.row - view.rows.start
    end, timed = view.lists.end[at], view.timed
    has_year = view.has_year(view.lists.text_start[at], view.lists.text_end[at])
    if not has_year and (not timed or bisect_left(timed, item.row) == bisect_left(timed, end)):
        return []
    found = list(_dated(view, item.row, end))
    inside = _titles_of(view, item) if found else range(0)
    return [
        _Shown(row, date, is_marked, row in inside and not is_marked, _is_last(view, row, item.row))
        for row, date, is_marked in found
    ]


def _titles_of(view: View, item: Item) -> range:
    """Rows of the heading in an item's link, or of the link: a date there is part of the title, if that says more."""
    first, lists = view.rows.start, view.lists
    end = min(lists.end[item.title - first], item.title + MAX_ITEM_ROWS)
    at = bisect_left(view.headings, item.title)
    heading = view.headings[at] if at < len(view.headings) and view.headings[at] < end else item.title
    size = lists.text_end[heading - first] - lists.text_start[heading - first]
    is_card = heading == item.title and size > MAX_DATE
    is_card = is_card and sum(lists.tag[row - first] == TEXT for row in range(item.title, end)) > 1
    said = view.text(heading)
    if is_card or (_is_date(said, view.day_first) and len(_WORD.findall(said)) <= 2):  # a month and a day of the week
        return range(0)
    return range(heading, lists.end[heading - first])


def _is_date(line: str, day_first: bool | None) -> bool:
    if len(line) > MAX_DATE or not parse_date(line, day_first):
        return False
    return len(line) <= MAX_BESIDE or len(_LETTERS.findall(line)) <= MAX_BESIDE


def _dated(view: View, start: int, end: int) -> Iterator[tuple[int, str, bool]]:
    """(row, date, it is marked as one) of the elements and texts in these rows that show a date, each once."""
    first, marked, day_first, years = view.rows.start, view.timed, view.day_first, view.years
    _, parents, ends, starts, stops, _ = view.lists
    row = max(start, first)
    stop = min(end, row + MAX_ITEM_ROWS)
    seen = (-1, -1)
    while row < stop:
        begin, close = span = starts[row - first], stops[row - first]
        at = bisect_left(marked, row) if marked else 0
        if at < len(marked) and marked[at] == row:
            if found := date_of(view, row):
                yield row, found, True
                row = ends[row - first]
                continue
            at += 1
        k = bisect_left(years, begin)
        if (
            k == len(years) or years[k] + 4 > close
        ):  # no year in it (`View.has_year`), nor in anything in it, but for marks
            row = row + 1 if at < len(marked) and marked[at] < ends[row - first] else ends[row - first]
            continue
        # All that the element before it holds was looked at; the element around a text node goes first, as months and years may be nodes
        # of their own.
        if span != seen and 6 <= close - begin <= MAX_DATE_LINE:
            seen = span
            last = min(ends[row - first], row + MAX_ITEM_ROWS)  # empty elements may be many
            found = parse_date(view.text(row), day_first)
            if found and bisect_left(marked, row) == bisect_left(marked, last):
                inner = last - 1
                while inner > row and not (
                    view.has_year(starts[inner - first], stops[inner - first])
                    and parse_date(view.text(inner), day_first) == found
                ):
                    inner -= 1
                if found not in view.clock_dates and _is_line(view, inner):
                    classes, up, is_named_so = view.attrs("class"), inner, False
                    while up >= row and not is_named_so:
                        is_named_so = up in classes and is_named(DATE_CLASS, classes[up])
                        up = parents[up - first]
                    yield inner, found, is_named_so
                    row = inner
        row += 1


def _is_line(view: View, row: int) -> bool:
    """False for a text within a paragraph: a day that a sentence speaks of."""
    first, lists = view.rows.start, view.lists
    up, is_marked_text = row, False
    while lists.tag[up - first] not in _BLOCKS:
        is_marked_text = is_marked_text or lists.tag[up - first] in _MARKS
        up = lists.parent[up - first]
        if up < first:
            return True
    if lists.text_end[up - first] - lists.text_start[up - first] <= MAX_DATE_LINE:
        return True
    is_edge = lists.text_start[row - first] - lists.text_start[up - first] < 3 or (
        lists.text_end[up - first] - lists.text_end[row - first] < 3
    )
    return len(view.text(row)) <= MAX_DATE and (is_edge or not is_marked_text)


def _is_last(view: View, row: int, top: int) -> bool:
    """True where the line of a date or a name around it says that it is that of the last change or post."""
    first, lists = view.rows.start, view.lists
    classes = view.attrs("class")
    up = row
    while up >= top:
        if name := classes.get(up, ""):
            if is_named(_FIRST, name):
                return False
            if is_named(_LAST, name):
                return True
        size = lists.text_end[up - first] - lists.text_start[up - first]
        if lists.tag[up - first] in _BLOCKS:
            return size <= MAX_DATE_LINE and _says_last(view.text(up).partition(":")[0][:MAX_DATE_LINE])
        up = lists.parent[up - first]
    return False


def _says_last(line: str) -> bool:
    """Lines of items differ, and most have none of the words, which are soon looked for."""
    if is_western(line):
        lower = line.lower()
        for word in _IN_LAST:  # `any` takes twice as long
            if word in lower:
                break
        else:
            return False
    return _LAST.search(line) is not None


def _date_beside(view: View, item: Item, lines: list[_Shown]) -> str:
    """The date in the line of a link ("Posted by Ann at 9:30 on 3 May 2020"): a post that is printed whole may speak of others."""
    first, lists = view.rows.start, view.lists
    up = item.link
    while lists.tag[up - first] not in _BLOCKS:
        up = lists.parent[up - first]
        if up < item.row:
            return ""  # other items stand in the same line
    end = lists.end[up - first]
    return next((s.date for s in lines if up <= s.row < end), "")


class _Columns:
    """Tables of which the first row says what is in their columns."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._last: dict[int, set[int]] = {}

    def tell_last(self, row: int) -> bool:
        """True in a column of last posts."""
        first, lists = self._view.rows.start, self._view.lists
        if not self._has_table:
            return False
        cell = row
        while lists.tag[cell - first] not in (_TD, _TH):
            cell = lists.parent[cell - first]
            if cell < first:
                return False
        line = table = lists.parent[cell - first]
        while table >= first and lists.tag[table - first] != _TABLE:
            table = lists.parent[table - first]
        if table < first or lists.tag[line - first] != _TR:
            return False
        if table not in self._last:
            rows = range(table, min(lists.end[table - first], table + MAX_ITEM_ROWS))
            head = next((r for r in rows if lists.tag[r - first] == _TR), -1)
            names = () if head < 0 else self._cells(head)
            self._last[table] = {
                at
                for at, cell, span in names
                for at in range(at, at + span)
                if len(said := self._view.text(cell)) <= MAX_DATE and is_named(_LAST, said)
            }
        last = self._last[table]
        return bool(last) and next((at in last for at, other, _ in self._cells(line) if other == cell), False)

    @cached_property
    def _has_table(self) -> bool:
        return bool(self._view.tagged("table"))

    def _cells(self, line: int) -> Iterator[tuple[int, int, int]]:
        """(column, row, columns that it spans) of the cells of a row."""
        first, lists, spans = self._view.rows.start, self._view.lists, self._view.attrs("colspan")
        at, n, row, end = 0, 0, line + 1, lists.end[line - first]
        while row < end and n < MAX_ITEM_ROWS:
            if lists.tag[row - first] in (_TD, _TH):
                said = spans.get(row, "")
                span = max(1, min(int(said[:3]), 99)) if said.isascii() and said[:3].isdigit() else 1
                yield at, row, span
                at += span
                n += 1
            row = lists.end[row - first]


def _above(view: View, items: Sequence[Item]) -> list[list[str]]:
    """Per item: the short lines with a year between the item before and this one; of the first one, those right above it."""
    first, lists = view.rows.start, view.lists
    out: list[list[str]] = []
    for k, item in enumerate(items):
        top = min(item.row, item.title)
        if k:
            start = max(lists.end[items[k - 1].row - first], lists.end[items[k - 1].link - first])
        else:
            start = min(lists.parent[item.row - first] + 1, top - ABOVE)
        found: list[str] = []
        row = max(start, first, top - MAX_ITEM_ROWS)
        while row < top:
            begin, end = lists.text_start[row - first], lists.text_end[row - first]
            is_whole = lists.end[row - first] <= top
            if not view.has_year(begin, end):
                row = lists.end[row - first]
            elif is_whole and 4 <= end - begin <= MAX_DATE and not view.is_elsewhere(row):
                found.append(view.text(row))
                row = lists.end[row - first]
            else:
                row += 1
        out.append(found)
    return out


def _dates_above(view: View, above: Sequence[Sequence[str]]) -> list[str]:
    """Per item, of the lines above each: the date that stands above it, or above items before it, if the list has such dates."""
    found = [
        [date for line in lines if _is_date(line, view.day_first) and (date := parse_date(line, view.day_first))]
        for lines in above
    ]
    dates = [next((d for d in reversed(own) if d not in view.clock_dates), "") for own in found]
    # One date above a list of many may be that of the list.
    if not dates or not dates[0] or (len(dates) > 2 and len(set(filter(None, dates))) < 2):
        return [""] * len(dates)
    for k in range(1, len(dates)):
        dates[k] = dates[k] or dates[k - 1]
    return dates


def _date_after(view: View, items: Sequence[Item], k: int) -> str:
    """The date between an item of a flat list and the next one."""
    if k + 1 == len(items):
        return ""
    first, lists = view.rows.start, view.lists
    end, following = lists.end[items[k].row - first], items[k + 1].row
    if following < end or lists.parent[following - first] != lists.parent[items[k].row - first]:
        return ""
    return next((date for _, date, _ in _dated(view, end, following)), "")


def _days_of_years(view: View, items: Sequence[Item], above: Sequence[Sequence[str]]) -> list[str]:
    """Per item: its day with the year that stands above it or in an address, if most items show a day without its year."""
    nothing = [""] * len(items)
    at = _day_rows(view, items)
    if not at:
        return nothing
    days = [_day_in(view, item, at) for item in items]
    if sum(map(bool, days)) <= MOST * len(items):
        return nothing
    of_page = YEAR.findall(view.site.pages.url[view.page])
    year = of_page[0] if len(of_page) == 1 else ""
    out: list[str] = []
    order = _order_of(days, view.day_first)
    for item, day, lines in zip(items, days, above, strict=True):
        said = [
            found[-1] for line in lines if (found := YEAR.findall(line)) and len(_LETTERS.findall(line)) <= MAX_BESIDE
        ]
        # Several years in a row are those that the site has, and not the year of what follows.
        year = said[-1] if said and len(set(said)) == 1 else year
        own = _YEAR_PART.findall(item.url) or ([] if year else YEAR.findall(item.url))
        out.append(day_of_year(day, own[0] if own else year, order) if day else "")
    return out


def _order_of(days: Sequence[str], day_first: bool | None) -> bool | None:
    """Whether days in numbers ("12-31") begin with the day: what one of them tells holds for all."""
    for day in days:
        numbers = re.findall(r"\d+", day)
        if len(numbers) == 2 and (int(numbers[0]) > 12) != (int(numbers[1]) > 12):
            return int(numbers[0]) > 12
    return False if any("-" in day for day in days) else day_first  # with a hyphen it is the end of 2020-12-31


@per_site
def _are_days(site: Site) -> Asked:
    """Of its different texts: a day without its year."""

    def ask(texts: list[str]) -> list[bool]:
        return [_DIGIT.search(text) is not None and bool(day_of_year(text, "2000", None)) for text in texts]

    return Asked(site.unique_texts, ask)


def _day_rows(view: View, items: Sequence[Item]) -> list[int]:
    """The texts of the items that are a day without its year."""
    first, lists, nodes = view.rows.start, view.lists, view.site.nodes
    start = min((item.row for item in items), default=first)
    rows = slice(start, max((lists.end[item.row - first] for item in items), default=first))
    size = nodes.text_end[rows] - nodes.text_start[rows]
    short = np.flatnonzero((nodes.tag[rows] == TEXT) & (size >= 3) & (size <= MAX_DATE)) + start
    found: list[int] = short[_are_days(view.site).of(view.site.text_id[short]) > 0].tolist()
    return found


def _day_in(view: View, item: Item, days: list[int]) -> str:
    """The first of these texts that stands in an item; empty if none does."""
    at = bisect_left(days, item.row)
    end = min(view.lists.end[item.row - view.rows.start], item.row + MAX_ITEM_ROWS)
    return view.text(days[at]) if at < len(days) and days[at] < end else ""
