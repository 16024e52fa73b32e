"""One walk over the kept rows of a page, for every format with structure.

A `Writer` says how a paragraph, a heading, a list ... is written; the walk finds them. It goes over rows in
document order with a stack of open elements, so depth costs nothing. Text between block elements becomes a
paragraph; wrappers (`div`, `section`, layout tables) leave no trace.

The same walk in C is the kernel `native.render`, of which this one is the reference: what either of them has to know of addresses,
pictures, formulas and code, the methods here tell both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools
from sitegrain.render.anchors import PERMALINK, fragment_targets, leads_to_itself
from sitegrain.render.code import PRES, is_in_line
from sitegrain.render.grid import Cell, is_layout, read_span
from sitegrain.render.images import (
    MEDIA_TAGS,
    is_low_link,
    is_no_picture,
    is_shown_small,
    is_without_scripts,
    leads_on,
    link_around,
    media_address,
    picture_address,
    picture_name,
    shares_page,
)
from sitegrain.render.rows import (
    CELLS,
    CONTROL,
    IS_BLOCK,
    IS_CELL,
    LEAVES,
    LISTS,
    MARKS,
    OF_TABLES,
    OWN_SINK,
    WrittenRows,
)
from sitegrain.render.rules import RULES
from sitegrain.render.sink import Frame, Sink, Writer, enclosing, folded, is_in_terms
from sitegrain.tables.address import NOWHERE, plain_base, resolve, shown_address
from sitegrain.tables.budgets import MAX_RENDERED_NESTING
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, HEADINGS, TAG_CODE, TAGS, TEXT

_HEADINGS = frozenset(HEADINGS)
_ROWS = frozenset(("tr", "tbody", "thead", "tfoot"))
_TABLE, _NOTHING = frozenset(("table",)), frozenset[str]()
_SIGN = re.compile(r"[^\w\s!\[\]()]{1,3}")
_ID, _NAME = (ATTRIBUTES.index(name) for name in ("id", "name"))
_BR, _IMG = TAG_CODE["br"], TAG_CODE["img"]


class Walk(WrittenRows):
    """The walk over the rows of a page that are written."""

    def __init__(
        self, site: Site, page: int, kept: Bools, writer: Writer, repeated: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(site, page, kept, repeated)
        self.addresses: dict[str, str] = {}
        """By what links say."""
        self.begin(writer)

    def begin(self, writer: Writer) -> None:
        """Start at the first row, in this format."""
        self.writer = writer
        self._open_marks: dict[str, int] = {}
        self._links: list[str] = []
        """Addresses of the open links, outermost first."""
        self._code_url = ""
        self._n_sinks = 0
        """Open elements that are written on their own: quotes, lists, items, cells."""
        self._outer: list[Frame] = []
        """Open marks and links that are in no other of their kind."""
        self._n_headings = self._n_terms = 0
        """Open ones."""
        self._headings: set[str] = set()
        self._images: set[str] = set()
        self.sizes: dict[str, str] = {}
        """Pictures that were shown, by their address without the size that they were cut to."""
        self.films: set[str] = set()

    def rendered(self, title: str = "") -> str:
        """The page in the format that was begun, under a title that is none of its rows."""
        return native.render(self, self.tables, RULES, self.writer.is_html, title)

    def in_python(self, title: str) -> str:
        """`rendered` by this walk."""
        self.begin(self.writer)
        return self.writer.join(self.titled(title, self.blocks()))

    def blocks(self) -> list[str]:
        """Write the page; the blocks of its top level."""
        root = Sink(self.writer)
        stack = [Frame("", len(self.tag) + 1, -1, root)]
        text = CONTROL.sub(" ", self.site.texts[self.page])  # they mean nothing in a page, and something to writers
        seen, gaps = self.seen_and_gaps
        targets = self.places if self.writer.anchor("x") else {}
        nodes, at = self.site.nodes, seen + self.first
        pre = done = n_gaps = n_spaces = n_breaks = after = 0
        is_line_due = False
        for row, tag, end, start, stop, gap, space, breaks in zip(
            seen.tolist(), self.tag[seen].tolist(), self.end[seen].tolist(), nodes.text_start[at].tolist(),
            nodes.text_end[at].tolist(), gaps[seen].tolist(), self.spaces[seen].tolist(), self.line_breaks[seen].tolist(), strict=True,
        ):  # fmt: skip
            if row < done:
                continue  # within a formula that is written
            while stack[-1].end <= row:
                pre -= stack[-1].tag in PRES
                self._close(stack)
            sink = stack[-1].sink
            if gap > n_gaps:
                if pre:
                    is_line_due = True
                else:
                    self._flush(stack)
            elif space > n_spaces and not pre:
                sink.inline.append(" ")
            n_gaps, n_spaces = gap, space
            if tag == TEXT:
                piece = text[start:stop]
                if pre:
                    is_line_due &= is_in_line(sink.inline)
                    sink.inline.append(self.code_piece(piece, breaks - n_breaks, is_line_due, after, row))
                    is_line_due, n_breaks, after = False, breaks, row + 1
                else:
                    if row in targets:
                        sink.inline += [self.writer.anchor(name) for name in targets[row]]
                    sink.inline.append(self.writer.text(folded(piece)))
            elif row in self.formulas and not pre:
                done = end
                n_gaps, n_spaces = int(gaps[done - 1]), int(self.spaces[done - 1])
                sink.inline.append(self.writer.formula(*self.formulas[row]))
            elif pre:
                if tag == _BR:
                    sink.inline.append("\n\n" if is_line_due and is_in_line(sink.inline) else "\n")
                elif tag == _IMG:
                    self._part_code(stack[-1], row)
                elif IS_BLOCK[tag]:  # some highlighters make a block of every line
                    is_line_due = True
            else:
                self._open(stack, row, TAGS[tag])
                if stack[-1].row == row and stack[-1].tag in PRES:
                    pre += 1
                    is_line_due, n_breaks, after = False, breaks, row + 1
        while len(stack) > 1:
            self._close(stack)
        root.flush()
        return root.blocks

    def titled(self, title: str, blocks: list[str]) -> list[str]:
        """The blocks under a title, unless one of their headings says it."""
        text = self.writer.text(CONTROL.sub(" ", title))
        if not title or not blocks or any(self.writer.heading(level, text) in self._headings for level in range(1, 7)):
            return blocks
        return [self.writer.heading(1, text), *blocks]

    def _flush(self, stack: list[Frame]) -> None:
        """End the line of text; marks that go on are written on both sides of the break."""
        sink = stack[-1].sink
        if not sink.inline:
            return
        if not sink.is_line and self._outer:
            is_open = [frame for frame in reversed(self._outer) if frame.sink is sink]
            for frame in is_open:
                self._mark(frame)
            sink.flush()
            for frame in is_open:
                frame.start = 0
        else:
            sink.flush()

    def _open(self, stack: list[Frame], row: int, tag: str) -> None:
        sink = stack[-1].sink
        if tag in LEAVES:
            self._leaf(stack, row, tag)
            return
        frame = Frame(tag, int(self.end[row]), row, sink, len(sink.inline))
        if tag == "a" and not (url := self.href(row, self.hrefs.get(row, ""))):
            frame.tag = "span"
        elif tag == "a" or tag in MARKS:
            kind = MARKS.get(tag, tag)
            if tag == "a":
                frame.url = url
                self._links.append(url)
            frame.is_outer = not self._open_marks.get(kind)
            if frame.is_outer:
                self._outer.append(frame)
            self._open_marks[kind] = self._open_marks.get(kind, 0) + 1
        elif tag in BLOCK_TAGS:
            self._flush(stack)
            frame.start = len(sink.inline)
            self._open_block(stack, frame)
            self._n_sinks += frame.sink is not sink
        stack.append(frame)

    def _leaf(self, stack: list[Frame], row: int, tag: str) -> None:
        sink = stack[-1].sink
        if tag == "br":
            sink.inline.append(" " if sink.is_line else self.writer.line_break())
        elif tag == "hr":
            self._flush(stack)
            last, rule = sink.blocks[-1] if sink.blocks else "", self.writer.rule()
            if not sink.is_line and last and last != rule and last not in self._headings:
                sink.blocks.append(rule)  # what stood between two was left out; below a heading it parts nothing
        elif tag == "img":
            if found := self.picture(row, self.attrs(row)):
                alt, src, is_again = found
                if not (is_again and src in self._images):
                    sink.inline.append(self.writer.image(alt, src))
                self._images.add(src)
        elif not self._links and (media := self.media(row, self.attrs(row))):
            name, url = media
            sink.inline += [" ", self.writer.link(self.writer.text(name), url), " "]

    def picture(self, row: int, attrs: Mapping[str, str]) -> tuple[str, str, bool] | None:
        """What an `<img>` says instead, where it is fetched from, and whether it may be there once more for those without scripts;
        None for one that is not written."""
        if is_no_picture(attrs) or is_low_link(row, self.tag, self.parent, attrs):
            return None
        src = picture_address(row, self.tag, self.parent, lambda i: attrs if i == row else self.attrs(i), self.base)
        if not src or is_shown_small(src, self.sizes):
            return None
        return picture_name(attrs), shown_address(src), is_without_scripts(row, self.tag, self.parent)

    def media(self, row: int, attrs: Mapping[str, str]) -> tuple[str, str] | None:
        """What a film or a sound is called, and where it is; None for one that is not written."""
        tag = TAGS[self.tag[row]]
        url = media_address(tag, attrs, self.base)
        inside = row + 1
        while not url and inside < min(self.end[row], row + 20):
            if TAGS[self.tag[inside]] == "source":
                url = media_address(tag, self.attrs(inside), self.base)
            inside += 1
        if not url or (url in self.films and is_without_scripts(row, self.tag, self.parent)):
            return None
        self.films.add(url)
        name = attrs.get("title") or attrs.get("aria-label") or MEDIA_TAGS[tag]
        return CONTROL.sub(" ", " ".join(name.split())), shown_address(url)

    def _open_block(self, stack: list[Frame], frame: Frame) -> None:
        tag, sink = frame.tag, frame.sink
        if sink.is_line and tag != "tr" and tag not in CELLS:
            frame.tag = "span"
            return
        if self._n_sinks >= MAX_RENDERED_NESTING or (tag == "table" and self._is_layout(frame.row)):
            frame.tag = "div"
        elif tag in OF_TABLES:
            table = enclosing(stack, _TABLE, _ROWS)
            if table is None:
                frame.tag = "div"
            elif tag == "tr":
                table.sink.table.rows.append([])
            else:
                frame.sink = Sink(self.writer, is_line=tag == "caption")
        elif tag in OWN_SINK:
            if tag == "li" and (up := enclosing(stack, LISTS, _NOTHING)) is not None:
                up.sink.absorb()
            elif tag == "dd" and is_in_terms(stack):
                sink.define()
            frame.sink = Sink(self.writer)
        elif tag in _HEADINGS or tag == "dt":
            if tag == "dt" and is_in_terms(stack):
                sink.define()
            self._n_terms += tag == "dt"
            self._n_headings += tag != "dt"
            frame.sink = Sink(self.writer, is_line=True)

    def _close(self, stack: list[Frame]) -> None:
        frame = stack.pop()
        up = stack[-1].sink
        sink, tag = frame.sink, frame.tag
        if sink is not up:
            self._n_sinks -= 1
            self._n_terms -= tag == "dt"
            self._n_headings -= tag in _HEADINGS
            self._close_sink(frame, stack)
        elif tag in BLOCK_TAGS:
            stack.append(frame)
            self._flush(stack)
            stack.pop()
        elif tag == "a" or tag in MARKS:
            if tag == "a":
                self._links.pop()
            kind = MARKS.get(tag, tag)
            self._open_marks[kind] -= 1
            if not self._open_marks[kind]:
                del self._open_marks[kind]
            if frame.is_outer:
                self._outer.pop()
                if not self._is_permalink(frame):
                    self._mark(frame, self._n_headings > 0)

    def _close_sink(self, frame: Frame, stack: list[Frame]) -> None:
        up = stack[-1].sink
        sink, tag, writer = frame.sink, frame.tag, self.writer
        if tag in _HEADINGS:
            self._close_heading(frame, up)
        elif tag == "dt":
            if text := sink.line():
                up.parts.append((True, [text]))
        elif tag in PRES:
            sink.end_code(tag, lambda: self.language(frame.row))
            up.blocks += sink.blocks
        elif tag == "li":
            sink.flush()
            lists = enclosing(stack, LISTS, _NOTHING)
            if lists is not None:
                lists.sink.items.append(sink.blocks)
            elif sink.blocks:
                up.blocks.append(writer.items([sink.blocks], False, 1))
        elif tag in LISTS:
            sink.absorb()
            items = [item for item in sink.items if item]
            if items:
                start = self.attrs(frame.row).get("start", "")
                first = int(start) if re.fullmatch(r"\d{1,6}", start) else 1
                up.blocks.append(writer.items(items, tag == "ol", first))
        elif tag == "dd":
            sink.flush()
            if sink.blocks:
                up.parts.append((False, sink.blocks))
        elif tag == "dl":
            sink.define()
            up.blocks.extend(writer.definitions(sink.parts))
        elif tag == "blockquote":
            sink.flush()
            if sink.blocks:
                up.blocks.append(writer.quote(sink.blocks))
        elif tag in CELLS or tag == "caption":
            self._close_cell(frame, stack)
        elif tag == "table":
            sink.flush()
            up.blocks.extend(sink.blocks)
            if any(sink.table.rows) or sink.table.caption:
                up.blocks.append(writer.table(sink.table))
        if up.parts and not is_in_terms(stack):
            up.blocks.extend(writer.definitions(up.parts))  # a term outside of any list
            up.parts = []

    def _part_code(self, frame: Frame, row: int) -> None:
        """Code holds no pictures: one parts it in two (a drawing between formulas)."""
        if found := self.picture(row, self.attrs(row)):
            frame.sink.end_code(frame.tag, lambda: self.language(frame.row))
            link = link_around(row, self.tag, self.parent)
            url, image = self.href(link, self.hrefs.get(link, "")), self.writer.image(*found[:2])
            frame.sink.inline[:] = [self.writer.link(image, url) if url and image and link > frame.row else image]
            frame.sink.flush()

    def _close_heading(self, frame: Frame, up: Sink) -> None:
        inner = "".join(frame.sink.inline).strip()
        if inner and self._links and not self._is_here(self._links[0]):
            frame.sink.inline[:] = [self.writer.link(inner, self._links[0])]  # a link around a heading
        text = frame.sink.line()
        if not text:
            return
        written = self.writer.heading(int(frame.tag[1]), text)
        # Themes print the title in a heading of their own above that of the text.
        if frame.tag == "h1" and written in self._headings:
            return
        self._headings.add(written)
        up.blocks.append(written)

    def _close_cell(self, frame: Frame, stack: list[Frame]) -> None:
        table = enclosing(stack, _TABLE, _ROWS)
        if table is None:
            return
        if frame.tag == "caption":
            table.sink.table.caption = frame.sink.line()
            return
        frame.sink.flush()
        attrs = self.attrs(frame.row)
        spans = [read_span(attrs.get(name, "")) for name in ("colspan", "rowspan")]
        if not table.sink.table.rows:
            table.sink.table.rows.append([])
        table.sink.table.rows[-1].append(Cell(frame.sink.blocks, frame.tag == "th", *spans))

    def _is_permalink(self, frame: Frame) -> bool:
        """True for the sign beside a heading that leads to itself; it is taken away."""
        if frame.tag != "a" or "#" not in frame.url:
            return False
        text = "".join(frame.sink.inline[frame.start :]).replace("\\", "").strip()
        if text and not _SIGN.fullmatch(text):
            return False
        if self._n_headings or self._n_terms or self.is_permalink(frame.row):
            del frame.sink.inline[frame.start :]
            return True
        return False

    def _mark(self, frame: Frame, in_heading: bool = False) -> None:
        """Write a link or a mark around what stands in the line since it was opened."""
        sink = frame.sink
        kind = MARKS.get(frame.tag, "a")
        if (kind == "a" and frame.is_linked) or (kind == "strong" and in_heading):
            return
        if kind == "a" and in_heading and self._is_here(frame.url):
            return
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
        if not bare:
            return
        frame.is_linked = True
        if kind == "a" and self._open_marks.get("code"):
            self._code_url = frame.url  # code holds no links: the link goes around it
            return
        written = self.writer.link(bare, frame.url) if kind == "a" else self.writer.mark(kind, bare)
        if kind == "code" and self._code_url:
            written = self.writer.link(written, self._code_url)
            self._code_url = ""
        lead = inner[: len(inner) - len(inner.lstrip())]
        if kind == "code" and not lead and self._open_marks.keys() <= {"code"}:
            written = self.writer.goes_on(sink.inline, frame.start + first, written)
        sink.inline[frame.start + first :] = [lead, written, inner[len(inner.rstrip()) :], *pieces[last:]]

    def is_permalink(self, row: int) -> bool:
        """Whether a link is named as one that leads to its own place."""
        return PERMALINK.search(self.attrs(row).get("class", "")) is not None

    def is_shared(self, row: int, href: str) -> bool:
        """Whether a link hands the address of the page to another."""
        return shares_page(href, self.site.pages.url[self.page])

    def is_card(self, row: int, href: str) -> bool:
        """Whether a link leads to another page of the site."""
        return leads_on(href, self.site.pages.url[self.page])

    @cached_property
    def places(self) -> dict[int, list[str]]:
        """Row of a text -> names of the places that begin with it and that links of the page lead to."""
        if not leads_to_itself(self.site, self._rows, self.given):
            return {}
        return fragment_targets(self.tag, self.parent, self.end, self.kept, self._named_rows, self.hrefs)

    def _named_rows(self) -> dict[int, str]:
        return {**self._values(_NAME), **self._values(_ID)}

    @cached_property
    def _place_names(self) -> frozenset[str]:
        return frozenset(name for found in self.places.values() for name in found)

    def href(self, row: int, said: str) -> str:
        """Where a link leads to, as it is written; empty for one that is not."""
        href = said.strip()
        if self.writer.is_html and href[:1] == "#" and unquote(href[1:]) in self._place_names:
            return self.writer.anchor_link(unquote(href[1:]))
        if href not in self.addresses:
            self.addresses[href] = CONTROL.sub(lambda m: f"%{ord(m[0]):02X}", self._address(href))
        return self.addresses[href]

    @cached_property
    def plain_base(self) -> tuple[str, str, str]:
        """What stands before plain addresses: of those from the host's root, of those from the page's folder, of places of the page."""
        return *plain_base(self.base), self.base

    def _address(self, href: str) -> str:
        # The links table would give the same without fragments; but it reads all links of the site.
        if url := resolve(href, self.base) if href else "":
            fragment = "%20".join(href.partition("#")[2].split())
            url = "" if href.startswith("#") and url.startswith(NOWHERE) else shown_address(url)
            return f"{url}#{fragment}" if fragment else url
        return href if re.fullmatch(r"(?i)mailto:[^\s\"'<>\\]+", href) else ""

    def _is_here(self, url: str) -> bool:
        """True for the address of the page itself: titles are links to their own page for those who see them in a list."""
        return "#" not in url and "://" in url and _short(url) == _short(self.site.pages.url[self.page])

    def _is_layout(self, row: int) -> bool:
        if self._layout_before[self.end[row]] > self._layout_before[row + 1]:
            return True
        inside = np.flatnonzero(self.needed[row + 1 : self.end[row]]) + row + 1
        tags = [TAGS[code] for code in self.tag[inside].tolist()]
        cells = inside[IS_CELL[self.tag[inside]]]
        nodes = self.site.nodes
        sizes = (nodes.text_end[cells + self.first] - nodes.text_start[cells + self.first]).tolist()
        return is_layout(tags, sizes, self.attrs(row).get("role", ""))


def _short(url: str) -> str:
    return url.partition("://")[2].removesuffix("index.html").rstrip("/")
