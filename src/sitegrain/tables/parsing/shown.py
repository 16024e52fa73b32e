"""What browsers show otherwise than a parser reads it: shadow roots that a page declares, signs of no width, readings of ruby, titles of drawings."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import is_among
from sitegrain.tables.tags import TAG_CODE, TEXT, tag_mask

_SHADOW = b"shadowroot"
_TOKEN = re.compile(rb"<!--|<script\b|<(/?)template(?=[\s/>])([^>]*)", re.IGNORECASE)
_IS_SHADOW = re.compile(rb"\sshadowroot(?:mode)?\s*=", re.IGNORECASE)
SOFT_HYPHEN, ZERO_SPACE = "\xad", "\u200b"
_SIGNS = (SOFT_HYPHEN, ZERO_SPACE, "\u2060", "\ufeff")
"""Characters of no width that say nothing; those that join or part letters of Arabic, of scripts of India and of emoji are not among them."""
_CODES = np.array(list(map(ord, _SIGNS)), np.uint32)
_UNSPACED = (
    (0x0E00, 0x0FFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x1950, 0x19DF),
    (0x1A20, 0x1AAF),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAADF),
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Tai."""
_SVG, _TITLE, _RUBY, _G = (TAG_CODE[name] for name in ("svg", "title", "ruby", "g"))
_IS_BESIDE = tag_mask(("svg", "title", "ruby", "rt", "rp"))


def open_shadow_roots(data: bytes) -> bytes:
    """A page whose shadow roots are elements like others: a `<template shadowrootmode>` is shown, another one is not.

    >>> open_shadow_roots(b"<my-tea><template shadowrootmode=open><p>Boil</template></my-tea>")
    b'<my-tea><shadow-root shadowrootmode=open><p>Boil</shadow-root></my-tea>'
    """
    if data.rfind(_SHADOW) < 0:  # from the end: Python looks for a word of this length in a quarter of the time
        return data
    small = data.lower()
    out: list[bytes] = []
    is_shadow: list[bool] = []
    kept_from = at = 0
    while token := _TOKEN.search(data, at):
        at = token.end()
        if token[2] is None:
            closing = b"-->" if token[0] == b"<!--" else b"</script"
            at = small.find(closing, at)
            if at < 0:
                break
            continue
        if token[1]:
            if not is_shadow or not is_shadow.pop():
                continue
        else:
            is_shadow.append(_IS_SHADOW.search(token[2]) is not None)
            if not is_shadow[-1]:
                continue
        out += [data[kept_from : token.start()], b"</shadow-root" if token[1] else b"<shadow-root"]
        kept_from = token.end() if token[1] else token.start(2)
    return b"".join((*out, data[kept_from:]))


def without_unseen(text: str, columns: dict[str, npt.NDArray[Any]]) -> tuple[str, dict[str, npt.NDArray[Any]]]:
    """The text of a page without what stands in no line: places where a word may be broken or not, readings above it (ruby), and the titles of
    drawings, which are hints; and those of its `columns` that follow. (A title within a drawing gets the tag of another part of it, as it begins no line.)"""
    tag, end = columns["tag"], columns["end"]
    rows = _unseen_rows(tag, end) if _IS_BESIDE[tag].any() else []
    has_signs = not text.isascii() and any(sign in text for sign in _SIGNS)
    if not rows and not has_signs:
        return text, {}
    start, stop = columns["text_start"], columns["text_end"]
    found = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    gone = _signs(found) if has_signs else np.zeros(len(found), bool)
    for row in rows:
        texts = np.flatnonzero(tag[row : end[row]] == TEXT) + row
        if len(texts):
            gone[start[texts[0]] : stop[texts[-1]]] = True
    at = np.flatnonzero(gone)
    out = {
        name: (offset - np.searchsorted(at, offset)).astype(np.int32)
        for name, offset in (("text_start", start), ("text_end", stop))
    }
    titles = [row for row in rows if tag[row] == _TITLE]
    if titles:
        out["tag"] = tag.copy()
        out["tag"][titles] = _G
    return found[~gone].tobytes().decode("utf-32-le", "surrogatepass"), out


def _unseen_rows(tag: npt.NDArray[np.int16], end: npt.NDArray[np.int32]) -> list[int]:
    """Outermost rows of readings within ruby, and of titles within drawings."""
    rows, last = [], 0
    in_svg = in_ruby = 0
    for row in np.flatnonzero(_IS_BESIDE[tag]).tolist():
        if tag[row] == _SVG:
            in_svg = max(in_svg, int(end[row]))
        elif tag[row] == _RUBY:
            in_ruby = max(in_ruby, int(end[row]))
        elif row >= last and row < (in_svg if tag[row] == _TITLE else in_ruby):
            rows.append(row)
            last = int(end[row])
    return rows


def _signs(found: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which characters are signs of no width, but for spaces between letters of scripts that are written without spaces: there they part words."""
    gone = is_among(found, _CODES)
    spaces = np.flatnonzero(found == ord(ZERO_SPACE))
    beside = np.concatenate((found[np.maximum(spaces - 1, 0)], found[np.minimum(spaces + 1, len(found) - 1)]))
    parts = np.zeros(len(beside), bool)
    for low, high in _UNSPACED:
        parts |= (beside >= low) & (beside <= high)
    gone[spaces[parts.reshape(2, -1).any(axis=0)]] = False
    return gone
