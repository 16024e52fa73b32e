"""Comments under an article, also where no name of an element says so: what is left out below the text, written by one template, signed or dated, if a
line above or below says that these are comments."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.trees.preorder import children, prefix_sum
from sitegrain.arrays.types import Bools, Ints64
from sitegrain.article.reasons import kind_nodes
from sitegrain.article.threads.postparts import Units, with_bodies
from sitegrain.article.threads.posts import Thread
from sitegrain.article.threads.threadpage import IS_HEADING, MAX_HEAD, may_be_names
from sitegrain.light import late_pattern
from sitegrain.methods.base import NodeVerdict
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask

ABOVE = 0.5
"""Share of the kept text that stands above comments: what is kept of a page alone may be beside or below them."""
NEARLY_ALL = 0.9
"""Share of comments that must be signed, or dated."""
TRIES = 3
"""Series of elements that are looked at, those that hold most first: cards of other articles are one, too."""
LINKED = 0.3
"""What linked text counts beside other text, where comments say what they say: buttons are links."""
HEADLINE = 12
"""Characters of a link from which it may be a headline. All of these were set beforehand."""
LINES = 6
"""Lines above the first comment and below the last that may say what they are: a form or a way to sort them may stand between."""
LEVELS = 6
"""Elements around the text of a lone comment within which its author and its day stand."""
MOST_KEPT = 0.1
"""Share of the kept text that may stand among comments."""
_OUTSIDE = tag_mask(("nav", "form", "select", "button", "textarea", "aside", "footer", "template", "option"))
_A = TAG_CODE["a"]
_FOLLOW = late_pattern(
    r"comment|comentari|comentário|kommentar|kommentti|kommentit|reacties|комментар|коментар|отзыв|відгук|review|bewertung|rezension|opinion|opinión|"
    r"opinie|\bavis\b|recension|replies|respons|antworten|respuestas|risposte|odpowied|yorum|bình luận|komentar|komentář|hozzászól|vélemény|σχόλια|"
    r"talkback|readers say|评论|評論|留言|回应|评价|コメント|レビュー|口コミ|댓글|상품평|후기|ความคิดเห็น|ความเห็น|รีวิว|תגובות|ביקורות|टिप्पणि|प्रतिक्रिया|समीक्षा|تعليق|التعليقات|مراجعات|نظرات|دیدگاه",
    re.IGNORECASE,
)
"""What a line says above comments and reviews, in a number of languages."""


def comment_rows(site: Site, verdict: NodeVerdict, page: int) -> tuple[Bools, bool]:
    """Per row of the site: a text node of a comment on a page, as far as it is known by its name or, else, by what is like it; and whether they are known to be
    of one comment."""
    named = kind_nodes(site, verdict, "comments", page)
    rows = site.page_rows(page)
    comments = PageComments(site, page, verdict.node_kept[rows], named[rows])
    found = comments.rows_of_comments()
    is_lone = found is None and bool(named.any()) and not comments.has_posts
    if is_lone:
        found = comments.lone()
    if found is not None:
        named[rows] = found
    return named, is_lone and found is not None


class PageComments(Thread):
    def __init__(self, site: Site, page: int, kept: Bools, named: Bools) -> None:
        super().__init__(site, page, named)
        self.kept, self.named = kept, self.wanted
        is_text = (self.tag == TEXT) & (self.size > 0)
        told = np.cumsum(self.size * kept)
        below = np.arange(self.n) > int(np.searchsorted(told, ABOVE * told[-1])) if told[-1:].any() else kept & False
        self.outside = self.within(np.flatnonzero(_OUTSIDE[self.tag]))
        self.linked = self.within(np.flatnonzero(self.tag == _A))
        self.wanted = is_text & ~kept & below & ~self.outside & ~self.linked
        self.may_say = is_text & ~kept & below

    def rows_of_comments(self) -> Bools | None:
        """What they say; None where no series of elements is one of comments. What is signed and dated goes before what is only one of both."""
        found: dict[int, tuple[Bools, bool]] = {}
        for _ in range(TRIES):
            units = self.units(False) if self.is_searched else None
            if units is None:
                break
            if (told := self._told(units)) is not None:
                signs, said = told
                found.setdefault(signs, (said, self._are_named(units)))
                if signs > 1:
                    break
            inside = np.flatnonzero(units.owner >= 0)
            wanted = self.wanted.copy()
            wanted[inside[0] : inside[-1] + 1] = False
            self._want(wanted)
        if not found:
            return None
        said, is_named = found[max(found)]
        return said if is_named else None

    def lone(self) -> Bools | None:
        """What the one comment says that is named so: of its longest texts the one whose author and day stand nearest (in the element that begins last), with
        what is like it beside it. What is said above and below that, to those who would write another, is none. None where no element near says both."""
        size = np.where(self.named & ~self.linked & ~self.outside & ~self._when, self.size, 0)
        longest = np.argsort(-size, kind="stable")[:TRIES].tolist()
        found = [near for row in longest if size[row] and (near := self._near_signs(row))]
        if not found:
            return None
        up, said = max(found, key=lambda near: near[0])
        return said if self._is_announced(np.arange(up, self.ends[up]), True) else None

    def _near_signs(self, row: int) -> tuple[int, Bools] | None:
        """The smallest element that has a text and who wrote it and when, and the text with those like it beside it."""
        signs, keys = self._when | self._who | IS_HEADING[self.tag], self._local()
        body = self.parents[row]
        said: Bools | None = None
        for _ in range(LEVELS):
            up = self.parents[body]
            if up < 0 or self.kept[up : self.ends[up]].any():
                return None
            if said is None and (signs[up:body].any() or signs[self.ends[body] : self.ends[up]].any()):
                alike = [
                    i
                    for i in children(self.ends, up)
                    if keys[i] == keys[body] and (i == body or not signs[i : self.ends[i]].any())
                ]
                said = self.may_say & ~self.linked & self.within(np.array(alike, np.int64))
                for other in np.flatnonzero(said).tolist():
                    said[other] = any(map(str.isalpha, self.said(other)))  # the votes below
            if said is not None and not said.any():
                return None
            if said is not None and self._when[up : self.ends[up]].any() and self._names_someone(up, said):
                return up, said
            body = up
        return None

    def _names_someone(self, up: int, said: Bools) -> bool:
        """Whether a line in an element that is not what it says may be a name."""
        rows = self.lines[(self.lines > up) & (self.lines < self.end[up])]
        return bool((may_be_names(self.site).of(self.text_ids[rows[~said[rows]]]) > 0).any())

    def _holds_named(self, units: Units) -> bool:
        """Whether most of what is named comments stands in these."""
        size = self.size * self.named
        return bool(2 * size[units.owner >= 0].sum() >= size.sum() > 0)

    def _are_named(self, units: Units) -> bool:
        """Whether what is named comments stands in these, or shows none: it may be what is said to those who would write one."""
        if self._holds_named(units):
            return True
        return not self.has_posts

    @property
    def has_posts(self) -> bool:
        """Whether what is named comments shows a series of them."""
        self._want(self.named)
        return bool(self.posts(False))

    def _want(self, wanted: Bools) -> None:
        """Look for other text than before."""
        self.wanted = wanted
        for name in ("_post_rows", "_wanted_rows"):
            vars(self).pop(name, None)

    def _told(self, units: Units) -> tuple[int, Bools] | None:
        """What units say if they are comments, and whether they are signed and dated (2) or one of both."""
        names = self._names(units)
        signed = {*names, *self._dates(units)[0]}
        if signed and max(signed) < units.n - 1:  # a form stands in an element like those of comments
            units = self._cut_into(
                np.where(units.owner <= max(signed), units.owner, -1).astype(np.int32), max(signed) + 1
            )
            names = self._names(units)
        _, date_rows = self._dates(units)
        if self._is_of_text(units):
            return None
        signs = sum(len(of) >= NEARLY_ALL * units.n for of in (names, date_rows))
        if not signs or not (
            self._holds_named(units) or self._is_announced(np.flatnonzero(units.owner >= 0), signs > 1)
        ):
            return None
        if self._is_list(units, names) or self._lead_away(units, names):
            return None
        heads = self._heads(units, names, date_rows)
        for line in self._buttons(units):
            heads[line] = True
        score = np.where(self.wanted, 1.0, np.where(self.may_say, LINKED, 0.0))
        held = self._filled(units, self.wanted & ~heads) & (units.owner >= 0)
        held = with_bodies(self, units, score, held, heads) & self.may_say & ~heads
        texts = {self.text(row) for row in np.flatnonzero(held).tolist()}
        return (signs, held) if 2 * len(texts) >= units.n else None

    def _is_of_text(self, units: Units) -> bool:
        """Whether these hold some of the kept text, as the posts of a thread do, or stand between its paragraphs, as what is quoted from elsewhere."""
        inside = np.flatnonzero(units.owner >= 0)
        kept = self.size * self.kept
        return bool(kept[inside[0] : inside[-1] + 1].sum() > MOST_KEPT * kept.sum())

    def _buttons(self, units: Units) -> list[slice]:
        """Lines that half of these, and two of them, have word for word at the same place."""
        found: dict[tuple[int, str], dict[int, slice]] = {}
        for row in self.lines[self.may_say[self.lines] & (units.owner[self.lines] >= 0)].tolist():
            line = self.line(row)
            found.setdefault((int(units.keys[line.start]), self.line_text(row)), {})[int(units.owner[row])] = line
        return [line for of in found.values() if len(of) >= max(2, units.n / 2) for line in of.values()]

    def _is_announced(self, inside: Ints64, or_below: bool) -> bool:
        """Whether one of the lines above these rows, `or_below`, says that they are comments."""
        said = (self.tag == TEXT) & (self.size > 0) & ~self.kept
        above, below = np.flatnonzero(said[: inside[0]]), np.flatnonzero(said[inside[-1] + 1 :]) + inside[-1] + 1
        lines = [*above[-LINES:].tolist(), *below[: LINES * or_below].tolist()]
        return any(len(text) <= MAX_HEAD and _FOLLOW.search(text) for text in map(self.text, lines))

    def _lead_away(self, units: Units, names: dict[int, int]) -> bool:
        """Whether half of these have a link of their own that is a headline: cards of other articles are signed and dated, too."""
        who = set(names.values())
        text = prefix_sum(np.where(self.tag == TEXT, self.size, 0).astype(np.int64))
        leads: dict[int, set[str]] = {}
        for row in np.flatnonzero((self.tag == _A) & (units.owner >= 0)).tolist():
            inside = range(row, self.ends[row])
            line = self.line(row + 1) if row + 1 < self.n else slice(row, row)
            if (
                text[self.end[row]] - text[row] < HEADLINE
                or who.intersection(inside)
                or self._when[row : self.ends[row]].any()
            ):
                continue
            if (
                self.attrs_of(row).get("href", "#").startswith("#")
                or 2 * (text[self.end[row]] - text[row]) < text[line.stop] - text[line.start]
            ):
                continue
            said = self.text(row) or " ".join(self.text(i) for i in inside if self.tags[i] == TEXT)
            if not self._is_begun(units, row, said):
                leads.setdefault(int(units.owner[row]), set()).add(said)
        return 2 * len(leads) >= units.n and 2 * len(set().union(*leads.values())) >= len(leads)
