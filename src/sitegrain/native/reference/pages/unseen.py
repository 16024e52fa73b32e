"""What stands in no line of a page's text: signs of no width, readings above it (ruby), titles of drawings."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import is_among
from sitegrain.native.columns import TAGS

_SOFT_HYPHEN, _ZERO_SPACE = "\xad", "\u200b"
_SIGNS = (_SOFT_HYPHEN, _ZERO_SPACE, "\u2060", "\ufeff")
"""Characters of no width that say nothing; those that join or part letters of Arabic, of scripts of India and of emoji are not among them."""
_JOINERS = "\u200c\u200d"
"""They go where there is nothing to join: an editor of sites writes one into each paragraph that is left empty."""
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
_TEXT, _SVG, _TITLE, _RUBY, _RT, _RP, _G = map(TAGS.index, ("#text", "svg", "title", "ruby", "rt", "rp", "g"))

Ints = npt.NDArray[np.int32]
Unseen = tuple[str, Ints, Ints, npt.NDArray[np.int16] | None]


def unseen(text: str, tag: npt.NDArray[np.int16], end: Ints, text_start: Ints, text_end: Ints) -> Unseen | None:
    """`sitegrain.native.unseen`."""
    rows = _unseen_rows(tag, end)
    has_signs = not text.isascii() and any(sign in text for sign in (*_SIGNS, *_JOINERS))
    if not rows and not has_signs:
        return None
    found = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    gone = _signs(found) if has_signs else np.zeros(len(found), bool)
    for row in rows:
        texts = np.flatnonzero(tag[row : end[row]] == _TEXT) + row
        if len(texts):
            gone[text_start[texts[0]] : text_end[texts[-1]]] = True
    for row in np.flatnonzero(tag == _TEXT).tolist():
        if _is_emptied(text, gone, text_start[row], text_end[row]):
            gone[text_start[row] : text_end[row]] = True
    at = np.flatnonzero(gone)
    start, stop = ((offset - np.searchsorted(at, offset)).astype(np.int32) for offset in (text_start, text_end))
    titles = [row for row in rows if tag[row] == _TITLE]
    changed = None
    if titles:
        changed = tag.copy()
        changed[titles] = _G
    return found[~gone].tobytes().decode("utf-32-le", "surrogatepass"), start, stop, changed


def _is_emptied(text: str, gone: npt.NDArray[np.bool_], start: int, stop: int) -> bool:
    """Whether nothing is left of a text of which something goes, but white space and joiners that have nothing to join."""
    is_gone = [gone[i] or text[i] in _JOINERS for i in range(start, stop)]
    return any(is_gone) and all(is_gone[i - start] or text[i].isspace() for i in range(start, stop))


def _unseen_rows(tag: npt.NDArray[np.int16], end: Ints) -> list[int]:
    """Outermost rows of readings within ruby, and of titles within drawings."""
    rows, last = [], 0
    in_svg = in_ruby = 0
    for row in np.flatnonzero(np.isin(tag, (_SVG, _TITLE, _RUBY, _RT, _RP))).tolist():
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
    spaces = np.flatnonzero(found == ord(_ZERO_SPACE))
    beside = np.concatenate((found[np.maximum(spaces - 1, 0)], found[np.minimum(spaces + 1, len(found) - 1)]))
    parts = np.zeros(len(beside), bool)
    for low, high in _UNSPACED:
        parts |= (beside >= low) & (beside <= high)
    gone[spaces[parts.reshape(2, -1).any(axis=0)]] = False
    return gone


def holds(data: bytes, word: bytes, place: int) -> bool:
    """`sitegrain.native.holds`."""
    if not 0 <= place < len(word):
        raise ValueError("a word has no such byte")
    return word in data
