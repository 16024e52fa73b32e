"""The line near the title that says who wrote: "By Ann", "Von Ann", "作者：李明"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np

from sitegrain.arrays.types import Ints64
from sitegrain.article.fields.authors.beside import is_never_small
from sitegrain.article.fields.authors.bywords import LABELS, LOCAL, PHRASES
from sitegrain.article.fields.authors.credited import is_more
from sitegrain.article.fields.authors.marked import is_in_card
from sitegrain.article.fields.authors.names import BY, MAX_NAME, ROLE, clean_name, may_be_name, may_be_whole
from sitegrain.article.fields.days.calendars import is_western
from sitegrain.article.fields.days.dates import find_dates
from sitegrain.article.fields.view import BREAKS, View
from sitegrain.light import late_pattern
from sitegrain.tables.memo import Asked, per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TEXT
from sitegrain.text.words import stop_words

ABOVE, BELOW = 60, 250
"""Rows from the title within which a byline stands."""
MAX_LINE = 160
"""Characters of a text node that may be a byline."""
_LABELS, _PHRASES, _LOCAL_WORDS = ("|".join(sorted(words, key=len, reverse=True)) for words in (LABELS, PHRASES, LOCAL))
_STRONG_BY = re.compile(
    rf"^[\W_]{{0,5}}(?:(?:{_LABELS})\s*[:：՝]|(?:{_PHRASES}|{_LOCAL_WORDS})\b\s*:?|"
    r"(?:(?:written|posted|published|(?:(?:photos?|text|words|story) (?:and|&) )?(?:story|words|photos?)|"
    r"reported|reporting|created|submitted|started|text|opinion|analysis|commentary|interview|column)\s+)?by\b\s*:?|author\s*:|"
    r"(?:(?:geschrieben|verfasst|(?:er|einge)stellt|text|(?:eine? )?(?:(?:gast)?beitrag|artikel|interview|kolumne|kommentar|reportage|analyse|essay|bericht)) )?von\b\s*:?|"
    r"(?:(?:texte?|tekst|texto|testo|teksti) ?(?:(?:&|und|and|et|y|e|og|och) ?(?:fotos?|photos?|bilder?) ?)?|words|redaktion):|"
    r"(?:(?:écrit|publié|propos recueillis) )?par\b\s*:?|auteur\s*:|(?:(?:escrito|publicado) )?por\b\s*:?|escribe\b|a cura di\b|autor(?:in|en)?\s*:|autoren\s|scritto da|автор\s*:|"
    r"текст\s*:|tác giả\s*:?|"
    r"đăng bởi|作者[\s:：/／|｜]|(?:(?:取材|構成|写真)・){0,2}文\s*[/／:：=＝|｜・]|撰文\s*[:：]?|(?:本报|本刊|本網|本网|新华社|中新社|人民网|通讯员|实习|特约)?[記记]者\s*[:：]?|筆者\s*[:：]|글[\s:：](?=\s?(?-i:[가-힣]){2,4}(?:\s|$))|著者\s*[:：]|投稿者\s*[:：]|執筆\s*[:：]|"
    r"بقلم\s*:?|الكاتب\s*:|كتبه?ا?\s*:|(?:نویسنده|نويسنده)\s*:|מאת\s*:?|(?:โดย|ผู้เขียน)\s*:?|(?:लेखक|লেখক)\s*:|"
    r"írta\s*:|kirjoittaja\s*:|(?:piše|пише)\s*:?|γράφει(?: [οη])?\s*:?|συντάκτης\s*:|(?:저자|글쓴이)\s*:|(?=(?-i:[가-힣]){0,8}[\s=·]{0,2}(?-i:[가-힣]){2,4}\s?기자(?:\s|$))|"
    r"oleh\b\s*:?|penulis\s*:|yazar\b\s*:?|szerző\s*:)\s*(?=\S)",
    re.IGNORECASE,
)
_LOCAL_BY = re.compile(rf"\W*({_LOCAL_WORDS})\b", re.IGNORECASE)
_PREPOSITION = late_pattern(rf"\W*(?:von|par|por|{_LOCAL_WORDS})\s", re.IGNORECASE)
_LABELLED = re.compile(r"(?<=\s)(?:作者|记者|記者|撰文)\s*[:：]\s*(?=\S)")
"""The label within a line of several: "来源：新华社 作者：李明"."""
_DATED_BY = re.compile(
    r"(?<!\d)(?:19|20)\d\d\W+(?:[\d:.,|h-]+\W*|(?:at|um|à|[ap]\.?m\.?|uhr|utc|gmt)\W+){0,4}(?:by|von|par|por|door|da|av|af|oleh)\b\W*",
    re.IGNORECASE,
)
"""From the year to the name, in a line that begins with the day: "Posted on 3 May 2020 at 10:30 by Ann Lee"."""
_LABEL = late_pattern(
    r"[:：՝]|\b(?:written|author|geschrieben|verfasst|aut[eo]u?r\w{0,4}|écrit|rédigé|escrito|scritto|geschreven|skrevet|skriven)\b|者",
    re.IGNORECASE,
)
"""What parts a line that says who wrote from a sentence that begins alike: a colon, or a word for writing."""
_AUTHOR = re.compile(r"\W*aut(?:h|eu|o)", re.IGNORECASE)
_ONLY_NAME = late_pattern(r"^\W*(?:by|von|par|por)\s+(?:[^\W\d_][\w'’.-]*\s?){2,4}$", re.IGNORECASE)
"""Nothing but a name behind "by"; "By End User" is a heading, and its words are written with small letters elsewhere."""
DATE_FIRST = 50
"""Characters of such a line up to its year: "Veröffentlicht am Mittwoch, dem 3. September 2020 von Ann Lee"."""
LINE_ROWS = 12
"""Rows after a label among which the name stands. Set beforehand."""

_LONE, _BEFORE, _AFTER_DATE = 1, 2, 3
_BEGINNINGS = frozenset(
    "af an ar au av be by co cr di do ed ei er es ga ge in ki ko na ol op pa pe ph pi po pr pu re sc sk st su te th ve vi vo wo wr ya".split()
) | {"a ", *(word[:2] for word in (*LABELS, *PHRASES, *LOCAL))}
"""With these every text in ASCII begins that `BY` or `_STRONG_BY` matches, signs before it aside."""

_WORDS = re.findall(r"[^\W\d_]+", BY.pattern + _STRONG_BY.pattern)
_OTHER_BEGINNINGS = frozenset(word[0].lower() for word in _WORDS if not word[:2].isascii()) | frozenset("記记文글작취")
"""The first letters of those that are not in ASCII, or of which the second is not."""
_FAR_WORDS = (
    ":", "：", "By ", "by ", "BY ", "Von ", "Par ", "Por ", "ritten ", "RITTEN ", "uthor", "UTHOR", "utor", "uteur", "eschrieben", "erfasst", "crit par", "digé par", "scrito por",
    "critto da", "eschreven", "krevet", "kriven", "作者", "記者", "记者",
)  # fmt: skip
"""One of these stands in every line that may say who wrote far from the title; without first letters, which may be capitals."""
MAX_LONE = 50
"""Characters of a label alone: the longest of the words has 30, and signs stand around it."""
MAX_LABEL = 40
"""Characters of a label up to its colon. Set beforehand."""


_SMALL_BY, _SMALL_STRONG_BY = (re.compile(pattern.pattern) for pattern in (BY, _STRONG_BY))
"""The same for texts in small letters of the West (`is_western`), in half the time."""


@per_site
def _bylines(site: Site) -> Asked:
    """Of its different texts: see `_byline`."""
    return Asked(site.unique_texts, lambda texts: [_byline(text) for text in texts])


def _byline(text: str) -> int:
    """`_LONE` for "By" alone, `_BEFORE` where a name may follow in the same text, `_AFTER_DATE` where it follows a date, else 0."""
    # Most texts begin with other letters, and that is soon told.
    start = text[:2].lower()
    is_other = start not in _BEGINNINGS if start.isascii() else start[0] not in _OTHER_BEGINNINGS
    if not (is_other and text[:1].isalnum()) or "기자" in text:
        is_small = is_western(text)
        said = text.lower() if is_small else text
        if len(text) <= MAX_LONE and (_SMALL_BY if is_small else BY).fullmatch(said + " "):
            return _LONE
        if (_SMALL_STRONG_BY if is_small else _STRONG_BY).match(said):
            return _BEFORE
    return _AFTER_DATE if _after_date(text) is not None else 0


def visible_author(view: View, title_row: int) -> str:
    """The name of a byline near the title: "By Ann", "Von Ann", "作者：李明"."""
    top = max(title_row, view.rows.start)
    lo = max(view.rows.start, top - ABOVE) if title_row >= 0 else top
    nodes, near = view.site.nodes, slice(lo, min(view.rows.stop, top + BELOW))
    size = nodes.text_end[near] - nodes.text_start[near]
    rows = np.flatnonzero((nodes.tag[near] == TEXT) & (size <= MAX_LINE)) + lo
    return next((name for _, name in _said_names(view, rows)), "")


def labelled_author(view: View, title_row: int) -> str:
    """The one name behind a label anywhere below the title: "Autorin: Ann Lee" under the text, "Article written by" above the name. Empty if there is
    none, or if such lines give several: then they are of other pages, or of parts of this one."""
    found: set[str] = set()
    for text, name in _said_names(view, _labelled_rows(view, title_row)):
        is_said = _LABEL.search(text) or (_ONLY_NAME.match(text) and is_never_small(view, name))
        if is_said and may_be_whole(name) and not ROLE.search(name):
            found.add(name)
            if len(found) > 1:
                return ""
    return found.pop() if found else ""


def _labelled_rows(view: View, title_row: int) -> Ints64:
    """The short texts below the title that may be labels: those with a colon near their beginning, or a word of `_FAR_WORDS`. To look for these in
    the text of the page takes a tenth of the time of a look at every node."""
    rows, starts, ends = view.text_nodes
    text, found = view.site.texts[view.page], set()
    first = bisect_left(rows, title_row)
    if first == len(rows):
        return np.zeros(0, np.int64)
    for word in _FAR_WORDS:
        at = text.find(word, starts[first])
        while at >= 0:
            k = bisect_right(starts, at, first) - 1
            if at - starts[k] <= MAX_LABEL and ends[k] - starts[k] <= MAX_LINE:
                found.add(k)
            at = text.find(word, max(at + 1, min(ends[k], at + MAX_LABEL)))
    return np.array([rows[k] for k in sorted(found)], np.int64)


def _said_names(view: View, rows: Ints64) -> Iterator[tuple[str, str]]:
    """(text that says so, name) of the bylines among these text nodes."""
    first, lists = view.rows.start, view.lists
    cues = _bylines(view.site).of(view.site.text_id[rows])
    at = np.flatnonzero(cues)
    for row, cue in zip(rows[at].tolist(), cues[at].tolist(), strict=True):
        text = view.text(row)
        parent = lists.parent[row - first]
        lone = cue == _LONE
        dated = _after_date(text) if cue == _AFTER_DATE else None
        if view.is_elsewhere(row) or view.inside(row, "figure") or view.has_code(parent):
            continue
        if dated is None and not _begins_line(view, row):
            continue
        # "Written by" in the label of a table is of the film that the page is about; "Author:" is of the page (manuals by Sphinx).
        if is_in_card(view, row) or (view.inside(row, "th") and not _AUTHOR.match(text)):
            continue
        if (local := _LOCAL_BY.match(text)) and view.language not in LOCAL[local[1].lower()]:
            continue
        # "By <a>Ann</a>": the name may be in the next node of the same line.
        whole = view.text(parent) if len(view.text(parent)) <= 200 else text
        whole = whole if lone or whole.startswith(text) else text
        dated = _after_date(whole) if lone else dated
        said = whole if dated is None else whole[dated:]
        name = clean_name(said[local.end() :] if local and said.startswith(text) else said)
        if lone and not name and parent >= 0:
            whole = view.text(lists.parent[parent - first])
            name = clean_name(whole) if len(whole) <= 200 else ""
        if lone:
            line = clean_name(_after(view, row))
            is_better = is_more(line, name) if name and may_be_name(name) else may_be_whole(line)
            name = line if is_better else name
        if name and may_be_name(name) and (not local or may_be_whole(name)) and not _is_phrase(view, text, name):
            yield text, name


def _is_phrase(view: View, text: str, name: str) -> bool:
    """True where what follows "von", "por" or the like begins with a small word of the language: "Por Que Ler"."""
    by = _PREPOSITION.match(text)
    return by is not None and name.split()[0].casefold() in stop_words(view.language)


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
