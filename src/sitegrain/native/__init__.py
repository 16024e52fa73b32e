"""The one door to the kernels: what every page pays for, in C, with a body in Python of the same result.

A kernel is a function of arrays, strings and plain numbers. `_core` is compiled when the package is installed; where there is no C
compiler, or where it was compiled with other columns than `columns.h` declares now, the bodies of `reference` run in its place,
some fifty times slower: a warning says so once, and `is_compiled` is False. The choice is made here and nowhere else.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.siblings import LikeSiblings
from sitegrain.arrays.types import Floats, Floats32, Hashes, Ints32, Ints64
from sitegrain.native.columns import EVIDENCE, NAME_WEIGHTS, NUMBERS, SITE, STAGE, TEXT_WEIGHTS, declared, kinds_of

# One statement for what is given on, and not one for each name.
# isort: off
from sitegrain.native.inputs import (
    AttrColumns, BlockColumns, DateRules, Geometry, JudgedPages, LineRows, LineRules, MendRules, PageHints, PageTables, PostRows, PostRules,
    RenderPage, RenderRules, RenderTables, RowColumns, ScoreModel, SiteBlocks, SiteFacts, SiteScores, TextRows, TreeColumns, Vocabulary,
)  # fmt: skip
from sitegrain.native.outputs import (
    Cut as Cut,
    DatedUnits as DatedUnits,
    Gathered as Gathered,
    Head as Head,
    Judged as Judged,
    NumberedWords as NumberedWords,
    Paths as Paths,
    Picked as Picked,
    SaidPages as SaidPages,
    SaidStrings as SaidStrings,
    Scanned as Scanned,
    StringFacts as StringFacts,
    TextKeys as TextKeys,
)
# isort: on

Void = npt.NDArray[np.void]


class SlowKernels(RuntimeWarning):
    """The kernels run in Python."""


def _chosen() -> ModuleType:
    why = "was not built: install a C compiler (gcc or clang)"
    try:
        from sitegrain.native import _core
    except ImportError:
        pass
    else:
        if _core.declared == declared():
            return _core
        why = "was built for another version of its columns: take a C compiler"
    warnings.warn(
        f"the compiled core of sitegrain {why} and reinstall sitegrain. "
        "Until then the same is done in Python, about 50 times slower.",
        SlowKernels,
        stacklevel=2,
    )
    from sitegrain.native import reference

    return reference


if TYPE_CHECKING:
    from sitegrain.native import _core as _body
else:
    _body = _chosen()

is_compiled: bool = _body.__name__ == "sitegrain.native._core"
"""Whether the kernels run in C."""


# --- reading pages

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
    return _body.guard(data, nesting, rows, tag_bits)


def scan(html: str, tag_bits: bytes) -> Scanned:
    """The rows of a parsed tree from its serialization: every element closed, every value in double quotes."""
    return _scanned(*_body.scan(html, tag_bits))


def read_tree(root: Any, tag_bits: bytes) -> Scanned:
    """The rows of the tree below a node of Lexbor's, read where it stands: `scan` of its serialization, without writing it.

    The node must be of a selectolax whose memory the core knows; see `tables/parse.py`.
    """
    return _scanned(*_body.read_tree(root, tag_bits))


def _scanned(columns: Sequence[Any], text: str, value_text: str, json_ld: tuple[str, ...]) -> Scanned:
    arrays = {name: np.frombuffer(column, kind) for (name, kind), column in zip(_SCANNED.items(), columns, strict=True)}
    return Scanned(arrays, text, value_text, json_ld)


def is_utf8(data: bytes) -> bool:
    """Whether `data.decode("utf-8")` would read it."""
    return _body.is_utf8(data)


def split(text: str, ends: Ints32) -> tuple[str, ...]:
    """The pieces of a text, by the end of each."""
    return _body.split(text, ends)


def picked(tag: npt.NDArray[np.int16], attrs: AttrColumns, wanted: npt.NDArray[np.bool_]) -> Picked:
    """The few attributes that are read as text: those with `wanted[tag, name]`, in their order."""
    return Picked(*_body.picked(tag, attrs, wanted))


def head(tag: npt.NDArray[np.int16], parent: Ints32, attrs: AttrColumns, strings: tuple[str, ...]) -> Head:
    """What stands in the head of a page."""
    return Head(*_body.head(tag, parent, attrs, strings))


def attr_values(attrs: AttrColumns, strings: tuple[str, ...], own: slice, name: int, first: int = 0) -> dict[int, str]:
    """Row, counted from `first` -> value of an attribute, of the attributes `own` in their order."""
    return _body.attr_values(attrs, strings, own.start, own.stop, name, first)


def tag_rows(tag: npt.NDArray[np.int16], wanted: npt.NDArray[np.bool_]) -> dict[int, list[int]]:
    """Code of a tag -> its rows in their order, of all tags that are wanted."""
    return _body.tag_rows(tag, wanted)


def path_keys(parent: Ints32, own: Hashes) -> Hashes:
    """Per row: a hash of the `own` values from the root down to the row; `parent[i] < i`, -1 for a root.

    >>> keys = path_keys(np.array([-1, 0, 0, 1], np.int32), np.array([7, 8, 8, 9], np.uint64))
    >>> bool(keys[1] == keys[2]), bool(keys[1] == keys[3])
    (True, False)
    """
    return np.frombuffer(
        _body.path_keys(np.ascontiguousarray(parent, np.int32), np.ascontiguousarray(own, np.uint64)), np.uint64
    )


def string_hashes(strings: Iterable[str]) -> Hashes:
    """A 64-bit hash of every string: the values of `arrays.hashing.string_hashes`, in a fifth of its time.

    >>> a, b, c = string_hashes(["nav", "div", "nav"])
    >>> bool(a == c), bool(a == b)
    (True, False)
    """
    return np.frombuffer(_body.string_hashes(list(strings)), np.uint64)


def string_facts(strings: Iterable[str], stops: str) -> StringFacts:
    """What each string is like; `stops` are the characters that end a sentence.

    >>> found = string_facts(["on 12 May.", ""], ".")
    >>> found.length.tolist(), found.words.tolist(), found.has("HAS_TWO_DIGITS").tolist()
    ([10, 0], [3, 0], [True, False])
    """
    length, words, bits = _body.string_facts(list(strings), stops)
    return StringFacts(np.frombuffer(length, np.int32), np.frombuffer(words, np.int32), np.frombuffer(bits, np.uint8))


def term_counts(ids: Ints32, page_offset: Ints64, chosen: npt.NDArray[np.bool_], n_terms: int, worth: Ints64) -> Ints64:
    """[terms x 3] over the chosen pages: on how many of them each term is, how often in all, and the sum of `worth[times on the page]`.

    >>> ids, worth = np.array([0, 1, 0, 1], np.int32), np.array([0, 10, 25])
    >>> term_counts(ids, np.array([0, 3, 4]), np.array([True, True]), 2, worth).tolist()
    [[1, 2, 25], [2, 2, 20]]
    """
    found = _body.term_counts(ids, page_offset, chosen, n_terms, worth)
    return np.frombuffer(found, np.int64).reshape(-1, 3)


def like_siblings(parent: Ints32, kind: Ints64, token_row: Ints64, token: Ints64) -> LikeSiblings:
    """`arrays.siblings.like_siblings` in a tenth of its time; names must be given row by row."""
    row_group, size, holder = _body.like_siblings(parent, kind, token_row, token)
    return LikeSiblings(
        np.frombuffer(row_group, np.int32), np.frombuffer(size, np.int64), np.frombuffer(holder, np.int64)
    )


def intern_texts(texts: tuple[str, ...], page: Ints32, start: Ints32, end: Ints32) -> tuple[Ints32, tuple[str, ...]]:
    """Every different text of spans of the texts of pages, white space folded, in the order in which they come; and which one each span has.

    >>> ids, texts = intern_texts(("a  b ", "a b"), *(np.array(c, np.int32) for c in ([0, 0, 1], [0, 3, 0], [5, 4, 3])))
    >>> ids.tolist(), texts
    ([0, 1, 0], ('a b', 'b'))
    """
    ids, found = _body.intern_texts(texts, page, start, end)
    return np.frombuffer(ids, np.int32), found


def intern_values(texts: list[str], ends: list[Ints32]) -> tuple[Ints32, tuple[str, ...]]:
    """Every different piece of texts, by the ends of the pieces of each; and which one each piece is, of one text after the other.

    >>> ids, pieces = intern_values(["abab", "b"], [np.array([2, 4], np.int32), np.array([1], np.int32)])
    >>> ids.tolist(), pieces
    ([0, 0, 1], ('ab', 'b'))
    """
    ids, found = _body.intern_values(texts, ends)
    return np.frombuffer(ids, np.int32), found


def number_words(texts: list[str], kinds: npt.NDArray[np.uint8]) -> NumberedWords:
    """The words of texts, by a kind for each code point: 1 is a letter or digit, 2 a mark of one, 4 a sign without spaces (see
    `text/words.py`, which says what a word is).
    """
    which, end, words = _body.number_words(texts, kinds)
    return NumberedWords(np.frombuffer(which, np.int32), np.frombuffer(end, np.int64), words)


def matcher(words: tuple[str, ...], bits: Hashes) -> object:
    """Words (of three bytes or more) made ready for `word_bits`."""
    return _body.matcher(words, bits)


def word_bits(names: Sequence[str], wanted: object) -> Ints64:
    """Per name: the bits of all words that stand in it. ASCII is read in lower case, with '-' for all but letters and
    digits and at both ends; only the first `MAX_NAME_BYTES` count."""
    return np.frombuffer(_body.word_bits(list(names), wanted), np.uint64).astype(np.int64)


def to_text(source: str, rows: TextRows, breaks: npt.NDArray[np.uint8]) -> str:
    """The kept text of a page: paragraphs apart by a blank line, cells by a tab. `breaks` has a byte for each tag: what stands
    before and after it, with `BREAK_BITS`."""
    return _body.to_text(source, rows, breaks)


def line_text(source: str, rows: LineRows, first: int, row: int, max_rows: int, breaks: bytes) -> str:
    """The text of the subtree of a row as a line: white space folded, blocks apart by a space; of no more than so many rows. The rows given
    are those from `first` on. `breaks` has a byte for each tag, which is not 0 for blocks."""
    return _body.line_text(source, rows, first, row, max_rows, breaks)


def snippet(source: str, rows: LineRows, first: int, start: int, end: int, left: list[int], most: int) -> str:
    """The text of rows `start` to `end` as one line, without the subtrees of `left`, which are sorted; up to a text that begins after 2 * `most` characters."""
    return _body.snippet(source, rows, first, start, end, left, most)


def render(page: RenderPage, of: RenderTables, rules: RenderRules, is_html: bool, title: str) -> str:
    """The kept text of a page as Markdown or as clean HTML, under a title that is none of its rows. The walk of `sitegrain.render` is the
    reference; the page that is handed in brings it along, and tells what it takes more than columns to know."""
    return _body.render(page, of, rules, is_html, title)


# --- blocks and what the page says of them


def cut_blocks(rows: RowColumns, tag_kinds: Void) -> Cut:
    """Runs of text nodes with the same nearest box, cut where two line breaks or a rule stand between them."""
    node_block, columns = _body.cut_blocks(rows, tag_kinds)
    return Cut(np.frombuffer(node_block, np.int32), BlockColumns(*(np.frombuffer(c, np.int32) for c in columns)))


def evidence(pages: PageTables, words: Vocabulary, hints: PageHints) -> Gathered:
    """The evidence of the blocks of some pages."""
    x, chain, alike, block_words, is_sentence, hashes, n_hashes = _body.evidence(pages, words, hints)
    return Gathered(
        np.frombuffer(x, np.float32).reshape(-1, len(EVIDENCE.names)),
        np.frombuffer(chain, np.int32).reshape(NUMBERS["LEVELS"], -1),
        np.frombuffer(alike, np.int32).reshape(2, -1),
        np.frombuffer(block_words, np.float64),
        np.frombuffer(is_sentence, np.bool_),
        np.frombuffer(hashes, np.uint32),
        np.frombuffer(n_hashes, np.uint8),
    )


def text_hashes(
    text: str, start: Ints32, end: Ints32, char_kinds: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint32], Ints64]:
    """The words of spans of a text: numbers, and where each span's begin."""
    found, offset = _body.text_hashes(text, start.astype(np.int32), end.astype(np.int32), char_kinds)
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


