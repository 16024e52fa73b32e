"""Code and tables are kept whole: their lines and cells are blocks of their own, and a program or a table with holes is worth nothing."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.extractor.blocks import Rows, TextBlocks
from sitegrain.tables.tags import TAG_CODE

_PRE, _TABLE, _TR, _TD, _TH = (TAG_CODE[t] for t in ("pre", "table", "tr", "td", "th"))
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
    pre, table = np.flatnonzero(rows.tag == _PRE), np.flatnonzero(rows.tag == _TABLE)
    if not len(pre) + len(table) or kept.all():
        return kept
    whole = np.concatenate([pre, _plain(table, rows)])
    bounds = np.searchsorted(blocks.first, np.stack([whole, rows.end[whole]]))
    n_kept = np.concatenate([[0], np.cumsum(kept)])
    of_whole = n_kept[bounds[1]] - n_kept[bounds[0]]
    some = np.flatnonzero((of_whole > 0) & (of_whole < bounds[1] - bounds[0]))
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
