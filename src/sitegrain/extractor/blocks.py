"""The default extractor's blocks: runs of text that a reader sees as one piece.

A block is a run of text nodes with the same nearest block-level element, cut where two line breaks or a rule
stand between them (pages of 2002 have whole articles in one cell, with `<br><br>` for paragraphs).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools as Bool
from sitegrain.arrays.types import Ints32 as Int
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TAGS, TEXT

IS_BLOCK_TAG = np.array([tag in BLOCK_TAGS for tag in TAGS])
IS_INLINE_BOX = np.array([tag in ("span", "font", "b", "i", "em", "strong", "label", "unknown") for tag in TAGS])
_BR, _HR = TAG_CODE["br"], TAG_CODE["hr"]


@dataclass(frozen=True)
class Rows:
    """The rows of some pages of a site, numbered from 0, with their text as one string."""

    site: Site
    first_page: int
    last_page: int
    """Exclusive."""
    start: int
    tag: npt.NDArray[np.int16]
    parent: Int
    """-1 for the root of each page."""
    end: Int
    depth: Int
    page: Int
    """Counted from `first_page`."""
    text_start: Int
    text_end: Int
    text: str

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def attr_part(self) -> slice:
        """Where the attributes of these rows are in `site.attrs`."""
        # Bounds of the column's own type: others would have the whole column copied.
        bounds = np.array([self.start, self.start + len(self)], np.int32)
        return slice(*np.searchsorted(self.site.attrs.node, bounds).tolist())

    def named(self, *codes: int) -> tuple[Int, Int]:
        """The rows that have one of these attributes, and the string that each has."""
        attrs, part = self.site.attrs, self.attr_part
        name = attrs.name[part]
        mine = np.flatnonzero(np.logical_or.reduce([name == code for code in codes]))
        return attrs.node[part][mine] - np.int32(self.start), attrs.value[part][mine]


def rows_of(site: Site, first_page: int, last_page: int) -> Rows:
    """The rows of pages `first_page` ... `last_page - 1`."""
    start = int(site.pages.node_offset[first_page])
    part = slice(start, int(site.pages.node_offset[last_page]))
    texts = site.texts[first_page:last_page]
    if site.n_pages == 1 and len(texts) == 1:  # the table as it is
        n = site.nodes
        return Rows(site, 0, 1, 0, n.tag, n.parent, n.end, n.depth, n.page, n.text_start, n.text_end, texts[0])
    shift = np.concatenate([[0], np.cumsum([len(t) for t in texts])])[:-1].astype(np.int32)
    page = site.nodes.page[part] - first_page
    parent = site.nodes.parent[part] - start
    return Rows(
        site=site,
        first_page=first_page,
        last_page=last_page,
        start=start,
        tag=site.nodes.tag[part],
        parent=np.maximum(parent, -1),
        end=site.nodes.end[part] - start,
        depth=site.nodes.depth[part],
        page=page,
        text_start=site.nodes.text_start[part] + shift[page],
        text_end=site.nodes.text_end[part] + shift[page],
        text="".join(texts),
    )


def nearest(parent: Int, wanted: Bool) -> Int:
    """Per row: the nearest row at or above it that is wanted, or -1. Pointer jumping: log2(depth) steps."""
    n = len(parent)
    # Row n stands for "none" so that every pointer has a place to go.
    up = np.append(np.where(wanted, np.arange(n), np.where(parent < 0, n, parent)), n).astype(np.int32)
    while True:
        further = up[up]
        if (further == up).all():
            break
        up = further
    out = up[:n]
    return np.where(out == n, -1, out).astype(np.int32)


@dataclass(frozen=True)
class TextBlocks:
    """The blocks of some rows."""

    rows: Rows
    node_block: Int
    """Per row: its block, -1 for elements."""
    box: Int
    """Per block: the row of its element."""
    page: Int
    first: Int
    """Per block: its first text row."""
    last: Int
    text_start: Int
    text_end: Int

    def __len__(self) -> int:
        return len(self.box)

    def text(self, block: int) -> str:
        """The text of a block, white space folded."""
        return " ".join(self.rows.text[self.text_start[block] : self.text_end[block]].split())


def text_blocks(rows: Rows) -> TextBlocks:
    """Cut rows into blocks.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>One <b>two</b><div>three<br><br>four<p>five</div>")])
    >>> blocks = text_blocks(rows_of(site, 0, 1))
    >>> [blocks.text(i) for i in range(len(blocks))]
    ['One two', 'three', 'four', 'five']
    """
    tag, parent = rows.tag, rows.parent
    breaks = np.concatenate([[0], np.cumsum(tag == _BR, dtype=np.int32)])
    # A span that holds line breaks is used as a block (forum posts of 2002).
    is_box = IS_BLOCK_TAG[tag] | (IS_INLINE_BOX[tag] & (breaks[rows.end] > breaks[:-1][: len(tag)]))
    box_of = nearest(parent, is_box)
    text_rows = np.flatnonzero(tag == TEXT).astype(np.int32)
    box = box_of[text_rows]
    box = np.where(box < 0, 0, box)
    rules = np.concatenate([[0], np.cumsum(tag == _HR, dtype=np.int32)])
    new = np.ones(len(text_rows), bool)
    if len(text_rows):
        a, b = text_rows[:-1], text_rows[1:]
        new[1:] = (box[1:] != box[:-1]) | (breaks[b] - breaks[a] >= 2) | (rules[b] > rules[a])
        new[1:] |= rows.page[b] != rows.page[a]
    firsts = np.flatnonzero(new)
    node_block = np.full(len(rows), -1, np.int32)
    node_block[text_rows] = np.cumsum(new) - 1
    lasts = np.append(firsts[1:], len(text_rows)) - 1 if len(firsts) else firsts
    first, last = text_rows[firsts], text_rows[lasts]
    return TextBlocks(
        rows=rows,
        node_block=node_block,
        box=box[firsts].astype(np.int32),
        page=rows.page[first],
        first=first,
        last=last,
        text_start=rows.text_start[first],
        text_end=rows.text_end[last],
    )
