"""What a site says of a block: how many pages have the same text, and what stands at the same path elsewhere.

`learn` reads all pages once; the result is small (only what occurs on two pages or more), can be saved, and
judges a new page of the site at the speed of the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.counts import UNIT, Counts, Distinct, merged, units
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ordered import distinct, is_among
from sitegrain.arrays.strings import StringCounts, Strings, merged_strings
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.extractor.blocks import Rows, TextBlocks, rows_of, text_blocks
from sitegrain.extractor.menus import PAGES, LinkBoxes, inside, link_boxes
from sitegrain.learned.typed import need
from sitegrain.light import dataclass
from sitegrain.native import Paths, SaidStrings, TextKeys
from sitegrain.native.chars import char_table
from sitegrain.native.inputs import CountColumns, PathColumns, SiteFacts
from sitegrain.native.sitekeys import MIX, find, values_at
from sitegrain.tables.repeats import named_rows
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TEXT

_A = TAG_CODE["a"]
_TITLE = np.array([TAG_CODE[t] for t in ("html", "head", "title")], np.uint64)
MOST_OF_ONE = 4
"""Pages that may be of one thing for each that is counted: on a labelled site most pages have the title of the site, and are of different things."""
CHUNK_ROWS = 60_000
"""Rows handled at once: bounds memory, and is large enough for array programs to pay."""


def chunks(site: Site) -> Iterator[tuple[int, int]]:
    """Ranges of pages of about `CHUNK_ROWS` rows."""
    if site.n_pages == 1:
        yield 0, 1
        return
    offset = site.pages.node_offset
    first = 0
    while first < site.n_pages:
        last = int(np.searchsorted(offset, offset[first] + CHUNK_ROWS, "right")) - 1
        last = min(max(last, first + 1), site.n_pages)
        yield first, last
        first = last


def block_texts(blocks: TextBlocks) -> TextKeys:
    """Keys of what blocks say."""
    return native.text_keys(blocks.rows.text, blocks.text_start, blocks.text_end)


OF_PATH = 0.3
"""Share of the blocks at a path that stand in dated elements alike below a text, from which all of them are comments. Of labelled sites comments have 0.6 and more,
texts with a list of dated things 0.13."""


class PathScores(NamedTuple):
    """First scores of some blocks, with the paths where they stand."""

    key: Hashes
    tag_key: Hashes
    score: Floats
    words: Floats
    comment: Floats
    """What its page says of whether a block is of comments: above 0 for yes, below 0 for no, 0 where it does not say."""

    @classmethod
    def none(cls) -> PathScores:
        """Of no block."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0), np.zeros(0), np.zeros(0))

    @classmethod
    def joined(cls, parts: Sequence[PathScores]) -> PathScores:
        """The blocks of all parts, in their order."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def comment_paths(self, key: Hashes) -> Hashes:
        """Those of the paths given, one for each block, where comments stand: most pages that tell what is there say so, and it is much of what is there."""
        told = np.flatnonzero(self.comment)
        if not len(told):
            return _NO_KEYS
        keys = distinct(key[told])
        at = np.searchsorted(keys, key[told])
        near = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        n_blocks = np.bincount(near[keys[near] == key], minlength=len(keys))
        n_told, vote = np.bincount(at, minlength=len(keys)), np.bincount(at, self.comment[told], len(keys))
        return keys[(vote > 0) & (n_told > OF_PATH * n_blocks)]


@dataclass
class SiteKnowledge:
    """What was learned from all pages of a site."""

    n_pages: int
    names: dict[str, int]
    """Class names on at least a tenth of the pages (and two): the others tell pages apart, not places."""
    text_pages: dict[str, int]
    """Pages that have a block with this text, for texts on two pages or more."""
    masked_pages: dict[str, int]
    """The same with numbers masked."""
    paths: PathColumns
    """By tags and class names; `distinct` is the share of the blocks there whose text stands there once only, `score` their mean
    first score, NaN until it is known."""
    tag_paths: PathColumns
    """By tags alone."""
    word_pages: dict[str, int]
    """Pages that have this word, for words on three pages or more."""
    row_pages: CountColumns
    """Paths of elements that two pages or more have, and how many pages."""
    first_words: CountColumns
    """Keys of (path, first word of a block) that occur three times or more, and how often."""
    last_words: CountColumns
    """The same of last words."""
    menus: CountColumns
    """Keys of elements that are mostly links and stand on so many pages (see `menus`), and how many."""
    comments: Hashes
    """Paths, with class names and without, where comments stand."""

    @cached_property
    def table(self) -> object:
        """All of it as the kernels look it up. Whoever changes a field must call `forget_table`."""
        return native.site_table(SiteFacts(**{name: getattr(self, name) for name in SiteFacts._fields}))

    def forget_table(self) -> None:
        """To be called after a change."""
        self.__dict__.pop("table", None)

    def __getstate__(self) -> dict[str, Any]:
        """For copies, which make a table of their own."""
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    @property
    def n_things(self) -> float:
        """Pages that are of different things, by their titles: an event of every month has one page for each, and all say the same; a quarter of the
        pages at least. All pages, where the site has no titles or one for all."""
        at = find(self.tag_paths, native.path_keys(np.arange(-1, 2, dtype=np.int32), _TITLE)[-1:])
        different = float((values_at(self.tag_paths.blocks, at, 0.0) * values_at(self.tag_paths.distinct, at, 0.0))[0])
        return min(max(round(different), self.n_pages / MOST_OF_ONE), self.n_pages) if different > 1.5 else self.n_pages

    def block_paths(self, blocks: TextBlocks, paths: Paths | None = None) -> Paths:
        """The path keys of blocks: with class names and without."""
        key, tag_key = self.row_paths(blocks.rows) if paths is None else paths
        return Paths(key[blocks.box], tag_key[blocks.box])

    def coverage(self, key: Hashes) -> Floats:
        """Share of the site's pages that have a row with this path."""
        return values_at(self.row_pages.times, find(self.row_pages, key), 1.0) / self.n_pages

    def row_paths(self, rows: Rows) -> Paths:
        """The path keys of all rows: with class names and without."""
        return native.site_paths(self.table, rows.tag, rows.parent, rows.attrs, rows.site.strings)

    def in_menu(self, blocks: TextBlocks, links: Floats, kept: Bools) -> Bools:
        """Which blocks are in a menu of which enough is kept to make one; `links` is the share of each block that is linked."""
        boxes = link_boxes(blocks, links, kept) if len(self.menus.key) else LinkBoxes.none()
        if not len(boxes.first):
            return np.zeros(len(blocks), bool)
        said = block_texts(blocks)
        known = find(self.menus, boxes.keys(said.text[said.which])) >= 0
        return inside(LinkBoxes(boxes.first[known], boxes.last[known]), len(blocks))

    def path_scores(self, blocks: TextBlocks, paths: Paths | None = None) -> tuple[Floats, Floats]:
        """Mean first-stage score at each block's path, by names and by tags."""
        return native.site_scores(self.table, blocks.box, self.row_paths(blocks.rows) if paths is None else paths)

    def in_comments(self, paths: Paths) -> Bools:
        """Which blocks stand where comments do, by their paths."""
        return is_among(paths.key, self.comments) | is_among(paths.tag_key, self.comments)

    def set_path_scores(self, found: PathScores) -> None:
        """Keep the mean score of the blocks at each path, weighted by their words, and where comments stand, which count as 0."""
        if not len(found.score):
            return
        self.comments = distinct(np.concatenate([found.comment_paths(key) for key in (found.key, found.tag_key)]))
        score, words = np.where(self.in_comments(Paths(found.key, found.tag_key)), 0.0, found.score), found.words

        def scored(stats: PathColumns, key: Hashes) -> PathColumns:
            at = find(stats, key)
            known = at >= 0
            weight = np.bincount(at[known], words[known] + 1, len(stats.key))
            total = np.bincount(at[known], (score * (words + 1))[known], len(stats.key))
            mean = np.divide(total, weight, out=np.full(len(stats.key), np.nan), where=weight > 0)
            return stats._replace(score=mean)

        self.paths, self.tag_paths = scored(self.paths, found.key), scored(self.tag_paths, found.tag_key)
        self.forget_table()

    def check(self) -> None:
        """Look at all of it now, and not when the first page comes."""
        pages = (self.names, self.text_pages, self.masked_pages, self.word_pages)
        fewest = min((count for counts in pages for count in counts.values()), default=1)
        need(self.n_pages > 0 and fewest > 0, "a count of pages is not above 0")
        for table in (
            self.paths, self.tag_paths, self.row_pages, self.first_words, self.last_words, self.menus,
        ):  # fmt: skip
            need(all(len(column) == len(table.key) for column in table), "columns of places have different lengths")
            need(bool((table.key[1:] > table.key[:-1]).all()), "places are not in order")
        _ = self.table


