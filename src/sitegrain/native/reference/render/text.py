"""Plain text of the kept text nodes of a page.

Between two kept text nodes stands nothing, a space, a tab (next cell), a line break or a blank line: the strongest break among the
elements that start or end between them. Each is a difference of prefix sums over the page's rows, so the page is joined
in one go; white space is folded once over the joined text.
"""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from sitegrain.native.columns import TAGS, bits_of, names_of
from sitegrain.native.inputs import LineRows, TextRows

_INLINE, _CELL, _LINE, _BLANK, _SPACED = range(len(names_of("BREAKS")))
*_LEVEL, _APART, _PRE = bits_of("BREAK_BITS")
_SPACE_BEFORE = bits_of("ROW_BITS")[0]
_BR, _MATH = TAGS.index("br"), TAGS.index("math")
_CODE = [TAGS.index(tag) for tag in ("pre", "xmp", "code")]
_SIGNS, _IN_CODE = bits_of("TEXT_MARKS")
_ENDS_LINE = frozenset(",.:;!?)")
"""Signs that belong to what stands before them, also where that is a block."""

# Control characters, which mean nothing in a page, stand for breaks while white space is folded. (They are ASCII
# so that the joined text of a Western page stays one byte a character.)
_TAB, _NEWLINE, _PARAGRAPH, _SPACE, _PRE_TAB, _PRE_LINE = _ALL = "\1\2\3\4\5\6"
_SEPARATORS = ("", f" {_TAB} ", f" {_NEWLINE} ", f" {_PARAGRAPH} ", " ")
_WRITTEN = {_TAB: "\t", _NEWLINE: "\n", _PARAGRAPH: "\n\n", _SPACE: " ", _PRE_TAB: "\t", _PRE_LINE: "\n"}
_MARKS = re.compile(f"[{_ALL}]")
_KEEP_SPACE = str.maketrans({" ": _SPACE, "\t": _PRE_TAB, "\n": _PRE_LINE, "\r": None})


def text_marks(source: str, rows: TextRows, signs: str, most: int) -> int:
    """`sitegrain.native.text_marks`."""
    is_own = rows.kept & (rows.tag == 0)
    own = np.flatnonzero(is_own & (rows.text_end - rows.text_start < most))
    said = (source[start:end] for start, end in zip(rows.text_start[own], rows.text_end[own], strict=True))
    has_signs = bool((rows.tag == _MATH).any()) or any(sign in text for text in said for sign in signs)
    code = np.flatnonzero(np.isin(rows.tag, _CODE))
    has_code = any(is_own[row:end].any() for row, end in zip(code, rows.end[code], strict=True))
    return has_signs * _SIGNS | has_code * _IN_CODE


def to_text(source: str, rows: TextRows, breaks: npt.NDArray[np.uint8]) -> str:
    """`sitegrain.native.to_text`."""
    _check(source, rows, breaks)
    texts = np.flatnonzero(rows.kept & (rows.tag == 0))
    if not len(texts):
        return ""
    kind = breaks[rows.tag]
    separators = _separators(rows, kind, texts)
    if any(mark in source for mark in _ALL):
        source = _MARKS.sub(" ", source)
    starts, ends = rows.text_start[texts].tolist(), rows.text_end[texts].tolist()
    pieces = [source[s:e] for s, e in zip(starts, ends, strict=True)]
    for row in np.flatnonzero(kind & _PRE).tolist():
        lo, hi = np.searchsorted(texts, [row, rows.end[row]])
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


def _separators(rows: TextRows, kind: npt.NDArray[np.uint8], texts: npt.NDArray[np.intp]) -> list[int]:
    """What stands before each of these text rows, as a row of `_SEPARATORS`."""
    n = len(rows.tag)
    before, after = texts[:-1], texts[1:]

    def between(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
        total = np.cumsum(counts, dtype=np.intp)
        return np.asarray(total[after] - total[before])

    level = kind & sum(_LEVEL)
    code = np.where(between(rows.flags & _SPACE_BEFORE) > 0, _SPACED, 0)
    # Neighbouring links and buttons are drawn apart by style, without a space in the page.
    anchors = np.flatnonzero(kind & _APART)
    if len(anchors):
        starts = between(np.bincount(anchors, minlength=n + 1))
        code[(starts > 0) & (between(np.bincount(rows.end[anchors], minlength=n + 1)) > 0)] = _SPACED
    for which in (_CELL, _LINE, _BLANK):
        at = np.flatnonzero(level == which)
        if len(at):
            # A break stands where such an element starts and where it ends.
            counts = np.bincount(at, minlength=n + 1) + np.bincount(rows.end[at], minlength=n + 1)
            code[between(counts) > 0] = which
    is_br = rows.tag == _BR
    if is_br.any():
        code[(between(is_br) > 1) & (code == _LINE)] = _BLANK
    return [0, *code.tolist()]


def _check(source: str, rows: TextRows, breaks: npt.NDArray[np.uint8]) -> None:
    n = len(rows.tag)
    fits = {len(column) for column in rows} == {n} and bool(
        ((rows.tag >= 0) & (rows.tag < len(breaks)) & (rows.end > np.arange(n)) & (rows.end <= n)).all()
        and ((rows.text_start >= 0) & (rows.text_start <= rows.text_end) & (rows.text_end <= len(source))).all()
    )
    if not fits:
        raise ValueError("columns do not fit the page")


def line_text(source: str, rows: LineRows, first: int, row: int, max_rows: int, breaks: bytes) -> str:
    """`sitegrain.native.line_text`."""
    tags, parent, ends, starts, stops, flags = rows
    row -= first
    pieces: list[str] = []
    closed: set[int] = set()  # where the blocks so far end
    for i in range(row, min(ends[row] - first, row + max_rows)):
        if breaks[tags[i]]:
            closed.add(ends[i] - first)
            pieces.append(" ")
        elif flags[i] & _SPACE_BEFORE or (i in closed and source[starts[i] : starts[i] + 1] not in _ENDS_LINE):
            pieces.append(" ")
        if tags[i] == 0:
            pieces.append(source[starts[i] : stops[i]])
            if parent[i] >= first and breaks[tags[parent[i] - first]]:
                pieces.append(" ")
    return " ".join("".join(pieces).split())


def snippet(source: str, rows: LineRows, first: int, start: int, end: int, left: list[int], most: int) -> str:
    """`sitegrain.native.snippet`."""
    tags, _, ends, starts, stops, flags = rows
    pieces: list[str] = []
    size, last, row, k = 0, start - 1, start, bisect_left(left, start)
    while row < end and size < 2 * most:
        if k < len(left) and row >= left[k]:
            after = ends[left[k] - first]
            row, k = max(row, after), bisect_left(left, after, k)
            continue
        if tags[row - first] == 0:
            # Of an element between two texts there is a space.
            if row > last + 1 or flags[row - first] & _SPACE_BEFORE:
                pieces.append(" ")
            pieces.append(source[starts[row - first] : stops[row - first]])
            size += len(pieces[-1])
            last = row
        row += 1
    return " ".join("".join(pieces).split())[: most + 1]
