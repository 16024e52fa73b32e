"""Page types: what kind of page it is, by its own evidence, by what seems to be its content, and by its words.

There are two opinions. *Votes* see the layout alone: they steer what counts as content, and their bounds were found by them. What is *told*
sees the words of the page, too, and is right more often: it is the type that users read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints64
from sitegrain.extractor.evidence import EVIDENCE_NAMES, Evidence
from sitegrain.extractor.typewords import TypeWords, page_words
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.light import dataclass
from sitegrain.methods.base import NodeVerdict
from sitegrain.native.inputs import Ensemble

PAGE_TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
ARTICLE, FORUM = PAGE_TYPES.index("article"), PAGE_TYPES.index("forum")
TYPES_OF_ROLE = {
    "toc": ("collection", "listing"),
    "article": ("article", "documentation", "forum", "product"),
    "other": ("service",),
}
"""Role and type are two views of one decision: a page is of the likeliest type that its role has."""
_OWN = ("page_", "url_", "ld_")
"""What the columns begin with that all blocks of a page share."""
_TYPE_MEANS = (
    "link_density", "in_list", "in_table", "in_pre", "in_article", "in_main", "in_form", "up1_like", "up2_like", "up1_posts",
    "up2_posts", "digit_rate", "symbol_rate", "stop_rate", "word_length", "words", "here_blocks", "here_words", "here_share",
    "here_distinct", "here_links", "kin_blocks", "kin_words", "kin_prose", "kin_distinct", "about", "up2_dates", "in_run",
    "run_share", "heading_links", "h1s_before", "up2_img", "up2_a", "up3_like", "up3_posts", "since_h1", "in_heading",
    "order_share", "cue_shop", "cue_meta", "cue_month", "class_product", "class_forum", "class_list", "class_doc",
    "class_comment", "class_code", "stops", "in_prose_0.7", "prose_0.7_share", "upper_rate", "ends_with_stop",
)  # fmt: skip
"""What is averaged over what seems to be content, and over the rest: a shop shows in its menus and prices, a list in its cards, a
thread in what repeats."""


def type_columns(
    names: tuple[str, ...], x: Floats32, words: Floats, page: npt.NDArray[np.integer], p: Floats, n_pages: int
) -> Floats32:
    """[n_pages x features] for the page type: the page's own columns, and means over what seems to be content and over the rest."""
    return native.type_columns(*type_places(names), x, words, page.astype(np.int32, copy=False), p, n_pages)


@lru_cache(maxsize=4)
def type_places(names: tuple[str, ...]) -> tuple[Ints64, Ints64]:
    """Where the page's own columns stand, and those that are averaged."""
    own = [k for k, n in enumerate(names) if n.startswith(_OWN)]
    return np.array(own, np.int64), np.array([names.index(n) for n in _TYPE_MEANS], np.int64)


@lru_cache(maxsize=4)
def type_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the columns of `type_columns`."""
    own = [n for n in names if n.startswith(_OWN)]
    return (
        *own,
        *(f"mean_{n}" for n in _TYPE_MEANS),
        *(f"rest_{n}" for n in _TYPE_MEANS),
        "expected_words",
        "expected_share",
    )


@lru_cache(maxsize=64)
def type_order(wanted: tuple[str, ...], have: tuple[str, ...]) -> npt.NDArray[np.int64]:
    return np.array([have.index(n) for n in wanted], np.int64)


class TypeTrees(NamedTuple):
    """What tells types, one ensemble per type in the order of `PAGE_TYPES`."""

    votes: tuple[TreeEnsemble, ...]
    """By the layout."""
    words: TypeWords
    told: tuple[TreeEnsemble, ...]
    """By the layout and by what the words say."""


def told_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the columns that types are told by: those of the layout, then what the words say for each type."""
    return (*type_names(names), *(f"words_{kind}" for kind in PAGE_TYPES))


def _asked(types: tuple[TreeEnsemble, ...], parts: Sequence[Floats32], have: tuple[str, ...]) -> Floats:
    """[types x pages], by matrices that stand side by side and have columns of these names."""
    return np.stack([t.predict_parts(parts, type_order(t.names, have)) for t in types])


@dataclass
class AskedTypes:
    """The types of some pages, found when they are asked for first."""

    trees: TypeTrees
    evidence: Evidence
    p: Floats
    """First scores."""

    def votes(self) -> Floats:
        """[types x pages]: what speaks for each type by the layout."""
        return self._votes

    @cached_property
    def _votes(self) -> Floats:
        return _asked(self.trees.votes, (self._x,), type_names(self.evidence.names))

    @cached_property
    def told(self) -> Floats:
        """[types x pages]: how likely each type is, by the layout and the words."""
        said = self.trees.words.odds(page_words(self.evidence), self.evidence.geometry.n_pages)
        return _asked(self.trees.told, (self._x, said), told_names(self.evidence.names))

    @cached_property
    def _x(self) -> Floats32:
        """What all types are told by: to make it takes longer than to ask one of them."""
        of = self.evidence
        return type_columns(of.names, of.x, of.words, of.blocks.page, self.p, of.geometry.n_pages)


