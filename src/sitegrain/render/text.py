"""Plain text of the kept text nodes of a page.

Between two kept text nodes stands nothing, a space, a tab (next cell), a line break or a blank line: the
strongest break among the elements that start or end between them.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import TextRows
from sitegrain.render.anchors import PERMALINK
from sitegrain.render.code import IS_PRE, gutter_rows, may_be_gutter
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TAGS, TEXT, tag_mask

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


_IS_BLOCK = np.array([tag in BLOCK_TAGS for tag in TAGS])
_MATH, _LINK, _CODE = np.int16(TAG_CODE["math"]), TAG_CODE["a"], TAG_CODE["code"]
_CLASS = ATTRIBUTES.index("class")
_IS_TERM = tag_mask((*HEADINGS, "dt"))
_SIGNS = ("\xb6", "\xa7", "#", "\uf0c1", "\U0001f517")
"""What generators of pages print beside a heading as the link to itself: pilcrow, section sign, hash, two pictures of a chain."""
_ALL_SIGNS = "".join(_SIGNS)
_MAX_SIGN = 4
"""Characters that a text node with one of them has less than: white space may stand around it."""
_, _, _ARIA_HIDDEN = bits_of("ROW_BITS")
BREAKS = np.array([_break_of(tag) for tag in TAGS], np.uint8)


@per_site
def _has_formulas(site: Site) -> Bools:
    """Per page: it has MathML."""
    out = np.zeros(site.n_pages, bool)
    out[site.nodes.page[np.flatnonzero(site.nodes.tag == _MATH)]] = True
    return out


def _formulas_once(site: Site, page: int, kept: Bools) -> Bools:
    """What is kept of the rows of a page, without the MathML of formulas that are drawn beside it.

    KaTeX and MathJax put two copies into an inline box: MathML, which screen readers read, and what is seen, which is hidden from
    them. Who reads text wants what is seen, once. A formula that is MathML only, or drawn without text, stays.
    """
    if not _has_formulas(site)[page]:
        return kept
    rows = site.page_rows(page)
    tag = site.nodes.tag[rows]
    formula = np.flatnonzero(tag == _MATH)
    nodes, start = site.nodes, np.int32(rows.start)
    parent, end = nodes.parent[rows] - start, nodes.end[rows] - start
    in_formula = under(tag == _MATH, end)
    is_text = (tag == TEXT) & (nodes.text_end[rows] > nodes.text_start[rows])
    is_drawn = is_text & ~in_formula & under((nodes.flags[rows] & _ARIA_HIDDEN) > 0, end)
    holder = parent[formula]
    formula, holder = formula[holder > 0], holder[holder > 0]
    box = parent[holder]
    n_texts, n_read, n_drawn = (
        counts[end[box]] - counts[box] for counts in map(prefix_sum, (is_text, is_text & in_formula, is_drawn))
    )
    is_twice = (n_read > 0) & (n_drawn > 0) & (n_read + n_drawn == n_texts) & ~_IS_BLOCK[tag[box]] & (box >= 0)
    if not is_twice.any():
        return kept
    copies = np.zeros(len(tag), bool)
    copies[formula[is_twice]] = True
    return kept & ~under(copies, end)


@per_site
def _permalinks(site: Site) -> list[int]:
    """Rows of the signs beside headings and terms that lead to themselves, in document order."""
    nodes = site.nodes
    signs: list[int] = []
    for page, text in enumerate(site.texts):
        places: list[int] = []
        for sign in _SIGNS:
            at = text.find(sign)
            while at >= 0:
                places.append(at)
                at = text.find(sign, at + 1)
        if not places:
            continue
        rows = site.page_rows(page)
        # Rows begin in the order of their text, so the last one that begins at a sign or before it is the text node that holds it.
        own = distinct(np.searchsorted(nodes.text_start[rows], np.array(places, np.int32), "right")) + (rows.start - 1)
        own = own[nodes.text_end[own] - nodes.text_start[own] < _MAX_SIGN]
        own = own[nodes.tag[nodes.parent[own]] == _LINK]
        signs += [row for row in own.tolist() if site.node_text(row).strip() in _SIGNS]
    if not signs:
        return []
    is_term = under(_IS_TERM[nodes.tag], nodes.end)
    out = []
    for row in signs:
        link = site.node_attrs(int(nodes.parent[row]))
        if "#" in link.get("href", "") and (is_term[row] or is_named(PERMALINK, link.get("class", ""))):
            out.append(row)
    return out


@per_site
def _line_numbers(site: Site) -> list[tuple[int, int, int]]:
    """(row, start, end) of the text of line numbers beside code, in document order, and what of it is the code's: the line breaks before a number.

    White space between elements of code is part of the text after it.
    """
    nodes = site.nodes
    is_pre = IS_PRE[nodes.tag]
    if not is_pre.any() and not (nodes.tag == _CODE).any():
        return []
    at = np.flatnonzero(site.attrs.name == _CLASS)
    said = site.attrs.value[at]
    likely = np.zeros(len(site.strings), bool)
    likely[[v for v in distinct(said).tolist() if may_be_gutter(site.strings[v])]] = True
    named = {int(site.attrs.node[i]): site.strings[int(site.attrs.value[i])] for i in at[likely[said]].tolist()}
    pres = np.bincount(nodes.page[np.flatnonzero(is_pre)], minlength=site.n_pages)
    pages = {*np.flatnonzero(pres > 1).tolist(), *(int(nodes.page[row]) for row in named)}
    by_page: dict[int, dict[int, str]] = {page: {} for page in sorted(pages)}
    for row, name in named.items():
        page = int(nodes.page[row])
        by_page[page][row - site.page_rows(page).start] = name
    out: list[tuple[int, int, int]] = []
    for page, names in by_page.items():
        rows = site.page_rows(page)
        first = rows.start
        ends = nodes.end[rows] - np.int32(first)
        done = first
        gutters = gutter_rows(nodes.tag[rows], ends, partial(_text_of, site, first), names)
        for row in sorted(gutters):
            top = row + first
            if top < done:  # within another
                continue
            done = int(nodes.end[top])
            is_one = len(site.node_text(top).split()) == 1
            texts = (np.flatnonzero(nodes.tag[top:done] == TEXT) + top).tolist()
            out.extend((text, *_breaks_before(site, text, is_one)) for text in texts)
    return out


def _text_of(site: Site, first: int, row: int) -> str:
    return site.node_text(first + row)


def _breaks_before(site: Site, row: int, is_one: bool) -> tuple[int, int]:
    """Start and end of the line breaks that a text begins with; nothing of numbers that stand in a column of their own."""
    start, text = int(site.nodes.text_start[row]), site.node_text(row)
    space = text[: len(text) - len(text.lstrip())]
    if not is_one or "\n" not in space:
        return start, start
    return start + space.index("\n"), start + space.rindex("\n") + 1


def _without_permalinks(site: Site, rows: slice, kept: Bools) -> Bools:
    """What is kept of the rows of a page, without those."""
    found = _permalinks(site)
    own = found[bisect_left(found, rows.start) : bisect_left(found, rows.stop)]
    if not own:
        return kept
    out = kept.copy()
    out[np.asarray(own) - rows.start] = False
    return out


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
    nodes, rows, text = site.nodes, site.page_rows(page), site.texts[page]
    own = np.ascontiguousarray(kept[rows], np.bool_)
    if site.n_pages == 1:  # the table as it is
        of_page = TextRows(nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end, own)
    else:
        of_page = TextRows(
            nodes.tag[rows], nodes.end[rows] - np.int32(rows.start), nodes.flags[rows], nodes.text_start[rows],
            nodes.text_end[rows], own,
        )  # fmt: skip
    if native.has_marks(text, of_page, _ALL_SIGNS, _MAX_SIGN):
        own = _without_permalinks(site, rows, _formulas_once(site, page, own))
        of_page = of_page._replace(kept=np.ascontiguousarray(own, np.bool_))
    numbers = _line_numbers(site)
    lo = bisect_left(numbers, (rows.start,))
    hi = bisect_left(numbers, (rows.stop,), lo)
    if hi > lo:
        of_page = _without_numbers(of_page, [(row - rows.start, start, end) for row, start, end in numbers[lo:hi]])
    return native.to_text(text, of_page, BREAKS)


def _without_numbers(rows: TextRows, numbers: list[tuple[int, int, int]]) -> TextRows:
    """The rows of a page with what is the code's of its line numbers."""
    start, end, kept = rows.text_start.copy(), rows.text_end.copy(), rows.kept.copy()
    for row, first, last in numbers:
        start[row], end[row] = first, last
        kept[row] &= last > first
    return rows._replace(text_start=start, text_end=end, kept=kept)
