"""The posts of a thread, or the comments under an article, as units: who, when, what, in order.

Posts are written by one template, so each stands in elements at the same place: the same tags and class names above, or,
where answers stand inside of what they answer, the same tag and class. Of all places of a page those are the posts that
hold most of the wanted text and each of which has a date or a name of its own: the paragraphs of an article have none.
What stands between two posts (a row with the name above a row with the text) belongs to the one it precedes or follows,
whichever repeats from the first post on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.article.threads.posters import MARKED, SignedPage
from sitegrain.article.threads.postparts import Units, part_keys, with_bodies
from sitegrain.article.threads.threadpage import CLASS, IS_HEADING, LABELLED, MAX_HEAD, begins_with_user, first_word
from sitegrain.native.inputs import PostRows, PostRules
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TEXT

MAX_POSTS = 1000
MAX_ROWS = 300_000
"""Rows of a page that is searched for posts; the largest labelled thread has fewer than 60,000."""
MAX_PLACES = 100
"""Places of a page that are looked at for posts, those with most text first; ordinary pages have as many as a post has elements."""
NEARLY_ALL = 0.9
"""Share of what tags take for posts that must be some where names find every second one. Set beforehand."""
COVERED = 0.3
"""Share of the wanted text that the posts of a page must hold. Set beforehand."""
LEAST_LEFT = 0.75
"""Share of the wanted text that must stay on a page that is not sure to be a thread, beside who and when: what is beside the posts of a thread is little,
and of two lists of WCXB that look like one most of the text would go."""
LEAST_SAID = 1 / 3
"""The same with who and when: posts that say less than half as much as their heads are rows of a list. Set after one such
list of WCXB had lost 0.79 of F1; no other value was tried."""
MIN_ALIKE = 3
"""Posts of one template that tell a thread by themselves. Set beforehand."""
MIN_FIRST = 20
"""Characters of wanted text before the posts that are a post themselves."""
BEGUN, BEGUN_NODES = 8, 6
"""Characters of a heading that the text may begin with, and text nodes that are looked at. Set beforehand."""
LABEL_WORDS = 8
"""Words of a line that posts have but for its numbers. Set beforehand."""
AROUND = 5
"""Elements around the text of a lone post within which its author and its day stand: text, body, post and the list of posts. Set beforehand."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_RULES = PostRules(COVERED, MARKED, MAX_POSTS, MAX_PLACES)
_A = TAG_CODE["a"]
_IS_OF_USERS = np.isin(ATTRIBUTES, ("class", "href", "itemprop", "rel"))


class Post(NamedTuple):
    """One post of a thread, or one comment."""

    text: str
    author: str = ""
    date: str = ""
    """`YYYY-MM-DD`; empty when the page gives none, or only a relative one."""
    quotes: tuple[str, ...] = ()
    """What it quotes of others; part of its text too."""


def find_posts(
    site: Site,
    page: int,
    wanted: Bools,
    is_thread: bool = False,
    others: Bools | None = None,
    day_first: bool | None = None,
) -> list[Post]:
    """The posts that hold the wanted text nodes of a page, in order; none if it is no series of posts. What is known to be a thread may
    have one post; so may comments below a text, if who and when stand in an element around them that holds none of the text (`others`), also below them or without
    a word for users where they are known to be one comment. `day_first` decides on 3/4/2020 where no other day of the posts does.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = "".join(f"<div class=post><b class=user>{who}</b> <i>{day} May 2020</i><p>{text}</p></div>"
    ...                for who, day, text in [("ann", 3, "How long must tea draw?"), ("bob", 4, "Three minutes.")])
    >>> site = build_site([Capture("http://a.org/", html.encode())])
    >>> for post in find_posts(site, 0, site.is_text):
    ...     print(post.author, post.date, post.text)
    ann 2020-05-03 How long must tea draw?
    bob 2020-05-04 Three minutes.
    """
    thread = Thread(site, page, wanted[site.page_rows(page)])
    thread.day_first = day_first
    if not thread.is_searched:
        return []
    has_opener = others is None  # comments answer the text
    found = thread.posts(has_opener) or (thread.alone(others, is_thread) if is_thread or not has_opener else [])
    thread.keep()
    return found


