"""Which rows of a page Markdown and HTML are written of: what is kept, under the page's heading."""

from __future__ import annotations

from sitegrain.arrays.trees.preorder import ancestors
from sitegrain.arrays.types import Bools
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, tag_mask

_H1 = TAG_CODE["h1"]
_IS_HOLDER = tag_mask(("li", "dd", "dt", "blockquote", "button"))


def under_heading(site: Site, page: int, kept: Bools, row: int, is_heading: bool) -> tuple[Bools, bool]:
    """Which rows of the page are kept and, above them, the page's own `<h1>`; and whether to write the title as it is, where the heading stands in a list
    or a quote (which it would bring along), holds a button, is a lower one (often a link; also one that begins the text), or a line.

    `row` is the heading, or a line that says the title; -1 if there is neither.
    """
    rows, nodes = site.page_rows(page), site.nodes
    first, end, own = rows.start, int(nodes.end[row]), kept[rows]
    said = own.tobytes() if row >= 0 else b""  # a few times as fast to search in as an array
    if said.find(1, end - first) < 0 or 0 <= said.find(1) < row - first:
        return own, False
    is_kept, is_h1 = said.find(1, row - first, end - first) >= 0, bool(nodes.tag[row] == _H1)
    around = [*ancestors(nodes.parent, row), *range(row, end)] if is_h1 and not is_kept else []
    if is_kept == is_h1 or not is_heading or _IS_HOLDER[nodes.tag[around]].any():
        return own, not is_kept
    out = own.copy()
    out[row - first : end - first] = site.is_text[row:end] & is_h1
    return out, not is_h1