def name_hashes(names: Sequence[str]) -> tuple[npt.NDArray[np.uint32], Ints64]:
    """The words of class names: numbers, and where each name's begin."""
    found, offset = _body.name_hashes(list(names))
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


def text_weights(
    text: str, blocks: BlockColumns, since_heading: Floats32, char_kinds: npt.NDArray[np.uint8], table: Void
) -> Floats32:
    """[blocks x `TEXT_WEIGHTS`]: what the words of a block's text weigh, of the last heading's and of its neighbours'.

    `since_heading` is how many blocks ago that heading was, NaN where there is none; `table` is an open-addressed hash table of
    words and weights."""
    found = _body.text_weights(text, blocks, np.ascontiguousarray(since_heading), char_kinds, table)
    return np.frombuffer(found, np.float32).reshape(-1, len(TEXT_WEIGHTS.names))


def name_weights(
    strings: Sequence[str], parent: Ints32, first: Ints32, row: Ints32, value: Ints32, table: Void
) -> Floats32:
    """[len(first) x `NAME_WEIGHTS`]: what the names of the elements above rows weigh. Row `row[i]` has the name
    `strings[value[i]]`."""
    found = _body.name_weights(strings, parent, first, row, value, table)
    return np.frombuffer(found, np.float32).reshape(-1, len(NAME_WEIGHTS.names))


