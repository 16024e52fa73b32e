"""The links of blocks, with their addresses as the page writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.types import Bools, Ints32, Ints64
from sitegrain.extractor.blocks import Rows, TextBlocks
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

_A, _HREF = TAG_CODE["a"], ATTRIBUTES.index("href")


class Link(NamedTuple):
    """An `<a>` with an address."""

    row: int
    href: str


def shown_in(blocks: TextBlocks, link: Ints32) -> tuple[Ints32, Ints64]:
    """Those of some elements that show text, and the block that each begins in: a link around a picture has none."""
    at, shown = _first_texts(blocks, link)
    return link[shown], blocks.node_block[at[shown]].astype(np.int64)


def _first_texts(blocks: TextBlocks, link: Ints32) -> tuple[Ints64, Bools]:
    """Per element: the first row of text from it on, and whether that stands in it."""
    text = np.flatnonzero(blocks.node_block >= 0)
    at = np.append(text, len(blocks.rows))[np.searchsorted(text, link)]
    return at, at < blocks.rows.end[link]


def beside_links(blocks: TextBlocks, block: int, links: Iterable[int]) -> list[str]:
    """The pieces of the text of a block around and between links, given by their rows in order."""
    rows, at, rest = blocks.rows, int(blocks.text_start[block]), []
    for link in links:
        rest.append(rows.text[at : max(at, int(rows.text_start[link]))])
        at = max(at, int(rows.text_end[link]))
    rest.append(rows.text[at : int(blocks.text_end[block])])
    return rest


def links_of(rows: Rows) -> tuple[Ints32, Ints32]:
    """The links of some pages, and the string that is the address of each."""
    link, value = rows.named(_HREF)
    is_anchor = rows.tag[link] == _A
    return link[is_anchor], value[is_anchor]


def links_of_blocks(blocks: TextBlocks, some: Bools) -> dict[int, list[Link]]:
    """The links that begin in some blocks, by block."""
    rows = blocks.rows
    link, value = links_of(rows)
    at, mine = _first_texts(blocks, link)
    mine[mine] = some[blocks.node_block[at[mine]]]
    out: dict[int, list[Link]] = {}
    block = blocks.node_block[at[mine]]
    for i, row, string in zip(block.tolist(), link[mine].tolist(), value[mine].tolist(), strict=True):
        out.setdefault(i, []).append(Link(row, rows.site.strings[string].strip()))
    return out
