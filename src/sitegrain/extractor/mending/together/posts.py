"""Posts of a thread: what stands where most of the posts are kept is a post, too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.pagetypes import ARTICLE, FORUM
from sitegrain.extractor.stages import SITE_NAMES

_COUNT = SITE_NAMES.index("site_same_count")
LEAST_FORUM, MOST_ARTICLE = 0.1, 0.4
"""Votes of a page that may be a thread. A vote for a forum rests on names; without them it is 0.05 to 0.3 on most threads, and next to nothing
on articles."""
MOST, MIN_BLOCKS, MEAN_WORDS = 0.6, 3, 15.0
"""Share of the words of blocks that are alike, how many they are and their mean length, from which the others are kept: out of fold
0.5 to 0.7, and 10 to 15 words, gain on threads and cost nothing elsewhere."""
OF_PAGE = 0.4
"""Share of the kept words of their page that they must have: posts are what a thread is made of, and teasers of other threads are alike, too."""
SPREAD = 0.3
"""Elements that hold such blocks, for each of them: a post may have three paragraphs."""
MOST_PAGES = 1.5
"""Pages that may have a post, itself among them: one, however it is rounded."""
LEAST_SCORE, MIN_WORDS, MOST_LINKED = 0.2, 4.0, 0.5
"""Score and words that a block must have, and the share of it that may be linked."""


def with_posts(
    evidence: Evidence, score: Floats, votes: Callable[[], Floats], kept: Bools, of_site: Floats32 | None = None
) -> Bools:
    """The kept blocks with those alike (by tags and names of the last three elements) of which most are kept, on pages that may
    be threads; `votes` gives [types x pages], and is asked only where there is something to keep. With the site known, what other pages say
    word for word is no post."""
    alike = evidence.geometry.alike[1]
    size = evidence.words + 1.0
    n, total, mine = (np.bincount(alike, values) for values in (None, size, np.where(kept, size, 0.0)))
    is_post = (mine >= MOST * total) & (mine < total) & (n >= MIN_BLOCKS) & (total >= (MEAN_WORDS + 1) * n)
    if not is_post.any():
        return kept
    page = evidence.blocks.page
    of_page = np.bincount(page, np.where(kept, size, 0.0))
    is_post &= mine >= OF_PAGE * of_page[page[np.unique(alike, return_index=True)[1]]]
    found = is_post[alike] & ~kept & (score >= LEAST_SCORE) & (evidence.words >= MIN_WORDS)
    found &= evidence.column("link_density") < MOST_LINKED
    if of_site is not None:
        found &= ~(of_site[:, _COUNT] > np.log1p(MOST_PAGES))
    found &= _is_spread(evidence)[alike]
    if not found.any():
        return kept
    out: Bools = kept | (found & threads(votes())[page])
    return out


def threads(votes: Floats) -> Bools:
    """Which pages may be threads, by the votes for their types."""
    found: Bools = (votes[FORUM] > LEAST_FORUM) & (votes[ARTICLE] < MOST_ARTICLE)
    return found


def _is_spread(evidence: Evidence) -> Bools:
    """Per number of blocks that are alike: whether they stand in elements of their own, as posts do and the paragraphs of one text do not."""
    alike, rows = evidence.geometry.alike[1], evidence.blocks.rows
    parent = rows.parent[evidence.blocks.box].astype(np.int64)
    different = distinct(alike.astype(np.int64) * len(rows) + np.maximum(parent, 0)) // len(rows)
    n, n_parents = np.bincount(alike), np.bincount(different)
    spread: Bools = (n_parents >= MIN_BLOCKS) & (n_parents >= SPREAD * n)
    return spread
