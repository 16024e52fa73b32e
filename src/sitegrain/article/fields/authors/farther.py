"""Who wrote it, where no line near the title says so: a box about the author, or a name that the page introduces."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import takewhile

from sitegrain.article.fields.authors.beside import is_never_small
from sitegrain.article.fields.authors.bylines import labelled_author, visible_author
from sitegrain.article.fields.authors.marked import (
    MAX_BOX,
    author_links,
    box_rows,
    is_in_card,
    marked_author,
    name_in,
    picture_rows,
)
from sitegrain.article.fields.authors.names import MAX_NAME, ROLE, clean_name, is_group, may_be_name, may_be_whole
from sitegrain.article.fields.days.visible import each_shown_date
from sitegrain.article.fields.titles.titles import is_site_name, plain_letters, squeeze
from sitegrain.article.fields.values import NOTHING, Field
from sitegrain.article.fields.view import View
from sitegrain.light import late_pattern
from sitegrain.tables.site import HIDDEN
from sitegrain.tables.tags import ATTRIBUTES, TEXT
from sitegrain.text.words import stop_words, title_words

SHORT = 60
"""Characters of a line that is a name."""
NAME_ROWS = 15
"""Rows below the title among which the name stands that the page introduces below. Set beforehand."""
MAX_NAMED = 3
"""Times that a page names its author: above the text, below it, and in a list of what else the person wrote. Set beforehand."""
_USER_PAGE = late_pattern(
    r"/(?:users?|members?|u|profiles?)/(?!.*(?:regist|log-?in|log-?out|sign|password|edit|new\b|me\b|account))[^/?#]+/?$|/~\w+$|[?&]u(?:ser)?=\d+$",
    re.IGNORECASE,
)
_HREF = (ATTRIBUTES.index("href"),)
USER_ROWS, DAY_ROWS, MIN_USER = 40, 12, 3
"""Rows below the title within which a link to a user's page tells who wrote, rows from it to the day, and letters of what people sign in with. Set
beforehand."""
PICTURE_DEPTH = 6
"""Elements from the picture of an author up to the box with the name. Set beforehand."""
_IS = late_pattern(
    r"\s(?:is|was|has|writes|works|lives|covers|ist|war|lebt|schreibt|arbeitet|est|es|è|is een|är|er|on)\s"
)
_NAME = late_pattern(r"[^\W\d_][\w'’-]+(?: [^\W\d_]\.)?(?: [^\W\d_][\w'’-]+){1,3}")


def farther_author(view: View, title_row: int, names: tuple[str, ...]) -> str:
    """Who wrote it by the address of the person's page, a label anywhere on the page, a box about the author, a link to the person's page, a name that
    the page introduces, or one behind the person's picture; `names` are those of the site."""
    url = view.site.pages.url[view.page]
    for read in (
        _user_linked,
        _addressed_author,
        labelled_author,
        _boxed_author,
        _profiled_author,
        _introduced_author,
        _pictured_author,
    ):
        name = read(view, title_row)
        if name and not is_site_name(name, names, url):
            return name
    return ""


def _addressed_author(view: View, _: int) -> str:
    """The name on the page that is the end of an address which `<meta>` gives as the author: "/source/ann-lee"."""
    addresses = [value for key in ("article:author", "author") if (value := view.meta.get(key, "")).startswith("http")]
    wanted = {"".join(words) for url in addresses if len(words := _address_words(url)) > 1}
    if not wanted:
        return ""
    rows, starts, ends = view.text_nodes
    text = view.site.texts[view.page]
    for row, start, end in zip(rows, starts, ends, strict=True):
        if (
            end - start <= MAX_NAME
            and plain_letters(squeeze(text[start:end])) in wanted
            and not view.inside(row, "head")
        ):
            return clean_name(text[start:end])
    return ""


def _address_words(url: str) -> list[str]:
    """The words at the end of an address.

    >>> _address_words("http://bay.org/source/ann-lee/"), _address_words("http://bay.org/?id=3")
    (['ann', 'lee'], [])
    """
    return (
        title_words(url.partition("?")[0].rstrip("/").rpartition("/")[2].replace("_", " "))
        if url.count("/") > 3
        else []
    )


