"""What stands below the text of an article, outside the element around it, and is doubtful as a whole."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_around
from sitegrain.extractor.mending.votes import are_articles

SURE, SURE_WORDS = 0.8, 100.0
"""Score of the text that tells where an article stands, and words of it that there must be."""
OF_TEXT = 0.9
"""Share of that text in the element around it. Out of fold 0.7 gives the same; with 0.5 the second half of a text goes, where it is cut in two."""
DOUBT = 0.6
"""Mean score of what stands below. Block by block such text is kept where little else is, since the best expected F1 takes blocks for independent,
which those of one box are not. Out of fold what scores 0.5 to 0.6 there is better left out on 17 pages and worse on two; from 0.6 to 0.7 it is four
and eight."""


def without_below(evidence: Evidence, score: Floats, votes: Floats, kept: Bools) -> Bools:
    """The kept blocks without those after the element around the text of an article, if their mean score is low; `votes` is [2 x pages], for an
    article and for a forum.

    A loop over the articles that have doubtful text below: the elements around its text are looked at.
    """
    is_article = are_articles(*votes)
    if not is_article.any():
        return kept
    blocks, words, n_pages = evidence.blocks, evidence.words, evidence.geometry.n_pages
    sure = np.where(kept & (score >= SURE), words, 0.0)
    doubtful = kept & (score < DOUBT)
    total, n_doubtful = np.bincount(blocks.page, sure, n_pages), np.bincount(blocks.page, doubtful, n_pages)
    out = kept
    for p in np.flatnonzero((total >= SURE_WORDS) & (n_doubtful > 0) & is_article).tolist():
        of = blocks.of_page(p)
        # That element ends where so much of the text has been said, or later: elements are looked at only if something doubtful follows.
        so_far = np.cumsum(sure[of])
        said = int(np.searchsorted(so_far, OF_TEXT * total[p] * (1 - 1e-9)))
        if not doubtful[of.start + said + 1 : of.stop].any():
            continue
        # What holds most of the text stands around its middle.
        spans = spans_around(blocks, of, of.start + int(np.searchsorted(so_far, total[p] / 2)))
        below = of.start + int(spans.last[spans.home(sure[of], OF_TEXT)])
        after = slice(below, of.stop)
        size = np.where(kept[after], words[after] + 1.0, 0.0)
        if not size.any() or size @ score[after] >= DOUBT * size.sum():
            continue
        out = kept.copy() if out is kept else out
        out[after] = False
    return out
