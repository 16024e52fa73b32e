"""Days that a page names in passing: in a link within a sentence, and in the headings of a list of releases."""

from __future__ import annotations

import re

from sitegrain.article.fields.days.dates import first_date
from sitegrain.article.fields.view import View
from sitegrain.tables.tags import tag_mask

MAX_LINE = 100
"""Characters of a paragraph that may be a date line: longer ones are sentences."""
FAR_IN = 30
"""Characters of the paragraph before the link: who begins with the day says when it was written."""
MAX_HEADINGS = 100
_PARTS = ("h2", "h3", "h4", "h5", "h6")
_IS_PARAGRAPH = tag_mask(("p", "li", "dd"))
_RELEASE = re.compile(r"\W*(?:[^\W\d]\w*\W+){0,3}v?\d{1,4}(?:\.\d{1,6}){1,4}(?!\d)", re.IGNORECASE)
"""Number of a version, and maybe the name of the program before it. The heading of a post has a day and at most a number without a point."""
LEVELS = 4
"""Elements between a text and its paragraph that are looked through."""


def is_in_passing(view: View, row: int) -> bool:
    """Whether a text with a day speaks of another page, or of a part of this one."""
    return (view.leads_on(row) and _is_in_sentence(view, row)) or _is_of_part(view, row)


def _is_in_sentence(view: View, row: int) -> bool:
    nodes = view.site.nodes
    up = row
    for _ in range(LEVELS):
        up = int(nodes.parent[up])
        if up < 0:
            return False
        if _IS_PARAGRAPH[nodes.tag[up]]:
            start = int(nodes.text_start[up])
            return int(nodes.text_end[up]) - start > MAX_LINE and int(nodes.text_start[row]) - start > FAR_IN
    return False


def _is_of_part(view: View, row: int) -> bool:
    """In one of several headings of a level that name releases of different days, or in a list of them."""
    at = next((tag for tag in _PARTS if view.inside(row, tag)), "")
    if at:
        return len(_days(view, at)) > 1
    if not view.attrs("href").get(int(view.site.nodes.parent[row]), "").startswith("#"):
        return False
    own = first_date(view.text(row), view.day_first)
    return any(len(days) > 1 and own in days for days in (_days(view, tag) for tag in _PARTS))


def _days(view: View, tag: str) -> set[str]:
    texts = (view.text(row) for row in view.tagged(tag)[:MAX_HEADINGS])
    releases = ((text, found.end()) for text in texts if (found := _RELEASE.match(text)))
    return {first_date(text[end:], view.day_first) for text, end in releases} - {""}
