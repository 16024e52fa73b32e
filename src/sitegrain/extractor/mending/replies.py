"""What a page says around the field in which readers may answer: rules, thanks, what happens to their address."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.tables.tags import TAG_CODE

_ARTICLE, _FORUM = PAGE_TYPES.index("article"), PAGE_TYPES.index("forum")
_FIELD = TAG_CODE["textarea"]
BEFORE_WORDS = 100.0
"""Kept words above the form: the text that is answered."""
OF_TEXT = 0.25
"""Kept words around the form, as a share of those above it: more are no notes on it."""
MAX_UP, MAX_FIELDS = 12, 4
"""Elements around a field, and fields of a page, that are looked at."""
LEAST_ARTICLE, TO_FORUM = 0.3, 3.0
"""Votes as for what stands below an article (`below.py`): posts of a thread follow one another, and a form follows the last."""


def without_form_notes(evidence: Evidence, votes: Callable[[], Floats], kept: Bools) -> Bools:
    """The kept blocks without those in the widest element around a field for answers that has none of the text above it; `votes` gives
    [types x pages].

    A loop over such fields: a page has one, below its text.
    """
    blocks = evidence.blocks
    rows = blocks.rows
    fields = np.flatnonzero(rows.tag == _FIELD)
    if not len(fields):
        return kept
    words = prefix_sum(np.where(kept, evidence.words, 0.0))
    start = np.searchsorted(blocks.page, np.arange(evidence.geometry.n_pages + 1))
    out, by_type, seen = kept, None, dict[int, int]()
    for field in fields.tolist():
        page = int(rows.page[field])
        seen[page] = seen.get(page, 0) + 1
        if seen[page] > MAX_FIELDS:
            continue
        first, last = _around(evidence, field, words, int(start[page]))
        if words[last] == words[first]:
            continue
        by_type = votes() if by_type is None else by_type
        if by_type[_ARTICLE, page] >= max(LEAST_ARTICLE, TO_FORUM * by_type[_FORUM, page]):
            out = kept.copy() if out is kept else out
            out[first:last] = False
    return out


def _around(evidence: Evidence, field: int, words: Floats, first_of_page: int) -> tuple[int, int]:
    """First and last block of the widest element around a field that begins below a text and has little of it."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    found, row = (0, 0), int(rows.parent[field])
    for _ in range(MAX_UP):
        if row < 0:
            break
        first, last = np.searchsorted(blocks.first, (row, rows.end[row])).tolist()
        above = float(words[first] - words[first_of_page])
        if above < BEFORE_WORDS or float(words[last] - words[first]) > OF_TEXT * above:
            break
        found, row = (first, last), int(rows.parent[row])
    return found
