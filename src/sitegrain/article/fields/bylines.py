"""The line near the title that says who wrote: "By Ann", "Von Ann", "作者：李明"."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.article.fields.calendars import is_western
from sitegrain.article.fields.credited import is_more
from sitegrain.article.fields.dates import find_dates
from sitegrain.article.fields.names import BY, MAX_NAME, clean_name, is_in_card, may_be_name, may_be_whole
from sitegrain.article.fields.view import BREAKS, View
from sitegrain.tables.memo import Asked, per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TEXT

MAX_LINE = 160
"""Characters of a text node that may be a byline."""
_STRONG_BY = re.compile(
    r"^[\W_]{0,5}(?:(?:(?:written|posted|published|(?:(?:photos?|text|words|story) (?:and|&) )?(?:story|words|photos?)|"
    r"reported|reporting|created|submitted|started|text|opinion|analysis|commentary|interview|column)\s+)?by\b\s*:?|author\s*:|"
    r"(?:(?:geschrieben|verfasst|(?:er|einge)stellt|text|(?:eine? )?(?:(?:gast)?beitrag|artikel|interview|kolumne|kommentar|reportage|analyse|essay|bericht)) )?von\b\s*:?|"
    r"(?:(?:texte?|tekst|texto|testo|teksti) ?(?:(?:&|und|and|et|y|e|og|och) ?(?:fotos?|photos?|bilder?) ?)?|words|redaktion):|"
    r"(?:(?:écrit|publié|propos recueillis) )?par\b\s*:?|auteur\s*:|(?:(?:escrito|publicado) )?por\b\s*:?|escribe\b|a cura di\b|autor(?:in|en)?\s*:|autoren\s|scritto da|(?:door|av|af|di)\b\s*:?|автор\s*:|"
    r"текст\s*:|tác giả\s*:?|"
    r"đăng bởi|作者\s*[:：]|(?:(?:取材|構成|写真)・){0,2}文\s*[/／:：=＝]|撰文\s*[:：]?|記者\s*[:：]?|著者\s*[:：]|投稿者\s*[:：]|執筆\s*[:：]|"
    r"بقلم\s*:?|الكاتب\s*:|كتبه?ا?\s*:|(?:نویسنده|نويسنده)\s*:|מאת\s*:?|(?:โดย|ผู้เขียน)\s*:?|(?:लेखक|লেখক)\s*:|"
    r"írta\s*:|kirjoittaja\s*:|(?:piše|пише)\s*:?|γράφει(?: [οη])?\s*:?|συντάκτης\s*:|(?:του|της)\b|(?:저자|글쓴이)\s*:|(?=[가-힣]{2,4}\s기자\b)|"
    r"oleh\b\s*:?|penulis\s*:|yazar\b\s*:?|szerző\s*:)\s*(?=\S)",
    re.IGNORECASE,
)
_LOCAL = {"door": ("nl",), "av": ("sv", "no", "nb", "nn"), "af": ("da",), "di": ("it",), "του": ("el",), "της": ("el",)}
"""Words that mean "by" in one language, and something else in others: "Door Panels"."""
_LOCAL_BY = re.compile(rf"\W*({'|'.join(_LOCAL)})\b", re.IGNORECASE)
_LABELLED = re.compile(r"(?<=\s)(?:作者|记者|記者|撰文)\s*[:：]\s*(?=\S)")
"""The label within a line of several: "来源：新华社 作者：李明"."""
_DATED_BY = re.compile(
    r"(?<!\d)(?:19|20)\d\d\W+(?:[\d:.,|h-]+\W*|(?:at|um|à|[ap]\.?m\.?|uhr|utc|gmt)\W+){0,4}(?:by|von|par|por|door|da|av|af|oleh)\b\W*",
    re.IGNORECASE,
)
"""From the year to the name, in a line that begins with the day: "Posted on 3 May 2020 at 10:30 by Ann Lee"."""
DATE_FIRST = 50
"""Characters of such a line up to its year: "Veröffentlicht am Mittwoch, dem 3. September 2020 von Ann Lee"."""
LINE_ROWS = 12
"""Rows after a label among which the name stands. Set beforehand."""

_LONE, _BEFORE, _AFTER_DATE = 1, 2, 3
_BEGINNINGS = frozenset(
    "af an ar au av be by co cr di do ed ei er es ga ge in ki ko na ol op pa pe ph po pr pu re sc sk st su te th ve vi vo wo wr ya".split()
) | {"a "}
"""With these every text in ASCII begins that `BY` or `_STRONG_BY` matches, signs before it aside."""


_SMALL_BY, _SMALL_STRONG_BY = (re.compile(pattern.pattern) for pattern in (BY, _STRONG_BY))
"""The same for texts in small letters of the West (`is_western`), in half the time."""


@per_site
def _bylines(site: Site) -> Asked:
    """Of its different texts: see `_byline`."""
    return Asked(site.unique_texts, _byline)


def _byline(text: str) -> int:
    """`_LONE` for "By" alone, `_BEFORE` where a name may follow in the same text, `_AFTER_DATE` where it follows a date, else 0."""
    # Most texts begin with other letters, and that is soon told.
    if text[:2].lower() in _BEGINNINGS or not (text[:1].isalnum() and text.isascii()):
        is_small = is_western(text)
        said = text.lower() if is_small else text
        if (_SMALL_BY if is_small else BY).fullmatch(said + " "):
            return _LONE
        if (_SMALL_STRONG_BY if is_small else _STRONG_BY).match(said):
            return _BEFORE
    return _AFTER_DATE if _after_date(text) is not None else 0


def visible_author(view: View, title_row: int) -> str:
    """The name of a byline near the title: "By Ann", "Von Ann", "作者：李明"."""
    first, lists = view.rows.start, view.lists
    lo = max(first, title_row - 60) if title_row >= 0 else first
    hi = min(view.rows.stop, (title_row if title_row >= 0 else first) + 250)
    nodes, near = view.site.nodes, slice(lo, hi)
    size = nodes.text_end[near] - nodes.text_start[near]
    rows = np.flatnonzero((nodes.tag[near] == TEXT) & (size <= MAX_LINE)) + lo
    cues = _bylines(view.site).of(view.site.text_id[rows])
    at = np.flatnonzero(cues)
    for row, cue in zip(rows[at].tolist(), cues[at].tolist(), strict=True):
        text = view.text(row)
        parent = lists.parent[row - first]
        lone = cue == _LONE
        dated = _after_date(text) if cue == _AFTER_DATE else None
        if view.is_elsewhere(row) or view.inside(row, "figure") or view.has_code(parent) or not _begins_line(view, row):
            continue
        if is_in_card(view, row):
            continue
        if (local := _LOCAL_BY.match(text)) and view.language not in _LOCAL[local[1].lower()]:
            continue
        # "By <a>Ann</a>": the name may be in the next node of the same line.
        whole = view.text(parent) if len(view.text(parent)) <= 200 else text
        whole = whole if lone or whole.startswith(text) else text
        dated = _after_date(whole) if lone else dated
        name = clean_name(whole if dated is None else whole[dated:])
        if lone and not name and parent >= 0:
            whole = view.text(lists.parent[parent - first])
            name = clean_name(whole) if len(whole) <= 200 else ""
        if lone:
            line = clean_name(_after(view, row))
            is_better = is_more(line, name) if name and may_be_name(name) else may_be_whole(line)
            name = line if is_better else name
        if name and may_be_name(name) and (not local or may_be_whole(name)):
            return name
    return ""


def _after(view: View, row: int) -> str:
    """What stands after a label up to the end of its line, or on the next line if the label has one of its own: "Date: 3 May<br><b>Author:</b> Ann Lee<br>Source: ..."."""
    first, lists, text = view.rows.start, view.lists, view.site.texts[view.page]
    parts: list[str] = []
    for i in range(row + 1, min(view.rows.stop, row + LINE_ROWS)):
        if lists.tag[i - first] == TEXT:
            parts.append(text[lists.text_start[i - first] : lists.text_end[i - first]])
        elif parts and lists.tag[i - first] in BREAKS:
            break
    return " ".join(parts)[: MAX_NAME + 1]


def _begins_line(view: View, row: int) -> bool:
    """Whether nothing stands before a text on its line but a word, a date or what a sign parts from it: "Posted <b>by</b>", and not "MS DOS 5.0 by Microsoft"."""
    first, lists = view.rows.start, view.lists
    block = lists.parent[row - first]
    while block >= first and lists.tag[block - first] not in BREAKS:
        block = lists.parent[block - first]
    begin = row - 1
    while begin > block and lists.tag[begin - first] not in BREAKS:
        begin -= 1
    # A block that ended before the text begins a line, too.
    at = (
        lists.text_start[begin - first]
        if begin == block or lists.end[begin - first] > row
        else lists.text_end[begin - first]
    )
    before = view.site.texts[view.page][at : lists.text_start[row - first]]
    is_apart = before.rstrip().endswith(("|", "•", "·", "–", "—", "/", "-", ":"))
    return is_apart or len(before.split()) <= 1 or any(find_dates(before[-MAX_NAME:]))


def _after_date(line: str) -> int | None:
    """Where the name begins in a line that says when and by whom, or whence and by whom; None for any other line.

    >>> _after_date("Posted on 3 May 2020 at 10:30 by Ann Lee"), _after_date("Am 3. Mai 2020 von"), _after_date("In May 2020 it was led by Ann")
    (33, 18, None)
    """
    if "者" in line and (labelled := _LABELLED.search(line)):
        return labelled.end()
    found = _DATED_BY.search(line) if "19" in line or "20" in line else None
    return found.end() if found is not None and found.start() < DATE_FIRST and any(find_dates(line)) else None
