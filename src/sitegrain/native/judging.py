"""Kernels of blocks: what page and site say of them, their scores, what is kept, and the posts and dates among it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32, Hashes, Ints32, Ints64
from sitegrain.native.choice import core
from sitegrain.native.columns import EVIDENCE, NAME_WEIGHTS, NUMBERS, SITE, STAGE, TEXT_WEIGHTS
from sitegrain.native.inputs import (
    AttrColumns,
    BlockColumns,
    DateRules,
    Geometry,
    JudgedPages,
    LineRules,
    MendRules,
    PageHints,
    PageTables,
    PostRows,
    PostRules,
    RowColumns,
    ScoreModel,
    SiteBlocks,
    SiteFacts,
    SiteScores,
    TreeColumns,
    Vocabulary,
)
from sitegrain.native.outputs import (
    Cut,
    DatedUnits,
    Gathered,
    Judged,
    Paths,
    SaidPages,
    SaidStrings,
    TextKeys,
)

Void = npt.NDArray[np.void]


def cut_blocks(rows: RowColumns, tag_kinds: Void) -> Cut:
    """Runs of text nodes with the same nearest box, cut where two line breaks or a rule stand between them."""
    node_block, columns = core.cut_blocks(rows, tag_kinds)
    return Cut(np.frombuffer(node_block, np.int32), BlockColumns(*map(np.frombuffer, columns, repeat(np.int32))))


def marked_rows(
    attrs: AttrColumns, strings: tuple[str, ...], roles: dict[str, int], body: int, is_body_prop: Callable[[str], bool]
) -> tuple[Ints32, Ints32]:
    """The rows that their role or itemprop marks, ascending, and as what: `roles` tells it by the role in lower case, `body` is the mark of what
    `is_body_prop` is true of.

    >>> columns = AttrColumns(*(np.array(c, t) for c, t in (([4, 7], np.int32), ([34, 28], np.int16), ([0, 1], np.int32))))
    >>> [found.tolist() for found in marked_rows(columns, (" Main", "articleBody"), {"main": 5}, 9, lambda prop: False)]
    [[4, 7], [5, 9]]
    """
    rows, marks = core.marked_rows(attrs, strings, roles, body, is_body_prop)
    return np.frombuffer(rows, np.int32), np.frombuffer(marks, np.int32)


def evidence(pages: PageTables, words: Vocabulary, hints: PageHints) -> Gathered:
    """The evidence of the blocks of some pages."""
    x, chain, alike, block_words, is_sentence, hashes, n_hashes = core.evidence(pages, words, hints)
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
    found, offset = core.text_hashes(text, start.astype(np.int32), end.astype(np.int32), char_kinds)
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


def name_hashes(names: Sequence[str]) -> tuple[npt.NDArray[np.uint32], Ints64]:
    """The words of class names: numbers, and where each name's begin."""
    found, offset = core.name_hashes(list(names))
    return np.frombuffer(found, np.uint32), np.frombuffer(offset, np.int64)


def text_weights(
    text: str, blocks: BlockColumns, since_heading: Floats32, char_kinds: npt.NDArray[np.uint8], table: Void
) -> Floats32:
    """[blocks x `TEXT_WEIGHTS`]: what the words of a block's text weigh, of the last heading's and of its neighbours'.

    `since_heading` is how many blocks ago that heading was, NaN where there is none; `table` is an open-addressed hash table of
    words and weights."""
    found = core.text_weights(text, blocks, np.ascontiguousarray(since_heading), char_kinds, table)
    return np.frombuffer(found, np.float32).reshape(-1, len(TEXT_WEIGHTS.names))


def name_weights(
    strings: Sequence[str], parent: Ints32, first: Ints32, row: Ints32, value: Ints32, table: Void
) -> Floats32:
    """[len(first) x `NAME_WEIGHTS`]: what the names of the elements above rows weigh. Row `row[i]` has the name
    `strings[value[i]]`."""
    found = core.name_weights(strings, parent, first, row, value, table)
    return np.frombuffer(found, np.float32).reshape(-1, len(NAME_WEIGHTS.names))


