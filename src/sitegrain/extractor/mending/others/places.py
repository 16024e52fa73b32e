"""What other pages of the site have at the same place tells what a line is: who wrote a post, where the page was fetched from, who is quoted; or text.

Block by block such a line is its page's own text, which is what a site's content looks like: no other page says "Ann, 3 May". But page by page, each
judged alone, its place is no content on any of them, or always is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.pagetypes import ARTICLE, FORUM
from sitegrain.extractor.stages import SITE_NAMES

_SAME, _AT, _DISTINCT, _PER_PAGE = map(SITE_NAMES.index, ("site_same", "path_pages", "path_distinct", "path_per_page"))
NO_TEXT, OWN_FIRST, SURE = 0.3, 0.6, 0.9
"""Mean first score at a place of the site up to which lines there are no text; first score of the line, and score, from which it stays all the same.
Of 30 articles each of 66 sites, out of fold, 98 kept lines that are not gold are such (five sites) and one that is; with 0.26 as many, with 0.35 98 and 8
(prices of a shop), with 0.22 40 and none."""
MIN_PAGES, TIMES, DISTINCT, MAX_WORDS = 0.1, 5.0, 0.3, 12.0
"""Share of the pages that have such a place, how often each of them has it at most (a list of a manual has more), share of the texts there that differ (others
are labels), and words of the line: longer ones have none in the same data. With 0.05 of the pages 101 and 3."""
BELOW_FIRST, ENDS, ENDS_SAME = 0.6, 0.06, 0.2
"""Mean first score at a place below which text after the end of an article is none; score of a line of the template that ends it, and share of the pages that
have that line. Same data: 16 blocks of five sites that are not gold (who the author is, comments), and none that is but four posts of threads. Places of 0.6 and
more are posts."""
SURE_TEXT, NEARLY, MIN_TEXT_PAGES = 0.9, 0.2, 0.05
"""Mean first score at a place of the site from which a line there is text, its own score, and share of the pages that have the place. Same data: 16 lines that were
left out are gold and one is not; places of 0.8 have 30 and 94 (titles)."""


def without_places(
    evidence: Evidence, of_site: Floats32, at_path: Floats, first: Floats, score: Floats, kept: Bools
) -> Bools:
    """The kept blocks without short lines at places where other pages have no text, though what they say differs."""
    found = kept & (at_path <= NO_TEXT) & (first < OWN_FIRST) & (score < SURE) & (evidence.words <= MAX_WORDS)
    if not found.any():
        return kept
    found &= (of_site[:, _AT] >= MIN_PAGES) & (of_site[:, _DISTINCT] >= DISTINCT) & (of_site[:, _PER_PAGE] <= TIMES)
    return kept & ~found if found.any() else kept


def without_after_end(
    evidence: Evidence, of_site: Floats32, at_path: Floats, score: Floats, votes: Callable[[], Floats], kept: Bools
) -> Bools:
    """The kept blocks without those that follow the end of an article: the last sure text, and after it a line of the template; `votes` gives
    [types x pages], and is asked only where there are some.

    A loop over the pages that have such blocks.
    """
    doubtful = kept & (score < SURE) & (at_path < BELOW_FIRST)
    if not doubtful.any():
        return kept
    ends = ~kept & (score < ENDS) & (of_site[:, _SAME] >= ENDS_SAME)
    page = evidence.blocks.page
    out = kept
    for p in distinct(page[doubtful]).tolist():
        of = evidence.blocks.of_page(p)
        sure = np.flatnonzero(kept[of] & (score[of] >= SURE))
        after = of.start + int(sure[-1]) + 1 if len(sure) else of.stop
        end = np.flatnonzero(ends[after : of.stop])
        below = after + int(end[0]) if len(end) else of.stop
        if not doubtful[below : of.stop].any():
            continue
        by_type = votes()
        if by_type[ARTICLE, p] >= by_type[FORUM, p]:
            out = kept.copy() if out is kept else out
            out[below : of.stop] &= ~doubtful[below : of.stop]
    return out


def with_places(of_site: Floats32, at_path: Floats, score: Floats, left_out: Bools, kept: Bools) -> Bools:
    """The kept blocks with those that stand where other pages have sure text, if they may be text; what is `left_out` by a step (a copy) stays out."""
    found = ~(kept | left_out) & (at_path >= SURE_TEXT) & (score >= NEARLY) & (of_site[:, _AT] >= MIN_TEXT_PAGES)
    return kept | found if found.any() else kept
