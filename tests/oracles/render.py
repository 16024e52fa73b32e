"""Plain text the slow and obvious way: look at every element that opens or closes between two text nodes."""

from __future__ import annotations

import numpy as np

from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS

BLANK = set(
    "h1 h2 h3 h4 h5 h6 p ul ol dl table blockquote pre hr figure article section header footer aside nav main form "
    "title details dialog".split()
)


def slow_text(site: Site, page: int, kept: np.ndarray) -> str:
    rows = site.page_rows(page)
    texts = [row for row in range(rows.start, rows.stop) if kept[row] and site.is_text[row]]
    out = ""
    for i, row in enumerate(texts):
        piece = site.node_text(row)
        if any(site.tag_name(up) in ("pre", "textarea", "xmp", "plaintext") for up in ancestors(site, row)):
            piece = piece.replace(" ", "\ue000").replace("\n", "\ue001").replace("\t", "\ue002").replace("\r", "")
        out += (separator(site, texts[i - 1], row) if i else "") + piece
    out = " ".join(out.split())
    for mark, written in (("¶", "\n\n"), ("⏎", "\n"), ("⇥", "\t")):
        out = out.replace(f" {mark} ", written)
    return out.replace("\ue000", " ").replace("\ue001", "\n").replace("\ue002", "\t").strip()


def ancestors(site: Site, row: int) -> list[int]:
    out = []
    while (row := int(site.nodes.parent[row])) >= 0:
        out.append(row)
    return out


def separator(site: Site, a: int, b: int) -> str:
    closed = [up for up in ancestors(site, a) if site.nodes.end[up] <= b]
    opened = [row for row in range(a + 1, b) if not site.is_text[row]]
    tags = [site.tag_name(row) for row in closed + opened]
    n_br = tags.count("br")
    if any(tag in BLANK for tag in tags):
        return " ¶ "
    if any(tag == "br" or (tag in BLOCK_TAGS and tag not in ("td", "th")) for tag in tags):
        return " ¶ " if n_br > 1 else " ⏎ "
    if any(tag in ("td", "th") for tag in tags):
        return " ⇥ "
    if is_in_one_pre(site, a, b):
        return ""
    apart = ("a", "button", "label")
    ends = closed + [row for row in opened if site.nodes.end[row] <= b]
    if any(site.tag_name(r) in apart for r in ends) and any(site.tag_name(r) in apart for r in opened):
        return " "
    return " " if any(site.nodes.flags[row] & SPACE_BEFORE for row in range(a + 1, b + 1)) else ""


def is_in_one_pre(site: Site, a: int, b: int) -> bool:
    shared = set(ancestors(site, a)) & set(ancestors(site, b))
    return any(site.tag_name(row) in ("pre", "textarea", "xmp", "plaintext") for row in shared)
