"""Words that speak for content or against it, learned from labelled pages: of texts, and of class and id names.

A word is a 32-bit hash: nothing of a training page is in the model but numbers. The words of a text are its runs of
letters in lower case, numbers as "0" or "0000", pairs of characters where a script has no spaces, and a few
signs; of short texts also the pairs of neighbours, and of very short ones the whole ("read more", "add to cart").
The words of a class name are its parts ("entryContent post-meta": entry, content, post, meta) and pairs of them.

A weight is the log odds that a block with the word is content, over the domains that have the word; so a word of one
domain weighs nothing, and the names of one template are not learned by heart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from sitegrain.extractor.evidence import Evidence
from sitegrain.learned.typed import Stored, need
from sitegrain.native import extension
from sitegrain.tables.columns import Int
from sitegrain.tables.tags import ATTRIBUTES
from sitegrain.text.chars import DIGIT, WIDE, WORD, char_bits, char_table

F32 = npt.NDArray[np.float32]
U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]

MAX_CHARS, MAX_WORDS, PAIR_WORDS, WHOLE_WORDS, MAX_NAME_CHARS = 400, 24, 12, 5, 200
LEVEL_ENDS = (2, 5, 12)
"""The names of 2 elements above a block, of 3 above those, of 7 above those."""
LEXICAL_NAMES: tuple[str, ...] = (
    "lex", "lex_min", "lex_max", "lex_heading", "lex_heading_min", "lex_-1", "lex_+1",
    *(f"name{level}{what}" for level in range(len(LEVEL_ENDS)) for what in ("", "_min", "_max")),
)  # fmt: skip
N_TEXT = 7
"""The columns of texts; those of names follow."""
_BASIS, _PRIME, _MIX_A, _MIX_B, _MASK = 2166136261, 16777619, 0x9E3779B1, 0x85EBCA6B, 0xFFFFFFFF
_SIGNS = frozenset("$©€£¥")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORD = np.dtype([("key", np.uint32), ("weight", np.float32)])
_CLASS, _ID = ATTRIBUTES.index("class"), ATTRIBUTES.index("id")


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


def hashes_of_text(text: str) -> list[int]:
    """The words of a text as numbers, by the obvious way.

    >>> len(hashes_of_text("Read more")), len(hashes_of_text("$ 1999")), len(hashes_of_text("中文字"))
    (4, 4, 4)
    """
    text = text[:MAX_CHARS]
    bits = char_bits(text).tolist()
    out: list[int] = []
    i, n = 0, len(text)
    while i < n and len(out) < MAX_WORDS:
        start = i
        if bits[i] & DIGIT:
            while i < n and bits[i] & DIGIT:
                i += 1
            out.append(_hash("0" if i - start < 4 else "0000"))
        elif bits[i] & WIDE:
            i += 1
            while i < n and bits[i] & (WIDE | DIGIT) == WIDE and len(out) < MAX_WORDS:
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
    words = out[:]
    if len(words) <= PAIR_WORDS:
        out.extend(map(_pair, words, words[1:]))
    if 0 < len(words) <= WHOLE_WORDS:
        out.append(_whole(words))
    return out


def hashes_of_name(name: str) -> list[int]:
    """The words of a class or id value as numbers, by the obvious way.

    >>> hashes_of_name("Entry-content") == hashes_of_name("entryContent")
    True
    """
    out: list[int] = []
    cut = name.encode()[:MAX_NAME_CHARS].decode("utf-8", "ignore")
    for part in re.split(r"[ \n\t\r\f]+", cut):
        last = -1
        for word in _NAME_WORD.findall(part):
            if not 1 < len(word) < 20:
                continue
            if len(out) + 2 > 2 * MAX_WORDS:
                return out
            out.append(_hash(word.lower()))
            if last >= 0:
                out.append(_pair(last, out[-1]))
                last = out[-2]
            else:
                last = out[-1]
    return out


def _ragged(lists: Sequence[Sequence[int]]) -> tuple[U32, I64]:
    offset = np.concatenate([[0], np.cumsum([len(x) for x in lists])]).astype(np.int64)
    return np.array([h for x in lists for h in x], np.uint32), offset


def text_hashes(text: str, start: Int, end: Int) -> tuple[U32, I64]:
    """The words of spans of a text: numbers, and where each span's begin."""
    if extension is None:
        return _ragged([hashes_of_text(text[a:b]) for a, b in zip(start.tolist(), end.tolist(), strict=True)])
    found, offset = extension.text_hashes(text, start.astype(np.int32), end.astype(np.int32), char_table())
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


def name_hashes(names: list[str]) -> tuple[U32, I64]:
    """The words of class names: numbers, and where each name's begin."""
    if extension is None:
        return _ragged([hashes_of_name(name) for name in names])
    found, offset = extension.name_hashes(names)
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


@dataclass(frozen=True)
class WordWeights:
    """What words weigh."""

    key: U32
    """Hashes of words, ascending; 0 is none."""
    weight: Annotated[F32, Stored(np.float16)]

    @cached_property
    def table(self) -> npt.NDArray[np.void]:
        """The same as a hash table: a word stands at its hash or at the first place after it that was free."""
        size = 2
        while size < 1.2 * len(self.key):  # small, so that it stays in the processor's cache
            size *= 2
        table = np.zeros(size, _WORD)
        # A loop over all words, once for a model: later words look for a place among the earlier ones.
        taken = [False] * size
        places = []
        for at in (self.key & np.uint32(size - 1)).tolist():
            while taken[at]:
                at = (at + 1) & (size - 1)
            taken[at] = True
            places.append(at)
        table["key"][places], table["weight"][places] = self.key, self.weight
        return table

    def look(self, hashes: U32) -> F32:
        """The weight of each word, NaN for an unknown one."""
        if not len(self.key):
            return np.full(len(hashes), np.nan, np.float32)
        at = np.minimum(np.searchsorted(self.key, hashes), len(self.key) - 1)
        return np.where(self.key[at] == hashes, self.weight[at], np.float32(np.nan))

    def check(self) -> None:
        """Words must be in order, each with its weight."""
        key = self.key
        need(len(key) == len(self.weight), "the word weights do not fit the words")
        need(not len(key) or bool(key[0] != 0 and (key[1:] > key[:-1]).all()), "the words are not in order")


