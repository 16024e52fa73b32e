"""The terms of a site: words that mean something, one vocabulary for all pages.

A term is a lower-case word without stop words, stemmed where the language has a Snowball stemmer. Scripts
written without spaces give character bigrams, which need no dictionary; `segmenter="rjieba"` (extra `cjk`)
cuts Chinese into words instead. Every different text is cut once and every different word looked up once: a
menu that stands on a thousand pages costs as much as on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Hashes, Ints32, Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.text.language import primary_language, site_language
from sitegrain.text.words import LONGEST_WORD, TEXT_END, Segmenter, split_words, stemmer, stop_words, word_cutter

BATCH = 1_000_000
"""Characters that are cut at once: some tens of MB of arrays."""


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of a site.

    `ids` are the term occurrences in document order; those of the subtree of row i are
    `ids[node_offset[i]:node_offset[end[i]]]`, since elements add none themselves.
    """

    vocabulary: tuple[str, ...]
    node_offset: Ints64
    """n_nodes + 1 entries: first occurrence of each row."""
    ids: Ints32
    page_term: sparse.csr_array
    """n_pages x n_terms: how often each term occurs on each page (float64)."""
    language: str
    """Two-letter code that stop words and stems were chosen by; empty when unknown."""

    @property
    def n_terms(self) -> int:
        return len(self.vocabulary)

    @cached_property
    def keys(self) -> Hashes:
        """A key of every term, which means the same in every part of a site."""
        return string_hashes(self.vocabulary)

    def node_ids(self, site: Site, node: int) -> Ints32:
        """Term occurrences in the subtree of a row."""
        return self.ids[self.node_offset[node] : self.node_offset[site.nodes.end[node]]]

    def __repr__(self) -> str:
        size = f"{self.n_terms:,} terms, {len(self.ids):,} occurrences"
        return f"Terms({size}, language {self.language or 'unknown'})"


def site_terms(
    site: Site, numbers: bool = False, language: str | None = None, segmenter: Segmenter = "bigrams"
) -> Terms:
    """Cut the text of a site into terms.

    Parameters: `numbers` keeps terms that are only digits (they hurt on news and help on lists of courses);
    `language` is a two-letter code, voted by `site_language` when not given.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>The running dogs <b>ran</b> to 3 dogs")])
    >>> terms = site_terms(site, language="en")
    >>> [terms.vocabulary[i] for i in terms.ids]
    ['run', 'dog', 'ran', 'dog']
    """
    return _terms(site, numbers, site_language(site) if language is None else primary_language(language), segmenter)


@per_site
def _terms(site: Site, numbers: bool, language: str, segmenter: Segmenter) -> Terms:
    stops = stop_words(language)
    stem = stemmer(language)
    vocabulary: dict[str, int] = {}

    def term_id(word: str) -> int:
        if word in stops or (not numbers and word.isnumeric()):
            return -1
        term = stem(word) if len(word) <= LONGEST_WORD else word
        return vocabulary.setdefault(term, len(vocabulary)) if term else -1

    known = _Known(term_id)
    known[TEXT_END] = -2
    cut = word_cutter(language, segmenter) if segmenter != "bigrams" else None
    parts = [np.fromiter(map(known.__getitem__, words), np.int32, len(words)) for words in _batches(site, cut)]
    flat = np.concatenate((*parts, np.zeros(0, np.int32)))
    size = np.diff(np.cumsum(flat >= 0)[flat == -2], prepend=0)
    flat = flat[flat >= 0]

    rows = site.text_rows
    text_id = site.text_id[rows]
    per_node = np.zeros(site.n_nodes, np.int64)
    if len(rows):
        per_node[rows] = size[text_id]
    ids = take_segments(flat, offsets(size), text_id)
    page = np.repeat(site.nodes.page, per_node)
    shape = (site.n_pages, len(vocabulary))
    page_term = sparse.csr_array(sparse.coo_array((np.ones(len(ids)), (page, ids)), shape=shape))
    page_term.sum_duplicates()
    return Terms(tuple(vocabulary), offsets(per_node), ids, page_term, language)


class _Known(dict[str, int]):
    """Word as written (lower case) -> term id, -1 for what is no term; each is worked out once."""

    def __init__(self, term_id: Callable[[str], int]) -> None:
        super().__init__()
        self._term_id = term_id

    def __missing__(self, word: str) -> int:
        number = self[word] = self._term_id(word)
        return number


def _batches(site: Site, cut: Callable[[str], Iterator[str]] | None) -> Iterator[list[str]]:
    """The words of the texts of a site, `TEXT_END` after each text."""
    batch: list[str] = []
    size = 0
    for number, text in enumerate(site.unique_texts, 1):
        batch.append(text)
        size += len(text)
        if size >= BATCH or number == len(site.unique_texts):
            yield split_words(batch) if cut is None else [w for t in batch for w in (*cut(t), TEXT_END)]
            batch, size = [], 0


def text_terms(text: str, language: str = "", numbers: bool = False, segmenter: Segmenter = "bigrams") -> list[str]:
    """The terms of one text, in order.

    >>> text_terms("L'hiver, les chevaux courent", "fr")
    ['hiv', 'cheval', 'courent']
    >>> text_terms("中文網頁 and English", "zh")
    ['中文', '文網', '網頁', 'and', 'english']
    """
    code = primary_language(language)
    stops, stem = stop_words(code), stemmer(code)
    found = (w for w in word_cutter(code, segmenter)(text) if w not in stops and (numbers or not w.isnumeric()))
    return [t for w in found if (t := stem(w) if len(w) <= LONGEST_WORD else w)]
