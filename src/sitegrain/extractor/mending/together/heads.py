"""What stands at the head of one of several things that are alike goes with what is under it: questions of answers, names of panels.

A heading between two kept texts of one section is kept by `headings`. In lists of questions and answers, each pair is a section of its own, and the line to
click on is often a button.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import Spans, spans_of
from sitegrain.extractor.mending.together.headings import LEAST_SCORE, MOST_LINKED
from sitegrain.tables.tags import TEXT

MAX_WORDS, TEXT_WORDS = 15.0, 8.0
"""Words of a head, and kept words under it. Set beforehand."""
MIN_HEADS, MIN_BUTTONS = 2, 3
"""Things alike whose heads are left out, and those whose heads are in buttons: "Add to cart" is none. Out of fold, nine of ten words of headings that come where most
of the things lack theirs are gold, and two of three words of buttons."""
MOST = 0.5
"""Share of the things alike that lack their heads from which on headings come wherever they stand, and buttons at all."""
_QUESTION = ("?", "？", "؟")


def with_heads(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks with the heads of those elements that are alike, which have kept text right under them.

    A loop over short lines that are left out, for a question mark is text.
    """
    blocks, words = evidence.blocks, evidence.words
    is_heading, is_button = (evidence.column(name) > 0 for name in ("in_heading", "in_button"))
    is_head = ~kept[:-1] & kept[1:] & (blocks.page[:-1] == blocks.page[1:]) & (score[:-1] >= LEAST_SCORE)
    is_head &= (words[:-1] > 0) & (words[:-1] <= MAX_WORDS) & (evidence.column("link_density")[:-1] < MOST_LINKED)
    head = np.flatnonzero(is_head)
    is_question = [blocks.text(k).rstrip().endswith(_QUESTION) for k in head.tolist()]
    head = head[is_heading[head] | is_button[head] | np.array(is_question, bool)]
    if len(head) < MIN_HEADS:
        return kept
    found, of_family = _lacking(evidence, head, kept)
    is_most = of_family[:, 1] > MOST * of_family[:, 0]
    at = found.first
    is_below = (at > 0) & kept[at - 1] & (blocks.page[at - 1] == blocks.page[at])
    comes = np.where(
        is_button[at],
        is_most & (of_family[:, 1] >= MIN_BUTTONS),
        (of_family[:, 1] >= MIN_HEADS) & (~is_heading[at] | is_most | is_below),
    )
    if not comes.any():
        return kept
    out = kept.copy()
    out[at[comes]] = True
    return out


def _lacking(evidence: Evidence, head: Ints64, kept: Bools) -> tuple[Spans, Ints64]:
    """The elements of two blocks or more that begin with one of these heads and have kept text under it; and for each of them how many
    are like it, and how many of those lack their heads."""
    blocks = evidence.blocks
    found = spans_of(blocks, np.flatnonzero(blocks.rows.tag != TEXT))
    found = found.only(found.last - found.first > 1)
    is_head = np.zeros(len(kept), bool)
    is_head[head] = True
    lacks = is_head[found.first] & (found.total(np.where(kept, evidence.words, 0.0)) >= TEXT_WORDS)
    _, family, n_alike = np.unique(found.families(blocks), return_inverse=True, return_counts=True)
    n_lacking = np.bincount(family, lacks, len(n_alike))
    return found.only(lacks), np.stack([n_alike, n_lacking], axis=1)[family[lacks]]