def block_sizes(blocks: TextBlocks) -> tuple[Floats, Floats]:
    """Words of each block, and the share of its visible characters that stand in anchors."""
    rows = blocks.rows
    texts = np.flatnonzero(rows.tag == TEXT)
    seen, words = native.text_sizes(rows.text, rows.text_start[texts], rows.text_end[texts], char_table())
    linked = np.where(under(rows.tag == _A, rows.end)[texts], seen, 0)
    first, end = np.searchsorted(texts, blocks.first), np.searchsorted(texts, blocks.last, "right")

    def total(values: npt.NDArray[Any]) -> Floats:
        prefix = prefix_sum(values)
        return np.asarray(prefix[end] - prefix[first], np.float64)

    size = total(seen)
    return total(words), np.asarray(np.divide(total(linked), size, out=np.zeros(len(size)), where=size > 0))


@dataclass(frozen=True, eq=False)
class SaidCounts:
    """On how many of some pages each class name, text and word is."""

    n_pages: int
    names: StringCounts
    texts: StringCounts
    masked: StringCounts
    """Texts with every number as 0."""
    words: StringCounts

    @classmethod
    def of(cls, site: Site) -> SaidCounts:
        """Count the pages of a site, or of a part of it."""
        parts: list[dict[str, StringCounts]] = []
        for first, last in chunks(site):
            blocks = text_blocks(rows_of(site, first, last))
            said = native.said_pages(blocks.rows.text, blocks.text_start, blocks.text_end, blocks.page)
            parts.append({name: _string_counts(getattr(said, name)) for name in said._fields})
        counted = {name: _all_counts([part[name] for part in parts]) for name in LEAST if name != "names"}
        return cls(site.n_pages, names=StringCounts.of(_name_pages(site)), **counted)

    @classmethod
    def none(cls, n_pages: int = 0) -> SaidCounts:
        """Of pages that say nothing."""
        return cls(n_pages, *(StringCounts.of({}) for _ in LEAST))

    def merge(self, other: SaidCounts) -> SaidCounts:
        """The counts of both page sets, which must not share a page."""
        counted = {name: getattr(self, name).merge(getattr(other, name)) for name in LEAST}
        return SaidCounts(self.n_pages + other.n_pages, **counted)


