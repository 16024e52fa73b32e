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
OF_FACTS = 0.1
"""The same of a table of facts, whose rows have a label (`<th>`) and a value each: a site repeats its labels on all pages and its values on many."""
MIN_FACTS = 3
"""Rows of such a table.  A head of two labels over one row of values counts alike."""
MAX_CELL = 150
"""Characters of the longest block of a table that is kept whole: in one with more there may be prose, as of the posts of a thread beside who wrote them."""


def kept_whole(blocks: TextBlocks, kept: Bools) -> Bools:
    """The kept blocks with those of every `<pre>` and every plain table of which most is kept.

    A loop over the code and the tables of some pages of which a part is kept: few, and each is a slice.
    """
    whole = np.flatnonzero(_IS_WHOLE[blocks.rows.tag])
    bounds, some = _in_part(whole, blocks, kept)
    size = blocks.text_end - blocks.text_start
    out = kept
    for row, first, last in zip(*(column[some].tolist() for column in (whole, *bounds)), strict=True):
        least = MOST if blocks.rows.tag[row] == _PRE else _least_of_table(row, blocks.rows)
        own = slice(first, last)
        is_short = blocks.rows.tag[row] == _PRE or size[own].max() <= MAX_CELL
        if is_short and size[own][kept[own]].sum() >= least * size[own].sum():
            out = kept.copy() if out is kept else out
            out[own] = True
    return out


def _in_part(whole: Ints64, blocks: TextBlocks, kept: Bools) -> tuple[Ints64, Ints64]:
    """The first block of each of these elements and the first after it; and which of the elements have kept blocks and others."""
    bounds = np.searchsorted(blocks.first, (whole, blocks.rows.end[whole]))
    n_kept = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=n_kept[1:])
    of_whole = n_kept[bounds[1]] - n_kept[bounds[0]]
    return bounds, np.flatnonzero((of_whole > 0) & (of_whole < bounds[1] - bounds[0]))


def is_plain_table(table: int, rows: Rows) -> bool:
    """Whether it has no table inside, two rows or more and two cells a row or more."""
    n_tables, n_rows, n_labels, n_values = _parts(table, rows)
    return not n_tables and n_rows >= 2 and n_labels + n_values >= 2 * n_rows


def _least_of_table(table: int, rows: Rows) -> float:
    """From which share of its text on a plain table is kept whole; less where each row has a label and a value. More than all of it for other tables."""
    if not is_plain_table(table, rows):
        return np.inf
    _, n_rows, n_labels, n_values = _parts(table, rows)
    return OF_FACTS if n_labels == n_values == n_rows >= MIN_FACTS else MOST


def _parts(table: int, rows: Rows) -> tuple[int, ...]:
    """How many tables, rows, labels and values stand in it."""
    inside = rows.tag[table + 1 : rows.end[table]]
    return tuple(int(np.count_nonzero(inside == of)) for of in (_TABLE, _TR, _TH, _TD))
