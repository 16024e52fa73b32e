"""Cutting rows into blocks, and what several kernels ask of blocks that stand in the order of pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import nearest, prefix_sum
from sitegrain.arrays.types import Floats
from sitegrain.native.columns import IS_BLOCK, IS_INLINE_BOX, TAGS
from sitegrain.native.inputs import BlockColumns, RowColumns

Int = npt.NDArray[np.integer[Any]]

_BR, _HR = TAGS.index("br"), TAGS.index("hr")


def cut_blocks(rows: RowColumns, tag_kinds: npt.NDArray[np.void]) -> tuple[npt.NDArray[np.int32], BlockColumns]:
    """`sitegrain.native.cut_blocks`."""
    tag = rows.tag
    breaks = prefix_sum(tag == _BR)
    kind = tag_kinds["box"][tag]
    # A span that holds line breaks is used as a block (forum posts of 2002).
    is_box = (kind == IS_BLOCK) | ((kind == IS_INLINE_BOX) & (breaks[rows.end] > breaks[:-1]))
    text_rows = np.flatnonzero((tag == 0) & (rows.text_end > rows.text_start))
    box = np.maximum(nearest(rows.parent, is_box)[text_rows], 0)
    rules = prefix_sum(tag == _HR)
    new = np.ones(len(text_rows), bool)
    a, b = text_rows[:-1], text_rows[1:]
    new[1:] = (box[1:] != box[:-1]) | (breaks[b] - breaks[a] >= 2) | (rules[b] > rules[a])
    new[1:] |= rows.page[b] != rows.page[a]
    starts = np.flatnonzero(new)
    node_block = np.full(len(tag), -1, np.int32)
    node_block[text_rows] = np.cumsum(new) - 1
    first = text_rows[starts]
    last = text_rows[np.append(starts[1:], len(text_rows))[: len(starts)] - 1]
    found = (box[starts], rows.page[first], first, last, rows.text_start[first], rows.text_end[last])
    return node_block, BlockColumns(*(column.astype(np.int32) for column in found))


def ratio(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> Floats:
    """a / b, and 0 where b is not positive."""
    return np.asarray(np.divide(a, b, out=np.zeros(len(b)), where=b > 0))


def shift(values: npt.NDArray[Any], by: int, page: Int) -> Floats:
    """The row of `values` of the block `by` places later (earlier if negative) on the same page, else NaN."""
    out = np.full(values.shape, np.nan)
    to, since = (slice(None, -by), slice(by, None)) if by > 0 else (slice(-by, None), slice(None, by))
    same = page[since] == page[to]
    out[to][same] = values[since][same]
    return out


def window_ratio(part: Floats, whole: Floats, page: Int, width: int) -> Floats:
    """Sum of `part` over sum of `whole`, of the blocks up to `width` places away on the same page."""
    lo, hi = window(page, width)
    a, b = prefix_sum(part), prefix_sum(whole)
    return ratio(a[hi] - a[lo], b[hi] - b[lo])


def window(page: Int, width: int) -> tuple[Int, Int]:
    """The first block and the end of those up to `width` places away on the same page."""
    index = np.arange(len(page))
    first, last = np.searchsorted(page, page), np.searchsorted(page, page, "right")
    return np.maximum(index - width, first), np.minimum(index + width + 1, last)


def order_by_score(score: Floats, page: Int) -> Int:
    """Blocks by page, and within a page from the highest score down, ties in document order."""
    return np.lexsort((-score, page))
