"""The default extractor: the best of all evidence, from one page up.

Learned scores in two steps. First, gradient-boosted trees score every block by the block, its place, its ancestors,
the blocks like it and the page; when the page is all there is, a small network that sees the blocks around joins
them. Then others see these first scores of the block, of its neighbours and ancestors, so that whole regions are
kept or dropped: a second ensemble, or, when the site is known, two that add what the site says: same text elsewhere,
first scores at the same path on other pages. At last each page keeps the blocks that maximise the expected F1 of its
text: no cut is fixed.
"""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.errors import ModelError
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.judged import Judged, judged_blocks
from sitegrain.extractor.knowledge import SiteKnowledge, chunks, learn
from sitegrain.extractor.lexicon import LEXICAL_NAMES, Lexicon, lexical_columns
from sitegrain.extractor.network import BlockNet
from sitegrain.extractor.pagetypes import PAGE_TYPES, ContentVerdict, PageTypes
from sitegrain.extractor.stages import SITE_NAMES, STAGE_NAMES, site_block_columns, stage_columns
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import load_model, loads_model, model_kind
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod
from sitegrain.native import Paths
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TAGS, TEXT

CONTENT_KIND = "content trees"
SCORED_PAGES = 150
"""Pages of a site whose first-stage scores make the mean of each path; more do not change the mean visibly."""
DRIFTED_BELOW = 0.5
"""Share of known elements on the median page. Measured by `bench/drift.py` on thirty sites, 60 pages learned: new pages
of the site have 0.73 or more (one site 0.38), pages of other sites 0.28 or less (one of 870 pairs 0.56)."""
NOTHING_BELOW = 0.2
"""A page whose best expected F1 is below keeps nothing: a shell, an error, a login form. Out of fold on the WCXB
development pages 0.15 to 0.25 are best, and do better than keeping something everywhere."""


@dataclass(frozen=True)
class ContentTrees:
    """The trained trees, as shipped."""

    lexicon: Lexicon
    """What words weigh: part of the page's evidence."""
    first: TreeEnsemble
    """Score of a block by its page's evidence."""
    net: BlockNet
    """The same evidence, weighed by a network that sees the blocks around."""
    second: TreeEnsemble
    """Score by the first scores around it: what smooths a page whose site is not known."""
    site: TreeEnsemble
    """Score by the first trees' scores around it, first scores at its path elsewhere, and the site's evidence."""
    site_alone: TreeEnsemble
    """Score by the site's evidence without the first scores, so that their weight does not hide it."""
    types: tuple[TreeEnsemble, ...] = ()
    """One per page type, in the order of `PAGE_TYPES`."""
    about: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """One ensemble per page type, or none."""
        need(len(self.types) in (0, len(PAGE_TYPES)), "page types are missing")


@lru_cache(maxsize=4)
def load_trees(path: str = "") -> ContentTrees:
    """The trees of a file; those of the package by default."""
    if path:
        return load_model(path, CONTENT_KIND, ContentTrees)
    text = resources.files("sitegrain.extractor").joinpath("data/content.json").read_text("utf-8")
    return loads_model(text, CONTENT_KIND, ContentTrees, "the shipped model")


@lru_cache(maxsize=16)
def _positions(wanted: tuple[str, ...], have: tuple[str, ...]) -> npt.NDArray[np.int64]:
    place = {name: k for k, name in enumerate(have)}
    return np.array([place[name] for name in wanted], np.int64)


def decide(score: Floats, words: Floats, page: npt.NDArray[np.integer], n_pages: int) -> Bools:
    """Per block: kept. Each page keeps the blocks with the highest scores, as many as maximise its expected F1.

    With expected true words t = sum of score * words, keeping a set K is expected to give
    F1 = 2 * sum over K of score * words / (sum over K of words + t); the best set is a prefix of the order by score.

    >>> decide(np.array([0.9, 0.1, 0.6]), np.array([50.0, 50.0, 10.0]), np.zeros(3, int), 1).tolist()
    [True, False, True]
    """
    return native.decide(score, words, page.astype(np.int32, copy=False), n_pages, NOTHING_BELOW)


@dataclass(frozen=True)
class Drift:
    """How well pages fit what was learned of their site."""

    page_known: Floats
    """Per page: share of its elements that stand at a path which two pages or more of the learned site have."""

    @property
    def known(self) -> float:
        """The median page's share."""
        return float(np.median(self.page_known)) if len(self.page_known) else 1.0

    @property
    def is_changed(self) -> bool:
        """True when the template has changed and the model must be fitted again."""
        return self.known < DRIFTED_BELOW

    def __str__(self) -> str:
        verdict = "the template has changed: fit the model again" if self.is_changed else "the template is as it was"
        return f"{verdict} ({self.known:.0%} of the elements of the median page stand at known places)"


