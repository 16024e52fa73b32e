"""What a site says of a block: how many pages have the same text, and what stands at the same path elsewhere.

`learn` reads all pages once; the result is small (only what occurs on two pages or more), can be saved, and
judges a new page of the site at the speed of the page itself.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.extractor.blocks import Rows, TextBlocks, rows_of, text_blocks
from sitegrain.learned.typed import need
from sitegrain.native import extension
from sitegrain.tables.places import path_keys
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TEXT
from sitegrain.text.chars import CharCounts

F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

Paths = tuple[U64, U64]
"""Path keys with class names and without."""
TextFacts = tuple[float, float, float, float, int, int]
"""Pages with this text, the same with numbers masked, share of rare and of common words, keys of its first and last word."""
MAX_REMEMBERED = 50_000
"""Texts and class attributes that a model remembers between pages: bounds memory (some 10 MB), and no site of the
labelled ones repeats more."""

_CLASS = ATTRIBUTES.index("class")
_A = TAG_CODE["a"]
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+")
"""Words, and single characters of scripts without spaces: enough to tell rare from common."""
_KEY_CHARS = 120
"""Texts are told apart by their first characters and their length."""
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
    """A key for the text of every block: white space folded, long texts by their start and length."""
    text = blocks.rows.text
    spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
    return [_text_key(text[s:e]) for s, e in spans]


def _text_key(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _KEY_CHARS else f"{folded[:_KEY_CHARS]}…{len(folded)}"


def edge_keys(texts: list[str], key: U64) -> tuple[U64, U64]:
    """Per block: a key of its path with its first word, and with its last: "Posted by", "... UTC" repeat there."""
    edges = np.array([_edge_words(text) for text in texts], np.uint64).reshape(len(texts), 2)
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    return mixed + edges[:, 0], mixed + edges[:, 1]


def _edge_words(text: str) -> tuple[int, int]:
    words = mask_digits(text[:_KEY_CHARS].lower()).split(None, 1)
    tail = mask_digits(text[-40:].lower()).rsplit(None, 1)
    return zlib.crc32(words[0].encode()) if words else 0, zlib.crc32(tail[-1].encode()) + 1 if tail else 0


def mask_digits(text: str) -> str:
    """The text with every number as 0: "3 comments" and "12 comments" are one."""
    return _DIGITS.sub("0", text)


@lru_cache(maxsize=65_536)
def _tokens(value: str) -> tuple[tuple[str, int], ...]:
    return tuple((t, zlib.crc32(t.encode())) for t in dict.fromkeys(value.split()))


@dataclass
class PathStats:
    """What stands at each path of a site, one row per path, sorted by key."""

    key: U64
    pages: F64
    blocks: F64
    distinct: F64
    """Share of the blocks at this path whose text stands there once only."""
    words: F64
    links: F64
    score: F64
    """Mean first-stage score of the blocks there; NaN until it is known."""

    def find(self, key: U64) -> npt.NDArray[np.int64]:
        """Row of each key, -1 where there is none."""
        if not len(self.key):
            return np.full(len(key), -1)
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[at] == key, at, -1)


def column_of(stats: PathStats, key: U64, name: str, missing: float) -> F64:
    """A column of `stats` at these keys."""
    at = stats.find(key)
    values: F64 = getattr(stats, name)
    return np.where(at >= 0, values[at], missing) if len(values) else np.full(len(key), missing)


class _PathCounts:
    """Collects `PathStats` chunk by chunk."""

    def __init__(self) -> None:
        self.parts: list[tuple[U64, U64, F64, F64, npt.NDArray[np.int64]]] = []

    def add(self, key: U64, text: U64, words: F64, links: F64, page: npt.NDArray[np.int64]) -> None:
        self.parts.append((key, text, words, links, page))

    def stats(self) -> PathStats:
        if not self.parts:
            empty = np.zeros(0)
            return PathStats(np.zeros(0, np.uint64), empty, empty, empty, empty, empty, empty)
        key, text, words, links, page = (np.concatenate(c) for c in zip(*self.parts, strict=True))
        different, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
        n = len(different)

        def distinct_pairs(other: npt.NDArray[Any]) -> F64:
            pairs = np.unique(np.stack([inverse.astype(np.int64), other.astype(np.int64)]), axis=1)
            return np.bincount(pairs[0], minlength=n).astype(np.float64)

        return PathStats(
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
    paths: PathStats
    """By tags and class names."""
    tag_paths: PathStats
    """By tags alone."""
    word_pages: dict[str, int]
    """Pages that have this word, for words on three pages or more."""
    row_pages: tuple[U64, F64]
    """Paths of elements that two pages or more have, and how many pages."""
    edges: dict[str, tuple[U64, F64]]
    """Keys of (path, first word) and (path, last word) that occur three times or more, and how often."""
    _facts: dict[str, TextFacts] = field(default_factory=dict, repr=False, compare=False)
    """What was looked up for a text: menus and footers come again on every page."""
    _sums: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    """The same for class attributes."""

    @cached_property
    def table(self) -> object:
        """All of it as the extension looks it up. Whoever changes a field must call `forget_table`."""
        assert extension is not None
        paths, tag_paths = (
            (s.key, s.pages, s.blocks, s.distinct, s.words, s.links, s.score) for s in (self.paths, self.tag_paths)
        )
        return extension.site_table(
            self.n_pages, self.names, self.text_pages, self.masked_pages, self.word_pages, paths, tag_paths,
            self.row_pages, *(self.edges.get(name, _no_pages()) for name in ("first", "last")),
        )  # fmt: skip

    def forget_table(self) -> None:
        """To be called after a change."""
        self.__dict__.pop("table", None)

    def __getstate__(self) -> dict[str, Any]:
        """For copies, which make a table of their own."""
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    def block_paths(self, blocks: TextBlocks, paths: Paths | None = None) -> Paths:
        """The path keys of blocks: with class names and without."""
        named, plain = self.row_paths(blocks.rows) if paths is None else paths
        return named[blocks.box], plain[blocks.box]

    def coverage(self, key: U64) -> F64:
        """Share of the site's pages that have a row with this path."""
        keys, pages = self.row_pages
        if not len(keys):
            return np.full(len(key), 1 / self.n_pages)
        at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        return np.asarray(np.where(keys[at] == key, pages[at], 1.0) / self.n_pages)

    def row_paths(self, rows: Rows) -> Paths:
        """The path keys of all rows: with class names and without."""
        if extension is None:
            return self.row_paths_python(rows)
        attrs, part = rows.site.attrs, rows.attr_part
        found = extension.site_paths(
            self.table, rows.site.strings, _CLASS, rows.start, rows.tag, rows.parent,
            attrs.node[part], attrs.name[part], attrs.value[part],
        )  # fmt: skip
        return np.frombuffer(found[0], np.uint64), np.frombuffer(found[1], np.uint64)

    def row_paths_python(self, rows: Rows) -> Paths:
        """`row_paths` without the extension."""
        own = rows.tag.astype(np.uint64)
        named = own.copy()
        node, value = rows.named(_CLASS)
        strings = rows.site.strings
        if len(value):
            different, inverse = np.unique(value, return_inverse=True)
            of_value = np.array([self._name_sum(strings[v]) for v in different.tolist()], np.uint64)
            named[node] += of_value[inverse] << np.uint64(9)
        return path_keys(rows.parent, named), path_keys(rows.parent, own)

    def _name_sum(self, value: str) -> int:
        found = self._sums.get(value)
        if found is None:
            if len(self._sums) >= MAX_REMEMBERED:
                self._sums.clear()
            kept = self.names
            found = self._sums[value] = sum(c for t, c in _tokens(value) if t in kept) & 0xFFFFFFFFFFFF
        return found

    def facts_of(self, raw: str) -> TextFacts:
        """What the site knows of a block's text."""
        text = _text_key(raw)
        get = self.word_pages.get
        few, most = max(2.0, 0.01 * self.n_pages), 0.6 * self.n_pages
        counts = [get(w, 1) for w in _WORDS.findall(text.lower())]
        n = len(counts)
        rare = len([c for c in counts if c <= few]) / n if n else np.nan
        common = len([c for c in counts if c >= most]) / n if n else np.nan
        same, masked = self.text_pages.get(text, 1), self.masked_pages.get(mask_digits(text), 1)
        out = (same, masked, rare, common, *_edge_words(text))
        if len(raw) <= 2 * _KEY_CHARS:  # longer texts are prose, and do not come again
            if len(self._facts) >= MAX_REMEMBERED:
                self._facts.clear()
            self._facts[raw] = out
        return out

    def columns(self, blocks: TextBlocks, paths: Paths | None = None) -> dict[str, F64]:
        """The site's evidence on blocks alone, by name: what `site_columns_python` begins with. `paths` are what `row_paths`
        gave, where that is known."""
        n_pages = float(self.n_pages)
        text, get = blocks.rows.text, self._facts.get
        spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
        facts = np.array([get(text[s:e]) or self.facts_of(text[s:e]) for s, e in spans], np.float64).reshape(-1, 6)
        same, masked, rare, common = facts[:, :4].T
        out = {
            "site_pages": np.full(len(blocks), np.log1p(n_pages)),
            "site_same": same / n_pages,
            "site_masked": masked / n_pages,
        }
        out["site_same_count"] = np.log1p(same)
        out["rare_words"], out["common_words"] = rare, common
        key, tag_key = self.block_paths(blocks, paths)
        for name, stats, k in (("path", self.paths, key), ("tagpath", self.tag_paths, tag_key)):
            at = stats.find(k)
            known = at >= 0
            pages = np.where(known, stats.pages[at], 1.0) if len(stats.key) else np.ones(len(k))

            def column(values: F64, at: npt.NDArray[np.int64] = at, known: npt.NDArray[np.bool_] = known) -> F64:
                return np.where(known, values[at], np.nan) if len(values) else np.full(len(at), np.nan)

            out[f"{name}_pages"] = pages / n_pages
            out[f"{name}_same"] = np.minimum(same / np.maximum(pages, 1), 1)
            out[f"{name}_distinct"] = column(stats.distinct)
            out[f"{name}_words"] = column(stats.words)
            out[f"{name}_links"] = column(stats.links)
            out[f"{name}_per_page"] = column(stats.blocks) / np.maximum(pages, 1)
        blocks_here = np.maximum(column_of(self.paths, key, "blocks", 1.0), 1.0)
        mixed = key * np.uint64(0x9E3779B97F4A7C15)
        for name, word in zip(("first", "last"), facts[:, 4:].T.astype(np.uint64), strict=True):
            edge = mixed + word
            keys, counts = self.edges[name]
            at = np.minimum(np.searchsorted(keys, edge), max(len(keys) - 1, 0))
            found = np.where(keys[at] == edge, counts[at], 1.0) if len(keys) else np.ones(len(edge))
            out[f"path_{name}_word"] = np.minimum(found / blocks_here, 1.0)
        return out

    def path_scores(self, blocks: TextBlocks, paths: Paths | None = None) -> tuple[F64, F64]:
        """Mean first-stage score at each block's path, by names and by tags."""
        if extension is None:
            return self.path_scores_python(blocks, paths)
        found = extension.site_scores(
            self.table, blocks.box, *(self.row_paths(blocks.rows) if paths is None else paths)
        )
        return np.frombuffer(found[0], np.float64), np.frombuffer(found[1], np.float64)

    def path_scores_python(self, blocks: TextBlocks, paths: Paths | None = None) -> tuple[F64, F64]:
        """`path_scores` without the extension."""
        key, tag_key = self.block_paths(blocks, paths)
        found = []
        for stats, k in ((self.paths, key), (self.tag_paths, tag_key)):
            at = stats.find(k)
            found.append(np.where(at >= 0, stats.score[at], np.nan) if len(stats.score) else np.full(len(k), np.nan))
        return found[0], found[1]

    def set_scores(self, paths: tuple[U64, U64], score: F64, words: F64) -> None:
        """Keep the mean score of the blocks at each path, weighted by their words."""
        for stats, k in ((self.paths, paths[0]), (self.tag_paths, paths[1])):
            at = stats.find(k)
            known = at >= 0
            weight = np.bincount(at[known], words[known] + 1, len(stats.key))
            total = np.bincount(at[known], (score * (words + 1))[known], len(stats.key))
            stats.score = np.divide(total, weight, out=np.full(len(stats.key), np.nan), where=weight > 0)
        self.forget_table()

    def check(self) -> None:
        """Look at all of it now, and not when the first page comes."""
        counts = (
            *self.names.values(),
            *self.text_pages.values(),
            *self.masked_pages.values(),
            *self.word_pages.values(),
        )
        need(self.n_pages > 0 and min(counts, default=1) > 0, "a count of pages is not above 0")
        need(self.edges.keys() == {"first", "last"}, "the words at the edges are missing")
        for stats in (self.paths, self.tag_paths):
            columns = (stats.pages, stats.blocks, stats.distinct, stats.words, stats.links, stats.score)
            need(all(len(column) == len(stats.key) for column in columns), "columns of places have different lengths")
        for keys, found in (self.row_pages, *self.edges.values()):
            need(len(keys) == len(found), "places have no counts")
        for keys in (self.paths.key, self.tag_paths.key, self.row_pages[0], *(keys for keys, _ in self.edges.values())):
            need(bool((keys[1:] > keys[:-1]).all()), "places are not in order")
        if extension is not None:
            _ = self.table


