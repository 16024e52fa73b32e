"""What makes two rows of different posts the same part of a post."""

from __future__ import annotations

from itertools import islice

import numpy as np

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Hashes, Ints32
from sitegrain.article.threadpage import CLASS, ThreadPage
from sitegrain.tables.elements import name_hash

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
