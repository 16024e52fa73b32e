"""Kinds of characters, which both bodies of the kernels read from one table, and counts of them over spans of text, by prefix
sums: no loop over words."""

from __future__ import annotations

import unicodedata
from functools import cached_property, lru_cache

import numpy as np

from sitegrain.arrays.types import Bits, Bools, Ints, Ints32
from sitegrain.native import scripts
from sitegrain.native.columns import bits_of

WORD, UPPER, DIGIT, STOP, COMMA, WIDE, SPACE, SYMBOL = bits_of("CHAR_BITS")

_STOPS = ".!?。！？؟۔।…．"
_COMMAS = ",;:，、；：،؛"


@lru_cache(maxsize=1)
def char_table() -> Bits:
    """The kind bits of the characters of the basic plane."""
    table = np.zeros(0x10000, np.uint8)
    for code in range(0x10000):
        if 0xD800 <= code < 0xE000:
            continue
        char = chr(code)
        kind = unicodedata.category(char)
        bits = 0
        if kind[0] in "LM" or kind == "Nd":
            bits |= WORD
        if kind in ("Lu", "Lt"):
            bits |= UPPER
        if kind == "Nd":
            bits |= DIGIT
        if char.isspace():
            bits |= SPACE
        elif kind[0] in "SPC" and char not in _STOPS and char not in _COMMAS:
            bits |= SYMBOL
        table[code] = bits
    for char in _STOPS:
        table[ord(char)] |= STOP
    for char in _COMMAS:
        table[ord(char)] |= COMMA
    for first, last in scripts.WIDE:
        table[first : last + 1] |= np.where(table[first : last + 1] & WORD, WIDE, 0).astype(np.uint8)
    # Half of a surrogate pair is no character: it counts as what `encode` writes for it.
    table[0xD800:0xE000] = table[ord("?")]
    table.setflags(write=False)
    return table


def storable(text: str) -> str:
    """A text without halves of surrogate pairs, which pages may hold and no UTF-8 can.

    >>> storable("a\\ud800")
    'a?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def char_bits(text: str, table: Bits | None = None) -> Bits:
    """The kind bits of every character of a text, by `char_table` if no other is given."""
    table = char_table() if table is None else table
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    if len(codes) and codes.max() >= 0x10000:
        # Beyond the basic plane: ideographs are wide words, the rest (emoji) are symbols.
        astral = np.where((codes >= scripts.WIDE_HAN[0]) & (codes <= scripts.WIDE_HAN[1]), WORD | WIDE, SYMBOL).astype(
            np.uint8
        )
        return np.where(codes < 0x10000, table[np.minimum(codes, 0xFFFF)], astral)
    return table[codes]


class CharCounts:
    """Prefix sums of the kinds of characters of one text; a word does not run over one of `breaks`.

    >>> counts = CharCounts("Hello there, you. 中文")
    >>> float(counts.words[-1]), int(counts.stops[-1]), int(counts.wide[-1])
    (4.0, 1, 2)
    >>> float(CharCounts("HomeAbout", np.array([0, 4])).words[-1])
    2.0
    """

    def __init__(self, text: str, breaks: Ints | None = None, table: Bits | None = None) -> None:
        self._bits = bits = char_bits(text, table)
        self.size = len(bits)
        word = (bits & WORD) != 0
        wide = (bits & WIDE) != 0
        narrow = word & ~wide
        starts = narrow.copy()
        starts[1:] &= ~narrow[:-1]
        if breaks is not None:
            at = breaks[breaks < self.size]
            starts[at] = narrow[at]
        self.visible = self._prefix((bits & SPACE) == 0)
        self.wide = self._prefix(wide)
        # Two wide characters count as one word.
        self.words = self._prefix(starts) + self.wide / 2

    def _prefix(self, mask: Bools) -> Ints32:
        out = np.zeros(self.size + 1, np.int32)
        np.cumsum(mask, out=out[1:], dtype=np.int32)
        return out

    @cached_property
    def upper(self) -> Ints32:
        return self._prefix((self._bits & UPPER) != 0)

    @cached_property
    def digits(self) -> Ints32:
        return self._prefix((self._bits & DIGIT) != 0)

    @cached_property
    def stops(self) -> Ints32:
        return self._prefix((self._bits & STOP) != 0)

    @cached_property
    def commas(self) -> Ints32:
        return self._prefix((self._bits & COMMA) != 0)

    @cached_property
    def symbols(self) -> Ints32:
        return self._prefix((self._bits & SYMBOL) != 0)
