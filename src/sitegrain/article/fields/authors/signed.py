"""Who signed a text by what the page shows: the names of those whom metadata give, and, where they give the paper itself, a name that is a paragraph
of its own, in bold, above or below the others."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.article.fields.authors.bylines import visible_author
from sitegrain.article.fields.authors.credited import (
    is_another,
    is_fuller,
    is_rather,
    may_be_rather,
    may_be_unseen,
    names_of,
)
from sitegrain.article.fields.authors.marked import marked_author
from sitegrain.article.fields.authors.names import clean_name, is_account, may_be_name
from sitegrain.article.fields.titles.titles import is_site_name, squeeze
from sitegrain.article.fields.values import Field
from sitegrain.article.fields.view import View
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask
from sitegrain.text.words import stop_words, title_words

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
    rows = rows[np.argsort(parent[rows], kind="stable")]  # those side by side together, in document order
    begin = np.flatnonzero(np.diff(parent[rows], prepend=-2))
    n_prose = np.diff(prefix_sum(size[rows] >= PROSE)[np.append(begin, len(rows))])
    last = np.append(begin[1:], len(rows)) - 1
    among = np.flatnonzero(n_prose >= MIN_PROSE)
    for pair in zip(rows[begin[among]].tolist(), rows[last[among]].tolist(), strict=True):
        for row in pair:
            inside = np.flatnonzero(tag[row : end[row]] == TEXT) + row
            is_signed = size[row] <= MAX_LINE and len(inside) == 1 and _IS_BOLD[tag[parent[inside[0]]]]
            name = _names(view.text(first + row)) if is_signed else ""
            if name and small.isdisjoint(name.lower().split()) and not is_site_name(name, names, url):
                return name
    return ""


def shown_of(view: View, title_row: int, said: str, is_alone: bool = True) -> Field | None:
    """The names that the page shows of those whom metadata give: that of one of whom they give the account (others on the page are others), and of
    several all and only those of the byline. One whom the page names nowhere gives way to whom it names: who put it there, and who wrote it."""
    if not is_account(said):
        text = view.site.texts[view.page]
        is_unseen = is_alone and may_be_unseen(text, said)  # pages of a site may credit others alike
        if not is_unseen and " " in said and not may_be_rather(text, said):
            return None
        line = visible_author(view, title_row)
        is_better = line and (is_rather(line, said) or is_fuller(line, said) or (is_unseen and is_another(line, said)))
        return Field(line, "byline") if is_better else None
    if name := _name_of_account(view.site.texts[view.page], said):
        return Field(name, "byline")
    name, source = marked_author(view, title_row)
    if not name:
        name, source = visible_author(view, title_row), "byline"
    parts = set(re.findall(r"[a-z]{2,}", said))
    own = [word for word in title_words(name) if len(word) > 2]
    is_same = any(word in squeeze(said) or word in parts for word in own)
    return Field(name, source) if is_same and may_be_name(name) and len(own) > 1 else None


def _name_of_account(text: str, account: str) -> str:
    """The name that a text has of one whose account is made of its first and last word.

    >>> _name_of_account("Told by Ann M. Lee.", "ann.lee.12"), _name_of_account("Told by Ann Lee", "ann"), _name_of_account("ANN LEE", "ann-lee")
    ('Ann M. Lee', '', 'ANN LEE')
    """
    words = [word for word in re.split("[._-]", account) if word.isalpha()]
    if len(words) != 2 or min(map(len, words)) < 3:
        return ""
    first, last = words
    found = re.search(rf"\b{first}(?: [A-Z]\.)? {last}\b", text, re.IGNORECASE)
    return found[0] if found and found[0][0].isupper() else ""


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
