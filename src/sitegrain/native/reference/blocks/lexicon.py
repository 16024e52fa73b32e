"""Words of texts and of class names as numbers, and what they weigh.

The words of a text are its runs of letters in lower case, numbers as "0" or "0000", pairs of characters where a script has no
spaces, and a few signs; of short texts also the pairs of neighbours, and of very short ones the whole ("read more", "add to
cart"). The words of a class name are its parts ("entryContent post-meta": entry, content, post, meta) and pairs of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats32, Hashes32, Ints32, Ints64
from sitegrain.native.chars import DIGIT, WIDE, WORD, char_bits
from sitegrain.native.columns import NUMBERS, TEXT_WEIGHTS
from sitegrain.native.inputs import BlockColumns

_MAX_CHARS, _MAX_WORDS, _PAIR_WORDS, _WHOLE_WORDS, _MAX_NAME_BYTES = (
    NUMBERS[name] for name in ("MAX_CHARS", "MAX_WORDS", "PAIR_WORDS", "WHOLE_WORDS", "MAX_NAME_BYTES")
)
LEVEL_ENDS = tuple(NUMBERS[f"NAME_LEVEL_{k}"] for k in range(3))
"""The names of 2 elements above a block, of 3 above those, of 7 above those."""
_BASIS, _PRIME, _MIX_A, _MIX_B, _MASK = 2166136261, 16777619, 0x9E3779B1, 0x85EBCA6B, 0xFFFFFFFF
_SIGNS = frozenset("$©€£¥")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def _hash(chars: Sequence[str]) -> int:
    h = _BASIS
    for c in chars:
        h = ((h ^ ord(c)) * _PRIME) & _MASK
    return h


def _pair(a: int, b: int) -> int:
    return (((a * _MIX_A) & _MASK ^ b) * _MIX_B) & _MASK


def _whole(words: Sequence[int]) -> int:
    h = _BASIS
    for w in words:
        h = ((h ^ w) * _MIX_A) & _MASK
    return h ^ len(words)


def words_of_text(text: str, char_kinds: npt.NDArray[np.uint8] | None = None) -> list[int]:
    """The first words of a text as numbers."""
    text = text[:_MAX_CHARS]
    bits = char_bits(text, char_kinds).tolist()
    out: list[int] = []
    i, n = 0, len(text)
    while i < n and len(out) < _MAX_WORDS:
        start = i
        if bits[i] & DIGIT:
            while i < n and bits[i] & DIGIT:
                i += 1
            out.append(_hash("0" if i - start < 4 else "0000"))
        elif bits[i] & WIDE:
            i += 1
            while i < n and bits[i] & (WIDE | DIGIT) == WIDE and len(out) < _MAX_WORDS:
                out.append(_hash(text[i - 1 : i + 1]))
                i += 1
            if i == start + 1:
                out.append(_hash(text[start]))
        elif bits[i] & WORD:
            while i < n and bits[i] & (WORD | DIGIT | WIDE) == WORD:
                i += 1
            out.append(_hash([c.lower()[0] for c in text[start:i]]))
        else:
            if text[i] in _SIGNS:
                out.append(_hash(text[i]))
            i += 1
    return out


def hashes_of_text(text: str, char_kinds: npt.NDArray[np.uint8] | None = None) -> list[int]:
    """The words of a text, and what short ones have besides, as numbers, by the obvious way.

    >>> len(hashes_of_text("Read more")), len(hashes_of_text("$ 1999")), len(hashes_of_text("中文字"))
    (4, 4, 4)
    """
    out = words_of_text(text, char_kinds)
    words = out[:]
    if len(words) <= _PAIR_WORDS:
        out.extend(map(_pair, words, words[1:]))
    if 0 < len(words) <= _WHOLE_WORDS:
        out.append(_whole(words))
    return out


def hashes_of_name(name: str) -> list[int]:
    """The words of a class or id value as numbers, by the obvious way.

    >>> hashes_of_name("Entry-content") == hashes_of_name("entryContent")
    True
    """
    out: list[int] = []
    cut = name.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
    for part in re.split(r"[ \n\t\r\f]+", cut):
        last = -1
        for word in _NAME_WORD.findall(part):
            if not 1 < len(word) < 20:
                continue
            if len(out) + 2 > 2 * _MAX_WORDS:
                return out
            out.append(_hash(word.lower()))
            if last >= 0:
                out.append(_pair(last, out[-1]))
                last = out[-2]
            else:
                last = out[-1]
    return out


def _ragged(lists: Sequence[Sequence[int]]) -> tuple[Hashes32, Ints64]:
    offset = prefix_sum(np.array([len(x) for x in lists], np.int64))
    return np.array([h for x in lists for h in x], np.uint32), offset


def text_hashes(text: str, start: Ints32, end: Ints32, char_kinds: npt.NDArray[np.uint8]) -> tuple[Hashes32, Ints64]:
    """`sitegrain.native.text_hashes`."""
    spans = list(zip(start.tolist(), end.tolist(), strict=True))
    if any(not 0 <= a <= b <= len(text) for a, b in spans):
        raise ValueError("spans do not fit the text")
    return _ragged([hashes_of_text(text[a:b], char_kinds) for a, b in spans])


def name_hashes(names: Sequence[str]) -> tuple[Hashes32, Ints64]:
    """`sitegrain.native.name_hashes`."""
    return _ragged([hashes_of_name(name) for name in names])


def look(table: npt.NDArray[np.void], hashes: Hashes32) -> Floats32:
    """The weight of each word, NaN for an unknown one: it stands at its hash, or at one of the places up to the next that is
    empty."""
    if not len(table) or len(table) & (len(table) - 1) or (table["key"] > 0).all():
        raise ValueError("a table of a power of two of places, one of them empty")
    mask = np.uint32(len(table) - 1)
    out = np.full(len(hashes), np.nan, np.float32)
    at, left = hashes & mask, np.flatnonzero(hashes)
    while len(left):
        key = table["key"][at[left]]
        is_found = key == hashes[left]
        out[left[is_found]] = table["weight"][at[left[is_found]]]
        left = left[(key != 0) & ~is_found]
        at[left] = (at[left] + np.uint32(1)) & mask
    return out


def text_weights(
    text: str,
    blocks: BlockColumns,
    since_heading: Floats32,
    char_kinds: npt.NDArray[np.uint8],
    table: npt.NDArray[np.void],
) -> Floats32:
    """`sitegrain.native.text_weights`."""
    hashes, offset = text_hashes(text, blocks.text_start, blocks.text_end, char_kinds)
    return text_columns(spread(look(table, hashes), offset), since_heading, blocks.page)


def name_weights(
    strings: Sequence[str], parent: Ints32, first: Ints32, row: Ints32, value: Ints32, table: npt.NDArray[np.void]
) -> Floats32:
    """`sitegrain.native.name_weights`."""
    if ((row < 0) | (row >= len(parent)) | (value < 0) | (value >= len(strings))).any():
        raise ValueError("a name is out of range")
    different, place = np.unique(value, return_inverse=True)
    hashes, offset = name_hashes([strings[v] for v in different.tolist()])
    weight = look(table, hashes)
    levels = level_words(row, place, chains(parent, first), offset)
    return np.concatenate([spread(weight[at], begins) for at, begins in levels], axis=1)


def spread(weight: Floats32, offset: Ints64) -> Floats32:
    """[n x 3]: mean, least and greatest known weight of each run of words; NaN where none is known."""
    n = len(offset) - 1
    out = np.full((n, 3), np.nan, np.float32)
    known = ~np.isnan(weight)
    run = np.repeat(np.arange(n), np.diff(offset))[known]
    w = weight[known]
    count = np.bincount(run, minlength=n)
    has = count > 0
    if len(w):
        first = prefix_sum(count)[:-1][has]
        out[has, 0] = np.bincount(run, w, n)[has] / count[has]
        out[has, 1], out[has, 2] = np.minimum.reduceat(w, first), np.maximum.reduceat(w, first)
    return out


def text_columns(own: Floats32, since_heading: Floats32, page: Ints32) -> Floats32:
    """[n x TEXT_WEIGHTS]: the block's text, the last heading's, and its neighbours'."""
    n = len(own)
    out = np.full((n, len(TEXT_WEIGHTS.names)), np.nan, np.float32)
    out[:, :3] = own
    has = np.flatnonzero(~np.isnan(since_heading))
    out[has, 3:5] = own[has - since_heading[has].astype(np.int64), :2]
    same = page[1:] == page[:-1]
    out[1:, 5][same] = own[:-1, 0][same]
    out[:-1, 6][same] = own[1:, 0][same]
    return out


