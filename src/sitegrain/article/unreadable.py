"""Pages that were read as HTML and are something else."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Ints16
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TEXT, UNKNOWN

_MATH = np.int16(TAG_CODE["math"]).tobytes()
_CONTROL = bytes([*range(0x09), *range(0x0E, 0x20)])


def unreadable(text: str) -> str:
    """Why a page that was read as HTML is none: a PDF, an image, an archive."""
    start = text[:2000]
    if start.lstrip().startswith("%PDF-"):
        return "not HTML: a PDF"
    # Text has next to no control characters; a page in a wrong character set has some that cannot be decoded.
    data = start.encode("utf-8", "surrogatepass")
    n_odd = len(data) - len(data.translate(None, _CONTROL)) + start.count("\ufffd")
    return "not HTML: binary data" if n_odd > 0.1 * max(len(start), 20) else ""


def shows_text(site: Site, page: int, kept: Bools, least: int) -> bool:
    """True for a page, known to be readable, of more than so many characters that is plainly to show kept text, and no formula, which may be shown
    twice: told without writing the text. (Bytes are searched a few times as fast as arrays.)"""
    rows, text = site.page_rows(page), site.texts[page]
    first = kept[rows].tobytes().find(1)
    if len(text) <= least or first < 0 or _MATH in site.nodes.tag[rows].tobytes():
        return False
    return any(map(str.isalnum, site.node_text(first + rows.start)))


def about_text(text: str) -> tuple[str, ...]:
    """What a text looks like that is none."""
    start, end = text[:50].lstrip(), text[-50:].rstrip()
    if start[:1] + end[-1:] in ("{}", "[]") and ('":' in text[:2000] or '",' in text[:2000] or '" :' in text[:2000]):
        return ("not HTML: looks like JSON",)
    return ()


def about_tags(tag: Ints16) -> list[str]:
    """What a page looks like that is no HTML, by the tags of its rows."""
    elements = tag[tag != TEXT]
    if (elements == UNKNOWN).sum() * 2 > len(elements):
        return ["not HTML: looks like XML"]
    return ["no tags: read as plain text"] if len(elements) <= 3 else []
