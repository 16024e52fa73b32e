"""The default extractor: the best of all evidence, from one page up.

Learned scores in two steps. First, gradient-boosted trees score every block by the block, its place, its ancestors,
the blocks like it and the page. Then others see these first scores of the block, of its neighbours, its ancestors and the blocks
like it, so that whole regions and lists are kept or dropped: a second ensemble, or, when the site is known, two that add what the site says: same text elsewhere,
first scores at the same path on other pages. At last each page keeps the blocks that maximise the expected F1 of its
text: no cut is fixed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints32
from sitegrain.errors import ModelError
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.edits import without_edit_links
from sitegrain.extractor.evidence import EVIDENCE_NAMES, Evidence, gather
from sitegrain.extractor.judged import TOLD_COLUMNS, Judged, judged_blocks
from sitegrain.extractor.knowledge import PathScores, SiteKnowledge, chunks, learn
from sitegrain.extractor.lexicon import LEXICAL_NAMES, Lexicon, lexical_columns
from sitegrain.extractor.mending import SiteSays, mended
from sitegrain.extractor.mending.others.comments import comment_votes
from sitegrain.extractor.pagetypes import (
    ARTICLE,
    ARTICLE_PRIOR,
    FORUM,
    PAGE_TYPES,
    SURE_ALONE,
    SURE_WITH_SITE,
    AskedTypes,
    ContentVerdict,
    PageTypes,
    ToldTypes,
    TypeTrees,
    type_ensemble,
    type_places,
)
from sitegrain.extractor.stages import SITE_NAMES, STAGE_NAMES, site_block_columns
from sitegrain.extractor.threads import with_lost_posts, with_threads
from sitegrain.extractor.typewords import TypeWords
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.learned.files import load_model, loads_model, model_kind
from sitegrain.learned.typed import need
from sitegrain.light import dataclass
from sitegrain.methods.base import NodeMethod
from sitegrain.native.chars import char_table
from sitegrain.native.inputs import Ensemble, JudgeRules, ScoreModel, SiteScores
from sitegrain.tables.site import Site
from sitegrain.tables.some import some_pages
from sitegrain.tables.tags import TEXT

CONTENT_KIND = "content trees"
SCORED_PAGES = 250
"""Pages of a site whose first-stage scores make the mean of each path. With all pages the F1 of articles is higher by 0.0005 at most on eight
sites of 296 to 992 pages, where 150 pages cost up to 0.0016 (`bench/caps.py`)."""
DRIFTED_BELOW = 0.5
"""Share of known elements on the median page. Measured by `bench/drift.py` on thirty sites, 60 pages learned: new pages
of the site have 0.73 or more (one site 0.38), pages of other sites 0.28 or less (one of 870 pairs 0.56)."""
NOTHING_BELOW = 0.2
"""A page whose best expected F1 is below keeps nothing: a shell, an error, a login form. Out of fold on the WCXB
development pages 0.15 to 0.25 are best, and do better than keeping something everywhere."""
ASKS_FIRST_BELOW = 12
"""Different pages of a site (see `SiteKnowledge.n_things`) below which the page's own scores count twice in the mean with the site's two: with a handful of pages the site's
evidence is thin. With more they only blur it: out of fold, sites 0.9749 and 0.9762 without (token F1 by blocks). The parts of sites that
were measured have 3, 8 and 25 pages, so the number is good for anything between 9 and 25."""


@dataclass(frozen=True)
class ContentTrees:
    """The trained trees, as shipped."""

    lexicon: Lexicon
    """What words weigh: part of the page's evidence."""
    first: TreeEnsemble
    """Score of a block by its page's evidence."""
    second: TreeEnsemble
    """Score by the first scores around it: what smooths a page whose site is not known."""
    site: TreeEnsemble
    """Score by the first trees' scores around it, first scores at its path elsewhere, and the site's evidence."""
    site_alone: TreeEnsemble
    """Score by the site's evidence without the first scores, so that their weight does not hide it."""
    types: tuple[TreeEnsemble, ...] = ()
    """One per page type, in the order of `PAGE_TYPES`: what the layout says, which steers the text."""
    type_words: TypeWords | None = None
    """What the words of addresses, titles and headings say of types."""
    told_types: tuple[TreeEnsemble, ...] = ()
    """One per page type, by the layout and the words: the type that is told."""
    about: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def score_model(self) -> ScoreModel:
        """The same as the kernels score with."""
        return ScoreModel(
            char_table(),
            self.lexicon.text.table,
            self.lexicon.names.table,
            _ensemble(self.first),
            _ensemble(self.second),
            type_ensemble(self.types[ARTICLE]) if self.types else None,
            type_ensemble(self.types[FORUM]) if self.types else None,
            *type_places(EVIDENCE_NAMES),
            JudgeRules(NOTHING_BELOW, ARTICLE_PRIOR, *SURE_ALONE, *SURE_WITH_SITE),
        )

    @cached_property
    def site_ensembles(self) -> tuple[Ensemble, Ensemble]:
        """The ensembles that weigh what the site says: without the first scores, and with them."""
        return _ensemble(self.site_alone), _ensemble(self.site)

    @cached_property
    def type_trees(self) -> TypeTrees | None:
        """What tells page types; None where none are told."""
        return TypeTrees(self.types, self.type_words, self.told_types) if self.types and self.type_words else None

    def check(self) -> None:
        """One ensemble per page type and opinion, or none."""
        n = len(PAGE_TYPES) if self.types else 0
        need(len(self.types) == n == len(self.told_types), "page types are missing")
        need((self.type_words is not None) == bool(n), "the words of page types are missing")
        need(self.type_words is None or len(self.type_words.usual) == n, "the words are of other page types")


