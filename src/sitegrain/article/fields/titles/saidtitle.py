"""Where on a page a text says its title, be it a heading or not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from sitegrain.article.fields.titles.titles import MAX_TITLE
from sitegrain.article.fields.view import View
from sitegrain.text.words import title_words

MAX_TEXTS = 2000
"""Text nodes of a page that are looked at: a title stands near the beginning."""


TextSpot = tuple[int, int, int]
"""The row of a text node, and where it begins and ends in the text of its page."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_IDEOGRAPHS = ("\u4e00", "\u9fff")


@cache
def _like_ideographs() -> re.Pattern[str]:
    """What NFKC makes ideographs of: radicals, signs in circles, and those that stand twice in Unicode."""
    return re.compile(
        "[\u2e80-\u2fdf\u3038-\u303f\u3190-\u319f\u3200-\u33ff\uf900-\ufaff\U0001f200-\U0001f2ff\U0002f800-\U0002fa1f]"
    )


def title_spots(view: View, title: str) -> list[TextSpot]:
    """The short text nodes that may say a title: those with its first word, and those in other letters, of which that is not soon told."""
    text, wanted = view.site.texts[view.page], title_words(title)
    rows, starts, ends = view.text_nodes
    if not wanted or not rows:
        return []
    first = int(view.inside(rows[0], "head"))
    stop = min(first + MAX_TEXTS, len(rows))
    which: Iterable[int] = range(first, stop)
    small = text.lower()
    if text.isascii():
        which = with_word(small, wanted[0], starts, first, stop)
    elif _IDEOGRAPHS[0] <= (sign := wanted[0][0]) <= _IDEOGRAPHS[1] and not _like_ideographs().search(text):
        which = with_word(text, sign, starts, first, stop)
    elif len(small) == len(text):  # a letter or two have a longer small one
        others = _nodes_with(lambda at: _place(_BEYOND_ASCII.search(text, at)), starts, first, stop)
        which = sorted({*with_word(small, wanted[0], starts, first, stop), *others})
    return [(rows[k], starts[k], ends[k]) for k in which if 2 <= ends[k] - starts[k] <= MAX_TITLE]


def with_word(text: str, word: str, starts: list[int], first: int, stop: int) -> Iterator[int]:
    """Of the text nodes from `first` on up to `stop`, by where they start, those in which a word begins: of plain letters that is soon told."""
    return _nodes_with(lambda at: text.find(word, at), starts, first, stop)


def _nodes_with(find: Callable[[int], int], starts: list[int], first: int, stop: int) -> Iterator[int]:
    """Of these nodes those in which something begins; `find` tells where it next does, from a place in the text on, -1 for nowhere."""
    at, k = find(0), first
    while at >= 0 and k < stop:
        found = bisect_right(starts, at, k, stop) - 1
        if found >= k:
            yield found
            k = found + 1
        at = find(max(at + 1, starts[k])) if k < stop else -1


def _place(found: re.Match[str] | None) -> int:
    return -1 if found is None else found.start()


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
