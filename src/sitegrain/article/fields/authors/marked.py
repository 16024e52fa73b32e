"""Who wrote it by what the markup calls the author: microdata, `rel=author`, where links lead, names of classes."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import partial

from sitegrain.article.fields.authors.names import (
    ACCOUNT,
    ROLE,
    clean_name,
    first_names,
    join_names,
    may_be_name,
    may_be_whole,
)
from sitegrain.article.fields.shared import named_rows
from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import HEADINGS, TAG_CODE, TEXT

NEAR_TEXT = 300
"""Characters between the names of the authors of one article."""
_CLASS = re.compile(
    r"by-?line|author|(?:^|[-_ ])writer|contributor|(?:^|[-_ ])creator|posted-?by|user-?name|post-?user|topic-?starter|journalist|reporter|"
    r"(?:^|[-_ ])(?:autor(?:in|es|en)?|auteurs?|redacteur|verfasser)(?:$|[-_ ])",
    re.IGNORECASE,
)
_IN_CLASS = (
    "line", "author", "writer", "contributor", "creator", "posted", "user", "starter", "journalist", "reporter", "autor", "auteur", "redacteur", "verfasser",
)  # fmt: skip
"""One of these stands in every name that the pattern matches."""
_CLASS_NOT = late_pattern(
    r"bio(?:$|[-_ ])|avatar|image|img|photo|thumb|desc|about|social|follow|more|count|icon|role|(?:^|[-_ ])job(?:s?$|s?[-_ ]|title)|"
    r"time|comment|author-a-|"  # of which the last marks words in pages of a shared editor
    r"(?:hide|no|disable|show)-?author|authority|authori[sz]|rewriter|underwriter|typewriter|title-wrapper",
    re.IGNORECASE,
)
_POST_AUTHOR = re.compile(r"(?:posts?|entry|article|story)[-_]*(?:meta)?[-_]*authors?(?:$|[-_ ])", re.IGNORECASE)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|writers?|staff|contributors?|autor(?:es|in|en)?|auteurs?)/[^/?#]", re.IGNORECASE
)
_IN_AUTHOR_PAGE = ("author", "writer", "staff", "contributor", "autor", "auteur")
"""One of these stands in every address that the pattern matches."""
NEAR_NAMES = 60
"""Characters between two names of one line. Set beforehand."""
_LISTED = late_pattern(
    r"comment|related|recommend|popular|trending|recent|latest|teaser|card|promo|carousel|menu|(?:^|[-_ ])nav",
    re.IGNORECASE,
)
"""What boxes of other pages, and of what others wrote, are called."""
NEAR_ABOVE = 12
"""Rows above the title within which who wrote may stand in a box of another name. Set beforehand."""
NEAR_ROWS = 60
"""Rows from the title within which a link to the page of an author is a byline; below the text the author is introduced."""
_OTHER_PART = late_pattern(
    r"review|checked|edited|contribut|medical|photo|updated|translat|übersetz|traducc|traduit|analysis|video|graphic|illustrat",
    re.IGNORECASE,
)
"""What stands before the name of one who had another part in it: "Reviewed by", "Contributions from"."""
_BY_AGAIN = re.compile(r"\W*by\W*", re.IGNORECASE)
_MAIL = re.compile("^mailto:", re.IGNORECASE)
CARD = 40
"""Characters of a link beside a name in it that are a title, and not what the person does. Set beforehand."""
MAX_LABEL = 40
"""Characters with which an element says what part somebody had."""
MAIL_ROWS = 12
"""Rows from the title within which an address of mail is that of who wrote."""
_ASKS = re.compile(r"(?:contact|e-?mail|mail|write|send|reply)\b", re.IGNORECASE)
_A, _BR, _NAV, _IMG = (TAG_CODE[tag] for tag in ("a", "br", "nav", "img"))
_HEADINGS = frozenset(TAG_CODE[tag] for tag in HEADINGS)
_BOX = late_pattern(
    r"author[-_]{0,2}(?:bio|box|card|info|profile|desc|section|about)|about[-_](?:the[-_])?author|autor(?:en)?[-_]?box",
    re.IGNORECASE,
)
MAX_BOX, MAX_BOXES = 1500, 12
"""Characters of a box about the author, and boxes of a page that are looked at."""
_PICTURE = re.compile(r"author.{0,12}(?:image|photo|img|avatar|picture)|avatar.{0,12}author", re.IGNORECASE)
_NAME_CLASS = re.compile(r"(?:^|[-_ ])(?:fn|name|author-?name|byline-?name|url)(?:$|[-_ ])", re.IGNORECASE)


def marked_author(view: View, title_row: int = -1) -> tuple[str, str]:
    """(name, where) from what the markup calls the author: microdata, `rel=author`, where links near the title lead, class names."""
    of_item = [row for row, value in view.attrs("itemprop").items() if value.split()[:1] in (["author"], ["creator"])]
    # Pictures, comments and answers have authors of their own.
    of_item = [row for row in of_item if not (view.is_elsewhere(row, sides=False) or view.inside(row, "figure"))]
    of_item = [row for row in of_item if not view.is_of_others(row)]
    # Who brought it up to date or looked it through is told beside who wrote it.
    of_item = [row for row in of_item if not _is_other_part(view, row)] or of_item
    if of_item and (name := name_in(view, of_item[0])):
        # Authors of one thing stand together; with much text between them they are of several posts.
        start = view.site.nodes.text_start
        near = [row for row in of_item[1:6] if start[row] - start[of_item[0]] <= NEAR_TEXT]
        own = itertools.takewhile(lambda row: not _OTHER_PART.search(_between(view, of_item[0], row)), near)
        return join_names([name, *(name_in(view, row) for row in own)]), "microdata"
    if name := _related_name(view):
        return name, "rel=author"
    if title_row >= 0 and (name := _linked_name(view, title_row)):
        return name, "link"
    if title_row >= 0 and (name := _mailed_name(view, title_row)):
        return name, "mail"
    named = view.of_page(_author_rows(view.site))
    rows = [r for r in named if not view.is_elsewhere(r, sides=False)][:40]
    rows = [r for r in rows if not view.inside(r, "figure") and not view.has_code(r) and not is_in_card(view, r)]
    # Further up stands whose site it is; and those who had another part in it come last.
    near = sorted(rows[:12], key=lambda r: max(r - title_row, 2 * (title_row - r)))
    is_other = partial(_is_other_part, view)
    for row in itertools.chain(itertools.filterfalse(is_other, near), filter(is_other, near)):
        if name := _called_author(view, row):
            return _innermost(view, name, [r for r in rows if row < r < view.site.nodes.end[row]]), "class name"
    # Themes put who wrote the post into a menu or a side of it; cards of other posts there would name several.
    in_post = [
        r for r in named if _POST_AUTHOR.search(view.attrs("class").get(r, "")) or _is_at_side(view, r, title_row)
    ]
    names = [name for row in in_post[:12] if (name := _called_author(view, row))]
    # A box of several has their names, and so has each element in it.
    is_one = bool(names) and all(part in names[0] for name in names for part in name.split(", "))
    return (names[0], "class name") if is_one else ("", "")


def is_in_card(view: View, row: int) -> bool:
    """True within a link that says much more than this: it leads to another page, of which this is a part."""
    first, lists, up = view.rows.start, view.lists, row
    while up >= first and lists.tag[up - first] != _A:
        up = lists.parent[up - first]
    if up < first or up == row:
        return False
    size, own = (lists.text_end[i - first] - lists.text_start[i - first] for i in (up, row))
    return bool(size > own + CARD)


def _related_name(view: View) -> str:
    """The names that link to their authors (`rel=author`): the first, and those that stand by it."""
    names: list[str] = []
    first = -1
    start = view.site.nodes.text_start
    for row, value in view.attrs("rel").items():
        if "author" not in value.lower().split() or view.site.tag_name(row) != "a":
            continue
        if first >= 0 and (start[row] - start[first] > NEAR_NAMES or _OTHER_PART.search(_between(view, first, row))):
            break
        if not view.is_elsewhere(row, sides=False) and (name := clean_name(view.text(row))):
            first = row if first < 0 else first
            if not names or (may_be_whole(name) and may_be_name(name)):
                names.append(name)
    return join_names(names) if len(names) > 1 else "".join(names)


def _is_at_side(view: View, row: int, title_row: int) -> bool:
    """True right above or below the title in a box at the side of the text, or at its foot ("article-sidebar"): there who wrote may stand, and not in
    comments, menus and lists."""
    if (
        title_row < 0
        or not title_row - NEAR_ABOVE <= row <= title_row + NEAR_ROWS
        or view.inside(row, "figure")
        or view.has_code(row)
    ):
        return False
    if is_in_card(view, row):
        return False
    first, lists, classes = view.rows.start, view.lists, view.attrs("class")
    while row >= first:
        if lists.flags[row - first] & HIDDEN or lists.tag[row - first] == _NAV or _LISTED.search(classes.get(row, "")):
            return False
        row = lists.parent[row - first]
    return True


def _called_author(view: View, row: int) -> str:
    """The name in an element of which the class or id speaks of authors."""
    value = f"{view.attrs('class').get(row, '')} {view.attrs('id').get(row, '')}"
    if _CLASS_NOT.search(value) or len(view.text(row)) > 200:
        return ""
    # The id of a heading is made of its words.
    if not is_named(_CLASS, view.attrs("class").get(row, "")) and view.inside(row, *HEADINGS):
        return ""
    # An account is one or two words; more of them are a name, or a line that speaks of something else.
    name = name_in(view, row)
    is_short = len(name.split()) < 2 or (len(name.split()) == 2 and (may_be_name(name) or not name[:1].isupper()))
    name = name if is_short else first_names(name)
    return name if "date" not in value.lower() or may_be_whole(name) else ""  # beside a date, a word may be any ("on")


@per_site
def _author_rows(site: Site) -> list[int]:
    """Rows with a class or id that speaks of authors."""
    rows: list[int] = named_rows(site, _CLASS, words=_IN_CLASS).tolist()
    return rows


def has_author(view: View, row: int) -> bool:
    """True for an element of which the name, or that of one within it, speaks of authors."""
    rows = view.of_page(_author_rows(view.site))
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] < view.site.nodes.end[row]


def box_rows(view: View) -> list[int]:
    """Rows of the boxes about the author: `author-bio`, `about-the-author`; none of them in comments or lists."""
    classes, out = view.attrs("class"), []
    for row in view.of_page(_author_rows(view.site)):
        is_box = is_named(_BOX, classes.get(row, "")) and len(view.text(row)) <= MAX_BOX
        if is_box and not any(is_named(_LISTED, classes.get(up, "")) for up in _above(view, row)):
            out.append(row)
    return out[:MAX_BOXES]


def author_links(view: View) -> list[int]:
    """Rows of the links to pages of authors."""
    return view.of_page(_author_links(view.site))


def picture_rows(view: View) -> list[int]:
    """Rows of the pictures that are called those of an author."""
    first, tags, classes = view.rows.start, view.lists.tag, view.attrs("class")
    pictures = (row for row in view.of_page(_author_rows(view.site)) if tags[row - first] == _IMG)
    return [row for row in pictures if is_named(_PICTURE, classes.get(row, ""))][:MAX_BOXES]


def _above(view: View, row: int) -> Iterator[int]:
    """The elements that a row stands in."""
    first, lists = view.rows.start, view.lists
    while (row := lists.parent[row - first]) >= first:
        yield row


@per_site
def _mail_links(site: Site) -> list[int]:
    """Rows of links to addresses of mail."""
    rows: list[int] = named_rows(site, _MAIL, ("href",), ("mailto",)).tolist()
    return rows


@per_site
def _author_links(site: Site) -> list[int]:
    """Rows of links to the pages of authors."""
    rows: list[int] = named_rows(site, _AUTHOR_PAGE, ("href",), _IN_AUTHOR_PAGE).tolist()
    return rows


def _is_other_part(view: View, row: int) -> bool:
    """True for an element that begins by saying that somebody had another part in it: "Reviewed by Ann Lee"."""
    return _OTHER_PART.match(view.text(row)[:MAX_LABEL].lstrip()) is not None


def _innermost(view: View, name: str, rows: list[int]) -> str:
    """What the first of these rows says, if the name goes on with what the person did: `<div class=author><h3 class=author>`."""
    inner = next(filter(None, (name_in(view, row) for row in rows[:4])), "")
    return inner if len(inner.split()) > 1 and name.startswith(inner + " ") and may_be_name(inner) else name


def _linked_name(view: View, title_row: int) -> str:
    """The names that link to pages of authors, in the first line with such a link below the title."""
    names: list[str] = []
    first = -1
    links = view.of_page(_author_links(view.site))
    for row in links[bisect_left(links, title_row) :]:
        if row > title_row + NEAR_ROWS or (first >= 0 and row > first + NEAR_ROWS // 4):
            break
        if first >= 0 and _OTHER_PART.search(_between(view, first, row)):
            break
        if first >= 0 and _BY_AGAIN.fullmatch(_between(view, first, row)):
            names = []  # that was who took the picture above
        name = clean_name(view.text(row)) or name_in(view, row)
        if may_be_whole(name) and may_be_name(name) and not view.inside(row, "nav", "figure", "footer"):
            first = row if first < 0 else first
            names.append(name)
    return join_names(names)


def _mailed_name(view: View, title_row: int) -> str:
    """The name beside an address of mail right below the title, as archives of letters write it: `<b>Ann Lee</b> <a href=mailto:...>ann at bay.org</a>`."""
    links = view.of_page(_mail_links(view.site))
    row = next(iter(links[bisect_right(links, title_row) :]), -1)
    if not title_row < row <= title_row + MAIL_ROWS:
        return ""
    texts = [view.text(i) for i in range(title_row + 1, row) if view.lists.tag[i - view.rows.start] == TEXT]
    name = clean_name(texts[-1]) if texts and ACCOUNT.search(view.text(row).replace(" at ", "@")) else ""
    is_such = may_be_whole(name) and may_be_name(name) and not _ASKS.match(name) and not view.is_elsewhere(row)
    return name if is_such else ""


def _between(view: View, row: int, other: int) -> str:
    """What stands between two elements."""
    nodes = view.site.nodes
    return view.site.texts[view.page][int(nodes.text_end[row]) : int(nodes.text_start[other])]


def _above_break(view: View, row: int, end: int) -> str:
    """The name above the one line break of an element, where what stands below it is no other name: what the person does ("Ann Lee<br>Potter")."""
    breaks = [inner for inner in range(row + 1, end) if view.lists.tag[inner - view.rows.start] == _BR]
    if len(breaks) != 1:
        return ""
    start = view.site.nodes.text_start
    first = clean_name(view.site.texts[view.page][int(start[row]) : int(start[breaks[0]])])
    rest = " ".join(view.text(row).split())
    below = rest[len(first) :].strip()
    is_name = may_be_whole(first) and may_be_name(first) and rest.startswith(first)
    return first if is_name and below and (len(below.split()) == 1 or not may_be_name(below)) else ""


def name_in(view: View, row: int) -> str:
    """The name within an element that is about an author: its part that is called a name, its link, or all of it."""
    content = view.attrs("content").get(row)
    if content:
        return clean_name(content)
    end = int(view.site.nodes.end[row])
    props, classes, start = view.attrs("itemprop"), view.attrs("class"), row
    for inner in range(row, min(end, row + 60)):
        if props.get(inner) != "name":
            continue
        if name := clean_name(view.attrs("content").get(inner) or view.text(inner)):
            return name
    names: list[str] = []
    for inner in range(row + 1, min(end, row + 60)):
        if inner in classes and is_named(_NAME_CLASS, classes[inner]) and (name := clean_name(view.text(inner))):
            if names and _OTHER_PART.search(_between(view, start, inner)):
                break
            start = start if names else inner
            names.append(name)
    if names:
        others = [name for name in names[1:] if may_be_whole(name) and may_be_name(name) and not ROLE.search(name)]
        return join_names([names[0], *others]) if may_be_whole(names[0]) else names[0]
    for inner in range(row + 1, min(end, row + 20)):  # a box has the name above what it says of the person
        if view.lists.tag[inner - view.rows.start] in _HEADINGS:
            name = clean_name(view.text(inner))
            if may_be_whole(name) and may_be_name(name):
                return name
            break
    if first := _above_break(view, row, min(end, row + 60)):
        return first
    text = view.text(row)
    hrefs = [i for i in range(row + 1, min(end, row + 40)) if i in view.attrs("href") and view.text(i)]
    if hrefs and len(text) > 30:
        names = [clean_name(view.text(i)) for i in hrefs[:4]]
        if len(hrefs) <= 4 and all(n and 1 < len(n.split()) <= 4 for n in names):
            return ", ".join(dict.fromkeys(names))
    name = clean_name(text)
    if hrefs and name not in (linked := [clean_name(view.text(i)) for i in hrefs[:4]]):
        # Signs for the eye ("archive page", "follow") follow the linked name.
        first = next((n for n in linked if 1 < len(n.split()) <= 4 and may_be_name(n)), "")
        if first and name.startswith(first) and "," not in name and " and " not in name:
            return first
    return name if len(name.split()) <= 8 else ""
