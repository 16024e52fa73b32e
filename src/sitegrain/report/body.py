"""Pages as a person may see them: the columns from which `body.js` builds a page with every block marked.

Nothing of a page's markup is copied: a row is a place in `SHAPES`, the few attributes that this module writes, or plain
text, and there is no address at all. An element whose text is of one block is marked with it, so what a method judged
can be painted on the page. Columns instead of HTML, because they are slices of the site's own tables: writing a page
costs a few array operations for a hundred of its neighbours at once, and its tags are packed beside theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import above, prefix_sum, under
from sitegrain.arrays.types import Ints64
from sitegrain.light import dataclass
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS, TEXT

_SAME = (
    "abbr article aside b bdi bdo blockquote br caption cite code dd del dfn dl dt em figcaption figure footer h1 h2 h3 "
    "h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp section small strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt ul var"
).split()
"""Tags that are shown as they are. Links become `u`, images their description, other blocks `div`, and other inline tags
leave no trace."""
SHAPES = ("", "#text", "#unseen", "img", "u", "div", "span", *_SAME)
"""What a row can be. `#unseen` is text that is not shown, as the title: it is only stepped over."""
_NONE, _TEXT, _UNSEEN, _IMG, _U, _DIV, _SPAN = range(7)
MARKED = 128
"""Added to the shape of a row that begins a block."""
MAX_DEPTH = 65_000
_KEPT_EMPTY = frozenset(("br", "hr", "img", "td", "th"))
_NEVER_SHOWN = ("head", "script", "style", "template")
_AS_WRITTEN = ("pre", "xmp", "plaintext", "textarea")
"""Where white space is text."""
_FLAT = frozenset("select option optgroup textarea".split())
"""Form controls are blocks in a table of ours, but may stand within a paragraph."""
MAX_LABEL = 120
"""Characters of an image's description that are shown."""


def _shape(tag: str) -> int:
    if tag == "#text":
        return _TEXT
    if tag == "img":
        return _IMG
    if tag in _SAME:
        return SHAPES.index(tag)
    if tag in ("a", "area"):
        return _U
    if tag in ("xmp", "plaintext"):
        return SHAPES.index("pre")
    return _DIV if tag in BLOCK_TAGS and tag not in _FLAT else _NONE


def _of(*tags: str) -> npt.NDArray[np.bool_]:
    return np.array([tag in tags for tag in TAGS])


_SHAPE = np.array([_shape(tag) for tag in TAGS], np.uint8)
_IS_BLOCK = np.array([tag in BLOCK_TAGS and tag not in _FLAT for tag in TAGS])
_IS_EMPTY = _of(*_KEPT_EMPTY)
_IS_NEVER_SHOWN = _of(*_NEVER_SHOWN)
_IS_AS_WRITTEN = _of(*_AS_WRITTEN)
_IS_CELL = _of("td", "th")


@dataclass(frozen=True, eq=False)
class Body:
    """Some pages that follow one another."""

    columns: Mapping[str, npt.NDArray[Any]]
    """`n_rows` and `n_texts` per page; `shape`, `depth` and `space` (bits) per row; `length` per text; `mark`, the
    block, per marked row. Lengths are in units of UTF-16, as a browser counts."""
    text: str
    labels: list[str]
    """Descriptions of images, in their order."""
    attributes: list[tuple[int, str, str]]
    """Row, name and value of the few attributes that are shown."""


