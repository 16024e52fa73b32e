"""Menus: elements that are mostly links and stand, word for word, on twenty pages or more.

A site's template is on most of its pages, and the trees know it by that share. The menu of a section, on a hundred of four thousand pages,
has no such share; each of its links looks like a text that is on few pages. As a whole it gives itself away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints64
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import TEXT

PAGES = 20
"""Pages that must have it. The one list on the articles of 66 labelled sites that is content and comes again word for word, that of a series, is
on 12 of them."""
LINKED, MENU_LINKED = 0.8, 0.5
"""Share of the characters of a link's block, and of a menu, that stand in links; the rest of a menu are its headings, remarks and the page itself."""
LINKS = 8
"""Blocks of links that make a menu: fewer are a line of the text."""


class LinkBoxes(NamedTuple):
    """Elements that may be menus, as ranges of blocks, each range once."""

    first: Ints64
    last: Ints64
    """Exclusive."""

    @classmethod
    def none(cls) -> LinkBoxes:
        """Of a page without links."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def keys(self, text: Hashes) -> Hashes:
        """What each holds, given a hash of the text of every block."""
        total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mix(text), dtype=np.uint64)])  # sums wrap around
        found: Hashes = mix(total[self.last] - total[self.first])
        return found


def link_boxes(blocks: TextBlocks, links: Floats, counted: Bools | None = None) -> LinkBoxes:
    """The elements that are mostly links; `links` is the share of each block that is, and only `counted` blocks make a menu."""
    is_link = links >= LINKED
    n_links = prefix_sum((is_link if counted is None else is_link & counted).astype(np.int64))
    if n_links[-1] < LINKS:
        return LinkBoxes.none()
    rows = blocks.rows
    box = np.flatnonzero(rows.tag != TEXT)
    before = prefix_sum(np.bincount(blocks.first, minlength=len(rows.tag)))  # blocks that begin before a row
    first, last = before[box], before[rows.end[box]]
    many = n_links[last] - n_links[first] >= LINKS
    # Elements around one another with nothing beside them are one.
    first, last = np.divmod(distinct(first[many] * (len(links) + 1) + last[many]), len(links) + 1)
    size = (blocks.text_end - blocks.text_start).astype(np.float64)
    linked, total = prefix_sum(size * links), prefix_sum(size)
    mostly = linked[last] - linked[first] >= MENU_LINKED * (total[last] - total[first])
    return LinkBoxes(first[mostly], last[mostly])


def inside(boxes: LinkBoxes, n_blocks: int) -> Bools:
    """Which of so many blocks are in one of these elements."""
    begun, ended = (np.bincount(at, minlength=n_blocks + 1) for at in boxes)
    found: Bools = np.cumsum(begun - ended)[:n_blocks] > 0
    return found
