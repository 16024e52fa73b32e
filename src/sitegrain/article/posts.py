"""The posts of a thread, or the comments under an article, as units: who, when, what, in order.

Posts are written by one template, so each stands in elements at the same place: the same tags and class names above, or,
where answers stand inside of what they answer, the same tag and class. Of all places of a page those are the posts that
hold most of the wanted text and each of which has a date or a name of its own: the paragraphs of an article have none.
What stands between two posts (a row with the name above a row with the text) belongs to the one it precedes or follows,
whichever repeats from the first post on.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Hashes, Ints32, Ints64
from sitegrain.article.fields.dates import parse_date
from sitegrain.article.threadpage import (
    CLASS,
    JOINED,
    LABELLED,
    MAX_HEAD,
    MAX_NAME,
    USER,
    ThreadPage,
    begins_with_user,
    first_word,
    may_be_names,
    median,
    say_when,
)
from sitegrain.native import path_keys
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, TAG_CODE, TEXT, tag_mask

MAX_POSTS = 1000
MAX_ROWS = 300_000
"""Rows of a page that is searched for posts; the largest labelled thread has fewer than 60,000."""
MAX_PLACES = 100
"""Places of a page that are looked at for posts, those with most text first; ordinary pages have as many as a post has elements."""
COVERED = 0.3
"""Share of the wanted text that the posts of a page must hold. Set beforehand."""
MIN_FIRST = 20
"""Characters of wanted text before the posts that are a post themselves."""
MARKED = 0.6
"""Share of the posts that must have a date or a name of their own. Set beforehand."""
AROUND = 5
"""Elements around the text of a lone post within which its author and its day stand: text, body, post and the list of posts. Set beforehand."""
_IS_OF_USERS = np.isin(ATTRIBUTES, ("class", "href", "itemprop", "rel"))
_IS_HEADING = tag_mask(HEADINGS)
_A = TAG_CODE["a"]
_NOT_WHEN = re.compile(r"edited|last|updated|geändert|modifi", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    """One post of a thread, or one comment."""

    text: str
    author: str = ""
    date: str = ""
    """`YYYY-MM-DD`; empty when the page gives none, or only a relative one."""
    quotes: tuple[str, ...] = ()
    """What it quotes of others; part of its text too."""


def find_posts(
    site: Site, page: int, wanted: Bools, is_thread: bool = False, others: Bools | None = None
) -> list[Post]:
    """The posts that hold the wanted text nodes of a page, in order; none if it is no series of posts. What is known to be a thread may
    have one post; so may comments below a text, if who and when stand in an element around them that holds none of the text (`others`).

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = "".join(f"<div class=post><b class=user>{who}</b> <i>{day} May 2020</i><p>{text}</p></div>"
    ...                for who, day, text in [("ann", 3, "How long must tea draw?"), ("bob", 4, "Three minutes.")])
    >>> site = build_site([Capture("http://a.org/", html.encode())])
    >>> for post in find_posts(site, 0, site.is_text):
    ...     print(post.author, post.date, post.text)
    ann 2020-05-03 How long must tea draw?
    bob 2020-05-04 Three minutes.
    """
    thread = _Thread(site, page, wanted)
    if not 2 < thread.n <= MAX_ROWS or not thread.wanted.any():
        return []
    has_opener = others is None  # comments answer the text
    return thread.posts(has_opener) or (thread.alone(others) if is_thread or not has_opener else [])


@dataclass
class _Units:
    """One way to cut the page into posts."""

    owner: Ints32
    """Per row: which post it belongs to; -1 for none."""
    n: int
    keys: Hashes
    """What makes two rows of different posts the same part."""


class _Cut(NamedTuple):
    """Where posts begin and end; what stands in two of them is the later one's."""

    begins: Sequence[int]
    ends: Sequence[int]
    keys: Hashes
    score: float = 0.0


