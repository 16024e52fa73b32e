"""Comments on an article and teasers of others: what stands below its text in elements that are alike, each with a date. By dates, so without
names of classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sitegrain import native
from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.dates import DATE_WORDS
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.native.inputs import DateRules
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask

_ARTICLE, _FORUM = PAGE_TYPES.index("article"), PAGE_TYPES.index("forum")
_NOT_TEASED = [PAGE_TYPES.index(name) for name in ("collection", "forum", "listing")]
_NO_UNIT = tag_mask(("tr", "td", "th", "tbody", "thead", "table", "blockquote"))
"""Rows of a table have dates, and so have the quotes that a text shows one after the other."""
LEAST_ARTICLE, LEAST_WITH_SITE = 0.4, 0.2
"""Vote of a page on which such elements are comments; of a thread they are the posts. Out of fold 0.4 to 0.5 lose nothing, 0.3 a thread. Where the
site is known the trees are surer of the text, and a lower vote is enough, as for the prior of articles."""
TO_FORUM, TO_FORUM_WITH_SITE = 2.0, 1.0
"""How many times the vote for a forum that must be: a thread of 6,500 words has 0.40 and 0.39, articles with comments 0.45 and 0.88 to 0.04 and 0.39."""
BEFORE_WORDS, PROSE_WORDS = 100.0, 8.0
"""Kept words of an article before its comments, and words of a block that count as its text, or as that of a comment."""
MIN_UNITS, MOST_DATES, LIKE_WORDS = 2, 2, 3.0
"""Comments, lines with a date of the median one (a unit with more is a table of times), and words of an element beside them that counts."""
BLOCKS_AFTER = 20
"""Blocks after the last one that is kept that are looked at: where one comment is kept, those beside it tell what it is."""
OF_LIKE, OF_TEXT, WITH_HEADING = 0.6, 0.8, 0.3
"""Share of the elements beside that must be such, share of the text between the first and the last that they must have, and share of those
with a heading, from which they are no comments."""
TEASED_ARTICLE, TEASED_LIST, TEASER_SCORE, MIN_TEASERS = 0.3, 0.2, 0.7, 3
"""Vote for an article from which, and for lists and threads below which, dated things with headings are teasers; what they may score, and how many
there must be. Out of fold the last three leave out nothing that is gold, except on a site where parts of a series are listed so in the text: where
the site is known, this is not done."""
BELOW = 0.1
"""What comments must score below the text before them. Out of fold 0.05 to 0.2 give the same; with 0 a page whose comments are gold loses."""


RULES = DateRules(BEFORE_WORDS, PROSE_WORDS, DATE_WORDS, BLOCKS_AFTER, MIN_UNITS)


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

    A loop over the few pages that have such lines.
    """
    blocks, words = evidence.blocks, evidence.words
    dates = native.dated_below(blocks.rows.text, blocks.columns, words, kept, RULES)
    if dates is None:
        return kept
    own = np.where(kept & (words >= PROSE_WORDS), words, 0.0)
    before, scored_before = prefix_sum(own), prefix_sum(own * score)
    by_type: Floats | None = None
    out = kept
    for p in sorted(set(blocks.page[dates].tolist())):
        begin, end = np.searchsorted(blocks.page, (p, p + 1)).tolist()
        told = int(np.searchsorted(np.cumsum(own[begin:end]), BEFORE_WORDS)) + 1
        stop = int(np.flatnonzero(own[begin:end])[-1]) + 1 + BLOCKS_AFTER
        for units in _units(evidence, dates, begin + told, min(begin + stop, end)):
            mine = slice(units.first, units.last)
            size = np.where(kept[mine], words[mine], 0.0)
            of_text, of_units = before[units.first] - before[begin], size.sum()
            if of_text < BEFORE_WORDS or of_units <= 0:
                continue
            scored = (score[mine] @ size) / of_units
            if scored > (scored_before[units.first] - scored_before[begin]) / of_text - BELOW:
                continue
            if units.has_headings and (not is_alone or scored > TEASER_SCORE or units.n < MIN_TEASERS):
                continue
            by_type = votes() if by_type is None else by_type
            of_page = by_type[:, p]
            least, times = (LEAST_ARTICLE, TO_FORUM) if is_alone else (LEAST_WITH_SITE, TO_FORUM_WITH_SITE)
            if (
                _are_teasers(of_page)
                if units.has_headings
                else of_page[_ARTICLE] >= max(least, times * of_page[_FORUM])
            ):
                out = kept.copy() if out is kept else out
                out[mine] = False
    return out


def _are_teasers(votes: Floats) -> bool:
    """Whether dated things with headings are teasers."""
    return bool(votes[_ARTICLE] >= TEASED_ARTICLE and votes[_NOT_TEASED].max() < TEASED_LIST)


def _units(evidence: Evidence, dated: Bools, begin: int, end: int) -> list[_Units]:
    """The elements of a page, from block `begin` to before `end`, that are alike and have a date each."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    words, dates, of = evidence.words[begin:end], dated[begin:end], slice(begin, end)
    low, high = int(blocks.last[begin - 1]) + 1, int(blocks.first[end - 1])  # what stands before is not theirs
    row = low + np.flatnonzero((rows.tag[low:high] != TEXT) & ~_NO_UNIT[rows.tag[low:high]])
    first, last = np.searchsorted(blocks.first[of], (row, rows.end[row]))
    n_dates, prose = _under(dates, first, last), _under(np.where(dates, 0.0, words), first, last)
    is_unit = (n_dates > 0) & (prose >= PROSE_WORDS)
    key = rows.parent[row].astype(np.int64) * len(TAG_CODE) + rows.tag[row]
    like, n_like = np.unique(key[prose >= LIKE_WORDS], return_counts=True)
    mine = np.flatnonzero(is_unit)
    mine = mine[np.argsort(key[mine], kind="stable")]
    families = [units for units in np.split(mine, np.flatnonzero(np.diff(key[mine])) + 1) if len(units) >= MIN_UNITS]
    whole, headings = prefix_sum(words), prefix_sum(evidence.column("in_heading")[of] > 0)
    found = []
    for units in sorted(families, key=lambda units: int(units[0])):
        n_alike = n_like[np.searchsorted(like, key[units[0]])]
        if sorted(n_dates[units].tolist())[len(units) // 2] > MOST_DATES or len(units) < OF_LIKE * n_alike:
            continue
        a, z = int(first[units[0]]), int(last[units[-1]])
        if (whole[last[units]] - whole[first[units]]).sum() >= OF_TEXT * (whole[z] - whole[a]):
            n_with = (headings[last[units]] > headings[first[units]]).sum()
            found.append(_Units(begin + a, begin + z, len(units), bool(n_with > WITH_HEADING * len(units))))
    return found


def _under(values: Floats | Bools, first: Ints64, last: Ints64) -> Floats:
    """Sums of a value of blocks over ranges of them."""
    total = prefix_sum(values)
    return np.asarray(total[last] - total[first], np.float64)
