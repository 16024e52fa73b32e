"""Gibson, Punera and Tomkins 2005: two template detectors that count exact repeats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.hashing import subtree_hashes, window_hashes
from sitegrain.arrays.trees.preorder import nearest, prefix_sum, topmost
from sitegrain.arrays.types import Hashes
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict, site_notes, text_verdict
from sitegrain.methods.labels import full_labels
from sitegrain.tables.site import Site
from sitegrain.text.tokens import Tokens, site_tokens


def scaled_count(per_thousand: float, n_pages: int) -> int:
    """A count given for 1,000 pages, for a set of this size; never below two pages.

    >>> scaled_count(100, 1000), scaled_count(100, 37), scaled_count(50, 4)
    (100, 4, 2)
    """
    return max(2, ceil(per_thousand * n_pages / 1000))


def count_on_pages(hashes: Hashes, page: npt.NDArray[np.int32]) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Every different hash, sorted, and on how many pages it is."""
    order = np.lexsort((page, hashes))
    hashes, page = hashes[order], page[order]
    first = np.ones(len(hashes), np.bool_)
    first[1:] = hashes[1:] != hashes[:-1]
    again = np.ones(len(hashes), np.bool_)
    again[1:] = first[1:] | (page[1:] != page[:-1])
    start = np.flatnonzero(first)
    if not len(start):
        return hashes, np.zeros(0, np.int64)
    return hashes[start], np.add.reduceat(again.astype(np.int64), start)


def look_up(known: Hashes, count: npt.NDArray[np.int64], hashes: Hashes) -> npt.NDArray[np.int64]:
    """The count of each hash; 0 for those that are not known."""
    if not len(known):
        return np.zeros(len(hashes), np.int64)
    at = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    return np.where(known[at] == hashes, count[at], 0)


class _Counted(NodeMethod):
    """What both detectors learn: hashes, sorted, with their pages."""

    hash_: Hashes
    n_pages_: npt.NDArray[np.int64]

    def check(self) -> None:
        """What was learned must fit together."""
        need(len(self.hash_) == len(self.n_pages_), "a count is missing")
        need(bool((self.hash_[1:] > self.hash_[:-1]).all()), "hashes are not in order")


