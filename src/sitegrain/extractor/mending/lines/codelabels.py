"""A label above a program that names its language, as the box around it does, is the theme's."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.tables.tags import ATTRIBUTES, tag_mask

_CLASS = ATTRIBUTES.index("class")
_IS_CODE = tag_mask(("pre", "xmp"))
MAX_WORDS = 1.0
"""Words of such a label."""
_NAMES = ("language-", "lang-", "highlight-", "hl-", "brush-", "code-")


def without_code_labels(blocks: TextBlocks, words: Floats, kept: Bools) -> Bools:
    """The kept blocks without such labels, which stand in the element around the program, right above it.

    A loop over single words right above programs, because names are text.
    """
    rows = blocks.rows
    is_code = _IS_CODE[rows.tag[blocks.box]]
    if not is_code.any():
        return kept
    may_be = np.flatnonzero(kept[:-1] & (words[:-1] <= MAX_WORDS) & ~is_code[:-1] & is_code[1:])
    may_be = may_be[blocks.page[may_be] == blocks.page[may_be + 1]]
    if not len(may_be):
        return kept
    # The program's own element, the one around it, and the ones in it may name the language.
    code = blocks.box[may_be + 1]
    around = rows.parent[code]
    is_inside = (around >= 0) & (blocks.first[may_be] > around)
    near = {row for top, up in zip(code.tolist(), around.tolist(), strict=True) for row in (up, top, top + 1)}
    row, value = rows.named(_CLASS)
    strings = rows.site.strings
    named = zip(row.tolist(), value.tolist(), strict=True)
    names = {i: strings[v].lower().split() for i, v in named if i in near}
    out = kept
    for block, top, up, inside in zip(may_be.tolist(), code.tolist(), around.tolist(), is_inside.tolist(), strict=True):
        label = blocks.text(block).strip().lower()
        wanted = {name + label for name in _NAMES}
        if inside and label and any(wanted.intersection(names.get(i, ())) for i in (up, top, top + 1)):
            out = kept.copy() if out is kept else out
            out[block] = False
    return out
