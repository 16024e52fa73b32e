"""The date that a page shows: `<time>`, microdata, and text that reads like a date near the title."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import takewhile

from sitegrain.article.fields.authors.letters import sent_on
from sitegrain.article.fields.days.dates import find_dates, first_date, is_next_day, parse_date, swapped
from sitegrain.article.fields.days.passing import is_in_passing
from sitegrain.article.fields.shared import examples
from sitegrain.article.fields.view import View
from sitegrain.tables.elements import REMEMBERED, is_named

DATE_CLASS = re.compile(
    r"(?:^|[-_ ])(?:date|time|published?|posted|pub-?date|timestamp|datum|fecha|entry-date|dateline|post-?meta|"
    r"entry-?meta|byline|meta)(?:$|[-_ ])|"
    r"(?:Date|Published|Timestamp)(?:$|[-_ A-Z])",
)
_UPDATED = re.compile(
    r"updat|modif|edited|revised|reviewed|last change|aktualisiert|geändert|letzte änderung|actualizad|atualizad|mise? à jour|aggiornat|bijgewerkt|gewijzigd|"
    r"uppdatera|oppdater|opdater|päivitetty|zaktualizowan|aktualizac|aktualizov|ažurirano|frissít|güncelle|обновл|изменен|оновлено|ενημέρωση|cập nhật|diperbarui|"
    r"更新|修改|수정|تحديث|بروزرسانی|עודכן|อัปเดต|แก้ไข|अपडेट|আপডেট|"
    r"copyright|©|\(c\)|event(?!s)|(?:start|end) date|deadline|"
    r"expire|valid|until|joined|member since|registered|founded|since|"
    r"anmeldedatum|anmeldung|registriert|dabei seit|beigetreten|inscrit|inscription|registrado|miembro desde|iscritto|lid sinds|"
    r"зарегистрирован|注册|註冊|登録日",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"publish|posted|post date|written|created|veröffentlicht|erstellt|erschienen|online seit|publicad|publicat|publié|parution|mise? en ligne|pubblicat|geplaatst|gepubliceerd|"
    r"publicerad|publisert|udgivet|offentliggjort|julkaistu|opublikowan|zveřejněno|objavljeno|közzétéve|megjelent|yayın|đăng|diterbitkan|dipublikasikan|"
    r"опубл|δημοσ|発行|公開|投稿|掲載|配信|发布|發佈|發布|发表|發表|입력|등록|نشر|منتشر|פורסם|เผยแพร่|प्रकाशित|প্রকাশ",
    re.IGNORECASE,
)
# Without a look at what is beside: the texts of two nodes follow one another without a space.
_ANY_YEAR = re.compile(r"(?:19[89]|20[0-4])\d")
_ISO_DAY = re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)")
_UTC = re.compile(r"T[\d:.]{4,15}(?:Z|\+00:?00)")
_CHANGED_NAME = re.compile(r"(?:^|[-_ ])(?:updated|modified|last-?mod)", re.IGNORECASE)
_PUBLISHED_NAME = re.compile(r"publish|(?:^|[-_ ])(?:created|posted)(?:$|[-_ ])", re.IGNORECASE)
NOON = 12
MAX_LENGTH = 160
"""Characters of a text node that may be a date line; longer ones are prose that speaks of a date."""
SHORT_LINE = 60
"""Characters of a line that says little more than a date."""
MAX_TIMES = 200
"""Elements with a time that are looked at: more are those of a list."""
NEAR = 120
"""Rows from the title within which a date line is the page's own (rows include elements)."""
_NAMED_NEARER = 0.25
"""What a distance counts where a name or a word speaks of publishing: the least that it can count."""
BESIDE = 12
"""Rows from the title within which a date is the page's own whatever the names around it."""
FIRST_TEXTS = 3
"""Long texts of which one may begin with the day: a lead stands before the first paragraph. Set beforehand."""
CHANGE = 300
"""Rows by which the day of a change counts as further away."""
BYLINE = 150
"""Characters between the title and the day within which it is the page's own, too: who wrote, and how long it takes to read. Set beforehand."""
BELOW = 30
"""Rows below the title within which a day that contradicts metadata is the page's own: of 16 such days on the page sets 14 are right."""


@lru_cache(maxsize=REMEMBERED)
def speaks_of_publishing(line: str) -> bool:
    """True for a line that says when something was published."""
    return _PUBLISHED.search(line) is not None


