"""What the kernels answer, as tuples with names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.types import Floats, Floats32, Hashes, Ints32, Ints64
from sitegrain.native.columns import bits_of, names_of
from sitegrain.native.inputs import BlockColumns

_STRING_BITS = dict(zip(names_of("STRING_BITS"), bits_of("STRING_BITS"), strict=True))


class Scanned(NamedTuple):
    """A tree as columns."""

    columns: dict[str, npt.NDArray[Any]]
    """By the names of `SCANNED`."""
    text: str
    value_text: str
    """All different attribute values, one after the other."""
    json_ld: tuple[str, ...]


class Picked(NamedTuple):
    """Some attributes, as plain numbers."""

    rows: list[int]
    names: list[int]
    values: list[int]


class Head(NamedTuple):
    """What a page says of itself."""

    meta: dict[str, str]
    """`<meta>` with content, by property, name or itemprop in lower case: the first of a name counts."""
    links: list[tuple[str, str]]
    """`rel` and `href` of the `<link>`s whose `rel` has "canonical" in it."""
    base: str | None
    """Of the first `<base>` that has an address."""
    language: str | None
    """Of `<html>`, or else of `<body>`, in lower case."""
    title: int
    """The row of the first `<title>` in the head, or else of the first one; -1 for none."""


class NumberedWords(NamedTuple):
    """The words of texts."""

    which: Ints32
    """Per word: which of the different ones."""
    end: Ints64
    """Per text: where its words end."""
    words: tuple[str, ...]
    """In the order in which they come."""


class Cut(NamedTuple):
    """Rows cut into blocks."""

    node_block: Ints32
    """Per row: its block, -1 for elements."""
    blocks: BlockColumns


class Gathered(NamedTuple):
    """What some pages say of their blocks."""

    x: Floats32
    """[blocks x `EVIDENCE`], NaN where there is no such thing."""
    chain: Ints32
    """[levels x blocks]; see `Geometry`."""
    alike: Ints32
    """[2 x blocks]; see `Geometry`."""
    words: Floats
    is_sentence: npt.NDArray[np.bool_]
    hashes: npt.NDArray[np.uint32]
    """The words of all blocks as numbers, up to `MAX_WORDS` of each."""
    n_hashes: npt.NDArray[np.uint8]
    """Per block: how many those are."""


class TextKeys(NamedTuple):
    """What spans of a text say, each different text once: menus come again on every page."""

    which: Ints64
    """Per span: its text. White space is folded, and long texts are known by their start and length."""
    text: Hashes
    """Per text: its hash."""
    first: Hashes
    """And keys of its first word and of its last."""
    last: Hashes


class SaidStrings(NamedTuple):
    """Strings by their hashes, and on how many pages each is."""

    key: Hashes
    pages: Ints64
    data: npt.NDArray[np.uint8]
    """Their UTF-8, one after the other."""
    offset: Ints64


class SaidPages(NamedTuple):
    """On how many pages strings are."""

    texts: SaidStrings
    masked: SaidStrings
    """Texts with every number as 0."""
    words: SaidStrings


class Paths(NamedTuple):
    """The path keys of rows."""

    key: Hashes
    """With the class names that the site knows."""
    tag_key: Hashes
    """By tags alone."""


class Judged(NamedTuple):
    """The scores of blocks, and what is kept."""

    first: Floats
    """First scores: by the page alone."""
    score: Floats
    kept: npt.NDArray[np.bool_]
    node_score: Floats
    """Per row: those of its block."""
    node_kept: npt.NDArray[np.bool_]
    n_copies: int
    """Kept blocks that may be copies of a kept one before them: long, of the same length, and with as many others of the same text."""
    votes: Floats
    """[2 x pages]: what speaks for an article, and for a forum; 0 where the model tells no types, and for pages without blocks."""


class DatedUnits(NamedTuple):
    """Elements of a page that are alike and dated, as a range of blocks."""

    page: int
    first: int
    last: int
    """Exclusive."""
    n: int
    scored: float
    """The mean score of what is kept of them."""
    has_headings: bool


class PageKeys(NamedTuple):
    """Keys that come again and again, on the pages of a site."""

    key: Hashes
    """The different ones, ascending."""
    pages: Ints64
    """On how many pages each is."""
    which: Ints32
    """Per given key: which of the different ones."""
    is_first: npt.NDArray[np.bool_]
    """Per given key: it is the first of its kind on its page."""

    def counts(self) -> Counts:
        """Pages by key."""
        return Counts(self.key, self.pages.reshape(-1, 1))


class StringFacts(NamedTuple):
    """What strings are like."""

    length: Ints32
    words: Ints32
    """Pieces between white space."""
    bits: npt.NDArray[np.uint8]
    """Of `STRING_BITS`."""

    def has(self, name: str) -> npt.NDArray[np.bool_]:
        """Which strings have a bit."""
        return np.asarray(self.bits & _STRING_BITS[name], np.bool_)
