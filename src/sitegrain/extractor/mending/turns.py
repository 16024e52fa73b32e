"""Links that turn pages: to the page before, the page after, the chapter above. By what HTML says of them (`rel`), so in any language."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import ATTRIBUTES

_REL = ATTRIBUTES.index("rel")
TURNS = frozenset({"prev", "previous", "next", "up", "start", "first", "last", "contents", "index"})
"""The values of `rel` for the pages around a page, those of HTML 4 among them."""


def without_turns(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks without those whose words all stand in links that turn pages ("[ < Tea ]").

    A loop over those links, because what is beside them is text.
    """
    rows = blocks.rows
    link, value = rows.named(_REL)
    if not len(link):
        return kept
    strings = rows.site.strings
    turns = [v for v in set(value.tolist()) if not TURNS.isdisjoint(strings[v].lower().split())]
    if not turns:
        return kept
    link = link[np.isin(value, turns)]
    text = np.flatnonzero(blocks.node_block >= 0)
    at = np.append(text, len(rows))[np.searchsorted(text, link)]
    shown = at < rows.end[link]  # a link around a picture has no text
    link, block = link[shown], blocks.node_block[at[shown]]
    of_block: dict[int, list[int]] = {}
    for i, row in zip(block.tolist(), link.tolist(), strict=True):
        of_block.setdefault(i, []).append(row)
    found = [i for i, links in of_block.items() if kept[i] and _is_only(blocks, i, links)]
    if not found:
        return kept
    out = kept.copy()
    out[found] = False
    return out


def _is_only(blocks: TextBlocks, block: int, links: list[int]) -> bool:
    """Whether nothing but signs is beside these links in their block."""
    rows, at, rest = blocks.rows, int(blocks.text_start[block]), []
    for link in links:
        rest.append(rows.text[at : max(at, int(rows.text_start[link]))])
        at = max(at, int(rows.text_end[link]))
    rest.append(rows.text[at : int(blocks.text_end[block])])
    return not any(c.isalnum() for text in rest for c in text)
