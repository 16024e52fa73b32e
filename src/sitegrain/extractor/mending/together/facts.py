"""Facts that every page of a kind has: a table whose labels come again on all of them, and whose values change.

Block by block, the site takes them for template: "Height" is on every page of a shop, and so is "70 cm" once numbers are masked. But a template has nothing
beside it that changes, so the rows are judged together, by what the pages alone think of them.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import Spans, spans_of, spans_of_page
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask

_PAGES, _MASKED, _COUNT, _HERE, _SAME = map(
    SITE_NAMES.index, ("site_pages", "site_masked", "site_same_count", "path_pages", "path_same")
)
_DT, _DD = TAG_CODE["dt"], TAG_CODE["dd"]
_IS_FIELD = tag_mask(("input", "select", "textarea", "button"))
"""What a row of a form has: there the reader writes the value."""
LEAST_SCORE = 0.2
"""First score of a block that is looked at: where all rows are below, the page alone keeps none of them."""
MIN_ROWS, ROW_BLOCKS, ROW_WORDS = 3, 6, 20.0
"""Rows of a table, blocks of a row and words of one. Rows of more are cards or posts."""
LABEL_PAGES, LABEL_SAME, CHANGES = 3, 0.3, 0.5
"""A label is on so many pages, and on this share of those that have its place; a value is on no more than that share of them. Of all articles of 66 sites, out of
fold, 1,304 tables have labels on so many pages, and 1,300 of them say who wrote a post and when: but a name is on few of the pages that have posts."""
OF_LABELS, OF_LINES, OF_VALUES = 0.8, 0.6, 0.3
"""Share of the rows that must have a label; of lines of one block ("Height: 70 cm"; the cells of a row; labels and values side by side), share of those that come again
with their numbers masked; and of both, share of those that do and have a value that changes: some facts are the same everywhere. Of the same articles 208 rows of such
lines are sure (see below) and not kept as a whole: all are gold. Of those that are not sure, seven of a shop are none ("In stock", "Minimum order: 100")."""
OF_PARENT = 0.8
"""Share of the words of the element around lines that they must have."""
MOST_LINKED = 0.5
"""Share of such a table that may be linked. Lists of other pages are linked throughout."""
MEAN_FIRST, SURE_FIRST = 0.3, 0.5
"""Mean first score of the rows of a table that stands in the text, and of one that may stand elsewhere: in shops the text of a product is in a box beside its picture,
and the table below both. The three tables of labelled sites, all gold, have 0.22 to 0.75, those of sites that were made to have some 0.34 to 0.95."""
OF_TEXT = 0.8
"""Share of the kept words of the page in the innermost element that is its text."""


def with_facts(evidence: Evidence, of_site: Floats32, first: Floats, at_path: Floats, kept: Bools) -> Bools:
    """The kept blocks with the rows of tables of facts, by first scores: in the mean of their places on all pages, so that pages of a kind are judged alike,
    or of the block itself where that is not known (NaN). A loop over the pages with tables that are not sure."""
    page, n_pages = evidence.blocks.page, evidence.geometry.n_pages
    score = np.where(np.isnan(at_path), first, at_path)
    maybe = (score >= LEAST_SCORE) & (evidence.words <= ROW_WORDS)
    maybe &= (np.bincount(page[maybe & ~kept], minlength=n_pages) > 1)[page]
    if not maybe.any():
        return kept
    some = np.flatnonzero(maybe)
    rows, sure = _of_tables(evidence, of_site, score, _rows(evidence, some))
    lines = _of_lines(evidence, of_site, score, some)
    found = rows.only(sure | _in_text(evidence, kept, rows, ~sure)).blocks(len(kept)) | lines.blocks(len(kept))
    return kept if kept[found].all() else kept | found


def _in_text(evidence: Evidence, kept: Bools, rows: Spans, asked: Bools) -> Bools:
    """Which of the rows that are asked for stand in the element with the kept text of their page."""
    blocks, found = evidence.blocks, np.zeros(len(asked), bool)
    for p in distinct(blocks.page[rows.first[asked]]).tolist():
        of = blocks.of_page(p)
        size = np.where(kept[of], evidence.words[of], 0.0)
        if size.any():
            spans = spans_of_page(blocks, of)
            spans = spans.only(spans.last - spans.first > 1)  # one paragraph is not the text's element
            text = spans.only(np.array([spans.home(size, OF_TEXT)])).moved(of.start)
            found |= (rows.first >= text.first) & (rows.last <= text.last)
    return found


def _rows(evidence: Evidence, some: Ints64) -> Spans:
    """The elements around these blocks that may be rows of label and value, of a table or of anything that is drawn like one."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    cell = blocks.box[some].astype(np.int64)
    row = np.maximum(rows.parent[cell], 0)
    near = distinct(np.concatenate([cell, row, np.maximum(rows.parent[row], 0)]))
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


