"""Which rows of a page are written: kept text, the pictures and breaks that belong to it, and formulas as a whole."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum, subtree_sum
from sitegrain.arrays.types import Bools, Ints16, Ints32, Ints64
from sitegrain.native.inputs import AttrColumns, RenderRows, RenderTables
from sitegrain.render.code import IS_PRE, PRES, code_language, empty_lines, gutter_rows
from sitegrain.render.grid import LAYOUT_TAGS
from sitegrain.render.images import MEDIA_TAGS, SOURCES, has_line, is_button, seen_rows
from sitegrain.render.math import delimited, is_formula_box, latex, math_rows
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TEXT, tag_mask

MARKS: dict[str, str] = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "cite": "em", "dfn": "em", "code": "code", "tt": "code",
    "kbd": "code", "samp": "code", "s": "del", "strike": "del", "del": "del", "sub": "sub", "sup": "sup", "q": "q",
}  # fmt: skip
"""Inline tags that mean something -> the tag they are written as."""

LISTS = frozenset(("ul", "ol", "menu", "dir"))
CELLS = frozenset(("td", "th"))
OF_TABLES = CELLS | {"tr", "caption"}
OWN_SINK = LISTS | PRES | {"table", "li", "blockquote", "dl", "dd"}
LEAVES = frozenset(("br", "img", "hr", *MEDIA_TAGS))
IS_CELL = tag_mask(CELLS)
CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
"""Characters that mean nothing in a page, and something to writers."""
OFTEN = 3
"""Times that a picture stands among the kept text of a page from which it is a sign (an arrow, a button, a smiley) and shows
nothing of its own. Of 5,112 pictures of 660 labelled pages, 832 stand three times on a page and 32 of them in the text."""
IS_BLOCK, IS_LAYOUT = tag_mask(BLOCK_TAGS), tag_mask(LAYOUT_TAGS)
_HREF, _CLASS = (ATTRIBUTES.index(name) for name in ("href", "class"))
_BR, _MATH, _QUOTE = (TAG_CODE[tag] for tag in ("br", "math", "blockquote"))
_IS_OF_LISTS = tag_mask((*LISTS, "li"))
ALL_QUOTED = 0.98
"""Share of the kept text of a page from which its quotes are no quotes. Set beforehand."""
IS_WRITTEN = tag_mask((*LEAVES, "a", *MARKS, *OWN_SINK, *OF_TABLES, *HEADINGS, "dt"))
IS_WRITTEN[TEXT] = True
"""Rows that the walk must see. Of the others (`div`, `p`, `span`) it is enough to know where blocks begin and end."""


class WrittenRows:
    """The rows of one page that have to be written, each column when it is asked for: the kernel asks for few of them.

    What is `kept` is said of each row of the site, or of each row of the page.
    """

    def __init__(self, site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset()) -> None:
        self.site = site
        self.page = page
        self.base = site.pages.base[page]
        self._rows = site.page_rows(page)
        self.first = self._rows.start
        # What a page keeps may be its own, as a copy of what the whole site keeps takes longer than the page.
        self.given = kept if len(kept) == self._rows.stop - self._rows.start else kept[self._rows]
        self.repeated = repeated
        self._languages: dict[int, str] = {}

    @cached_property
    def tables(self) -> RenderTables:
        """What the kernel reads of the page: the same in all formats."""
        site, nodes = self.site, self.site.nodes
        return RenderTables(
            RenderRows(
                self._tags, nodes.parent, nodes.end, nodes.flags, nodes.text_start, nodes.text_end,
            ),
            AttrColumns(site.attrs.node, site.attrs.name, site.attrs.value),
            site.strings, site.texts[self.page], site.pages.url[self.page], self._rows.start, self._rows.stop,
            np.ascontiguousarray(self.given, np.bool_), self.repeated,
        )  # fmt: skip

    @cached_property
    def _tags(self) -> Ints16:
        """Per row of the site: its tag, where quotes and the lists around them are only boxes without what they mean."""
        tag = self.site.nodes.tag
        boxes = self._boxes()
        if not boxes:
            return tag
        out = tag.copy()
        out[boxes] = TAG_CODE["div"]
        return out

    def _boxes(self) -> list[int]:
        """Rows of the site of the outermost quotes in items of lists, and of these, of a page that says nothing else: some boards (vBulletin 4) set posts
        as a list of quotes. Without a list such a page may well be a quote."""
        nodes, rows = self.site.nodes, self._rows
        quotes = np.flatnonzero(nodes.tag[rows] == _QUOTE)
        if not len(quotes):
            return []
        size = prefix_sum(np.where(self.given, nodes.text_end[rows] - nodes.text_start[rows], 0).astype(np.int64))
        end = nodes.end[rows] - np.int32(self.first)
        last, said, found = 0, 0, list[int]()
        for row in quotes.tolist():
            if row >= last:
                last = int(end[row])
                own = int(size[last] - size[row])
                said += own
                found += [row + self.first] * (own > 0)
        if said < ALL_QUOTED * int(size[-1]):
            return []
        seen: set[int] = set()
        for row in found:
            while row >= 0 and row not in seen:
                seen.add(row)
                row = int(nodes.parent[row])
        lists = [row for row in seen if _IS_OF_LISTS[nodes.tag[row]]]
        return [*found, *lists] if lists else []

    @cached_property
    def tag(self) -> Ints16:
        return self._tags[self._rows]

    @cached_property
    def end(self) -> Ints32:
        return self.site.nodes.end[self._rows] - np.int32(self.first)

    @cached_property
    def parent(self) -> Ints32:
        return self.site.nodes.parent[self._rows] - np.int32(self.first)

    @cached_property
    def kept(self) -> Bools:
        """Per row: a text that is kept, and no line number of code."""
        kept: Bools = self.given & (self.tag == TEXT)
        for row, _, _ in self.gutters:
            kept[row : self.end[row]] = False
        return kept

    def code_piece(self, piece: str, n_breaks: int, is_line_due: bool, first: int, row: int) -> str:
        """A piece of code, the text of a row, as it follows what is written: with so many line breaks that stood with line numbers, or on a line of its own if that is due.
        White space between elements of code is part of the text after it, so a piece may bring the line break along, but those that stood in empty lines, from row
        `first` on, are their own."""
        if n_breaks or not is_line_due:
            return "\n" * n_breaks + piece
        n_own = piece[: len(piece) - len(piece.lstrip())].count("\n")
        is_ended = n_own > 0 and n_own > empty_lines(self.tag, self.parent, self.end, first, row)
        return piece if is_ended else "\n" + piece

    @cached_property
    def gutters(self) -> list[tuple[int, bool, int]]:
        """Elements that hold the line numbers of code, whether each holds a line break, and how many stand before its number: white space
        between elements of code is part of the text after it, so these are the code's."""
        rows = gutter_rows(self.tag, self.end, self._text, self.names)
        texts = ((row, self._text(row)) for row in rows)
        return [(row, "\n" in text, text[: len(text) - len(text.lstrip())].count("\n")) for row, text in texts]

    @cached_property
    def hrefs(self) -> dict[int, str]:
        return self._values(_HREF)

    @cached_property
    def names(self) -> dict[int, str]:
        return self._values(_CLASS)

    @cached_property
    def spaces(self) -> Ints64:
        return np.cumsum(self.site.nodes.flags[self._rows] & SPACE_BEFORE, dtype=np.int64)

    @cached_property
    def _layout_before(self) -> Ints64:
        return prefix_sum(self.needed & IS_LAYOUT[self.tag])

    @cached_property
    def seen_and_gaps(self) -> tuple[Ints64, Ints64]:
        """Rows that the walk must see; and per row, how many blocks that it need not see begin or end up to there."""
        n = len(self.tag)
        # What is left out or only a wrapper still parts the text on its two sides.
        is_seen = self.needed & IS_WRITTEN[self.tag]
        is_wrapper = self.needed & ~is_seen
        for row in self.formulas:
            is_seen[row] = True
            is_wrapper[row : self.end[row]] = False
        is_wrapper &= IS_BLOCK[self.tag]
        gaps = np.bincount(self.end[is_wrapper], minlength=n + 1)
        gaps[:n] += is_wrapper | (IS_BLOCK[self.tag] & ~self.needed)
        gaps[[row for row, has_break, _ in self.gutters if has_break]] = 1
        return np.flatnonzero(is_seen), np.cumsum(gaps)

    @cached_property
    def line_breaks(self) -> Ints64:
        """Per row: line breaks of code that stand in line numbers up to there."""
        breaks = np.zeros(len(self.tag), np.int64)
        for row, _, n in self.gutters:
            breaks[row] = n
        return np.cumsum(breaks)

    def _values(self, name: int) -> dict[int, str]:
        """Row -> value of an attribute."""
        return self.site.attr_values(self.page, name, self.first)

    def _text(self, row: int) -> str:
        return self.site.node_text(row + self.first)

    @cached_property
    def needed(self) -> Bools:
        """Per row: it holds something that is written."""
        n, repeated = len(self.tag), self.repeated
        needed = np.asarray(subtree_sum(self.kept, self.end) > 0)
        rows = self._rows
        length = self.site.nodes.text_end[rows] - self.site.nodes.text_start[rows]
        lengths = np.where(self.tag == TEXT, length, 0).astype(np.int64)
        url = self.site.pages.url[self.page]
        paths = seen_rows(self.tag, self.parent, self.end, self.kept, lengths, self.hrefs, url, self._source)
        sources = [self._sources(path[0]) for path in paths] if repeated or len(paths) >= OFTEN else []
        # A site knows the pictures of its template; a page that stands alone has only itself to tell them by.
        counts = Counter(sources) if not repeated else Counter()
        often = {source for source, n in counts.items() if n >= OFTEN and any(source)}
        lines = has_line(self.tag, self.parent, self.kept) if sources else needed
        for path, source in zip(paths, sources or [()] * len(paths), strict=True):
            is_sign = source in often or next(filter(None, source), None) in repeated
            if not (is_sign and is_button(path[0], self.tag, self.parent, lines, self.hrefs)):
                needed[path] = True
        inside = np.zeros(n, bool)
        inside[1:] = needed[self.parent[1:]]
        needed |= inside & (IS_CELL[self.tag] | (self.tag == _BR))
        for row in np.flatnonzero(needed & IS_PRE[self.tag]).tolist():  # empty lines
            needed[row : self.end[row]] |= self.tag[row : self.end[row]] == _BR
        return needed

    @cached_property
    def formulas(self) -> dict[int, tuple[str, bool]]:
        """Row of the element that shows a formula -> (LaTeX, stands on its own line)."""
        out: dict[int, tuple[str, bool]] = {}
        for row in math_rows(self.names):
            if self.kept[row : self.end[row]].any() and (found := delimited(self._text(row)))[0]:
                out[row] = found
        for row in np.flatnonzero(self.tag == _MATH).tolist():
            top, up, is_block = row, int(self.parent[row]), False
            for _ in range(6):
                if up < 0:
                    break
                name = self.names.get(up, "")
                if is_formula_box(name) or self.site.tag_name(up + self.first) == "mjx-container":
                    top = up
                    is_block = is_block or "isplay" in name
                up = int(self.parent[up])
            if self.kept[top : self.end[top]].any() and (found_latex := latex(self.site, row + self.first)):
                out[top] = found_latex, is_block
        return {row: (CONTROL.sub(" ", said), is_block) for row, (said, is_block) in out.items()}

    def language(self, row: int) -> str:
        """The programming language of a code block."""
        if (known := self._languages.get(row)) is None:
            known = self._languages[row] = code_language(row, self.tag, self.parent, self.attrs)
        return known

    def _source(self, row: int) -> str:
        return self.attrs(row).get("src", "")

    def _sources(self, row: int) -> tuple[str, ...]:
        """What a picture says of where it is fetched from."""
        attrs = self.attrs(row)
        return tuple(attrs.get(name, "") for name in SOURCES)

    def attrs(self, row: int) -> dict[str, str]:
        """The attributes of a row."""
        attrs, strings = self.site.attrs, self.site.strings
        node = attrs.node.data
        lo = hi = bisect_left(node, row + self.first)
        while hi < len(node) and node[hi] == row + self.first:
            hi += 1
        pairs = zip(attrs.name[lo:hi].tolist(), attrs.value[lo:hi].tolist(), strict=True)
        return {ATTRIBUTES[name]: strings[value] for name, value in pairs}
