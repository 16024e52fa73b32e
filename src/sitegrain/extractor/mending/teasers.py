"""Teasers of other pages below the text: an element that begins with a link to another page and goes on with what that page says.

Cards that are nothing but links are told by `cards`. These have sentences: the beginning of a story, all of the next one, who the author is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.cards import LINKED, targets
from sitegrain.extractor.mending.spans import spans_of_page
from sitegrain.extractor.pagetypes import PAGE_TYPES, TYPES_OF_ROLE
from sitegrain.extractor.stages import SITE_NAMES

_TO_READ, _TO_LEAD = ([PAGE_TYPES.index(name) for name in TYPES_OF_ROLE[role]] for role in ("article", "toc"))
_COUNT = SITE_NAMES.index("site_same_count")
SHARED = 0.8
"""Share of the words of a teaser, links left out, that other pages have word for word."""
TEASER_WORDS = 8.0
"""Words of a teaser outside of its links: less is a label or a date."""
LEAD_WORDS = 8.0
"""Words before the link that a teaser begins with: a kicker, a date, "Next story"."""
OWN_WORDS, OF_PAGE = 20.0, 0.1
"""Kept words outside of teasers and of what is like them beside them, and their share of what is kept: a page with less is a list."""
ABOVE = 0.8
"""Share of the kept text outside of teasers that must stand above one: below it there may be a line about the author."""


def without_teasers(evidence: Evidence, of_site: Floats32, votes: Callable[[], Floats], kept: Bools) -> Bools:
    """The kept blocks without teasers of other pages of the site that stand below the text and come again elsewhere; `votes` gives
    [types x pages], and pages that are rather lists keep theirs.

    A loop over the pages that keep text below a link which other pages have, too, because what stands in an element is asked there.
    """
    words, page, n_pages = evidence.words, evidence.blocks.page, evidence.geometry.n_pages
    is_link = evidence.column("link_density") >= LINKED
    shared = ~is_link & (np.nan_to_num(of_site[:, _COUNT].astype(np.float64)) > np.log(2.5))
    of_pages = np.bincount(page[kept & shared], words[kept & shared], n_pages)
    may = (of_pages >= TEASER_WORDS) & (np.bincount(page[is_link], minlength=n_pages) > 0)
    if not may.any():
        return kept
    target = targets(evidence, is_link & may[page])
    start = np.searchsorted(page, np.arange(n_pages + 1))
    out = kept
    for p in np.flatnonzero(may).tolist():
        of = slice(int(start[p]), int(start[p + 1]))
        spans = spans_of_page(evidence.blocks, of)
        linked = np.flatnonzero(target[of] >= 0)
        if not len(linked):
            continue
        begun = np.searchsorted(linked, spans.first)
        ended = np.searchsorted(linked, spans.last)
        changes = prefix_sum((np.diff(target[of][linked], prepend=-2) != 0).astype(np.int64))
        some = begun < ended
        at = np.where(some, begun, 0)
        text = np.where(is_link[of], 0.0, words[of])
        before = prefix_sum(text)
        is_item = some & (changes[ended] - changes[np.minimum(at + 1, len(linked))] == 0)
        is_item &= before[linked[at]] - before[spans.first] <= LEAD_WORDS
        said = spans.total(text)
        is_item &= said >= TEASER_WORDS
        is_teaser = is_item & (spans.total(np.where(shared[of], text, 0.0)) >= SHARED * said)
        if not is_teaser.any():
            continue
        family = spans.families(evidence.blocks)
        is_item &= np.isin(family, family[is_teaser])
        own = np.where(spans.only(is_item).blocks(len(text)) | ~kept[of], 0.0, words[of])
        if own.sum() < max(OWN_WORDS, OF_PAGE * np.where(kept[of], words[of], 0.0).sum()):
            continue
        below = is_teaser & (prefix_sum(own)[spans.first] >= ABOVE * own.sum())
        gone = spans.only(below).blocks(len(text)) & kept[of]
        if gone.any() and votes()[_TO_READ, p].sum() > votes()[_TO_LEAD, p].sum():
            out = kept.copy() if out is kept else out
            out[of] &= ~gone
    return out