def _no_pages() -> tuple[U64, F64]:
    return np.zeros(0, np.uint64), np.zeros(0)


def block_link_density(blocks: TextBlocks, counts: CharCounts) -> F64:
    """Share of each block's visible characters that stand in anchors."""
    rows = blocks.rows
    delta = np.zeros(len(rows) + 1, np.int32)
    anchors = np.flatnonzero(rows.tag == _A)
    np.add.at(delta, anchors, 1)
    np.subtract.at(delta, rows.end[anchors], 1)
    linked = (np.cumsum(delta[:-1]) > 0) & (rows.tag == TEXT)
    visible = np.where(linked, counts.visible[rows.text_end] - counts.visible[rows.text_start], 0)
    prefix = np.concatenate([[0], np.cumsum(visible, dtype=np.int64)])
    total = (counts.visible[blocks.text_end] - counts.visible[blocks.text_start]).astype(np.float64)
    inside = (prefix[blocks.last + 1] - prefix[blocks.first]).astype(np.float64)
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
        page_names.setdefault(p, set()).update(t for t, _ in _tokens(site.strings[v]))
    for found in page_names.values():
        name_pages.update(found)
    enough = max(2.0, 0.1 * n)
    names = {t: c for t, c in name_pages.items() if c >= enough}
    knowledge = SiteKnowledge(n, names, {}, {}, _PathCounts().stats(), _PathCounts().stats(), {}, _no_pages(), {})
    row_keys: list[U64] = []
    edges: tuple[list[U64], list[U64]] = ([], [])
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
            word_pages.update({w for t in own for w in _WORDS.findall(t.lower())})
        words = (counts.words[blocks.text_end] - counts.words[blocks.text_start]).astype(np.float64)
        links = block_link_density(blocks, counts)
        row_key, row_tag_key = knowledge.row_paths(rows)
        key, tag_key = row_key[blocks.box], row_tag_key[blocks.box]
        # One entry per path and page; sorting by page first keeps pages apart.
        elements = rows.tag != TEXT
        pair = np.unique(np.stack([rows.page[elements].astype(np.uint64), row_key[elements]]), axis=1)
        row_keys.append(pair[1])
        for kept_edges, edge in zip(edges, edge_keys(texts, key), strict=True):
            kept_edges.append(edge)
        text_key = np.array([hash(t) for t in texts], np.int64).view(np.uint64)  # only counted, never kept
        page = blocks.page.astype(np.int64) + first
        paths.add(key, text_key, words, links, page)
        tag_paths.add(tag_key, text_key, words, links, page)
    knowledge.forget_table()  # it was of the names alone
    knowledge.text_pages = {t: c for t, c in text_pages.items() if c > 1}
    knowledge.word_pages = {t: c for t, c in word_pages.items() if c > 2}
    knowledge.masked_pages = {t: c for t, c in masked_pages.items() if c > 1}
    knowledge.paths, knowledge.tag_paths = paths.stats(), tag_paths.stats()
    row_key, row_count = np.unique(np.concatenate(row_keys) if row_keys else np.zeros(0, np.uint64), return_counts=True)
    knowledge.row_pages = (row_key[row_count > 1], row_count[row_count > 1].astype(np.float64))
    for name, found_edges in zip(("first", "last"), edges, strict=True):
        keys, times = np.unique(
            np.concatenate(found_edges) if found_edges else np.zeros(0, np.uint64), return_counts=True
        )
        knowledge.edges[name] = (keys[times >= 3], times[times >= 3].astype(np.float64))
    return knowledge