@lru_cache(maxsize=REMEMBERED)
def _speaks_of_other(line: str) -> bool:
    """Of a change, of an event, of who joined when. Lines come again on other pages, and the pattern has many words."""
    return _UPDATED.search(line) is not None and not speaks_of_publishing(line)


def marked_date(view: View, title: Callable[[], int]) -> tuple[str, str]:
    """(date, where) from microdata and `<time>`; of several `<time>` the one nearest after the title, whose row is looked for if there are
    any: most pages have none."""
    if props := view.attrs("itemprop"):
        for prop in ("datePublished", "dateCreated", "uploadDate"):
            for row, value in props.items():
                if prop not in value.split() or view.is_elsewhere(row) or view.is_of_others(row):
                    continue
                if found := date_of(view, row):
                    return found, "microdata"
    times = view.tagged("time")[:MAX_TIMES]
    if not times:
        return "", ""
    title_row = title()
    best: tuple[int, str] | None = None
    beside: set[str] = set()
    for row in times:
        found = date_of(view, row)
        if not found or found in view.clock_dates or view.inside(row, "blockquote"):  # what others wrote, and when
            continue
        if view.is_elsewhere(row):
            if title_row - NEAR <= row < title_row:
                beside.add("" if _speaks_of_other(line_of(view, row)) else found)
            continue
        text = line_of(view, row)
        distance = row - title_row if row >= title_row else 2 * (title_row - row)
        if _speaks_of_other(text) or _is_named_change(view, row):
            distance += 1000
        if best is None or distance < best[0]:
            best = distance, found
    if best is None and len(beside) == 1:
        best = 0, beside.pop()  # the one day above the title, in a box of what is known of the page
    return (best[1], "time") if best and best[1] else ("", "")


def _is_named_change(view: View, row: int) -> bool:
    """True where a theme prints the day of the change beside that of the publication, and hides one: `<time class="updated">`."""
    name = view.attrs("class").get(row, "")
    return is_named(_CHANGED_NAME, name) and not is_named(_PUBLISHED_NAME, name)


def date_of(view: View, row: int) -> str:
    """The date that an element or a text node holds, by attribute or by text."""
    text = view.text(row)
    shown = parse_date(text, view.day_first) if len(text) <= MAX_LENGTH else ""
    for name in ("datetime", "content"):
        if (value := view.attrs(name).get(row)) and (found := parse_date(value)):
            # An attribute in UTC may be of the day before or after the one that is shown.
            return shown if _UTC.search(value) and is_next_day(shown, found) else found
    return shown


def line_of(view: View, row: int) -> str:
    """The line in which a date stands, up to the next date in it: what stands between the two speaks of the next ("3 May 2020. Updated 7 May
    2020")."""
    parent, own = int(view.site.nodes.parent[row]), view.text(row)
    text = view.text(parent) if parent >= 0 else ""
    if not own or len(text) > MAX_LENGTH:
        return own
    end = text.find(own) + len(own)
    return text[:end] if end < len(text) and _ANY_YEAR.search(text, end) else text


def shown_dates(view: View) -> list[tuple[int, str]]:
    """(row, date) of the short text nodes that hold a date, in document order."""
    return [*each_shown_date(view)]


def each_shown_date(view: View) -> Iterator[tuple[int, str]]:
    """The same one after the other: many are those of answers and of other pages, far below what is asked for."""
    # Several fields ask; how the page writes 3/4/2020 may be learned in between.
    if (known := view.shown_dates.get(view.day_first)) is None:
        known = view.shown_dates[view.day_first] = [], _shown_dates(view)
    found, rest = known
    k = 0
    while True:
        while k < len(found):
            yield found[k]
            k += 1
        following = next(rest, None)
        if following is None:
            return
        found.append(following)


def _shown_dates(view: View) -> Iterator[tuple[int, str]]:
    text, day_first = view.site.texts[view.page], view.day_first
    years: list[int] = []
    for place in view.years:  # as `_ANY_YEAR.finditer` gives them: each begins after the one before
        if years and place < years[-1] + 4:
            continue
        if not text.startswith(("19", "20"), place) or _ANY_YEAR.match(text, place):  # or of another calendar
            years.append(place)
    if not years:
        return
    rows, starts, ends = view.text_nodes
    last = -1
    for year in years[:5000]:
        k = bisect_right(starts, year, max(last, 0)) - 1
        if k > last:
            last = k
            if ends[k] - starts[k] <= MAX_LENGTH and (found := first_date(text[starts[k] : ends[k]], day_first)):
                yield rows[k], found


