"""Values with their labels: rows of a table of facts that is no table by its tags, "Height: 15 cm", "Seasons: 3"."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import Spans, spans_of
from sitegrain.extractor.mending.together.lists import COLONS
from sitegrain.tables.tags import TEXT, tag_mask

_IS_FIELD = tag_mask(("input", "select", "textarea", "button"))
"""What a row of a form has: there the reader writes the value."""
LABEL_WORDS, ROW_WORDS, ROW_BLOCKS = 6.0, 15.0, 4
"""Words of a label, words of a row of label and value, and blocks of one: an icon may have the label once more."""
MIN_ROWS, MIN_NUMBERS = 3, 2
"""Rows alike side by side, and rows all of whose values have digits. Two of any values may be "Author:" and "Subject:" above a text."""
LEAST_SCORE = 0.15
"""Mean score of the labels of a page from which its rows are kept. A value comes again on many pages ("15 cm"; numbers are masked), so it scores next
to nothing where the site is known, and short lines do anywhere. Out of fold 0.1 to 0.2 keep the same rows of sites; 0.1 and 0.15 gain 0.0006 on WCXB."""


def with_values(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks with the rows of label and value of pages on which such rows may be content; all of a page are judged together.

    A loop over short elements of few blocks, because a colon is text.
    """
    blocks = evidence.blocks
    found = _rows(evidence)
    if not len(found.row):
        return kept
    label = distinct(found.first)
    page = blocks.page[label]
    n_pages = evidence.geometry.n_pages
    n, total = np.bincount(page, minlength=n_pages), np.bincount(page, score[label], n_pages)
    keeps = np.bincount(blocks.page, kept, n_pages) > 0
    found = found.only((keeps & (total >= LEAST_SCORE * n))[blocks.page[found.first]])
    out: Bools = kept | found.blocks(len(kept))
    # The label once more, as the name of an icon.
    for first, last in zip(found.first.tolist(), found.last.tolist(), strict=True):
        for k in range(first + 1, last - 1):
            out[k] = kept[k] or blocks.text(k) != blocks.text(k - 1) or not blocks.text(k).endswith(COLONS)
    return kept if np.array_equal(out, kept) else out


def _rows(evidence: Evidence) -> Spans:
    """The elements that are rows of label and value, where enough like them stand side by side."""
    blocks, rows, words = evidence.blocks, evidence.blocks.rows, evidence.words
    short = np.flatnonzero((words > 0) & (words <= LABEL_WORDS))
    ends = zip(short.tolist(), blocks.text_start[short].tolist(), blocks.text_end[short].tolist(), strict=True)
    labels = [block for block, start, end in ends if rows.text[start:end].rstrip().endswith(COLONS)]
    # The elements whose first text is a label begin right before it.
    begin = np.append(0, blocks.first + 1)
    near = [np.arange(begin[block], blocks.first[block]) for block in labels]
    row = np.concatenate(near) if near else np.zeros(0, np.int64)
    spans = spans_of(blocks, row[rows.tag[row] != TEXT])
    n_blocks = spans.last - spans.first
    spans = spans.only((n_blocks > 1) & (n_blocks <= ROW_BLOCKS))
    n_fields, is_label = prefix_sum(_IS_FIELD[rows.tag]), np.zeros(len(blocks), bool)
    is_label[labels] = True
    is_row = ~is_label[spans.last - 1] & (spans.total(words) <= ROW_WORDS)
    spans = spans.only(is_row & (n_fields[rows.end[spans.row]] == n_fields[spans.row]))
    _, family, n_alike = np.unique(spans.families(blocks), return_inverse=True, return_counts=True)
    n_numbers = np.bincount(family, evidence.column("digit_rate")[spans.last - 1] > 0, len(n_alike))
    is_table = (n_alike >= MIN_ROWS) | ((n_alike >= MIN_NUMBERS) & (n_numbers == n_alike))
    return spans.only(is_table[family])
