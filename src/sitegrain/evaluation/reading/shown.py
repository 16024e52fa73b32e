"""Whether a page shows what a truth says: read from the parser's own tree, whatever was extracted.

The golds of fields are not all read off the page. Those of fundus are what publishers tell machines (`og:title`, JSON-LD), often
worded for social networks, which may stand nowhere on the page; many of WCXB's titles are a `<title>` cut at a dash, where the page shows a
longer heading; some of newspaper4k's dates are of another year than the page. What
a page does not show cannot be read off it, so figures "shown" are those of the pages whose body shows the truth: a title in a line of its own,
or a heading, and not as a part of one. A day of which the
page itself says that it is that of its last change, and not of its publication, does not count as shown: the field is the day of
publication, and several golds have the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitegrain.article.fields.days.dates import find_dates
from sitegrain.evaluation.gold import decoded
from sitegrain.evaluation.reading.wording import words
from sitegrain.tables.capture import Capture

_UNSEEN = "script, style, template, noscript, head"
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(\d{2}|\d{4})(?!\d)")
_NAMES = re.compile(r"\s*(?:[,;&/]|\band\b|\bund\b)\s*")
_CHANGED, _PUBLISHED = (
    re.compile(rf'"(?:{keys})"\s*:\s*"(\d{{4}}-\d\d-\d\d)')
    for keys in (
        "dateModified|article:modified_time|og:updated_time",
        "datePublished|dateCreated|article:published_time",
    )
)
LINE = 400
"""Characters of a text within which a date is looked for at a time."""


def _texts(element: LexborNode) -> Iterator[str]:
    for node in element.traverse(include_text=True):
        if node.tag == "-text" and (text := node.text()).strip():
            yield text


class ShownPage:
    """The text of a page's body, and the days it names.

    >>> page = ShownPage(Capture("", b"<title>Tea</title><body><h1>Hot tea</h1><p>By Ann Lee, 03.05.20<p><time datetime=2020-05-04>now</time>"))
    >>> page.shows("title", "Hot tea!"), page.shows("title", "Tea"), page.shows("author", "Ann Lee and Bo Ek")
    (True, False, False)
    >>> changed = b'<script type="application/ld+json">{"datePublished": "2020-05-01", "dateModified": "2020-05-03"}</script><p>3 May 2020'
    >>> ShownPage(Capture("", changed)).shows("date", "2020-05-03")
    False
    >>> page.shows("date", "2020-05-03"), page.shows("date", "2020-05-04"), page.shows("date", "2020-05-05")
    (True, True, False)
    """

    def __init__(self, capture: Capture) -> None:
        tree = LexborHTMLParser(decoded(capture))
        self._changed = self._changes(tree)
        for node in tree.css(_UNSEEN):
            node.decompose()
        body = tree.body
        self.text = body.text(separator=" ") if body is not None else ""
        self._words = f" {' '.join(words(self.text))} "
        self.headings = [[*_texts(e)] for e in tree.css("h1, h2, h3")]
        """The texts of each heading, element by element."""
        headings = [e.text(separator=" ") for e in tree.css("h1, h2, h3, h4, h5, h6")]
        lines = body.text(separator="\n").split("\n") if body is not None else []
        self._lines = {" ".join(words(line)) for line in (*headings, *lines)}
        self._marked = [e.attributes.get("datetime") or "" for e in tree.css("[datetime]")]

    def shows(self, name: str, truth: str) -> bool:
        """True when the truth of a field can be read on the page: its line, its names, its day in any writing."""
        if name == "date":
            return truth[:10] in self._days and truth[:10] not in self._changed
        if name == "title":
            return " ".join(words(truth)) in self._lines
        parts = [part for part in _NAMES.split(truth) if part]
        return all(f" {' '.join(words(part))} " in self._words for part in parts)

    @staticmethod
    def _changes(tree: LexborHTMLParser) -> set[str]:
        """Days that metadata name as those of a change and not of the publication."""
        said = " ".join(e.text() for e in tree.css('script[type="application/ld+json"]'))
        for e in tree.css("meta[content]"):
            key = f"{e.attributes.get('property') or ''}{e.attributes.get('name') or ''}"
            said += f' "{key}": "{e.attributes.get("content") or ""}"'
        changed, published = (set(pattern.findall(said)) for pattern in (_CHANGED, _PUBLISHED))
        return changed - published if published else set()

    @property
    def _days(self) -> set[str]:
        out = {mark[:10] for mark in self._marked}
        text = " ".join(self.text.split())
        for start in range(0, len(text), LINE):
            out.update(day for _, day in find_dates(text[start : start + LINE + 40]))
        for match in _NUMBERS.finditer(text):
            a, b, year = (int(part) for part in match.groups())
            year += 2000 if year < 100 else 0
            for month, day in ((a, b), (b, a)):
                try:
                    out.add(date(year, month, day).isoformat())
                except ValueError:
                    continue
        return out
