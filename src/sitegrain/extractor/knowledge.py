"""What a site says of a block: how many pages have the same text, and what stands at the same path elsewhere.

`learn` reads all pages once; the result is small (only what occurs on two pages or more), can be saved, and
judges a new page of the site at the speed of the page itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.preorder import prefix_sum, under
from sitegrain.arrays.types import Floats, Hashes
from sitegrain.extractor.blocks import Rows, TextBlocks, rows_of, text_blocks
from sitegrain.learned.typed import need
from sitegrain.native import Paths
from sitegrain.native.chars import CharCounts
from sitegrain.native.inputs import CountColumns, PathColumns, SiteFacts
from sitegrain.native.reference.site import MIX, SITE_WORD, edge_words, find, mask_digits, text_key, values_at
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TEXT

_CLASS = ATTRIBUTES.index("class")
_A = TAG_CODE["a"]
CHUNK_ROWS = 60_000
"""Rows handled at once: bounds memory, and is large enough for array programs to pay."""


def chunks(site: Site) -> Iterator[tuple[int, int]]:
    """Ranges of pages of about `CHUNK_ROWS` rows."""
    offset = site.pages.node_offset
    first = 0
    while first < site.n_pages:
        last = int(np.searchsorted(offset, offset[first] + CHUNK_ROWS, "right")) - 1
        last = min(max(last, first + 1), site.n_pages)
        yield first, last
        first = last


def block_texts(blocks: TextBlocks) -> list[str]:
    """A key for the text of every block."""
    text = blocks.rows.text
    spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
    return [text_key(text[s:e]) for s, e in spans]


def edge_keys(texts: list[str], key: Hashes) -> tuple[Hashes, Hashes]:
    """Per block: a key of its path with its first word, and with its last: "Posted by", "... UTC" repeat there."""
    edges = np.array([edge_words(text) for text in texts], np.uint64).reshape(len(texts), 2)
    return key * MIX + edges[:, 0], key * MIX + edges[:, 1]


class _Seen(NamedTuple):
    """Some blocks as they are counted at their paths."""

    key: Hashes
    text: Hashes
    words: Floats
    links: Floats
    page: npt.NDArray[np.int64]


class _PathCounts:
    """Collects what stands at each path, chunk by chunk."""

    def __init__(self) -> None:
        self.parts: list[_Seen] = []

    def add(self, part: _Seen) -> None:
        self.parts.append(part)

    def stats(self) -> PathColumns:
        if not self.parts:
            empty = np.zeros(0)
            return PathColumns(np.zeros(0, np.uint64), empty, empty, empty, empty, empty, empty)
        key, text, words, links, page = (np.concatenate(c) for c in zip(*self.parts, strict=True))
        different, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
        n = len(different)

        def distinct_pairs(other: npt.NDArray[Any]) -> Floats:
            pairs = np.unique(np.stack([inverse.astype(np.int64), other.astype(np.int64)]), axis=1)
            return np.bincount(pairs[0], minlength=n).astype(np.float64)

        return PathColumns(
            key=different,
            pages=distinct_pairs(page),
            blocks=count.astype(np.float64),
            distinct=distinct_pairs(text.view(np.int64)) / count,
            words=np.bincount(inverse, words, n) / count,
            links=np.bincount(inverse, links, n) / count,
            score=np.full(n, np.nan),
        )


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

    def path_scores(self, blocks: TextBlocks, paths: Paths | None = None) -> tuple[Floats, Floats]:
        """Mean first-stage score at each block's path, by names and by tags."""
        return native.site_scores(self.table, blocks.box, self.row_paths(blocks.rows) if paths is None else paths)

    def set_scores(self, paths: Paths, score: Floats, words: Floats) -> None:
        """Keep the mean score of the blocks at each path, weighted by their words."""

        def scored(stats: PathColumns, key: Hashes) -> PathColumns:
            at = find(stats, key)
            known = at >= 0
            weight = np.bincount(at[known], words[known] + 1, len(stats.key))
            total = np.bincount(at[known], (score * (words + 1))[known], len(stats.key))
            mean = np.divide(total, weight, out=np.full(len(stats.key), np.nan), where=weight > 0)
            return stats._replace(score=mean)

        self.paths, self.tag_paths = scored(self.paths, paths.key), scored(self.tag_paths, paths.tag_key)
        self.forget_table()

    def check(self) -> None:
        """Look at all of it now, and not when the first page comes."""
        pages = (self.names, self.text_pages, self.masked_pages, self.word_pages)
        fewest = min((count for counts in pages for count in counts.values()), default=1)
        need(self.n_pages > 0 and fewest > 0, "a count of pages is not above 0")
        for table in (self.paths, self.tag_paths, self.row_pages, self.first_words, self.last_words):
            need(all(len(column) == len(table.key) for column in table), "columns of places have different lengths")
            need(bool((table.key[1:] > table.key[:-1]).all()), "places are not in order")
        _ = self.table


