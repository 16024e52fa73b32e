"""Where on a page a text says its title, be it a heading or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.article.fields.titles import MAX_TITLE
from sitegrain.article.fields.view import View
from sitegrain.tables.tags import TEXT
from sitegrain.text.words import title_words

MAX_TEXTS = 2000
"""Text nodes of a page that are looked at: a title stands near the beginning."""


class TextSpot(NamedTuple):
    """A text node, and where it stands in the text of its page."""

    row: int
    start: int
    end: int


def title_spots(view: View, title: str) -> list[TextSpot]:
    """The short text nodes that may say a title: of a page in ASCII, those with its first word."""
    nodes, text, wanted = view.site.nodes, view.site.texts[view.page], title_words(title)
    if not wanted:
        return []
    own = np.flatnonzero(view.tag == TEXT) + view.rows.start
    in_head = int(view.inside(int(own[0]), "head")) if len(own) else 0
    own = own[in_head : in_head + MAX_TEXTS]
    if text.isascii() and len(own):
        # Of plain letters it is soon told where the first word stands.
        places, lower = [], text.lower()
        at = lower.find(wanted[0])
        while at >= 0:
            places.append(at)
            at = lower.find(wanted[0], at + len(wanted[0]))
        if not places:
            return []
        which = distinct(np.searchsorted(nodes.text_start[own], places, "right") - 1)
        own = own[which[which >= 0]]
    size = nodes.text_end[own] - nodes.text_start[own]
    rows = own[(size >= 2) & (size <= MAX_TITLE)]
    columns = rows.tolist(), nodes.text_start[rows].tolist(), nodes.text_end[rows].tolist()
    return list(map(TextSpot, *columns))


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
