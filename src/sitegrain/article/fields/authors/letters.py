"""Who wrote a letter: archives of mail print its head below the title, "From: Ann Lee <ann@bay.org>"."""

from __future__ import annotations

import re
from bisect import bisect_right

from sitegrain.article.fields.authors.names import clean_name
from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.values import Field
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


BEFORE = 500
"""Characters of a page (a menu, a form to search with) before a letter that is printed as it came; an example of a letter stands further down. Set beforehand."""
MAX_HEAD = 4_000
"""Characters of such a letter in which its head is looked for."""
_ANSWER = re.compile(r"^(?:(?:re|aw|sv|fwd?)(?:\[\d+\])?: *)+", re.IGNORECASE)
_HEAD_LINE = re.compile(r"([A-Za-z][\w-]{1,20}):[ \t]*(.*)")


def _head(view: View) -> dict[str, str]:
    """The lines that a letter begins with which is printed as it came (`<pre>From: Ann Lee <ann@bay.org>`), by what they are called."""
    first, lists, text = view.rows.start, view.lists, view.site.texts[view.page]
    for row in view.tagged("pre"):
        start, end = lists.text_start[row - first], lists.text_end[row - first]
        if start - lists.text_start[0] > BEFORE:
            break
        found: dict[str, str] = {}
        for line in text[start : min(end, start + MAX_HEAD)].lstrip().split("\n"):
            if said := _HEAD_LINE.match(line):
                found.setdefault(said[1].lower(), said[2].strip())
            elif not line[:1].isspace():  # a line that goes on
                break
        if _ADDRESS.search(found.get("from", "")[:MAX_LINE]) and ("date" in found or "subject" in found):
            return found
    return {}


def sent_on(view: View) -> str:
    """The day in the head of a letter that is printed as it came; empty if there is none."""
    return parse_date(_head(view).get("date", "")[:MAX_LINE])


def without_sender(view: View, title: Field) -> Field:
    """The subject of a letter that is printed as it came, where `<title>` says who wrote it, too."""
    subject = " ".join(_head(view).get("subject", "").split()) if title.source == "title" else ""
    about = _ANSWER.sub("", subject)
    return Field(subject, title.source) if about and about in title.value else title


def sender(view: View, title_row: int) -> str:
    """The name beside an address of mail in the line of a letter's head that says from whom it is; empty if there is none."""
    if said_from := _head(view).get("from", "")[:MAX_LINE]:
        return clean_name(_ADDRESS.sub(" ", said_from).strip(" \"'<>()"))
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
