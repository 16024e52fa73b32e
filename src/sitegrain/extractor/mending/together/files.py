"""A line that names the file it leads to is part of the text that it follows: a program to download, what is attached to a post."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.links import links_of_blocks
from sitegrain.light import late_pattern

LINKED = 0.3
"""Share of such a line that is a link, at least: beside it there may be a size."""
MAX_WORDS = 12.0
"""Words of such a line. Of 128 on 13 labelled sites all are gold, and 71 were left out: a name that comes again on every page but for its own is like a template."""
NEAR = 3
"""Blocks from the kept text before it: there may be a label and other files between."""
_FILE = late_pattern(r"[^/?#]*[^/?#.]\.([a-z][a-z0-9]{1,5})", re.IGNORECASE)
_OTHERS = frozenset(
    "html htm xhtml shtml php asp aspx jsp cgi cfm xml jpg jpeg png gif webp svg ico bmp mp3 ogg wav m4a mp4 webm avi mov".split()
)
"""Pages, and what a page shows or plays itself: the line under a picture names its file, too."""


def with_files(evidence: Evidence, left_out: Bools, kept: Bools) -> Bools:
    """The kept blocks with lines below them that name the files they lead to, in their order; what is `left_out` for a reason stays out.

    A loop over short lines of links that are not kept, because names are strings.
    """
    blocks = evidence.blocks
    may_be = ~kept & ~left_out & (evidence.column("link_density") >= LINKED) & (evidence.words <= MAX_WORDS)
    may_be &= evidence.column("in_heading") == 0
    if not may_be.any():
        return kept
    out = kept
    for block, links in sorted(links_of_blocks(blocks, may_be, lambda href: _file_at(href) != "").items()):
        text = blocks.text(block)
        if all(unquote(_file_at(link.href)) in text for link in links) and _follows(blocks.page, out, block):
            out = kept.copy() if out is kept else out
            out[block] = True
    return out


def _follows(page: np.ndarray, kept: Bools, block: int) -> bool:
    before = slice(max(0, block - NEAR), block)
    return bool((kept[before] & (page[before] == page[block])).any())


def _file_at(href: str) -> str:
    """The name of the file at an address, empty for a page; right behind a host there is none ("https://tea.example")."""
    folder, _, name = href.partition("?")[0].partition("#")[0].rpartition("/")
    if name.rpartition(".")[2].lower() in _OTHERS or folder.endswith("/"):
        return ""
    return name if _FILE.fullmatch(name) else ""
