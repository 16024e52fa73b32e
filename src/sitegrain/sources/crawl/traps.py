"""Crawler traps: parts of a site that never end.

Three signs, each counted under its own name:

- `path`: a path that repeats itself (`/a/b/a/b/a/b/`), as a wrong relative link makes it;
- `query`: one path under ever more combinations of parameters (filters, sort orders) or ever new parameters;
- `same`: page leads to page leads to page, all of one URL shape and with nearly the same words (calendars,
  pagination past its end, ids in links), or one text under ever new names in one place of the path. It closes the
  shape.

Large sites have long chains of like pages too, so what counts as endless depends on the look of the URL: little
for dates and random tokens, much for a plain number.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass
from heapq import nsmallest
from urllib.parse import urlsplit
from zlib import crc32

MAX_SEGMENTS = 25
"""Paths with more parts are traps."""
MAX_KEY_SETS = 16
"""Different sets of parameter names under one path: 2^4, so four independent filters are still crawled."""
MAX_NAMES = 100
"""Different names of a single parameter under one path: a page may well be chosen by name (`?about`), but not ever so."""
MAX_VARIANTS = 500
"""URLs under one path with three parameters or more. One or two (`?f=1&t=9`) number a forum's pages: free."""
SAME_DATES = 24
"""Like pages in a chain whose URL speaks of dates: two years of months."""
SAME_QUERIES = 200
"""Like pages in a chain that only a query tells apart: pagination past its end."""
SAME_PATHS = 5000
"""Like pages in a chain of numbered paths."""
SAME_TOKENS = 50
"""Pages with exactly the words of an earlier one, under URLs that a long random token tells apart."""
SAME_LEAVES = 500
"""The same under URLs that their last part tells apart: so many pages of one folder may be missing and answer alike."""
SAME_SHARE = 0.9
"""Share of copies among the pages of a shape, from which the shape is closed: under `/node/*` many pages may ask for a
login, while others have a text of their own."""
SAME_WORDS = 0.95
"""Jaccard likeness of two pages' words that counts as near-identical: a month's name may change."""
SKETCH = 128
"""Words kept of a page: those with the smallest hashes. The likeness of two such samples is off by 0.02 at 0.95."""

_DATES = re.compile(
    r"(?i)(?:\b|_)(?:cal|calendar|agenda|events?|date|day|week|month|year|from|until)(?:\b|_|s\b)|/0/0(?:/0)?/?$"
)
_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?<=[/=])(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])\w{16,}(?![\w-])")
_WORD = re.compile(r"[^\W\d_]{2,}")


def repeats(path: str) -> bool:
    """Does a path repeat one to three parts three times in a row?

    >>> repeats("/blog/tag/blog/tag/blog/tag/x")
    True
    >>> repeats("/2024/11/11/eleven")
    False
    """
    parts = [p for p in path.split("/") if p]
    if len(parts) > MAX_SEGMENTS:
        return True
    for size in (1, 2, 3):
        # A number may well come three times (a date, an id): it must come five times to be a sign.
        for start in range(len(parts) - 3 * size + 1):
            unit = parts[start : start + size]
            times = 5 if all(p.isdigit() for p in unit) else 3
            if all(parts[start + i * size : start + (i + 1) * size] == unit for i in range(1, times)):
                return True
    return False


def shape(url: str) -> str:
    """A URL with its numbers and long tokens blanked; query values are dropped.

    >>> shape("http://e.org/cal/2024/03?view=month&day=7")
    'http://e.org/cal/0/0?day&view'
    """
    path, _, query = url.partition("?")
    keys = sorted({part.partition("=")[0] for part in query.split("&")}) if query else []
    blank = _DIGITS.sub("0", _TOKEN.sub("0", path))
    return blank + ("?" + "&".join(keys) if keys else "")


def forms(url: str) -> list[str]:
    """A URL with each part of its path blanked in turn: what ids in a path, of whatever look, make alike.

    >>> forms("http://e.org/s/qwmzkx/tea?a=1")
    ['http://e.org/*/qwmzkx/tea?a=1', 'http://e.org/s/*/tea?a=1', 'http://e.org/s/qwmzkx/*?a=1']
    """
    path, mark, query = url.partition("?")
    parts = path.split("/")
    return ["/".join([*parts[:k], "*", *parts[k + 1 :]]) + mark + query for k in range(3, len(parts)) if parts[k]]


@dataclass(frozen=True, slots=True)
class _Trail:
    """What a page leaves to the pages it leads to."""

    form: str
    words: array[int]
    length: int


