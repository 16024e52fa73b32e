"""What a heading says for people, and where it stands: buttons, labels and kickers within it are no title, and neither is the end of a trail of links."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from sitegrain.article.fields.dates import parse_date
from sitegrain.article.fields.titles import said_once
from sitegrain.article.fields.view import View
from sitegrain.tables.elements import is_named
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE
from sitegrain.text.words import title_words

_CLASS = (ATTRIBUTES.index("class"),)
_NAV, *_PAGE = (TAG_CODE[tag] for tag in ("nav", "body", "main", "article"))
_LABEL = re.compile(r"(?:^|[-_ ])(?:label|badge|prefix)(?:$|[-_ ])", re.IGNORECASE)
_KICKER = re.compile(
    r"(?:^|[-_ ])(?:kicker|eyebrow|topline|overline|roofline|dachzeile|spitzmarke|(?:pre|sup|super|over)-?title)(?:$|[-_ ])",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"(?:^|[-_ ])(?:visually-?hidden|sr-only|screen-?reader(?:-text)?|a11y-hidden)(?:$|[-_ ])", re.IGNORECASE
)
"""What is written for readers of the screen: "Collection:" before the name of one."""
_CRUMB = re.compile(r"bread-?crumb|(?:^|[-_ ])crumbs?(?:$|[-_ ])", re.IGNORECASE)
TRAIL_DEPTH = 6
"""Elements from a heading up to the trail that it ends."""
MAX_HEADING_ROWS = 40
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
