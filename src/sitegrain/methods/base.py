"""What every method gives: a page model judges pages, a node model judges text nodes, both with evidence.

A fitted model may judge other pages than those it learned from, so a verdict is a value that `apply`
returns and not an attribute that `fit` leaves behind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain.errors import UsageError
from sitegrain.tables.site import Site

ROLES = ("other", "toc", "article")
OTHER, TOC, ARTICLE = range(3)


@dataclass(frozen=True)
class Blocks:
    """The blocks a verdict speaks of, one row each."""

    node: npt.NDArray[np.int32]
    """Top row of the block: its path is the path of this row."""
    score: npt.NDArray[np.float64]
    is_informative: npt.NDArray[np.bool_]
    reason: Sequence[str]
    """In words, for people: "on 96% of pages", "term entropy 0.93"."""
    evidence: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    """More columns, by name: entropy, n_pages, cii, api, ..."""

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True)
class NodeVerdict:
    """What a node model says of every text node of a site."""

    node_score: npt.NDArray[np.float64]
    """Per row, 0...1: how informative; rows that are no text nodes are 0."""
    node_kept: npt.NDArray[np.bool_]
    """Per row: True for the text nodes that are content."""
    node_block: npt.NDArray[np.int32]
    """Per row: which row of `blocks` it belongs to; -1 for rows that are no text nodes."""
    blocks: Blocks
    notes: tuple[str, ...] = ()
    """What the user should know ("one page only: no site evidence")."""
    page_type: Sequence[str] = ()
    """Per page: article, forum, product, ...; empty when the method does not tell types."""


@dataclass(frozen=True)
class PageVerdict:
    """What a page model says of every page of a site."""

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


class NodeModel(ABC):
    """A method that says which text nodes carry information.

    Subclasses are dataclasses whose fields are the parameters. `fit` learns from all pages of a site and
    returns itself; `apply` judges the pages of a site (the same or new pages of it).
    """

    name: ClassVar[str]

    @abstractmethod
    def fit(self, site: Site) -> Self:
        """Learn from all pages of a site."""

    @abstractmethod
    def apply(self, site: Site) -> NodeVerdict:
        """Judge every text node of a site."""

    def fit_apply(self, site: Site) -> NodeVerdict:
        """Learn from a site and judge it."""
        return self.fit(site).apply(site)

    def save(self, path: Path | str) -> None:
        """Write what was learned to a file, to judge later pages of the site with."""
        raise UsageError(f"the method {self.name!r} has no model to save")

    @classmethod
    def load(cls, path: Path | str) -> NodeModel:
        """Read a model that `save` wrote."""
        raise UsageError(f"the method {cls.name!r} takes no model file")


class PageModel(ABC):
    """A method that says what the role of every page is."""

    name: ClassVar[str]

    @abstractmethod
    def rank(self, site: Site) -> PageVerdict:
        """Judge every page of a site."""
