"""Kinds of characters, which both bodies of the kernels read from one table, and counts of them over spans of text, by prefix
sums: no loop over words."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from unicodedata import category

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bits, Bools, Ints, Ints32
from sitegrain.native import scripts
from sitegrain.native.columns import bits_of

WORD, UPPER, DIGIT, STOP, COMMA, WIDE, SPACE, SYMBOL = bits_of("CHAR_BITS")

_STOPS = ".!?。！？؟۔।…．"
_COMMAS = ",;:，、；：،؛"


_ALIKE = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7A4), (0xD800, 0xE000), (0xE000, 0xF900))
"""Where all characters are of one category, in every Unicode that Python 3.11 or later has: two thirds of the basic plane, which need
not be asked for one by one at every start. Han, Korean syllables, halves of surrogate pairs, private use."""
_LAST_SPACE = 0x3000
"""The last white space, likewise."""


@lru_cache(maxsize=1)
def _categories() -> Bits:
    """The two letters of the category of each character of the basic plane."""
    kind = np.zeros((0x10000, 2), np.uint8)
    start = 0
    for first, last in (*_ALIKE, (0x10000, 0x10000)):
        if start < first:
            names = "".join(map(category, _characters(start, first)))
            kind[start:first] = np.frombuffer(names.encode(), np.uint8).reshape(-1, 2)
        if first < last:
            kind[first:last] = list(category(chr(first)).encode())
        start = last
    return kind


def _characters(first: int, last: int) -> str:
    """The characters of some codes, none of them half of a surrogate pair: in a tenth of the time of asking for each."""
    return np.arange(first, last, dtype="<u4").tobytes().decode("utf-32-le")


@lru_cache(maxsize=1)
def is_letter() -> Bools:
    """Which characters of the basic plane are letters, as `str.isalpha` says."""
    return _is_one_of(_categories()[:, 0], "L")


def is_mark() -> Bools:
    """Which characters of the basic plane are marks that belong to the letter before them."""
    return _is_one_of(_categories().view(np.uint16)[:, 0], "Mn", "Mc")


@lru_cache(maxsize=1)
def char_table() -> Bits:
    """The kind bits of the characters of the basic plane."""
    kind = _categories()
    space = np.zeros(0x10000, np.bool_)
    space[[match.start() for match in re.finditer(r"\s", _characters(0, _LAST_SPACE + 1))]] = (
        True  # as `str.isspace` says
    )
    main, whole = kind[:, 0], kind.view(np.uint16)[:, 0]
    table = np.zeros(0x10000, np.uint8)
    for bit, is_so in (
        (WORD, _is_one_of(main, "L", "M") | _is_one_of(whole, "Nd")),
        (UPPER, _is_one_of(whole, "Lu", "Lt")),
        (DIGIT, _is_one_of(whole, "Nd")),
        (SPACE, space),
        (SYMBOL, _is_one_of(main, "S", "P", "C") & ~space),
    ):
        table[is_so] |= bit
    table[[ord(char) for char in _STOPS + _COMMAS]] &= ~SYMBOL & 0xFF
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


def _is_one_of(kind: Bits | npt.NDArray[np.uint16], *wanted: str) -> Bools:
    """Where a category, or its first letter, is one of these."""
    found = np.zeros(len(kind), np.bool_)
    for code in np.frombuffer("".join(wanted).encode(), kind.dtype):
        found |= kind == code
    return found


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
