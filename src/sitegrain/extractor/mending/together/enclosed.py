"""Lists, tables, quotes and programs within a text: they are part of what is said around them, short as their lines are.

Each cell and each item is a block of its own, so a page alone keeps some of them and leaves out others; a table with holes is worth
nothing. Out of fold, on pages alone, 0.9 of the words that come are gold.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.extractor.mending.together.wholes import is_plain_table
from sitegrain.tables.tags import HEADINGS, TAG_CODE, tag_mask

_IS_LIST = tag_mask(("ul", "ol", "dl"))
_IS_ENCLOSED = tag_mask(("ul", "ol", "dl", "table", "pre", "details", "blockquote"))
_IS_LINE = tag_mask(("p", *HEADINGS))
_P, _TABLE, _PRE, _BLOCKQUOTE = (TAG_CODE[t] for t in ("p", "table", "pre", "blockquote"))
MIN_WORDS = 10.0
"""Words of a paragraph beside it. Set beforehand."""
MOST_LINKED = 0.2
"""Share of its words that may be linked: a list of links is of other pages."""
MOST = 0.5
"""Words of it, as a share of the kept ones of its page: more is what the page is about, and decided as such."""


def with_enclosed(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks with all of those elements that begin right below a kept block and are in the text:

    - between two lines with the same parent, a paragraph and another one or a heading (a quote only if some of it is kept);
    - lists of which some is kept, right above a kept block;
    - plain tables of which some is kept, or that are right above a kept block;
    - programs right below a paragraph that has the same parent.

    A loop over those of which something is left out.
    """
    blocks, words = evidence.blocks, evidence.words
    found = spans_of(blocks, np.flatnonzero(_IS_ENCLOSED[blocks.rows.tag]))
    if not len(found.row):
        return kept
    before, page = found.first - 1, blocks.page
    found = found.only((found.first > 0) & kept[before] & (page[before] == page[found.first]))
    found = found.only(found.total(kept) < found.last - found.first)
    if not len(found.row):
        return kept
    linked = found.total(words * evidence.column("link_density")) <= MOST_LINKED * found.total(words)
    of_page = np.bincount(page, np.where(kept, words, 0.0))[page[found.first]]
    found = found.only(linked & (found.total(words) <= MOST * of_page))
    out = kept
    for row, first, last in zip(*(column.tolist() for column in found), strict=True):
        if not out[first:last].all() and _is_in_text(evidence, row, first, last, out):
            out = kept.copy() if out is kept else out
            out[first:last] = True
    return out


def _is_in_text(evidence: Evidence, row: int, first: int, last: int, kept: Bools) -> bool:
    """Whether an element with these blocks, of which the one before is kept, is part of the text."""
    blocks = evidence.blocks
    tag = blocks.rows.tag[row]
    is_above = last < len(kept) and bool(kept[last]) and blocks.page[last] == blocks.page[first]
    is_begun = bool(kept[first:last].any())
    if is_above and (is_begun or tag != _BLOCKQUOTE) and _is_between_lines(evidence, row, first, last):
        return True
    if _IS_LIST[tag]:
        return is_above and is_begun
    if tag == _TABLE:
        return (is_above or is_begun) and is_plain_table(row, blocks.rows)
    if tag != _PRE or not (_is_paragraph(evidence, first - 1) and _is_beside(blocks, row, first - 1)):
        return False
    return any(c.isalpha() for k in range(first, last) for c in blocks.text(k))  # or else numbers of lines


def _is_between_lines(evidence: Evidence, row: int, first: int, last: int) -> bool:
    blocks = evidence.blocks
    rows, before, after = blocks.rows, blocks.box[first - 1], blocks.box[last]
    is_line = _IS_LINE[rows.tag[before]] and _IS_LINE[rows.tag[after]] and rows.parent[before] == rows.parent[after]
    is_paragraph = _is_paragraph(evidence, first - 1) or _is_paragraph(evidence, last)
    return bool(is_line) and is_paragraph and _is_beside(blocks, row, first - 1)


def _is_paragraph(evidence: Evidence, block: int) -> bool:
    return bool(evidence.blocks.rows.tag[evidence.blocks.box[block]] == _P) and bool(evidence.words[block] >= MIN_WORDS)


def _is_beside(blocks: TextBlocks, row: int, block: int) -> bool:
    """Whether the element, or a box around it alone, has the parent of a block before it."""
    rows = blocks.rows
    home = int(rows.parent[blocks.box[block]])
    while row > home and rows.parent[row] != home:
        row = int(rows.parent[row])
    return row > home
