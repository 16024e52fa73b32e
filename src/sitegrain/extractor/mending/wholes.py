"""Code and tables are kept whole: their lines and cells are blocks of their own, and a program or a table with holes is worth nothing."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.extractor.blocks import Rows, TextBlocks
from sitegrain.tables.tags import TAG_CODE, tag_mask

_PRE, _TABLE, _TR, _TD, _TH = (TAG_CODE[t] for t in ("pre", "table", "tr", "td", "th"))
_IS_WHOLE = tag_mask(("pre", "table"))
MOST = 0.5
"""Share of the text of a `<pre>` or a table from which all of it is kept; set beforehand. What a site repeats (a line of `import`, the head of a
column) is left out otherwise."""
MAX_CELL = 150
"""Characters of the longest block of a table that is kept whole: in one with more there may be prose, as of the posts of a thread beside who wrote them."""


def kept_whole(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks with those of every `<pre>` and every plain table of which most is kept.

    A loop over the code and the tables of some pages of which a part is kept: few, and each is a slice.
    """
    rows = blocks.rows
    any_whole = np.flatnonzero(_IS_WHOLE[rows.tag])
    # Of most nothing is kept or all: that is told before it is looked at which tables are plain.
    if not len(any_whole) or not len(_in_part(any_whole, blocks, kept)[1]):
        return kept
    tag = rows.tag[any_whole]
    pre, table = any_whole[tag == _PRE], any_whole[tag == _TABLE]
    bounds, some = _in_part(np.concatenate([pre, _plain(table, rows)]), blocks, kept)
    if not len(some):
        return kept
    size = blocks.text_end - blocks.text_start
    out = kept.copy()
    for k in some.tolist():
        own = slice(*bounds[:, k].tolist())
        is_short = k < len(pre) or size[own].max() <= MAX_CELL
        if is_short and size[own][kept[own]].sum() >= MOST * size[own].sum():
            out[own] = True
    return out


def _in_part(whole: Ints64, blocks: TextBlocks, kept: Bools) -> tuple[Ints64, Ints64]:
    """The first block of each of these elements and the first after it; and which of the elements have kept blocks and others."""
    bounds = np.searchsorted(blocks.first, (whole, blocks.rows.end[whole]))
    n_kept = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=n_kept[1:])
    of_whole = n_kept[bounds[1]] - n_kept[bounds[0]]
    return bounds, np.flatnonzero((of_whole > 0) & (of_whole < bounds[1] - bounds[0]))


def _plain(table: Ints64, rows: Rows) -> Ints64:
    """Tables without another inside, of two rows or more and two cells a row or more."""
    if not len(table):
        return table
    tag, end = rows.tag, rows.end
    table = table[np.append(table[1:], len(tag)) >= end[table]]
    before = (np.concatenate([[0], np.cumsum(is_such)]) for is_such in (tag == _TR, (tag == _TD) | (tag == _TH)))
    n_rows, n_cells = (n[end[table]] - n[table] for n in before)
    is_plain: Bools = (n_rows >= 2) & (n_cells >= 2 * n_rows)
    return table[is_plain]