def person_shown(view: View, title_row: int, names: tuple[str, ...], is_labelled: bool = False) -> Field:
    """The person who signed what metadata say an organisation wrote; with `is_labelled`, by a label only."""
    url = view.site.pages.url[view.page]

    def is_person(name: str) -> bool:
        is_name = may_be_whole(name) and may_be_name(name) and not ROLE.search(name)
        return is_name and not is_group(name) and not is_site_name(name, names, url)

    marked, source = ("", "") if is_labelled else marked_author(view, title_row)
    if is_person(marked):
        return Field(marked, source)
    for read in (labelled_author,) if is_labelled else (visible_author, labelled_author):
        if is_person(name := read(view, title_row)):
            return Field(name, "byline")
    return NOTHING


def _boxed_author(view: View, _: int) -> str:
    """The one name of the boxes about the author, which themes put below the text and at its side."""
    names: set[str] = set()
    for row in box_rows(view):
        if view.lists.flags[row - view.rows.start] & HIDDEN:
            continue
        name = name_in(view, row)
        if may_be_whole(name) and may_be_name(name) and not ROLE.search(name):
            names.add(name)
    return names.pop() if len(names) == 1 else ""


def _user_linked(view: View, title_row: int) -> str:
    """The first name near the title that links to the page of a user, beside a day: "ann12 · 3 May 2020". One word is enough there."""
    first, last = max(view.rows.start, title_row - NAME_ROWS), min(view.rows.stop, title_row + USER_ROWS)
    for row, href in view.values(first, last, _HREF):
        if _USER_PAGE.search(href) and (name := clean_name(view.text(row))):
            is_short = len(name.split()) <= MAX_NAMED and len(name) >= MIN_USER
            if not is_short or view.is_elsewhere(row) or is_in_card(view, row):
                return ""
            return name if _has_day_near(view, row) else ""
    return ""


def _has_day_near(view: View, row: int) -> bool:
    above = takewhile(lambda shown: shown[0] <= row + DAY_ROWS, each_shown_date(view))
    return any(at >= row - DAY_ROWS for at, _ in above)


def _profiled_author(view: View, _: int) -> str:
    """The one name that links to the page of an author, wherever it stands."""
    names: set[str] = set()
    for row in author_links(view):
        name = clean_name(view.text(row))
        if may_be_whole(name) and may_be_name(name) and not ROLE.search(name):
            if view.is_elsewhere(row) or is_in_card(view, row):
                return ""  # cards of other pages name their authors
            names.add(name)
    return names.pop() if len(names) == 1 else ""


def _pictured_author(view: View, _: int) -> str:
    """The one name right behind a picture that is called that of the author: boxes of themes that have no name of their own."""
    names: set[str] = set()
    first, lists = view.rows.start, view.lists
    for row in picture_rows(view):
        up = row
        for _ in range(PICTURE_DEPTH):
            up = lists.parent[up - first]
            if up < first or lists.text_end[up - first] > lists.text_start[up - first]:
                break
        if up < first or len(view.text(up)) > MAX_BOX or view.is_elsewhere(row):
            continue
        texts = (i for i in range(row + 1, lists.end[up - first]) if lists.tag[i - first] == TEXT)
        name = " ".join(view.text(next(texts, row)).split())
        if _NAME.fullmatch(name) and clean_name(name) == name and may_be_name(name) and not ROLE.search(name):
            names.add(name)
    return names.pop() if len(names) == 1 and is_never_small(view, next(iter(names))) else ""


def _introduced_author(view: View, title_row: int) -> str:
    """The name that is a line of its own below the title, if a text of the page begins by saying who that is: "Ann Lee is a writer ..."."""
    rows, starts, ends = view.text_nodes
    text, small = view.site.texts[view.page], stop_words(view.language)
    for k in range(bisect_right(rows, title_row), bisect_right(rows, title_row + NAME_ROWS)):
        row, start, end = rows[k], starts[k], ends[k]
        if end - start > SHORT:
            continue
        name = " ".join(text[start:end].split())
        if not _NAME.fullmatch(name) or not may_be_name(name) or clean_name(name) != name or view.is_elsewhere(row):
            continue
        # One of whom the text speaks is named in it again and again.
        if not 2 <= text.count(name) <= MAX_NAMED or not small.isdisjoint(name.lower().split()):
            continue
        about = [at for at in starts if text.startswith(name, at) and _IS.match(text, at + len(name))]
        if about and about[-1] > len(text) // 2 and is_never_small(view, name):
            return name
    return ""
