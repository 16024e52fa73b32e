"""A page as a person may see it: our own serialisation of the tables, with every block marked.

Nothing of the page's markup is copied: only the tags and the few attributes that this module writes can come out, and
no address at all. An element whose text is of one block carries the number of that block, so what a method judged can
be painted on the page.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import escape

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Ints64
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TAGS, TEXT

_SAME = frozenset(
    "abbr article aside b bdi bdo blockquote br caption cite code dd del dfn dl dt em figcaption figure footer h1 h2 h3 "
    "h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp section small strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt ul var".split()
)
"""Tags that are written as they are. Links become `u`, images their description, other blocks `div`, and other inline tags leave no trace."""
_VOID = frozenset(("br", "hr"))
_KEPT_EMPTY = frozenset(("br", "hr", "img", "td", "th"))
_UNSEEN = ("head", "script", "style", "template")
_FLAT = frozenset("select option optgroup textarea".split())
"""Form controls are blocks in a table of ours, but may stand within a paragraph."""
MAX_LABEL = 120
"""Characters of an image's description that are shown."""


def _written(tag: str) -> str:
    if tag in _SAME:
        return tag
    if tag in ("a", "area"):
        return "u"
    return "div" if tag in BLOCK_TAGS and tag not in _FLAT else ""


_NAME = [_written(tag) for tag in TAGS]
_IS_BLOCK = np.array([tag in BLOCK_TAGS and tag not in _FLAT for tag in TAGS])
_IS_DIV = np.array([name == "div" for name in _NAME])
_IS_EMPTY = np.array([tag in _KEPT_EMPTY for tag in TAGS])
_IS_UNSEEN = np.array([tag in _UNSEEN for tag in TAGS])
_IS_PRE = [int(tag in ("pre", "xmp", "plaintext", "textarea")) for tag in TAGS]
_OPEN = {name: f"<{name}>" for name in {*_NAME, "span"}}
_CLOSE = {name: f"</{name}>" for name in {*_NAME, "span"}}
_SPACES = re.compile(r"\s{2,}|[\t\n\r\f]")
_SPECIAL = re.compile(r"[<>&\t\n\r\f]|\s\s").search
"""Most texts hold nothing to escape or to fold."""
_IMG, _TD, _TH = (TAG_CODE[t] for t in ("img", "td", "th"))