def seen_dates(view: View) -> Iterator[tuple[int, str]]:
    """`shown_dates`, and those of elements with a `datetime`, whatever they say ("yesterday")."""
    yield from each_shown_date(view)
    for row in view.timed[:MAX_TIMES]:
        if found := date_of(view, row):
            yield row, found


def is_day_of_change(view: View, date: str) -> bool:
    """True for a day that the page shows as that of a change, and nowhere else."""
    lines = [line_of(view, row) for row, shown in shown_dates(view) if shown == date]
    return bool(lines) and all(map(_speaks_of_other, lines))


def local_day(view: View, title: Callable[[], int], said: str) -> str:
    """The date near the title that is a day before or after what metadata says in UTC, if the page shows no other: the day where it was
    written. Empty if there is none."""
    sources = (*view.meta.values(), *view.site.pages.json_ld[view.page])
    # Most have no such time at all, and a string is found sooner than a pattern.
    found = (_first_utc(source[:200_000], said) for source in sources if f"{said}T" in source)
    hours = {int(time[1:3]) for time in found if time[1:3].isdigit()}
    if not hours or next(each_shown_date(view), None) is None:
        return ""
    title_row = title()
    above = takewhile(lambda found: found[0] <= title_row + NEAR, each_shown_date(view))
    shown = [date for row, date in above if row >= title_row - NEAR // 2 and not view.is_elsewhere(row)]
    if not shown or said in shown or not is_next_day(shown[0], said):
        return ""
    # East of Greenwich the next day begins before that of UTC ends: in its second half, up to thirteen hours earlier.
    return shown[0] if shown[0] < said or min(hours) >= NOON else ""


def _first_utc(source: str, date: str) -> str:
    """The first time in UTC that stands right after a date; empty if there is none.

    >>> _first_utc("2020-05-03T10:00 2020-05-03T23:30Z", "2020-05-03")
    'T23:30Z'
    """
    at = source.find(date)
    while at >= 0:
        if found := _UTC.match(source, at + len(date)):
            return found[0]
        at = source.find(date, at + 1)
    return ""


def day_at_title(view: View, title: Callable[[], int], said: str) -> str:
    """The day beside the title that contradicts the one that metadata tell, if the page shows that one nowhere, or only with other things. An earlier
    day is that of publication: what was shown earlier was published earlier, and metadata have the day of a copy. A later one is mostly that of
    a change, and then metadata name it as such; so it counts if it stands alone and they do not have it. Empty if there is none."""
    days: list[tuple[int, str]] = []
    title_row = -1
    for row, found in seen_dates(view):
        if found != said:
            days.append((row, found))
        elif not view.is_elsewhere(row) or abs(row - (title_row := title())) <= BESIDE:
            return ""
    if not days:
        return ""
    title_row = title()
    near = [
        (abs(row - title_row), found, row)
        for row, found in days
        if title_row - BESIDE <= row
        and (row <= title_row + BELOW or (found < said and _is_in_byline(view, row, title_row)))
        and found not in view.clock_dates
        and (abs(row - title_row) <= BESIDE or not view.is_elsewhere(row))
    ]
    found = min(near, default=(0, "", -1))[1]
    if found == swapped(said):
        return ""  # the same in the other order
    if found < said:
        return found
    is_alone = all(other == found and not _speaks_of_other(line_of(view, row)) for _, other, row in near)
    return found if is_alone and not is_next_day(found, said) and _may_follow(view, found, said) else ""


def _is_in_byline(view: View, row: int, title_row: int) -> bool:
    """True for a row below the title with little text between the two, in twice as many elements at most."""
    nodes = view.site.nodes
    return row <= title_row + 2 * BELOW and int(nodes.text_start[row] - nodes.text_end[title_row]) <= BYLINE


def _may_follow(view: View, day: str, said: str) -> bool:
    """False for a later day that metadata have, too, whatever they call it, and for one after the last that they have: that is of an event to come."""
    sources = (*view.meta.values(), *view.site.pages.json_ld[view.page])
    told = {found for source in sources for found in _ISO_DAY.findall(source[:200_000])}
    return day not in told and (max(told, default=said) <= said or day <= max(told))


def visible_date(view: View, title: Callable[[], int]) -> tuple[str, str]:
    """(date, where) of the date line nearest to the title; class names that speak of dates help."""
    if not view.years:
        return "", ""
    if day := sent_on(view):
        return day, "date line"
    title_row = title()
    names = view.attrs("class"), view.attrs("id")
    best: tuple[float, str] | None = None
    alone: tuple[set[str], set[str]] = set(), set()
    for row, found in each_shown_date(view):
        if best and best[0] <= NEAR and _NAMED_NEARER * (row - title_row) >= best[0]:
            break  # no other can be nearer
        if found in view.clock_dates or view.is_elsewhere(row) or _is_example(view, row) or is_in_passing(view, row):
            continue
        text = line_of(view, row)
        is_other = _speaks_of_other(text)
        alone[is_other].add(found if len(text) <= SHORT_LINE else "")
        distance: float = row - title_row if row >= title_row else 1.5 * (title_row - row)
        up, is_marked = row, False
        for _ in range(3):
            up = int(view.site.nodes.parent[up])
            if up < 0:
                break
            is_marked = is_marked or any(up in of and is_named(DATE_CLASS, of[up]) for of in names)
        if is_other:
            distance += CHANGE
        if is_marked or speaks_of_publishing(text):
            distance *= _NAMED_NEARER
        if len(text) > SHORT_LINE:
            distance += 30
        if best is None or distance < best[0]:
            best = distance, found
    # Far from the title, a date is the page's own if it is the only one, or the only one of no change.
    if best and (best[0] <= NEAR or (alone[0] or alone[1]) == {best[1]}):
        return best[1], "date line"
    # Where all days are those of changes, the one between the title and the text is the page's: it has no other.
    if best and not alone[0] and best[0] - CHANGE <= _rows_to_text(view, title_row):
        return best[1], "date line"
    found = _date_at_title(view, title_row) or _date_of_prose(view, title_row)
    return found, "date line" if found else ""


def _rows_to_text(view: View, title_row: int) -> int:
    """Rows from the title down to the first long text; 0 if there is none."""
    rows, starts, ends = view.text_nodes
    at = bisect_left(rows, title_row)
    long = (rows[k] for k in range(at, len(rows)) if ends[k] - starts[k] > MAX_LENGTH)
    return next(long, title_row) - title_row


def _is_example(view: View, row: int) -> bool:
    """True in code; also in a `<pre>`, but for one that holds most of the page, as a letter of an archive does."""
    within = examples(view.site)
    if not within.or_pre[row]:
        return False
    size = [int(view.site.nodes.text_end[pre] - view.site.nodes.text_start[pre]) for pre in view.tagged("pre")]
    return bool(within.in_code[row]) or 2 * max(size, default=0) < len(view.site.texts[view.page])


def _date_at_title(view: View, title_row: int) -> str:
    """The date right above or below the title, in boxes with names of other things, too: there they are the theme's ("teaser-text")."""
    for row, found in takewhile(lambda found: found[0] <= title_row + BESIDE, each_shown_date(view)):
        if (
            row >= title_row - BESIDE
            and not view.inside(row, "head", "nav")
            and not _is_example(view, row)
            and not is_in_passing(view, row)
            and found not in view.clock_dates
            and not _speaks_of_other(line_of(view, row))
        ):
            return found
    return ""


def _date_of_prose(view: View, title_row: int) -> str:
    """The day with which one of the first long texts below the title begins: "(3 May 2020) The bay is ...", "3.5.2020 - The bay is ..."."""
    nodes, text = view.site.nodes, view.site.texts[view.page]
    at = bisect_left(view.text_rows, title_row)
    near = view.text_rows[at : bisect_left(view.text_rows, title_row + NEAR)]
    long = [row for row in near if nodes.text_end[row] - nodes.text_start[row] > MAX_LENGTH]
    for row in long[:FIRST_TEXTS]:
        start = int(nodes.text_start[row])
        if view.has_year(start, start + SHORT_LINE) and not view.is_elsewhere(row):
            dates = find_dates(text[start : start + SHORT_LINE].lstrip(), view.day_first)
            if found := next((day for place, day in dates if place <= 1), ""):
                return found
    return ""
