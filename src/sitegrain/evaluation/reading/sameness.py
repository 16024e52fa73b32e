"""When a field says what the truth says, though in other words."""

from __future__ import annotations

import re
from html import unescape
from itertools import chain

from sitegrain.evaluation.reading.shown import ShownPage
from sitegrain.evaluation.reading.wording import words

_BETWEEN_NAMES = frozenset(("and", "und", "et", "y", "e", "og", "och", "by"))
_HONORIFICS = frozenset(("dr", "prof", "professor", "mr", "mrs", "ms"))
_BY = re.compile(r"\s*(?:by|von|par|por)\s+(?=\S)", re.IGNORECASE)
_SIGN = re.compile(
    r"(?:[A-Z]\.?){2,6}|[A-Z]{3,4}(?: [A-Z]+(?:-[A-Z]+)*)|Ph\.?D\.?|M\.?Sc\.?|B\.?Sc\.?|dpa(?:-\w+)?|afp|apa|sid|kna|epd",
    re.ASCII,
)
"""A degree ("PhD", "M.D."), a house ("MDR SACHSEN-ANHALT") or an agency ("dpa")."""
MAX_KICKER = 0.5
"""Share of the words of a heading that stand before or after its headline: more are not a kicker or an addition. Set beforehand."""


def is_right(name: str, found: str, truth: str, page: ShownPage | None = None) -> bool:
    """True when a field is what the truth says; of a title that has a kicker or an addition on the page, with it or without it.

    >>> is_right("author", "Bo Ek, Ann Lee", "By Dr. Ann Lee and Bo Ek"), is_right("author", "Ann Lee", "Ann Lee, PhD, MD"), is_right("author", "Ann", "Ann Lee")
    (True, True, False)
    >>> is_right("author", "AP", "AFP"), is_right("author", "ANN LEE", "ANN LEE, BO EK"), is_right("date", "2020-05-03", "2020-05-03T10:00Z")
    (False, False, True)
    """
    found, truth = unescape(found), unescape(truth)
    if name == "date":
        return found[:10] == truth[:10]
    if name == "author":
        return _names(found) == _names(truth)
    return words(found) == words(truth) or (page is not None and is_same_heading(page, found, truth))


def _names(authors: str) -> set[str]:
    """The words of names, but for what stands between and before them, and for the signs behind them."""
    first, *others = re.split(r"\s*[,;/]\s*", _BY.sub("", authors, count=1))
    if not authors.isupper():
        others = [part for part in others if not _SIGN.fullmatch(part)]
    return set(words(" ".join([first, *others]))) - _BETWEEN_NAMES - _HONORIFICS


def is_same_heading(page: ShownPage, title: str, other: str) -> bool:
    """True for all that a heading of the page says, and for its headline alone, where a kicker above it or an addition below it is a text of its own."""
    one, two = sorted((words(title), words(other)), key=len)
    if not one or len(one) < (1 - MAX_KICKER) * len(two):
        return False
    for texts in page.headings:
        parts = [part for text in texts if (part := words(text))]
        if [*chain(*parts)] == two and any(
            one in ([*chain(*parts[k:])], [*chain(*parts[:k])]) for k in range(1, len(parts))
        ):
            return True
    return False
