"""One walk over the kept rows of a page, for every format with structure.

A `Writer` says how a paragraph, a heading, a list ... is written; the walk finds them. It goes over rows in
document order with a stack of open elements, so depth costs nothing. Text between block elements becomes a
paragraph; wrappers (`div`, `section`, layout tables) leave no trace.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from sitegrain.arrays.preorder import subtree_sum
from sitegrain.arrays.types import Bools
from sitegrain.tables.address import resolve
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TAGS, TEXT, tag_mask

MARKS: dict[str, str] = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "cite": "em", "dfn": "em", "code": "code", "tt": "code",
    "kbd": "code", "samp": "code", "s": "del", "strike": "del", "del": "del", "sub": "sub", "sup": "sup", "q": "q",
}  # fmt: skip
"""Inline tags that mean something -> the tag they are written as."""

_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_PRES = frozenset(("pre", "xmp", "plaintext", "textarea"))
_CELLS = frozenset(("td", "th"))
_HEADINGS = frozenset(HEADINGS)
_ROWS = frozenset(("tr", "tbody", "thead", "tfoot"))
_OF_TABLES = _CELLS | {"tr", "caption"}
_OWN_SINK = _LISTS | _PRES | {"table", "li", "blockquote", "dd"}
_TABLE = frozenset(("table",))
_NOTHING: frozenset[str] = frozenset()
# In a table that shows data a cell is a line of text; with any of these inside, the table is there for the layout.
_LAYOUT = _HEADINGS | _LISTS | _PRES | {"table", "blockquote", "dl", "article", "form"}
_MAX_SPAN = 100
_SPACES = re.compile(" {2,}")
_NEWLINES = re.compile(r" *\n *")


@dataclass
class Cell:
    """One cell of a data table."""

    text: str
    is_header: bool
    colspan: int = 1
    rowspan: int = 1


@dataclass
class Table:
    """A data table as it stands in the page; rows may be ragged and cells may span."""

    caption: str = ""
    rows: list[list[Cell]] = field(default_factory=list)


class Writer(Protocol):
    """How a format writes each thing; inner text arrives written already."""

    def text(self, text: str) -> str: ...
    def mark(self, kind: str, inner: str) -> str: ...
    def link(self, inner: str, url: str) -> str: ...
    def image(self, alt: str, src: str) -> str: ...
    def line_break(self) -> str: ...
    def paragraph(self, inner: str) -> str: ...
    def heading(self, level: int, inner: str) -> str: ...
    def items(self, items: list[list[str]], is_ordered: bool, start: int) -> str: ...
    def term(self, inner: str) -> str: ...
    def quote(self, blocks: list[str]) -> str: ...
    def code(self, text: str, language: str) -> str: ...
    def table(self, table: Table) -> str: ...
    def rule(self) -> str: ...


@dataclass(slots=True)
class _Sink:
    """Where written things go: blocks, and the line of text that is being collected."""

    writer: Writer
    is_line: bool = False
    """True inside a heading or a cell: blocks within are no blocks, only spaces."""
    blocks: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    n_flushes: int = 0
    items: list[list[str]] = field(default_factory=list)
    table: Table = field(default_factory=Table)

    def line(self) -> str:
        text = "".join(self.inline)
        self.inline.clear()
        if "  " in text:
            text = _SPACES.sub(" ", text)
        if "\n" not in text:
            return text.strip(" ")
        lines = _NEWLINES.sub("\n", text).strip(" \n").split("\n")
        return "\n".join(line for line in lines if line.strip(" \\")) if len(lines) > 1 else lines[0]

    def flush(self) -> None:
        if self.is_line:
            if self.inline:
                self.inline.append(" ")
            return
        self.n_flushes += 1
        if self.inline:
            # Two line breaks in a row are how old pages part paragraphs.
            brk = self.writer.line_break()
            runs: list[list[str]] = [[]]
            n_breaks = 0
            for piece in self.inline:
                if piece == brk:
                    n_breaks += 1
                    continue
                if n_breaks and piece not in ("", " "):
                    if n_breaks > 1:
                        runs.append([])
                    elif runs[-1]:
                        runs[-1].append(brk)
                    n_breaks = 0
                runs[-1].append(piece)
            for run in runs:
                self.inline[:] = run
                if text := self.line():
                    self.blocks.append(self.writer.paragraph(text))

    def absorb(self) -> None:
        """What stands in a list outside of its items belongs to the item before."""
        self.flush()
        if self.blocks:
            if self.items:
                self.items[-1].extend(self.blocks)
            else:
                self.items.append(self.blocks)
            self.blocks = []


@dataclass(slots=True)
class _Frame:
    tag: str
    end: int
    row: int
    sink: _Sink
    """Where the content goes; the parent's sink, unless the element needs its own."""
    start: int = 0
    n_flushes: int = 0
    url: str = ""
    is_code_line: bool = False