@dataclass
class Extractor(NodeMethod):
    """Which text of a page is its content, by learned evidence.

    Parameters
    ----------
    use_site:
        Use what the other pages of the site tell (when there are any).
    trees:
        Path of a file of trained trees; the shipped ones by default.

    Learned
    -------
    knowledge_:
        What the site tells; None for a page without a site (and without `use_site`): such a page is judged alone.
    """

    name: ClassVar[str] = "default"

    use_site: bool = True
    trees: str = ""
    knowledge_: SiteKnowledge | None = field(init=False, compare=False, repr=False)

    def fit(self, site: Site) -> Self:
        """Learn what repeats on a site and what its places hold."""
        self.knowledge_ = None
        if not self.use_site or site.n_pages < 2:
            return self
        knowledge = learn(site)
        trees = load_trees(self.trees)
        # Pages spread evenly over the site: the same on every run.
        step = max(site.n_pages / SCORED_PAGES, 1.0)
        sample = np.unique((np.arange(min(SCORED_PAGES, site.n_pages)) * step).astype(int))
        found: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], Floats, Floats]] = []
        for page in sample.tolist():
            evidence = gather(rows_of(site, page, page + 1))
            if len(evidence.blocks):
                score = first_scores(trees, evidence, lexical_columns(evidence, trees.lexicon))
                found.append((*knowledge.block_paths(evidence.blocks), score, evidence.words))
        if found:
            key, tag_key, score, words = (np.concatenate(c) for c in zip(*found, strict=True))
            knowledge.set_scores(Paths(key, tag_key), score, words)
        self.knowledge_ = knowledge
        return self

    def apply(self, site: Site) -> ContentVerdict:
        """Judge every text node."""
        self.need_fitted()
        trees = load_trees(self.trees)
        parts: list[Judged] = []
        node_score = np.zeros(site.n_nodes)
        node_kept = np.zeros(site.n_nodes, bool)
        node_block = np.full(site.n_nodes, -1, np.int32)
        types: list[tuple[Evidence, Floats]] = []
        n_blocks = 0
        for first, last in chunks(site):
            evidence = gather(rows_of(site, first, last))
            paths = None if self.knowledge_ is None else self.knowledge_.row_paths(evidence.blocks.rows)
            of_site = site_block_columns(evidence, self.knowledge_, paths)
            first_score, score = scores(trees, evidence, of_site, self.knowledge_, paths)
            types.append((evidence, first_score))
            score[_is_plain(evidence)] = 1.0
            kept = decide(score, evidence.words, evidence.blocks.page, last - first)
            parts.append(Judged(evidence, of_site, score, kept))
            block = evidence.blocks.node_block
            at = slice(evidence.blocks.rows.start, evidence.blocks.rows.start + len(block))
            # Block -1, of rows without one, is the last of what is appended.
            node_block[at] = np.append(np.arange(n_blocks, n_blocks + len(score)), -1)[block]
            node_score[at] = np.append(score, 0.0)[block]
            node_kept[at] = np.append(kept, False)[block]
            n_blocks += len(score)
        notes = () if self.knowledge_ is not None else ("one page only: no site evidence",)
        page_type = PageTypes(trees.types, types)
        return ContentVerdict(node_score, node_kept, node_block, judged_blocks(parts), notes, page_type=page_type)

    def drift(self, site: Site) -> Drift:
        """Whether pages still look like the site that was learned: how many of their elements stand at known paths."""
        self.need_fitted()
        if self.knowledge_ is None:
            raise ModelError("nothing is known of the site: fit the model on two pages or more first")
        known = np.zeros(site.n_pages)
        for first, last in chunks(site):
            rows = rows_of(site, first, last)
            key, _ = self.knowledge_.row_paths(rows)
            element = rows.tag != TEXT
            is_known = self.knowledge_.coverage(key) * self.knowledge_.n_pages > 1.5
            total = np.bincount(rows.page[element], minlength=last - first)
            known[first:last] = np.bincount(rows.page[element], is_known[element], last - first) / np.maximum(total, 1)
        return Drift(known)


_SITE_TAGS = np.array([TAG_CODE[t] for t in ("script", "form", "link", "style", "nav", "iframe", "frame", "input")])


