"""What a site says of the blocks of a page: how many pages have the same text, and what stands at the same path elsewhere."""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum, subtree_sum
from sitegrain.arrays.types import Floats, Floats32, Hashes
from sitegrain.native.columns import ATTRIBUTES, NUMBERS, SITE
from sitegrain.native.inputs import AttrColumns, CountColumns, PathColumns, SiteBlocks, SiteFacts
from sitegrain.native.reference.blocks.blocks import ratio, shift, window_ratio
from sitegrain.native.reference.strings.words import path_keys
from sitegrain.native.sitekeys import MIX, SITE_WORD, edge_words, find, mask_digits, text_key, values_at

MAX_REMEMBERED = 50_000
"""Texts and class attributes that are remembered between pages: bounds memory (some 10 MB), and no site of the
labelled ones repeats more."""
_CLASS = ATTRIBUTES.index("class")
_KEY_CHARS, _LEVELS = NUMBERS["TEXT_KEY_CHARS"], NUMBERS["SITE_LEVELS"]
_NEW_PARTS = (0.5, 0.85)


class TextFacts(NamedTuple):
    """What a site knows of a text."""

    same: float
    """Pages that have it."""
    masked: float
    """Pages that have it with other numbers."""
    rare: float
    """Share of its words that few pages have; NaN without words."""
    common: float
    """Share of its words that most pages have."""
    first_word: int
    last_word: int


def text_facts(known: SiteFacts, raw: str) -> TextFacts:
    """What the site knows of a block's text."""
    text = text_key(raw)
    get = known.word_pages.get
    few, most = max(2.0, 0.01 * known.n_pages), 0.6 * known.n_pages
    counts = [get(w, 1) for w in SITE_WORD.findall(text.lower())]
    n = len(counts)
    rare = len([c for c in counts if c <= few]) / n if n else np.nan
    common = len([c for c in counts if c >= most]) / n if n else np.nan
    same, masked = known.text_pages.get(text, 1), known.masked_pages.get(mask_digits(text), 1)
    return TextFacts(same, masked, rare, common, *edge_words(text))


class SiteTable:
    """What was learned of a site, and what was looked up in it: menus and footers come again on every page."""

    def __init__(self, known: SiteFacts) -> None:
        self.known = known
        self._facts: dict[str, TextFacts] = {}
        self._sums: dict[str, int] = {}

    def facts(self, raw: str) -> TextFacts:
        found = self._facts.get(raw)
        if found is None:
            found = text_facts(self.known, raw)
            if len(raw) <= 2 * _KEY_CHARS:  # longer texts are prose, and do not come again
                _remember(self._facts, raw, found)
        return found

    def name_sum(self, value: str) -> int:
        """The sum of the keys of the known names in a class attribute, each once."""
        found = self._sums.get(value)
        if found is None:
            known = [name for name in dict.fromkeys(value.split()) if name in self.known.names]
            found = sum(zlib.crc32(name.encode()) for name in known) & 0xFFFFFFFFFFFF
            _remember(self._sums, value, found)
        return found


def _remember(memory: dict[str, Any], key: str, value: Any) -> None:
    if len(memory) >= MAX_REMEMBERED:
        memory.clear()
    memory[key] = value


def site_table(known: SiteFacts) -> SiteTable:
    """`sitegrain.native.site_table`."""
    for table in (known.paths, known.tag_paths, known.row_pages, known.first_words, known.last_words):
        if len({len(column) for column in table}) != 1:
            raise ValueError("columns of a site do not fit")
    for numbers in (known.names, known.text_pages, known.masked_pages, known.word_pages):
        if not all(isinstance(text, str) and isinstance(number, int | float) for text, number in numbers.items()):
            raise TypeError("a dict of texts and numbers")
    return SiteTable(known)


def site_paths(
    table: SiteTable,
    tag: npt.NDArray[np.int16],
    parent: npt.NDArray[np.int32],
    attrs: AttrColumns,
    strings: tuple[str, ...],
) -> tuple[Hashes, Hashes]:
    """`sitegrain.native.site_paths`."""
    n = len(tag)
    mine = np.flatnonzero(attrs.name == _CLASS)
    node, value = attrs.node[mine], attrs.value[mine]
    if ((node < 0) | (node >= n) | (value < 0) | (value >= len(strings))).any():
        raise ValueError("an attribute is out of range")
    if len(parent) != n or (parent >= np.arange(n)).any():
        raise ValueError("a parent comes before its children")
    own = tag.astype(np.uint64)
    named = own.copy()
    if len(value):
        different, inverse = np.unique(value, return_inverse=True)
        of_value = np.array([table.name_sum(strings[v]) for v in different.tolist()], np.uint64)
        named[node] += of_value[inverse] << np.uint64(9)
    return path_keys(parent, named), path_keys(parent, own)


def site_scores(table: SiteTable, box: npt.NDArray[np.int32], key: Hashes, tag_key: Hashes) -> tuple[Floats, Floats]:
    """`sitegrain.native.site_scores`."""
    if ((box < 0) | (box >= min(len(key), len(tag_key)))).any():
        raise ValueError("a block is out of range")
    paths, tag_paths = table.known.paths, table.known.tag_paths
    return (
        values_at(paths.score, find(paths, key[box]), np.nan),
        values_at(tag_paths.score, find(tag_paths, tag_key[box]), np.nan),
    )


