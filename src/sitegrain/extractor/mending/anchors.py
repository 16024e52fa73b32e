"""Links to a heading that stand right below it: `<h2 id=tea>Tea</h2><a href=#tea>Section titled Tea</a>`. They are no text under it."""

from __future__ import annotations

from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools, Ints64
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.mending.lines.contents import own_links
from sitegrain.tables.tags import ATTRIBUTES, HEADINGS, tag_mask

_ID = ATTRIBUTES.index("id")
_IS_HEADING = tag_mask(HEADINGS)


def are_anchors(blocks: TextBlocks, below: Ints64) -> Bools:
    """Which of these blocks, each right below a heading, are a link to that heading, whose name may stand at the element around both, too. A loop over links into
    their own page, which few headings have below them."""
    found = np.zeros(len(blocks.first), np.bool_)
    is_asked = found.copy()
    is_asked[below] = True
    links = own_links(blocks, is_asked)
    if links:
        rows = blocks.rows
        row, value = rows.named(_ID)
        for block, name in links:
            heading = int(blocks.box[block - 1])
            while heading > 0 and not _IS_HEADING[rows.tag[heading]]:
                heading = int(rows.parent[heading])
            around = max(int(rows.parent[heading]), 0)
            inside = slice(*np.searchsorted(row, (around, rows.end[heading])).tolist())
            found[block] = any(rows.site.strings[v] in (name, unquote(name)) for v in value[inside].tolist())
    return found[below]