def thread_rows(
    site: Site, page: int, wanted: Bools, score: Floats, is_sure: bool, by_users: bool = False
) -> Bools | None:
    """Per row of a page: whether a post says it, beside who wrote it and when, given the rows that are wanted and the scores of all; None where no
    posts are found, or where not even half of them are signed, by more than one, and dated. Of a page that is not sure to be a thread the posts
    must hold half of what is wanted, and be no entries of a list; where that is little likely (`by_users`) an address must tell that users wrote half of them."""
    thread = Thread(site, page, wanted)
    units = thread.units(True) if thread.is_searched and thread.is_dated else None
    is_one = units is not None and (not by_users or 2 * thread.n_users(units) >= units.n)
    held = thread.held(units, score, is_sure) if units is not None and is_one else None
    thread.keep()
    return held


def alike_rows(site: Site, page: int, kept: Bools, may_say: Bools, score: Floats) -> Bools | None:
    """The same of a page of which nothing else tells that it is a thread: posts of one template, the one that opens it too, nearly all of them
    signed and dated, are looked for in all that may be text and must hold nearly all that is kept. An article above its comments is no such post."""
    thread = Thread(site, page, may_say)
    units = thread.units(False) if thread.is_searched and thread.may_be_alike else None
    held = None
    if units is not None and thread.are_alike(units, kept):
        thread.wanted &= kept  # what else may be text comes where posts say what they say
        held = thread.held(units, score, False)
    thread.keep()
    return held


def are_signed_and_dated(site: Site, page: int, within: slice, share: float) -> bool:
    """Whether these rows of a page are a series of elements nearly all of which (this `share`) say who wrote them, by more than one, and when, and that are
    no entries of a list."""
    wanted = np.zeros(len(site.nodes.tag[site.page_rows(page)]), bool)
    wanted[within] = True
    thread = Thread(site, page, wanted)
    units = thread.units(False) if thread.is_searched and thread.is_dated else None
    found = units is not None and thread.are_signed(units, share)
    thread.keep()
    return found


def lost_rows(site: Site, page: int, kept: Bools, may_say: Bools, score: Floats) -> Bools | None:
    """The same of a page that is surely a thread, of which posts may have been lost: posts are looked for in all that may be text, and what is not kept
    comes where those that are kept say what they say."""
    thread = Thread(site, page, may_say)
    units = thread.units(True) if thread.is_searched and thread.is_dated else None
    thread.wanted &= kept
    held = thread.held(units, score, True) if units is not None else None
    thread.keep()
    return held


class _Cut(NamedTuple):
    """Where posts begin and end; what stands in two of them is the later one's."""

    begins: Sequence[int]
    ends: Sequence[int]
    score: float


