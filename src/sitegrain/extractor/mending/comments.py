"""Comments on an article and teasers of others: what stands below its text in elements that are alike, each with a date. By dates, so without
names of classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.dates import dated, may_date
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.tables.tags import TEXT, tag_mask

_ARTICLE, _FORUM = PAGE_TYPES.index("article"), PAGE_TYPES.index("forum")
_NOT_TEASED = [PAGE_TYPES.index(name) for name in ("collection", "forum", "listing")]
_NO_UNIT = tag_mask(("tr", "td", "th", "tbody", "thead", "table", "blockquote"))
"""Rows of a table have dates, and so have the quotes that a text shows one after the other."""
LEAST_ARTICLE = 0.4
"""Vote of a page on which such elements are comments; of a thread they are the posts. Out of fold 0.4 to 0.5 lose nothing, 0.3 a thread."""
BEFORE_WORDS, PROSE_WORDS = 100.0, 8.0
"""Kept words of an article before its comments, and words of a block that count as its text, or as that of a comment."""
MIN_UNITS, MOST_DATES = 2, 2
"""Comments, and lines with a date of the median one: a unit with more is a table of times."""
OF_LIKE, OF_TEXT, WITH_HEADING = 0.6, 0.8, 0.3
"""Share of the elements beside that must be such, share of the text between the first and the last that they must have, and share of those
with a heading, from which they are no comments."""
TEASED_ARTICLE, TEASED_LIST, TEASER_SCORE, MIN_TEASERS = 0.3, 0.2, 0.7, 3
"""Vote for an article from which, and for lists and threads below which, dated things with headings are teasers; what they may score, and how many
there must be. Out of fold the last three leave out nothing that is gold, except on a site where parts of a series are listed so in the text: where
the site is known, this is not done."""
BELOW = 0.1
"""What comments must score below the text before them. Out of fold 0.05 to 0.2 give the same; with 0 a page whose comments are gold loses."""


class _Units(NamedTuple):
    """Elements of a page that are alike, as a range of blocks."""

    first: int
    last: int
    n: int
    has_headings: bool


def without_comments(
    evidence: Evidence, score: Floats, votes: Callable[[], Floats], kept: Bools, is_alone: bool = True
) -> Bools:
    """The kept blocks without the comments on an article and, on a page alone, dated teasers; `votes` gives [types x pages], and is asked only
    where something is dated.

    A loop over the pages that keep text after dated lines, because dates are text.
    """
    blocks, words = evidence.blocks, evidence.words
    page = blocks.page
    own = np.where(kept & (words >= PROSE_WORDS), words, 0.0)
    before = prefix_sum(own)
    start = np.searchsorted(page, np.arange(evidence.geometry.n_pages + 1))
    begun = before[:-1] - before[start[:-1]][page]
    after = before[start[1:]][page] - before[:-1]
    window = (begun >= BEFORE_WORDS) & (after > 0)
    if not window.any():
        return kept
    pages = np.flatnonzero(np.bincount(page[dated(evidence, window & may_date(evidence))]))
    if not len(pages):
        return kept
    by_type = votes()
    out = kept
    for p in pages.tolist():
        article, forum = by_type[_ARTICLE, p], by_type[_FORUM, p]
        may_comment = article >= max(LEAST_ARTICLE, forum)
        may_tease = is_alone and article >= TEASED_ARTICLE and by_type[_NOT_TEASED, p].max() < TEASED_LIST
        if not may_comment and not may_tease:
            continue
        for units in _units(evidence, int(start[p]), int(start[p + 1])):
            if not (may_tease and units.n >= MIN_TEASERS if units.has_headings else may_comment):
                continue
            mine = slice(units.first, units.last)
            size = np.where(kept[mine], words[mine], 0.0)
            text = slice(int(start[p]), units.first)
            of_text, of_units = own[text].sum(), size.sum()
            if of_text < BEFORE_WORDS or of_units <= 0:
                continue
            scored = (score[mine] @ size) / of_units
            if scored <= (score[text] @ own[text]) / of_text - BELOW and not (
                units.has_headings and scored > TEASER_SCORE
            ):
                out = kept.copy() if out is kept else out
                out[mine] = False
    return out


def _units(evidence: Evidence, begin: int, end: int) -> list[_Units]:
    """The elements of a page (blocks `begin` to `end`) that are alike and have a date each."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    words, of = evidence.words[begin:end], slice(begin, end)
    dates = dated(evidence, may_date(evidence)[of], begin)
    low, high = np.searchsorted(rows.page, (int(blocks.page[begin]), int(blocks.page[begin]) + 1)).tolist()
    row = low + np.flatnonzero((rows.tag[low:high] != TEXT) & ~_NO_UNIT[rows.tag[low:high]])
    first, last = np.searchsorted(blocks.first[of], (row, rows.end[row]))
    total = prefix_sum(words)
    is_heading = evidence.column("in_heading")[of] > 0
    n_dates, n_headings, prose = (
        sums[last] - sums[first]
        for sums in map(prefix_sum, (dates * 1.0, is_heading * 1.0, np.where(dates, 0.0, words)))
    )
    is_unit = (n_dates > 0) & (prose >= PROSE_WORDS)
    has_text = prose >= 3
    _, family = np.unique(rows.parent[row].astype(np.int64) * len(_NO_UNIT) + rows.tag[row], return_inverse=True)
    n_units, n_like, n_with = (np.bincount(family, some) for some in (is_unit, has_text, is_unit & (n_headings > 0)))
    alike = (n_units >= MIN_UNITS) & (n_units >= OF_LIKE * n_like)
    found = []
    for k in np.flatnonzero(alike).tolist():
        mine = np.flatnonzero((family == k) & is_unit)
        a, z = int(first[mine].min()), int(last[mine].max())
        covered = (total[last[mine]] - total[first[mine]]).sum()
        if np.median(n_dates[mine]) <= MOST_DATES and covered >= OF_TEXT * (total[z] - total[a]):
            found.append(_Units(begin + a, begin + z, len(mine), bool(n_with[k] > WITH_HEADING * n_units[k])))
    return found