@dataclass
class GibsonDom(_Counted):
    """A sub-tree that is on many pages, letter for letter, is template.

    Parameters
    ----------
    min_pages: F for a site of 1,000 pages (100, from the paper that compares with it); scaled to the site, at
        least 2.

    Learned: the hashes of the template sub-trees and on how many pages each is.

    Paper: Gibson, Punera, Tomkins, "The volume and evolution of web page templates", 2005. A sub-tree's content
    is its tags, the attributes that the tables keep, and its text; a text node is a sub-tree too.
    """

    name: ClassVar[str] = "gibson-dom"
    min_pages: float = 100
    hash_: Hashes = field(init=False, compare=False, repr=False)
    n_pages_: npt.NDArray[np.int64] = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def fit(self, site: Site) -> Self:
        """Count every sub-tree's pages."""
        known, count = count_on_pages(subtree_hashes(full_labels(site), site.nodes.parent), site.nodes.page)
        often = count >= scaled_count(self.min_pages, site.n_pages)
        self.hash_, self.n_pages_, self.n_learned_ = known[often], count[often], site.n_pages
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Text inside a template sub-tree is dropped."""
        self.need_fitted()
        nodes = site.nodes
        count = look_up(self.hash_, self.n_pages_, subtree_hashes(full_labels(site), nodes.parent))
        rows = site.text_rows
        marked = count > 0
        top = nearest(nodes.parent, topmost(marked, nodes.end))[rows]
        kept = top < 0
        share = np.where(kept, 0.0, count[top] / max(self.n_learned_, 1)) if len(rows) else np.zeros(0)
        block = np.where(kept, np.maximum(nodes.parent[rows], 0), top)
        return text_verdict(
            site, 1 - share, kept, block, _share_reason("the same sub-tree"), site_notes(site, self.n_learned_)
        )


@dataclass
class GibsonText(_Counted):
    """A window of words that many pages have is template.

    Parameters
    ----------
    width: W, words in a window (32).
    min_count: F for a sample of 1,000 pages (50); scaled to the sample, at least 2.
    sample: P, pages that the first pass counts (1,000).
    bits: D, windows are counted only if the low D bits of their hash are 0 (0 keeps all).
    seed: chooses the sample.

    Learned: the hashes of the template windows and their counts.

    Paper: as for `GibsonDom`. A window counts once for each page that has it: a refrain inside one page is no
    template. A page shorter than W words is one short window. A text node is dropped when at least half of
    its words lie in template windows; one without words goes with the text before it.
    """

    name: ClassVar[str] = "gibson-text"
    width: int = 32
    min_count: float = 50
    sample: int = 1000
    bits: int = 0
    seed: int = 0
    hash_: Hashes = field(init=False, compare=False, repr=False)
    n_pages_: npt.NDArray[np.int64] = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < 1 or self.sample < 1 or not 0 <= self.bits < 64:
            raise UsageError("gibson-text needs width >= 1, sample >= 1 and bits in 0...63")

    def fit(self, site: Site) -> Self:
        """First pass: count the windows of a sample of pages."""
        pages = np.arange(site.n_pages)
        if site.n_pages > self.sample:
            pages = np.sort(np.random.default_rng(self.seed).choice(site.n_pages, self.sample, replace=False))
        windows, page = self._windows(site_tokens(site))[:2]
        mine = np.isin(page, pages)
        if self.bits:
            mine &= (windows & np.uint64((1 << self.bits) - 1)) == 0
        known, count = count_on_pages(windows[mine], page[mine].astype(np.int32))
        often = count >= scaled_count(self.min_count, len(pages))
        self.hash_, self.n_pages_, self.n_learned_ = known[often], count[often], len(pages)
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Second pass: drop the text that template windows cover."""
        self.need_fitted()
        tokens = site_tokens(site)
        windows, _, start, end = self._windows(tokens)
        found = look_up(self.hash_, self.n_pages_, windows) > 0
        change = np.zeros(len(tokens.hash) + 1, np.int64)
        np.add.at(change, start[found], 1)
        np.subtract.at(change, end[found], 1)
        covered = np.cumsum(change[:-1]) > 0
        total = prefix_sum(covered)
        rows = site.text_rows
        lo, hi = tokens.node_offset[rows], tokens.node_offset[rows + 1]
        share = np.zeros(len(rows))
        some = hi > lo
        share[some] = (total[hi] - total[lo])[some] / (hi - lo)[some]
        share = _fill_from_before(share, some, site.nodes.page[rows])
        return text_verdict(
            site,
            1 - share,
            share < 0.5,
            np.maximum(site.nodes.parent[rows], 0),
            lambda s: f"{1 - s:.0%} of its words in windows that many pages have",
            site_notes(site, self.n_learned_),
        )

    def _windows(
        self, tokens: Tokens
    ) -> tuple[Hashes, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Hash, page, first word and end of every window; windows do not cross pages."""
        n_words = np.diff(tokens.page_offset)
        page = np.repeat(np.arange(len(n_words)), n_words)
        start = np.arange(len(tokens.hash))
        page_start, page_end = tokens.page_offset[:-1][page], tokens.page_offset[1:][page]
        whole = start + self.width <= page_end
        short = (start == page_start) & ~whole
        hashes = window_hashes(tokens.hash, self.width)
        for s, e in zip(start[short].tolist(), page_end[short].tolist(), strict=True):
            hashes[s] = window_hashes(tokens.hash[s:e], self.width)[0]
        mine = whole | short
        end = np.minimum(start + self.width, page_end)
        return hashes[mine], page[mine], start[mine], end[mine]


def _fill_from_before(
    values: npt.NDArray[np.float64], known: npt.NDArray[np.bool_], page: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Unknown values become the last known one of the same page, or 0 where there is none."""
    at = np.maximum.accumulate(np.where(known, np.arange(len(values)), -1)) if len(values) else np.zeros(0, int)
    ok = (at >= 0) & (page[at] == page)
    return np.where(ok, values[at], 0.0)


def _share_reason(what: str) -> Callable[[float], str]:
    def reason(score: float) -> str:
        return f"{what} on {1 - score:.0%} of pages" if score < 1 else f"{what} on few pages"

    return reason
