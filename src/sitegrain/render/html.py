"""Clean HTML of the kept text of a page.

Only the tags and attributes that this module writes can come out; nothing of the page's own markup is copied.
"""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from sitegrain.arrays.types import Bools
from sitegrain.render.grid import Cell, Table
from sitegrain.render.walk import Walk
from sitegrain.tables.address import RELATIVE
from sitegrain.tables.site import Site

_PLACE = "at-"
"""Before the names of places: a page must not choose what an `id` of the page around it is called."""
_QUOTED = ("http://", "https://", "mailto:")


def to_html(site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset()) -> str:
    """The kept text of a page as a clean HTML fragment: no scripts, no styles, no handlers, no odd links.

    `repeated` are the pictures of the site's template (`repeated_images`).

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> html = b"<div onclick=x()><h2>Tea</h2>Boil <a href=javascript:x()>hot</a> <a href=/w>water</a> &amp; wait"
    >>> site = build_site([Capture("http://a.org/", html)])
    >>> print(to_html(site, 0, site.is_text))
    <h2>Tea</h2>
    <p>Boil hot <a href="http://a.org/w">water</a> &amp; wait</p>
    """
    return html_of(Walk(site, page, kept, _Html(), repeated))


def html_of(walk: Walk, title: str = "") -> str:
    """What a walk comes by as HTML, under a title that is none of its rows."""
    walk.begin(_Html())
    return walk.rendered(title)


class _Html:
    is_html = True

    def text(self, text: str) -> str:
        return escape(text, quote=False)

    def finish(self, line: str) -> str:
        return line

    def formula(self, latex: str, is_block: bool) -> str:
        start, end = (r"\[", r"\]") if is_block else (r"\(", r"\)")
        return f"{start}{escape(latex, quote=False)}{end}"

    def mark(self, kind: str, inner: str) -> str:
        return f"<{kind}>{inner}</{kind}>"

    def link(self, inner: str, url: str) -> str:
        is_safe = url.lower().startswith((*_QUOTED, *RELATIVE, f"#{_PLACE}"))
        return f'<a href="{escape(url)}">{inner}</a>' if is_safe else inner

    def goes_on(self, line: list[str], end: int, code: str) -> str:
        return code

    def anchor(self, name: str) -> str:
        return f'<span id="{_PLACE}{escape(name)}"></span>'

    def anchor_link(self, name: str) -> str:
        return f"#{_PLACE}{quote(name)}"

    def image(self, alt: str, src: str) -> str:
        is_safe = src.lower().startswith((*_QUOTED[:2], *RELATIVE, "data:image/"))
        return f'<img src="{escape(src)}" alt="{escape(alt)}">' if is_safe else ""

    def line_break(self) -> str:
        return "<br>\n"

    def paragraph(self, inner: str) -> str:
        return f"<p>{inner}</p>"

    def heading(self, level: int, inner: str) -> str:
        return f"<h{level}>{inner}</h{level}>"

    def definitions(self, parts: list[tuple[bool, list[str]]]) -> list[str]:
        if not parts:
            return []
        lines = [f"<dt>{blocks[0]}</dt>" if is_term else f"<dd>{_inner(blocks)}</dd>" for is_term, blocks in parts]
        return ["\n".join(["<dl>", *lines, "</dl>"])]

    def items(self, items: list[list[str]], is_ordered: bool, start: int) -> str:
        tag = "ol" if is_ordered else "ul"
        first = f' start="{start}"' if is_ordered and start != 1 else ""
        return "\n".join([f"<{tag}{first}>", *(f"<li>{_inner(blocks)}</li>" for blocks in items), f"</{tag}>"])

    def quote(self, blocks: list[str]) -> str:
        return "<blockquote>\n" + "\n".join(blocks) + "\n</blockquote>"

    def code(self, text: str, language: str) -> str:
        name = f' class="language-{escape(language)}"' if language else ""
        return f"<pre><code{name}>{escape(text, quote=False)}</code></pre>"

    def table(self, table: Table) -> str:
        out = ["<table>"]
        if table.caption:
            out.append(f"<caption>{table.caption}</caption>")
        out.extend("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in table.rows if row)
        return "\n".join([*out, "</table>"])

    def rule(self) -> str:
        return "<hr>"

    def join(self, blocks: list[str]) -> str:
        return "\n".join(blocks)


def _inner(blocks: list[str]) -> str:
    """A first paragraph in an item needs no tag of its own."""
    first, *rest = blocks
    if first.startswith("<p>") and first.endswith("</p>") and first.count("<p>") == 1:
        first = first[3:-4]
    return "\n".join([first, *rest])


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    spans = "".join(
        f' {name}="{value}"' for name, value in (("colspan", cell.colspan), ("rowspan", cell.rowspan)) if value > 1
    )
    return f"<{tag}{spans}>{_inner(cell.blocks) if cell.blocks else ''}</{tag}>"
