"""Lines with a date below the text of a page."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats
from sitegrain.native.inputs import DATE, BlockColumns, DateRules


def dated_below(
    text: str, blocks: BlockColumns, words: Floats, kept: npt.NDArray[np.bool_], rules: DateRules
) -> bytes | None:
    """`sitegrain.native.dated_below`."""
    n = len(blocks.page)
    if len(words) != n or len(kept) != n or (n and (blocks.text_start.min() < 0 or blocks.text_end.max() > len(text))):
        raise ValueError("columns of blocks do not fit")
    found = np.zeros(n, np.uint8)
    is_prose = kept & (words >= rules.prose_words)
    for page in sorted(set(blocks.page.tolist())):
        mine = np.flatnonzero(blocks.page == page).tolist()
        told = [k for k in mine if is_prose[k]]
        if not told:
            continue
        before = 0.0
        for k in mine:
            if k > told[-1] + rules.blocks_after:
                break
            if before >= rules.before_words and words[k] <= rules.line_words:
                found[k] = DATE.search(text[blocks.text_start[k] : blocks.text_end[k]]) is not None
            before += words[k] if is_prose[k] else 0.0
        if found[mine].sum() < rules.least:
            found[mine] = 0
    return found.tobytes() if found.any() else None
