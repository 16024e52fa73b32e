"""Links in a heading that lead to the editor of its section: wikis write "[edit]" behind every heading."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TEXT

_A, _HREF = TAG_CODE["a"], ATTRIBUTES.index("href")
BESIDE = 3
"""Rows between such a link and the signs around it."""
_EDITOR = re.compile(r"[?&;](?:ve)?(?:action|do)=edit\b", re.IGNORECASE)


def without_edit_links(evidence: Evidence, kept: Bools, node_kept: Bools) -> Bools:
    """The kept rows without the text of such links in kept headings, and without the signs beside them.

    A loop over headings of which a part is a link, because addresses and signs are text.
    """
    links = evidence.column("link_density")
    some = np.flatnonzero(kept & (evidence.column("in_heading") > 0) & (links > 0) & (links < 1))
    if not len(some):
        return node_kept
    rows, blocks = evidence.blocks.rows, evidence.blocks
    link, value = rows.named(_HREF)
    out = node_kept.copy()
    for block in some.tolist():
        first, last = int(blocks.first[block]), int(blocks.last[block])
        at = slice(*np.searchsorted(link, (first, last + 1)).tolist())
        edits = [
            row
            for row, of in zip(link[at].tolist(), value[at].tolist(), strict=True)
            if rows.tag[row] == _A and _EDITOR.search(rows.site.strings[of])
        ]
        for row in edits:
            out[row : rows.end[row]] = False
        texts = [row for row in range(first, last + 1) if rows.tag[row] == TEXT] if edits else []
        for row in texts:
            said = rows.text[rows.text_start[row] : rows.text_end[row]]
            out[row] &= any(map(str.isalnum, said)) or not _is_beside(row, edits, rows.end)
    return out


def _is_beside(row: int, edits: list[int], end: np.ndarray) -> bool:
    """Whether a text stands right before or behind one of these links, or between them; elements may begin in between."""
    k = bisect_left(edits, row)
    return (k < len(edits) and edits[k] - row <= BESIDE) or (k > 0 and 0 <= row - end[edits[k - 1]] <= BESIDE)