# --- what pages say, and what the site says of blocks


def text_keys(text: str, start: Ints32, end: Ints32) -> TextKeys:
    """Keys of the texts of blocks.

    >>> found = text_keys("a b c  b", np.array([0, 2, 6], np.int32), np.array([2, 4, 8], np.int32))
    >>> found.which.tolist(), len(found.text)
    ([0, 1, 1], 2)
    """
    which, *keys = _body.text_keys(text, start, end)
    return TextKeys(np.frombuffer(which, np.int64), *(np.frombuffer(key, np.uint64) for key in keys))


def said_pages(text: str, start: Ints32, end: Ints32, page: Ints32) -> SaidPages:
    """On how many pages the texts of blocks are, and their words, given the page of each; pages come one after the other.

    >>> found = said_pages("a b a 1", *(np.array(c, np.int32) for c in ([0, 2, 4, 6], [2, 4, 6, 7], [0, 0, 1, 1])))
    >>> sorted(found.texts.pages.tolist()), len(found.words.key)
    ([1, 1, 2], 2)
    """
    return SaidPages(*(
        SaidStrings(*(np.frombuffer(c, k) for c, k in zip(column, (np.uint64, np.int64, np.uint8, np.int64), strict=True)))
        for column in _body.said_pages(text, start, end, page)
    ))  # fmt: skip