class Bodies:
    """The bodies of a site's pages, made when asked for.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div onclick=x()><h2>Tea</h2><p>Boil <a href=javascript:x()>it</a>")])
    >>> block = np.full(site.n_nodes, -1, np.int64)
    >>> block[site.text_rows] = [0, 1, 1]
    >>> body = Bodies(site, block).of(0, 1)
    >>> [SHAPES[code % MARKED] for code in body.columns["shape"]], body.columns["depth"].tolist()
    (['div', 'h2', '#text', 'p', '#text', 'u', '#text'], [0, 1, 2, 1, 2, 2, 3])
    >>> body.columns["length"].tolist(), body.columns["mark"].tolist(), body.text
    ([3, 5, 2], [0, 1], 'TeaBoil it')
    """

    def __init__(self, site: Site, row_block: npt.NDArray[np.integer]) -> None:
        self.site = site
        self.row_block = row_block
        """Per row: the number of its block on its page; -1 for rows that are of none."""

    @cached_property
    def _attrs(self) -> dict[str, npt.NDArray[np.int32]]:
        return {name: self.site.attr(name) for name in ("alt", "dir", "colspan", "rowspan")}

    def of(self, first: int, last: int) -> Body:
        """The bodies of the pages `first` to `last`, `last` excluded."""
        site, nodes = self.site, self.site.nodes
        rows = slice(site.page_rows(first).start, site.page_rows(last - 1).stop) if last > first else slice(0, 0)
        tag = nodes.tag[rows]
        end = (nodes.end[rows] - rows.start).astype(np.int64)
        parent = np.where(nodes.parent[rows] < 0, -1, nodes.parent[rows] - rows.start).astype(np.int64)
        page = nodes.page[rows] - first
        is_text = tag == TEXT
        needed = _needed(tag, end)
        own = np.asarray(self.row_block[rows]).astype(np.int64)
        # Numbers begin anew on each page: a block is told by both.
        top = block_tops(tag, end, parent, np.where(own < 0, -1, own * (last - first) + page))
        mark = np.where(top < 0, -1, top // max(last - first, 1))
        shape = _SHAPE[tag]
        shape = np.where(_dull(shape, tag, parent, needed) & (mark < 0), _NONE, shape)
        shape = np.where((shape == _NONE) & (mark >= 0), _SPAN, shape)
        shape = np.where(is_text & ~needed, _UNSEEN, np.where(needed, shape, _NONE))
        written = np.flatnonzero(shape != _NONE)
        is_open = (shape != _NONE) & ~is_text & (shape != _IMG)
        spaced = (nodes.flags[rows] & SPACE_BEFORE).astype(bool) & ~under(_IS_AS_WRITTEN[tag], end)
        marked = (mark >= 0) & (shape != _NONE) & (shape != _UNSEEN)
        columns = {
            "n_rows": np.bincount(page[written], minlength=last - first).astype(np.uint32),
            "n_texts": np.bincount(page[is_text], minlength=last - first).astype(np.uint32),
            "shape": (shape + MARKED * marked)[written].astype(np.uint8),
            "depth": np.minimum(_n_around(is_open, end)[written], MAX_DEPTH).astype(np.uint16),
            "space": np.packbits(spaced[written], bitorder="little"),
            "length": self._lengths(rows, is_text, first, last),
            "mark": mark[marked].astype(np.uint32),
        }
        place = np.cumsum(shape != _NONE) - 1
        return Body(
            columns,
            "".join(site.texts[first:last]),
            [self._label(row + rows.start) for row in np.flatnonzero(shape == _IMG).tolist()],
            self._shown(rows, is_open, place),
        )

    def _lengths(self, rows: slice, is_text: npt.NDArray[np.bool_], first: int, last: int) -> npt.NDArray[np.uint32]:
        """Of every text, in units of UTF-16: a page's texts follow one another without a gap."""
        nodes = self.site.nodes
        low, high = nodes.text_start[rows][is_text].astype(np.int64), nodes.text_end[rows][is_text].astype(np.int64)
        length = high - low
        start = np.searchsorted(nodes.page[rows][is_text], np.arange(first, last + 1)).tolist()
        for number in range(first, last):
            text = self.site.texts[number]
            if not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text):
                wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) > 0xFFFF
                before = prefix_sum(wide)
                own = slice(start[number - first], start[number - first + 1])
                length[own] += before[high[own]] - before[low[own]]
        return length.astype(np.uint32)

    def _label(self, row: int) -> str:
        value = self._attrs["alt"][row]
        return " ".join(self.site.strings[value].split())[:MAX_LABEL] if value >= 0 else ""

    def _shown(self, rows: slice, is_open: npt.NDArray[np.bool_], place: Ints64) -> list[tuple[int, str, str]]:
        """The attributes that are shown, of the rows that are."""
        out: list[tuple[int, str, str]] = []
        for name in ("dir", "colspan", "rowspan"):
            column = self._attrs[name][rows]
            have = (column >= 0) & is_open
            if name != "dir":
                have &= _IS_CELL[self.site.nodes.tag[rows]]
            for row in np.flatnonzero(have).tolist():
                value = self.site.strings[column[row]].lower()
                if name == "dir":
                    if value in ("rtl", "ltr", "auto"):
                        out.append((int(place[row]), name, value))
                elif value.isascii() and value.isdigit() and 1 < int(value[:4]) <= 100:
                    out.append((int(place[row]), name, str(int(value[:4]))))
        return out


def _n_around(chosen: npt.NDArray[np.bool_], end: Ints64) -> Ints64:
    """Per row: how many of the chosen rows are above it."""
    at, n = np.flatnonzero(chosen), len(end) + 1
    change = np.bincount(at + 1, minlength=n) - np.bincount(end[at], minlength=n)
    return np.asarray(np.cumsum(change)[: len(end)])


def _needed(tag: npt.NDArray[np.int16], end: Ints64) -> npt.NDArray[np.bool_]:
    """Rows with text below, and what shows without text, outside of what is never shown."""
    shows = above((tag == TEXT) | (_SHAPE[tag] == _IMG), end)
    return np.asarray((shows | _IS_EMPTY[tag]) & ~under(_IS_NEVER_SHOWN[tag], end))


def block_tops(tag: npt.NDArray[np.int16], end: Ints64, parent: Ints64, block: npt.NDArray[np.integer]) -> Ints64:
    """Per row: the block of all its text, where no element around it is of that block alone; else -1."""
    n = len(tag)
    is_text = tag == TEXT
    of = block[is_text].astype(np.int64)
    out = np.full(n, -1, np.int64)
    if not len(of):
        return out
    changes = prefix_sum(of[1:] != of[:-1])
    count = prefix_sum(is_text)
    low, high = count[:n], count[end]
    has = high > low
    first, last = np.minimum(low, len(of) - 1), np.maximum(high - 1, 0)
    is_one = has & (changes[first] == changes[last])
    is_within = np.zeros(n, bool)
    is_within[parent >= 0] = is_one[parent[parent >= 0]]
    tops = is_one & ~is_within
    out[tops] = of[first[tops]]
    return out


def _dull(
    shape: npt.NDArray[np.uint8], tag: npt.NDArray[np.int16], parent: Ints64, needed: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Wrappers around one block element: they show nothing of their own."""
    n = len(tag)
    child = np.flatnonzero(needed & (parent >= 0))
    count = np.bincount(parent[child], minlength=n)
    blocks = np.bincount(parent[child], _IS_BLOCK[tag[child]], minlength=n)
    return np.asarray((shape == _DIV) & (count == 1) & (blocks == 1))
