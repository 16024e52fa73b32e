"""The fixed codes of tags and of the attributes that are kept."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.native import columns

TAGS: tuple[str, ...] = columns.TAGS
"""Tag of each code. Anything else is `unknown`, with its name kept as the pseudo attribute `:tag`."""

TAG_CODE: dict[str, int] = {name: code for code, name in enumerate(TAGS)}
TEXT = 0
UNKNOWN = 1

ATTRIBUTES: tuple[str, ...] = columns.ATTRIBUTES
"""Attributes that are kept; the others are dropped when the page is read."""

STYLE_ATTRIBUTES: tuple[str, ...] = (
    "align", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "face", "height", "role", "size",
    "style", "valign", "width",
)  # fmt: skip
"""Display attributes that tell one element of a style tree from another (Yi, Liu and Li 2003)."""

VOID_TAGS: frozenset[str] = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
RAW_TEXT_TAGS: frozenset[str] = frozenset("iframe noembed noframes script style xmp plaintext noscript".split())
"""Tags whose text a serializer writes without escapes."""
NO_TEXT_TAGS: frozenset[str] = frozenset("script style template iframe noembed noframes".split())
"""Tags whose content is no text of the page."""

BLOCK_TAGS: frozenset[str] = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html li legend main menu nav ol optgroup "
    "option p pre section summary table tbody td tfoot th thead title tr ul xmp plaintext noframes "
    "search marquee select textarea".split()
)
"""Tags that a browser shows as a block (or as a cell): text on their two sides is not one run."""

HEADINGS: tuple[str, ...] = ("h1", "h2", "h3", "h4", "h5", "h6")


def tag_mask(tags: Iterable[str]) -> Bools:
    """Per tag code: is it one of these? Names that are no tags of ours are passed over.

    >>> np.flatnonzero(tag_mask(("p", "blink"))).tolist() == [TAG_CODE["p"]]
    True
    """
    out = np.zeros(len(TAGS), np.bool_)
    out[[TAG_CODE[tag] for tag in tags if tag in TAG_CODE]] = True
    return out