def text_sizes(text: str, start: Ints32, end: Ints32, char_kinds: npt.NDArray[np.uint8]) -> tuple[Ints32, Floats]:
    """Per span: the characters of it that are seen, and its words, of which two wide characters make one."""
    visible, words = _body.text_sizes(text, start, end, char_kinds)
    return np.frombuffer(visible, np.int32), np.frombuffer(words, np.float64)


def site_table(known: SiteFacts) -> object:
    """What was learned of a site made ready for the next three."""
    return _body.site_table(known)


def site_paths(
    table: object, tag: npt.NDArray[np.int16], parent: Ints32, attrs: AttrColumns, strings: tuple[str, ...]
) -> Paths:
    """The path keys of all rows."""
    return Paths(*(np.frombuffer(keys, np.uint64) for keys in _body.site_paths(table, tag, parent, attrs, strings)))


def site_scores(table: object, box: Ints32, paths: Paths) -> tuple[Floats, Floats]:
    """Mean first score at the path of each block, by names and by tags; NaN where it is not known."""
    by_names, by_tags = _body.site_scores(table, box, *paths)
    return np.frombuffer(by_names, np.float64), np.frombuffer(by_tags, np.float64)


def site_columns(table: object, of: SiteBlocks) -> Floats32:
    """[blocks x `SITE`]: what the site says of each block."""
    return np.frombuffer(_body.site_columns(table, of), np.float32).reshape(-1, len(SITE.names))


# --- scores


def pack_trees(n_features: int, nodes: TreeColumns, roots: Ints32) -> object:
    """Trees made ready for `predict`; `ValueError` where they do not fit together."""
    return _body.pack_trees(n_features, nodes, roots)


def predict(trees: object, parts: Sequence[Floats32], at: Ints64, is_probability: bool) -> Floats:
    """Per row of matrices that stand side by side: the sum over trees, through a sigmoid if `is_probability`. Feature f is column
    `at[f]` among all of theirs."""
    tight = tuple(np.ascontiguousarray(x, np.float32) for x in parts)
    return np.frombuffer(_body.predict(trees, tight, at, is_probability), np.float64)


