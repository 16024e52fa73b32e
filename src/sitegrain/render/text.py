"""Plain text of the kept text nodes of a page.

Between two kept text nodes stands nothing, a space, a tab (next cell), a line break or a blank line: the
strongest break among the elements that start or end between them.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import TextRows
from sitegrain.render.anchors import PERMALINK
from sitegrain.tables.elements import is_named
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, HEADINGS, TAG_CODE, TAGS, TEXT, tag_mask

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
_MATH, _LINK = np.int16(TAG_CODE["math"]), TAG_CODE["a"]
_IS_TERM = tag_mask((*HEADINGS, "dt"))
_SIGNS = ("\xb6", "\xa7", "#", "\uf0c1", "\U0001f517")
"""What generators of pages print beside a heading as the link to itself: pilcrow, section sign, hash, two pictures of a chain."""
_ALL_SIGNS = "".join(_SIGNS)
_MAX_SIGN = 4
"""Characters that a text node with one of them has less than: white space may stand around it."""
_, _, _ARIA_HIDDEN = bits_of("ROW_BITS")
_HAS_SIGNS, _HAS_CODE = bits_of("TEXT_MARKS")
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


def _without_permalinks(site: Site, rows: slice, kept: Bools) -> Bools:
    """What is kept of the rows of a page, without those."""
    found = _permalinks(site)
    own = found[bisect_left(found, rows.start) : bisect_left(found, rows.stop)]
    if not own:
        return kept
    out = kept.copy()
    out[np.asarray(own) - rows.start] = False
    return out


def _without_line_numbers(site: Site, page: int, of_page: TextRows) -> TextRows:
    """The rows of a page without the numbers of the lines of its code: who copies the code does not want them.

    White space between elements of code is part of the text after it, so of a number before which a line breaks, the break stays.
    """
    from sitegrain.render.rows import WrittenRows  # most pages have no code, and need not wait for it

    written = WrittenRows(site, page, of_page.kept)
    if not written.gutters:
        return of_page
    kept, text_end = of_page.kept.copy(), of_page.text_end.copy()
    for row, _, n_breaks in written.gutters:
        for i in range(row, int(written.end[row])):
            start = int(of_page.text_start[i])
            said = site.texts[page][start : int(text_end[i])] if kept[i] else ""
            kept[i] = n_breaks > 0 and "\n" in (space := said[: len(said) - len(said.lstrip())])
            if kept[i]:
                text_end[i], n_breaks = start + space.rindex("\n") + 1, 0
    return of_page._replace(kept=kept, text_end=text_end)


def to_text(site: Site, page: int, kept: npt.NDArray[np.bool_]) -> str:
    r"""The kept text of a page: paragraphs apart by a blank line, cells by a tab.

    >>> from sitegrain.tables.parsing.build import build_site
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
    if marks := native.text_marks(text, of_page, _ALL_SIGNS, _MAX_SIGN):
        if marks & _HAS_SIGNS:
            own = _without_permalinks(site, rows, _formulas_once(site, page, own))
            of_page = of_page._replace(kept=np.ascontiguousarray(own, np.bool_))
        if marks & _HAS_CODE:
            of_page = _without_line_numbers(site, page, of_page)
    return native.to_text(text, of_page, BREAKS)
