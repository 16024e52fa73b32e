"""Captions of pictures: doubtful lines that share an element with a picture and with nothing else."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.others.below import SURE, SURE_WORDS
from sitegrain.tables.tags import TAG_CODE

_IMG = TAG_CODE["img"]
CAPTION_SCORE = 0.65
"""What a caption scores less than, and all that shares the element with it. Out of fold 0.6 to 0.7 do the same; from 0.8 on paragraphs beside pictures go."""
MAX_WORDS, MOST_BLOCKS = 80.0, 2
"""Words of a caption, and blocks of an element with a picture: a caption and whose picture it is."""
OF_TEXT = 1 / 3
"""Share of the kept words that captions may have: where they have more, the pictures and what is said of them are the text. Set beforehand."""


def without_captions(evidence: Evidence, score: Floats, is_article: Bools, kept: Bools) -> Bools:
    """The kept blocks without captions on those pages that are articles and have text that is sure."""
    blocks, words, n_pages = evidence.blocks, evidence.words, evidence.geometry.n_pages
    is_picture = blocks.rows.tag == _IMG
    some = kept & (score < CAPTION_SCORE) & (words <= MAX_WORDS) & is_article[blocks.page]
    if not some.any() or not is_picture.any():
        return kept
    sure = np.bincount(blocks.page, np.where(kept & (score >= SURE), words, 0.0), n_pages)
    some &= (sure[blocks.page] >= SURE_WORDS) & (evidence.column("in_table") <= 0)
    if not some.any():
        return kept
    may_be = (score < CAPTION_SCORE) & (evidence.column("in_heading") <= 0)
    found = _beside_pictures(evidence, np.flatnonzero(some), may_be, is_picture)
    if not len(found):
        return kept
    size = np.where(kept, words, 0.0)
    total, of_captions = np.bincount(blocks.page, size, n_pages), np.bincount(blocks.page[found], size[found], n_pages)
    is_such = of_captions <= OF_TEXT * total
    left_out = found[is_such[blocks.page[found]]]
    if not len(left_out):
        return kept
    out = kept.copy()
    out[left_out] = False
    return out


def _beside_pictures(evidence: Evidence, some: Ints64, may_be: Bools, is_picture: Bools) -> Ints64:
    """Those of some blocks around which an element holds a picture, and no text but what may be of a caption.

    A loop over the elements around all of them at once, from the innermost one up.
    """
    blocks, rows = evidence.blocks, evidence.blocks.rows
    n_others, n_pictures = prefix_sum(~may_be), prefix_sum(is_picture)
    found = []
    row = blocks.box[some].astype(np.int64)
    while len(some):
        end = rows.end[row]
        first, last = np.searchsorted(blocks.first, (row, end))
        holds_no_more = (last - first <= MOST_BLOCKS) & (n_others[last] == n_others[first])
        has_picture = n_pictures[end] > n_pictures[row]
        found.append(some[holds_no_more & has_picture])
        higher = holds_no_more & ~has_picture & (rows.parent[row] >= 0)
        some, row = some[higher], rows.parent[row[higher]].astype(np.int64)
    return np.concatenate(found) if found else some
