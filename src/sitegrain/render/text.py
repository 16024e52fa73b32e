"""Plain text of the kept text nodes of a page.

Between two kept text nodes stands nothing, a space, a tab (next cell), a line break or a blank line: the
strongest break among the elements that start or end between them. Each is a difference of prefix sums over the
page's rows, so the page is joined in one go; white space is folded once over the joined text.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sitegrain.native import extension
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TAGS, TEXT

_INLINE, _CELL, _LINE, _BLANK, _SPACED = range(5)
_BLANKS = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol dl table blockquote pre hr figure article section header footer aside nav main form "
    "title details dialog".split()
)


def _break_of(tag: str) -> int:
    if tag in ("td", "th"):
        return _CELL
    if tag in _BLANKS:
        return _BLANK
    return _LINE if tag in BLOCK_TAGS or tag == "br" else _INLINE


_BREAK = np.array([_break_of(tag) for tag in TAGS], np.int8)
_BR = TAG_CODE["br"]
_APART = np.array([tag in ("a", "button", "label") for tag in TAGS])
_PRE = np.array([tag in ("pre", "textarea", "xmp", "plaintext") for tag in TAGS])
# For the extension: the break of a tag, and two bits.
_KINDS = (_BREAK + 8 * _APART + 16 * _PRE).astype(np.uint8)

# Control characters, which mean nothing in a page, stand for breaks while white space is folded. (They are ASCII
# so that the joined text of a Western page stays one byte a character.)
_TAB, _NEWLINE, _PARAGRAPH, _SPACE, _PRE_TAB, _PRE_LINE = _ALL = "\1\2\3\4\5\6"
_SEPARATORS = ("", f" {_TAB} ", f" {_NEWLINE} ", f" {_PARAGRAPH} ", " ")
_WRITTEN = {_TAB: "\t", _NEWLINE: "\n", _PARAGRAPH: "\n\n", _SPACE: " ", _PRE_TAB: "\t", _PRE_LINE: "\n"}
_MARKS = re.compile(f"[{_ALL}]")
_KEEP_SPACE = str.maketrans({" ": _SPACE, "\t": _PRE_TAB, "\n": _PRE_LINE, "\r": None})


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
    if extension is not None:
        rows, nodes = site.page_rows(page), site.nodes
        text = extension.to_text(
            site.texts[page], rows.start, nodes.tag[rows], nodes.end[rows], nodes.flags[rows], nodes.text_start[rows],
            nodes.text_end[rows], np.ascontiguousarray(kept[rows], np.bool_), _KINDS, _BR,
        )  # fmt: skip
        if text is not None:
            return str(text.strip())
    return to_text_python(site, page, kept)


def to_text_python(site: Site, page: int, kept: npt.NDArray[np.bool_]) -> str:
    """`to_text` without the extension."""
    rows = site.page_rows(page)
    nodes = site.nodes
    tag = nodes.tag[rows]
    texts = np.flatnonzero(kept[rows] & (tag == TEXT))
    if not len(texts):
        return ""
    separators = _separators(tag, nodes.end[rows] - rows.start, nodes.flags[rows], texts)
    source = site.texts[page]
    if any(mark in source for mark in _ALL):
        source = _MARKS.sub(" ", source)
    starts = nodes.text_start[rows][texts].tolist()
    ends = nodes.text_end[rows][texts].tolist()
    pieces = [source[s:e] for s, e in zip(starts, ends, strict=True)]
    pre = np.flatnonzero(_PRE[tag])
    if len(pre):
        for row in pre.tolist():
            lo, hi = np.searchsorted(texts, [row, nodes.end[rows.start + row] - rows.start])
            pieces[lo:hi] = [piece.translate(_KEEP_SPACE) for piece in pieces[lo:hi]]
            # Text inside brings its own white space along.
            separators[lo + 1 : hi] = [0 if code == _SPACED else code for code in separators[lo + 1 : hi]]
    out = [""] * (2 * len(pieces))
    out[0::2] = [_SEPARATORS[code] for code in separators]
    out[1::2] = pieces
    text = " ".join("".join(out).split())
    for code, mark in ((_CELL, _TAB), (_LINE, _NEWLINE), (_BLANK, _PARAGRAPH)):
        text = text.replace(_SEPARATORS[code], _WRITTEN[mark])
    if any(mark in text for mark in _ALL):
        text = _MARKS.sub(lambda match: _WRITTEN[match[0]], text)
    return text.strip()


def _separators(
    tag: npt.NDArray[np.int16], end: npt.NDArray[np.int32], flags: npt.NDArray[np.uint8], texts: npt.NDArray[np.intp]
) -> list[int]:
    """What stands before each of these text rows, as a row of `_SEPARATORS`."""
    n = len(tag)
    before, after = texts[:-1], texts[1:]

    def between(counts: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        total = np.cumsum(counts)
        return np.asarray(total[after] - total[before])

    level = _BREAK[tag]
    code = np.where(between(flags & SPACE_BEFORE) > 0, _SPACED, 0)
    # Neighbouring links and buttons are drawn apart by style, without a space in the page.
    anchors = np.flatnonzero(_APART[tag])
    if len(anchors):
        starts = between(np.bincount(anchors, minlength=n + 1))
        code[(starts > 0) & (between(np.bincount(end[anchors], minlength=n + 1)) > 0)] = _SPACED
    for which in (_CELL, _LINE, _BLANK):
        rows = np.flatnonzero(level == which)
        if len(rows):
            # A break stands where such an element starts and where it ends.
            counts = np.bincount(rows, minlength=n + 1) + np.bincount(end[rows], minlength=n + 1)
            code[between(counts) > 0] = which
    is_br = tag == _BR
    if is_br.any():
        code[(between(is_br) > 1) & (code == _LINE)] = _BLANK
    return [0, *code.tolist()]