@lru_cache(maxsize=4)
def load_trees(path: str = "") -> ContentTrees:
    """The trees of a file; those of the package by default."""
    if path:
        return load_model(path, CONTENT_KIND, ContentTrees)
    text = (Path(__file__).parent / "data/content.json").read_text("utf-8")
    return loads_model(text, CONTENT_KIND, ContentTrees, "the shipped model")


_HAVE = (*EVIDENCE_NAMES, *SITE_NAMES, *STAGE_NAMES, *LEXICAL_NAMES)


def _ensemble(trees: TreeEnsemble) -> Ensemble:
    return Ensemble(trees.packed, _positions(trees.names, _HAVE), trees.is_probability)


@lru_cache(maxsize=16)
def _positions(wanted: tuple[str, ...], have: tuple[str, ...]) -> npt.NDArray[np.int64]:
    place = {name: k for k, name in enumerate(have)}
    return np.array([place[name] for name in wanted], np.int64)


def sampled_pages(n_pages: int) -> list[int]:
    """The pages whose first scores count, spread evenly over the site: the same on every run."""
    step = max(n_pages / SCORED_PAGES, 1.0)
    chosen: list[int] = distinct((np.arange(min(SCORED_PAGES, n_pages)) * step).astype(int)).tolist()
    return chosen


def decide(score: Floats, words: Floats, page: npt.NDArray[np.integer], n_pages: int) -> Bools:
    """Per block: kept. Each page keeps the blocks with the highest scores, as many as maximise its expected F1.

    With expected true words t = sum of score * words, keeping a set K is expected to give
    F1 = 2 * sum over K of score * words / (sum over K of words + t); the best set is a prefix of the order by score.

    >>> decide(np.array([0.9, 0.1, 0.6]), np.array([50.0, 50.0, 10.0]), np.zeros(3, int), 1).tolist()
    [True, False, True]
    """
    return native.decide(score, words, page.astype(np.int32, copy=False), n_pages, NOTHING_BELOW)