_IS_BLOCK = tag_mask(BLOCK_TAGS)
_HREF = ATTRIBUTES.index("href")
_BR, _IMG, _HR = TAG_CODE["br"], TAG_CODE["img"], TAG_CODE["hr"]
_IS_CELL = tag_mask(_CELLS)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight(?:-source)?|brush:?)[-\s:]\s*([A-Za-z][\w+#]{0,20})")
_NO_LANGUAGE = frozenset(("default", "none", "text", "plaintext", "notranslate", "source", "highlight"))


class Walk:
    """The rows of one page that have to be written, and the walk over them."""

    def __init__(self, site: Site, page: int, kept: Bools, writer: Writer) -> None:
        self.site = site
        self.page = page
        self.writer = writer
        rows = site.page_rows(page)
        self.first = rows.start
        self.tag = site.nodes.tag[rows]
        self.end = site.nodes.end[rows] - rows.start
        self.parent = site.nodes.parent[rows] - rows.start
        self.kept = kept[rows] & (self.tag == TEXT)
        self.needed = self._needed(rows)
        n = len(self.tag)
        flags = site.nodes.flags[rows] & SPACE_BEFORE
        self.spaces = np.cumsum(flags).tolist()
        # A block that is left out still parts the text on its two sides.
        gaps = np.zeros(n + 1, np.int64)
        gaps[:n] = _IS_BLOCK[self.tag] & ~self.needed
        self.gaps = np.cumsum(gaps).tolist()
        own = site.page_attrs(page)
        is_href = site.attrs.name[own] == _HREF
        owners = (site.attrs.node[own][is_href] - rows.start).tolist()
        self.hrefs: dict[int, int] = dict(zip(owners, site.attrs.value[own][is_href].tolist(), strict=True))

    def _needed(self, rows: slice) -> Bools:
        length = (self.site.nodes.text_end[rows] - self.site.nodes.text_start[rows]).astype(np.int64)
        kept_length = subtree_sum(np.where(self.kept, length, 0), self.end)
        length = subtree_sum(np.where(self.tag == TEXT, length, 0), self.end)
        needed = kept_length > 0
        needed |= self.kept
        for row in np.flatnonzero((self.tag == _IMG) | (self.tag == _HR)).tolist():
            up = int(self.parent[row])
            path = [row]
            while up >= 0 and not kept_length[up]:
                path.append(up)
                up = int(self.parent[up])
            # An image has no text to be judged by: it is kept where most of the text around it is.
            if up >= 0 and 2 * kept_length[up] >= length[up]:
                needed[path] = True
        inside = np.zeros(len(self.tag), bool)
        inside[1:] = needed[self.parent[1:]]
        return np.asarray(needed | (inside & (_IS_CELL[self.tag] | (self.tag == _BR))))

    def attrs(self, row: int) -> dict[str, str]:
        return self.site.node_attrs(row + self.first)

    def blocks(self) -> list[str]:
        """Write the page; the blocks of its top level."""
        root = _Sink(self.writer)
        stack = [_Frame("", len(self.tag) + 1, -1, root)]
        text = self.site.texts[self.page]
        rows = self.site.page_rows(self.page)
        starts, ends = self.site.nodes.text_start[rows].tolist(), self.site.nodes.text_end[rows].tolist()
        tags = self.tag.tolist()
        pre = 0
        last = 0
        for row in np.flatnonzero(self.needed).tolist():
            while stack[-1].end <= row:
                pre -= stack[-1].tag in _PRES
                self._close(stack)
            sink = stack[-1].sink
            if self.gaps[row] > self.gaps[last]:
                if pre:
                    _end_line(sink.inline)
                else:
                    sink.flush()
            if self.spaces[row] > self.spaces[last] and not pre:
                sink.inline.append(" ")
            last = row
            if tags[row] == TEXT:
                piece = text[starts[row] : ends[row]]
                sink.inline.append(piece if pre else self.writer.text(_fold(piece)))
            elif pre:
                if tags[row] == _BR:
                    sink.inline.append("\n")
                elif _IS_BLOCK[tags[row]]:  # some highlighters make a block of every line
                    _end_line(sink.inline)
                    stack.append(_Frame("", int(self.end[row]), row, sink, is_code_line=True))
                else:
                    stack.append(_Frame("", int(self.end[row]), row, sink))
            else:
                self._open(stack, row, TAGS[tags[row]])
                pre += stack[-1].row == row and stack[-1].tag in _PRES
        while len(stack) > 1:
            self._close(stack)
        root.flush()
        return root.blocks

    def _open(self, stack: list[_Frame], row: int, tag: str) -> None:
        sink = stack[-1].sink
        if tag == "br":
            sink.inline.append(" " if sink.is_line else self.writer.line_break())
            return
        if tag == "img":
            self._image(sink, row)
            return
        if tag == "hr":
            sink.flush()
            if not sink.is_line and sink.blocks:
                sink.blocks.append(self.writer.rule())
            return
        frame = _Frame(tag, int(self.end[row]), row, sink, len(sink.inline), sink.n_flushes)
        if tag == "a":
            frame.url = self._href(row)
        elif tag in BLOCK_TAGS:
            sink.flush()
            frame.start = len(sink.inline)
            self._open_block(stack, frame)
        stack.append(frame)

    def _open_block(self, stack: list[_Frame], frame: _Frame) -> None:
        tag, sink = frame.tag, frame.sink
        if sink.is_line and tag != "tr" and tag not in _CELLS:
            frame.tag = "span"
            return
        if tag == "table" and self._is_layout(frame.row):
            frame.tag = "div"
        elif tag in _OF_TABLES:
            table = self._enclosing(stack, _TABLE, _ROWS)
            if table is None:
                frame.tag = "div"
            elif tag == "tr":
                table.sink.table.rows.append([])
            else:
                frame.sink = _Sink(self.writer, is_line=True)
        elif tag in _OWN_SINK:
            if tag == "li" and (up := self._enclosing(stack, _LISTS, _NOTHING)) is not None:
                up.sink.absorb()
            frame.sink = _Sink(self.writer)
        elif tag in _HEADINGS or tag == "dt":
            frame.sink = _Sink(self.writer, is_line=True)

    def _enclosing(self, stack: list[_Frame], tags: frozenset[str], through: frozenset[str]) -> _Frame | None:
        for frame in reversed(stack):
            if frame.tag in tags:
                return frame
            if frame.tag not in through and frame.tag in BLOCK_TAGS and frame.tag != "div":
                return None
        return None

    def _close(self, stack: list[_Frame]) -> None:
        frame = stack.pop()
        up = stack[-1].sink
        sink, tag, writer = frame.sink, frame.tag, self.writer
        if sink is up:
            if frame.is_code_line:
                _end_line(sink.inline)
            elif tag in BLOCK_TAGS:
                sink.flush()
            elif tag == "a" or tag in MARKS:
                self._close_inline(frame, stack)
            return
        if tag in _HEADINGS:
            if text := sink.line():
                up.blocks.append(writer.heading(int(tag[1]), text))
        elif tag == "dt":
            if text := sink.line():
                up.blocks.append(writer.term(text))
        elif tag in _PRES:
            text = "".join(sink.inline).replace("\r", "").strip("\n")
            if text.strip():
                up.blocks.append(writer.code(text, self._language(frame.row)))
        elif tag == "li":
            sink.flush()
            lists = self._enclosing(stack, _LISTS, _NOTHING)
            if lists is not None:
                lists.sink.items.append(sink.blocks)
            elif sink.blocks:
                up.blocks.append(writer.items([sink.blocks], False, 1))
        elif tag in _LISTS:
            sink.absorb()
            items = [item for item in sink.items if item]
            if items:
                start = self.attrs(frame.row).get("start", "")
                first = int(start) if re.fullmatch(r"\d{1,6}", start) else 1
                up.blocks.append(writer.items(items, tag == "ol", first))
        elif tag in ("blockquote", "dd"):
            sink.flush()
            if sink.blocks:
                up.blocks.extend([writer.quote(sink.blocks)] if tag == "blockquote" else sink.blocks)
        elif tag in _CELLS or tag == "caption":
            self._close_cell(frame, stack)
        elif tag == "table":
            sink.flush()
            up.blocks.extend(sink.blocks)
            if any(sink.table.rows) or sink.table.caption:
                up.blocks.append(writer.table(sink.table))

    def _close_cell(self, frame: _Frame, stack: list[_Frame]) -> None:
        table = self._enclosing(stack, _TABLE, _ROWS)
        if table is None:
            return
        text = frame.sink.line()
        if frame.tag == "caption":
            table.sink.table.caption = text
            return
        attrs = self.attrs(frame.row)
        cell = Cell(text, frame.tag == "th", _span(attrs.get("colspan", "")), _span(attrs.get("rowspan", "")))
        if not table.sink.table.rows:
            table.sink.table.rows.append([])
        table.sink.table.rows[-1].append(cell)

    def _close_inline(self, frame: _Frame, stack: list[_Frame]) -> None:
        sink = frame.sink
        if sink.n_flushes != frame.n_flushes:
            return  # a block stood inside: there is no single run to mark
        # Spaces and line breaks at the ends stay outside of the mark: `** a**` is no bold in Markdown.
        pieces = sink.inline[frame.start :]
        empty = ("", " ", self.writer.line_break())
        first, last = 0, len(pieces)
        while first < last and pieces[first] in empty:
            first += 1
        while last > first and pieces[last - 1] in empty:
            last -= 1
        inner = "".join(pieces[first:last])
        bare = inner.strip()
        kind = MARKS.get(frame.tag, "a")
        if not bare or any(MARKS.get(open_.tag, open_.tag) == kind for open_ in stack):
            return
        if kind == "strong" and any(open_.tag in _HEADINGS for open_ in stack):
            return
        if kind != "a":
            written = self.writer.mark(kind, bare)
        elif frame.url:
            written = self.writer.link(bare, frame.url)
        else:
            return
        lead = inner[: len(inner) - len(inner.lstrip())]
        tail = inner[len(inner.rstrip()) :]
        sink.inline[frame.start :] = [*pieces[:first], lead, written, tail, *pieces[last:]]

    def _image(self, sink: _Sink, row: int) -> None:
        attrs = self.attrs(row)
        if attrs.get("width", "") in ("0", "1") or attrs.get("height", "") in ("0", "1"):
            return  # a counting pixel
        base = self.site.pages.base[self.page]
        for name in ("data-src", "src"):
            src = resolve(attrs[name], base) if attrs.get(name) else ""
            if src:
                sink.inline.append(self.writer.image(" ".join(attrs.get("alt", "").split()), src))
                return

    def _href(self, row: int) -> str:
        # The links table would give the same; but it reads all links of the site, and these are few.
        href = self.site.strings[self.hrefs[row]].strip() if row in self.hrefs else ""
        if url := resolve(href, self.site.pages.base[self.page]) if href else "":
            return url
        return href if re.fullmatch(r"(?i)mailto:[^\s\"'<>\\]+", href) else ""

    def _is_layout(self, row: int) -> bool:
        inside = np.flatnonzero(self.needed[row + 1 : self.end[row]]) + row + 1
        tags = [TAGS[code] for code in self.tag[inside].tolist()]
        n_cells = sum(tag in _CELLS for tag in tags)
        n_rows = tags.count("tr")
        # One column or one row shows no relation between things; several paragraphs to a cell are prose.
        if any(tag in _LAYOUT for tag in tags) or n_rows < 2 or n_cells < 2 * n_rows or tags.count("p") > n_cells:
            return True
        full = self.tag[inside[self.kept[inside]]]
        return len(full) < 2

    def _language(self, row: int) -> str:
        """The programming language of a code block, from the class names that highlighters use."""
        near = [row]
        if row + 1 < len(self.tag) and TAGS[self.tag[row + 1]] == "code":
            near.append(row + 1)
        up = int(self.parent[row])
        for _ in range(2):
            if up >= 0 and TAGS[self.tag[up]] in ("div", "figure"):
                near.append(up)
                up = int(self.parent[up])
        for place in near:
            attrs = self.attrs(place)
            named = attrs.get("data-lang", "")
            if re.fullmatch(r"[A-Za-z][\w+#]{0,20}", named):
                return named.lower()
            for language in _LANGUAGE.findall(attrs.get("class", "").lower()):
                if language not in _NO_LANGUAGE:
                    return str(language)
        return ""


def _end_line(code: list[str]) -> None:
    if code and not code[-1].endswith("\n"):
        code.append("\n")


def _fold(text: str) -> str:
    """White space folded, but still there at the ends."""
    bare = " ".join(text.split())
    if not bare:
        return " "
    return f"{' ' if text[0].isspace() else ''}{bare}{' ' if text[-1].isspace() else ''}"


def _span(value: str) -> int:
    return min(int(value), _MAX_SPAN) if re.fullmatch(r"[1-9]\d{0,5}", value.strip()) else 1
