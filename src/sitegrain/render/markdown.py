"""Markdown (CommonMark with the tables and strike-through of GitHub) of the kept text of a page."""

from __future__ import annotations

import re

from sitegrain.arrays.types import Bools
from sitegrain.render.walk import Table, Walk
from sitegrain.tables.site import Site


def to_markdown(site: Site, page: int, kept: Bools) -> str:
    """The kept text of a page as Markdown; characters that Markdown would read as markup are escaped.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<h2>Tea</h2><p>Boil <b>hot</b> <a href=/w>water</a>.<ol><li>cup<li>pot<ul><li>lid</ul></ol>"
    >>> site = build_site([Capture("http://a.org/", html)])
    >>> print(to_markdown(site, 0, site.is_text))
    ## Tea
    <BLANKLINE>
    Boil **hot** [water](http://a.org/w).
    <BLANKLINE>
    1. cup
    2. pot
       - lid
    """
    return "\n\n".join(Walk(site, page, kept, _Markdown()).blocks())


_SPECIAL = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,32};)")
_BLOCK_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-+\s*$|\|)|^(\d{1,9})([.)])(?=\s|$)")


def _escape_start(line: str) -> str:
    return _BLOCK_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", line)


def _indent(block: str, first: str, rest: str) -> str:
    lines = block.split("\n")
    return "\n".join([first + lines[0], *(rest + line if line else line for line in lines[1:])])


class _Markdown:
    def text(self, text: str) -> str:
        return _SPECIAL.sub(r"\\\g<0>", text)

    def mark(self, kind: str, inner: str) -> str:
        if kind == "code":
            bare = re.sub(r"\\([\\`*\[\]<~_&])", r"\1", inner).replace("\\\n", " ")
            ticks = "`" * (max((len(run) for run in re.findall("`+", bare)), default=0) + 1)
            pad = " " if bare.startswith("`") or bare.endswith("`") else ""
            return f"{ticks}{pad}{bare}{pad}{ticks}"
        around = {"strong": "**", "em": "*", "del": "~~"}.get(kind, "")
        if kind == "q":
            return f"“{inner}”"
        return f"{around}{inner}{around}"

    def link(self, inner: str, url: str) -> str:
        return f"[{inner}]({_target(url)})"

    def image(self, alt: str, src: str) -> str:
        return f"![{self.text(alt)}]({_target(src)})"

    def line_break(self) -> str:
        return "\\\n"

    def paragraph(self, inner: str) -> str:
        return "\n".join(_escape_start(line) for line in inner.split("\n"))

    def heading(self, level: int, inner: str) -> str:
        # A closing run of # would be taken for decoration.
        text = re.sub(r"(#+)$", r"\\\1", inner.replace("\n", " "))
        return "#" * level + " " + text

    def term(self, inner: str) -> str:
        return f"**{inner}**" if "**" not in inner else inner

    def items(self, items: list[list[str]], is_ordered: bool, start: int) -> str:
        out = []
        for number, blocks in enumerate(items, start):
            bullet = f"{number}. " if is_ordered else "- "
            pad = " " * len(bullet)
            first, *rest = blocks
            lines = [_indent(first, bullet, pad)]
            for block in rest:
                # A list right under its item stays close; other blocks need a blank line to be blocks.
                is_list = re.match(r"(- |\d+\. )", block) is not None
                lines.append(("" if is_list else "\n") + _indent(block, pad, pad))
            out.append("\n".join(lines))
        return "\n".join(out)

    def quote(self, blocks: list[str]) -> str:
        return "\n".join(f"> {line}" if line else ">" for line in "\n\n".join(blocks).split("\n"))

    def code(self, text: str, language: str) -> str:
        fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
        return f"{fence}{language}\n{text}\n{fence}"

    def table(self, table: Table) -> str:
        grid = _grid(table)
        if not grid:
            return table.caption
        has_head = any(cell.is_header for cell in table.rows[0]) if table.rows[0] else False
        head, body = (grid[0], grid[1:]) if has_head else ([""] * len(grid[0]), grid)
        lines = [head, ["---"] * len(head), *body]
        text = "\n".join("| " + " | ".join(row) + " |" for row in lines)
        return f"{self.paragraph(table.caption)}\n\n{text}" if table.caption else text

    def rule(self) -> str:
        return "---"


def _target(url: str) -> str:
    return f"<{url}>" if re.search(r"[()]", url) else re.sub(r"\s", "%20", url)


def _grid(table: Table) -> list[list[str]]:
    """Cells at their places: Markdown has no spans, so a spanning cell stands first and leaves the rest empty."""
    taken: dict[tuple[int, int], str] = {}
    width = 0
    for y, row in enumerate(table.rows):
        x = 0
        for cell in row:
            while (y, x) in taken:
                x += 1
            text = cell.text.replace("\\\n", " ").replace("\n", " ").replace("|", "\\|")
            for dy in range(min(cell.rowspan, len(table.rows) - y)):
                for dx in range(cell.colspan):
                    taken.setdefault((y + dy, x + dx), text if dx == dy == 0 else "")
            x += cell.colspan
            width = max(width, x)
    grid = [[taken.get((y, x), "") for x in range(width)] for y in range(len(table.rows))]
    used = [x for x in range(width) if any(row[x] for row in grid)]
    return [[row[x] for x in used] for row in grid if any(row)]
