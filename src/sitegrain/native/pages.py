"""Kernels of pages: reading them, their strings and words, and writing what is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.siblings import LikeSiblings
from sitegrain.arrays.types import Floats32, Hashes, Ints32, Ints64
from sitegrain.native.choice import core
from sitegrain.native.columns import kinds_of
from sitegrain.native.inputs import (
    AttrColumns,
    LineRows,
    RenderPage,
    RenderRules,
    RenderTables,
    TextRows,
)
from sitegrain.native.outputs import (
    Head,
    NumberedWords,
    PageKeys,
    Picked,
    Scanned,
    StringFacts,
)

Void = npt.NDArray[np.void]


_SCANNED = kinds_of("SCANNED")


def guard(data: bytes, nesting: int, rows: int, tag_bits: bytes) -> tuple[bytes, int]:
    """The page without code, without the attributes that are not kept and without what a parser would make too much of; and
    the bits of `CUTS` for what that was. `tag_bits` are the `TAG_BITS` of every tag.

    Code is what stands in `<script>` (but for JSON-LD) and `<style>`: it is no text, and half of the bytes of
    today's pages. Tags nested deeper than `nesting` are dropped. A tag is nested until a closing tag of the same name; tags that
    close one another when left open (`p`, `li`, `td`, ...), void tags and the first `FREE_SELF_CLOSED` self-closed tags of SVG
    do not count. So the count is never below what a parser would nest, up to a small factor, and it takes one pass.
    The page ends after about so many `rows`. Marks (`b`, `font`, ...) that are left open are opened again by the parser in
    every block that follows; when that could make more than twice so many rows, all marks are dropped.

    A browser that runs scripts ends a `<noscript>` at its closing tag, whatever stands in it; we read what is in it,
    so an `<iframe>` that is left open there would take the rest of the page for its text. It is dropped. In a page that
    says that it is XML, `<textarea/>` and its like are closed.
    """
    return core.guard(data, nesting, rows, tag_bits)


def scan(html: str, tag_bits: bytes) -> Scanned:
    """The rows of a parsed tree from its serialization: every element closed, every value in double quotes."""
    return _scanned(*core.scan(html, tag_bits))


def read_tree(root: Any, tag_bits: bytes) -> Scanned:
    """The rows of the tree below a node of Lexbor's, read where it stands: `scan` of its serialization, without writing it.

    The node must be of a selectolax whose memory the core knows; see `tables/parsing/parse.py`.
    """
    return _scanned(*core.read_tree(root, tag_bits))


def read_plain(data: bytes, nesting: int, rows: int, tag_bits: bytes) -> Scanned | str:
    """The rows of a page that is a plain one: those of `read_tree`, of what Lexbor makes of what `guard` leaves of it, in a third of the time.

    Else a word that says why this page is for the others: the guard would cut it (the arguments are the same), or it has what only few pages
    have. The reference takes none.
    """
    found = core.read_plain(data, nesting, rows, tag_bits)
    return found if isinstance(found, str) else _scanned(*found)


def _scanned(columns: Sequence[Any], text: str, value_text: str, json_ld: tuple[str, ...]) -> Scanned:
    arrays = {name: np.frombuffer(column, kind) for (name, kind), column in zip(_SCANNED.items(), columns, strict=True)}
    return Scanned(arrays, text, value_text, json_ld)


def is_utf8(data: bytes) -> bool:
    """Whether `data.decode("utf-8")` would read it."""
    return core.is_utf8(data)


def split(text: str, ends: Ints32) -> tuple[str, ...]:
    """The pieces of a text, by the end of each."""
    return core.split(text, ends)


def picked(tag: npt.NDArray[np.int16], attrs: AttrColumns, wanted: npt.NDArray[np.bool_]) -> Picked:
    """The few attributes that are read as text: those with `wanted[tag, name]`, in their order."""
    return Picked(*core.picked(tag, attrs, wanted))


def head(tag: npt.NDArray[np.int16], parent: Ints32, attrs: AttrColumns, strings: tuple[str, ...]) -> Head:
    """What stands in the head of a page."""
    return Head(*core.head(tag, parent, attrs, strings))


def attr_values(attrs: AttrColumns, strings: tuple[str, ...], own: slice, name: int, first: int = 0) -> dict[int, str]:
    """Row, counted from `first` -> value of an attribute, of the attributes `own` in their order."""
    return core.attr_values(attrs, strings, own.start, own.stop, name, first)


def tag_rows(tag: npt.NDArray[np.int16], wanted: npt.NDArray[np.bool_]) -> dict[int, list[int]]:
    """Code of a tag -> its rows in their order, of all tags that are wanted."""
    return core.tag_rows(tag, wanted)


def path_keys(parent: Ints32, own: Hashes) -> Hashes:
    """Per row: a hash of the `own` values from the root down to the row; `parent[i] < i`, -1 for a root.

    >>> keys = path_keys(np.array([-1, 0, 0, 1], np.int32), np.array([7, 8, 8, 9], np.uint64))
    >>> bool(keys[1] == keys[2]), bool(keys[1] == keys[3])
    (True, False)
    """
    return np.frombuffer(
        core.path_keys(np.ascontiguousarray(parent, np.int32), np.ascontiguousarray(own, np.uint64)), np.uint64
    )


def string_hashes(strings: Iterable[str]) -> Hashes:
    """A 64-bit hash of every string: the values of `arrays.hashing.string_hashes`, in a fifth of its time.

    >>> a, b, c = string_hashes(["nav", "div", "nav"])
    >>> bool(a == c), bool(a == b)
    (True, False)
    """
    return np.frombuffer(core.string_hashes(list(strings)), np.uint64)


def string_facts(strings: Iterable[str], stops: str) -> StringFacts:
    """What each string is like; `stops` are the characters that end a sentence.

    >>> found = string_facts(["on 12 May.", ""], ".")
    >>> found.length.tolist(), found.words.tolist(), found.has("HAS_TWO_DIGITS").tolist()
    ([10, 0], [3, 0], [True, False])
    """
    length, words, bits = core.string_facts(list(strings), stops)
    return StringFacts(np.frombuffer(length, np.int32), np.frombuffer(words, np.int32), np.frombuffer(bits, np.uint8))


def term_counts(ids: Ints32, page_offset: Ints64, chosen: npt.NDArray[np.bool_], n_terms: int, worth: Ints64) -> Ints64:
    """[terms x 3] over the chosen pages: on how many of them each term is, how often in all, and the sum of `worth[times on the page]`.

    >>> ids, worth = np.array([0, 1, 0, 1], np.int32), np.array([0, 10, 25])
    >>> term_counts(ids, np.array([0, 3, 4]), np.array([True, True]), 2, worth).tolist()
    [[1, 2, 25], [2, 2, 20]]
    """
    found = core.term_counts(ids, page_offset, chosen, n_terms, worth)
    return np.frombuffer(found, np.int64).reshape(-1, 3)


def page_keys(page: npt.NDArray[np.integer], key: Hashes) -> PageKeys:
    """Keys by pages; those of a page stand together, but may come as several runs of pages that have no key in common.

    >>> found = page_keys(np.array([0, 0, 1]), np.array([9, 9, 4], np.uint64))
    >>> found.key.tolist(), found.pages.tolist(), found.which.tolist(), found.is_first.tolist()
    ([4, 9], [1, 1], [1, 1, 0], [True, False, True])
    """
    found, pages, which, is_first = core.page_keys(np.ascontiguousarray(page, np.int32), np.ascontiguousarray(key))
    kinds = np.frombuffer(found, np.uint64), np.frombuffer(pages, np.int64)
    return PageKeys(*kinds, np.frombuffer(which, np.int32), np.frombuffer(is_first, np.bool_))


def like_siblings(parent: Ints32, kind: Ints64, token_row: Ints64, token: Ints64) -> LikeSiblings:
    """`arrays.trees.siblings.like_siblings` in a tenth of its time; names must be given row by row."""
    row_group, size, holder = core.like_siblings(parent, kind, token_row, token)
    return LikeSiblings(
        np.frombuffer(row_group, np.int32), np.frombuffer(size, np.int64), np.frombuffer(holder, np.int64)
    )


def intern_texts(texts: tuple[str, ...], page: Ints32, start: Ints32, end: Ints32) -> tuple[Ints32, tuple[str, ...]]:
    """Every different text of spans of the texts of pages, white space folded, in the order in which they come; and which one each span has.

    >>> ids, texts = intern_texts(("a  b ", "a b"), *(np.array(c, np.int32) for c in ([0, 0, 1], [0, 3, 0], [5, 4, 3])))
    >>> ids.tolist(), texts
    ([0, 1, 0], ('a b', 'b'))
    """
    ids, found = core.intern_texts(texts, page, start, end)
    return np.frombuffer(ids, np.int32), found


def intern_values(texts: list[str], ends: list[Ints32]) -> tuple[Ints32, tuple[str, ...]]:
    """Every different piece of texts, by the ends of the pieces of each; and which one each piece is, of one text after the other.

    >>> ids, pieces = intern_values(["abab", "b"], [np.array([2, 4], np.int32), np.array([1], np.int32)])
    >>> ids.tolist(), pieces
    ([0, 0, 1], ('ab', 'b'))
    """
    ids, found = core.intern_values(texts, ends)
    return np.frombuffer(ids, np.int32), found


def number_words(texts: list[str], kinds: npt.NDArray[np.uint8]) -> NumberedWords:
    """The words of texts, by a kind for each code point: 1 is a letter or digit, 2 a mark of one, 4 a sign without spaces (see
    `text/words.py`, which says what a word is).
    """
    which, end, words = core.number_words(texts, kinds)
    return NumberedWords(np.frombuffer(which, np.int32), np.frombuffer(end, np.int64), words)


def matcher(words: tuple[str, ...], bits: Hashes) -> object:
    """Words (of three bytes or more) made ready for `word_bits`."""
    return core.matcher(words, bits)


def word_bits(names: Sequence[str], wanted: object) -> Ints64:
    """Per name: the bits of all words that stand in it. ASCII is read in lower case, with '-' for all but letters and
    digits and at both ends; only the first `MAX_NAME_BYTES` count."""
    return np.frombuffer(core.word_bits(list(names), wanted), np.uint64).astype(np.int64)


def to_text(source: str, rows: TextRows, breaks: npt.NDArray[np.uint8]) -> str:
    """The kept text of a page: paragraphs apart by a blank line, cells by a tab. `breaks` has a byte for each tag: what stands
    before and after it, with `BREAK_BITS`."""
    return core.to_text(source, rows, breaks)


def text_marks(source: str, rows: TextRows, signs: str, most: int) -> int:
    """Bits of `TEXT_MARKS`: whether a page has MathML, or keeps a text of fewer than `most` characters with one of these signs; and whether it keeps text
    within code. Most pages have neither, and need not be looked at further."""
    return core.text_marks(source, rows, signs, most)


def plain_address(href: str, origin: str, folder: str) -> str:
    """Where an href on a page in this folder leads to, without its fragment, if normalisation leaves that as it is, as most are; else empty.

    >>> plain_address("../a.html#b", "http://a.org", "http://a.org/c/"), plain_address("/a?b=c", "http://a.org", "http://a.org/c/")
    ('http://a.org/a.html', 'http://a.org/a?b=c')
    >>> plain_address("./a", "http://a.org", "http://a.org/c/"), plain_address("http://A.org", "", "")
    ('', 'http://a.org/')
    """
    return core.plain_address(href, origin, folder)


def year_spots(text: str) -> list[int]:
    """Where four digits begin that may be a year of this century or the last, also those within longer numbers.

    >>> year_spots("3 May 2020, 192005, 20 05, 1899")
    [6, 12, 14]
    """
    return core.year_spots(text)


def line_text(source: str, rows: LineRows, first: int, row: int, max_rows: int, breaks: bytes) -> str:
    """The text of the subtree of a row as a line: white space folded, blocks apart by a space; of no more than so many rows. The rows given
    are those from `first` on. `breaks` has a byte for each tag, which is not 0 for blocks."""
    return core.line_text(source, rows, first, row, max_rows, breaks)


def snippet(source: str, rows: LineRows, first: int, start: int, end: int, left: list[int], most: int) -> str:
    """The text of rows `start` to `end` as one line, without the subtrees of `left`, which are sorted; up to a text that begins after 2 * `most` characters."""
    return core.snippet(source, rows, first, start, end, left, most)


def render(page: RenderPage, of: RenderTables, rules: RenderRules, is_html: bool, title: str) -> str:
    """The kept text of a page as Markdown or as clean HTML, under a title that is none of its rows. The walk of `sitegrain.render` is the
    reference; the page that is handed in brings it along, and tells what it takes more than columns to know."""
    return core.render(page, of, rules, is_html, title)


def class_scores(
    moves: npt.NDArray[np.uint32],
    row: npt.NDArray[np.uint16],
    output: Ints32,
    weights: npt.NDArray[np.float16],
    data: bytes,
) -> Floats32:
    """Per class: the sum of log(1 + n) times its weight over all features that stand n times in the data; empty when none does.

    An automaton finds them: from a state, a byte leads to `moves[256 * row[state] + byte]`, and `output` has the feature of
    each state, below 0 for none; state 0 is the first. `weights` is [features x classes] and finite.
    """
    return np.frombuffer(core.class_scores(moves, row, output, weights, weights.shape[1], data), np.float32)


def json_bytes(value: Any) -> bytes:
    """A value of plain Python as JSON in UTF-8, without white space; half of a surrogate pair is written as its escape."""
    return core.json_bytes(value)
