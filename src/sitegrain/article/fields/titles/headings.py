"""What a heading says for people, and where it stands: buttons, labels and kickers within it are no title, and neither is the end of a trail of links."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection

from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.titles.titles import MAX_NAME_WORDS, bare_heading, heading_rows, runs_of, said_once
from sitegrain.article.fields.values import Field
from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.elements import is_named
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE
from sitegrain.text.words import title_words

_CLASS, _HREF = (ATTRIBUTES.index("class"),), (ATTRIBUTES.index("href"),)
_NAV, *_PAGE = (TAG_CODE[tag] for tag in ("nav", "body", "main", "article"))
_LABEL = re.compile(r"(?:^|[-_ ])(?:label|badge|prefix)(?:$|[-_ ])", re.IGNORECASE)
_KICKER = late_pattern(
    r"(?:^|[-_ ])(?:kicker|eyebrow|topline|overline|roofline|dachzeile|spitzmarke|(?:pre|sup|super|over)-?title)(?:$|[-_ ])",
    re.IGNORECASE,
)
_UNSEEN = late_pattern(
    r"(?:^|[-_ ])(?:visually-?hidden|sr-only|screen-?reader(?:-text)?|a11y-hidden)(?:$|[-_ ])", re.IGNORECASE
)
"""What is written for readers of the screen: "Collection:" before the name of one."""
_CRUMB = re.compile(r"bread-?crumb|(?:^|[-_ ])crumbs?(?:$|[-_ ])", re.IGNORECASE)
TRAIL_DEPTH = 6
"""Elements from a heading up to the trail that it ends."""
MAX_HEADING_ROWS = 40
BELOW_BOOK = 300
"""Characters between the name of a book and that of its chapter: links to the chapters before and after it. Set beforehand."""
MOST_OF = 1.5
"""Words of a heading for each of the title that it says in full: what is cut is less than what is left. Set beforehand."""
_NUMBER = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){0,5}\.?")
_TIME = re.compile(r"(?<!\d)[012]?\d[:.h][0-5]\d(?!\d)")
MAX_DAY_WORDS = 5
MAX_TIME_WORDS = 2
"""Words of a heading that says the day and the hour: a month and the day of a week. Set beforehand."""


def heading_text(view: View, row: int, is_said: Callable[[str], bool]) -> str:
    """What a heading says, without the buttons in it ("Copy item path"), labels before it ("Solved"), and a kicker, unless the page says the
    heading with it elsewhere, too (`is_said`)."""
    text, end = view.text(row), int(view.site.nodes.end[row])
    buttons = view.tagged("button")
    for button in buttons[bisect_left(buttons, row) : bisect_left(buttons, end)]:
        rest = " ".join(text.replace(view.text(button), " ", 1).split())
        text = rest or text
    for i, name in view.values(row + 1, min(end, row + MAX_HEADING_ROWS), _CLASS):
        is_unseen = is_named(_UNSEEN, name)
        if not (is_unseen or is_named(_LABEL, name) or (is_named(_KICKER, name) and not is_said(text))):
            continue
        if is_unseen and text != view.text(i):
            text = text.removesuffix(view.text(i)).rstrip()
        if (label := view.text(i)) and text.startswith(label):
            text = text[len(label) :].lstrip(" :-–—|/•") or text
    return said_once(text)


def is_in_trail(view: View, row: int) -> bool:
    """True for a heading in a `<nav>`, or in what is named after bread crumbs."""
    first, lists = view.rows.start, view.lists
    for _ in range(TRAIL_DEPTH):
        if row < first or lists.tag[row - first] in _PAGE:
            return False
        names = view.values(row, row + 1, _CLASS)
        if lists.tag[row - first] == _NAV or any(is_named(_CRUMB, name) for _, name in names):
            return True
        row = lists.parent[row - first]
    return False


def is_day(heading: str) -> bool:
    """True for a heading that only says when ("Friday, 3 May 2004", "07.30.04", "3 May @ 20:30 - 23:00")."""
    if not any(map(str.isalpha, heading)):
        return True
    words = title_words(heading)
    if len(words) <= MAX_DAY_WORDS and parse_date(heading):
        return True
    return bool(_TIME.search(heading)) and sum(map(str.isalpha, words)) <= MAX_TIME_WORDS


def below_book(view: View, headings: list[tuple[int, str]], shared: Collection[str]) -> tuple[Field, int] | None:
    """The second of these headings, if several pages have the first and no other has this one: chapters stand under the name of their book."""
    if len(headings) < 2 or headings[0][1] not in shared:
        return None
    (above, _), (row, text) = headings[:2]
    first, lists = view.rows.start, view.lists
    links = view.values(row, min(lists.end[row - first], row + MAX_HEADING_ROWS), _HREF)
    # A chapter's heading may lead back to its line in the table of contents; that of a post in a list leads to the post.
    if text in shared or is_day(text) or view.inside(row, "a") or any("#" not in href for _, href in links):
        return None
    between = lists.text_start[row - first] - lists.text_end[above - first]
    return (Field(bare_heading(text), view.site.tag_name(row)), row) if between <= BELOW_BOOK else None


def fuller_heading(view: View, said: str) -> tuple[Field, int] | None:
    """The `<h2>` that has all words of a title in their order, and a few more between them: machines are told a shorter one."""
    wanted = title_words(said)
    for row in heading_rows(view, "h2") if len(wanted) > MAX_NAME_WORDS else ():
        words = title_words(text := view.text(row))
        if words[:1] != wanted[:1] or words[-1:] != wanted[-1:] or len(words) > MOST_OF * len(wanted):
            continue  # what stands before or after it is a number, a day, a permalink
        rest = iter(words)
        if all(word in rest for word in wanted):
            return Field(bare_heading(text), "h2"), row
    return None


def beginning_within(view: View, row: int, words: list[str], said: list[str]) -> str:
    """What the element says that begins a heading and a part of what the page says of itself, none of which goes on as the heading does: there something
    of another kind follows ("Hardcover, May 2020"). Empty if there is none."""
    for i in range(row + 1, min(int(view.site.nodes.end[row]), row + MAX_HEADING_ROWS)):
        inner = title_words(text := view.text(i))
        n = len(inner)
        if not MAX_NAME_WORDS < n < len(words) or words[:n] != inner:
            continue
        goes_on = any(title_words(value)[: n + 1] == words[: n + 1] for value in said)
        if not goes_on and any(title_words(value)[:n] == inner and tuple(inner) in runs_of(value) for value in said):
            return text
    return ""


def numbered_heading(view: View, title: str) -> tuple[Field, int] | None:
    """The first heading that begins with a title that is the number of a section ("4.13", "A.2"), and says more."""
    if not _NUMBER.fullmatch(title):
        return None
    for row in heading_rows(view) or heading_rows(view, "h2") or heading_rows(view, "h3"):
        text = view.text(row)
        if text.startswith(title) and any(map(str.isalpha, text[len(title) :])):
            return Field(bare_heading(text), view.site.tag_name(row)), row
    return None


def without_copies(view: View, rows: list[int], links_home: Callable[[int], bool]) -> list[int]:
    """Headings without those that lead to the home page and say what another says: themes of books print the title once more above the page."""
    home = [row for row in rows if links_home(row)] if len(rows) > 1 else []
    if not home:
        return rows
    own = {" ".join(title_words(view.text(row))) for row in rows if row not in home}
    return [row for row in rows if row not in home or " ".join(title_words(view.text(row))) not in own]
