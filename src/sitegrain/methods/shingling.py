"""Ramaswamy, Iyengar, Liu and Douglis 2004: fragments that pages share, found with shingles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from sitegrain.arrays.hashing import mix, window_hashes
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.setjoin import Sets, similar_pairs
from sitegrain.arrays.trees.preorder import nearest, topmost
from sitegrain.arrays.types import Hashes, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict, site_notes, text_verdict
from sitegrain.tables.site import Site
from sitegrain.text.tokens import Tokens, site_tokens


@dataclass
class Shingling(NodeMethod):
    """The largest sub-trees that enough pages have nearly the same are shared, so template.

    Parameters
    ----------
    share_factor: ShareFactor, pages that must have a similar fragment (5, clipped to the pages there are).
    min_match_factor: MinMatchFactor, resemblance |A∩B| / |A∪B| from which two fragments match. 0.9: below it, a
        short page whose template outweighs its body matches its neighbours as a whole and is lost.
    min_frag_size: MinFragSize, characters of text that a fragment must have (30).
    width: words in a shingle (4). A fragment shorter than that is one shingle.
    sketch: how many of its smallest shingles a fragment keeps (64): resemblance is that of the kept ones.

    Learned: the sketches of the shared fragments, to match fragments of other pages with.

    Paper: Ramaswamy et al., "Automatic detection of fragments in dynamically generated web pages", 2004. A
    fragment is a row of the node table; its SubtreeValue is its words, its SubtreeSize their characters. Equal
    fragments are found by hashing first, the others by an exact join of their sketches (prefix filter), so
    the cost is far from all pairs and the result is the same.
    """

    name: ClassVar[str] = "shingling"
    share_factor: int = 5
    min_match_factor: float = 0.9
    min_frag_size: int = 30
    width: int = 4
    sketch: int = 64
    shared_: Sets = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share_factor < 1 or self.width < 1 or self.sketch < 1:
            raise UsageError("shingling needs share_factor, width and sketch of at least 1")
        if not 0 < self.min_match_factor <= 1:
            raise UsageError("shingling needs a min_match_factor above 0 and up to 1")

    def check(self) -> None:
        """What was learned must fit together."""
        offset = self.shared_.offset
        need(len(offset) > 0 and offset[0] == 0 and offset[-1] == len(self.shared_.value), "sets do not fit")
        need(bool((np.diff(offset) > 0).all()), "a set is empty")

    def fit(self, site: Site) -> Self:
        """Find the fragments that enough pages share."""
        fragments = self._fragments(site)
        n = len(fragments.sets)
        share = min(self.share_factor, max(2, site.n_pages))
        a, b = similar_pairs(fragments.sets, fragments.sets, self.min_match_factor)
        # On how many pages are the matches of each sketch? The first `share` pages of a sketch settle it.
        page_offset, page = _first_pages(fragments, site, n, share)
        n_of = np.diff(page_offset)[b]
        owner = np.repeat(a, n_of)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(n_of) - n_of, n_of)
        seen = page[np.repeat(page_offset[:-1][b], n_of) + within]
        pairs = np.unique(owner * site.n_pages + seen)
        n_pages = np.bincount(pairs // max(site.n_pages, 1), minlength=n)
        self.shared_ = fragments.sets.take(np.flatnonzero(n_pages >= share))
        self.n_learned_ = site.n_pages
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Text inside a fragment that matches a shared one is dropped."""
        self.need_fitted()
        fragments = self._fragments(site)
        match = np.zeros(len(fragments.sets), np.bool_)
        match[similar_pairs(fragments.sets, self.shared_, self.min_match_factor)[0]] = True
        marked = np.zeros(site.n_nodes, np.bool_)
        marked[fragments.row] = match[fragments.which]
        rows = site.text_rows
        top = nearest(site.nodes.parent, topmost(marked, site.nodes.end))[rows]
        kept = top < 0
        return text_verdict(
            site,
            kept.astype(np.float64),
            kept,
            np.where(kept, np.maximum(site.nodes.parent[rows], 0), top),
            lambda s: f"in no fragment that {self.share_factor} pages share" if s else "in a shared fragment",
            site_notes(site, self.n_learned_),
        )

    def _fragments(self, site: Site) -> _Fragments:
        tokens = site_tokens(site)
        nodes = site.nodes
        long = (nodes.text_end - nodes.text_start) >= max(self.min_frag_size, 1)
        first, last = tokens.node_offset[:-1], tokens.node_offset[nodes.end]
        row = np.flatnonzero(long & (last > first))
        content = _content_hashes(tokens, first[row], last[row])
        _, example, which = np.unique(content, return_index=True, return_inverse=True)
        windows = mix(window_hashes(tokens.hash, self.width))
        sketches = []
        for a, b in zip(first[row][example].tolist(), last[row][example].tolist(), strict=True):
            if b - a < self.width:
                sketches.append(mix(window_hashes(tokens.hash[a:b], self.width)[:1]))
            else:
                own = np.unique(windows[a : b - self.width + 1])
                sketches.append(own[: self.sketch])
        unique, of_example = Sets.from_arrays(sketches).unique()
        return _Fragments(row, of_example[which], unique)


@dataclass(frozen=True, eq=False)
class _Fragments:
    """Rows that are large enough, and which sketch each has."""

    row: Ints64
    which: Ints64
    sets: Sets


def _content_hashes(tokens: Tokens, first: Ints64, last: Ints64) -> Hashes:
    """A hash of the words first:last of each fragment, from one prefix sum.

    Words are weighed with powers of an odd number, which have inverses modulo 2^64, so a slice of the prefix
    sum can be moved to the origin. The number of words is mixed in.
    """
    n = len(tokens.hash)
    base = np.uint64(0x9E3779B97F4A7C15)
    back = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
    power, inverse = np.full(n + 1, base), np.full(n + 1, back)
    power[0] = inverse[0] = 1
    power, inverse = np.cumprod(power, dtype=np.uint64), np.cumprod(inverse, dtype=np.uint64)
    total = np.zeros(n + 1, np.uint64)
    np.cumsum(mix(tokens.hash) * power[:n], out=total[1:])
    return mix(((total[last] - total[first]) * inverse[first]) ^ mix((last - first).astype(np.uint64)))


def _first_pages(fragments: _Fragments, site: Site, n_sets: int, most: int) -> tuple[Ints64, Ints64]:
    """For each sketch its first `most` different pages, as CSR."""
    page = site.nodes.page[fragments.row]
    pair = np.unique(fragments.which.astype(np.int64) * max(site.n_pages, 1) + page)
    owner, page64 = pair // max(site.n_pages, 1), pair % max(site.n_pages, 1)
    start = np.searchsorted(owner, np.arange(n_sets))
    rank = np.arange(len(owner)) - start[owner]
    few = rank < most
    count = np.bincount(owner[few], minlength=n_sets)
    return offsets(count), page64[few]
