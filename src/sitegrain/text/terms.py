"""The terms of a site: words that mean something, one vocabulary for all pages.

A term is a lower-case word without stop words, stemmed where the language has a Snowball stemmer. Scripts
written without spaces give character bigrams, which need no dictionary. Every different text is cut once and
every different word looked up once: a menu that stands on a thousand pages costs as much as on one.
"""

from __future__ import annotations

import threading
from functools import cached_property, lru_cache

import numpy as np

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Hashes, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import string_hashes
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.text.language import primary_language, site_language
from sitegrain.text.words import LONGEST_WORD, number_words, stemmer, stop_words

KEPT_WORDS = 1 << 15
"""Words whose terms are remembered: some 5 MB. A blog of 1,000 pages has 12,000."""


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
    page_offset: Ints64
    """n_pages + 1 entries: first occurrence of each page."""
    language: str
    """Two-letter code that stop words and stems were chosen by; empty when unknown."""

    @property
    def n_terms(self) -> int:
        return len(self.vocabulary)

    @cached_property
    def page_term(self) -> sparse.csr_array:
        """n_pages x n_terms: how often each term occurs on each page (float64)."""
        n_pages, width = len(self.page_offset) - 1, max(self.n_terms, 1)
        page = np.repeat(np.arange(n_pages), np.diff(self.page_offset))
        found, count = np.unique(page * self.n_terms + self.ids, return_counts=True)
        cut = np.searchsorted(found, np.arange(n_pages + 1) * self.n_terms)
        term = (found % width).astype(np.int32)
        return sparse.csr_array((count.astype(np.float64), term, cut.astype(np.int32)), shape=(n_pages, self.n_terms))

    @cached_property
    def keys(self) -> Hashes:
        """A key of every term, which means the same in every part of a site."""
        return string_hashes(self.vocabulary)

    def __repr__(self) -> str:
        size = f"{self.n_terms:,} terms, {len(self.ids):,} occurrences"
        return f"Terms({size}, language {self.language or 'unknown'})"


def site_terms(site: Site, numbers: bool = False, language: str | None = None) -> Terms:
    """Cut the text of a site into terms.

    Parameters: `numbers` keeps terms that are only digits (they hurt on news and help on lists of courses);
    `language` is a two-letter code, voted by `site_language` when not given.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>The running dogs <b>ran</b> to 3 dogs")])
    >>> terms = site_terms(site, language="en")
    >>> [terms.vocabulary[i] for i in terms.ids]
    ['run', 'dog', 'ran', 'dog']
    """
    return _terms(site, numbers, site_language(site) if language is None else primary_language(language))


@per_site
def _terms(site: Site, numbers: bool, language: str) -> Terms:
    term_of = terms_of_words(language, numbers)
    vocabulary: dict[str, int] = {}
    found = number_words(site.unique_texts)
    terms = map(term_of.__getitem__, found.words)
    number = np.array([vocabulary.setdefault(term, len(vocabulary)) if term else -1 for term in terms], np.int32)
    flat = number[found.which] if len(number) else found.which
    is_term = flat >= 0
    size = np.diff(offsets(is_term)[found.end], prepend=0)

    rows = site.text_rows
    text_id = site.text_id[rows]
    per_node = np.zeros(site.n_nodes, np.int64)
    if len(rows):
        per_node[rows] = size[text_id]
    ids = take_segments(flat[is_term], offsets(size), text_id)
    node_offset = offsets(per_node)
    return Terms(tuple(vocabulary), node_offset, ids, node_offset[site.pages.node_offset], language)


class TermOf(dict[str, str]):
    """Word as written (lower case) -> term, empty for what is no term; each is worked out once."""

    def __init__(self, language: str, numbers: bool) -> None:
        super().__init__()
        self._stops, self._stem, self._numbers = stop_words(language), stemmer(language), numbers

    def __missing__(self, word: str) -> str:
        if len(self) >= KEPT_WORDS:
            self.clear()
        is_none = word in self._stops or (not self._numbers and word.isnumeric())
        term = self[word] = "" if is_none else self._stem(word) if len(word) <= LONGEST_WORD else word
        return term


class _Made(threading.local):
    """The parts of a site have most of their words in common. A stemmer holds the word that it works on, so each thread has its own."""

    def __init__(self) -> None:
        self.term_of = lru_cache(maxsize=2)(TermOf)


_made = _Made()


def terms_of_words(language: str, numbers: bool) -> TermOf:
    """The terms of words of a language; those of the last words are remembered."""
    return _made.term_of(language, numbers)
