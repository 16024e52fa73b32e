"""Dates in lines of text: the ways to write one as patterns, and what says when without being a date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

from sitegrain.native.inputs import WHEN

_WHEN = re.compile(WHEN)
_FIVE_DIGITS = re.compile(r"(?:\D*+\d){5}")
"""A year and a day have as many: most lines with a year have no more than that."""
_THREE_LETTERS = re.compile(r"[^\W\d_]{3}")
_FURTHER = re.compile("[\u0130-\u1fff\u2100-\u218f\u2c00-\U0001f2ff\U0001fb00-\U0010ffff]")
"""Letters beyond those of the West; signs and pictures are none."""
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/.])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)")
_ASIAN = re.compile(r"((?:19|20)\d\d)\s{0,2}[年년]\s{0,2}(\d{1,2})\s{0,2}[月월]\s{0,2}(\d{1,2})\s{0,2}[日일]")
_WORD = r"[^\W\d_]{3,14}"
# Letters of either case only where letters are named, and words that give nothing back (what may follow them is no letter): half the time.
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:(?i:st|nd|rd|th|er)|º|ª|\.|-|/)?(?:\s{{0,3}}|-)(?i:of |de |d[’'])?({_WORD})\.?(?:,|"
    rf"-|/)?\s{{0,3}}(?i:de |del |г\. )?((?:19|20)\d\d)(?!\d)",
)
_MONTH_FIRST = re.compile(
    rf"(?<![^\W_])({_WORD}+)\.?\s{{0,3}}(\d{{1,2}})(?i:st|nd|rd|th)?(?:,|\.|\s)\s{{0,3}}"
    rf"(?:\d\d:\d\d(?::\d\d)?\s(?:[A-Za-z]{{2,5}}\s|[+-]\d{{4}}\s)?)?((?:19|20)\d\d)(?!\d)",
)
"""Also as programs write it, with the time before the year: "Wed Nov 24 15:31:44 CST 2010"."""
_YEAR_FIRST = re.compile(rf"(?<!\d)((?:19|20)\d\d)\.?\s(?:m\.\s)?({_WORD}+)\.?\s(\d{{1,2}})(?!\d)")
_VIETNAMESE = re.compile(
    r"(?<!\d)(\d{1,2})\s{0,2}(?:tháng|thg)\s{0,2}(\d{1,2}),?\s{0,2}(?:năm\s{0,2})?((?:19|20)\d\d)", re.IGNORECASE
)
_CHINESE = re.compile(r"(十[一二]|[一二三四五六七八九十])月\s{0,2}(\d{1,2}),?\s{0,2}((?:19|20)\d\d)(?!\d)")
"""As programs write it that know the names of months and not how dates are written: "五月 31, 2020"."""
_NUMBERS = re.compile(r"(?<![\d./-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d)")


class _Way(NamedTuple):
    """A way to write a date, and which group holds what."""

    pattern: re.Pattern[str]
    year: int
    month: int
    day: int
    is_foreign: bool = False
    """It needs letters beyond ASCII."""
    has_signs: bool = False
    """It needs "-", "/" or "."."""
    has_word: bool = False
    """It needs three letters side by side."""
    letters: str = ""
    """It needs these, in either case."""


_WAYS = (
    _Way(_ISO, 1, 3, 4, has_signs=True),
    _Way(_ASIAN, 1, 2, 3, is_foreign=True),
    _Way(_CHINESE, 3, 1, 2, is_foreign=True),
    _Way(_VIETNAMESE, 3, 2, 1, letters="th"),
    _Way(_DAY_FIRST, 3, 2, 1, has_word=True),
    _Way(_MONTH_FIRST, 3, 1, 2, has_word=True),
    _Way(_YEAR_FIRST, 1, 2, 3, has_word=True),
    _Way(_NUMBERS, 4, 3, 1, has_signs=True),
)


def find_dates(
    text: str, day_first: bool | None, month_of: Callable[[str], int], first_year: int, latest: int
) -> list[tuple[int, str]]:
    """`sitegrain.native.find_dates`."""

    def read(way: _Way, match: re.Match[str]) -> str:
        """The date that was found; empty if there is no such day."""
        if way.pattern is _NUMBERS:
            a, b = int(match[1]), int(match[3])
            # Slashes are read the American way unless the site says otherwise; dots and dashes are not American.
            is_day_first = a > 12 or (b <= 12 and (match[2] != "/" if day_first is None else day_first))
            day, month = (a, b) if is_day_first else (b, a)
        else:
            said = match[way.month]
            day, month = int(match[way.day]), int(said) if said.isdecimal() else month_of(said)
        try:
            found = date(int(match[way.year]), month, day)
        except ValueError:
            return ""
        is_past = 10000 * found.year + 100 * found.month + found.day <= latest
        return found.isoformat() if found.year >= first_year and is_past else ""

    return [
        (match.start(), found)
        for way in _ways_of(text)
        for match in way.pattern.finditer(text)
        if (found := read(way, match))
    ]


def _ways_of(text: str) -> Iterator[_Way]:
    """The ways in which a text may write a date: most texts have not the signs that some need, and that is soon told."""
    if ("19" not in text and "20" not in text) or not _FIVE_DIGITS.match(text):
        return
    is_plain, has_signs = text.isascii(), "-" in text or "/" in text or "." in text
    has_word = _THREE_LETTERS.search(text) is not None
    for way in _WAYS:
        if (way.is_foreign and is_plain) or (way.has_signs and not has_signs) or (way.has_word and not has_word):
            continue
        if not way.letters or way.letters in text.lower():
            yield way


def say_when(texts: list[str]) -> bytes:
    """`sitegrain.native.say_when`."""
    return bytes(_WHEN.search(text.lower()) is not None if _is_told(text) else 2 for text in texts)


def _is_told(text: str) -> bool:
    return text.isascii() or not ("/" in text or "25" in text or _FURTHER.search(text))