def _is_plain(evidence: Evidence) -> npt.NDArray[np.intp]:
    """The blocks on a page without a script, form, style sheet or menu, and with two links at most. That is a document
    (a snippet, plain text) and not a page of a site: all it shows is its content."""
    rows, page = evidence.blocks.rows, evidence.blocks.page
    n_pages = rows.last_page - rows.first_page
    place = rows.tag if n_pages == 1 else rows.page * len(TAGS) + rows.tag
    count = np.bincount(place, minlength=n_pages * len(TAGS)).reshape(n_pages, len(TAGS))
    has_site = count[:, _SITE_TAGS].any(axis=1) | (count[:, TAG_CODE["a"]] > 2)
    if has_site.all():
        return np.zeros(0, np.intp)
    in_head, is_hidden = map(evidence.column, ("in_head", "is_hidden"))
    return np.flatnonzero(~has_site[page] & (in_head == 0) & (is_hidden == 0))


def load_extractor(path: str | Path) -> Extractor:
    """The extractor of a model file: what was learned of a site, or other trees than the shipped ones.

    The last few files are remembered for as long as they are not changed: who extracts page by page names the same
    file again and again, and to read it takes longer than a page.
    """
    try:
        file = os.stat(path)
    except OSError:
        return _load_extractor(str(path))  # which says what is wrong
    return copy(_remembered(str(path), file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns))


@lru_cache(maxsize=4)
def _remembered(path: str, *version: int) -> Extractor:
    return _load_extractor(path)


def _load_extractor(path: str) -> Extractor:
    if model_kind(path) == CONTENT_KIND:
        load_trees(path)  # a damaged file is told now, not when the first page comes
        return Extractor(trees=path)
    return Extractor.load(path)


def tree_scores(trees: ContentTrees, evidence: Evidence, lexical: Floats32) -> Floats:
    """Score of every block by the first trees alone."""
    have, parts = (*evidence.names, *LEXICAL_NAMES), (evidence.x, lexical)
    return trees.first.predict_parts(parts, _positions(trees.first.names, have))


def first_scores(trees: ContentTrees, evidence: Evidence, lexical: Floats32) -> Floats:
    """First score of every block, by trees and network."""
    have = (*evidence.names, *LEXICAL_NAMES)
    by_net = trees.net.predict_parts((evidence.x, lexical), have, evidence.blocks.page, evidence.words)
    return first_opinion(tree_scores(trees, evidence, lexical), by_net)


def first_opinion(by_trees: Floats, by_net: Floats) -> Floats:
    """The mean of the trees, which are two ensembles and count twice, and of the network."""
    return mean_score(by_trees, by_trees, by_net)


def page_opinion(first: Floats, second: Floats) -> Floats:
    """The mean of the first score, which counts twice, and of the second stage, which smooths it (cross entropy out of
    fold 0.237 on single pages and 0.108 on sites; with one count each 0.238 and 0.113)."""
    return mean_score(first, first, second)


def site_opinion(by_trees: Floats, without_first: Floats, with_first: Floats) -> Floats:
    """The mean of the first trees and of the site's stages; the one that sees the first scores knows most and counts
    twice (cross entropy left-one-site-out 0.055, and 0.059 where all count alike)."""
    return mean_score(by_trees, without_first, with_first, with_first)


def mean_score(*parts: Floats) -> Floats:
    """The mean of scores by their log odds.

    >>> round(float(mean_score(np.array([0.9]), np.array([0.5]))[0]), 3)
    0.75
    """
    return native.mean_score(parts)


def scores(
    trees: ContentTrees,
    evidence: Evidence,
    of_site: Floats32,
    knowledge: SiteKnowledge | None,
    paths: Paths | None = None,
) -> tuple[Floats, Floats]:
    """First score and final score of every block.

    Without the site, the first score is of trees and network, and the second stage joins it. With it, the first score
    is of the trees alone: where the site speaks, network and second stage change nothing that can be measured
    (left-one-site-out, thirty sites), and without them a page of a known site takes no longer than another.
    """
    if not len(evidence.blocks):
        return np.zeros(0), np.zeros(0)
    lexical = lexical_columns(evidence, trees.lexicon)
    have = (*evidence.names, *SITE_NAMES, *STAGE_NAMES, *LEXICAL_NAMES)

    def predict(part: TreeEnsemble, staged: Floats32) -> Floats:
        return part.predict_parts((evidence.x, of_site, staged, lexical), _positions(part.names, have))

    if knowledge is None:
        p = first_scores(trees, evidence, lexical)
        return p, page_opinion(p, predict(trees.second, stage_columns(evidence.geometry, evidence.words, p)))
    p = tree_scores(trees, evidence, lexical)
    staged = stage_columns(evidence.geometry, evidence.words, p, *knowledge.path_scores(evidence.blocks, paths))
    return p, site_opinion(p, predict(trees.site_alone, staged), predict(trees.site, staged))
