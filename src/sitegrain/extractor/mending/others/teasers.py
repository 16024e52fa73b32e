"""Teasers of other pages below the text: an element that begins with a link to another page and goes on with what that page says.

Cards that are nothing but links are told by `cards`. These have sentences: the beginning of a story, all of the next one, who the author is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.ordered import is_among
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.others.cards import LINKED, targets
from sitegrain.extractor.mending.spans import Spans, spans_of
from sitegrain.extractor.pagetypes import PAGE_TYPES, TYPES_OF_ROLE
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.tags import TEXT

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

    A loop over the pages that have such elements, because what is their own is asked page by page.
    """
    blocks, words, n_pages = evidence.blocks, evidence.words, evidence.geometry.n_pages
    page = blocks.page
    is_link = evidence.column("link_density") >= LINKED
    shared = ~is_link & (np.nan_to_num(of_site[:, _COUNT].astype(np.float64)) > np.log(2.5))
    of_pages = np.bincount(page[kept & shared], words[kept & shared], n_pages)
    may = (of_pages >= TEASER_WORDS) & (np.bincount(page[is_link], minlength=n_pages) > 0)
    if not may.any():
        return kept
    items = _items(evidence, is_link, may)
    text = np.where(is_link, 0.0, words)
    is_teaser = items.total(np.where(shared, text, 0.0)) >= SHARED * items.total(text)
    page_of = page[items.first]
    out = kept
    for p in np.flatnonzero(np.bincount(page_of[is_teaser], minlength=n_pages)).tolist():
        of = blocks.of_page(p)
        mine = np.flatnonzero(page_of == p)
        teaser, spans = is_teaser[mine], items.only(mine).moved(-of.start)
        family = spans.families(blocks)
        size = np.where(kept[of], words[of], 0.0)
        own = np.where(spans.only(is_among(family, family[teaser])).blocks(len(size)), 0.0, size)
        if own.sum() < max(OWN_WORDS, OF_PAGE * size.sum()):
            continue
        below = teaser & (prefix_sum(own)[spans.first] >= ABOVE * own.sum())
        gone = spans.only(below).blocks(len(size)) & kept[of]
        if gone.any() and votes()[_TO_READ, p].sum() > votes()[_TO_LEAD, p].sum():
            out = kept.copy() if out is kept else out
            out[of] &= ~gone
    return out


def _items(evidence: Evidence, is_link: Bools, may: Bools) -> Spans:
    """The elements of some pages that begin with a link to another page, go on with text, and lead to no other."""
    blocks = evidence.blocks
    target = targets(evidence, is_link & may[blocks.page])
    linked = np.flatnonzero(target >= 0)
    before = prefix_sum(np.where(is_link, 0.0, evidence.words))
    spans = spans_of(blocks, np.flatnonzero((blocks.rows.tag != TEXT) & may[blocks.rows.page]))
    spans = spans.only(before[spans.last] - before[spans.first] >= TEASER_WORDS)
    begun, ended = np.searchsorted(linked, spans.first), np.searchsorted(linked, spans.last)
    has_link = begun < ended
    spans, begun, ended = spans.only(has_link), begun[has_link], ended[has_link]
    changes = prefix_sum((np.diff(target[linked], prepend=-2) != 0).astype(np.int64))
    is_item = changes[ended] == changes[begun + 1]
    is_item &= before[linked[begun]] - before[spans.first] <= LEAD_WORDS
    return spans.only(is_item)
