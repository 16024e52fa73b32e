"""Lists, tables and programs within a text: what stands right between two kept paragraphs is part of what they say, short as its lines are."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import Spans, spans_of
from sitegrain.tables.tags import HEADINGS, TAG_CODE, tag_mask

_IS_ENCLOSED = tag_mask(("ul", "ol", "dl", "table", "pre"))
_IS_LINE = tag_mask(("p", *HEADINGS))
_P = TAG_CODE["p"]
MIN_WORDS = 10.0
"""Words of a paragraph beside it. Set beforehand."""
MOST_LINKED = 0.2
"""Share of its words that may be linked: a list of links is of other pages."""
MOST = 0.5
"""Words of it, as a share of the kept ones of its page: more is what the page is about, and decided as such."""


def with_enclosed(evidence: Evidence, is_article: Bools, kept: Bools) -> Bools:
    """The kept blocks with the lists, tables and programs of those pages that are articles which stand right between two kept paragraphs, or a paragraph
    and a heading, that have the same parent.

    A loop over those of which something is left out.
    """
    blocks, words = evidence.blocks, evidence.words
    rows = blocks.rows
    found = spans_of(blocks, np.flatnonzero(_IS_ENCLOSED[rows.tag]))
    if not len(found.row):
        return kept
    found = found.only(_may_be(evidence, found, is_article, kept))
    if not len(found.row):
        return kept
    linked = found.total(words * evidence.column("link_density")) <= MOST_LINKED * found.total(words)
    of_page = np.bincount(blocks.page, np.where(kept, words, 0.0))[blocks.page[found.first]]
    found = found.only(linked & (found.total(words) <= MOST * of_page))
    out = kept
    for row, first, last in zip(*(column.tolist() for column in found), strict=True):
        before, after = int(blocks.box[first - 1]), int(blocks.box[last])
        if not (out[first - 1] and out[last]) or rows.parent[before] != rows.parent[after]:
            continue
        home = int(rows.parent[before])
        while row > home and rows.parent[row] != home:  # boxes around it alone: what is in them is between the two
            row = int(rows.parent[row])
        if row > home:
            out = kept.copy() if out is kept else out
            out[first:last] = True
    return out


def _may_be(evidence: Evidence, found: Spans, is_article: Bools, kept: Bools) -> Bools:
    """Which are not kept whole, and have a line on either side, of which one is a paragraph."""
    blocks, words, n = evidence.blocks, evidence.words, len(kept)
    before, after = found.first - 1, np.minimum(found.last, n - 1)
    above, below = (blocks.rows.tag[blocks.box[at]] for at in (before, after))
    is_paragraph = ((above == _P) & (words[before] >= MIN_WORDS)) | ((below == _P) & (words[after] >= MIN_WORDS))
    page = blocks.page
    is_within = (found.first > 0) & (found.last < n) & (page[before] == page[after]) & is_article[page[found.first]]
    is_between = _IS_LINE[above] & _IS_LINE[below] & is_paragraph & kept[before]
    may_be: Bools = is_within & is_between & (found.total(kept) < found.last - found.first)
    return may_be
