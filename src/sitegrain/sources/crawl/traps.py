"""Crawler traps: parts of a site that never end.

Three signs, each counted under its own name:

- `path`: a path that repeats itself (`/a/b/a/b/a/b/`), as a wrong relative link makes it;
- `query`: one path under ever more combinations of parameters (filters, sort orders);
- `same`: page after page of one URL shape whose words are nearly all the same (calendars, session ids).

The first two look at a URL before it is fetched, the third at pages that were fetched: it closes the shape.
"""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlsplit
from zlib import crc32

MAX_SEGMENTS = 25
"""Paths with more parts are traps."""
MAX_KEY_SETS = 16
"""Different sets of parameter names under one path: 2^4, so four independent filters are still crawled."""
MAX_VARIANTS = 500
"""URLs under one path with three parameters or more. One or two (`?f=1&t=9`) number a forum's pages: free."""
SAME_IN_A_ROW = 12
"""So many near-identical pages of one shape in a row close the shape: a year of calendar months."""
SAME_WORDS = 0.95
"""Jaccard likeness of two pages' word sets that counts as near-identical: a month's name may change."""

_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?<=[/=])(?=[\w-]*\d)[A-Za-z0-9_-]{16,}")
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


class TrapDetector:
    """Counts what is left out, by kind, in `counts`."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._key_sets: dict[str, set[tuple[str, ...]]] = {}
        self._variants: Counter[str] = Counter()
        self._last: dict[str, frozenset[int]] = {}
        self._row: Counter[str] = Counter()
        self._closed: set[str] = set()

    def catches(self, url: str) -> bool:
        """Is a new URL part of a trap? Call once per new URL."""
        parts = urlsplit(url)
        if repeats(parts.path):
            self.counts["path"] += 1
            return True
        if parts.query:
            where = parts.netloc + parts.path
            names = tuple(sorted(p.partition("=")[0] for p in parts.query.split("&")))
            if len(names) > 1:
                sets = self._key_sets.setdefault(where, set())
                if names not in sets and len(sets) >= MAX_KEY_SETS:
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
        if self._closed and shape(url) in self._closed:
            self.counts["same"] += 1
            return True
        return False

    def learn(self, url: str, text: str) -> None:
        """Look at a fetched page's text."""
        form = shape(url)
        if form == url or form in self._closed:
            return
        words = frozenset(crc32(w.encode()) for w in _WORD.findall(text.lower()))
        last = self._last.get(form)
        self._last[form] = words
        if last is None:
            return
        both = len(words & last)
        union = len(words) + len(last) - both
        if both >= SAME_WORDS * union:
            self._row[form] += 1
            if self._row[form] >= SAME_IN_A_ROW:
                self._closed.add(form)
                del self._last[form], self._row[form]
        else:
            self._row[form] = 0