class Bodies:
    """The bodies of a site's pages, written when asked for.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div onclick=x()><h2>Tea</h2><p>Boil <a href=javascript:x()>it</a>")])
    >>> block = np.full(site.n_nodes, -1, np.int64)
    >>> block[site.text_rows] = [0, 1, 1]
    >>> Bodies(site, block).page(0)
    '<div><h2 data-b=0>Tea</h2><p data-b=1>Boil <u>it</u></p></div>'
    """

    def __init__(self, site: Site, row_block: npt.NDArray[np.integer]) -> None:
        self.site = site
        self.row_block = row_block
        """Per row: the number of its block on its page; -1 for rows that are of none."""

    @cached_property
    def _attrs(self) -> dict[str, npt.NDArray[np.int32]]:
        return {name: self.site.attr(name) for name in ("alt", "dir", "colspan", "rowspan")}

    def page(self, page: int) -> str:
        """The body of one page."""
        site = self.site
        rows = site.page_rows(page)
        if rows.start == rows.stop:
            return ""
        tag = site.nodes.tag[rows]
        end = (site.nodes.end[rows] - rows.start).astype(np.int64)
        parent = (site.nodes.parent[rows] - rows.start).astype(np.int64)
        needed = _needed(tag, end, parent)
        top = block_tops(tag, end, parent, np.asarray(self.row_block[rows]))
        is_dull = _dull(tag, parent, needed) & (top < 0)
        start = site.nodes.text_start[rows].tolist()
        stop = site.nodes.text_end[rows].tolist()
        spaced = (site.nodes.flags[rows] & SPACE_BEFORE).tolist()
        text = site.texts[page]
        tags, ends, tops, dull = tag.tolist(), end.tolist(), top.tolist(), is_dull.tolist()
        has_attrs = self._with_attrs(rows)
        out: list[str] = []
        closing: list[tuple[int, str, int]] = []
        n_pre = 0
        for row in np.flatnonzero(needed).tolist():
            while closing and closing[-1][0] <= row:
                _, close, was_pre = closing.pop()
                out.append(close)
                n_pre -= was_pre
            if spaced[row] and not n_pre:
                out.append(" ")
            code, block = tags[row], tops[row]
            if code == TEXT:
                piece = text[start[row] : stop[row]]
                if _SPECIAL(piece) is not None:
                    piece = escape(piece if n_pre else _SPACES.sub(" ", piece), quote=False)
                out.append(piece if block < 0 else f"<span data-b={block}>{piece}</span>")
                continue
            if code == _IMG:
                out.append(f'<span class=i title="{escape(self._label(row + rows.start))}"></span>')
                continue
            name = _NAME[code] if not dull[row] else ""
            if not name and block >= 0:
                name = "span"
            if name and block < 0 and row not in has_attrs:
                out.append(_OPEN[name])
            elif name:
                mark = f" data-b={block}" if block >= 0 else ""
                out.append(f"<{name}{self._shown(row + rows.start, code) if row in has_attrs else ''}{mark}>")
            if name and name not in _VOID:
                is_pre = _IS_PRE[code]
                n_pre += is_pre
                closing.append((ends[row], _CLOSE[name], is_pre))
        out.extend(close for _, close, _ in reversed(closing))
        return "".join(out)

    def _with_attrs(self, rows: slice) -> set[int]:
        """The rows of a page that have an attribute which is written."""
        have = np.zeros(rows.stop - rows.start, bool)
        for column in self._attrs.values():
            have |= column[rows] >= 0
        return set(np.flatnonzero(have).tolist())

    def _label(self, row: int) -> str:
        value = self._attrs["alt"][row]
        return " ".join(self.site.strings[value].split())[:MAX_LABEL] if value >= 0 else ""

    def _shown(self, row: int, code: int) -> str:
        site, said = self.site, ""
        values = {name: site.strings[column[row]] for name, column in self._attrs.items() if column[row] >= 0}
        if values.get("dir", "").lower() in ("rtl", "ltr", "auto"):
            said += f" dir={values['dir'].lower()}"
        if code in (_TD, _TH):
            for name in ("colspan", "rowspan"):
                number = values.get(name, "")
                if number.isascii() and number.isdigit() and 1 < int(number[:4]) <= 100:
                    said += f" {name}={int(number[:4])}"
        return said


def _subtree(values: npt.NDArray[np.bool_], end: Ints64) -> Ints64:
    """How many of the rows of each subtree have a value."""
    total = np.concatenate([[0], np.cumsum(values)])
    return np.asarray(total[end] - total[: len(end)])


def _needed(tag: npt.NDArray[np.int16], end: Ints64, parent: Ints64) -> npt.NDArray[np.bool_]:
    """Rows with text below, and what shows without text, outside of what is never shown."""
    shows = _subtree((tag == TEXT) | (tag == _IMG), end) > 0
    unseen = np.zeros(len(tag) + 1, np.int64)
    at = np.flatnonzero(_IS_UNSEEN[tag])
    np.add.at(unseen, at, 1)
    np.add.at(unseen, end[at], -1)
    return np.asarray((shows | _IS_EMPTY[tag]) & (np.cumsum(unseen)[:-1] == 0))


def block_tops(tag: npt.NDArray[np.int16], end: Ints64, parent: Ints64, block: npt.NDArray[np.integer]) -> Ints64:
    """Per row: the block of all its text, where no element around it is of that block alone; else -1."""
    n = len(tag)
    is_text = tag == TEXT
    of = block[is_text].astype(np.int64)
    out = np.full(n, -1, np.int64)
    if not len(of):
        return out
    changes = np.concatenate([[0], np.cumsum(of[1:] != of[:-1])])
    count = np.concatenate([[0], np.cumsum(is_text)])
    low, high = count[:n], count[end]
    has = high > low
    first, last = np.minimum(low, len(of) - 1), np.maximum(high - 1, 0)
    is_one = has & (changes[first] == changes[last])
    above = np.zeros(n, bool)
    above[parent >= 0] = is_one[parent[parent >= 0]]
    tops = is_one & ~above
    out[tops] = of[first[tops]]
    return out


def _dull(tag: npt.NDArray[np.int16], parent: Ints64, needed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Wrappers around one block element: they show nothing of their own."""
    n = len(tag)
    child = np.flatnonzero(needed & (parent >= 0))
    count = np.bincount(parent[child], minlength=n)
    blocks = np.bincount(parent[child], _IS_BLOCK[tag[child]], minlength=n)
    return np.asarray(_IS_DIV[tag] & (count == 1) & (blocks == 1))