def _of_tables(evidence: Evidence, of_site: Floats32, score: Floats, rows: Spans) -> tuple[Spans, Bools]:
    """Those of some rows that are of a table of facts, and which of them are sure to be content wherever they stand."""
    same = of_site[:, _SAME]
    is_label = (of_site[:, _COUNT] >= np.log1p(LABEL_PAGES) - 1e-4) & (same >= LABEL_SAME)
    label, changes = is_label[rows.first], same <= CHANGES
    value = label & (rows.total(changes) > changes[rows.first])
    table = _Tables(evidence, rows)
    mean = table.mean(rows.total(score), rows.last - rows.first)
    is_facts = table.may_be & (table.share(label) >= OF_LABELS) & (table.share(value) >= OF_VALUES)
    is_facts &= mean >= MEAN_FIRST
    found = is_facts[table.of]
    return rows.only(found), (mean >= SURE_FIRST)[table.of][found]


def _of_lines(evidence: Evidence, of_site: Floats32, score: Floats, some: Ints64) -> Spans:
    """Those of some blocks that are lines of facts, each alone in its element, and nothing but lines in the one around them: short paragraphs of a text are none."""
    blocks = evidence.blocks
    lines = spans_of(blocks, blocks.box[some].astype(np.int64))
    lines = lines.only(lines.last - lines.first == 1)
    at = lines.first
    masked, n_pages = of_site[at, _MASKED], np.expm1(of_site[at, _PAGES])
    again = (masked * n_pages > LABEL_PAGES - 0.5) & (masked >= LABEL_SAME * of_site[at, _HERE])
    table = _Tables(evidence, lines)
    is_facts = table.may_be & (table.share(again) >= OF_LINES)
    parent = blocks.rows.parent[lines.row].astype(np.int64)
    first, last = np.searchsorted(blocks.first, (parent, blocks.rows.end[parent]))
    words = Spans(parent, first, last).total(evidence.words)
    is_facts &= table.mean(evidence.words[at], words / table.n_rows[table.of]) >= OF_PARENT
    is_facts &= table.share(again & (of_site[at, _SAME] <= CHANGES)) >= OF_VALUES
    is_facts &= table.mean(score[at], np.ones(len(at))) >= SURE_FIRST
    return lines.only(is_facts[table.of])


class _Tables:
    """Rows side by side, as tables."""

    def __init__(self, evidence: Evidence, rows: Spans) -> None:
        _, self.of, self.n_rows = np.unique(rows.families(evidence.blocks), return_inverse=True, return_counts=True)
        size = evidence.words + 1.0
        linked = self.mean(rows.total(evidence.column("link_density") * size), rows.total(size))
        self.may_be: Bools = (self.n_rows >= MIN_ROWS) & (linked <= MOST_LINKED)

    def mean(self, values: Floats, weights: Floats | Ints64) -> Floats:
        """Per table: a value of its rows by its weight."""
        n = len(self.n_rows)
        found: Floats = np.bincount(self.of, values, n) / np.maximum(np.bincount(self.of, weights, n), 1e-9)
        return found

    def share(self, some: Bools) -> Floats:
        """Per table: how many of its rows are among some."""
        found: Floats = np.bincount(self.of, some, len(self.n_rows)) / self.n_rows
        return found
