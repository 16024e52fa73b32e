"""The running words of a site, for methods that slide a window over text.

Every word counts here, stop words and numbers too: a window is text as it stands, not a bag of terms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from sitegrain.arrays.hashing import string_hashes
from sitegrain.arrays.types import Hashes, Ints64
from sitegrain.tables.site import Site

# A character of a script without spaces is a word of its own; otherwise a run of word characters is one.
_WORD = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]+")


def words(text: str) -> list[str]:
    """The words of a text, lower case.

    >>> words("Read More, 12 times: 東京 now")
    ['read', 'more', '12', 'times', '東', '京', 'now']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class Tokens:
    """All words of a site in document order."""

    node_offset: Ints64
    """Words of the subtree of row i are node_offset[i]:node_offset[end[i]]."""
    hash: Hashes
    page_offset: Ints64
    """Words of page p are page_offset[p]:page_offset[p+1]."""


def site_tokens(site: Site) -> Tokens:
    """The words of every text node; a text that repeats is cut into words once."""
    lists = [words(text) for text in site.unique_texts]
    ids: dict[str, int] = {}
    flat = np.array([ids.setdefault(w, len(ids)) for ws in lists for w in ws], np.int64)
    lengths = np.array([len(ws) for ws in lists], np.int64)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    rows = site.text_rows
    which = site.text_id[rows]
    n = lengths[which] if len(rows) else np.zeros(0, np.int64)
    node_offset = np.zeros(site.n_nodes + 1, np.int64)
    node_offset[rows + 1] = n
    np.cumsum(node_offset, out=node_offset)
    within = np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)
    occurrence = np.repeat(start[which], n) + within if len(rows) else np.zeros(0, np.int64)
    hashes = string_hashes(ids)
    return Tokens(node_offset, hashes[flat[occurrence]], node_offset[site.pages.node_offset])