def chains(parent: Ints32, first: Ints32) -> Ints32:
    """[n x levels]: the rows above each row, -1 where there are no more."""
    out = np.full((len(first), LEVEL_ENDS[-1]), -1, np.int32)
    at = first
    for level in range(LEVEL_ENDS[-1]):
        at = np.where(at >= 0, parent[at], -1)
        out[:, level] = at
    return out


def level_words(row: Ints32, value: npt.NDArray[Any], above: Ints32, offset: Ints64) -> list[tuple[Ints64, Ints64]]:
    """Per group of levels: the numbers of all words above each block, and where each block's begin.

    Row `row[i]` has the name `value[i]`, whose words are `offset[value[i]]:offset[value[i] + 1]`; `above` is what `chains` gave."""
    n = len(above)
    order = np.argsort(row, kind="stable")
    row, value = row[order], value[order]
    out = []
    start = 0
    for end in LEVEL_ENDS:
        flat = above[:, start:end].ravel()
        block = np.repeat(np.arange(n), end - start)
        lo, hi = np.searchsorted(row, flat), np.searchsorted(row, flat, "right")
        values = value[_ranges(lo, hi - lo)]
        of = np.repeat(block, hi - lo)
        sizes = np.diff(offset)[values]
        out.append((_ranges(offset[values], sizes), prefix_sum(np.bincount(of, sizes, n).astype(np.int64))))
        start = end
    return out


def _ranges(start: Ints64, size: Ints64) -> Ints64:
    """start[0], start[0] + 1, ... (size[0] numbers), start[1], ..."""
    return np.asarray(np.repeat(start - prefix_sum(size)[:-1], size) + np.arange(int(size.sum())), np.int64)
