"""Who signed a text: a name that is a paragraph of its own, in bold, above or below the others, as papers write it that name themselves in their
metadata."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.article.fields.credited import names_of
from sitegrain.article.fields.names import clean_name, may_be_name
from sitegrain.article.fields.titles import is_site_name
from sitegrain.article.fields.view import View
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask
from sitegrain.text.words import stop_words

MIN_PROSE, PROSE = 3, 80
"""Paragraphs around the signature, and characters of one that counts."""
MAX_LINE = 60
"""Characters of the line."""
NAME_WORDS = 4
"""Words of a name, at most; and two at least, since a single word in bold may be anything."""
_P, _IS_BOLD = TAG_CODE["p"], tag_mask(("strong", "b"))


def signed_name(view: View, names: Collection[str], url: str) -> str:
    """The name that the first or the last paragraph among others consists of, in bold; empty where there is none. `names` are those of the site.

    A loop over parents of paragraphs, because names are text.
    """
    nodes, first, small = view.site.nodes, view.rows.start, stop_words(view.language)
    tag, parent, end = view.tag, nodes.parent[view.rows] - first, nodes.end[view.rows] - first
    size = nodes.text_end[view.rows] - nodes.text_start[view.rows]
    rows = np.flatnonzero((tag == _P) & (size > 0))
    is_prose = size[rows] >= PROSE
    for above in distinct(parent[rows[is_prose]]).tolist():
        own = rows[parent[rows] == above]
        if np.count_nonzero(size[own] >= PROSE) < MIN_PROSE:
            continue
        for row in (int(own[0]), int(own[-1])):
            inside = np.flatnonzero(tag[row : end[row]] == TEXT) + row
            is_signed = size[row] <= MAX_LINE and len(inside) == 1 and _IS_BOLD[tag[parent[inside[0]]]]
            name = _names(view.text(first + row)) if is_signed else ""
            if name and small.isdisjoint(name.lower().split()) and not is_site_name(name, names, url):
                return name
    return ""


def _names(line: str) -> str:
    """The names of a line that has nothing else.

    >>> _names("Ann Lee/Bo van der Ek"), _names("ANN LEE"), _names("Lê Phương"), _names("Ann Lee:"), _names("Green tea"), _names("Ann")
    ('Ann Lee, Bo van der Ek', 'ANN LEE', 'Lê Phương', '', '', '')
    """
    found = names_of(line.replace("/", ", "))
    return ", ".join(found) if found and all(map(_is_person, found)) else ""


def _is_person(name: str) -> bool:
    words = name.split()
    is_short = 2 <= len(words) <= NAME_WORDS and words[-1][:1].isupper()
    return (
        is_short and all(c.isalpha() or c in " .'’-" for c in name) and clean_name(name) == name and may_be_name(name)
    )
