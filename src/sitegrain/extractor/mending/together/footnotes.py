"""Footnotes: what a mark in kept text leads down to, and what leads back up to that mark, belongs to the text."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import ATTRIBUTES

_HREF, _ID, _NAME = (ATTRIBUTES.index(name) for name in ("href", "id", "name"))


LEAST_SCORE = 0.2
"""Score of a note, as of a post in `posts`: below it are the sources of a text, which most golds leave out (lists of 20 to 25 on two pages of
the page sets, 0.05 to 0.17)."""
MAX_TEXTS = 100
"""Text nodes of a note; what has more of them is a part of the page."""


def with_footnotes(blocks: TextBlocks, score: Floats, kept: Bools) -> Bools:
    """The kept blocks with the notes that their marks lead to, where the note leads back to its mark. A note stands below its mark: a heading that
    leads back up to its line in the list of contents is none.

    A loop over the links that lead into their own page, because addresses are text.
    """
    rows, strings = blocks.rows, blocks.rows.site.strings
    link, value = rows.named(_HREF)
    own = [(i, strings[v][1:]) for i, v in zip(link.tolist(), value.tolist(), strict=True) if strings[v][:1] == "#"]
    if len(own) < 2:
        return kept
    texts = np.flatnonzero(blocks.node_block >= 0)
    block_of = blocks.node_block[texts]

    def blocks_at(rows: list[int]) -> list[int]:
        """The block of the first text of each element, or of the one after it, if it is empty; -1 where there is none."""
        found: list[int] = np.append(block_of, -1)[np.searchsorted(texts, rows)].tolist()
        return found

    marks = blocks_at([i for i, _ in own])
    if (
        len({bool(kept[mark]) for mark in marks if mark >= 0}) < 2
    ):  # of most pages: what leads into them is all of a menu, or all kept
        return kept
    wanted = {name for _, name in own if name}
    row, value = rows.named(_ID, _NAME)
    places: dict[tuple[int, str], int] = {}
    for i, v in zip(row.tolist(), value.tolist(), strict=True):
        if strings[v] in wanted:
            places.setdefault((int(rows.page[i]), strings[v]), i)
    found = [places.get((int(rows.page[i]), name), -1) for i, name in own]
    leads = [(mark, place) for mark, place in zip(marks, found, strict=True) if mark >= 0 and place >= 0]
    # (block of a link, element that it leads to, block of that), and the same by blocks.
    firsts = blocks_at([place for _, place in leads])
    backs = {(mark, first) for (mark, _), first in zip(leads, firsts, strict=True)}
    out: Bools | None = None
    for (mark, place), first in zip(leads, firsts, strict=True):
        if first <= mark or not kept[mark] or kept[first]:
            continue
        lo, hi = np.searchsorted(texts, [place, int(rows.end[place])]).tolist()
        if hi - lo > MAX_TEXTS:
            continue
        note = list({first, *block_of[lo:hi].tolist()})
        if score[note].max() >= LEAST_SCORE and any((block, mark) in backs for block in note):
            out = kept.copy() if out is None else out
            out[note] = True
    return kept if out is None else out