@dataclass(frozen=True, eq=False)
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
        knowledge.set_path_scores(self.path_scores(site, knowledge, sampled_pages(site.n_pages)))
        self.knowledge_ = knowledge
        return self

    def path_scores(self, site: Site, names: SiteKnowledge, pages: Sequence[int]) -> PathScores:
        """The first scores of the blocks of these pages, with the paths where they stand."""
        trees = load_trees(self.trees)
        found = [PathScores.none()]
        some = some_pages(site, pages)
        for first, last in chunks(some) if len(pages) else ():
            evidence = gather(rows_of(some, first, last))
            if len(evidence.blocks):
                score = first_scores(trees, evidence, lexical_columns(evidence, trees.lexicon))
                asked = AskedTypes(trees.type_trees, evidence, score) if trees.type_trees else None
                comment = comment_votes(evidence, score, asked.votes) if asked else np.zeros(len(score))
                found.append(PathScores(*names.block_paths(evidence.blocks), score, evidence.words, comment))
        return PathScores.joined(found)

    def apply(self, site: Site) -> ContentVerdict:
        """Judge every text node."""
        self.need_fitted()
        trees = load_trees(self.trees)
        parts: list[Judged] = []
        found: list[native.Judged] = []
        types: list[AskedTypes | ToldTypes] = []
        for first, last in chunks(site):
            evidence = gather(rows_of(site, first, last))
            about_site, said = self._site_says(trees, evidence)
            judged = native.judge(evidence.pages, trees.score_model, about_site)
            asked = AskedTypes(trees.type_trees, evidence, judged.first) if trees.type_trees else None
            of_site = about_site and about_site.of_site
            done = mended(evidence, judged, asked.votes if asked else None, self._menus_left_out(evidence), said)
            node_kept = judged.node_kept
            if done.kept is not judged.kept:
                # Block -1, of rows without one, is the last of what is appended.
                node_kept = np.append(done.kept, False)[evidence.blocks.node_block]
            if done.may_edit:
                node_kept = without_edit_links(evidence, done.kept, node_kept)
            if asked is not None and about_site is None:
                done, node_kept = with_threads(evidence, judged, done, node_kept)
            elif asked is not None and said is not None:
                done, node_kept = with_lost_posts(evidence, judged, done, node_kept, said)
            if node_kept is not judged.node_kept or done.kept is not judged.kept:
                judged = judged._replace(kept=done.kept, node_kept=node_kept)
            if asked is not None:  # of several pages the types are asked for now, so that few columns need be kept
                types.append(asked if site.n_pages == 1 else ToldTypes.of(asked))
            if site.n_pages > 1:
                evidence = evidence.only(TOLD_COLUMNS)
            are_comments = None if said is None else said.are_comments
            parts.append(Judged(evidence, of_site, judged.score, judged.kept, done.why, are_comments))
            found.append(judged)
        notes = () if self.knowledge_ is not None else ("one page only: no site evidence",)
        page_type = PageTypes(types, site.n_pages if types else 0)
        if len(found) == 1:
            rows = found[0].node_score, found[0].node_kept, parts[0].evidence.blocks.node_block
        else:
            rows = _joined(parts, found)
        return ContentVerdict(*rows, judged_blocks(parts), notes, page_type=page_type)

    def _site_says(self, trees: ContentTrees, evidence: Evidence) -> tuple[SiteScores, SiteSays] | tuple[None, None]:
        """What the site says of blocks: for the trees that weigh it, and for the steps that mend."""
        knowledge = self.knowledge_
        if knowledge is None:
            return None, None
        paths = knowledge.row_paths(evidence.blocks.rows)
        of_site = site_block_columns(evidence, knowledge, paths)
        at_path, at_tag_path = knowledge.path_scores(evidence.blocks, paths)
        is_thin = knowledge.n_things < ASKS_FIRST_BELOW
        in_comments = are_comments = None
        if len(knowledge.comments):
            places = knowledge.block_paths(evidence.blocks, paths)
            in_comments, are_comments = knowledge.in_comments(places), knowledge.in_named_comments(places)
        scores = SiteScores(of_site, at_path, at_tag_path, *trees.site_ensembles, is_thin)
        return scores, SiteSays(of_site, at_path, is_thin, in_comments, are_comments)

    def _menus_left_out(self, evidence: Evidence) -> Callable[[Bools], Bools] | None:
        """What leaves out the menus that the site has; None where it is not known."""
        knowledge = self.knowledge_
        if knowledge is None:
            return None

        def left_out(kept: Bools) -> Bools:
            links = evidence.column("link_density").astype(np.float64)
            menu = knowledge.in_menu(evidence.blocks, links, kept)
            return kept & ~menu if menu.any() else kept

        return left_out

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


def _joined(parts: Sequence[Judged], found: Sequence[native.Judged]) -> tuple[Floats, Bools, Ints32]:
    """Score, decision and block of every row, of one part after the other."""
    offset = np.cumsum([0, *(len(p.score) for p in parts)])
    blocks = [p.evidence.blocks.node_block for p in parts]
    return (
        np.concatenate([j.node_score for j in found] or [np.zeros(0)]),
        np.concatenate([j.node_kept for j in found] or [np.zeros(0, bool)]),
        np.concatenate(
            [np.where(b < 0, -1, b + by) for b, by in zip(blocks, offset[:-1], strict=True)] or [np.zeros(0)]
        ).astype(np.int32),
    )


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


def first_scores(trees: ContentTrees, evidence: Evidence, lexical: Floats32) -> Floats:
    """First score of every block."""
    have, parts = (*evidence.names, *LEXICAL_NAMES), (evidence.x, lexical)
    return trees.first.predict_parts(parts, _positions(trees.first.names, have))


def page_opinion(first: Floats, second: Floats) -> Floats:
    """The mean of the first score and of the second stage, which smooths it. Token F1 out of fold: WCXB 0.8782, and 0.8767 where the
    first counts twice; pages of sites 0.9594 and 0.9588; the other sets within 0.0015 either way."""
    return mean_score(first, second)


def site_opinion(first: Floats, without_first: Floats, with_first: Floats, n_pages: float) -> Floats:
    """The mean of the site's stages; the one that sees the first scores knows most and counts twice (cross entropy
    left-one-site-out 0.055, and 0.059 where all count alike). Of few pages the first score itself counts, too."""
    of_first = (first, first) if n_pages < ASKS_FIRST_BELOW else ()
    return mean_score(*of_first, without_first, with_first, with_first)


def mean_score(*parts: Floats) -> Floats:
    """The mean of scores by their log odds.

    >>> round(float(mean_score(np.array([0.9]), np.array([0.5]))[0]), 3)
    0.75
    """
    return native.mean_score(parts)


def shifted(score: Floats, by: Floats) -> Floats:
    """Scores with something added to their log odds.

    >>> shifted(np.array([0.5, 0.9]), np.array([0.0, -1.0])).round(2).tolist()
    [0.5, 0.77]
    """
    from sitegrain.native.reference.blocks.judge import shifted as reference_shifted

    return reference_shifted(score, by)
