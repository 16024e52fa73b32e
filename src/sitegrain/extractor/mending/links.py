"""The links of blocks, with their addresses as the page writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.ordered import is_among
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


def links_of_blocks(
    blocks: TextBlocks, some: Bools, only: Callable[[str], bool] | None = None
) -> dict[int, list[Link]]:
    """The links that begin in some blocks, by block; with `only`, of blocks all whose links have addresses of which that is true.

    Each different address is asked for once: most links come again on other pages.
    """
    rows = blocks.rows
    strings = rows.site.strings
    link, value = links_of(rows)
    at, mine = _first_texts(blocks, link)
    mine[mine] = some[blocks.node_block[at[mine]]]
    link, value, block = link[mine], value[mine], blocks.node_block[at[mine]]
    if only is not None:
        refused = np.array([number for number in set(value.tolist()) if not only(strings[number].strip())], np.int64)
        fit = ~is_among(block, block[is_among(value, refused)])
        link, value, block = link[fit], value[fit], block[fit]
    out: dict[int, list[Link]] = {}
    for i, row, string in zip(block.tolist(), link.tolist(), value.tolist(), strict=True):
        out.setdefault(i, []).append(Link(row, strings[string].strip()))
    return out
