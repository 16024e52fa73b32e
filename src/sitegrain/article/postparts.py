"""What makes two rows of different posts the same part of a post."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.article.threadpage import CLASS, ThreadPage
from sitegrain.tables.elements import name_hash
from sitegrain.tables.tags import TEXT

@dataclass
class Units:
    """One way to cut the page into posts."""

    owner: Ints32
    """Per row: which post it belongs to; -1 for none."""
    n: int
    keys: Hashes
    """What makes two rows of different posts the same part."""


OF_POSTS = 0.6
"""Share of the posts that have a name which tells parts: those that tell posts apart ("odd", "post-17", "moderator") are on fewer. That of marks."""
MAX_NAMES = 4
"""Names of an element that are looked at."""


def part_keys(page: ThreadPage, owner: Ints32, n: int) -> Hashes:
    """Per row: a key of the way down to it from where its post begins, by tags and by the names that most of the posts have, whatever they say;
    `owner` tells which of the n posts a row belongs to, -1 for none."""
    own = page.tag.astype(np.uint64)
    attrs, strings = page.site.attrs, page.site.strings
    at = np.flatnonzero(attrs.name[page.attrs] == CLASS) + page.attrs.start
    rows = attrs.node[at] - page.rows.start
    mine = owner[rows] >= 0
    rows, values = rows[mine], attrs.value[at[mine]].tolist()
    names = {value: tuple(map(name_hash, islice(strings[value].split(), MAX_NAMES))) for value in set(values)}
    seen: dict[int, set[int]] = {}
    for post, value in zip(owner[rows].tolist(), values, strict=True):
        for name in names[value]:
            seen.setdefault(name, set()).add(post)
    first = {
        value: next((name << 8 for name in said if len(seen[name]) >= OF_POSTS * n), 0) for value, said in names.items()
    }
    np.add.at(own, rows, np.array([first[value] for value in values], np.uint64))
    # Where a post begins names do not count: it is the first, second ... element of its post.
    above = np.where(page.parent >= 0, owner[page.parent], -1)
    top = np.flatnonzero((owner >= 0) & (owner != above))
    posts = owner[top]
    order = np.argsort(posts, kind="stable")
    begins = np.searchsorted(posts[order], distinct(posts))
    place = np.arange(len(top))
    place[order] = np.arange(len(top)) - np.repeat(begins, np.diff(np.append(begins, len(top))))
    own[top] = page.tag[top].astype(np.uint64) + (place.astype(np.uint64) << np.uint64(8))
    parent = page.parent.copy()
    parent[top] = -1
    return native.path_keys(parent, own)


class Body(NamedTuple):
    """The part of posts that holds what they say."""

    rows: Bools
    """Per row: whether it stands in that part of a post."""
    expected: float
    """The F1 that its text is expected to have among all text of the posts."""


def body_of(page: ThreadPage, units: Units, size: Ints64, score: Floats) -> Body:
    """The part that says what posts say: where most text is expected at the same place of most posts, and what is around that place as long
    as nothing else there is in most posts.

    What is in most posts beside it is the template's: who, when, ranks, buttons. What is in few is the post's own: a list, a picture, a quote."""
    owner, keys, n = units.owner, units.keys, units.n
    is_text = page.tag == TEXT
    rows = np.flatnonzero((owner >= 0) & ~is_text)
    nothing = Body(np.zeros(page.n, bool), 0.0)
    said = is_text & ~page.is_quoted & (page.size > 0) & (owner >= 0)
    shown = prefix_sum(np.where(said, page.size, 0).astype(np.int64))
    rows = rows[shown[page.end[rows]] > shown[rows]]
    if not len(rows):
        return nothing
    _, first, part = np.unique(keys[rows], return_index=True, return_inverse=True)
    n_posts = np.bincount(distinct(part.astype(np.int64) * n + owner[rows]) // n, minlength=len(first))
    is_common = n_posts >= OF_POSTS * n
    of_row = np.full(page.n + 1, -1, np.int64)
    of_row[rows] = part
    up = np.where(owner[page.parent[rows[first]]] == owner[rows[first]], of_row[page.parent[rows[first]]], -1)
    n_children = np.bincount(up[is_common & (up >= 0)], minlength=len(first))
    texts = np.flatnonzero(said)
    at = of_row[page.parent[texts]]
    texts, at = texts[at >= 0], at[at >= 0]
    direct = np.bincount(at, size[texts] * score[texts], minlength=len(first)) * is_common
    best = int(direct.argmax())
    if direct[best] <= 0:
        return nothing
    while up[best] >= 0 and n_children[up[best]] == 1:
        best = int(up[best])
    inside = np.zeros(page.n + 1, np.int32)
    mine = rows[part == best]
    np.add.at(inside, mine, 1)
    np.add.at(inside, page.end[mine], -1)
    found = np.cumsum(inside[:-1]) > 0
    of_posts = owner >= 0
    whole, held = float((size * score)[of_posts].sum()), float((size * score)[found].sum())
    return Body(found, 2 * held / max(float(size[found].sum()) + whole, 1e-9))
