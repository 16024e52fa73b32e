"""The text of every block, for a table that people read."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.strings import SharedStrings
from sitegrain.arrays.types import Ints32, Ints64
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, tag_mask

_IS_BOX = tag_mask(BLOCK_TAGS)


def block_texts(site: Site, node_block: Ints32, n_blocks: int) -> SharedStrings:
    """Per block: the text of its nodes, white space folded; a space between the texts of different paragraphs or cells.

    >>> from sitegrain.tables.build import build_site
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
    which[several] = np.arange(len(several)) + len(texts)
    keep = np.repeat(size > 1, size)
    texts += _joined(site, rows[keep], offsets(size[several]))
    return SharedStrings(texts, which)


def _joined(site: Site, rows: Ints64, first: Ints64) -> list[str]:
    """The texts of these rows, joined from each offset to the next."""
    box = site.nodes.parent[rows].astype(np.int64)
    while len(climbing := np.flatnonzero((box >= 0) & ~_IS_BOX[site.nodes.tag[box]])):  # one step up for all at a time
        box[climbing] = site.nodes.parent[box[climbing]]
    is_apart = np.diff(box, prepend=-2) != 0
    spans = zip(
        site.nodes.page[rows].tolist(), site.nodes.text_start[rows].tolist(), site.nodes.text_end[rows].tolist(),
        is_apart.tolist(), strict=True,
    )  # fmt: skip
    # Strings are made one by one, whatever the tables are.
    pieces = [(" " if apart else "") + site.texts[page][start:end] for page, start, end, apart in spans]
    return [" ".join("".join(pieces[a:b]).split()) for a, b in pairwise(first.tolist())]
