"""What makes two rows of different posts the same part of a post."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.article.threads.threadpage import CLASS, ThreadPage
from sitegrain.light import dataclass
from sitegrain.tables.tags import TAG_CODE, TEXT

_P = TAG_CODE["p"]
OF_POSTS = 0.6
"""Share of the posts that have what is of their template: a name of an element (those that tell posts apart, "odd", "post-17", "moderator", are on
fewer), a part. That of marks."""
MAX_NAMES = 4
"""Names of an element that are looked at."""
LEAST_SCORE = 0.15
"""Score of what comes in because it stands where posts say what they say; below are "Edited by Ann" and buttons."""
LEAST_AROUND = 0.3
"""Mean score of what an element has beside the place where posts say most, from which all of it says what they say; signatures have less."""
LEAST_F1, OF_TEXT = 0.7, 0.8
"""Expected F1 of the text at that place among all that posts show, from which it is believed, and share of what they are expected to say that
it must have where something goes. Set beforehand."""
NEARLY_ALL = 0.95
"""Share of what posts are expected to say from which that place is believed however low its scores are: of pages whose names tell nothing all are
lower, beside it too."""


@dataclass
class Units:
    """One way to cut the page into posts."""

    owner: Ints32
    """Per row: which post it belongs to; -1 for none."""
    n: int
    keys: Hashes
    """What makes two rows of different posts the same part."""


def part_keys(page: ThreadPage, owner: Ints32, n: int) -> Hashes:
    """Per row: a key of the way down to it from where its post begins, by tags and by the names that most of the posts have, whatever they say;
    `owner` tells which of the n posts a row belongs to, -1 for none."""
    attrs = page.site.attrs
    at = np.flatnonzero(attrs.name[page.attrs] == CLASS) + page.attrs.start
    names = (attrs.node[at] - np.int32(page.rows.start), attrs.value[at])
    return native.part_keys(page.tag, page.parent, owner, n, names, page.site.strings, (OF_POSTS, MAX_NAMES))


def with_bodies(page: ThreadPage, units: Units, score: Floats, held: Bools, heads: Bools) -> Bools:
    """The rows that posts say, given those that are held block by block and those that say who and when (`heads`): with all that stands in the
    part of posts that says what they say, quotes too, and without what most posts have beside it.

    That part is where most text is expected at the same place of most posts, and what is around it as long as nothing else there is in most
    posts. What is in most posts beside it is the template's: ranks, buttons. What is in few is the post's own: a list, a link, a quote.
    """
    is_text = np.asarray(page.tag == TEXT)
    said = is_text & (page.size > 0) & (units.owner >= 0)
    parts = _Parts.of(page, units, said)
    if not len(parts.rows):
        return held
    quoted = parts.quoted(page, np.where(said & ~heads, page.size * score, 0.0))
    said &= ~quoted
    size = np.where(said, page.size, 0).astype(np.float64)
    expected = np.where(heads, 0.0, size * score)
    is_common = parts.are_common(units, page, said)
    lengths, masses = parts.sums(page, size), parts.sums(page, expected)
    best = parts.main(page, expected, is_common, lengths, masses)
    length, mass, whole = float(lengths[best]), float(masses[best]), float(expected.sum())
    if whole <= 0 or (2 * mass < LEAST_F1 * (length + whole) and mass < NEARLY_ALL * whole):
        return held
    body = page.within(parts.once(page, units, best))
    out: Bools = held | (body & is_text & (quoted | (~heads & (score >= LEAST_SCORE))))
    if mass >= OF_TEXT * whole:
        out &= ~(said & ~body & np.append(is_common, False)[parts.of_row[page.parent]])
    return out


class _Parts(NamedTuple):
    """The elements of posts that show text, by the part of a post that they are."""

    rows: Ints64
    part: Ints64
    """Of each of them."""
    n: int
    up: Ints64
    """The part around each part, -1 where a post begins."""
    of_row: Ints64
    """The part of each row of the page, -1 for others and after the last."""

    @classmethod
    def of(cls, page: ThreadPage, units: Units, said: Bools) -> _Parts:
        some = prefix_sum(said)
        rows = np.flatnonzero((units.owner >= 0) & (page.tag != TEXT))
        rows = rows[some[page.end[rows]] > some[rows]]
        _, first, part = np.unique(units.keys[rows], return_index=True, return_inverse=True)
        of_row = np.full(page.n + 1, -1, np.int64)
        of_row[rows] = part
        above = page.parent[rows[first]]
        up = np.where(units.owner[above] == units.owner[rows[first]], of_row[above], -1)
        return cls(rows, part.astype(np.int64), len(first), up, of_row)

    def sums(self, page: ThreadPage, values: Floats) -> Floats:
        """Per part: the sum over all that stands in it."""
        total = prefix_sum(values)
        return np.bincount(self.part, total[page.end[self.rows]] - total[self.rows], self.n).astype(np.float64)

    def quoted(self, page: ThreadPage, expected: Floats) -> Bools:
        """Per row: whether it stands in a quote within a post. Some boards set whole posts as quotes: what most is expected of is none."""
        quotes = np.fromiter(page.quoting, np.int64, len(page.quoting))
        quotes = quotes[self.of_row[quotes] >= 0]
        if not len(quotes):
            return np.zeros(page.n, bool)
        is_post = 2 * self.sums(page, expected) >= expected.sum()
        return page.within(quotes[~is_post[self.of_row[quotes]]])

    def are_common(self, units: Units, page: ThreadPage, said: Bools) -> Bools:
        """Per part: whether most posts have it, with text."""
        some = prefix_sum(said)
        at = np.flatnonzero(some[page.end[self.rows]] > some[self.rows])
        posts = distinct(self.part[at] * units.n + units.owner[self.rows[at]]) // units.n
        return np.asarray(np.bincount(posts, minlength=self.n) >= OF_POSTS * units.n)

    def main(self, page: ThreadPage, expected: Floats, is_common: Bools, length: Floats, mass: Floats) -> int:
        """The part that says what posts say, given how long each is and how much of it is expected to be text."""
        at = self.of_row[page.parent]
        texts = np.flatnonzero((expected > 0) & (at >= 0))
        best = int((np.bincount(at[texts], expected[texts], self.n) * is_common).argmax())
        n_common = np.bincount(self.up[is_common & (self.up >= 0)], minlength=self.n)
        while (top := int(self.up[best])) >= 0 and n_common[top] == 1:
            more = length[top] - length[best]
            # Where nothing is added, sums of scores differ by their last bit.
            if more and mass[top] - mass[best] < LEAST_AROUND * more:
                break
            best = top
        return best

    def once(self, page: ThreadPage, units: Units, part: int) -> Ints64:
        """The elements that are this part; of each post the first where most have one: a signature may be drawn like the text above it."""
        mine = self.rows[self.part == part]
        posts, first, times = np.unique(units.owner[mine], return_index=True, return_counts=True)
        is_one = page.tag[mine[0]] != _P and np.count_nonzero(times == 1) >= OF_POSTS * len(posts)
        return np.asarray(mine[first] if is_one else mine, np.int64)
