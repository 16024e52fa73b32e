"""The running words of a site, for methods that slide a window over text.

Every word counts here, stop words and numbers too: a window is text as it stands, not a bag of terms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Hashes, Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.site import Site
from sitegrain.text.words import running_words


@dataclass(frozen=True, eq=False)
class Tokens:
    """All words of a site in document order."""

    node_offset: Ints64
    """Words of the subtree of row i are node_offset[i]:node_offset[end[i]]."""
    hash: Hashes
    page_offset: Ints64
    """Words of page p are page_offset[p]:page_offset[p+1]."""


def site_tokens(site: Site) -> Tokens:
    """The words of every text node; a text that repeats is cut into words once."""
    lists = [running_words(text) for text in site.unique_texts]
    ids: dict[str, int] = {}
    flat = np.array([ids.setdefault(w, len(ids)) for ws in lists for w in ws], np.int64)
    size = np.array([len(ws) for ws in lists], np.int64)
    rows = site.text_rows
    per_node = np.zeros(site.n_nodes, np.int64)
    if len(rows):
        per_node[rows] = size[site.text_id[rows]]
    node_offset = offsets(per_node)
    occurrence = take_segments(flat, offsets(size), site.text_id[rows])
    return Tokens(node_offset, string_hashes(ids)[occurrence], node_offset[site.pages.node_offset])
