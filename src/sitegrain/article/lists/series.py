"""TOC pages that are one list cut into pages: `/news`, `/news/page/2`, `/news?page=3`.

Which pages are a series is told by their addresses: they differ in the number after a word for a page or an offset. The
words are few and the same in most languages of themes; a number without one may be a year, a day or the number of a section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from sitegrain.article.lists.entries import TocEntry
from sitegrain.light import dataclass, late_pattern

_NUMBER = late_pattern(
    r"[/?&_.;-]+(?:page|paged|pages|pag|pagina|pg|p|seite|start|offset|first|from|debut_\w{1,20})[=/_-]?(\d{1,6})(?=$|[/&.?#;])",
    re.IGNORECASE,
)
_INDEX = re.compile(r"(?:/(?:index|default)\.\w{2,5})?/?(?:\.(?:html?|php|aspx?))?[?&]?$", re.IGNORECASE)


def page_number(url: str) -> tuple[str, int]:
    """(address without the number of its page, that number; 0 for the first page).

    >>> page_number("http://a.org/news/page/2/"), page_number("http://a.org/news/index.html")
    (('http://a.org/news', 2), ('http://a.org/news', 0))
    >>> page_number("http://a.org/cat_9_page_4.html"), page_number("http://a.org/list.php?c=7&start=40")
    (('http://a.org/cat_9', 4), ('http://a.org/list.php?c=7', 40))
    >>> page_number("http://a.org/2004/07/")
    ('http://a.org/2004/07', 0)
    """
    found = list(_NUMBER.finditer(url))
    number = 0
    if found:
        last = found[-1]
        number = int(last[1])
        url = url[: last.start()] + url[last.end() :]
    return _INDEX.sub("", url), number


@dataclass(frozen=True)
class Section:
    """A list that is cut into TOC pages; a TOC page by itself is a section of one."""

    url: str
    """Address of its first page."""
    pages: tuple[int, ...]
    """Its pages, in the order of their numbers."""
    _entries_of: Callable[[int], Sequence[TocEntry]]

    @cached_property
    def entries(self) -> list[TocEntry]:
        """The entries of all pages, in order, each address once."""
        out: dict[str, TocEntry] = {}
        for page in self.pages:
            for entry in self._entries_of(page):
                out.setdefault(entry.url, entry)
        return list(out.values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url}, pages {list(self.pages)})"


def sections_of(tocs: Iterable[tuple[int, str]], entries_of: Callable[[int], Sequence[TocEntry]]) -> list[Section]:
    """Put (page, address) of TOC pages together; sections in the order of their first page in `tocs`."""
    series: dict[str, list[tuple[int, int, str]]] = {}
    for page, url in tocs:
        key, number = page_number(url)
        series.setdefault(key, []).append((number, page, url))
    out = []
    for found in series.values():
        found.sort()
        out.append(Section(found[0][2], tuple(page for _, page, _ in found), entries_of))
    return out