def _string_counts(said: SaidStrings) -> StringCounts:
    return StringCounts(Counts(said.key, said.pages.reshape(-1, 1)), Strings(said.data, said.offset))


def _all_counts(parts: Sequence[StringCounts]) -> StringCounts:
    """The counts of parts that share no page."""
    if len(parts) == 1:
        return parts[0]
    return merged_strings([p.counts for p in parts], [partial(getattr, p, "strings") for p in parts])


LEAST = {"names": 2, "texts": 2, "masked": 2, "words": 3}
"""Pages that a name, a text or a word must be on to be known."""


def _name_pages(site: Site) -> dict[str, int]:
    """Per class name: pages."""
    row, name, names = named_rows(site)
    found = native.page_keys(site.nodes.page[row], name.astype(np.uint64))
    pages = np.bincount(name[found.is_first], minlength=len(names)).tolist()
    return dict(zip(names, pages, strict=True))


def told_by_names(said: SaidCounts) -> SiteKnowledge:
    """What is known of a site before its paths were counted: enough to tell paths apart."""
    n = said.n_pages
    nothing, nowhere = CountColumns(_NO_KEYS, np.zeros(0)), PathColumns(_NO_KEYS, *[np.zeros(0)] * 6)
    names = said.names.as_dict(max(LEAST["names"], COMMON_NAME * n))
    return SiteKnowledge(n, names, {}, {}, nowhere, nowhere, {}, nothing, nothing, nothing, nothing, _NO_KEYS)


_NO_KEYS = np.zeros(0, np.uint64)
COMMON_NAME = 0.1
"""Share of the pages that have a class name which names a place: others tell pages apart."""


