"""What is border: blocks that one gold standard keeps and another drops, and that no model should learn from.

Content is what a reader came for: lead, paragraphs, subheadings, lists, tables, quotes and code of the text, the posts of
a thread. Not content are the page's title, bylines and dates, captions and credits, comments under an article, the lines
with the user and the date of a post, boxes and teasers. Where a gold standard says otherwise (docs/evaluation.md has
what each does), its label is not believed: such a block weighs next to nothing in training, so that the standards that
agree decide it, instead of an average of all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.tables.tags import TAG_CODE

BORDER = 0.1
"""What a border block weighs: enough to be no hole in the page for what learns from neighbours."""
_DROPPED_INSIDE: dict[str, tuple[str, ...]] = {
    "fundus": ("in_list", "in_table", "in_quote"),
    "newspaper4k": ("in_table", "in_quote", "in_heading"),
    "magic-article": ("in_heading",),
}
"""What the golds of a set leave out of the middle of a text though it is part of it."""
_USER_LINE_WORDS = 8
"""A line of a post with no more words and no sentence is about the post: user, date, rank, number."""


def border_weights(data: str, kind: str, names: Sequence[str], x: Floats32, label: Floats) -> Floats:
    """Per block of a page of a set: `BORDER` where its label is not believed, else 1."""
    is_border = np.zeros(len(label), bool)
    if not len(label):
        return np.ones(0)

    def column(name: str) -> Floats32:
        return x[:, names.index(name)]

    gold = np.flatnonzero(label > 0.5)
    is_kept = label > 0.5
    if len(gold):
        inside: Bools = np.zeros(len(label), bool)
        inside[gold[0] : gold[-1] + 1] = True
        for name in _DROPPED_INSIDE.get(data, ()):
            is_border |= inside & ~is_kept & (column(name) > 0)
    is_border |= is_kept & (column("in_figure") > 0)
    is_border |= is_kept & (column("tag") == TAG_CODE["h1"])
    if kind == "forum":
        is_line = (column("words") <= _USER_LINE_WORDS) & (column("stops") == 0) & (column("in_paragraph") == 0)
        is_border |= is_kept & is_line
    return np.where(is_border, BORDER, 1.0)


def snippet_labels(
    blocks: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]], unwanted: Sequence[Sequence[str]]
) -> tuple[Floats, Floats]:
    """Labels from snippets that a page's text must and must not hold: per block its label, and 1 where it is known.

    A snippet stands where its words stand in a row; a short one must be most of its block, or it would be found
    anywhere. A block with both kinds is not known.

    >>> snippet_labels([["home"], ["a", "cat", "sat", "down"]], [["cat", "sat"]], [["home"]])[1].tolist()
    [1.0, 1.0]
    """
    flat = [t for block in blocks for t in block]
    of = np.repeat(np.arange(len(blocks)), [len(b) for b in blocks])
    place: dict[str, list[int]] = {}
    for i, t in enumerate(flat):
        place.setdefault(t, []).append(i)
    found = np.zeros((2, len(blocks)), bool)
    for which, snippets in enumerate((unwanted, wanted)):
        for snippet in snippets:
            # The first and the last word may be cut.
            words = list(snippet[1:-1]) if len(snippet) >= 6 else list(snippet)
            if not words:
                continue
            rarest = min(range(len(words)), key=lambda k: len(place.get(words[k], ())))
            for at in place.get(words[rarest], ())[:1000]:
                begin = at - rarest
                if begin < 0 or flat[begin : begin + len(words)] != words:
                    continue
                own = np.unique(of[begin : begin + len(words)])
                size = sum(len(blocks[b]) for b in own.tolist())
                if len(words) >= 4 or size <= 2 * len(words) + 1:
                    found[which, own] = True
    return found[1].astype(np.float64), (found[0] ^ found[1]).astype(np.float64)