class Thread(SignedPage):
    @property
    def is_searched(self) -> bool:
        return 2 < self.n <= MAX_ROWS and bool(self.wanted.any())

    def posts(self, has_opener: bool) -> list[Post]:
        units = self.units(has_opener)
        return self._read(units) if units is not None else []

    def units(self, has_opener: bool) -> Units | None:
        """The best way to cut the page into posts, if there is one."""
        # By class names before tags alone, which cut posts into their parts; by dates before names.
        for places in (self._by_names, self._by_tags):
            for marks in (self._when, self._who):
                best = self._best_of(places, marks, slice(0, self.n))
                if best is None:
                    continue
                if places is self._by_names:
                    # Names may tell every second post from its neighbours, which then stand between the others.
                    other = self._best_of(self._by_tags, marks, slice(0, self.n))
                    if other is not None and set(best.begins) < set(other.begins) and self._are_marked(other, marks):
                        best, places = other, self._by_tags
                if has_opener and len(best.begins) == 2:
                    # What a thread was opened with beside the box of all answers.
                    best = self._best_of(places, marks, slice(best.begins[1], best.ends[1])) or best
                owner, n = self._owners(best), len(best.begins)
                return self._cut_into(*self._with_first(owner, n) if has_opener else (owner, n))
        return None

    def _best_of(self, places: list[tuple[Hashes, Bools]], marks: Bools, within: slice) -> _Cut | None:
        best: _Cut | None = None
        for keys, may_be in places:
            found = self._best_cut(keys, may_be, marks, within)
            if found is None or (best is not None and found.score <= best.score * 1.02):
                continue
            if may_be.all() or 2 * self._n_full(found) >= len(found.begins):
                best = found
        return best

    def _n_full(self, cut: _Cut) -> int:
        """Posts that have wanted text: of elements of one name that stand anywhere most do if they are posts."""
        total = self._post_rows.total
        return int(np.count_nonzero(total[np.array(cut.ends)] > total[np.array(cut.begins)]))

    def _are_marked(self, cut: _Cut, marks: Bools) -> bool:
        """Whether nearly all of these have wanted text and a mark: what stands between posts (a bar, a list of other threads) has not."""
        total, marked = self._post_rows.total, prefix_sum(marks)
        begins, ends = np.array(cut.begins), np.array(cut.ends)
        is_post = (total[ends] > total[begins]) & (marked[ends] > marked[begins])
        return bool(np.count_nonzero(is_post) >= NEARLY_ALL * len(begins))

    def alone(self, others: Bools | None = None, is_known: bool = True) -> list[Post]:
        """The one post of a thread that nobody answered: what is wanted, if near before it (below are comments) a member is named and a day given.
        What stands around `others` is not looked at."""
        rows = np.flatnonzero(self.wanted)
        apart = None if others is None else prefix_sum(others[self.rows]).data
        low = int(rows[0] if apart is None else self.below_headings(rows))
        while low >= 0 and self.end[low] <= rows[-1]:
            low = self.parents[low]
        for step in range(AROUND):
            # The element around the text of a post holds no more than that; the one around comments may hold who and when.
            low = self.parents[low] if low >= 0 and (step or apart is None) else low
            if low < 0 or (apart is not None and apart[self.ends[low]] > apart[low]):
                break
            is_comment = apart is not None and is_known
            inside = slice(low, self.ends[low] if is_comment else int(rows[-1]) + 1)
            is_named = bool(self._who[inside].any())
            if (is_named or is_comment) and self._when[inside].any():
                owner = np.full(self.n, -1, np.int32)
                owner[inside] = 0
                units = self._cut_into(owner, 1)
                if not is_named and not self._names(units):
                    continue
                found = self._read(units)
                return found if found and found[0].author and found[0].date else []
        return []

    @cached_property
    def _by_names(self) -> list[tuple[Hashes, Bools]]:
        local = self._local()
        return [(native.path_keys(self.parent, local), np.ones(self.n, bool)), (local, local >= 256)]

    @cached_property
    def _by_tags(self) -> list[tuple[Hashes, Bools]]:
        return [(native.path_keys(self.parent, self.tag.astype(np.uint64)), np.ones(self.n, bool))]

    @cached_property
    def _who(self) -> Bools:
        """Rows that say who, by a name or an address that speaks of users."""
        who = np.zeros(self.n, bool)
        attrs = self.site.attrs
        at = np.flatnonzero(_IS_OF_USERS[attrs.name[self.attrs]]) + self.attrs.start
        at = at[begins_with_user(self.site).of(attrs.value[at]) > 0]
        who[attrs.node[at] - self.rows.start] = True
        return who

    def _with_first(self, owner: Ints32, n: int) -> tuple[Ints32, int]:
        """The post that opens the thread is often written by another template: what is wanted before the others."""
        first = int(np.flatnonzero(owner >= 0)[0])
        before = np.flatnonzero(self.wanted[:first])
        size = int(self.size[before].sum())
        if size < MIN_FIRST or (size <= MAX_HEAD and self._when[before].any()):
            return owner, n  # nothing, or no more than when the thread was begun
        low, high = int(before[np.argmax(self.size[before])]), first
        if IS_HEADING[self.tag[self.parent[low]]]:
            return owner, n  # "3 comments"
        while self.parent[low] >= 0 and self.end[self.parent[low]] <= high:
            low = int(self.parent[low])
        owner = np.where(owner >= 0, owner + 1, -1).astype(np.int32)
        owner[low : min(int(self.end[low]), first)] = 0
        return owner, n + 1

    def _local(self) -> Hashes:
        """Per row: its tag and its first class, without numbers and words that tell neighbours apart."""
        own = self.tag.astype(np.uint64)
        attrs, strings = self.site.attrs, self.site.strings
        at = np.flatnonzero(attrs.name[self.attrs] == CLASS) + self.attrs.start
        known = np.empty(len(strings), np.uint64)  # of those that the page has
        different = list(set(attrs.value[at].tolist()))
        words = map(first_word, map(strings.__getitem__, different))
        known[different] = np.fromiter(words, np.uint64, len(different))
        own[attrs.node[at] - self.rows.start] += known[attrs.value[at]]  # an element has one class attribute
        return own

    def _best_cut(self, keys: Hashes, may_be: Bools, marks: Bools, within: slice) -> _Cut | None:
        """The posts at one of the places that these keys tell apart, by how much of the wanted text they hold and how many have a mark."""
        if np.count_nonzero(marks) < 2:
            return None  # there are two posts at least, and with one mark not enough of them have one
        found = native.post_cut(self._post_rows, keys, may_be, marks, within, _RULES)
        return _Cut(*found) if found is not None else None

    @cached_property
    def _post_rows(self) -> PostRows:
        total = prefix_sum(np.where(self.wanted, self.size, 0).astype(np.int64))
        return PostRows(self.tag, self.parent, self.end, self.site.nodes.depth[self.rows], total)

    def _owners(self, cut: _Cut) -> Ints32:
        owner = np.full(self.n, -1, np.int32)
        for i, (start, stop) in enumerate(zip(cut.begins, cut.ends, strict=True)):
            owner[start:stop] = i
        return owner

    def _cut_into(self, owner: Ints32, n: int) -> Units:
        return Units(owner, n, part_keys(self, owner, n))

    def _read(self, units: Units) -> list[Post]:
        names = self._names(units)
        dates, date_rows = self._dates(units)
        filled = self._filled(units, self.wanted & ~self._heads(units, names, date_rows))
        out = []
        mine = np.flatnonzero(filled & (units.owner >= 0))
        mine = mine[np.argsort(units.owner[mine], kind="stable")]
        bounds = np.searchsorted(units.owner[mine], np.arange(units.n + 1)).tolist()
        mask = np.zeros(self.n, bool)
        for i, (start, stop) in enumerate(pairwise(bounds)):
            rows = mine[start:stop]
            if not len(rows):
                continue
            mask[rows] = True
            text = self.text_of(mask)
            mask[rows] = False
            if text:
                author = LABELLED.sub("", self.text(names[i]), 1).strip(" :,·|") if i in names else self._face(units, i)
                out.append(Post(text, author, dates.get(i, ""), self._quotes(rows)))
        return out

    def held(self, units: Units, score: Floats, is_sure: bool) -> Bools | None:
        """What `thread_rows` tells."""
        _, date_rows = self._dates(units)
        if 2 * len(date_rows) < units.n:
            return None
        names = self._names(units)
        if 2 * len(names) < units.n or len({self.ids[row] for row in names.values()}) < 2:
            return None
        if not is_sure and (self._is_list(units, names) or 2 * self._n_wanted(units.owner >= 0) < self._n_wanted()):
            return None
        heads = self._heads(units, names, date_rows)
        held = self._filled(units, self.wanted & ~heads) & (units.owner >= 0)
        held = with_bodies(self, units, score, held, heads)
        if not is_sure:
            left = self._n_wanted(held)
            if left < LEAST_LEFT * self._n_wanted(~heads) or left < LEAST_SAID * self._n_wanted():
                return None
        return held

    @property
    def is_dated(self) -> bool:
        """Whether a line says when: of posts half must have one."""
        return bool(self._when[self.lines].any())

    @property
    def may_be_alike(self) -> bool:
        """Whether there are as many days and users as it takes, which is soon told: most pages that are asked have not."""
        return bool(np.count_nonzero(self._when) >= MIN_ALIKE and np.count_nonzero(self._who) >= MIN_ALIKE)

    def are_alike(self, units: Units, kept: Bools) -> bool:
        """Whether nearly all that is kept stands in these, and nearly all of them are signed and dated."""
        size = self.size * kept
        if units.n < MIN_ALIKE or size[units.owner >= 0].sum() < NEARLY_ALL * size.sum():
            return False
        _, date_rows = self._dates(units)
        return len(date_rows) >= NEARLY_ALL * units.n and self.n_users(units) >= NEARLY_ALL * units.n

    def are_signed(self, units: Units, share: float) -> bool:
        """What `are_signed_and_dated` tells."""
        size = self.size * self.wanted
        if size[units.owner >= 0].sum() < share * size.sum() or len(self._dates(units)[1]) < share * units.n:
            return False
        names = self._names(units)
        return (
            len(names) >= share * units.n
            and len({self.ids[row] for row in names.values()}) > 1
            and not self._is_list(units, names)
        )

    def n_users(self, units: Units) -> int:
        """How many of these name who wrote by a name or an address that speaks of users."""
        return sum(map(self.is_user, self._names(units).values()))

    def _n_wanted(self, of: Bools | slice = slice(None)) -> int:
        """Wanted characters of some rows."""
        return int(self.size[of][self.wanted[of]].sum())

    def _is_list(self, units: Units, names: dict[int, int]) -> bool:
        """Whether half of the posts have a heading that leads to another page and names nobody who wrote: entries of a list are signed and dated, too."""
        title = self.site.pages.title[self.page]
        # Some boards set who wrote as a heading; what is said once on a page may be a headline all the same.
        is_again = len({self.ids[row] for row in names.values()}) < len(names)
        who = {row for row in names.values() if is_again or self.is_user(row)}
        links = prefix_sum(self.tag == _A)
        found: set[int] = set()
        for row in np.flatnonzero(IS_HEADING[self.tag] & (units.owner >= 0)).tolist():
            is_linked = links[self.end[row]] > links[row] or self.tag[self.parent[row]] == _A
            if is_linked and units.owner[row] not in found and not who.intersection(range(row, self.ends[row])):
                text = self._linked(row).strip(" ¶#§")
                is_title = text[:3].lower() != "re:" and text not in title and not self._is_begun(units, row, text)
                if is_title and any(map(str.isalpha, text)):
                    found.add(int(units.owner[row]))
        return 2 * len(found) >= units.n

    def _linked(self, row: int) -> str:
        """What the links of a heading say, or all of it if it stands in one: the number of a post may lead to it."""
        rows = np.flatnonzero(self.tag[row : self.end[row]] == _A) + row
        return " ".join(map(self.text, rows.tolist())) if len(rows) else self.text(row)

    def _heads(self, units: Units, names: dict[int, int], date_rows: list[int]) -> Bools:
        """Per row: whether it is of a line that says who or when, or says the thread's title over a post."""
        heads = np.zeros(self.n, bool)
        for row in (*names.values(), *date_rows):
            heads[self.line(row)] = True
        title = self.site.pages.title[self.page]
        for row in np.flatnonzero(IS_HEADING[self.tag] & (units.owner >= 0)).tolist():
            if (text := self.text(row).strip(" ¶#§")) and (
                text[:3].lower() == "re:" or text in title or self._is_begun(units, row, text)
            ):
                heads[row : self.end[row]] = True
        for line in self._labels(units):
            heads[line] = True
        return heads

    def _is_begun(self, units: Units, row: int, heading: str) -> bool:
        """Whether the text of the post begins with what its heading says: a subject that nobody gave is made of the first words."""
        begun = heading.rstrip(" .…")
        at = int(np.searchsorted(self._wanted_rows, self.end[row]))
        after = [i for i in self._wanted_rows[at : at + BEGUN_NODES].tolist() if units.owner[i] == units.owner[row]]
        return len(begun) >= BEGUN and " ".join(map(self.text, after)).startswith(begun)

    @cached_property
    def _wanted_rows(self) -> Ints64:
        return np.flatnonzero(self.wanted)

    def _labels(self, units: Units) -> list[slice]:
        """Lines that half of the posts, and two of them, have at the same place but for their numbers: "Rated 5 out of 5"."""
        found: dict[tuple[int, str], dict[int, slice]] = {}
        last = 0
        for row in self.lines[self.wanted[self.lines] & (units.owner[self.lines] >= 0)].tolist():
            if row < last:
                continue
            line = self.line(row)
            last = line.stop
            said = self.line_text(row)
            masked = _NUMBER.sub("0", said)
            if masked != said and len(said.split()) <= LABEL_WORDS and any(map(str.isalpha, said)):
                found.setdefault((int(units.keys[line.start]), masked), {}).setdefault(int(units.owner[row]), line)
        return [line for of in found.values() if len(of) >= max(2, units.n / 2) for line in of.values()]

    def _filled(self, units: Units, wanted: Bools) -> Bools:
        """The wanted rows, and in posts that have none those that stand where other posts have theirs."""
        has = np.bincount(units.owner[(units.owner >= 0) & wanted], minlength=units.n) > 0
        if has.all():
            return wanted
        mine = np.flatnonzero(wanted & (units.owner >= 0))
        places = units.keys[self.parent[mine]]
        pairs = {(int(k), int(i)) for k, i in zip(places.tolist(), units.owner[mine].tolist(), strict=True)}
        often = Counter(k for k, _ in pairs)
        main = np.array([k for k, n in often.items() if 2 * n >= has.sum()], np.uint64)
        out = wanted.copy()
        empty = (self.tag == TEXT) & (units.owner >= 0)
        empty[empty] = ~has[units.owner[empty]]
        at = np.flatnonzero(empty)
        out[at[np.isin(units.keys[self.parent[at]], main)]] = True
        return out

    def _quotes(self, rows: Ints64) -> tuple[str, ...]:
        """What stands in a quote within a post."""
        if not self.quoting:
            return ()
        rows_in = rows[:2000]
        rows_in = rows_in[self.is_quoted[rows_in]]
        out: dict[int, list[str]] = {}
        for row in rows_in.tolist():
            up, top = self.parents[row], -1
            for _ in range(8):
                if up < 0:
                    break
                if up in self.quoting:
                    top = up
                up = self.parents[up]
            if top >= 0:
                out.setdefault(top, []).append(self.text(row))
        # Some boards set whole posts as quotes.
        size = int(self.size[rows].sum())
        return tuple(text for parts in out.values() if 10 * len(text := " ".join(parts)) < 9 * size)
