"""Footnotes: what a mark in kept text leads down to, and what leads back up to that mark, belongs to the text."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, TAG_CODE, tag_mask

_TR = TAG_CODE["tr"]
_IS_HEADING = tag_mask(HEADINGS)
_HREF, _ID, _NAME = (ATTRIBUTES.index(name) for name in ("href", "id", "name"))


LEAST_SCORE = 0.2
"""Score of a note, as of a post in `posts`, of one on the page at least: notes come together. Below it are the sources of a text, which most golds leave out (lists of 20 to 25 on two pages of
the page sets, 0.05 to 0.17)."""
CELL_DEPTH = 4
"""Elements between the sign of a note and the row of the table that it begins: a link, emphasis, a paragraph, the cell. Set beforehand."""
FEW = 10
"""Notes of a page that are kept whatever their score: more are the sources of a text."""
MAX_TEXTS = 100
"""Text nodes of a note; what has more of them is a part of the page."""


def with_footnotes(blocks: TextBlocks, score: Floats, kept: Bools) -> Bools:
    """The kept blocks with the notes that their marks lead to, where the note leads back to its mark. A note stands below its mark: a heading that
    leads back up to its line in the list of contents is none.

    A loop over the links that lead into their own page, because addresses are text.
    """
    rows, strings = blocks.rows, blocks.rows.site.strings
    link, value = rows.named(_HREF)
    urls, first_page = rows.site.pages.url, rows.first_page
    own = []
    for i, v in zip(link.tolist(), value.tolist(), strict=True):
        address, sign, name = strings[v].partition("#")
        # "tea.html#n1", on a page of that name, is a place of its own.
        if sign and (not address or urls[first_page + int(rows.page[i])].endswith(f"/{address}")):
            own.append((i, name))
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
    notes: dict[int, list[list[int]]] = {}
    """Of each page."""
    for (mark, place), first in zip(leads, firsts, strict=True):
        if first <= mark or not kept[mark] or kept[first]:
            continue
        lo, hi = np.searchsorted(texts, _around(blocks, place)).tolist()
        if hi - lo > MAX_TEXTS:
            continue
        note = list({first, *block_of[lo:hi].tolist()})
        if any((block, mark) in backs for block in note):
            notes.setdefault(int(blocks.page[first]), []).append(note)
    come = [block for of_page in notes.values() if _are_text(score, of_page) for note in of_page for block in note]
    if not come:
        return kept
    out = kept.copy()
    out[come] = True
    return out


def _are_text(score: Floats, notes: list[list[int]]) -> bool:
    return len(notes) <= FEW or any(score[note].max() >= LEAST_SCORE for note in notes)


def _around(blocks: TextBlocks, place: int) -> tuple[int, int]:
    """The rows that a note stands in, given where its mark leads to: the row of a table, where that is no more than the sign in its first cell; what
    follows a heading up to the next one, where it is no more than the sign in that."""
    rows, row = blocks.rows, place
    if any(map(str.isalpha, rows.text[rows.text_start[place] : rows.text_end[place]])):
        return place, int(rows.end[place])
    while row >= 0 and place - row <= CELL_DEPTH:  # what stands in a later cell is further from the row
        if rows.tag[row] == _TR:
            return row, int(rows.end[row])
        if _IS_HEADING[rows.tag[row]]:
            return row, _next_heading(blocks, row)
        row = int(rows.parent[row])
    return place, int(rows.end[place])


def _next_heading(blocks: TextBlocks, heading: int) -> int:
    """Where what follows a heading ends: at the next one, or with the element around them; at its own end where it says more than a sign."""
    rows = blocks.rows
    end, parent = int(rows.end[heading]), int(rows.parent[heading])
    if parent < 0 or any(map(str.isalpha, rows.text[rows.text_start[heading] : rows.text_end[heading]])):
        return end
    last = int(rows.end[parent])
    for _ in range(MAX_TEXTS):
        if end >= last or _IS_HEADING[rows.tag[end]]:
            break
        end = int(rows.end[end])
    return end