def sketch(text: str) -> array[int]:
    """A sample of a page's words, numbers aside, that can be compared with another page's."""
    words = {crc32(w.encode()) for w in set(_WORD.findall(text.lower()))}
    return array("I", nsmallest(SKETCH, words))


def likeness(one: array[int], other: array[int]) -> float:
    """About how much of the words of two pages is in both, 0 to 1.

    >>> likeness(sketch("no events in May 2031"), sketch("no events in May 2032"))
    1.0
    """
    both = nsmallest(SKETCH, {*one, *other})
    return len({*one} & {*other} & {*both}) / len(both) if both else 1.0


class TrapDetector:
    """Counts what is left out, by kind, in `counts`."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._key_sets: dict[str, set[tuple[str, ...]]] = {}
        self._variants: Counter[str] = Counter()
        self._trails: dict[int, _Trail] = {}
        self._texts: dict[str, set[int]] = {}
        self._copies: Counter[str] = Counter()
        self._closed: set[str] = set()
        self._all_texts: set[int] = set()
        self._form_copies: Counter[int] = Counter()
        self._form_pages: Counter[int] = Counter()
        self._closed_forms: set[int] = set()

    def catches(self, url: str) -> bool:
        """Is a new URL part of a trap? Call once per new URL."""
        parts = urlsplit(url)
        if repeats(parts.path):
            self.counts["path"] += 1
            return True
        if parts.query:
            where = parts.netloc + parts.path
            names = tuple(sorted(p.partition("=")[0] for p in parts.query.split("&")))
            # The names of single parameters are counted apart: there may be more of them than of combinations.
            sets = self._key_sets.setdefault(where if len(names) > 1 else where + "?", set())
            if names not in sets and len(sets) >= (MAX_KEY_SETS if len(names) > 1 else MAX_NAMES):
                self.counts["query"] += 1
                return True
            sets.add(names)
            if len(names) > 2:
                self._variants[where] += 1
                if self._variants[where] > MAX_VARIANTS:
                    self.counts["query"] += 1
                    return True
        return self.is_closed(url)

    def is_closed(self, url: str) -> bool:
        """Has the shape of this URL turned out to be endless?"""
        is_closed = bool(self._closed) and shape(url) in self._closed
        if not is_closed and self._closed_forms:
            is_closed = any(hash(form) in self._closed_forms for form in forms(url))
        if is_closed:
            self.counts["same"] += 1
        return is_closed

    def learn(self, url: str, text: str, new_links: list[str]) -> None:
        """Look at a fetched page and at the URLs that it is the first to name."""
        self._learn_copy(url, text)
        trail = self._trails.pop(hash(url), None)
        form = shape(url)
        if form == url or form in self._closed:
            return
        if _TOKEN.search(url):
            seen = self._texts.setdefault(form, set())
            key = hash(text)
            self._copies[form] += key in seen
            seen.add(key)
            if self._copies[form] >= SAME_TOKENS:
                self._close(form)
                return
        followers = [link for link in new_links if shape(link) == form]
        if trail is None and not followers:
            return
        words = sketch(text)
        length = 0
        if trail is not None and trail.form == form and likeness(words, trail.words) >= SAME_WORDS:
            length = trail.length + 1
            if length >= self._limit(form):
                self._close(form)
                return
        left = _Trail(form, words, length)
        for link in followers:
            self._trails[hash(link)] = left

    def _learn_copy(self, url: str, text: str) -> None:
        """Count the pages whose text stood elsewhere already, by the places of the path that may tell them apart."""
        key = hash(text)
        is_copy = key in self._all_texts
        self._all_texts.add(key)
        found = forms(url)
        for form in found:
            # Forms are counted from their first copy on: most have none, and need no memory.
            key = hash(form)
            if is_copy or key in self._form_pages:
                self._form_pages[key] += 1
                self._form_copies[key] += is_copy
                copies = self._form_copies[key]
                enough = SAME_LEAVES if form is found[-1] else SAME_TOKENS
                if copies >= enough and copies >= SAME_SHARE * self._form_pages[key]:
                    self._closed_forms.add(key)

    def _limit(self, form: str) -> int:
        path, mark, query = form.partition("://")[2].partition("?")
        if _DATES.search("/" + path.partition("/")[2]) or _DATES.search(query):
            return SAME_DATES
        return SAME_QUERIES if mark else SAME_PATHS

    def _close(self, form: str) -> None:
        self._closed.add(form)
        self._texts.pop(form, None)