def text_keys(text: str, start: Ints32, end: Ints32) -> TextKeys:
    """Keys of the texts of blocks.

    >>> found = text_keys("a b c  b", np.array([0, 2, 6], np.int32), np.array([2, 4, 8], np.int32))
    >>> found.which.tolist(), len(found.text)
    ([0, 1, 1], 2)
    """
    which, *keys = core.text_keys(text, start, end)
    return TextKeys(np.frombuffer(which, np.int64), *(np.frombuffer(key, np.uint64) for key in keys))


def said_pages(text: str, start: Ints32, end: Ints32, page: Ints32) -> SaidPages:
    """On how many pages the texts of blocks are, and their words, given the page of each; pages come one after the other.

    >>> found = said_pages("a b a 1", *(np.array(c, np.int32) for c in ([0, 2, 4, 6], [2, 4, 6, 7], [0, 0, 1, 1])))
    >>> sorted(found.texts.pages.tolist()), len(found.words.key)
    ([1, 1, 2], 2)
    """
    return SaidPages(*(
        SaidStrings(*(np.frombuffer(c, k) for c, k in zip(column, (np.uint64, np.int64, np.uint8, np.int64), strict=True)))
        for column in core.said_pages(text, start, end, page)
    ))  # fmt: skip


def text_sizes(text: str, start: Ints32, end: Ints32, char_kinds: npt.NDArray[np.uint8]) -> tuple[Ints32, Floats]:
    """Per span: the characters of it that are seen, and its words, of which two wide characters make one."""
    visible, words = core.text_sizes(text, start, end, char_kinds)
    return np.frombuffer(visible, np.int32), np.frombuffer(words, np.float64)


def site_table(known: SiteFacts) -> object:
    """What was learned of a site made ready for the next three."""
    return core.site_table(known)


def site_paths(
    table: object, tag: npt.NDArray[np.int16], parent: Ints32, attrs: AttrColumns, strings: tuple[str, ...]
) -> Paths:
    """The path keys of all rows."""
    return Paths(*(np.frombuffer(keys, np.uint64) for keys in core.site_paths(table, tag, parent, attrs, strings)))


def site_scores(table: object, box: Ints32, paths: Paths) -> tuple[Floats, Floats]:
    """Mean first score at the path of each block, by names and by tags; NaN where it is not known."""
    by_names, by_tags = core.site_scores(table, box, *paths)
    return np.frombuffer(by_names, np.float64), np.frombuffer(by_tags, np.float64)


def site_columns(table: object, of: SiteBlocks) -> Floats32:
    """[blocks x `SITE`]: what the site says of each block."""
    return np.frombuffer(core.site_columns(table, of), np.float32).reshape(-1, len(SITE.names))


def pack_trees(n_features: int, nodes: TreeColumns, roots: Ints32) -> object:
    """Trees made ready for `predict`; `ValueError` where they do not fit together."""
    return core.pack_trees(n_features, nodes, roots)


def predict(trees: object, parts: Sequence[Floats32], at: Ints64, is_probability: bool) -> Floats:
    """Per row of matrices that stand side by side: the sum over trees, through a sigmoid if `is_probability`. Feature f is column
    `at[f]` among all of theirs."""
    tight = tuple(np.ascontiguousarray(x, np.float32) for x in parts)
    return np.frombuffer(core.predict(trees, tight, at, is_probability), np.float64)


def mean_score(parts: Sequence[Floats]) -> Floats:
    """The mean of scores by their log odds."""
    return np.frombuffer(core.mean_score(tuple(np.ascontiguousarray(p, np.float64) for p in parts)), np.float64)


def stage(where: Geometry, words: Floats, p: Floats, path: Floats | None, tag_path: Floats | None) -> Floats32:
    """[blocks x `STAGE`]: first scores of a block, of what is around it, and of its path elsewhere."""
    return np.frombuffer(core.stage(where, words, p, path, tag_path), np.float32).reshape(-1, len(STAGE.names))