@dataclass(frozen=True, eq=False)
class PathCounts:
    """What stands at each path of some pages."""

    paths: Counts
    """By tags and class names: blocks, pages, and in units words and shares of linked characters."""
    tag_paths: Counts
    """By tags alone."""
    texts: Distinct
    """Different texts at each path."""
    tag_texts: Distinct
    row_pages: Counts
    """Pages that have each path of an element."""
    first_words: Counts
    last_words: Counts
    menus: Counts
    """Pages that have each element that is mostly links, by what it holds."""

    @classmethod
    def of(cls, site: Site, names: SiteKnowledge) -> PathCounts:
        """Count the pages of a site, or of a part of it; `names` tells paths apart."""
        parts = [_path_counts(text_blocks(rows_of(site, first, last)), names) for first, last in chunks(site)]
        return cls.merged(parts)

    def merge(self, other: PathCounts) -> PathCounts:
        """The counts of both page sets, which must not share a page."""
        return PathCounts.merged([self, other])

    @classmethod
    def merged(cls, parts: Sequence[PathCounts]) -> PathCounts:
        """The counts of all parts."""
        found: dict[str, Any] = {}
        for name, width in PATH_COLUMNS.items():
            found[name] = merged([getattr(part, name) for part in parts], n_columns=width)
        for name in ("texts", "tag_texts"):
            found[name] = Distinct.joined([getattr(part, name) for part in parts])
        return cls(**found)


PATH_COLUMNS = {"paths": 4, "tag_paths": 4, "row_pages": 1, "first_words": 1, "last_words": 1, "menus": 1}
"""The counts among the statistics of `PathCounts`, and how many columns each has."""


def _path_counts(blocks: TextBlocks, names: SiteKnowledge) -> PathCounts:
    rows = blocks.rows
    said = block_texts(blocks)
    text = said.text[said.which] if len(blocks) else _NO_KEYS
    n_words, density = block_sizes(blocks)
    words = units(n_words)  # scripts without spaces have halves
    links, boxes = units(density), link_boxes(blocks, density)
    row_key, row_tag_key = names.row_paths(rows)
    key, tag_key = row_key[blocks.box], row_tag_key[blocks.box]
    elements = rows.tag != TEXT
    # The path of a block with its first word, and with its last: "Posted by", "... UTC" repeat there.
    first, last = (key * MIX + (word[said.which] if len(blocks) else _NO_KEYS) for word in (said.first, said.last))
    return PathCounts(
        _at_paths(blocks.page, key, words, links),
        _at_paths(blocks.page, tag_key, words, links),
        Distinct.unique(mix(key) + text, key),
        Distinct.unique(mix(tag_key) + text, tag_key),
        native.page_keys(rows.page[elements], row_key[elements]).counts(),
        Counts.of(first),
        Counts.of(last),
        native.page_keys(blocks.page[boxes.first], boxes.keys(text)).counts(),
    )


def _at_paths(page: Ints32, key: Hashes, words: Ints64, links: Ints64) -> Counts:
    # The first block of a page at a path brings its page in.
    return Counts.of(key, native.page_keys(page, key).is_first.astype(np.int64), words, links)


def path_columns(counts: Counts, owners: Hashes) -> PathColumns:
    """What is known of paths; `owners` has the path of every different text that stands at one."""
    count = np.maximum(counts.times, 1).astype(np.float64)
    distinct = np.bincount(counts.row(owners), minlength=len(counts))
    pages, words, links = (counts.values[:, k].astype(np.float64) for k in (1, 2, 3))
    return PathColumns(
        key=counts.key,
        pages=pages,
        blocks=counts.times.astype(np.float64),
        distinct=distinct / count,
        words=words / UNIT / count,
        links=links / UNIT / count,
        score=np.full(len(counts), np.nan),
    )


def count_columns(counts: Counts, least: int) -> CountColumns:
    """The keys that come `least` times or more, and how often."""
    found = counts.at_least(least)
    return CountColumns(found.key, found.times.astype(np.float64))


def knowledge_of(said: SaidCounts, paths: PathCounts) -> SiteKnowledge:
    """What all pages of a site tell."""
    knowledge = told_by_names(said)
    knowledge.text_pages = said.texts.as_dict(LEAST["texts"])
    knowledge.masked_pages = said.masked.as_dict(LEAST["masked"])
    knowledge.word_pages = said.words.as_dict(LEAST["words"])
    knowledge.paths = path_columns(paths.paths, paths.texts.owner)
    knowledge.tag_paths = path_columns(paths.tag_paths, paths.tag_texts.owner)
    knowledge.row_pages = count_columns(paths.row_pages, 2)
    knowledge.first_words, knowledge.last_words = (count_columns(c, 3) for c in (paths.first_words, paths.last_words))
    knowledge.menus = count_columns(paths.menus, PAGES)
    return knowledge


def learn(site: Site) -> SiteKnowledge:
    """Read all pages of a site."""
    said = SaidCounts.of(site)
    return knowledge_of(said, PathCounts.of(site, told_by_names(said)))
