"""A line that names the file it leads to is part of the text that it follows: a program to download, what is attached to a post."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.links import links_of_blocks
from sitegrain.patterns import compiled

LINKED = 0.3
"""Share of such a line that is a link, at least: beside it there may be a size."""
MAX_WORDS = 12.0
"""Words of such a line. Of 128 on 13 labelled sites all are gold, and 71 were left out: a name that comes again on every page but for its own is like a template."""
NEAR = 3
"""Blocks from the kept text before it: there may be a label and other files between."""
_FILE = compiled(r"[^/?#]*[^/?#.]\.([a-z][a-z0-9]{1,5})", re.IGNORECASE)
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
    for block, links in sorted(links_of_blocks(blocks, may_be).items()):
        text = blocks.text(block)
        if all(_is_named(link.href, text) for link in links) and _follows(blocks.page, out, block):
            out = kept.copy() if out is kept else out
            out[block] = True
    return out


def _follows(page: np.ndarray, kept: Bools, block: int) -> bool:
    before = slice(max(0, block - NEAR), block)
    return bool((kept[before] & (page[before] == page[block])).any())


def _is_named(href: str, text: str) -> bool:
    """Whether a text says the name of the file at an address; one right behind a host is none ("https://tea.example")."""
    folder, _, name = href.partition("?")[0].partition("#")[0].rpartition("/")
    found = _FILE.fullmatch(name)
    return found is not None and found[1].lower() not in _OTHERS and not folder.endswith("/") and unquote(name) in text
