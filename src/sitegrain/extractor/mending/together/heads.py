"""What stands at the head of one of several things that are alike goes with what is under it: questions of answers, names of panels.

A heading between two kept texts of one section is kept by `headings`. In lists of questions and answers, each pair is a section of its own, and the line to
click on is often a button.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from sitegrain.arrays.trees.preorder import children, prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.together.headings import LEAST_SCORE, MOST_LINKED

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

    A loop over short lines that are left out, and over what stands beside them: a question mark is text, and few pages have any.
    """
    blocks, words = evidence.blocks, evidence.words
    is_head = ~kept[:-1] & kept[1:] & (blocks.page[:-1] == blocks.page[1:]) & (score[:-1] >= LEAST_SCORE)
    is_head &= (words[:-1] > 0) & (words[:-1] <= MAX_WORDS) & (evidence.column("link_density")[:-1] < MOST_LINKED)
    heads = np.flatnonzero(is_head)
    is_heading, is_button = (evidence.column(name)[heads] > 0 for name in ("in_heading", "in_button"))
    lines = zip(heads.tolist(), is_heading.tolist(), is_button.tolist(), strict=True)
    found = [line for line in lines if line[1] or line[2] or blocks.text(line[0]).rstrip().endswith(_QUESTION)]
    if len(found) < MIN_HEADS:
        return kept
    told = prefix_sum(np.where(kept, words, 0.0))
    families = {head: _families(blocks, head, told) for head, _, _ in found}
    n_lacking = Counter(family for mine in families.values() for family in mine)
    n_alike: dict[tuple[int, int], int] = {}
    come = []
    for head, of_heading, of_button in found:
        for family in families[head]:
            n = n_lacking[family]
            if n < (MIN_BUTTONS if of_button else MIN_HEADS):
                continue
            is_text = not of_heading and not of_button
            is_below = head > 0 and bool(kept[head - 1]) and blocks.page[head - 1] == blocks.page[head]
            if not is_text and (of_button or not is_below):
                if family not in n_alike:
                    n_alike[family] = _n_alike(blocks, *family)
                if n <= MOST * n_alike[family]:
                    continue
            come.append(head)
            break
    if not come:
        return kept
    out = kept.copy()
    out[come] = True
    return out


def _families(blocks: TextBlocks, head: int, told: Floats) -> list[tuple[int, int]]:
    """The parents and tags of the elements that begin with a block, hold another one and have kept text under it."""
    rows, first = blocks.rows, blocks.first
    above, below = int(first[head - 1]) if head else -1, int(first[head + 1])
    found = []
    row = int(rows.parent[first[head]])
    while row > above:
        if (end := int(rows.end[row])) > below and told[blocks.before[end]] - told[head] >= TEXT_WORDS:
            found.append((int(rows.parent[row]), int(rows.tag[row])))
        row = int(rows.parent[row])
    return found


def _n_alike(blocks: TextBlocks, parent: int, tag: int) -> int:
    """How many elements with this tag stand right in another and hold two blocks or more."""
    rows, before = blocks.rows, blocks.before
    alike = (row for row in children(rows.end.data, parent) if rows.tag[row] == tag)
    return sum(bool(before[rows.end[row]] - before[row] > 1) for row in alike)