def decide(score: Floats, words: Floats, page: Ints32, n_pages: int, nothing_below: float) -> npt.NDArray[np.bool_]:
    """Per block: kept. Each page keeps the blocks with the highest scores, as many as maximise its expected F1; none where that
    is below `nothing_below`."""
    return np.frombuffer(core.decide(score, words, page, n_pages, nothing_below), np.bool_)


def judged_pages(of: JudgedPages) -> JudgedPages:
    """The same pages, checked for all kernels that take them: to check them takes as long as what some of these do."""
    return JudgedPages(*of[:-1], core.check_pages(of))


def judge(of: JudgedPages, model: ScoreModel, site: SiteScores | None) -> Judged:
    """Scores of blocks and which of them are kept: what words weigh, trees, first scores around, the vote for an
    article and the decision, one after the other in one call."""
    first, score, kept, node_score, node_kept, n_copies, votes = core.judge(of, model, site)
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
    found = core.type_columns(own, averaged, x, words, page, p, n_pages)
    return np.frombuffer(found, np.float32).reshape(n_pages, len(own) + 2 * len(averaged) + 2)


def to_mend(
    of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: MendRules, urls: tuple[str, ...]
) -> int:
    """Which steps that mend a decision have something to look at, as bits of `MENDS`: most have nothing on most pages, and numpy takes
    longer to find that than C takes for all of them. `urls` are the addresses of the pages."""
    return int(core.to_mend(of, score, kept, rules, urls))


def lines_to_mend(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: LineRules) -> int:
    """Which steps that leave out single lines have something to look at, as bits of `LINES`."""
    return int(core.lines_to_mend(of, score, kept, rules))


def dated_units(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: DateRules) -> list[DatedUnits]:
    """Elements below the text of a page that are alike, each with a short line with a date (`DATE`) and something kept that scores lower."""
    return [DatedUnits(*units) for units in core.dated_units(of, score, kept, rules)]


def have_dates(text: str, start: Ints32, end: Ints32) -> npt.NDArray[np.bool_]:
    """Which of some stretches of a text have a date, as `DATE` tells it."""
    return np.frombuffer(core.have_dates(text, start, end), np.bool_)


def find_dates(
    text: str, day_first: bool | None, month_of: Callable[[str], int], first_year: int, latest: int
) -> list[tuple[int, str]]:
    """(where, date) of the dates in a line, by ways to write one; `month_of` tells the number of a name, `latest` is 20240506 for 6 May."""
    return core.find_dates(text, day_first, month_of, first_year, latest)


def say_when(texts: list[str]) -> bytes:
    """Of each line: 1 where it says when (`WHEN`), 0 where it does not, 2 where its letters and numbers must be looked at first."""
    return core.say_when(texts)


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
    return core.post_cut(rows, keys, may_be, marks, within.start, within.stop, rules)


def part_keys(
    tag: npt.NDArray[np.int16],
    parent: Ints32,
    owner: Ints32,
    n_posts: int,
    names: tuple[Ints32, Ints32],
    strings: tuple[str, ...],
    often: tuple[float, int],
) -> Hashes:
    """Per row of a page: a key of the way down to it from where its post begins (`owner`, -1 for none), by tags and by the first of the first names of an
    element that many posts have. `names` are rows and what they are called, of `strings`; `often` is what share of the posts, and how many first names.

    >>> tag, parent, owner = np.array([2, 2, 2, 3], np.int16), np.array([-1, -1, 0, 1], np.int32), np.array([0, 1, 0, 1], np.int32)
    >>> keys = part_keys(tag, parent, owner, 2, (np.zeros(0, np.int32),) * 2, (), (0.6, 4))
    >>> bool(keys[0] == keys[1]), bool(keys[2] == keys[3])
    (True, False)
    """
    found = core.part_keys(tag, parent, owner, n_posts, *names, strings, *often)
    return np.frombuffer(found, np.uint64)
