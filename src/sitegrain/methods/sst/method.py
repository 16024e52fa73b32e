"""The site style tree with sentences (WAIM 2014): which sentences of a site carry information."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.groupentropy import GroupEntropy, group_entropy
from sitegrain.arrays.ragged import offsets, segment_mean, span_mean, take_segments
from sitegrain.arrays.trees.preorder import by_level, prefix_sum, subtree_end
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.light import dataclass
from sitegrain.methods.base import NodeMethod, NodeVerdict, text_verdict
from sitegrain.methods.labels import RARE_SHARE, StyleVocabulary, describe, learn_style, style_labels
from sitegrain.methods.sst.gold import read_gold
from sitegrain.methods.sst.segments import Segments, Sentences, page_segments, page_sentences
from sitegrain.tables.site import Site
from sitegrain.text.language import primary_language, site_language

CUTS = np.round(np.arange(11) / 10, 12)
"""The thresholds that are tried: 0, 0.1, ..., 1.0 (section 4.4 of the paper)."""
_SLACK = 1e-9  # so that 0.30000000000000004 is at most 0.3


def _ints() -> Ints64:
    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class StyleTree:
    """The style tree as columns, one row per tree node; a parent comes before its children."""

    parent: Ints64 = field(default_factory=_ints)
    label: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    """Tag and display attributes."""
    counter: Ints64 = field(default_factory=_ints)
    """Pages that have it."""
    name: tuple[str, ...] = ()
    """Tag and attributes in words, from the first page that has it."""

    def __len__(self) -> int:
        return len(self.parent)

    def find(self, segments: Segments) -> Ints64:
        """The tree node of each segment; -1 for what the tree has not seen, and for all inside it."""
        out = np.full(len(segments), -1, np.int64)
        if not len(self):
            return out
        order = np.lexsort((self.label, self.parent))
        parents, labels = self.parent[order], self.label[order]
        first = np.searchsorted(parents, np.arange(-1, len(self)))
        last = np.searchsorted(parents, np.arange(-1, len(self)), "right")
        rows, level = by_level(segments.parent)
        # Labels of one parent are sorted: one search over (parent rank, label) pairs, made one column.
        rank = np.unique(self.label)
        keys = parents * len(rank) + np.searchsorted(rank, labels)
        for a, b in zip(level[:-1].tolist(), level[1:].tolist(), strict=True):
            here = rows[a:b]
            above = segments.parent[here]
            up = np.where(above >= 0, out[above], -1)
            known = ((above < 0) | (up >= 0)) & (last[up + 1] > first[up + 1])
            at_label = np.minimum(np.searchsorted(rank, segments.label[here]), len(rank) - 1)
            known &= rank[at_label] == segments.label[here]
            key = up * len(rank) + at_label
            at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            known &= keys[at] == key
            out[here[known]] = order[at[known]]
        return out


def build_tree(site: Site, segments: Segments) -> tuple[StyleTree, Ints64]:
    """All pages merged into one tree, and the tree node of each segment.

    A level at a time: the child of a tree node that a segment goes to is the one with its label.
    """
    style = np.full(len(segments), -1, np.int64)
    rows, level = by_level(segments.parent)
    parent, label, example = [], [], []
    size = 0
    for a, b in zip(level[:-1].tolist(), level[1:].tolist(), strict=True):
        here = rows[a:b]
        above = segments.parent[here]
        up = np.where(above >= 0, style[above], -1)
        order = np.lexsort((here, segments.label[here], up))
        u, t = up[order], segments.label[here][order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (u[1:] != u[:-1]) | (t[1:] != t[:-1])
        style[here[order]] = size + np.cumsum(new) - 1
        parent.append(u[new])
        label.append(t[new])
        example.append(here[order][new])
        size += int(new.sum())
    if not size:
        return StyleTree(), style
    pairs = np.unique(style * max(site.n_pages, 1) + segments.page)
    counter = np.bincount(pairs // max(site.n_pages, 1), minlength=size)
    firsts = segments.row[np.concatenate(example)].tolist()
    names = tuple(describe(site, row) for row in firsts)
    return StyleTree(np.concatenate(parent), np.concatenate(label), counter.astype(np.int64), names), style


@dataclass(frozen=True)
class SentenceVerdict(NodeVerdict):
    """A node verdict with the sentences behind it."""

    sentences: Sentences | None = None
    sentence_entropy: Floats = field(default_factory=lambda: np.zeros(0))
    sentence_kept: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    sentence_style: Ints64 = field(default_factory=_ints)
    """Tree node of each sentence, -1 for what the tree has not seen."""

    def page_text(self, site: Site, page: int) -> str:
        """The informative sentences of a page, a line each."""
        s = self.sentences
        if s is None:
            return ""
        lo, hi = np.searchsorted(s.page, [page, page + 1])
        text = site.texts[page]
        lines = (
            " ".join(text[s.start[i] : s.end[i]].split()) for i in range(int(lo), int(hi)) if self.sentence_kept[i]
        )
        return "\n".join(line for line in lines if line)


@dataclass
class SentenceTree(NodeMethod):
    """Sentences whose terms are on few of the segments laid on the same tree node are informative.

    Parameters
    ----------
    phrases: inline markup is part of the text around it (see `page_segments`).
    rare_share: class names on a smaller share of pages are not style (see `labels`).
    language: two-letter code; found by a vote of pages when not given.
    labels: a file of labels (see `sst.gold`), to learn thresholds from.
    per_node: without labels, the greedy rule runs inside each tree node instead of once over all sentences. Off: most
        nodes hold too few sentences for it (mean F of kept text on 12 labelled sites 0.81 against 0.86).

    Learned: `tree_` with one threshold per node, and the entropy of every term of every collection.

    Paper: "Discovering informative contents of Web pages", WAIM 2014. A segment's text is all text inside it, so a tree node that is a leaf on one page and has
    children on another still compares the two. A sentence belongs to its leaf segment. A sentence without
    terms has the entropy of its segment on that page; when that has none either, 1, but 0 if no other page has
    the tree node. A text node is kept
    when at least half of its characters are in informative sentences. Section 4.5 of the paper states the
    test the wrong way round; informative is *at most* the threshold (section 4.4).
    """

    name: ClassVar[str] = "sst"
    phrases: bool = True
    rare_share: float = RARE_SHARE
    language: str | None = None
    per_node: bool = False
    labels: Path | None = None
    tree_: StyleTree = field(init=False, compare=False, repr=False)
    threshold_: Floats = field(init=False, compare=False, repr=False)
    entropy_: GroupEntropy = field(init=False, compare=False, repr=False)
    style_: StyleVocabulary = field(init=False, compare=False, repr=False)
    vocabulary_: tuple[str, ...] = field(init=False, compare=False, repr=False)
    language_: str = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def check(self) -> None:
        """What was learned must fit together."""
        tree, entropy = self.tree_, self.entropy_
        columns = (tree.label, tree.counter, tree.name, self.threshold_)
        need(all(len(column) == len(tree) for column in columns), "nodes of the tree do not fit")
        need(bool((tree.parent < np.arange(len(tree))).all() and (tree.parent >= -1).all()), "the tree is no tree")
        need(len(entropy.group) == len(entropy.term) == len(entropy.entropy), "entropies do not fit")

    def fit(
        self,
        site: Site,
        node_gold: Bools | None = None,
        labelled_pages: npt.NDArray[np.signedinteger[Any]] | None = None,
    ) -> Self:
        """Merge the pages into a style tree and set a threshold for each of its nodes.

        With `labels`, or with `node_gold` (per row: a text node that is content) and the pages that it was labelled
        on, thresholds are those with the best F on labelled sentences; without, those of the greedy rule.
        """
        if node_gold is not None and len(node_gold) != site.n_nodes:
            raise UsageError(f"labels for {len(node_gold)} rows do not fit a site of {site.n_nodes}")
        if node_gold is None and self.labels is not None:
            node_gold, labelled_pages = read_gold(self.labels, site)
        self.language_ = site_language(site) if self.language is None else primary_language(self.language)
        self.style_ = learn_style(site, self.rare_share)
        segments = page_segments(site, style_labels(site, self.style_), self.phrases)
        sentences = page_sentences(site, segments, self.language_)
        self.tree_, style = build_tree(site, segments)
        self.vocabulary_ = sentences.vocabulary
        self.entropy_ = _collections(segments, sentences, style, self.tree_)
        self.n_learned_ = site.n_pages
        own = style[sentences.segment]
        entropy = segment_mean(
            self.entropy_.look_up(np.repeat(own, np.diff(sentences.term_offset)), sentences.term),
            sentences.term_offset,
            np.nan,
        )
        if self.per_node:
            self.threshold_ = greedy_thresholds(own, entropy, sentences, len(self.tree_))
        else:
            self.threshold_ = np.repeat(greedy_thresholds(own * 0, entropy, sentences, 1), len(self.tree_))
        if node_gold is not None:
            pages = np.arange(site.n_pages) if labelled_pages is None else labelled_pages
            chosen = np.isin(sentences.page, pages) & ~np.isnan(entropy)
            true = _share_of_sentences(site, sentences, node_gold) >= 0.5
            if chosen.any():
                self.threshold_ = labelled_thresholds(own[chosen], entropy[chosen], true[chosen], len(self.tree_))
        return self

    def apply(self, site: Site) -> SentenceVerdict:
        """Judge every sentence of a site, and by them its text nodes."""
        self.need_fitted()
        segments = page_segments(site, style_labels(site, self.style_), self.phrases)
        sentences = page_sentences(site, segments, self.language_)
        style = self.tree_.find(segments)
        own = style[sentences.segment]
        number = {term: i for i, term in enumerate(self.vocabulary_)}
        known = np.array([number.get(term, -1) for term in sentences.vocabulary], np.int64)
        term = known[sentences.term] if len(known) else _ints()
        # A term that the collection has not seen is on this page only: entropy 0.
        values = self.entropy_.look_up(np.repeat(own, np.diff(sentences.term_offset)), term)
        entropy = segment_mean(values, sentences.term_offset, np.nan)
        lone = np.isnan(entropy)
        lo = np.searchsorted(sentences.segment, sentences.segment[lone])
        hi = np.searchsorted(sentences.segment, sentences.segment[lone], "right")
        mates = span_mean(values, sentences.term_offset[lo], sentences.term_offset[hi], np.nan)
        several = np.append(self.tree_.counter, 1)[own[lone]] > 1
        entropy[lone] = np.where(np.isnan(mates), several, mates)
        cut = np.append(self.threshold_, 1.0)[own]  # own = -1: the tree has no evidence, so the sentence stays
        kept = entropy <= cut + _SLACK
        informative = _share_of_rows(site, sentences, kept)
        score = _share_of_rows(site, sentences, 1 - entropy)
        rows = site.text_rows
        top = _leaf_rows(segments, rows)
        notes = () if self.n_learned_ > 1 else ("learned from one page: no term can repeat, so all text is kept",)
        if self.n_learned_ > 1 and len(own) and (np.append(self.tree_.counter, 1)[own] < 2).mean() > 0.5:
            notes = ("most text is in places that one page only has: no site evidence there, so it is kept",)
        verdict = text_verdict(
            site, score, informative >= 0.5, top, lambda s: f"mean sentence entropy {1 - s:.2f}", notes
        )
        return SentenceVerdict(
            verdict.node_score,
            verdict.node_kept,
            verdict.node_block,
            verdict.blocks,
            verdict.notes,
            sentences=sentences,
            sentence_entropy=entropy,
            sentence_kept=kept,
            sentence_style=own,
        )


def _collections(segments: Segments, sentences: Sentences, style: Ints64, tree: StyleTree) -> GroupEntropy:
    """Term entropy inside the collection of every tree node that is a leaf on some page.

    Only those judge sentences, so only their collections are laid out: one document per page, all text inside.
    """
    judged = np.zeros(len(tree), np.bool_)
    judged[style[segments.is_leaf]] = True
    chosen = np.flatnonzero(judged[style])
    # Descendants of a segment follow it, and sentences are in the order of their leaf segments.
    last = subtree_end(segments.parent)[chosen]
    lo = sentences.term_offset[np.searchsorted(sentences.segment, chosen)]
    hi = sentences.term_offset[np.searchsorted(sentences.segment, last)]
    n = hi - lo
    term = take_segments(sentences.term, np.stack([lo, hi], axis=1).ravel(), 2 * np.arange(len(chosen)))
    return group_entropy(np.repeat(style[chosen], n), np.repeat(segments.page[chosen], n), term, tree.counter)


def greedy_thresholds(style: Ints64, entropy: Floats, sentences: Sentences, n_styles: int) -> Floats:
    """The greedy rule of InfoDiscoverer (Lin and Ho 2002), inside every tree node (or group) at once.

    The cut rises by 0.1; the first cut that has terms and after which a further step adds none is the threshold;
    without such a step it is 0.9, below what is close to 1. `arrays.threshold` is the same for one set of units.
    """
    n_cuts = len(CUTS)
    has = ~np.isnan(entropy)
    at = np.full(len(entropy), n_cuts)
    at[has] = np.searchsorted(CUTS, entropy[has] - _SLACK)
    owner = np.repeat(np.arange(len(entropy)), np.diff(sentences.term_offset))
    key = style[owner] * max(len(sentences.vocabulary), 1) + sentences.term
    # First cut at which each term of each node comes in.
    order = np.lexsort((at[owner], key))
    key, first_at = key[order], at[owner][order]
    new = np.ones(len(key), np.bool_)
    new[1:] = key[1:] != key[:-1]
    group = key[new] // max(len(sentences.vocabulary), 1)
    table = np.zeros((n_styles, n_cuts + 1), np.int64)
    np.add.at(table, (group, first_at[new]), 1)
    n_terms = np.cumsum(table[:, :n_cuts], axis=1)
    flat = (np.diff(n_terms, axis=1) == 0) & (n_terms[:, :-1] > 0)
    out: Floats = np.where(flat.any(axis=1), CUTS[np.argmax(flat, axis=1)], CUTS[-2])
    return out


def labelled_thresholds(style: Ints64, entropy: Floats, true: Bools, n_styles: int) -> Floats:
    """For each tree node the cut with the best F on its labelled sentences.

    Nodes without labelled sentences get the best cut of all sentences together; of equally good cuts the nearest
    to that one is taken. A node whose labelled sentences are all redundant has F 0 at every cut: nothing in it
    is informative, and its threshold is below 0.
    """
    at = np.searchsorted(CUTS, entropy - _SLACK)
    table = np.zeros((2, n_styles + 1, len(CUTS)))
    np.add.at(table, (true.astype(np.int64), style, at), 1)
    table[:, n_styles] = table[:, :n_styles].sum(axis=1)
    found = np.cumsum(table, axis=2)
    positive = table[1].sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        f = np.nan_to_num(2 * found[1] / (found.sum(axis=0) + positive))
    common = int(np.argmax(f[n_styles]))
    best = f >= f.max(axis=1, keepdims=True) - 1e-12
    far = np.where(best, np.abs(np.arange(len(CUTS)) - common), len(CUTS) + 1)
    out: Floats = CUTS[np.argmin(far, axis=1)][:n_styles].copy()
    n_labelled = table.sum(axis=(0, 2))[:n_styles]
    out[n_labelled == 0] = CUTS[common]
    out[(n_labelled > 0) & (positive[:n_styles, 0] == 0)] = -1.0
    return out


def _leaf_rows(segments: Segments, rows: npt.NDArray[np.signedinteger[Any]]) -> Ints64:
    leaves = segments.row[segments.is_leaf]
    return leaves[np.searchsorted(leaves, rows, "right") - 1] if len(rows) else _ints()


def _page_base(site: Site) -> Ints64:
    return offsets([len(text) for text in site.texts])[:-1]


def _share_of_rows(site: Site, sentences: Sentences, value: npt.NDArray[Any]) -> Floats:
    """Per text node the mean over its characters of their sentences' value."""
    base = _page_base(site)
    ends = sentences.end + base[sentences.page]
    length = (sentences.end - sentences.start).astype(np.float64)
    rows = site.text_rows
    start = site.nodes.text_start[rows] + base[site.nodes.page[rows]]
    end = site.nodes.text_end[rows] + base[site.nodes.page[rows]]
    return _mean_over(np.append(0, ends), prefix_sum(value * length), start, end)


def _share_of_sentences(site: Site, sentences: Sentences, node_value: npt.NDArray[Any]) -> Floats:
    """Per sentence the mean over its characters of their text nodes' value."""
    base = _page_base(site)
    rows = site.text_rows
    ends = site.nodes.text_end[rows] + base[site.nodes.page[rows]]
    length = (site.nodes.text_end[rows] - site.nodes.text_start[rows]).astype(np.float64)
    start, end = sentences.start + base[sentences.page], sentences.end + base[sentences.page]
    return _mean_over(np.append(0, ends), prefix_sum(node_value[rows] * length), start, end)


def _mean_over(knots: npt.NDArray[Any], total: Floats, start: npt.NDArray[Any], end: npt.NDArray[Any]) -> Floats:
    """Mean of a step function between two places; `total` is its running sum at the knots."""
    if not len(start):
        return np.zeros(0)
    size = np.maximum(end - start, 1)
    mean = (np.interp(end, knots, total) - np.interp(start, knots, total)) / size
    rounded: Floats = np.round(mean, 9)  # sums of lengths are exact, interpolation is not: 0.5 must be 0.5
    return rounded
