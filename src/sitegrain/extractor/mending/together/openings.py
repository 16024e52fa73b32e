"""The opening of an article: its lead, or a first paragraph that a box parts from the others."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.dates import dated
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.light import late_pattern
from sitegrain.tables.tags import TAG_CODE

_P, _IMG = TAG_CODE["p"], TAG_CODE["img"]
_AT, _DISTINCT, _PER_PAGE = map(SITE_NAMES.index, ("path_pages", "path_distinct", "path_per_page"))
ABOVE, MOST = 12, 2
"""Blocks above the first kept sentence that are looked at, and how many an opening may have: more are teasers. Set beforehand."""
MIN_WORDS, MOST_LINKED = 15.0, 0.3
"""Words of an opening, and share of it that may be linked. Out of fold 10 words bring more captions than leads."""
PARAGRAPH = 0.3
"""Score of a paragraph (`<p>`). Out of fold 0.2 to 0.4 are better than nothing on news, 0.25 and 0.3 most."""
LEAD, ABOUT = 0.25, 0.25
"""Score of any element under the title, and share of its words that the title, the description or the first heading have, too."""
TITLE, UNDER_TITLE = 0.5, 6
"""How much of the title a heading says, and in how many blocks above the lead it stands."""
OF_PICTURE = 2
"""Blocks of an element with a picture in which an opening may not stand: it is a caption."""
SURE_FIRST, TEXT_PLACE = 0.5, 0.5
"""First score of a standfirst, and mean first score at its place of the site."""
OWN, MIN_PAGES, TIMES = 0.9, 0.1, 1.5
"""Share of the texts at its place that stand there once only, share of the pages that have the place, and times that each has it. Set beforehand."""
LEAD_WORDS = 6.0
"""Words of a standfirst. Set beforehand."""

_PAID = late_pattern(
    r"\b(?:earn|get|receive|verdien\w*|erh[aä]lt\w*|touch\w*|recib\w*|ricev\w*)\b.{0,60}\b(?:commissions?|provision(?:en)?|comisi[oó]n|commissione)\b|"
    r"\baffiliate[- ](?:links?|commissions?|program)|\bindependently (?:select|review|choose|research)",
    re.IGNORECASE,
)
"""What a page says of who pays for its links stands where a lead does: two of 168 news pages that were read had it kept as one."""


def with_opening(evidence: Evidence, score: Floats, is_article: Bools, kept: Bools) -> Bools:
    """The kept blocks with the opening of those pages that are articles: sentences above the first kept one, paragraphs or what stands under the
    title and speaks of the same, without a picture beside them.

    A loop over pages with something above their text that may be one.
    """
    blocks, words = evidence.blocks, evidence.words
    tag = blocks.rows.tag[blocks.box]
    may_be = ~kept & evidence.is_sentence & (score >= LEAD) & (words >= MIN_WORDS) & is_article[blocks.page]
    if not may_be.any():
        return kept
    may_be &= evidence.column("link_density") < MOST_LINKED
    about, title = evidence.column("about"), evidence.column("title_match") >= TITLE
    text = np.flatnonzero(kept & evidence.is_sentence & (evidence.column("in_heading") <= 0))
    first_of_page = text[np.searchsorted(blocks.page[text], distinct(blocks.page[text]))]
    found: list[int] = []
    for first in first_of_page.tolist():
        low = max(blocks.page_offset[blocks.page[first]], first - ABOVE)
        above = [
            i
            for i in (low + np.flatnonzero(may_be[low:first])).tolist()
            if (tag[i] == _P and score[i] >= PARAGRAPH)
            or (about[i] >= ABOUT and title[max(low, i - UNDER_TITLE) : i].any())
        ]
        above = [i for i in above if not _is_beside_picture(evidence, i) and not _PAID.search(blocks.text(i))]
        found += above if len(above) <= MOST else []
    if not found:
        return kept
    out = kept.copy()
    out[found] = True
    return out


def with_standfirst(evidence: Evidence, of_site: Floats32, at_path: Floats, first: Floats, kept: Bools) -> Bools:
    """The kept blocks of pages of a site with the standfirst right under the title. Lists and cards say it again beside their links, so that the site takes
    it for a teaser. But each page has one of its own at this place, and is sure of it by itself.

    A loop over the blocks that may be one.
    """
    blocks = evidence.blocks
    found = (
        ~kept & evidence.is_sentence & (first >= SURE_FIRST) & (at_path >= TEXT_PLACE) & (evidence.words >= LEAD_WORDS)
    )
    if not found.any():
        return kept
    found &= (of_site[:, _DISTINCT] >= OWN) & (of_site[:, _AT] >= MIN_PAGES) & (of_site[:, _PER_PAGE] <= TIMES)
    found &= evidence.column("link_density") < MOST_LINKED
    found &= ~dated(evidence, found)  # "Started by Ann, 2010-03-29 16:31, 10 replies"
    title = (evidence.column("title_match") >= TITLE) & (evidence.column("in_heading") > 0)
    out = kept
    for i in np.flatnonzero(found).tolist():
        of = blocks.of_page(int(blocks.page[i]))
        if title[max(of.start, i - UNDER_TITLE) : i].any() and not kept[of.start : i].any() and kept[i : of.stop].any():
            out = kept.copy() if out is kept else out
            out[i] = True
    return out


def _is_beside_picture(evidence: Evidence, block: int) -> bool:
    """Whether the largest element around a block with few blocks holds a picture."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    row = around = int(blocks.box[block])
    while row >= 0:
        of = blocks.within(row)
        if of.stop - of.start > OF_PICTURE:
            break
        around, row = row, int(rows.parent[row])
    return bool((rows.tag[around : rows.end[around]] == _IMG).any())