_COUNTS = ("row_pages", "edges_first", "edges_last")
"""What the three tables of counts are called in a model file."""


def _counted(keys: list[Hashes], least: int) -> CountColumns:
    """The keys that come `least` times or more, and how often."""
    key, times = np.unique(np.concatenate(keys) if keys else np.zeros(0, np.uint64), return_counts=True)
    return CountColumns(key[times >= least], times[times >= least].astype(np.float64))


def block_link_density(blocks: TextBlocks, counts: CharCounts) -> Floats:
    """Share of each block's visible characters that stand in anchors."""
    rows = blocks.rows
    is_linked = under(rows.tag == _A, rows.end) & (rows.tag == TEXT)
    linked = prefix_sum(np.where(is_linked, counts.visible[rows.text_end] - counts.visible[rows.text_start], 0))
    total = (counts.visible[blocks.text_end] - counts.visible[blocks.text_start]).astype(np.float64)
    inside = (linked[blocks.last + 1] - linked[blocks.first]).astype(np.float64)
    return np.asarray(np.divide(inside, total, out=np.zeros(len(total)), where=total > 0))


def learn(site: Site) -> SiteKnowledge:
    """Read all pages of a site once."""
    n = site.n_pages
    name_pages: Counter[str] = Counter()
    text_pages: Counter[str] = Counter()
    masked_pages: Counter[str] = Counter()
    word_pages: Counter[str] = Counter()
    # First the class names: paths need to know which ones count.
    attrs = site.attrs
    mine = attrs.name == _CLASS
    pairs = np.unique(
        np.stack([site.nodes.page[attrs.node[mine]].astype(np.int64), attrs.value[mine].astype(np.int64)]), axis=1
    )
    page_names: dict[int, set[str]] = {}
    for p, v in pairs.T.tolist():
        page_names.setdefault(p, set()).update(site.strings[v].split())
    for found in page_names.values():
        name_pages.update(found)
    enough = max(2.0, 0.1 * n)
    names = {t: c for t, c in name_pages.items() if c >= enough}
    nothing, nowhere = _counted([], 1), _PathCounts().stats()
    knowledge = SiteKnowledge(n, names, {}, {}, nowhere, nowhere, {}, nothing, nothing, nothing)
    row_keys: list[Hashes] = []
    first_words: list[Hashes] = []
    last_words: list[Hashes] = []
    paths, tag_paths = _PathCounts(), _PathCounts()
    for first, last in chunks(site):
        blocks = text_blocks(rows_of(site, first, last))
        rows = blocks.rows
        counts = CharCounts(rows.text, rows.text_start[rows.tag == TEXT])
        texts = block_texts(blocks)
        bounds = np.searchsorted(blocks.page, np.arange(last - first + 1)).tolist()
        for p in range(last - first):
            own = set(texts[bounds[p] : bounds[p + 1]])
            text_pages.update(own)
            masked_pages.update({mask_digits(t) for t in own})
            word_pages.update({w for t in own for w in SITE_WORD.findall(t.lower())})
        words = (counts.words[blocks.text_end] - counts.words[blocks.text_start]).astype(np.float64)
        links = block_link_density(blocks, counts)
        row_key, row_tag_key = knowledge.row_paths(rows)
        key, tag_key = row_key[blocks.box], row_tag_key[blocks.box]
        # One entry per path and page; sorting by page first keeps pages apart.
        elements = rows.tag != TEXT
        pair = np.unique(np.stack([rows.page[elements].astype(np.uint64), row_key[elements]]), axis=1)
        row_keys.append(pair[1])
        for edges, edge in zip((first_words, last_words), edge_keys(texts, key), strict=True):
            edges.append(edge)
        text_hash = np.array([hash(t) for t in texts], np.int64).view(np.uint64)  # only counted, never kept
        page = blocks.page.astype(np.int64) + first
        paths.add(_Seen(key, text_hash, words, links, page))
        tag_paths.add(_Seen(tag_key, text_hash, words, links, page))
    knowledge.forget_table()  # it was of the names alone
    knowledge.text_pages = {t: c for t, c in text_pages.items() if c > 1}
    knowledge.word_pages = {t: c for t, c in word_pages.items() if c > 2}
    knowledge.masked_pages = {t: c for t, c in masked_pages.items() if c > 1}
    knowledge.paths, knowledge.tag_paths = paths.stats(), tag_paths.stats()
    knowledge.row_pages = _counted(row_keys, 2)
    knowledge.first_words, knowledge.last_words = _counted(first_words, 3), _counted(last_words, 3)
    return knowledge
