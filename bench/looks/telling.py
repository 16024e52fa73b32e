"""What a program is told of a site, and the truth of it: pages, threads and lists."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from pages import Block, Inline
from served import PORT, Visitor
from stuff import Html, Item, Said, Stuff
from writers import Markdown, Truth, escaped


def unlinked(stuff: Stuff, without: tuple[str, ...] = ("img",)) -> Stuff:
    """The same pages without the links whose address only the program knows, and without some kinds of blocks and pieces."""
    for item in stuff.items_:
        item.blocks = [_unlinked(block, without) for block in item.blocks if block[0] not in without]
        for said in item.said:
            said.blocks = [_unlinked(block, without) for block in said.blocks if block[0] not in without]
    stuff.images = []
    return stuff


def _unlinked(block: Block, without: tuple[str, ...]) -> Block:
    def line(inl: Inline) -> Inline:
        return [("t", text) if kind == "page" or kind in without else (kind, text, *more) for kind, text, *more in inl]

    if block[0] in ("p", "quote"):
        return (block[0], line(block[1]))
    if block[0] in ("ul", "ol"):
        return (block[0], [(line(inl), _unlinked(below, without) if below else None) for inl, below in block[1]])
    return block


class Told:
    """One site: what it says, how it is written for the program, and what is true of its pages."""

    def __init__(
        self,
        name: str,
        site: Path,
        tools: Path,
        language: str,
        kind: str,
        n_pages: int = 36,
        without: tuple[str, ...] = ("img",),
        months: int = 0,
    ) -> None:
        self.name, self.site, self.tools, self.language = name, site, tools, language
        self.work = site / "work"
        self.stuff = unlinked(Stuff(name, language, kind, n_pages), without)
        self.items = self.stuff.items_
        self.visitor = Visitor(f"{name}.example", PORT)
        self.base = f"http://{name}.example"
        self.truth = Truth(lambda page: page, f"{self.base}/")
        self._html = Html(self.stuff, lambda page: page)
        self._markdown = Markdown({"boxes": "pymd"})
        self.rows: list[dict[str, Any]] = []
        for item in self.items:
            if months:  # all within so many months, so that a month has several threads
                item.date = f"2023-{int(item.date[5:7]) % months + 1:02}{item.date[7:]}"
            for said in item.said:
                said.date = item.date[:7] + said.date[7:]
                self.truth.notes = []
                said.text = "\n".join(self.truth.block(block)[0] for block in said.blocks)

    def html(self, blocks: list[Block], item: Item | None = None) -> str:
        return self._html.blocks(blocks, item)

    def markdown(self, blocks: list[Block], item: Item | None = None) -> str:
        self._markdown.notes = []
        if item:
            self._markdown.current = item
        return "\n\n".join(map(self._markdown.block, blocks)) + "\n"

    def plain(self, block: Block) -> str:
        """A block as people write it in letters: lines of 72 signs."""
        if block[0] in ("ul", "ol"):
            return "\n".join(f"* {line}" for line in self.truth.block(block)[0].split("\n"))
        text = self.truth.block(block)[0]
        return text if block[0] == "code" else textwrap.fill(text, 72)

    def plain_marks(self) -> None:
        """Posts without marks on words, for programs with marks of their own."""
        for item in self.items:
            for said in item.said:
                said.blocks = [
                    (block[0], [("t", piece[1]) for piece in block[1]]) if block[0] == "p" else block
                    for block in said.blocks
                ]

    def page(self, item: Item, path: str, **more: Any) -> dict[str, Any]:
        """A page that is one article; what is None is not asked."""
        row = self.truth.row(item, {}) | {"url": self.base + path} | more
        self.rows.append(row)
        return row

    def thread(self, item: Item, path: str, **more: Any) -> dict[str, Any]:
        """A page of posts."""
        said = [as_post(one) for one in item.said]
        marks = [self.truth.block(block)[1] for one in item.said for block in one.blocks]
        row = {
            "url": self.base + path, "role": "article", "title": item.title, "author": said[0]["author"], "date": said[0]["date"], "text": "\n".join(one["text"] for one in said),
            "markdown": "\n\n".join([f"# {escaped(item.title)}", *marks]), "posts": said,
        } | more  # fmt: skip
        self.rows.append(row)
        return row

    def toc(self, path: str, entries: list[tuple[str, str]]) -> None:
        """A list, with the paths and titles of what it leads to."""
        self.rows.append(
            {"url": self.base + path, "role": "toc", "entries": [[self.base + to, title] for to, title in entries]}
        )


def as_post(said: Said) -> dict[str, str]:
    return {"author": said.author, "date": said.date, "text": said.text}
