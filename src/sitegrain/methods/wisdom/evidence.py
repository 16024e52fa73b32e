"""Phase 1 of WISDOM: what every node carries, as one array per feature over the node table of a site.

Every aggregate over a subtree is a difference of a prefix sum. Term weights and API are rounded to multiples
of 2**-20, so that such sums are exact: equal subtrees get equal values, and ties are ties.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.entropy import term_entropy
from sitegrain.arrays.trees.preorder import above, prefix_sum, subtree_sum, under
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.methods.wisdom.search import SearchTree, structure_information
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE
from sitegrain.text.terms import Terms

Feature = Literal["tlen", "clen", "alen", "api"]
TreeKind = Literal["blocks", "tags", "texts"]

GRAIN = float(1 << 20)
"""One over the step that weights and API are rounded to: far below any threshold; sums to 2**33 are exact."""

DUMMY_TAGS: tuple[str, ...] = (
    "br", "script", "style", "head", "meta", "link", "base", "wbr", "hr", "template", "noscript", "iframe",
    "object", "embed", "param", "source", "track", "col", "colgroup",
)  # fmt: skip
"""Tags that are no nodes of the tree, with all below them. The paper names comments, `br` and `script` as
examples of tags "that give no useful information"; `head` is here because its title is not on the page."""

ENTROPY_FLOOR = 0.1
"""API adds 1 / EN of matched terms. The paper holds EN to be above 0 for a term on two pages, but a term that
stands a hundred times on one and once on another comes close to 0. A term spread over two of 1,000 pages has
EN 0.1: nothing counts for more than that."""


@dataclass(frozen=True)
class AnchorPrecision:
    """API of every row of the link table."""

    api: Floats
    is_known: Bools
    """The link leads to another page of the set. Other links have API 0."""

    @property
    def n_unknown(self) -> int:
        return int((~self.is_known).sum())


def anchor_precision(
    site: Site, terms: Terms, entropy: Floats, *, floor: float = ENTROPY_FLOOR, surround: int = 0
) -> AnchorPrecision:
    """How well each anchor tells what it leads to: the sum of 1 / EN of the terms it shares with its target.

    A term counts once. `surround` adds that many terms on both sides of the anchor, within its parent and
    outside other anchors. A link to its own page tells nothing and counts as unknown.
    """
    links, nodes = site.links, site.nodes
    n_links, n_terms = len(links), terms.n_terms
    api = np.zeros(n_links)
    known = (links.target >= 0) & (links.target != links.page) & ~links.is_self
    chosen = np.flatnonzero(known)
    if not len(chosen) or not n_terms:
        return AnchorPrecision(api, known)
    node = links.node[chosen]
    offset = terms.node_offset
    start, stop = offset[node], offset[nodes.end[node]]
    link, occurrence = _ranges(start, stop)
    if surround > 0:
        up = np.maximum(nodes.parent[node], 0)
        before = _ranges(np.maximum(start - surround, offset[up]), start)
        after = _ranges(stop, np.minimum(stop + surround, offset[nodes.end[up]]))
        free = ~_in_anchor(site)[_occurrence_rows(terms)]
        outside = np.concatenate((before[1], after[1]))
        keep = free[outside]
        link = np.concatenate((link, np.concatenate((before[0], after[0]))[keep]))
        occurrence = np.concatenate((occurrence, outside[keep]))
    term = terms.ids[occurrence].astype(np.int64)
    # (target page, term) pairs as numbers: the rows of a CSR matrix with sorted columns give them sorted.
    matrix = terms.page_term
    page = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    have = page * n_terms + matrix.indices
    pair = links.target[chosen][link].astype(np.int64) * n_terms + term
    wanted, inverse = np.unique(pair, return_inverse=True)
    at = np.minimum(np.searchsorted(have, wanted), len(have) - 1)
    matched = (have[at] == wanted)[inverse]
    once = np.unique(link[matched] * n_terms + term[matched])
    value = np.rint(GRAIN / np.maximum(entropy, floor)) / GRAIN
    api[chosen] = np.bincount(once // n_terms, value[once % n_terms], minlength=len(chosen))
    return AnchorPrecision(api, known)


def _ranges(start: Ints64, stop: Ints64) -> tuple[Ints64, Ints64]:
    """(which range, position) of every position of the ranges start[i]:stop[i]."""
    size = np.maximum(stop - start, 0)
    which = np.repeat(np.arange(len(size)), size)
    first = prefix_sum(size)[:-1]
    return which, np.arange(len(which)) + np.repeat(start - first, size)


def _occurrence_rows(terms: Terms) -> Ints64:
    size = np.diff(terms.node_offset)
    return np.repeat(np.arange(len(size)), size)


def _in_anchor(site: Site) -> Bools:
    mask = np.zeros(site.n_nodes, bool)
    mask[site.links.node] = True
    return under(mask, site.nodes.end)


@dataclass(frozen=True)
class WisdomEvidence:
    """The features of every row of the node table; `*_a` are the aggregates over its subtree."""

    tree: SearchTree
    """Which rows are nodes, and how they hang together."""
    alen: Ints64
    """Length of anchor text (white space folded), at the text nodes."""
    clen: Ints64
    """Length of other text, at the text nodes."""
    api: Floats
    """Anchor precision, at the anchors."""
    alen_a: Ints64
    clen_a: Ints64
    api_a: Floats
    anchors_a: Ints64
    """Number of anchors in the subtree."""
    text_anchors_a: Ints64
    """Number of anchors that have text."""
    terms_a: Ints64
    """Number of term occurrences in the subtree."""
    cii: Floats
    """Mean weight 1 - EN of the subtree's terms; 0 without terms (see `terms_a`)."""
    links: AnchorPrecision
    link_alen: Ints64
    """Length of each anchor's text, per row of the link table."""
    _sii: dict[tuple[str, bool], Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def tlen_a(self) -> Ints64:
        """Length of all text of the subtree."""
        return self.alen_a + self.clen_a

    def total(self, feature: Feature) -> Ints64 | Floats:
        """The aggregate that a feature's name stands for."""
        if feature == "api":
            return self.api_a
        return {"tlen": self.tlen_a, "clen": self.clen_a, "alen": self.alen_a}[feature]

    def sii(self, feature: Feature, count_empty: bool = True) -> Floats:
        """SII of each row for a feature; computed when first asked for."""
        key = (feature, count_empty)
        if key not in self._sii:
            self._sii[key] = structure_information(self.total(feature), self.tree, count_empty)
        return self._sii[key]

    def zero_api_share(self, n_pages: int, link_page: npt.NDArray[np.int32], min_length: int) -> Floats:
        """Per page: of the anchors with `min_length` characters, the share whose API is 0; 0 without any."""
        real = self.link_alen >= min_length
        total = np.bincount(link_page[real], minlength=n_pages)
        zero = np.bincount(link_page[real & (self.links.api <= 0)], minlength=n_pages)
        return zero / np.maximum(total, 1)

    def take(self, rows: Ints64, tree: SearchTree, links: Ints64) -> WisdomEvidence:
        """The evidence of some rows, with the tree they form, and of some links."""
        return replace(
            self,
            tree=tree,
            **{name: column[rows] for name, column in vars(self).items() if name in _PER_ROW},
            links=AnchorPrecision(self.links.api[links], self.links.is_known[links]),
            link_alen=self.link_alen[links],
            _sii={},
        )


_PER_ROW = (
    "alen",
    "clen",
    "api",
    "alen_a",
    "clen_a",
    "api_a",
    "anchors_a",
    "text_anchors_a",
    "terms_a",
    "cii",
)


def _tree(site: Site, kind: TreeKind, dummy: Bools) -> SearchTree:
    nodes = site.nodes
    is_node = ~dummy
    if kind == "tags":
        is_node &= ~site.is_text
    elif kind == "blocks":
        holds = above(is_block_level(site) & ~dummy, nodes.end, strictly=True)
        is_node &= (nodes.parent < 0) | holds[np.maximum(nodes.parent, 0)]
    return SearchTree(nodes.parent, nodes.end, nodes.page, is_node)


def is_block_level(site: Site) -> Bools:
    """Rows that a browser shows as blocks; text nodes and inline elements are not."""
    codes = np.array([TAG_CODE[t] for t in BLOCK_TAGS if t in TAG_CODE])
    return np.isin(site.nodes.tag, codes)


def _content_information(
    site: Site, terms: Terms, entropy: Floats, shown: Bools, distinct: bool
) -> tuple[Floats, Ints64]:
    """(CII, number of term occurrences) of every subtree."""
    nodes, n = site.nodes, site.n_nodes
    weight = np.rint((1.0 - entropy) * GRAIN) / GRAIN
    rows = _occurrence_rows(terms)
    ids = terms.ids
    if not shown.all():
        inside = shown[rows]
        rows, ids = rows[inside], ids[inside]
    value = weight[ids]
    count = np.bincount(rows, minlength=n)
    total = np.bincount(rows, value, minlength=n)
    terms_a: Ints64 = subtree_sum(count, nodes.end)
    if not distinct:
        return subtree_sum(total, nodes.end) / np.maximum(terms_a, 1), terms_a
    # A term that stands twice in a subtree counts once: take one off where two neighbours of a term meet.
    # That is the lowest common ancestor of two rows a < b: the first row on the way up from b that is not
    # behind a. The loop is over depth, which the parser bounds, with fewer rows each time.
    order = np.lexsort((rows, ids, nodes.page[rows]))
    term, row = ids[order], rows[order]
    page = nodes.page[row]
    again = np.flatnonzero((term[1:] == term[:-1]) & (page[1:] == page[:-1]))
    first, meet = row[again], row[again + 1]
    moving = np.flatnonzero(meet > first)
    while moving.size:
        meet[moving] = nodes.parent[meet[moving]]
        moving = moving[meet[moving] > first[moving]]
    count = count - np.bincount(meet, minlength=n)
    total = total - np.bincount(meet, weight[term[again]], minlength=n)
    return subtree_sum(total, nodes.end) / np.maximum(subtree_sum(count, nodes.end), 1), terms_a


def wisdom_evidence(
    site: Site,
    terms: Terms,
    entropy: Floats | None = None,
    *,
    tree: TreeKind = "blocks",
    dummy_tags: tuple[str, ...] = DUMMY_TAGS,
    distinct: bool = False,
    floor: float = ENTROPY_FLOOR,
    surround: int = 0,
) -> WisdomEvidence:
    """CII, API, SII and all aggregates of every row of a site.

    `entropy` is EN of every term of `terms` (by default, that of the site's own pages). Hidden elements and
    those with a dummy tag are no nodes, with all below them. What else is a node:

    - "tags": elements, as the paper has it. Text belongs to the element around it; where that is not a leaf,
      no block can hold the text alone.
    - "texts": text nodes too.
    - "blocks": the children of elements that hold a block-level element. The search goes down to paragraphs
      and not into them.

    With `distinct`, CII is the mean over the different terms of a subtree instead of over their occurrences.
    """
    nodes, links = site.nodes, site.links
    n = site.n_nodes
    if entropy is None:
        entropy = term_entropy(terms.page_term)
    codes = [TAG_CODE[t] for t in dummy_tags if t in TAG_CODE]
    dummy = under(np.isin(nodes.tag, codes) | ((nodes.flags & HIDDEN) > 0), nodes.end)

    length = np.zeros(n, np.int64)
    rows = np.flatnonzero(site.is_text & ~dummy)
    if len(rows):
        sizes = np.fromiter(map(len, site.unique_texts), np.int64, len(site.unique_texts))
        length[rows] = sizes[site.text_id[rows]]
    alen = np.where(_in_anchor(site), length, 0)
    clen = length - alen
    alen_a = subtree_sum(alen, nodes.end)

    found = anchor_precision(site, terms, entropy, floor=floor, surround=surround)
    shown = ~dummy[links.node]
    link_alen = alen_a[links.node]
    api, anchors, with_text = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    api[links.node] = np.where(shown, found.api, 0.0)
    anchors[links.node] = shown
    with_text[links.node] = shown & (link_alen > 0)

    cii, terms_a = _content_information(site, terms, entropy, ~dummy, distinct)
    return WisdomEvidence(
        tree=_tree(site, tree, dummy),
        alen=alen,
        clen=clen,
        api=api,
        alen_a=alen_a,
        clen_a=subtree_sum(clen, nodes.end),
        api_a=subtree_sum(api, nodes.end),
        anchors_a=subtree_sum(anchors, nodes.end),
        text_anchors_a=subtree_sum(with_text, nodes.end),
        terms_a=terms_a,
        cii=cii,
        links=found,
        link_alen=link_alen,
    )
