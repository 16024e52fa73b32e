"""The text of every block, for a table that people read."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.strings import SharedStrings
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Ints32, Ints64
from sitegrain.native import intern_texts
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, tag_mask

_IS_BOX = tag_mask(BLOCK_TAGS)


def block_texts(site: Site, node_block: Ints32, n_blocks: int) -> SharedStrings:
    """Per block: the text of its nodes, white space folded; a space between the texts of different paragraphs or cells.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<td><b>one</b></td><p>t<i>w</i>o</p>")])
    >>> block_texts(site, np.where(site.is_text, 0, -1).astype(np.int32), 1).each()
    ['one two']
    """
    rows = np.flatnonzero(site.is_text & (node_block >= 0))
    rows = rows[np.argsort(node_block[rows], kind="stable")]
    first = np.searchsorted(node_block[rows], np.arange(n_blocks + 1))
    size = np.diff(first)
    # Nearly all blocks hold one text node, and its text is there already.
    texts = ["", *site.unique_texts]
    which = np.zeros(n_blocks, np.int64)
    which[size == 1] = site.text_id[rows[first[:-1][size == 1]]] + 1
    several = np.flatnonzero(size > 1)
    more, strings = _joined(site, rows[np.repeat(size > 1, size)], offsets(size[several]))
    which[several] = more + len(texts)
    return SharedStrings(texts + strings, which)


def _joined(site: Site, rows: Ints64, first: Ints64) -> tuple[Ints64, list[str]]:
    """The texts of these rows, joined from each offset to the next: the number of each, and the strings."""
    nodes = site.nodes
    box = nodes.parent[rows].astype(np.int64)
    while len(climbing := np.flatnonzero((box >= 0) & ~_IS_BOX[nodes.tag[box]])):  # one step up for all at a time
        box[climbing] = nodes.parent[box[climbing]]
    is_apart = np.diff(box, prepend=-2) != 0
    page, start, end = nodes.page[rows], nodes.text_start[rows], nodes.text_end[rows]
    is_cut = is_apart.copy()
    is_cut[1:] |= start[1:] != end[:-1]
    is_cut[first[:-1]] = False
    n_cuts = prefix_sum(is_cut)
    # Nearly all are one piece of the text of their page.
    is_whole = n_cuts[first[1:]] == n_cuts[first[:-1]]
    head, tail = first[:-1][is_whole], first[1:][is_whole] - 1
    which = np.empty(len(is_whole), np.int64)
    which[is_whole], strings = intern_texts(site.texts, page[head], start[head], end[tail])
    out = list(strings)
    for k in np.flatnonzero(~is_whole).tolist():
        own = slice(int(first[k]), int(first[k + 1]))
        spans = zip(start[own].tolist(), end[own].tolist(), is_apart[own].tolist(), strict=True)
        text = site.texts[page[own.start]]
        which[k] = len(out)
        out.append(" ".join("".join((" " if apart else "") + text[a:z] for a, z, apart in spans).split()))
    return which, out
