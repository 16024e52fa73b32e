"""Pages that were read as HTML and are something else."""

from __future__ import annotations

import re

from sitegrain.arrays.types import Ints16
from sitegrain.tables.tags import TEXT, UNKNOWN

_BINARY = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")


def unreadable(text: str) -> str:
    """Why a page that was read as HTML is none: a PDF, an image, an archive."""
    start = text[:2000]
    if start.lstrip().startswith("%PDF-"):
        return "not HTML: a PDF"
    # Text has next to no control characters; a page in a wrong character set has some that cannot be decoded.
    return "not HTML: binary data" if len(_BINARY.findall(start)) > 0.1 * max(len(start), 20) else ""


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
