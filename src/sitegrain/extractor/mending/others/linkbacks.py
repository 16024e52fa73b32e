"""Lists of the pages that link to this one, as blogs and boards print them below a text: trackbacks, pingbacks, linkbacks."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.ordered import distinct, is_among
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.tables.tags import ATTRIBUTES

_CLASS, _ID = ATTRIBUTES.index("class"), ATTRIBUTES.index("id")
_LINKBACK = re.compile(r"(?:^|[\s_-])(?:track|ping|link)backs?(?:$|[\s_-])", re.IGNORECASE)
"""What programs call such a list and what is in it, in whatever language they write."""
_ENDS = ("kback", "gback")
"""One of these stands in all of them."""
OWN_WORDS = 20.0
"""Words of a page that are kept outside of such a list, at least: a page with less is a list of links. A short question may have many."""


def without_linkbacks(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without those in elements that are called trackbacks or the like.

    A loop over such elements, of which most sites have none.
    """
    blocks, rows = evidence.blocks, evidence.blocks.rows
    row, value = rows.named(_CLASS, _ID)
    names = {v: rows.site.strings[v] for v in distinct(value).tolist()}
    said = "\n".join(names.values()).lower()
    if not any(end in said for end in _ENDS):  # of most sites one look at all names tells that there is none
        return kept
    such = [v for v, name in names.items() if _LINKBACK.search(name)]
    if not such:
        return kept
    top = distinct(row[is_among(value, np.array(such))])
    first, last = blocks.before[top], blocks.before[rows.end[top]]
    size = np.where(kept, evidence.words, 0.0)
    n_words = prefix_sum(size)
    of_page = np.bincount(blocks.page, size, evidence.geometry.n_pages)
    out = kept
    for a, z in zip(first.tolist(), last.tolist(), strict=True):
        if kept[a:z].any() and of_page[blocks.page[a]] - (n_words[z] - n_words[a]) >= OWN_WORDS:
            out = kept.copy() if out is kept else out
            out[a:z] = False
    return out
