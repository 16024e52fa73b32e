"""Blocks that several sites print: news of agencies, press releases, copies (Debnath et al. 2005 name it, section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from sitegrain.arrays.hashing import mix, window_hashes
from sitegrain.arrays.setjoin import Sets, similar_pairs
from sitegrain.arrays.types import Hashes, Ints64
from sitegrain.errors import UsageError
from sitegrain.native import string_hashes
from sitegrain.text.words import cut_words

WIDTH = 4
"""Words of a shingle, as in the shingling of Ramaswamy et al. 2004."""
SKETCH = 64
"""Smallest shingles that stand for a text."""
LEAST_WORDS = 20
"""A shorter text is on several sites by chance: a form of words, a name, a date."""


@dataclass(frozen=True)
class Passage:
    """A paragraph of a site's informative text."""

    site: int
    page: int
    url: str
    text: str


@dataclass(frozen=True)
class Shared:
    """A text that several sites print, in each its own way."""

    passages: tuple[Passage, ...]

    @property
    def n_sites(self) -> int:
        return len({p.site for p in self.passages})


def find_syndicated(
    sites: Sequence[Mapping[str, str]], resemblance: float = 0.8, least_words: int = LEAST_WORDS
) -> list[Shared]:
    """Texts that stand on pages of two or more sites nearly the same, the most widespread first.

    A site is its pages: address to informative text, paragraphs apart by blank lines. Two paragraphs are alike when their
    shingles resemble each other by at least `resemblance` (|A∩B| / |A∪B|); what is alike by steps is one text.
    """
    if len(sites) < 2:
        raise UsageError("syndication is between sites: give two results or more")
    if not 0 < resemblance <= 1:
        raise UsageError(f"resemblance {resemblance}: use a number above 0 and up to 1")
    passages, sketches = _passages(sites, least_words)
    if not passages:
        return []
    sets, which = Sets.from_arrays(sketches).unique()
    a, b = similar_pairs(sets, sets, resemblance)
    leader = _joined(len(sets), a, b)[which]
    order = np.argsort(leader, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(leader[order])) + 1)
    found = [Shared(tuple(passages[i] for i in group.tolist())) for group in groups]
    several = [shared for shared in found if shared.n_sites > 1]
    return sorted(several, key=lambda s: (-s.n_sites, -len(s.passages), -len(s.passages[0].text)))


def _passages(sites: Sequence[Mapping[str, str]], least_words: int) -> tuple[list[Passage], list[Hashes]]:
    passages, sketches = [], []
    for site, pages in enumerate(sites):
        for page, (url, text) in enumerate(pages.items()):
            for paragraph in text.split("\n\n"):
                words = list(cut_words(paragraph))
                if len(words) >= least_words:
                    passages.append(Passage(site, page, url, " ".join(paragraph.split())))
                    windows = mix(window_hashes(string_hashes(words), WIDTH)[: len(words) - WIDTH + 1])
                    sketches.append(np.unique(windows)[:SKETCH])
    return passages, sketches


def _joined(n: int, a: Ints64, b: Ints64) -> Ints64:
    """Which of n things hang together by pairs."""
    graph = sparse.coo_array((np.ones(len(a), np.int8), (a, b)), shape=(n, n))
    return np.asarray(sparse.csgraph.connected_components(graph.tocsr(), directed=False)[1])