class _Thread(ThreadPage):
    def posts(self, has_opener: bool) -> list[Post]:
        best: _Cut | None = None
        # By class names before tags alone, which cut posts into their parts; by dates before names.
        for is_bare in (False, True):
            for marks in (self._when, self._who):
                for keys, may_be in self._by_tags if is_bare else self._by_names:
                    found = self._best_cut(keys, may_be, marks)
                    if found is not None and (best is None or found.score > best.score * 1.02):
                        best = found
                if best is not None:
                    units = self._units(best)
                    return self._read(self._with_first(units) if has_opener else units)
        return []

    def alone(self, others: Bools | None = None) -> list[Post]:
        """The one post of a thread that nobody answered: what is wanted, if near before it (below are comments) a member is named and a day given.
        What stands around `others` is not looked at."""
        rows = np.flatnonzero(self.wanted)
        apart = None if others is None else prefix_sum(others[self.rows]).data
        low = int(rows[0])
        while low >= 0 and self.end[low] <= rows[-1]:
            low = self.parents[low]
        for step in range(AROUND):
            # The element around the text of a post holds no more than that; the one around comments may hold who and when.
            low = self.parents[low] if low >= 0 and (step or apart is None) else low
            if low < 0 or (apart is not None and apart[self.ends[low]] > apart[low]):
                break
            inside = slice(low, int(rows[-1]) + 1)
            if self._who[inside].any() and self._when[inside].any():
                owner = np.full(self.n, -1, np.int32)
                owner[inside] = 0
                found = self._read(_Units(owner, 1, self._by_names[0][0]))
                return found if found and found[0].author and found[0].date else []
        return []

    @cached_property
    def _by_names(self) -> list[tuple[Hashes, Bools]]:
        local = self._local()
        return [(path_keys(self.parent, local), np.ones(self.n, bool)), (local, local >= 256)]

    @cached_property
    def _by_tags(self) -> list[tuple[Hashes, Bools]]:
        return [(path_keys(self.parent, self.tag.astype(np.uint64)), np.ones(self.n, bool))]

    @cached_property
    def _when(self) -> Bools:
        """Rows that say when."""
        when = np.asarray(self.tag == TAG_CODE["time"])
        when[self.lines[say_when(self.site).of(self.text_ids[self.lines]) > 0]] = True
        when[self.hinted_days()] = True
        return when

    @cached_property
    def _who(self) -> Bools:
        """Rows that say who, by a name or an address that speaks of users."""
        who = np.zeros(self.n, bool)
        attrs = self.site.attrs
        at = np.flatnonzero(_IS_OF_USERS[attrs.name[self.attrs]]) + self.attrs.start
        at = at[begins_with_user(self.site).of(attrs.value[at]) > 0]
        who[attrs.node[at] - self.rows.start] = True
        return who

    def _with_first(self, units: _Units) -> _Units:
        """The post that opens the thread is often written by another template: what is wanted before the others."""
        first = int(np.flatnonzero(units.owner >= 0)[0])
        before = np.flatnonzero(self.wanted[:first])
        size = int(self.size[before].sum())
        if size < MIN_FIRST or (size <= MAX_HEAD and self._when[before].any()):
            return units  # nothing, or no more than when the thread was begun
        low, high = int(before[np.argmax(self.size[before])]), first
        if _IS_HEADING[self.tag[self.parent[low]]]:
            return units  # "3 comments"
        while self.parent[low] >= 0 and self.end[self.parent[low]] <= high:
            low = int(self.parent[low])
        owner = np.where(units.owner >= 0, units.owner + 1, -1).astype(np.int32)
        owner[low : min(int(self.end[low]), first)] = 0
        return _Units(owner, units.n + 1, units.keys)

    def _local(self) -> Hashes:
        """Per row: its tag and its first class, without numbers and words that tell neighbours apart."""
        own = self.tag.astype(np.uint64)
        attrs, strings = self.site.attrs, self.site.strings
        at = np.flatnonzero(attrs.name[self.attrs] == CLASS) + self.attrs.start
        values: list[int] = attrs.value[at].tolist()
        known = {value: first_word(strings[value]) for value in set(values)}
        np.add.at(own, attrs.node[at] - self.rows.start, np.array([known[value] for value in values], np.uint64))
        return own

    def _best_cut(self, keys: Hashes, may_be: Bools, marks: Bools) -> _Cut | None:
        """The posts at one of the places that these keys tell apart, by how much of the wanted text they hold and how many have a mark."""
        if not marks.any() or not len(self._elements):
            return None
        total, mass = self._weights
        marked: Sequence[int] = prefix_sum(marks).data
        # A post of which no text is wanted is a post of the same template all the same.
        order = self._elements[np.argsort(keys[self._elements], kind="stable")]
        first = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]))
        last = np.append(first[1:], len(order))
        held = np.where(may_be[order], mass[order], 0)
        counts = np.add.reduceat(held > 0, first, dtype=np.int64)
        covered = np.add.reduceat(held, first)
        some = (counts >= 2) & (counts <= MAX_POSTS) & (covered >= COVERED * total[-1])
        best: _Cut | None = None
        seen: set[tuple[int, ...]] = set()
        groups = np.flatnonzero(some)
        if len(groups) > MAX_PLACES:
            groups = np.sort(groups[np.argsort(-covered[groups], kind="stable")[:MAX_PLACES]])
        for lo, hi in zip(first[groups].tolist(), last[groups].tolist(), strict=True):
            if hi - lo > MAX_POSTS:
                continue
            roots = self._climbed(order[lo:hi].tolist())
            if (place := tuple(roots)) in seen:  # the parts of a post all lead up to it
                continue
            seen.add(place)
            cut = self._cut(roots, keys)
            score = self._score(cut, marks, marked)
            if score > (best.score if best is not None else 0.0):
                best = cut._replace(score=score)
        return best

    @cached_property
    def _elements(self) -> Ints64:
        return np.asarray(np.flatnonzero(self.tag != TEXT), np.int64)

    @cached_property
    def _weights(self) -> tuple[Ints64, Ints64]:
        """Wanted characters of all rows before each, and of its subtree."""
        total = prefix_sum(np.where(self.wanted, self.size, 0).astype(np.int64))
        return total, total[self.end] - total[:-1]

    def _units(self, cut: _Cut) -> _Units:
        owner = np.full(self.n, -1, np.int32)
        for i, (start, stop) in enumerate(zip(cut.begins, cut.ends, strict=True)):
            owner[start:stop] = i
        return _Units(owner, len(cut.begins), cut.keys)

    def _cut(self, roots: list[int], keys: Hashes) -> _Cut:
        parents, ends = self.parents, self.ends
        often = Counter(parents[root] for root in roots)
        parent, most = min(often.items(), key=lambda found: (-found[1], found[0]))
        if most >= 0.7 * len(roots):  # elements of the same name elsewhere are no posts
            roots = [root for root in roots if parents[root] == parent]
        if len(roots) > 1 and all(parents[root] == parents[roots[0]] for root in roots):
            before = self._before(roots, keys)
            begins = [self._back(root, before) for root in roots]
            return _Cut(begins, [*begins[1:], self._last_end(roots, begins, keys)], keys)
        # An answer inside of a post is a post of its own.
        return _Cut(roots, [ends[root] for root in roots], keys)

    def _climbed(self, roots: list[int]) -> list[int]:
        """The largest elements around each that hold no other; few steps if the first post stands higher than the answers. Roots are in
        document order."""
        depth, parents, ends = self._depth, self.parents, self.ends
        is_level = all(depth[root] == depth[roots[0]] for root in roots)
        for _ in range(self.n if is_level else 4):
            up = [parents[root] for root in roots]
            if min(up) < 0 or len(set(up)) < len(up):
                break
            # The next root within the element around one, or the one before.
            if any(roots[i + 1] < ends[u] or roots[i] >= up[i + 1] for i, u in enumerate(up[:-1])):
                break
            roots = up
        return roots

    @cached_property
    def _depth(self) -> Sequence[int]:
        return self.site.nodes.depth[self.rows].data

    def _before(self, roots: list[int], keys: Hashes) -> int:
        """How many elements before each post are its own: as many as repeat before nearly all, the first one too."""
        gap = min(self.between(a, b) for a, b in pairwise(roots))
        near = [[int(keys[i]) for i in self.siblings_before(root, gap)] for root in roots[:50]]
        k = 0
        while k < gap and len(near[0]) > k:
            same = Counter(one[k] for one in near if len(one) > k)
            if same[near[0][k]] < 0.8 * len(near):
                break
            k += 1
        return k

    def _back(self, root: int, steps: int) -> int:
        before = self.siblings_before(root, steps)
        return before[-1] if before else root

    def _last_end(self, roots: list[int], begins: list[int], keys: Hashes) -> int:
        """The last post ends like the one before it: with as many elements after it, if they are the same."""
        ends = self.ends
        row, other = ends[roots[-1]], ends[roots[-2]]
        stop = ends[self.parents[roots[-1]]]
        while other < begins[-1] and row < stop and keys[row] == keys[other]:
            row, other = ends[row], ends[other]
        return row

    def _score(self, cut: _Cut, marks: Bools, marked: Sequence[int]) -> float:
        """`marked` has how many marks stand before each row."""
        total = self._weights[0].data
        if all(stop <= start for stop, start in zip(cut.ends, cut.begins[1:], strict=False)):
            spans = list(zip(cut.begins, cut.ends, strict=True))
            mass = [total[stop] - total[start] for start, stop in spans]
            has_mark = [marked[stop] > marked[start] for start, stop in spans]
        else:  # posts within posts
            owner, weight = self._units(cut).owner, np.diff(self._weights[0])
            own = owner >= 0
            mass = np.bincount(owner[own], weight[own], minlength=len(cut.begins)).tolist()
            has_mark = (np.bincount(owner[own & marks], minlength=len(cut.begins)) > 0).tolist()
        n_full = sum(m > 0 for m in mass)
        if n_full < 2:
            return 0.0
        share = sum(m > 0 and is_marked for m, is_marked in zip(mass, has_mark, strict=True)) / n_full
        covered = sum(mass) / max(total[-1], 1)
        return covered * share * math.log(1 + n_full) if share >= MARKED and covered >= COVERED else 0.0

    def _read(self, units: _Units) -> list[Post]:
        names = self._names(units)
        dates, date_rows = self._dates(units)
        wanted = self.wanted.copy()
        for row in (*names.values(), *date_rows):
            wanted[self.line(row)] = False
        title = self.site.pages.title[self.page]
        for row in np.flatnonzero(_IS_HEADING[self.tag] & (units.owner >= 0)).tolist():
            # The thread's title over every post.
            if (text := self.text(row).strip(" ¶#§")) and (text[:3].lower() == "re:" or text in title):
                wanted[row : self.end[row]] = False
        filled = self._filled(units, wanted)
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

    def _face(self, units: _Units, i: int) -> str:
        """Who the first link to a member's page says it is by its title: some boards show faces and no names."""
        for row in np.flatnonzero((self.tag == _A) & (units.owner == i)).tolist()[:20]:
            attrs = self.attrs_of(row)
            title = " ".join(attrs.get("title", "").split())
            if USER.search(attrs.get("href", "")) and 2 <= len(title) <= MAX_NAME and " " not in title:
                return title
        return ""

    def _filled(self, units: _Units, wanted: Bools) -> Bools:
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

    def _names(self, units: _Units) -> dict[int, int]:
        """Post -> the text node with the name of who wrote it."""
        found: dict[int, dict[int, int]] = defaultdict(dict)
        rank: dict[int, list[int]] = defaultdict(list)
        seen: Counter[int] = Counter()
        users: dict[int, int] = {}
        title = self.site.pages.title[self.page]
        rows = self.lines[units.owner[self.lines] >= 0]
        rows = rows[may_be_names(self.site).of(self.text_ids[rows]) > 0]
        owner = units.owner[rows].tolist()
        for row, i in zip(rows.tolist(), owner, strict=True):
            if self.said(row) in title:
                continue
            if i not in users and self.is_user(row):
                users[i] = row
            key = int(units.keys[self.parents[row]])
            if i not in found[key]:
                found[key][i] = row
                rank[key].append(seen[i])
                seen[i] += 1
        best, best_score = 0, 0.0
        for key, own in found.items():
            texts = {int(self.text_ids[row]) for row in own.values()}
            share = len(own) / units.n
            if share < MARKED or (len(texts) == 1 and len(own) > 2):
                continue
            row = next(iter(own.values()))
            score = share + 0.5 * len(texts) / len(own) + 0.4 / (1 + median(rank[key]))
            score += (
                1.0 * (self.is_user(row) or LABELLED.match(self.said(row)) is not None)
                + 0.2 * self.is_linked(row)
                + 0.4 * self.is_called(row)
            )
            score -= 0.8 * sum(bool(self.wanted[r]) for r in own.values()) / len(own) * (not self.is_user(row))
            if score > best_score:
                best, best_score = key, score
        often = Counter(int(self.text_ids[row]) for row in users.values())
        users = {i: row for i, row in users.items() if units.n < 3 or 2 * often[int(self.text_ids[row])] <= units.n}
        # Moderators and guests are often named by other classes than members.
        return {**users, **found[best]} if best_score else users

    def _dates(self, units: _Units) -> tuple[dict[int, str], list[int]]:
        """(post -> its date, the text nodes that say no more than when)."""
        found: dict[int, dict[int, tuple[str, int]]] = defaultdict(dict)
        rows = self.lines
        for k in np.flatnonzero(self._when[rows] & (units.owner[rows] >= 0)).tolist():
            row = int(rows[k])
            i, text = int(units.owner[row]), self.said(row)
            if _NOT_WHEN.search(text) or (k and JOINED.search(self.said(int(rows[k - 1])))):
                continue
            if JOINED.search(self.line_text(row)[:30]):
                continue
            key = int(units.keys[self.parents[row]])
            if i not in found[key]:
                found[key][i] = (self._date(row, text), row)
        if not found:
            return {}, []

        def worth(key: int) -> float:
            own = found[key]
            dated = sum(bool(date) for date, _ in own.values())
            inside = sum(bool(self.wanted[row]) and len(self.said(row)) > 40 for _, row in own.values())
            # Posts follow one another in time; those who wrote them did not join in that order.
            days = [date for _, (date, _) in sorted(own.items()) if date]
            steps = list(pairwise(days))
            in_order = max(sum(a <= b for a, b in steps), sum(a >= b for a, b in steps))
            return len(own) + dated - inside + in_order / max(len(steps), 1)

        best = max(found, key=worth)
        if len(found[best]) < 0.5 * units.n:
            return {}, []
        dates = {i: date for i, (date, _) in found[best].items() if date}
        if 0 not in dates and dates:  # the post that opens the thread may be of another template; no answer is older
            opening = min((own[0][::-1] for own in found.values() if 0 in own and own[0][0]), default=(0, ""))[1]
            if "" < opening <= min(dates.values()):
                dates[0] = opening
        return dates, [row for _, row in found[best].values() if len(self.said(row)) <= MAX_NAME]

    def _date(self, row: int, text: str) -> str:
        for attrs in self.near_attrs(row):
            for name in ("datetime", "title", "content"):
                if (value := attrs.get(name, "")) and (date := parse_date(value)):
                    return date
        return parse_date(text)

    def _quotes(self, rows: Ints64) -> tuple[str, ...]:
        """What stands in a quote within a post."""
        if not self.quoting:
            return ()
        out: dict[int, list[str]] = {}
        for row in rows.tolist()[:2000]:
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
