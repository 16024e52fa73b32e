"""The name beside the day: pages print "Ann Lee · 3 May 2020" under their title without a word that says who that is."""

from __future__ import annotations

import re
from itertools import takewhile

import numpy as np

from sitegrain.article.fields.authors.names import ROLE, clean_name, is_group, may_be_name, may_be_whole
from sitegrain.article.fields.days.visible import each_shown_date
from sitegrain.article.fields.titles.titles import is_site_name
from sitegrain.article.fields.view import View
from sitegrain.tables.tags import HEADINGS, TEXT

BEFORE, AFTER = 12, 30
"""Rows before and after the title within which the line with the day stands. Set beforehand."""
DAYS = 2
"""That of publication and that of the last change; more of them are those of a list."""
BESIDE = 20
"""Rows from the day within which the next text stands. Set beforehand."""
MANY = 20
"""Places of the page with the same text that are looked at."""
_NAME = re.compile(
    r"[^\W\d_]\w+(?:['’-][^\W\d_]\w+)?(?: [^\W\d_]\.)?(?: (?:van|von|de|da|di|del|der|el|al))?(?: [^\W\d_]\w+(?:['’-]\w+)?){1,2}"
)
_PARTICLES = frozenset("van von de da di del della der den dos du la le el al bin ibn y zu".split())
_APART = " |·•–—-,/"
_PARTS = re.compile(r"\s*[,|·•–—/]\s*|\s-\s")
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_SECTION = re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|sections?|blog|news)/", re.IGNORECASE)


def name_by_date(view: View, title_row: int, names: tuple[str, ...]) -> str:
    """Two or three words in a text of their own beside a day near the title, none of which the page writes with a small letter: words of a
    section ("Product News") are written so somewhere, those of a name are not."""
    if title_row < 0:
        return ""
    above = takewhile(lambda found: found[0] <= title_row + AFTER, each_shown_date(view))
    dates = {row: day for row, day in above if row >= title_row - BEFORE}
    near = [row for row in dates if not view.is_elsewhere(row)]
    if len({dates[row] for row in near}) > DAYS:
        return ""
    url = view.site.pages.url[view.page]
    for day in near[:2]:
        for row in (day, *_texts_beside(view, day)):
            line = " ".join(view.text(row).split())
            name = name_beside_date(line.strip(_APART)) if row == day else said_name(line)
            if _NAME.fullmatch(name) and _is_name(view, row, name) and not is_site_name(name, names, url):
                return name
    return ""


def names_beside(view: View, day: int) -> list[tuple[int, str]]:
    """(row, name) of the texts beside the one of a day; the name is empty for what does not read like one on this page."""
    said = [(row, said_name(view.text(row))) for row in _texts_beside(view, day)]
    return [(row, name if _NAME.fullmatch(name) and _is_name(view, row, name) else "") for row, name in said]


def said_name(text: str) -> str:
    """A text beside a day without the signs at its ends, and without numbers that signs part from it: how long the page takes to read.

    >>> said_name(" · 5 min read · Ann Lee"), said_name("| Ann Lee"), said_name("Tea · Ann Lee")
    ('Ann Lee', 'Ann Lee', 'Tea · Ann Lee')
    """
    line = " ".join(text.split()).strip(_APART)
    if not any(map(str.isdigit, line)):
        return line
    names = [part for part in _PARTS.split(line) if part and not any(map(str.isdigit, part))]
    return names[0] if len(names) == 1 else line


def _texts_beside(view: View, day: int) -> list[int]:
    """The text before and the text after that of a day; signs and numbers are none."""
    lo, hi = max(view.rows.start, day - BESIDE), min(view.rows.stop, day + BESIDE + 1)
    rows = (np.flatnonzero(view.site.nodes.tag[lo:hi] == TEXT) + lo).tolist()
    said = [row for row in rows if row != day and any(map(str.isalpha, view.text(row)))]
    return [*[row for row in said if row < day][-1:], *[row for row in said if row > day][:1]]


def _is_name(view: View, row: int, name: str) -> bool:
    words = [word for word in name.split() if len(word) > 2 and word[:1].isupper()]
    if any(word.islower() and word not in _PARTICLES for word in name.split()):
        return False  # "News and Views"
    if clean_name(name) != name or not may_be_name(name) or _DAY.search(name) or any(w.isupper() for w in words):
        return False
    if view.is_elsewhere(row) or view.inside(row, "head", "button", "label", *HEADINGS):
        return False
    if _SECTION.search(view.attrs("href").get(int(view.site.nodes.parent[row]), "")):
        return False
    # A section stands in the menu, too.
    said = view.site.text_id[view.rows]
    alike = (
        (np.flatnonzero(said == said[row - view.rows.start]) + view.rows.start).tolist()
        if view.inside(row, "a")
        else []
    )
    if any(view.is_elsewhere(other) for other in alike[:MANY]):
        return False
    return not is_group(name) and is_never_small(view, name)


def is_never_small(view: View, name: str) -> bool:
    """True for a name of whose words the page writes none with a small letter, as it does with those of a section ("Product News")."""
    page = view.site.texts[view.page]
    words = (word for word in name.split() if len(word) > 2 and word[:1].isupper())
    # A string is found sooner than a pattern, which is made for each word anew.
    return not any(
        word in page and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", page) for word in map(str.lower, words)
    )


def name_beside_date(line: str) -> str:
    """The one part of a date line that reads like a name.

    >>> [name_beside_date(f"Ann Lee | {x}") for x in ("Politics Today | 2002-02-25", "Senior Writer | 3 May 2020")]
    ['', 'Ann Lee']
    """
    parts = _PARTS.split(line[:200])
    names = [
        name
        for part in parts
        if not (any(map(str.isdigit, part)) or ROLE.search(part)) and (name := clean_name(part)) and may_be_whole(name)
    ]
    return names[0] if len(names) == 1 and may_be_name(names[0]) else ""
