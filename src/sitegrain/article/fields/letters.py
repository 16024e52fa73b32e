"""Who wrote a letter: archives of mail print its head below the title, "From: Ann Lee <ann@bay.org>"."""

from __future__ import annotations

import re
from bisect import bisect_right

from sitegrain.article.fields.names import clean_name
from sitegrain.article.fields.view import BREAKS, View

HEAD_TEXTS = 40
"""Text nodes below the title among which the head of a letter stands: a line has up to four of them. Set beforehand."""
MAX_LINE = 200
"""Characters of such a line."""
_LABEL = re.compile(
    r"\s*(?:from|von|van|de|da|från|fra|lähettäjä|od|feladó|от|差出人|发件人|寄件者|보낸 ?사람)\s*(?:[:：]|$)",
    re.IGNORECASE,
)
_FIRST = frozenset("FfVvDdLlOoОо差发寄보")
"""What such a label begins with: most texts are told by that."""
_LINE = re.compile(r"\w+(?: \w+)?\s*[:：]\s*(.+)")
_ADDRESS = re.compile(r"[<(\[]?\s*[^\s<>()\[\]]+(?:@| at |\(at\)|\[at\]|&#64;)[^\s<>()\[\]]+\s*[>)\]]?", re.IGNORECASE)


def sender(view: View, title_row: int) -> str:
    """The name beside an address of mail in the line of a letter's head that says from whom it is; empty if there is none."""
    first, lists, text = view.rows.start, view.lists, view.site.texts[view.page]
    at = bisect_right(view.text_rows, title_row)
    for row in view.text_rows[at : at + HEAD_TEXTS]:
        start, end = lists.text_start[row - first], lists.text_end[row - first]
        if end - start > MAX_LINE or text[start] not in _FIRST or not _LABEL.match(text, start, end):
            continue
        block = row
        while block >= first and lists.tag[block - first] not in BREAKS:
            block = lists.parent[block - first]
        said = _LINE.fullmatch(view.text(block)) if block >= first and len(view.text(block)) <= MAX_LINE else None
        if said and _ADDRESS.search(said[1]) and not view.is_elsewhere(row):
            return clean_name(_ADDRESS.sub(" ", said[1]).strip(" \"'<>()"))
    return ""
