"""What a page says where it has a film, a sound or a drawing, for programs that cannot show it: "Your browser does not support the video tag". By the
elements of HTML, so in any language."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.tables.tags import TAG_CODE

_AUDIO, _VIDEO, _CANVAS = (TAG_CODE[name] for name in ("audio", "video", "canvas"))
_CODES = tuple(bytes([code]) for code in (_AUDIO, _VIDEO, _CANVAS))
LINKED = 0.5
"""Share of what is said there from which it is a link to the film itself, and stays: a wiki of the labelled sites has 83 of them, and they are gold."""
MOST = 0.5
"""Share of the kept words of a page that they may be: a page that has more was made for such programs. Set beforehand."""


def without_fallbacks(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without those within films, sounds and drawings."""
    blocks, tag = evidence.blocks, evidence.blocks.rows.tag
    codes = tag.tobytes()  # to look for three bytes takes a fraction of the time of three comparisons of numbers
    if not any(code in codes for code in _CODES):
        return kept
    shown = np.flatnonzero((tag == _AUDIO) | (tag == _VIDEO) | (tag == _CANVAS))
    is_said = spans_of(blocks, shown).blocks(len(kept)) & kept
    if not is_said.any():
        return kept
    left = kept & ~(is_said & (evidence.column("link_density") < LINKED))
    words = evidence.words + 1.0
    total, rest = (np.bincount(blocks.page, np.where(some, words, 0.0)) for some in (kept, left))
    out: Bools = np.where((rest >= MOST * total)[blocks.page], left, kept)
    return kept if np.array_equal(out, kept) else out
