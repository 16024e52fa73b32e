"""One page as posts are looked for in it: its rows, its short lines, what is said near a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sitegrain import native
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools, Ints32, Ints64
from sitegrain.article.fields.days.calendars import is_western, western
from sitegrain.article.fields.days.dates import parse_date
from sitegrain.light import late_pattern
from sitegrain.native.columns import NUMBERS
from sitegrain.native.inputs import WHEN, TextRows
from sitegrain.render.text import BREAKS
from sitegrain.tables.elements import REMEMBERED, is_named, name_hash
from sitegrain.tables.memo import Asked, cached_property, per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TEXT, tag_mask

MAX_HEAD = 100
"""Characters of a line that says who and when, and no more."""
MAX_SPACED = 5 * MAX_HEAD
"""The same with the spaces between its parts."""
MAX_LINE = 160
"""Characters of a text node that may be a date line."""
MAX_NAME = 40
"""Characters of the name of who wrote a post."""
CLASS = ATTRIBUTES.index("class")
IS_HEADING = tag_mask(HEADINGS)
_TITLE = ATTRIBUTES.index("title")
_IS_BLOCK = tag_mask(BLOCK_TAGS)
_IS_OF_USERS = np.isin(ATTRIBUTES, ("class", "href", "itemprop", "rel", "id"))
_BLOCKQUOTE = TAG_CODE["blockquote"]
_USER_WORDS = ("user", "member", "author", "profile", "poster", "nick", "people", "uid", "vcard", "creator")
_USER_PART = re.compile(r"fn\b|(?:^|[-_ /])u/")
_CALLED = late_pattern(
    r"(?:user|author|nick|member|poster)[-_]?name|nickname|(?:^|[\s_-])author(?:$|\s)", re.IGNORECASE
)
_RANK = re.compile(r"title|rank|role|group|level|badge", re.IGNORECASE)
_VARYING = re.compile(r"\d+|(?:^|[-_])(?:odd|even|alt|first|last|op|unread|new|author|byuser|bypostauthor)(?=$|[-_])")
_QUOTE = re.compile(r"quote|cite|zitat", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_WHEN_WORDS = ("ago", "day", "gestern", "heute", "hier", "ayer", "hoy", "il y a")
_WHEN_WORD = re.compile("|".join((*_WHEN_WORDS, "[前日]")), re.IGNORECASE)
"""Without a digit and without one of these nothing in `WHEN` can be found: most lines have neither, and this is soon told."""
JOINED = re.compile(
    r"join|regist|member since|anmeld|dabei|beigetreten|seit|inscri|miembro|membre depuis|iscritt|lid sinds|medlem|регистр|注册|註冊|登録|가입",
    re.IGNORECASE,
)
_JOINED_WORDS = (
    "join", "regist", "member since", "anmeld", "dabei", "beigetreten", "seit", "inscri", "miembro", "membre depuis", "iscritt", "lid sinds", "medlem",
)  # fmt: skip
"""Those of them that a line of ASCII may have: to look for each takes a fifth of the time."""
LABELLED = late_pattern(
    r"(?:author|from|(?:[^\W\d]+ )?by|name|autor|auteur|autore|von|автор|作者|投稿者)\s*[:：]\s*(?=\S)", re.IGNORECASE
)
"""What stands before the name of who wrote a post, where the line says that it is one: "Author: Ann"."""
_SAYS_BY = late_pattern(
    r"(?:^|.*\s)(?:by|von|par|por|da|door|av|af|przez|od|od:|от|autor|автор|作者|投稿者|oleh|bởi|بواسطة|توسط)\s*[:：]?",
    re.IGNORECASE,
)
"""What stands right before that name on its line, in an element or a text of its own: "Reviewed by", "Von"."""
_OF_PAGE = (
    "lines", "text_ids", "_known_attrs", "_spans", "_users", "quoting", "is_quoted", "_when", "_who", "_by_names", "_by_tags",
)  # fmt: skip
"""What is found out once of a page."""
_NO_NAME = late_pattern(
    r"(?:re|reply|quote|share|like|report|post|posts|edit|author|user|guest|says?|said|wrote|by|on|permalink|link|top|"
    r"member|moderator|administrator|senior member|newbie|offline|online|message|answer|antworten|zitieren|melden|"
    r"hi|hello|hallo|hey|von|par|por|profile?|(?:view|show) .{0,20}profile|topic author|thread starter|community leader)s?[:.]?|"
    r"[.,;:@(].*|\d+ \w+|[^\W\d]+ (?:by|von|par|por|door|da)",
    re.IGNORECASE,
)


@lru_cache(maxsize=REMEMBERED)
def first_word(names: str) -> int:
    """A key of the first class name that has more than what tells neighbours apart, which leaves the bits of tags free."""
    words = (_VARYING.sub("", name) for name in names.split()[:4])
    return next((name_hash(word) << 8 for word in words if word), 0)


def tell_when(texts: list[str]) -> list[int]:
    """Which of many lines tell a day or a time."""
    told = native.say_when(texts)
    if b"\2" not in told:  # of most pages all can be told
        return list(told)
    return [_asked_when(text) if found > 1 else found for text, found in zip(texts, told, strict=True)]


@lru_cache(maxsize=REMEMBERED)
def _asked_when(text: str) -> bool:
    """The same of one line, in letters of others. Two questions of a line ask it."""
    if not is_western(text):
        may_be = _DIGIT.search(text) is not None or _WHEN_WORD.search(text) is not None
        return may_be and _when_pattern(re.IGNORECASE).search(western(text)) is not None
    lower = text.lower()  # to look for letters of one case takes half the time
    may_be = _DIGIT.search(lower) is not None or any(word in lower for word in _WHEN_WORDS)
    return may_be and _when_pattern(0).search(western(lower)) is not None


@lru_cache(maxsize=2)
def _when_pattern(flags: int) -> re.Pattern[str]:
    """Made when it is first needed: most sites have no such line."""
    return re.compile(WHEN, flags)


def tells_joined(text: str) -> bool:
    """True for a line that speaks of when somebody joined.

    >>> tells_joined("Member since 2004"), tells_joined("3 May 2004")
    (True, False)
    """
    if not text.isascii():
        return JOINED.search(text) is not None
    lower = text.lower()
    return any(word in lower for word in _JOINED_WORDS)


@lru_cache(maxsize=REMEMBERED)
def is_of_user(name: str) -> bool:
    """True for a name or an address that speaks of users, by how it begins.

    >>> is_of_user("post-Author"), is_of_user("/u/ann"), is_of_user("menu/item")
    (True, True, False)
    """
    return bool(_are_of_users([name])[0])


def _are_of_users(names: list[str]) -> Ints64:
    """The same of many at once: a page has hundreds, and one pattern of all words takes ten times as long as to look for each."""
    bits = native.word_bits(names, _user_words())
    found = bits & 1
    for k in np.flatnonzero((found == 0) & ((bits > 1) | _not_ascii(names))).tolist():
        found[k] = _has_user_part(names[k])
    return found


def _not_ascii(names: list[str]) -> Bools:
    """Which of many names are not ASCII: of most pages none is, which is told of all at once."""
    if "".join(names).isascii():
        return np.zeros(len(names), bool)
    return np.array([not name.isascii() for name in names])


def _are_long(names: list[str]) -> Bools:
    """Which of many names are longer than what is read of them."""
    return np.fromiter(map(len, names), np.int64, len(names)) > NUMBERS["MAX_NAME_BYTES"]


def _has_user_part(name: str) -> bool:
    return _USER_PART.search(name[: NUMBERS["MAX_NAME_BYTES"]].lower()) is not None


@lru_cache(maxsize=1)
def _user_words() -> object:
    """The words, and with another bit what `_USER_PART` finds is like in ASCII, where all signs are one."""
    words = (*_USER_WORDS, "fn-", "-u-")
    return native.matcher(words, np.array([1] * len(_USER_WORDS) + [2, 2], np.uint64))


def _tell_joined(texts: list[str]) -> Bools:
    """`tells_joined` of many at once: most lines of ASCII have none of its words, which one search for all of them tells."""
    found = native.word_bits(texts, _joined_words()) > 0
    for k in np.flatnonzero(found | _not_ascii(texts) | _are_long(texts)).tolist():
        found[k] = tells_joined(texts[k])
    return found


@lru_cache(maxsize=1)
def _joined_words() -> object:
    words = tuple(word.replace(" ", "-") for word in _JOINED_WORDS)  # as all signs are read
    return native.matcher(words, np.ones(len(words), np.uint64))


@per_site
def _empty_text(site: Site) -> int:
    """Which of its different texts is empty; -1 for none."""
    return site.unique_texts.index("") if "" in site.unique_texts else -1


@per_site
def may_be_names(site: Site) -> Asked:
    """Of its different texts: see `_may_be_names`."""
    return Asked(site.unique_texts, _may_be_names)


@per_site
def begins_with_user(site: Site) -> Asked:
    """Of the values of attributes, by how they begin."""
    return Asked(site.strings, _are_of_users)


@per_site
def say_when(site: Site) -> Asked:
    """Of its different texts: those that say when; the day that somebody joined stands in the other half of a post that is two rows of a
    table."""

    def ask(texts: list[str]) -> list[int]:
        found = tell_when(texts)
        when = [k for k, is_when in enumerate(found) if is_when]
        for k, is_joined in zip(when, _tell_joined([texts[k][:30] for k in when]).tolist(), strict=True):
            found[k] = not is_joined
        return found

    return Asked(site.unique_texts, ask)


@per_site
def tell_joined(site: Site) -> Asked:
    """Of its different texts: see `tells_joined`."""
    return Asked(site.unique_texts, _tell_joined)


@lru_cache(maxsize=1)
def _quote_words() -> object:
    words = tuple(_QUOTE.pattern.split("|"))
    return native.matcher(words, np.ones(len(words), np.uint64))


@per_site
def _are_quotes(site: Site) -> Asked:
    """Of the values of attributes: names of elements that set a quote."""

    def ask(names: list[str]) -> Ints64:
        found = native.word_bits(names, _quote_words())
        for k in np.flatnonzero((found == 0) & (_not_ascii(names) | _are_long(names))).tolist():
            found[k] = is_named(_QUOTE, names[k])
        return found

    return Asked(site.strings, ask)


@per_site
def _are_days(site: Site) -> Asked:
    """Of the values of attributes: the hint of "almost 6 years ago" is the day itself."""

    def ask(values: list[str]) -> list[bool]:
        may_be = [value if 8 <= len(value) <= MAX_NAME else "" for value in values]
        return [when > 0 and parse_date(value) != "" for value, when in zip(may_be, tell_when(may_be), strict=True)]

    return Asked(site.strings, ask)


def _may_be_names(texts: list[str]) -> list[bool]:
    """Which of many lines are no name of who wrote, whatever stands around them: False for those."""
    short = [text if 2 <= len(text) <= MAX_NAME else "" for text in texts]
    return [not when and _is_like_name(text) for text, when in zip(short, tell_when(short), strict=True)]


def _is_like_name(text: str) -> bool:
    return (
        len(text.split()) <= 4
        and not text.endswith(":")
        and any(map(str.isalpha, text))
        and _NO_NAME.fullmatch(text) is None
        and text[:3].lower() != "re:"
        and (" " not in text or 2 * sum(map(str.isalpha, text)) >= len(text))
    )


def median(numbers: list[int]) -> float:
    """That of numpy, which takes longer to look at what it was given."""
    order, half = sorted(numbers), len(numbers) // 2
    return (order[half] + order[~half]) / 2


@per_site
def _known_of(site: Site, page: int) -> dict[str, Any]:
    """What was found out of a page for whatever is wanted: who judges it and who reads its posts look at it one after the other."""
    return {}


class ThreadPage:
    """One page; numbers of rows are those of the page, and so are the `wanted` ones."""

    def __init__(self, site: Site, page: int, wanted: Bools) -> None:
        rows = site.page_rows(page)
        self.site, self.page, self.rows = site, page, rows
        self.n = rows.stop - rows.start
        self.tag, self.end, self.parent = site.nodes.tag[rows], site.nodes.end[rows], site.nodes.parent[rows]
        if rows.start:
            self.end = self.end - rows.start
            self.parent = np.where(self.parent < 0, -1, self.parent - rows.start).astype(np.int32)
        self.wanted = wanted & (self.tag == TEXT)
        self.size = np.where(self.tag == TEXT, site.nodes.text_end[rows] - site.nodes.text_start[rows], 0)
        self.attrs = site.page_attrs(page)
        self.parents: list[int] = self.parent.tolist()
        """The same as a list: single numbers come out of it five times as fast."""
        self.ends: Sequence[int] = self.end.data
        self.tags: Sequence[int] = self.tag.data
        self._known_attrs: dict[int, dict[str, str]] = {}
        self._known = _known_of(site, page)
        vars(self).update(self._known)

    def keep(self) -> None:
        """Leave what does not depend on what is wanted to the next one who looks at the page."""
        own = vars(self)
        self._known.update({name: own[name] for name in _OF_PAGE if name in own})

    def text(self, row: int) -> str:
        """The text of a row, white space folded."""
        return " ".join(self.site.node_text(row + self.rows.start).split())

    def attrs_of(self, row: int) -> dict[str, str]:
        """The attributes of a row, which the text nodes below it ask for one after the other."""
        if (found := self._known_attrs.get(row)) is None:
            found = self._known_attrs[row] = self.site.node_attrs(row + self.rows.start)
        return found

    @cached_property
    def lines(self) -> Ints64:
        """Rows of the short text nodes, which may say who and when."""
        short = np.flatnonzero((self.tag == TEXT) & (self.size > 0) & (self.size <= MAX_LINE))
        return np.asarray(short[self.text_ids[short] != _empty_text(self.site)], np.int64)

    @cached_property
    def text_ids(self) -> Ints32:
        """Per row: which of the different texts of the site a text node holds."""
        return self.site.text_id[self.rows]

    @cached_property
    def ids(self) -> Sequence[int]:
        """The same as a view of memory: single numbers come out of it faster."""
        return self.text_ids.data

    def said(self, row: int) -> str:
        """What a text node says, white space folded."""
        return self.texts[self.ids[row]]

    @cached_property
    def texts(self) -> Sequence[str]:
        """The different texts of the site."""
        return self.site.unique_texts

    def line(self, row: int) -> slice:
        """The block around a text node if it says little more ("by Ann, 3 May 2020"), else the node alone."""
        found = slice(row, row + 1)
        up = self.parents[row]
        starts, stops, blocks = self._spans
        ends = self.ends
        while up >= 0:
            if stops[up] - starts[up] > MAX_HEAD and not self._is_head(starts[up], stops[up]):
                break
            if blocks[ends[up]] > blocks[up + 1]:
                break
            found = slice(up, ends[up])
            if blocks[up + 1] > blocks[up]:
                break
            up = self.parents[up]
        return found

    def _is_head(self, start: int, stop: int) -> bool:
        """Whether this part of the page's text is that short. Templates that are indented print more spaces than words."""
        if stop - start <= MAX_HEAD or stop - start > MAX_SPACED:
            return stop - start <= MAX_HEAD
        return len(" ".join(self.site.texts[self.page][start:stop].split())) <= MAX_HEAD

    @cached_property
    def _spans(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Start and end of the text of each row, and the blocks before it, as views of memory: single numbers come out of them faster."""
        nodes = self.site.nodes
        before = prefix_sum(_IS_BLOCK[self.tag])
        return nodes.text_start[self.rows].data, nodes.text_end[self.rows].data, before.data

    def line_text(self, row: int) -> str:
        """Its text."""
        line = self.line(row)
        if line.stop - line.start == 1:
            return self.said(row)
        tags, texts, ids = self.tags, self.texts, self.ids
        return " ".join([texts[ids[i]] for i in range(line.start, line.stop) if tags[i] == TEXT])

    def near_attrs(self, row: int) -> list[dict[str, str]]:
        """The attributes of the two elements around a row."""
        up = self.parents[row]
        if up < 0:
            return []
        above = self.parents[up]
        return [self.attrs_of(up), self.attrs_of(above)] if above >= 0 else [self.attrs_of(up)]

    def hinted_days(self) -> Ints64:
        """Rows of texts ("almost 6 years") whose element tells the day as its hint."""
        attrs = self.site.attrs
        at = np.flatnonzero(attrs.name[self.attrs] == _TITLE) + self.attrs.start
        at = at[_are_days(self.site).of(attrs.value[at]) > 0]
        rows = attrs.node[at].astype(np.int64) - self.rows.start + 1
        rows = rows[rows < self.n]
        return np.asarray(rows[self.tag[rows] == TEXT], np.int64)

    def is_user(self, row: int) -> bool:
        """Whether one of the two elements around a row has a name or an address that speaks of users, and not of their ranks."""
        up = self.parents[row]
        if up not in self._users and (up < 0 or self.parents[up] not in self._users):
            return False
        return not is_named(_RANK, self.attrs_of(up).get("class", ""))

    @cached_property
    def _users(self) -> set[int]:
        """Rows of the elements with a name or an address that speaks of users."""
        attrs = self.site.attrs
        at = np.flatnonzero(_IS_OF_USERS[attrs.name[self.attrs]]) + self.attrs.start
        at = at[begins_with_user(self.site).of(attrs.value[at]) > 0]
        return set((attrs.node[at] - self.rows.start).tolist())

    def is_called(self, row: int) -> bool:
        """Whether the markup says that this is the name, and not the rank or the number of posts of who wrote."""
        return any(
            is_named(_CALLED, attrs.get("class", "")) or attrs.get("itemprop", "") in ("author", "name", "creator")
            for attrs in self.near_attrs(row)
        )

    def is_signed(self, row: int) -> bool:
        """Whether the text right before it, on the same line and in no quote, says that who wrote follows ("Reviewed by")."""
        line = self.line(row)
        before = next((i for i in range(row - 1, line.start - 1, -1) if self.tags[i] == TEXT), -1)
        if before < 0 or self.is_quoted[row]:
            return False
        said = self.said(before)
        return len(said) <= MAX_NAME and _SAYS_BY.fullmatch(said) is not None

    def is_linked(self, row: int) -> bool:
        """Whether one of them is a link."""
        return any("href" in attrs for attrs in self.near_attrs(row))

    @cached_property
    def quoting(self) -> set[int]:
        """Rows of the elements that set a quote, and of those around one that say no more than whom it quotes, above it."""
        attrs = self.site.attrs
        at = np.flatnonzero(attrs.name[self.attrs] == CLASS) + self.attrs.start
        named = attrs.node[at[_are_quotes(self.site).of(attrs.value[at]) > 0]] - self.rows.start
        quotes = np.flatnonzero(self.tag == _BLOCKQUOTE)
        start, end = self.site.nodes.text_start[self.rows], self.site.nodes.text_end[self.rows]
        above = self.parent[quotes]
        is_head = (above >= 0) & (end[above] == end[quotes]) & (start[quotes] - start[above] <= MAX_HEAD)
        return {*named.tolist(), *quotes.tolist(), *above[is_head].tolist()}

    @cached_property
    def is_quoted(self) -> Bools:
        """Per row: whether it stands in one of them."""
        return self.within(np.fromiter(self.quoting, np.int64, len(self.quoting)))

    def within(self, rows: Ints64) -> Bools:
        """Per row: whether it stands in one of some elements."""
        marked = np.zeros(self.n, bool)
        marked[rows] = True
        return under(marked, self.end)

    def text_of(self, kept: Bools) -> str:
        """The text of some rows, as the text of a page is written."""
        return native.to_text(self.site.texts[self.page], self._text_rows._replace(kept=kept), BREAKS)

    @cached_property
    def _text_rows(self) -> TextRows:
        nodes, rows = self.site.nodes, self.rows
        return TextRows(
            self.tag, self.end, nodes.flags[rows], nodes.text_start[rows], nodes.text_end[rows], np.zeros(self.n, bool)
        )

    def below_headings(self, rows: Ints64) -> int:
        """The first of these rows that is in no heading, if there is one: above a lone comment may stand "One response"."""
        heads = np.flatnonzero(IS_HEADING[self.tag])
        if not len(heads):
            return int(rows[0])
        before = heads[np.maximum(np.searchsorted(heads, rows) - 1, 0)]
        below = rows[(before > rows) | (self.end[before] <= rows)]
        return int((below if len(below) else rows)[0])
