"""Panels that ask for consent to cookies, where neither their names nor their role tell them (`dialogs`): sentences that speak of cookies, side by side."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_of_page

COOKIE = ("ookie", "уки", "çerez", "Çerez", "クッキー")
"""What the word for it ends with or is, in either case: most languages have the English one, in whatever script the rest is."""
SENTENCE_WORDS, BEGINNING = 8.0, 60
"""Words of a sentence, and characters at the beginning of which the word must stand: "Strictly necessary cookies allow ..."."""
DOUBT = 0.7
"""Score up to which such a sentence may be of a panel: in a text about cookies, or about programs that write them, it scores more. Out of fold 0.75 is
the same, and with 0.65 a panel of newspaper4k stays."""
SAYS, OF_TEXT = 2, 0.2
"""Such sentences in the element around them, and share of its sentences that speak of cookies. Out of fold 0.2 leaves out nothing that is gold, with
names or without; 0.3 finds one of the four panels of WCXB that are kept without names."""
GONE = 0.8
"""Score up to which what else stands in the element goes: the names of partners, "Save my choice"."""


def without_consents(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without those of the innermost elements with two such sentences or more, if a page keeps any of these and its title does not speak
    of cookies.

    A loop over the kept sentences that are doubtful, and then over pages that have some that speak of cookies: the elements of each are looked at.
    """
    blocks, rows, words = evidence.blocks, evidence.blocks.rows, evidence.words
    may_be = (words >= SENTENCE_WORDS) & (score < DOUBT)
    # Few sentences of a page are kept and doubtful, and to read these takes a fraction of the time of reading the page.
    if not _speaks("\n".join(map(blocks.text, np.flatnonzero(may_be & kept).tolist()))):
        return kept
    places = np.array(_places(rows.text), np.int64)
    may_be &= evidence.column("in_pre") <= 0
    block = np.searchsorted(blocks.text_start, places, "right") - 1
    is_such = (block >= 0) & (places < blocks.text_end[block]) & may_be[block]
    says, begins = np.zeros(len(kept), bool), np.zeros(len(kept), bool)
    says[block[is_such]] = True
    begins[block[is_such & (places - blocks.text_start[block] < BEGINNING)]] = True
    out = kept
    for page in np.flatnonzero(np.bincount(blocks.page[begins], minlength=rows.n_pages) >= SAYS).tolist():
        of = blocks.of_page(page)
        if not (says[of] & kept[of]).any() or _speaks(rows.site.pages.title[rows.first_page + page]):
            continue
        panel = _panels(evidence, of, says, begins) & (score[of] < GONE)
        if (panel & kept[of]).any():
            out = kept.copy() if out is kept else out
            out[of] &= ~panel
    return out


def _speaks(text: str) -> bool:
    """Whether a text speaks of cookies."""
    return any(word in text for word in COOKIE)


def _places(text: str) -> list[int]:
    """Where a text speaks of cookies, word by word."""
    found = []
    for word in COOKIE:
        at = text.find(word)
        while at >= 0:
            found.append(at)
            at = text.find(word, at + len(word))
    return found


def _panels(evidence: Evidence, of: slice, says: Bools, begins: Bools) -> Bools:
    """Per block of a page: whether it stands in such an element."""
    spans = spans_of_page(evidence.blocks, of)
    spans = spans.only(spans.total(begins[of]) >= SAYS)
    end = evidence.blocks.rows.end[spans.row].astype(np.int64)
    following: Ints64 = np.append(spans.row[1:], end[-1:])  # rows are in document order: an element within comes next
    spans = spans.only(following >= end)
    size = np.where(evidence.words[of] >= SENTENCE_WORDS, evidence.words[of], 0.0)
    is_panel = spans.total(np.where(says[of], size, 0.0)) >= OF_TEXT * spans.total(size)
    return spans.only(is_panel).blocks(of.stop - of.start)
