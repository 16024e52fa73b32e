"""Yi, Liu and Li 2003: the site style tree with node and composite importance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from sitegrain.arrays.groupentropy import group_entropy
from sitegrain.arrays.hashing import sequence_hashes
from sitegrain.arrays.ragged import offsets, segment_mean
from sitegrain.arrays.trees.preorder import by_level, child_count, nearest, sibling_index, topmost
from sitegrain.arrays.types import Floats, Hashes, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict, site_notes, text_verdict
from sitegrain.methods.labels import RARE_SHARE, StyleVocabulary, learn_style, style_labels
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms


def _ints() -> Ints64:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class ElementTree:
    """Element nodes and style nodes, each a set of columns, both a level after the other.

    Element e is child number k of one style node, so a page has it at most once. Style s is one sequence of
    child elements of element `style_element[s]`; its children are the elements
    `style_first[s] : style_first[s] + style_size[s]`. Element 0 is the root of all pages.
    """

    style_element: Ints64 = field(default_factory=_ints)
    style_sequence: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    style_count: Ints64 = field(default_factory=_ints)
    """Pages that have it."""
    style_size: Ints64 = field(default_factory=_ints)
    style_first: Ints64 = field(default_factory=_ints)
    style_level: Ints64 = field(default_factory=lambda: np.zeros(1, np.int64))
    """Styles whose element is at depth d are style_level[d]:style_level[d+1]."""
    element_pages: Ints64 = field(default_factory=_ints)
    """Pages that have an element."""

    def find(self, site: Site, labels: Hashes) -> Ints64:
        """The element of each row; -1 where the tree has not seen the way there."""
        nodes = site.nodes
        out = np.full(site.n_nodes, -1, np.int64)
        if not len(self.style_element):
            return out
        sequence = sequence_hashes(labels, nodes.parent)
        place = sibling_index(nodes.parent)
        style = np.full(site.n_nodes, -1, np.int64)
        rows, level = by_level(nodes.parent)
        ranks = np.unique(self.style_sequence)
        keys = self.style_element * len(ranks) + np.searchsorted(ranks, self.style_sequence)
        order = np.argsort(keys)
        keys = keys[order]
        for d in range(len(level) - 1):
            here = rows[level[d] : level[d + 1]]
            up = nodes.parent[here].astype(np.int64)
            above = np.where(up >= 0, style[up], -1)
            known = above >= 0
            out[here[known]] = self.style_first[above[known]] + place[here[known]]
            out[here[up < 0]] = 0
            here = here[out[here] >= 0]
            at = np.minimum(np.searchsorted(ranks, sequence[here]), len(ranks) - 1)
            key = out[here] * len(ranks) + at
            found = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            hit = (ranks[at] == sequence[here]) & (keys[found] == key)
            style[here[hit]] = order[found[hit]]
        return out


def build_elements(site: Site, labels: Hashes) -> tuple[ElementTree, Ints64]:
    """Merge all pages into one style tree; also the element of each row."""
    nodes = site.nodes
    sequence = sequence_hashes(labels, nodes.parent)
    size = child_count(nodes.parent)
    place = sibling_index(nodes.parent)
    rows, level = by_level(nodes.parent)
    element = np.zeros(site.n_nodes, np.int64)
    style = np.zeros(site.n_nodes, np.int64)
    columns: list[tuple[Ints64, Hashes, Ints64, Ints64, Ints64]] = []
    pages = [np.array([site.n_pages], np.int64)]
    n_styles, n_elements = 0, 1
    bounds = [0]
    for d in range(len(level) - 1):
        here = rows[level[d] : level[d + 1]]
        if d:
            up = style[nodes.parent[here]] - bounds[-2]
            element[here] = columns[-1][4][up] + place[here]
        order = np.lexsort((sequence[here], element[here]))
        e, s = element[here][order], sequence[here][order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (e[1:] != e[:-1]) | (s[1:] != s[:-1])
        style[here[order]] = n_styles + np.cumsum(new) - 1
        count = np.diff(np.append(np.flatnonzero(new), len(order)))
        kids = size[here[order]][new]
        first = n_elements + offsets(kids)[:-1]
        columns.append((e[new], s[new], count, kids, first))
        pages.append(np.repeat(count, kids))
        n_styles += len(count)
        n_elements += int(kids.sum())
        bounds.append(n_styles)
    if not columns:
        return ElementTree(), element
    e, s, count, kids, first = (np.concatenate(c) for c in zip(*columns, strict=True))
    tree = ElementTree(e, s, count, kids, first, np.array(bounds, np.int64), np.concatenate(pages))
    return tree, element


@dataclass
class YiLiu(NodeMethod):
    """What many pages lay out and word alike is noise.

    Parameters
    ----------
    decay: g of the composite importance (0.9).
    threshold: t, an element is noisy when it and all inside it have a composite importance below it (0.4).
    rare_share: class names on a smaller share of pages are not style (see `labels`).

    Learned: `tree_`, `importance_` (CompImp of each element) and `highest_` (the largest one inside it).

    Paper: Yi, Liu, Li, "Eliminating noisy information in web pages for data mining", 2003. Content features of
    a leaf are its terms (numbers too) and the address of its image; a leaf with no feature that several pages
    have is 0, and a style node without elements is 0. Elements that the tree has not seen are kept.
    """

    name: ClassVar[str] = "yi-liu"
    decay: float = 0.9
    threshold: float = 0.4
    rare_share: float = RARE_SHARE
    tree_: ElementTree = field(init=False, compare=False, repr=False)
    style_: StyleVocabulary = field(init=False, compare=False, repr=False)
    importance_: Floats = field(init=False, compare=False, repr=False)
    highest_: Floats = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.decay <= 1 or not 0 <= self.threshold <= 1:
            raise UsageError("yi-liu needs decay and threshold in 0...1")

    def check(self) -> None:
        """What was learned must fit together."""
        tree, n = self.tree_, len(self.tree_.element_pages)
        columns = (tree.style_sequence, tree.style_count, tree.style_size, tree.style_first)
        need(all(len(c) == len(tree.style_element) for c in columns), "style nodes do not fit")
        need(len(self.importance_) == len(self.highest_) == n, "elements do not fit")
        if len(tree.style_element):
            need(tree.style_element.min() >= 0 and tree.style_element.max() < n, "a style node has no element")
            need(tree.style_size.min() >= 0 and tree.style_first.min() >= 0, "a style node has no place")
            need((tree.style_first + tree.style_size).max() <= n, "a style node has no children")

    def fit(self, site: Site) -> Self:
        """Build the style tree and weigh its elements."""
        self.style_ = learn_style(site, self.rare_share)
        self.tree_, element = build_elements(site, style_labels(site, self.style_))
        leaf = leaf_importance(site, self.tree_, element)
        self.importance_, self.highest_ = composite_importance(self.tree_, leaf, self.decay)
        self.n_learned_ = site.n_pages
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Cut the maximal noisy sub-trees."""
        self.need_fitted()
        nodes = site.nodes
        element = self.tree_.find(site, style_labels(site, self.style_))
        noisy = np.append(self.highest_ < self.threshold, False)[element]
        top = nearest(nodes.parent, topmost(noisy, nodes.end))
        rows = site.text_rows
        kept = top[rows] < 0
        return text_verdict(
            site,
            np.append(self.importance_, 1.0)[element[rows]],
            kept,
            np.where(kept, np.maximum(nodes.parent[rows], 0), top[rows]),
            lambda s: f"composite importance {s:.2f}",
            site_notes(site, self.n_learned_),
        )


