"""What is asked of the links of every list, found for all links of a site at once and read as views of memory: single numbers come out
of them at once, where arrays of each page took as long to make as its list to find."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.preorder import nearest
from sitegrain.arrays.types import Bools
from sitegrain.article.sitelinks import in_headings
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, tag_mask

LEAD = 40
"""Characters before a link in its block beyond which it stands within prose: a date or a number is shorter."""
_IS_BLOCK = tag_mask(BLOCK_TAGS)
_FILES = frozenset(
    "jpg jpeg png gif webp svg bmp pdf zip gz bz2 tgz mp3 mp4 ogg avi mov doc docx ppt pptx xls xlsx exe rar".split()
)
_ACTION = re.compile(r"(?:[?&]|%3f)(?:add[-_]to[-_]\w+|remove_item|replytocom|orderby|share|redlink)=", re.IGNORECASE)


class LinkColumns(NamedTuple):
    """Per link of a site."""

    may_be_entry: Bools
    """It leads to another page."""
    row: Sequence[int]
    is_same_site: Sequence[int]
    is_shown: Sequence[int]
    """It has text."""
    block: Sequence[int]
    """The nearest block-level element around it, -1 when there is none."""
    is_late: Sequence[int]
    """It stands so far into its block that other text than links may stand before it there."""
    around: Sequence[int]
    """The element around it."""
    slot: Sequence[int]
    """The place of that element."""
    in_heading: Sequence[int]


@per_site
def link_columns(site: Site) -> LinkColumns:
    """Look at all links of a site."""
    links, nodes = site.links, site.nodes
    rows, around = links.node, nodes.parent[links.node]
    is_page = np.array([bool(url) and not _is_no_page(url) for url in links.addresses], bool)
    block = nearest(nodes.parent, _IS_BLOCK[nodes.tag], strictly=True)[rows]
    return LinkColumns(
        is_page[links.address] & ~links.is_self,
        rows.data,
        links.is_same_site.data,
        (nodes.text_end[rows] > nodes.text_start[rows]).data,
        block.data,
        ((block >= 0) & (nodes.text_start[rows] - nodes.text_start[block] > LEAD)).data,
        around.data,
        first_name_places(site)[np.maximum(around, 0)].data,
        in_headings(site).data,
    )


def _is_no_page(address: str) -> bool:
    """True for the address of a file, and for one that does something ("add to cart") instead of leading on."""
    _, dot, ending = address.partition("?")[0].rpartition(".")
    return (bool(dot) and ending.lower() in _FILES) or ("=" in address and _ACTION.search(address) is not None)
