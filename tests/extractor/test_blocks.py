"""Blocks of elements and of pages, looked up: what a search among them finds."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import TextBlocks, rows_of, text_blocks
from sitegrain.extractor.mending.spans import spans_of, spans_of_page, spans_within
from sitegrain.tables.tags import TEXT
from tests.builders import site_of
from tests.randomsites import random_pages


@pytest.fixture(params=range(6))
def blocks(request: pytest.FixtureRequest) -> TextBlocks:
    site = site_of(*random_pages(request.param))
    return text_blocks(rows_of(site, request.param % 2, site.n_pages))


def test_blocks_before_a_row(blocks: TextBlocks) -> None:
    every = np.arange(len(blocks.rows) + 1)
    assert np.array_equal(blocks.before, np.searchsorted(blocks.first, every))
    for row in range(len(blocks.rows)):
        within = blocks.within(row)
        assert [within.start, within.stop] == np.searchsorted(blocks.first, (row, blocks.rows.end[row])).tolist()


def test_blocks_and_rows_of_a_page(blocks: TextBlocks) -> None:
    for page in range(blocks.rows.n_pages):
        of = blocks.of_page(page)
        assert [of.start, of.stop] == np.searchsorted(blocks.page, (page, page + 1)).tolist()
        assert blocks.rows.of_page(page) == tuple(np.searchsorted(blocks.rows.page, (page, page + 1)).tolist())


def test_spans_within_some_blocks(blocks: TextBlocks) -> None:
    element = np.flatnonzero(blocks.rows.tag != TEXT)
    spans = spans_of(blocks, element)
    for page in range(blocks.rows.n_pages):
        of = blocks.of_page(page)
        if of.start == of.stop:
            continue
        mine = spans.only(blocks.page[spans.first] == page).moved(-of.start)
        assert all(map(np.array_equal, spans_of_page(blocks, of), mine))
        part = slice(of.start, (of.start + of.stop + 1) // 2)
        low, high = blocks.rows.of_page(page)
        first, last = np.searchsorted(blocks.first[part], (element, blocks.rows.end[element]))
        some = (first < last) & (low <= element) & (element < high)
        found = spans_within(blocks, part, low, high)
        assert all(map(np.array_equal, found, (element[some], first[some], last[some])))
