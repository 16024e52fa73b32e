"""Dialogs: what a page shows when it is asked to. By what HTML and ARIA say of them, so in any language and with any names."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

_ROLE, _DIALOG = ATTRIBUTES.index("role"), TAG_CODE["dialog"]
_ROLES = frozenset({"dialog", "alertdialog"})
SURE = 0.6
"""Mean score of what is kept of a dialog, from which it stays: shops show the description of a product in one. Out of fold 0.4 to 0.6 leave
out nothing that is gold."""
LEAST_LEFT = 0.5
"""Share of the kept words of a page that must stand elsewhere: else its dialogs are what the page shows, as in a report whose chapters open on a click.
With 0.05 WCXB has 0.882 and not 0.881, and other sets the same."""


def without_dialogs(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without those in dialogs of which nothing is sure: consent to cookies, terms, notices of a shop."""
    blocks = evidence.blocks
    rows = blocks.rows
    marked, value = rows.named(_ROLE)
    strings = rows.site.strings
    named = [v for v in set(value.tolist()) if strings[v].strip().lower() in _ROLES]
    row = np.concatenate([np.flatnonzero(rows.tag == _DIALOG), marked[np.isin(value, named)]])
    dialogs = spans_of(blocks, row)
    size = np.where(kept, evidence.words + 1.0, 0.0)
    mine = dialogs.total(size)
    dialogs = dialogs.only((mine > 0) & (dialogs.total(size * score) < SURE * mine))
    if not len(dialogs.row):
        return kept
    left = kept & ~dialogs.blocks(len(kept))
    total, rest = (np.bincount(blocks.page, np.where(some, size, 0.0)) for some in (kept, left))
    out: Bools = np.where((rest >= LEAST_LEFT * total)[blocks.page], left, kept)
    return out