@dataclass(frozen=True)
class Lexicon:
    """What the words of texts and of names weigh."""

    text: WordWeights
    names: WordWeights


def spread(weight: F32, offset: I64) -> F32:
    """[n x 3]: mean, least and greatest known weight of each run of words; NaN where none is known."""
    n = len(offset) - 1
    out = np.full((n, 3), np.nan, np.float32)
    known = ~np.isnan(weight)
    run = np.repeat(np.arange(n), np.diff(offset))[known]
    w = weight[known]
    count = np.bincount(run, minlength=n)
    has = count > 0
    if len(w):
        first = np.concatenate([[0], np.cumsum(count)])[:-1][has]
        out[has, 0] = np.bincount(run, w, n)[has] / count[has]
        out[has, 1], out[has, 2] = np.minimum.reduceat(w, first), np.maximum.reduceat(w, first)
    return out


def text_columns(own: F32, since_heading: F32, page: Int) -> F32:
    """[n x N_TEXT]: the block's text, the last heading's, and its neighbours'."""
    n = len(own)
    out = np.full((n, N_TEXT), np.nan, np.float32)
    out[:, :3] = own
    has = np.flatnonzero(~np.isnan(since_heading))
    out[has, 3:5] = own[has - since_heading[has].astype(np.int64), :2]
    same = page[1:] == page[:-1]
    out[1:, 5][same] = own[:-1, 0][same]
    out[:-1, 6][same] = own[1:, 0][same]
    return out


@dataclass(frozen=True)
class NameMarks:
    """Which rows have which class or id value."""

    row: Int
    value: Int
    """Place in `names`."""
    names: list[str]


def name_marks(evidence: Evidence) -> NameMarks:
    """The class and id values of the rows of some pages."""
    row, string = evidence.blocks.rows.named(_CLASS, _ID)
    different, value = np.unique(string, return_inverse=True)
    strings = evidence.blocks.rows.site.strings
    return NameMarks(row, value.astype(np.int32), [strings[v] for v in different.tolist()])


def chains(parent: Int, first: Int) -> Int:
    """[n x levels]: the rows above each row, -1 where there are no more."""
    out = np.full((len(first), LEVEL_ENDS[-1]), -1, np.int32)
    at = first
    for level in range(LEVEL_ENDS[-1]):
        at = np.where(at >= 0, parent[at], -1)
        out[:, level] = at
    return out


def level_words(marks: NameMarks, parent: Int, first: Int, offset: I64) -> list[tuple[I64, I64]]:
    """Per group of levels: the numbers of all words above each row (places in the words of `marks.names`, whose
    begins are in `offset`), and where each row's begin."""
    n = len(first)
    above = chains(parent, first)
    order = np.argsort(marks.row, kind="stable")
    row, value = marks.row[order], marks.value[order]
    out = []
    start = 0
    for end in LEVEL_ENDS:
        flat = above[:, start:end].ravel()
        block = np.repeat(np.arange(n), end - start)
        lo, hi = np.searchsorted(row, flat), np.searchsorted(row, flat, "right")
        values = value[_ranges(lo, hi - lo)]
        of = np.repeat(block, hi - lo)
        sizes = np.diff(offset)[values]
        out.append((_ranges(offset[values], sizes), _offsets(np.bincount(of, sizes, n))))
        start = end
    return out


def _ranges(start: I64, size: I64) -> I64:
    total = int(size.sum())
    at = np.repeat(start - np.concatenate([[0], np.cumsum(size)[:-1]]) if len(size) else start, size)
    return np.asarray(at + np.arange(total), np.int64)


def _offsets(size: npt.NDArray[Any]) -> I64:
    return np.concatenate([[0], np.cumsum(size)]).astype(np.int64)


def lexical_columns(evidence: Evidence, lexicon: Lexicon) -> F32:
    """[n_blocks x len(LEXICAL_NAMES)]: what a lexicon says of blocks."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    n = len(blocks)
    since = evidence.x[:, evidence.names.index("since_heading")]
    if extension is None:
        hashes, offset = text_hashes(rows.text, blocks.text_start, blocks.text_end)
        of_text = text_columns(spread(lexicon.text.look(hashes), offset), since, blocks.page)
        marks = name_marks(evidence)
        hashes, offset = name_hashes(marks.names)
        weight = lexicon.names.look(hashes)
        levels = level_words(marks, rows.parent, blocks.first, offset)
        of_names = np.concatenate([spread(weight[at], begins) for at, begins in levels], axis=1)
    else:
        found = extension.text_weights(
            rows.text, blocks.text_start, blocks.text_end, char_table(), np.ascontiguousarray(since), blocks.page,
            lexicon.text.table,
        )  # fmt: skip
        of_text = np.frombuffer(found, np.float32).reshape(n, N_TEXT)
        row, value = rows.named(_CLASS, _ID)
        found = extension.name_weights(rows.site.strings, rows.parent, blocks.first, row, value, lexicon.names.table)
        of_names = np.frombuffer(found, np.float32).reshape(n, 3 * len(LEVEL_ENDS))
    return np.concatenate([of_text, of_names], axis=1)
