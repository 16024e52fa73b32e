"""Facts that every page of a kind has: a table whose labels come again on all of them, and whose values change.

Block by block, the site takes them for template: "Height" is on every page of a shop, and so is "70 cm" once numbers are masked. A template has nothing that
changes beside it, so the rows are judged together, by what the page alone thinks of them.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import Spans, spans_of, spans_of_page
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask

_COUNT, _SAME = map(SITE_NAMES.index, ("site_same_count", "path_same"))
_DT, _DD = TAG_CODE["dt"], TAG_CODE["dd"]
_IS_FIELD = tag_mask(("input", "select", "textarea", "button"))
"""What a row of a form has: there the reader writes the value."""
LEAST_SCORE = 0.2
"""First score of a block that is looked at: where all rows are below, the page alone keeps none of them."""
MIN_ROWS, ROW_BLOCKS, ROW_WORDS = 3, 6, 20.0
"""Rows of a table, blocks of a row and words of one. Rows of more are cards or posts."""
LABEL_PAGES, LABEL_SAME, OF_LABELS = 3, 0.3, 0.8
"""A label is on so many pages, and on this share of those that have its place; and the share of the rows that must have one. Out of fold, of all articles of 66 sites
1,304 tables of rows have such labels by the pages alone: 1,300 say who wrote a post and when, and names are on few of the pages with posts."""
CHANGES, OF_VALUES = 0.5, 0.3
"""A value is on no more than this share of the pages that have its place; and the share of the rows that must have one: some facts are the same everywhere."""
MOST_LINKED = 0.5
"""Share of such a table that may be linked. Lists of other pages are linked throughout."""
MEAN_FIRST = 0.3
"""Mean first score of the rows. The three tables of labelled sites that are gold have 0.22 to 0.75, those of sites that were made for it 0.34 to 0.95."""
OF_TEXT, SURE_FIRST = 0.8, 0.5
"""Share of the kept words of the page in the innermost element that the table must stand in, and the mean first score from which it may stand elsewhere: in shops the text
of a product is in a box beside its picture, and the table below both."""


def with_facts(evidence: Evidence, of_site: Floats32, first: Floats, at_path: Floats, kept: Bools) -> Bools:
    """The kept blocks with the rows of tables of facts, by first scores: of the blocks, and in the mean of their places on all pages (NaN where that is not
    known), so that pages of a kind are judged alike. A loop over the pages that have such tables."""
    first = np.where(np.isnan(at_path), first, at_path)
    blocks, page, n_pages = evidence.blocks, evidence.blocks.page, evidence.geometry.n_pages
    maybe = (first >= LEAST_SCORE) & (evidence.words <= ROW_WORDS)
    maybe &= (np.bincount(page[maybe & ~kept], minlength=n_pages) > 1)[page]
    rows = _rows(evidence, np.flatnonzero(maybe)) if maybe.any() else Spans.none()
    rows, inside = _of_tables(evidence, of_site, first, rows) if len(rows.row) else (rows, np.zeros(0, bool))
    if not len(rows.row) or kept[rows.blocks(len(kept))].all():
        return kept
    start = np.searchsorted(page, np.arange(n_pages + 1))
    for p in np.unique(page[rows.first[~inside]]).tolist():
        of = slice(int(start[p]), int(start[p + 1]))
        size = np.where(kept[of], evidence.words[of], 0.0)
        if size.any():
            spans = spans_of_page(blocks, of)
            text = spans.only(np.array([spans.home(size, OF_TEXT)])).moved(of.start)
            inside |= (rows.first >= text.first) & (rows.last <= text.last)
    out: Bools = kept | rows.only(inside).blocks(len(kept))
    return kept if np.array_equal(out, kept) else out


def _rows(evidence: Evidence, some: Ints64) -> Spans:
    """The elements around these blocks that may be rows of label and value, of a table or of anything that is drawn like one."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    cell = blocks.box[some].astype(np.int64)
    row = np.maximum(rows.parent[cell], 0)
    near = np.unique(np.concatenate([cell, row, np.maximum(rows.parent[row], 0)]))
    spans = spans_of(blocks, near[rows.tag[near] != TEXT])
    # A term and what is said of it stand side by side, and not in a row of their own.
    is_term = rows.tag[spans.row] == _DT
    last = np.minimum(spans.last + is_term, len(blocks))
    is_pair = rows.tag[blocks.box[last - 1]] == _DD
    spans = Spans(spans.row, spans.first, last).only(~is_term | is_pair)
    size = spans.last - spans.first
    spans = spans.only((size > 1) & (size <= ROW_BLOCKS))
    spans = spans.only(blocks.page[spans.first] == blocks.page[spans.last - 1])
    n_fields = prefix_sum(_IS_FIELD[rows.tag])
    has_field = n_fields[rows.end[spans.row]] > n_fields[spans.row]
    return spans.only((spans.total(evidence.words) <= ROW_WORDS) & ~has_field)


def _of_tables(evidence: Evidence, of_site: Floats32, first: Floats, rows: Spans) -> tuple[Spans, Bools]:
    """Those of some rows that are of a table of facts, and which of them are sure to be content wherever they stand."""
    _, table, n_rows = np.unique(rows.families(evidence.blocks), return_inverse=True, return_counts=True)
    same = of_site[:, _SAME]
    is_label = (of_site[:, _COUNT] >= np.log1p(LABEL_PAGES) - 1e-4) & (same >= LABEL_SAME)
    label = is_label[rows.first]
    changes = same <= CHANGES
    value = label & (rows.total(changes) > changes[rows.first])
    size = evidence.words + 1.0

    def mean(values: Floats | Bools, weights: Floats | Ints64) -> Floats:
        found: Floats = np.bincount(table, values, len(n_rows)) / np.bincount(table, weights, len(n_rows))
        return found

    one = np.ones(len(table), np.int64)
    is_facts = (n_rows >= MIN_ROWS) & (mean(label, one) >= OF_LABELS) & (mean(value, one) >= OF_VALUES)
    score = mean(rows.total(first), rows.last - rows.first)
    is_facts &= score >= MEAN_FIRST
    is_facts &= mean(rows.total(evidence.column("link_density") * size), rows.total(size)) <= MOST_LINKED
    return rows.only(is_facts[table]), (score >= SURE_FIRST)[table][is_facts[table]]