def mean_score(parts: Sequence[Floats]) -> Floats:
    """The mean of scores by their log odds."""
    return np.frombuffer(_body.mean_score(tuple(np.ascontiguousarray(p, np.float64) for p in parts)), np.float64)


def stage(where: Geometry, words: Floats, p: Floats, path: Floats | None, tag_path: Floats | None) -> Floats32:
    """[blocks x `STAGE`]: first scores of a block, of what is around it, and of its path elsewhere."""
    return np.frombuffer(_body.stage(where, words, p, path, tag_path), np.float32).reshape(-1, len(STAGE.names))


def decide(score: Floats, words: Floats, page: Ints32, n_pages: int, nothing_below: float) -> npt.NDArray[np.bool_]:
    """Per block: kept. Each page keeps the blocks with the highest scores, as many as maximise its expected F1; none where that
    is below `nothing_below`."""
    return np.frombuffer(_body.decide(score, words, page, n_pages, nothing_below), np.bool_)


def judge(of: JudgedPages, model: ScoreModel, site: SiteScores | None) -> Judged:
    """Scores of blocks and which of them are kept: what words weigh, trees, first scores around, the vote for an
    article and the decision, one after the other in one call."""
    first, score, kept, node_score, node_kept, n_copies, votes = _body.judge(of, model, site)
    return Judged(
        np.frombuffer(first),
        np.frombuffer(score),
        np.frombuffer(kept, np.bool_),
        np.frombuffer(node_score),
        np.frombuffer(node_kept, np.bool_),
        n_copies,
        np.frombuffer(votes).reshape(2, -1),
    )


def type_columns(
    own: Ints64, averaged: Ints64, x: Floats32, words: Floats, page: Ints32, p: Floats, n_pages: int
) -> Floats32:
    """[pages x columns] that the type of a page is told by: the columns `own` of its first block, those `averaged` over what seems to be content
    by the first scores `p` and over the rest, how many words that is and what share."""
    found = _body.type_columns(own, averaged, x, words, page, p, n_pages)
    return np.frombuffer(found, np.float32).reshape(n_pages, len(own) + 2 * len(averaged) + 2)


def to_mend(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: MendRules) -> int:
    """Which steps that mend a decision have something to look at, as bits of `MENDS`: most have nothing on most pages, and numpy takes
    longer to find that than C takes for all of them."""
    return int(_body.to_mend(of, score, kept, rules))


def lines_to_mend(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    """Which steps that leave out single lines have something to look at, as bits of `LINES`."""
    return int(_body.lines_to_mend(of, score, kept, rules))


def dated_units(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: DateRules) -> list[DatedUnits]:
    """Elements below the text of a page that are alike, each with a short line with a date (`DATE`) and something kept that scores lower."""
    return [DatedUnits(*units) for units in _body.dated_units(of, score, kept, rules)]


def find_dates(
    text: str, day_first: bool | None, month_of: Callable[[str], int], first_year: int, latest: int
) -> list[tuple[int, str]]:
    """(where, date) of the dates in a line, by ways to write one; `month_of` tells the number of a name, `latest` is 20240506 for 6 May."""
    return _body.find_dates(text, day_first, month_of, first_year, latest)


def say_when(texts: list[str]) -> bytes:
    """Of each line: 1 where it says when (`WHEN`), 0 where it does not, 2 where its letters and numbers must be looked at first."""
    return _body.say_when(texts)


def post_cut(
    rows: PostRows,
    keys: Hashes,
    may_be: npt.NDArray[np.bool_],
    marks: npt.NDArray[np.bool_],
    within: slice,
    rules: PostRules,
) -> tuple[list[int], list[int], float] | None:
    """Where the posts of a page begin and end: at that one of the places that `keys` tell apart which is best by how much of the wanted text
    it holds and how many have a mark; and how good it is. None where no place is."""
    return _body.post_cut(rows, keys, may_be, marks, within.start, within.stop, rules)


# --- languages


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
    return np.frombuffer(_body.class_scores(moves, row, output, weights, weights.shape[1], data), np.float32)


def json_bytes(value: Any) -> bytes:
    """A value of plain Python as JSON in UTF-8, without white space; half of a surrogate pair is written as its escape."""
    return _body.json_bytes(value)
