"""A page of a manual as its truth, as Markdown and as reStructuredText."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from pages import Block, Inline, Page

Address = Callable[[str], str]
"""The address of a page by its name."""


def escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>$|#])", r"\\\1", text)


def plain(inl: Inline) -> str:
    return "".join(piece[1] for piece in inl if piece[0] != "note")


class Truth:
    """Text and Markdown as a reader would want them, with the addresses of the finished site. `deeper` is how many levels below its title the first heading of
    a page of a book is written."""

    def __init__(self, address: Address, base: str, deeper: int = 0) -> None:
        self.address, self.base, self.deeper = address, base, deeper
        self.notes: list[str] = []

    def row(self, page: Page, titles: dict[str, str]) -> dict[str, Any]:
        self.notes, self.page = [], page
        row: dict[str, Any] = {"url": self.base + self.address(page.name), "role": page.role, "title": page.title}
        if page.role == "toc":
            if page.name != "index":
                row["entries"] = [[self.base + self.address(name), titles[name]] for name in page.children]
            return row
        texts, marks = [], []
        for block in page.blocks:
            text, mark = self.block(block)
            texts.append(text)
            marks.append(mark)
        return row | {
            "author": page.author, "date": page.date, "text": "\n".join([*texts, *self.notes]), "markdown": "\n\n".join([f"# {escaped(page.title)}", *marks]), "notes": self.notes,
        }  # fmt: skip

    def line(self, inl: Inline) -> str:
        out = []
        for kind, text, *more in inl:
            if kind in ("page", "sec"):
                out.append(f"[{escaped(text)}]({self.base}{self.address(more[0])}{'#x' if kind == 'sec' else ''})")
            elif kind == "ext":
                out.append(f"[{escaped(text)}]({more[0]})")
            elif kind == "note":
                self.notes.append(text)
            else:
                out.append(
                    {
                        "t": escaped(text),
                        "b": f"**{escaped(text)}**",
                        "i": f"*{escaped(text)}*",
                        "c": f"`{text}`",
                        "m": f"${text}$",
                    }[kind]
                )
        return "".join(out)

    def block(self, block: Block) -> tuple[str, str]:
        kind = block[0]
        if kind in ("p", "quote"):
            return plain(block[1]), ("> " if kind == "quote" else "") + self.line(block[1])
        if kind == "h":
            head = self.page.heads[block[2]]
            return head, "#" * (block[1] + self.deeper) + " " + escaped(head)
        if kind in ("ul", "ol"):
            return self.items(block, "")
        if kind == "dl":
            text = "\n".join(f"{term}\n{plain(inl)}" for term, inl in block[1])
            return text, "\n\n".join(f"**{escaped(term)}**\n\n{self.line(inl)}" for term, inl in block[1])
        if kind in ("table", "spans"):
            rows = [block[1], *block[2]] if kind == "table" else span_rows(block)
            lines = ["| " + " | ".join(map(escaped, row)) + " |" for row in rows]
            return "\n".join("\n".join(row) for row in rows), "\n".join(
                [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]
            )
        if kind == "code":
            return block[2], f"```{block[1]}\n{block[2]}\n```"
        if kind == "math":
            return block[1], f"$$\n{block[1]}\n$$"
        if kind == "img":
            return block[3], f"![{escaped(block[2])}]({self.base}{block[1]}.png)" + (
                f"\n\n{escaped(block[3])}" if block[3] else ""
            )
        if kind in ("adm", "details"):
            return f"{block[1]}\n{plain(block[2])}", f"{escaped(block[1])}\n\n{self.line(block[2])}"
        if kind == "tabs":
            both = [self.block(code) for _, code in block[1]]
            return "\n".join(
                f"{name}\n{text}" for (name, _), (text, _) in zip(block[1], both, strict=True)
            ), "\n\n".join(mark for _, mark in both)
        raise ValueError(kind)

    def items(self, block: Block, indent: str) -> tuple[str, str]:
        texts, marks = [], []
        for i, (inl, below) in enumerate(block[1], 1):
            sign = "- " if block[0] == "ul" else f"{i}. "
            texts.append(plain(inl))
            marks.append(indent + sign + self.line(inl))
            if below:
                text, mark = self.items(below, indent + " " * len(sign))
                texts.append(text)
                marks.append(mark)
        return "\n".join(texts), "\n".join(marks)


def span_rows(block: Block) -> list[list[str]]:
    _, (one, wide), groups = block
    rows = [[one, wide, ""]]
    for first, a, b, c, d in groups:
        rows += [[first, a, b], ["", c, d]]
    return rows


def span_html(block: Block) -> str:
    _, (one, wide), groups = block
    rows = [f'<tr><th>{one}</th><th colspan="2">{wide}</th></tr>']
    for first, a, b, c, d in groups:
        rows += [f'<tr><td rowspan="2">{first}</td><td>{a}</td><td>{b}</td></tr>', f"<tr><td>{c}</td><td>{d}</td></tr>"]
    return "\n".join(["<table>", *rows, "</table>"])


class Markdown:
    """Markdown as one generator reads it. `style` says how: `boxes` (pymd, docusaurus, vite), `numbers` (what follows the language of numbered code), `link` (how a page
    is named), `image` (where pictures lie), `ids` (how a heading gets its name)."""

    def __init__(self, style: dict[str, str]) -> None:
        self.style = style

    def page(self, page: Page, titles: dict[str, str]) -> str:
        self.current, self.notes = page, list[str]()
        out = [f"# {page.title}"]
        out += [self.block(block) for block in page.blocks]
        if page.children:
            out.append("\n".join(f"- [{titles[name]}]({self.link(name)})" for name in page.children))
        out += [f"[^{i}]: {text}" for i, text in enumerate(self.notes, 1)]
        return "\n\n".join(out) + "\n"

    def link(self, name: str) -> str:
        relative = posixpath.relpath(name, posixpath.dirname(self.current.name) or ".")
        return self.style.get("link", "{}.md").format(relative if relative.startswith(".") else f"./{relative}")

    def line(self, inl: Inline) -> str:
        out = []
        for kind, text, *more in inl:
            if kind == "page":
                out.append(f"[{text}]({self.link(more[0])})")
            elif kind == "sec":
                out.append(f"[{text}]({self.link(more[0])}#s{more[1]})")
            elif kind == "ext":
                out.append(f"[{text}]({more[0]})")
            elif kind == "note":
                self.notes.append(text)
                out.append(f"[^{len(self.notes)}]")
            else:
                out.append(
                    {
                        "t": text.replace("<", "&lt;"),
                        "b": f"**{text}**",
                        "i": f"*{text}*",
                        "c": f"`{text}`",
                        "m": f"${text}$",
                    }[kind]
                )
        return "".join(out)

    def fence(self, block: Block) -> str:
        language = block[1]
        if block[3]:
            language = self.style.get("numbers", "{}").format(language)
        return f"```{language}\n{block[2]}\n```"

    def block(self, block: Block) -> str:
        kind = block[0]
        if kind in ("p", "quote"):
            return ("> " if kind == "quote" else "") + self.line(block[1])
        if kind == "h":
            return (
                "#" * block[1]
                + " "
                + self.current.heads[block[2]]
                + self.style.get("ids", "").replace("N", str(block[2]))
            )
        if kind in ("ul", "ol"):
            return self.items(block, "")
        if kind == "dl":
            return "\n\n".join(f"{term}\n\n:   {self.line(inl)}" for term, inl in block[1])
        if kind == "table":
            return "\n".join("| " + " | ".join(row) + " |" for row in [block[1], ["---"] * 3, *block[2]])
        if kind == "spans":
            return span_html(block)
        if kind == "code":
            return self.fence(block)
        if kind == "math":
            return f"$$\n{block[1]}\n$$"
        if kind == "img":
            source = self.style.get("image", "/img/") + block[1] + ".png"
            if source.startswith("@"):
                source = posixpath.relpath(source[1:].lstrip("/"), posixpath.dirname(self.current.name) or ".")
            return f"![{block[2]}]({source})"
        if kind in ("adm", "details"):
            return self.boxed(block)
        if kind == "tabs":
            return "\n\n".join(f'=== "{name}"\n\n' + indented(self.fence(code)) for name, code in block[1])
        raise ValueError(kind)

    def boxed(self, block: Block) -> str:
        kind, title, inl = block
        text, boxes = self.line(inl), self.style["boxes"]
        if boxes == "pymd":
            return f'{"!!!" if kind == "adm" else "???"} note "{title}"\n\n{indented(text)}'
        if boxes == "vite" or (boxes == "colon" and kind == "adm"):
            name = "details" if kind == "details" else "tip"
            return f":::{' ' if boxes == 'vite' else ''}{name}{f' {title}' if boxes == 'vite' else f'[{title}]'}\n\n{text}\n\n:::"
        return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>"

    def items(self, block: Block, indent: str) -> str:
        out = []
        for i, (inl, below) in enumerate(block[1], 1):
            out.append(f"{indent}{'-' if block[0] == 'ul' else f'{i}.'} {self.line(inl)}")
            if below:
                out.append(self.items(below, indent + "    "))
        return "\n".join(out)


def indented(text: str, by: str = "    ") -> str:
    return "\n".join(by + line if line else line for line in text.split("\n"))


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "FW" else 1 for c in text)


class Rst:
    """reStructuredText for Sphinx."""

    def page(self, page: Page, titles: dict[str, str]) -> str:
        self.current, self.notes = page, list[str]()
        out = [f"{page.title}\n{'=' * width(page.title)}"]
        out += [self.block(block) for block in page.blocks]
        if page.children:
            names = "\n".join(
                f"   {posixpath.relpath(name, posixpath.dirname(page.name) or '.')}" for name in page.children
            )
            out.append(f".. toctree::\n   :maxdepth: {2 if page.name == 'index' else 1}\n\n{names}")
        out += [f".. [#f{i}] {text}" for i, text in enumerate(self.notes, 1)]
        return "\n\n".join(out) + "\n"

    def line(self, inl: Inline) -> str:
        out = []
        for kind, text, *more in inl:
            if kind == "note":
                self.notes.append(text)
            out.append(text.replace("*", r"\*") if kind == "t" else rf"\ {self.marked(kind, text, more)}\ ")
        return "".join(out)

    def marked(self, kind: str, text: str, more: list[Any]) -> str:
        if kind in ("page", "sec"):
            label = f"{more[0].replace('/', '-')}-{more[-1]}"
            return f":doc:`{text} </{more[0]}>`" if kind == "page" else f":ref:`{text} <{label}>`"
        if kind == "ext":
            return f"`{text} <{more[0]}>`__"
        return {
            "b": f"**{text}**",
            "i": f"*{text}*",
            "c": f"``{text}``",
            "m": f":math:`{text}`",
            "note": f"[#f{len(self.notes)}]_",
        }[kind]

    def block(self, block: Block) -> str:
        kind = block[0]
        if kind in ("p", "quote"):
            return f"..\n\n{indented(self.line(block[1]))}" if kind == "quote" else self.line(block[1])
        if kind == "h":
            head = self.current.heads[block[2]]
            return (
                f".. _{self.current.name.replace('/', '-')}-{block[2]}:\n\n{head}\n{'-~'[block[1] - 2] * width(head)}"
            )
        if kind in ("ul", "ol"):
            return self.items(block, "")
        if kind == "dl":
            return "\n\n".join(f"{term}\n    {self.line(inl)}" for term, inl in block[1])
        if kind == "table":
            rows = ["   * - " + "\n     - ".join(row) for row in [block[1], *block[2]]]
            return ".. list-table::\n   :header-rows: 1\n\n" + "\n".join(rows)
        if kind == "spans":
            return self.spans(block)
        if kind == "code":
            numbered = "   :linenos:\n" if block[3] else ""
            return f".. code-block:: {block[1]}\n{numbered}\n{indented(block[2], '   ')}"
        if kind == "math":
            return f".. math::\n\n   {block[1]}"
        if kind == "img":
            return f".. figure:: /img/{block[1]}.png\n   :alt: {block[2]}" + (f"\n\n   {block[3]}" if block[3] else "")
        if kind == "adm":
            return f".. admonition:: {block[1]}\n\n   {self.line(block[2])}"
        if kind == "details":
            return f".. dropdown:: {block[1]}\n\n   {self.line(block[2])}"
        if kind == "tabs":
            tabs = [f".. tab-item:: {name}\n\n{indented(self.block(code), '   ')}" for name, code in block[1]]
            return ".. tab-set::\n\n" + indented("\n\n".join(tabs), "   ")
        raise ValueError(kind)

    def spans(self, block: Block) -> str:
        rows = span_rows(block)
        wide = rows[0][1]
        sizes = [max(width(row[x]) for row in (rows if x == 0 else rows[1:])) + 2 for x in range(3)]
        sizes[2] = max(sizes[2], width(wide) + 1 - sizes[1])

        def cells(row: list[str], widths: list[int]) -> str:
            return (
                "|"
                + "|".join(f" {cell}{' ' * (w - 1 - width(cell))}" for cell, w in zip(row, widths, strict=True))
                + "|"
            )

        def rule(sign: str = "-") -> str:
            return "+" + "+".join(sign * w for w in sizes) + "+"

        out = [rule(), cells(rows[0][:2], [sizes[0], sizes[1] + sizes[2] + 1]), rule("=")]
        for i in (1, 3):
            out += [
                cells(rows[i], sizes),
                "|" + " " * sizes[0] + rule()[sizes[0] + 1 :],
                cells(rows[i + 1], sizes),
                rule(),
            ]
        return "\n".join(out)

    def items(self, block: Block, indent: str) -> str:
        out = []
        for i, (inl, below) in enumerate(block[1], 1):
            sign = "- " if block[0] == "ul" else f"{i}. "
            out.append(f"{indent}{sign}{self.line(inl)}")
            if below:
                out += ["", self.items(below, indent + " " * len(sign)), ""]
        return "\n".join(out)
