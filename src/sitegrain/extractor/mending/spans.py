"""Elements as ranges of the blocks that stand in them: what a step that judges things, and not lines, looks at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import TAG_CODE, TEXT


class Spans(NamedTuple):
    """Elements that hold text, as ranges of blocks; in document order, if those asked for were."""

    row: Ints64
    first: Ints64
    last: Ints64
    """Exclusive."""

    @classmethod
    def none(cls) -> Spans:
        """No element."""
        return cls(*(np.zeros(0, np.int64) for _ in cls._fields))

    def only(self, some: Bools | Ints64) -> Spans:
        """Some of them."""
        return Spans(self.row[some], self.first[some], self.last[some])

    def moved(self, by: int) -> Spans:
        """The same, with other numbers of the blocks."""
        return Spans(self.row, self.first + by, self.last + by)

    def total(self, values: Floats | Bools) -> Floats:
        """Sum of a value of the blocks in each."""
        before = prefix_sum(values)
        found: Floats = np.asarray(before[self.last] - before[self.first], np.float64)
        return found

    def blocks(self, n_blocks: int) -> Bools:
        """Which of so many blocks are in one of them."""
        begun, ended = (np.bincount(at, minlength=n_blocks + 1) for at in (self.first, self.last))
        found: Bools = np.cumsum(begun - ended)[:n_blocks] > 0
        return found

    def home(self, values: Floats, share: float) -> int:
        """The place of the innermost one that holds this share, more than half, of a value of the blocks of a page: such elements stand in
        one another, so it is the last."""
        return int(np.flatnonzero(self.total(values) >= share * values.sum())[-1])

    def families(self, blocks: TextBlocks) -> Ints64:
        """A number that those with the same tag and the same parent share."""
        rows = blocks.rows
        return rows.parent[self.row].astype(np.int64) * len(TAG_CODE) + rows.tag[self.row]


def spans_of(blocks: TextBlocks, row: Ints64) -> Spans:
    """Those of some elements that hold text."""
    if not len(row):
        return Spans(row, row, row)
    first, last = blocks.before[row], blocks.before[blocks.rows.end[row]]
    return Spans(row, first, last).only(first < last)


def spans_around(blocks: TextBlocks, of: slice, block: int) -> Spans:
    """All elements around a block of the page that has the blocks `of`, as ranges of them: a loop up from it."""
    rows = blocks.rows
    above, up = [], int(rows.parent[blocks.first[block]])
    while up >= 0:
        above.append(up)
        up = int(rows.parent[up])
    row = np.array(above[::-1], np.int64)
    first, last = np.searchsorted(blocks.first[of], (row, rows.end[row]))
    return Spans(row, first, last)


def spans_within(blocks: TextBlocks, of: slice, low: int, high: int) -> Spans:
    """All elements that begin between two rows and hold some of these blocks, as ranges of those blocks alone: what sums over them
    does not look at the rest of the site."""
    rows = blocks.rows
    row = low + np.flatnonzero(rows.tag[low:high] != TEXT)
    first, last = (np.clip(blocks.before[at], of.start, of.stop) for at in (row, rows.end[row]))
    some = first < last
    return Spans(row[some], first[some] - of.start, last[some] - of.start)


def spans_of_page(blocks: TextBlocks, of: slice) -> Spans:
    """All elements with text of the page that has these blocks, as ranges of them."""
    page = int(blocks.page[of.start])
    low, high = blocks.rows.of_page(page)
    return spans_within(blocks, of, low, high)
