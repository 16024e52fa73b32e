"""Where on a page a text says its title, be it a heading or not."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from sitegrain.article.fields.titles.titles import MAX_TITLE
from sitegrain.article.fields.view import View
from sitegrain.text.words import title_words

MAX_TEXTS = 2000
"""Text nodes of a page that are looked at: a title stands near the beginning."""


TextSpot = tuple[int, int, int]
"""The row of a text node, and where it begins and ends in the text of its page."""


def title_spots(view: View, title: str) -> list[TextSpot]:
    """The short text nodes that may say a title: of a page in ASCII, those with its first word."""
    text, wanted = view.site.texts[view.page], title_words(title)
    rows, starts, ends = view.text_nodes
    if not wanted or not rows:
        return []
    first = int(view.inside(rows[0], "head"))
    stop = min(first + MAX_TEXTS, len(rows))
    which: Iterable[int] = range(first, stop)
    if text.isascii():
        which = with_word(text.lower(), wanted[0], starts, first, stop)
    return [(rows[k], starts[k], ends[k]) for k in which if 2 <= ends[k] - starts[k] <= MAX_TITLE]


def with_word(text: str, word: str, starts: list[int], first: int, stop: int) -> Iterator[int]:
    """Of the text nodes from `first` on up to `stop`, by where they start, those in which a word begins: of plain letters that is soon told."""
    at, k = text.find(word), first
    while at >= 0:
        found = bisect_right(starts, at, k, stop) - 1
        if found >= k:
            yield found
            k = found + 1
        at = text.find(word, at + 1)  # one that begins in a node and ends in the next may hide another


def title_rows(view: View, title: str, spots: list[TextSpot]) -> Iterator[int]:
    """Those of them that say the title."""
    text, wanted = view.site.texts[view.page], title_words(title)
    least = sum(map(len, wanted))
    for row, start, end in spots:
        said = text[start:end]
        # Most have not its first word, or not as much as all words.
        if said.isascii() and (end - start < least or wanted[0] not in said.lower()):
            continue
        if title_words(said) == wanted and not view.inside(row, "head"):
            yield row