def _at_path(stats: PathColumns, key: Hashes, same: Floats, n_pages: float) -> npt.NDArray[Any]:
    """[n x 6]: what stands at the path of each block."""
    at = find(stats, key)
    pages = values_at(stats.pages, at, 1.0)
    return np.stack(
        [
            pages / n_pages,
            np.minimum(same / np.maximum(pages, 1), 1),
            values_at(stats.distinct, at, np.nan),
            values_at(stats.words, at, np.nan),
            values_at(stats.links, at, np.nan),
            values_at(stats.blocks, at, np.nan) / np.maximum(pages, 1),
        ],
        axis=1,
    )


def site_columns(table: SiteTable, of: SiteBlocks) -> Floats32:
    """`sitegrain.native.site_columns`."""
    known, blocks, where, words = table.known, of.blocks, of.where, of.words
    page, row_end = blocks.page, where.row_end
    _check(of)
    n, n_rows, n_pages = len(page), len(row_end), float(known.n_pages)
    if not n:
        return np.zeros((0, len(SITE.names)), np.float32)
    spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
    facts = np.array([table.facts(of.text[s:e]) for s, e in spans], np.float64)
    same, masked, rare, common, first_word, last_word = facts.T
    masked = masked / n_pages
    key = of.key[blocks.box]
    blocks_here = np.maximum(values_at(known.paths.blocks, find(known.paths, key), 1.0), 1.0)

    def edge(table: CountColumns, word: Floats) -> Floats:
        found = values_at(table.times, find(table, key * MIX + word.astype(np.uint64)), 1.0)
        return np.minimum(found / blocks_here, 1.0)

    # Words in blocks whose text, numbers aside, few other pages have. A tenth: a text on more pages than that is of
    # a template or of a list, and either is not new.
    is_new = masked <= max(0.1, 1.5 / n_pages)
    fresh = words * is_new
    new, every = (prefix_sum(np.bincount(blocks.first, values, n_rows)) for values in (fresh, words))
    page_new = np.bincount(page, fresh, where.n_pages)
    chain = where.chain[:_LEVELS]
    new_in = [new[row_end[at]] - new[at] for at in chain]
    # The smallest subtree that holds most of the page's new words.
    held = subtree_sum(np.bincount(blocks.first, fresh, n_rows), row_end)
    in_new = []
    for part in _NEW_PARTS:
        best = np.minimum(np.searchsorted(of.row_page, np.arange(where.n_pages)), n_rows - 1)
        holders = np.flatnonzero(held >= part * np.maximum(page_new[of.row_page], 1e-9))
        best[of.row_page[holders]] = holders  # the last one in document order is the deepest
        root = best[page]
        within = (blocks.first >= root) & (blocks.first < row_end[root])
        in_new.append(np.where(within, 1.0, np.where(blocks.first < root, -1.0, 0.0)))
    running = prefix_sum(fresh)
    # Pages that have the ancestor's path at all, and how that compares with the best of the page's new prose: an
    # article's box is on every article page, a comment list is not.
    is_fresh = is_new & of.is_sentence
    covers = []
    for at in chain:
        cover = values_at(known.row_pages.times, find(known.row_pages, of.key[at]), 1.0) / n_pages
        most = np.zeros(where.n_pages)
        np.maximum.at(most, page[is_fresh], cover[is_fresh])
        covers += [cover, np.where(most[page] > 0, cover / np.maximum(most[page], 1e-9), np.nan)]
    return SITE.filled(
        {
            "site_pages": np.full(n, np.log1p(n_pages)),
            "site_same": same / n_pages,
            "site_masked": masked,
            "site_same_count": np.log1p(same),
            "at_path": _at_path(known.paths, key, same, n_pages),
            "at_tagpath": _at_path(known.tag_paths, of.tag_key[blocks.box], same, n_pages),
            "new_up": np.stack(
                [ratio(new_in[k], every[row_end[chain[k]]] - every[chain[k]]) for k in range(1, _LEVELS)], axis=1
            ),
            "new_within": window_ratio(fresh, words, page, 5),
            "masked_around": np.stack([shift(masked, by, page) for by in (-2, -1, 1, 2)], axis=1),
            "path_first_word": edge(known.first_words, first_word),
            "path_last_word": edge(known.last_words, last_word),
            "rare_words": rare,
            "common_words": common,
            "new_share_up": np.stack([ratio(held_new, page_new[page]) for held_new in new_in], axis=1),
            "in_new": np.stack(in_new, axis=1),
            "new_before": ratio(running[:-1] - running[np.searchsorted(page, page)], page_new[page]),
            "page_new": ratio(page_new, np.bincount(page, words, where.n_pages))[page],
            "cover_up": np.stack(covers, axis=1),
        },
        n,
    )


def _check(of: SiteBlocks) -> None:
    """Sizes of columns; numpy itself refuses what points outside of an array."""
    n, n_rows = len(of.blocks.page), len(of.where.row_end)
    per_block = (*of.blocks, of.words, of.is_sentence, *of.where.chain)
    per_row = (of.row_page, of.key, of.tag_key)
    if {len(c) for c in per_block} - {n} or {len(c) for c in per_row} - {n_rows} or len(of.where.chain) < _LEVELS:
        raise ValueError("columns of blocks do not fit")
