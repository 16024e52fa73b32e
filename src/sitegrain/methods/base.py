"""One contract for all methods: a page method judges pages, a node method judges text nodes, both with evidence.

A fitted method may judge other pages than those it learned from, so a verdict is a value that `apply`
returns and not an attribute that `fit` leaves behind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, Union, get_args, get_origin

import numpy as np
import numpy.typing as npt

from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.files import load_model, save_model
from sitegrain.learned.typed import field_types, is_learned
from sitegrain.light import dataclass
from sitegrain.tables.site import Site

ROLES = ("other", "toc", "article")
OTHER, TOC, ARTICLE = range(3)


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks a verdict speaks of, one row each."""

    node: npt.NDArray[np.int32]
    """Top row of the block: its path is the path of this row."""
    score: npt.NDArray[np.float64]
    is_informative: npt.NDArray[np.bool_]
    reason: Sequence[str]
    """In words, for people: "on 96% of pages", "term entropy 0.93"."""
    evidence: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    """More columns, by name: entropy, n_pages, cii, api, ...; `n_characters` where blocks of a method overlap, so that
    the text of each cannot be counted from `node_block`."""

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True, eq=False)
class NodeVerdict:
    """What a node method says of every text node of a site."""

    node_score: npt.NDArray[np.float64]
    """Per row, 0...1: how informative; rows that are no text nodes are 0."""
    node_kept: npt.NDArray[np.bool_]
    """Per row: True for the text nodes that are content."""
    node_block: npt.NDArray[np.int32]
    """Per row: which row of `blocks` it belongs to; -1 for rows that are no text nodes."""
    blocks: Blocks
    notes: tuple[str, ...] = ()
    """What the user should know ("one page only: no site evidence")."""


@dataclass(frozen=True, eq=False)
class PageVerdict:
    """What a page method says of every page of a site."""

    page_toc: npt.NDArray[np.float64]
    """Higher is more like a TOC page: pages are ranked by it."""
    page_article: npt.NDArray[np.float64]
    """Higher is more like an article page."""
    page_role: npt.NDArray[np.int8]
    """0 other, 1 toc, 2 article: see `ROLES`."""
    page_confidence: npt.NDArray[np.float64]
    """0...1."""
    evidence: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    """Per-page columns by name: hub, authority, cut, ..."""
    notes: tuple[str, ...] = ()
    page_type: Sequence[str] = ()
    """Per page: article, forum, product, ...; empty when no method tells types."""


V = TypeVar("V", NodeVerdict, PageVerdict)


class Method(ABC, Generic[V]):
    """A way to judge a site.

    Subclasses are dataclasses. Their fields are the parameters; what is learned is a field too, whose name ends in `_`,
    with `field(init=False, compare=False, repr=False)`: it is there once `fit` has set it, and `dataclasses.replace`
    gives a method that has learned nothing. A fitted method keeps no site, can be saved, and judges the pages that it
    learned from or others of the site. A method without learned fields is always ready.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        """Parameters with choices must be one of them; subclasses look at the others."""
        for name, allowed in _parameters_with_choices(type(self)):
            if (value := getattr(self, name)) not in allowed:
                raise UsageError(f"{self.name}: {name} is {value!r}; use one of {', '.join(map(str, allowed))}")

    @classmethod
    @cache
    def learned_fields(cls) -> tuple[str, ...]:
        """Names of the fields that `fit` sets; none for a method that learns nothing of a site."""
        return tuple(f.name for f in fields(cls) if is_learned(f))  # type: ignore[arg-type]

    @property
    def is_fitted(self) -> bool:
        """Whether there is nothing to learn, or all of it was learned."""
        return all(map(vars(self).__contains__, self.learned_fields()))

    def need_fitted(self) -> None:
        """`ModelError` unless `is_fitted`."""
        if not self.is_fitted:
            raise ModelError(f"{self.name} has learned nothing yet: call fit(site) first, or load a saved model")

    def fit(self, site: Site) -> Self:
        """Learn from all pages of a site; here, for methods that learn nothing, do nothing."""
        return self

    @abstractmethod
    def apply(self, site: Site) -> V:
        """Judge a site: the one learned from, or other pages of it."""

    def fit_apply(self, site: Site) -> V:
        """Learn from a site and judge it."""
        return self.fit(site).apply(site)

    @classmethod
    def need_savable(cls) -> None:
        """`UsageError` for a method that learns nothing."""
        if not cls.learned_fields():
            raise UsageError(f"the method {cls.name!r} has no model to save or load: it learns nothing about a site")

    def save(self, path: Path | str) -> None:
        """Write the parameters and what was learned to a file, to judge later pages of the site with."""
        self.need_savable()
        self.need_fitted()
        save_model(path, self.name, self)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a method that `save` wrote."""
        cls.need_savable()
        return load_model(path, cls.name, cls)


class NodeMethod(Method[NodeVerdict]):
    """A method that says which text nodes carry information."""


class PageMethod(Method[PageVerdict]):
    """A method that says what the role of every page is."""


def choices(kind: Any) -> tuple[Any, ...]:
    """The values that a parameter of this type may have; none when they cannot be counted.

    >>> choices(Literal["a", "b"] | None)
    ('a', 'b', None)
    >>> choices(int | None)
    ()
    """
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        parts = [(None,) if k is type(None) else choices(k) for k in get_args(kind)]
        return tuple(v for part in parts for v in part) if all(parts) else ()
    return ()


@cache
def _parameters_with_choices(cls: Any) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    of = field_types(cls)
    return tuple((f.name, allowed) for f in fields(cls) if f.init and (allowed := choices(of[f.name])))


def text_verdict(
    site: Site,
    score: npt.NDArray[np.float64],
    kept: npt.NDArray[np.bool_],
    top: npt.NDArray[np.signedinteger[Any]],
    reason: Callable[[float], str],
    notes: tuple[str, ...] = (),
) -> NodeVerdict:
    """A verdict from one score, decision and top row of its block per text node (`site.text_rows`).

    Text nodes with the same top row and the same decision make one block; its score is the mean of theirs.
    """
    rows = site.text_rows
    node_score = np.zeros(site.n_nodes)
    node_kept = np.zeros(site.n_nodes, np.bool_)
    node_block = np.full(site.n_nodes, -1, np.int32)
    node_score[rows] = np.clip(score, 0.0, 1.0)
    node_kept[rows] = kept
    key, which = np.unique(np.asarray(top, np.int64) * 2 + kept, return_inverse=True)
    node_block[rows] = which
    block_score = np.bincount(which, node_score[rows], minlength=len(key)) / np.maximum(
        np.bincount(which, minlength=len(key)), 1
    )
    said: dict[float, str] = {}
    reasons = tuple(said[s] if s in said else said.setdefault(s, reason(s)) for s in np.round(block_score, 4).tolist())
    blocks = Blocks((key // 2).astype(np.int32), block_score, (key % 2).astype(np.bool_), reasons)
    return NodeVerdict(node_score, node_kept, node_block, blocks, notes)


def site_notes(site: Site, n_learned: int) -> tuple[str, ...]:
    """What a user should know when there was little to learn from."""
    if n_learned >= 2:
        return ()
    return (f"learned from {n_learned} page{'' if n_learned == 1 else 's'}: nothing can repeat, so all text is kept",)
