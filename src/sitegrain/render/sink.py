"""Where the walk over a page puts what it has written: a format, lines of text, and blocks.

A `Writer` says how a format writes each thing; a `Sink` collects the pieces of a line and the blocks made of them; a
`Frame` is an open element with the sink that its content goes to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import islice
from typing import Protocol

from sitegrain.light import dataclass
from sitegrain.render.grid import Table
from sitegrain.tables.budgets import MAX_REACH
from sitegrain.tables.tags import BLOCK_TAGS

_SPACES = re.compile(" {2,}")
_NEWLINES = re.compile(r" *\n *")
_SPACED_BREAK = re.compile(r" +(?=\\\n)")


class Writer(Protocol):
    """How a format writes each thing; inner text arrives written already."""

    is_html: bool

    def text(self, text: str) -> str: ...
    def finish(self, line: str) -> str: ...
    def formula(self, latex: str, is_block: bool) -> str: ...
    def mark(self, kind: str, inner: str) -> str: ...
    def goes_on(self, line: list[str], end: int, code: str) -> str: ...
    def link(self, inner: str, url: str) -> str: ...
    def anchor(self, name: str) -> str: ...
    def anchor_link(self, name: str) -> str: ...
    def image(self, alt: str, src: str) -> str: ...
    def line_break(self) -> str: ...
    def paragraph(self, inner: str) -> str: ...
    def heading(self, level: int, inner: str) -> str: ...
    def items(self, items: list[list[str]], is_ordered: bool, start: int) -> str: ...
    def definitions(self, parts: list[tuple[bool, list[str]]]) -> list[str]: ...
    def quote(self, blocks: list[str]) -> str: ...
    def code(self, text: str, language: str) -> str: ...
    def table(self, table: Table) -> str: ...
    def rule(self) -> str: ...
    def join(self, blocks: list[str]) -> str: ...


@dataclass(slots=True)
class Sink:
    """Where written things go: blocks, and the line of text that is being collected."""

    writer: Writer
    is_line: bool = False
    """True inside a heading or a caption: blocks within are no blocks, only spaces."""
    blocks: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    items: list[list[str]] = field(default_factory=list)
    parts: list[tuple[bool, list[str]]] = field(default_factory=list)
    """Of a `<dl>`: (is a term, its blocks)."""
    table: Table = field(default_factory=Table)

    def line(self) -> str:
        text = self.writer.finish("".join(self.inline))
        self.inline.clear()
        if " \\\n" in text:
            text = _SPACED_BREAK.sub("", text)
        if "  " in text:
            text = _SPACES.sub(" ", text)
        if "\n" not in text:
            return text.strip(" ")
        lines = _NEWLINES.sub("\n", text).strip(" \n").split("\n")
        empty = (
            ("", "\\") if self.writer.line_break() == "\\\n" else ("",)
        )  # a backslash of the text is two in Markdown
        return "\n".join(line for line in lines if line not in empty) if len(lines) > 1 else lines[0]

    def flush(self) -> None:
        if self.is_line:
            if self.inline:
                self.inline.append(" ")
            return
        brk = self.writer.line_break()
        if brk not in self.inline:
            if self.inline and (text := self.line()):
                self.blocks.append(self.writer.paragraph(text))
        else:
            # Two line breaks in a row are how old pages part paragraphs.
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

    def prose(self, lines: Iterable[str]) -> list[str]:
        """The blocks of lines that were typed as plain text: terms of use and the like."""
        brk = self.writer.line_break()
        self.inline[:] = [piece for line in lines for piece in (self.writer.text(line), brk)]
        self.flush()
        return self.blocks

    def end_code(self, tag: str, language: Callable[[], str]) -> None:
        """Make a block of the code that was collected, or of what stands in a field for text."""
        text = "".join(self.inline).replace("\r", "").strip("\n")
        if tag == "textarea":
            self.prose(map(folded, text.split("\n")))
        elif text.strip():
            self.blocks.append(self.writer.code(text, language()))

    def absorb(self) -> None:
        """What stands in a list outside of its items belongs to the item before."""
        self.flush()
        if self.blocks:
            if self.items:
                self.items[-1].extend(self.blocks)
            else:
                self.items.append(self.blocks)
            self.blocks = []

    def define(self) -> None:
        """What stands in a `<dl>` outside of `<dt>` and `<dd>` is a definition too."""
        self.flush()
        if self.blocks:
            self.parts.append((False, self.blocks))
            self.blocks = []


@dataclass(slots=True)
class Frame:
    tag: str
    end: int
    row: int
    sink: Sink
    """Where the content goes; the parent's sink, unless the element needs its own."""
    start: int = 0
    """Where in the sink's line it begins."""
    url: str = ""
    is_outer: bool = True
    """No mark of its kind is open around it."""
    is_linked: bool = False
    """Its address is written."""


def enclosing(stack: list[Frame], tags: frozenset[str], through: frozenset[str]) -> Frame | None:
    """The nearest open element of these tags, with no block between but `through` and wrappers."""
    for frame in islice(reversed(stack), MAX_REACH):
        if frame.tag in tags:
            return frame
        if frame.tag not in through and frame.tag in BLOCK_TAGS and frame.tag != "div":
            return None
    return None


def is_in_terms(stack: list[Frame]) -> bool:
    """True where text goes into a `<dl>` that is open."""
    sink = stack[-1].sink
    for frame in islice(reversed(stack), MAX_REACH):
        if frame.sink is not sink:
            break
        if frame.tag == "dl":
            return True
    return False


def folded(text: str) -> str:
    """White space folded, but still there at the ends."""
    bare = " ".join(text.split())
    if not bare:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{bare}{' ' if text[-1].isspace() else ''}"
