"""Plain text of the kept text nodes of a page.

Between two kept text nodes stands nothing, a space, a tab (next cell), a line break or a blank line: the
strongest break among the elements that start or end between them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import TextRows
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS

_INLINE, _CELL, _LINE, _BLANK = range(4)  # the first of BREAKS
_APART, _PRE = bits_of("BREAK_BITS")[-2:]
_BLANKS = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol dl table blockquote pre hr figure article section header footer aside nav main form "
    "title details dialog".split()
)


def _break_of(tag: str) -> int:
    """What stands before and after a tag. Neighbouring links and buttons are drawn apart by style, without a space in the page."""
    if tag in ("a", "button", "label"):
        return _INLINE | _APART
    if tag in ("pre", "textarea", "xmp", "plaintext"):
        return _level_of(tag) | _PRE
    return _level_of(tag)


def _level_of(tag: str) -> int:
    if tag in ("td", "th"):
        return _CELL
    if tag in _BLANKS:
        return _BLANK
    return _LINE if tag in BLOCK_TAGS or tag == "br" else _INLINE


BREAKS = np.array([_break_of(tag) for tag in TAGS], np.uint8)


def to_text(site: Site, page: int, kept: npt.NDArray[np.bool_]) -> str:
    r"""The kept text of a page: paragraphs apart by a blank line, cells by a tab.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<h1>Tea</h1><p>Boil <b>water</b>,\n wait.<ul><li>cup<li>pot</ul><pre>a  b</pre>"
    >>> site = build_site([Capture("http://a.org/", html)])
    >>> print(to_text(site, 0, site.is_text))
    Tea
    <BLANKLINE>
    Boil water, wait.
    <BLANKLINE>
    cup
    pot
    <BLANKLINE>
    a  b
    """
    nodes = site.nodes
    if site.n_pages == 1:  # the table as it is
        whole = TextRows(nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end, kept)
        return native.to_text(site.texts[0], whole, BREAKS)
    rows = site.page_rows(page)
    of_page = TextRows(
        nodes.tag[rows], nodes.end[rows] - np.int32(rows.start), nodes.flags[rows], nodes.text_start[rows],
        nodes.text_end[rows], np.ascontiguousarray(kept[rows], np.bool_),
    )  # fmt: skip
    return native.to_text(site.texts[page], of_page, BREAKS)
