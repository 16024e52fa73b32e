"""The default extractor's blocks: runs of text that a reader sees as one piece.

A block is a run of text nodes with the same nearest block-level element, cut where two line breaks or a rule
stand between them (pages of 2002 have whole articles in one cell, with `<br><br>` for paragraphs).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.types import Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native.columns import IS_BLOCK, IS_INLINE_BOX, kinds_of
from sitegrain.native.inputs import AttrColumns, BlockColumns, RowColumns
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS

_INLINE_BOXES = ("span", "font", "b", "i", "em", "strong", "label", "unknown")
TAG_BOX = np.zeros(len(TAGS), list(kinds_of("TAG_KINDS").items()))
"""What box a tag makes; the rest of `TAG_KINDS` is not set."""
TAG_BOX["box"] = [IS_BLOCK if tag in BLOCK_TAGS else IS_INLINE_BOX if tag in _INLINE_BOXES else 0 for tag in TAGS]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of some pages of a site, numbered from 0, with their text as one string."""

    site: Site
    first_page: int
    last_page: int
    """Exclusive."""
    start: int
    tag: npt.NDArray[np.int16]
    parent: Ints32
    """-1 for the root of each page."""
    end: Ints32
    depth: Ints32
    page: Ints32
    """Counted from `first_page`."""
    text_start: Ints32
    text_end: Ints32
    text: str

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def n_pages(self) -> int:
        return self.last_page - self.first_page

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of these pages."""
        return self.site.pages.url[self.first_page : self.last_page]

    @cached_property
    def columns(self) -> RowColumns:
        """The rows as the kernels read them."""
        flags = self.site.nodes.flags[self.start : self.start + len(self)]
        return RowColumns(self.tag, self.parent, self.end, self.depth, self.page, self.text_start, self.text_end, flags)

    @cached_property
    def attrs(self) -> AttrColumns:
        """The attributes of these rows; a value is a row of `site.strings`."""
        attrs = self.site.attrs
        if self.site.n_pages == 1:  # the table as it is
            return AttrColumns(attrs.node, attrs.name, attrs.value)
        # Bounds of the column's own type: others would have the whole column copied.
        bounds = np.array([self.start, self.start + len(self)], np.int32)
        part = slice(*np.searchsorted(attrs.node, bounds).tolist())
        return AttrColumns(attrs.node[part] - np.int32(self.start), attrs.name[part], attrs.value[part])

    def of_page(self, page: int) -> tuple[int, int]:
        """Where the rows of a page begin and end."""
        offset = self.site.pages.node_offset
        return int(offset[self.first_page + page]) - self.start, int(offset[self.first_page + page + 1]) - self.start

    def named(self, *codes: int) -> tuple[Ints32, Ints32]:
        """The rows that have one of these attributes, and the string that each has."""
        node, name, value = self.attrs
        mine = np.flatnonzero(
            np.logical_or.reduce([name == code for code in codes]) if len(codes) > 1 else name == codes[0]
        )
        return node[mine], value[mine]


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


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """The blocks of some rows."""

    rows: Rows
    node_block: Ints32
    """Per row: its block, -1 for elements."""
    box: Ints32
    """Per block: the row of its element."""
    page: Ints32
    first: Ints32
    """Per block: its first text row."""
    last: Ints32
    text_start: Ints32
    text_end: Ints32

    def __len__(self) -> int:
        return len(self.box)

    @cached_property
    def columns(self) -> BlockColumns:
        """The blocks as the kernels read them."""
        return BlockColumns(self.box, self.page, self.first, self.last, self.text_start, self.text_end)

    @cached_property
    def before(self) -> Ints64:
        """Per row, and behind the last one: how many blocks begin before it. Steps ask it of all elements, and to search takes ten times as long."""
        found = np.zeros(len(self.rows) + 1, np.int64)
        found[self.first + 1] = 1
        found.cumsum(out=found)
        return found

    def within(self, row: int) -> slice:
        """The blocks of an element."""
        return slice(int(self.before[row]), int(self.before[self.rows.end[row]]))

    @cached_property
    def page_offset(self) -> list[int]:
        """The first block of each page, and how many there are."""
        n_blocks = np.bincount(self.page, minlength=self.rows.n_pages)
        return [0, *np.cumsum(n_blocks).tolist()]

    def of_page(self, page: int) -> slice:
        """The blocks of a page."""
        return slice(self.page_offset[page], self.page_offset[page + 1])

    def text(self, block: int) -> str:
        """The text of a block, white space folded."""
        return " ".join(self.rows.text[self.text_start[block] : self.text_end[block]].split())


def text_blocks(rows: Rows) -> TextBlocks:
    """Cut rows into blocks.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>One <b>two</b><div>three<br><br>four<p>five</div>")])
    >>> blocks = text_blocks(rows_of(site, 0, 1))
    >>> [blocks.text(i) for i in range(len(blocks))]
    ['One two', 'three', 'four', 'five']
    """
    found = native.cut_blocks(rows.columns, TAG_BOX)
    return TextBlocks(rows, found.node_block, *found.blocks)