def type_ensemble(trees: TreeEnsemble) -> Ensemble:
    """The trees of a type as kernels take them."""
    return Ensemble(trees.packed, type_order(trees.names, type_names(EVIDENCE_NAMES)), trees.is_probability)


ARTICLE_PRIOR = -1.0
SURE_ALONE, SURE_WITH_SITE = (0.5, 0.9), (0.2, 0.6)
"""What is added to the log odds of blocks on a page that is surely an article, and from which to which vote it grows. What is
in doubt on an article is a teaser, a box or a comment; on a service page or a list it is as likely its text. Out of fold:
token F1 of news and articles 0.972 to 0.976 (fundus), 0.929 to 0.935 (newspaper4k), 0.898 to 0.903 (magic-article), of WCXB
0.881 as before, of threads 0.927 to 0.925, of snippets 0.938 to 0.935. A number for each type, fitted, did worse on all.

Where the site is known, what is left in doubt is mostly a comment, and a lower vote is enough: token F1 of sites by blocks 0.9762 to 0.9787
(0.9760 to 0.9784 with copies of pages), precision 0.972 to 0.977, recall 0.989 to 0.987; a ramp from 0.1 to 0.4 costs one site 0.04."""


def article_shift(vote: Floats, sure: tuple[float, float] = SURE_ALONE) -> Floats:
    """Per page: what is added to the log odds of its blocks, by the vote for an article.

    >>> article_shift(np.array([0.3, 0.7, 0.95])).round(2).tolist()
    [-0.0, -0.5, -1.0]
    """
    low, high = sure
    return ARTICLE_PRIOR * np.clip((vote - low) / (high - low), 0.0, 1.0)


class ToldTypes(NamedTuple):
    """What was told of the types of some pages."""

    told: Floats
    """[types x pages]: how likely each type is."""
    has_text: Bools
    """Per page."""

    @classmethod
    def of(cls, asked: AskedTypes) -> ToldTypes:
        n = asked.evidence.geometry.n_pages
        return cls(asked.told, np.bincount(asked.evidence.blocks.page, minlength=n) > 0)


class PageTypes(Sequence[str]):
    """The types of pages, found when asked for."""

    def __init__(
        self,
        parts: Sequence[AskedTypes | ToldTypes],
        n_pages: int,
        roles: Sequence[str] = (),
        threads: Collection[int] = (),
    ) -> None:
        self.parts = parts
        self.n_pages = n_pages
        self.roles = roles
        self.threads = threads

    def __len__(self) -> int:
        return self.n_pages

    def within(self, roles: Sequence[str], threads: Collection[int] = ()) -> PageTypes:
        """The types of the same pages, given their roles and which of them are known to be threads."""
        return PageTypes(self.parts, self.n_pages, roles, threads)

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def instead(self, page: int) -> str:
        """The type of a page if it is no thread after all: its own where nothing but the page tells, or its address says that it is one."""
        if not self.roles or page in self.threads:
            return self._all[page]
        may_be = [k for k, name in enumerate(PAGE_TYPES) if k != FORUM and name in TYPES_OF_ROLE[self.roles[page]]]
        return PAGE_TYPES[max(may_be, key=self.votes(page).__getitem__)]

    def votes(self, page: int) -> Floats:
        """[types]: how likely each type of a page is."""
        for part in self._told:
            if page < len(part.has_text):
                return part.told[:, page]
            page -= len(part.has_text)
        raise IndexError(page)

    @cached_property
    def _told(self) -> list[ToldTypes]:
        return [ToldTypes.of(part) if isinstance(part, AskedTypes) else part for part in self.parts]

    @cached_property
    def _all(self) -> tuple[str, ...]:
        out: list[str] = []
        may_be = np.array([[t in TYPES_OF_ROLE[role] for t in PAGE_TYPES] for role in self.roles], bool)
        for told, has_text in self._told:
            if self.roles:
                told = np.where(may_be[len(out) : len(out) + len(has_text)].T, told, -np.inf)
            kinds = told.argmax(axis=0).tolist()
            out.extend(PAGE_TYPES[k] if has else "" for k, has in zip(kinds, has_text.tolist(), strict=True))
        for thread in self.threads:
            out[thread] = out[thread] and "forum"
        return tuple(out)


@dataclass(frozen=True)
class ContentVerdict(NodeVerdict):
    """What the default extractor says: of text nodes, and of what type each page is."""

    page_type: Sequence[str] = ()
    """Per page: one of `PAGE_TYPES`, empty for a page without text; none when the trees do not tell types."""
