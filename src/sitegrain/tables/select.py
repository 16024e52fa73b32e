"""CSS selectors on the tables: which rows of a page they match.

The elements of a page are written out again with the attributes that the tables keep, and the parser's own engine
matches. So selectors may be anything that it knows, but `[attribute]` sees only what is kept.
"""

from __future__ import annotations

from html import escape

import numpy as np
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from sitegrain.arrays.types import Ints64
from sitegrain.errors import UsageError
from sitegrain.tables.site import Site
from sitegrain.tables.tags import VOID_TAGS


def select_rows(site: Site, page: int, *selectors: str) -> list[Ints64] | None:
    """The rows of a page that each selector matches; None for a page that reads differently when written out again.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div class=a><p>One<p id=b>Two</div>")])
    >>> [site.node_text(int(row)) for row in select_rows(site, 0, ".a > p:not(#b)")[0]]
    ['One']
    """
    rows = site.page_rows(page)
    elements = rows.start + np.flatnonzero(~site.is_text[rows])
    tree = LexborHTMLParser(_skeleton(site, elements.tolist()))
    found = tree.css("*")
    if [e.tag for e in found] != [site.tag_name(row) for row in elements.tolist()]:
        return None
    row_of = {e.mem_id: row for e, row in zip(found, elements.tolist(), strict=True)}
    try:
        return [np.array(sorted({row_of[e.mem_id] for e in tree.css(s)}), np.int64) for s in selectors]
    except SelectolaxError as error:
        raise UsageError(f"not a CSS selector: {', '.join(map(repr, selectors))} ({error})") from error


def _skeleton(site: Site, rows: list[int]) -> str:
    """The elements of a page without their text."""
    out: list[str] = []
    open_: list[tuple[int, str]] = []
    for row in rows:
        while open_ and open_[-1][0] <= row:
            out.append(f"</{open_.pop()[1]}>")
        name = site.tag_name(row)
        kept = "".join(f' {k}="{escape(v)}"' for k, v in site.node_attrs(row).items() if not k.startswith(":"))
        out.append(f"<{name}{kept}>")
        if name not in VOID_TAGS:
            open_.append((int(site.nodes.end[row]), name))
    return "".join((*out, *(f"</{name}>" for _, name in reversed(open_))))