def leaf_importance(site: Site, tree: ElementTree, element: Ints64) -> Floats:
    """CompImp of every element as if it were a leaf: 1 - mean entropy of its content features; 1 on one page."""
    terms = site_terms(site, numbers=True)
    rows = site.text_rows
    n = np.diff(terms.node_offset)[rows]
    source = site.attr("src")
    images = np.flatnonzero(source >= 0)
    group = np.concatenate([np.repeat(element[rows], n), element[images]])
    page = np.concatenate([np.repeat(site.nodes.page[rows], n), site.nodes.page[images]])
    feature = np.concatenate([terms.ids.astype(np.int64), terms.n_terms + source[images].astype(np.int64)])
    entropy = group_entropy(group, page, feature, tree.element_pages)
    n_elements = len(tree.element_pages)
    count = np.bincount(entropy.group, minlength=n_elements)
    total = np.bincount(entropy.group, entropy.entropy, minlength=n_elements)
    out = np.where(count > 0, 1 - total / np.maximum(count, 1), 0.0)
    return np.where(tree.element_pages == 1, 1.0, out)


def composite_importance(tree: ElementTree, leaf: Floats, decay: float) -> tuple[Floats, Floats]:
    """CompImp of every element, and the largest CompImp at or inside it."""
    importance, highest = leaf.copy(), leaf.copy()
    for d in range(len(tree.style_level) - 2, -1, -1):
        s = slice(int(tree.style_level[d]), int(tree.style_level[d + 1]))
        size = tree.style_size[s]
        owner = tree.style_element[s]
        kids = slice(int(tree.style_first[s][0]), int(tree.style_first[s][0] + size.sum()))
        style_importance = segment_mean(importance[kids], offsets(size), 0.0)
        # Elements with several styles, or with one that is not empty, are inner.
        base = int(owner[0])
        at = owner - base
        n = int(at.max()) + 1
        is_inner = np.bincount(at, size, minlength=n) > 0
        pages = tree.element_pages[base : base + n]
        share = tree.style_count[s] / pages[at]
        log = np.log(np.maximum(pages, 2))
        spread = np.bincount(at, -share * np.log(share), minlength=n) / log
        node_importance = np.where(pages == 1, 1.0, spread)
        weight = decay ** np.bincount(at, minlength=n)
        below = np.bincount(at, share * style_importance, minlength=n)
        value = (1 - weight) * node_importance + weight * below
        inner = base + np.flatnonzero(is_inner)
        importance[inner] = value[is_inner]
        highest[inner] = value[is_inner]
        np.maximum.at(highest, np.repeat(owner, size), highest[kids])
    return importance, highest
