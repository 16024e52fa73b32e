"""Notes that several pages print beside their text: the latest posts, comments or dates of a site, word for word the same on each of them."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.dates import dated
from sitegrain.extractor.mending.spans import spans_of_page
from sitegrain.extractor.stages import SITE_NAMES

_COUNT, _DISTINCT = map(SITE_NAMES.index, ("site_same_count", "path_distinct"))
MIN_PAGES = 3
"""Pages that must have a text word for word. Out of fold 2 to 3 find the same, and 5 half of it."""
MOST_DISTINCT = 0.5
"""Share of the texts at a place of the site that differ, up to which what stands there comes again, though this very text may be on one page."""
MIN_DATES = 3
"""Lines with a date of such notes: without them, half of what several pages have outside their own text is gold."""
OF_NOTES = 0.8
"""Share of the words of the notes, dates left out, that so many pages must have."""
OF_OWN = 0.8
"""Share of the text of its own that the element around the text of a page has. What stands in it belongs to the text, such as the list of a series."""
NOTE_WORDS, OWN_WORDS = 20.0, 20.0
"""Words of the notes, and of the text that no other page has."""


def without_notes(evidence: Evidence, of_site: Floats32, kept: Bools) -> Bools:
    """The kept blocks without dated notes that other pages have, too, and that stand outside the element around the page's own text.

    A loop over the pages that keep such text and have dates: what is their own is asked page by page.
    """
    blocks, words = evidence.blocks, evidence.words
    page, n_pages = blocks.page, evidence.geometry.n_pages
    count = np.expm1(np.nan_to_num(of_site[:, _COUNT].astype(np.float64)))
    again = of_site[:, _DISTINCT] <= MOST_DISTINCT
    others, alone = (count > MIN_PAGES - 0.5) | again, (count < 1.5) & ~again
    is_code = (
        evidence.column("in_pre") > 0
    )  # what a machine writes down has times, too, and says the same on several pages of a manual
    others &= ~is_code
    size = np.where(kept, words, 0.0)
    mine, shared = (np.bincount(page, np.where(some, size, 0.0), n_pages) for some in (alone, others))
    may = (mine >= OWN_WORDS) & (shared > 0)
    if not may.any():
        return kept
    is_date = dated(evidence, may[page] & ~is_code)
    out = kept
    for p in np.flatnonzero(np.bincount(page[is_date], minlength=n_pages) >= MIN_DATES).tolist():
        of = blocks.of_page(p)
        dates = is_date[of]
        own = np.where(alone[of] & ~dates, size[of], 0.0)
        notes = _notes(evidence, of, dates, own, np.where(others[of], words[of], 0.0))
        if (notes & kept[of]).any():
            out = kept.copy() if out is kept else out
            out[of] &= ~notes
    return out


def _notes(evidence: Evidence, of: slice, dates: Bools, own: Floats, shared: Floats) -> Bools:
    """Per block of a page: whether it is of such notes."""
    if own.sum() < OWN_WORDS:
        return np.zeros(len(dates), bool)
    spans = spans_of_page(evidence.blocks, of)
    text = spans.total(np.where(dates, 0.0, evidence.words[of]))
    home = spans.home(own, OF_OWN)
    is_note = (spans.total(dates) >= MIN_DATES) & (text >= NOTE_WORDS)
    is_note &= spans.total(np.where(dates, 0.0, shared)) >= OF_NOTES * text
    is_note &= (spans.last <= spans.first[home]) | (spans.first >= spans.last[home])
    return spans.only(is_note).blocks(len(dates))
