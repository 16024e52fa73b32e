"""Captions of pictures: doubtful lines that share an element with a picture and with nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.others.below import SURE, SURE_WORDS
from sitegrain.extractor.mending.votes import are_articles
from sitegrain.tables.tags import TAG_CODE

_IMG = TAG_CODE["img"]
CAPTION_SCORE = 0.65
"""What a caption scores less than, and all that shares the element with it. Out of fold 0.6 to 0.7 do the same; from 0.8 on paragraphs beside pictures go."""
MAX_WORDS, MOST_BLOCKS = 80.0, 2
"""Words of a caption, and blocks of an element with a picture: a caption and whose picture it is."""
OF_TEXT = 1 / 3
"""Share of the kept words that captions may have: where they have more, the pictures and what is said of them are the text. Set beforehand."""


def without_captions(evidence: Evidence, score: Floats, votes: Callable[[], Floats], kept: Bools) -> Bools:
    """The kept blocks without captions on pages that are articles with text that is sure; `votes` gives [types x pages].

    A loop over doubtful short blocks of such pages: what each stands in is looked at until it holds more.
    """
    blocks, words, n_pages = evidence.blocks, evidence.words, evidence.geometry.n_pages
    is_picture = blocks.rows.tag == _IMG
    some = kept & (score < CAPTION_SCORE) & (words <= MAX_WORDS)
    if not some.any() or not is_picture.any():
        return kept
    sure = np.bincount(blocks.page, np.where(kept & (score >= SURE), words, 0.0), n_pages)
    some &= (sure[blocks.page] >= SURE_WORDS) & (evidence.column("in_table") <= 0)
    may_be = (score < CAPTION_SCORE) & (evidence.column("in_heading") <= 0)
    found = [block for block in np.flatnonzero(some).tolist() if _shares_picture(evidence, block, may_be, is_picture)]
    if not found:
        return kept
    size = np.where(kept, words, 0.0)
    total, of_captions = np.bincount(blocks.page, size, n_pages), np.bincount(blocks.page[found], size[found], n_pages)
    is_such = are_articles(votes()) & (of_captions <= OF_TEXT * total)
    left_out = np.array(found)[is_such[blocks.page[found]]]
    if not len(left_out):
        return kept
    out = kept.copy()
    out[left_out] = False
    return out


def _shares_picture(evidence: Evidence, block: int, may_be: Bools, is_picture: Bools) -> bool:
    """Whether an element around a block holds a picture, and no text but what may be of a caption."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    row = int(blocks.box[block])
    while row >= 0:
        end = int(rows.end[row])
        first, last = np.searchsorted(blocks.first, (row, end)).tolist()
        if last - first > MOST_BLOCKS or not may_be[first:last].all():
            return False
        if is_picture[row:end].any():
            return True
        row = int(rows.parent[row])
    return False
