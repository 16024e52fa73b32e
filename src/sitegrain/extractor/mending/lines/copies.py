"""The same text twice on one page counts once: a hidden copy, a print or mobile version, a teaser of the text itself, and the title of a
thread that stands above every post, with "Re:" or without."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.light import late_pattern
from sitegrain.native.columns import NUMBERS

_COPY_WORDS = NUMBERS["COPY_WORDS"]
TIMES = 3
"""Headings of a page that say its title, from which those after the first are subjects of posts: a title twice is that of the page and of its text."""
LIKE_TITLE = 0.6
"""Share of the words of such headings that the title has, "Re:" among the others: where fewer have so many, nothing is read."""
_ANSWER = late_pattern(
    r"\W*(?:(?:re|aw|antw|sv|vs|odp|ynt|res|rif|回复|回覆|答复|返信|ответ)\s*(?:\[\d+\])?\s*[:：]\s*)+", re.IGNORECASE
)
_WORD = re.compile(r"\w+")


def kept_once(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without copies: of blocks of a page with the same text, the one with the best score, or the first.

    Quotes may repeat what they quote, and a text may repeat itself: the same cell in two tables, the same note under two headings. Such blocks
    are of the same tag and depth, with text between them that stands there once: of 326 on the labelled pages 282 are twice in the gold, 20
    once and 24 nowhere; a copy of a whole text has nothing of its own between. A loop over the few blocks that have a copy, because they are text.
    """
    has_copy = (evidence.column("copies_before") > 0) | (evidence.column("copies_after") > 0)
    some = np.flatnonzero(kept & has_copy & (evidence.words >= _COPY_WORDS) & (evidence.column("in_quote") == 0))
    if len(some) < 2:
        return kept
    blocks, rows = evidence.blocks, evidence.blocks.rows
    box = blocks.box[some]
    n_once: Ints64 | None = None
    of_box = zip(blocks.page[some].tolist(), rows.tag[box].tolist(), rows.depth[box].tolist(), strict=True)
    places = dict(zip(some.tolist(), of_box, strict=True))
    left_out: list[int] = []
    best: dict[tuple[int, str], int] = {}
    for block, place in places.items():
        key = place[0], blocks.text(block)
        other = best.setdefault(key, block)
        if other == block:
            continue
        if places[other] == place and n_once is None:
            n_once = prefix_sum(kept & ~has_copy)
        if places[other] == place and n_once is not None and n_once[block] > n_once[other]:
            best[key] = block
        else:
            worse = other if score[block] > score[other] else block
            best[key] = other + block - worse
            left_out.append(worse)
    return without(kept, left_out)


def without_echoes(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without headings that say what the heading right before them says: the two sides of a card, a title for wide and one for
    narrow screens.

    A loop over headings right after others, because they are text.
    """
    blocks, is_heading = evidence.blocks, evidence.column("in_heading") > 0
    some = np.flatnonzero(kept)
    is_heading &= evidence.column("in_table") <= 0  # cells may say the same
    again = is_heading[some[1:]] & is_heading[some[:-1]] & (blocks.page[some[1:]] == blocks.page[some[:-1]])
    pairs = zip(some[:-1][again].tolist(), some[1:][again].tolist(), strict=True)
    return without(kept, [block for before, block in pairs if blocks.text(before) == blocks.text(block)])


def without_subjects(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without the headings that say the title of their page again, if three or more do.

    A loop over the headings of pages of which as many have the words of the title, because they are text.
    """
    match = evidence.column("title_match")  # of headings alone
    of_title = match >= LIKE_TITLE
    if np.count_nonzero(of_title) < TIMES:
        return kept
    page = evidence.blocks.page
    many = np.bincount(page[of_title], minlength=evidence.geometry.n_pages) >= TIMES
    if not many.any():
        return kept
    said = [
        (block, subject(evidence.blocks.text(block))) for block in np.flatnonzero((match > 0) & many[page]).tolist()
    ]
    of_page = page.tolist() if len(said) > len(page) // 2 else {block: int(page[block]) for block, _ in said}
    times = Counter((of_page[block], words) for block, words in said if words)
    again = {key for key, n in times.items() if n >= TIMES}
    if not again:
        return kept
    site, first = evidence.blocks.rows.site, evidence.blocks.rows.first_page
    titles = {at: subject(site.pages.title[first + at]) for at, _ in again}
    again = {(at, words) for at, words in again if f" {words} " in f" {titles[at]} "}
    seen: set[tuple[int, str]] = set()
    out = kept.copy()
    for block, words in said:
        if (key := (of_page[block], words)) in again:
            out[block] &= key not in seen
            seen.add(key)
    return out if (out != kept).any() else kept


def subject(text: str) -> str:
    """The words of a subject, without what says that it is an answer.

    >>> subject("Re: AW: Tea, how long?"), subject("Research: tea")
    ('tea how long', 'research tea')
    """
    answer = _ANSWER.match(text)
    return " ".join(_WORD.findall(text[answer.end() if answer else 0 :].lower()))
