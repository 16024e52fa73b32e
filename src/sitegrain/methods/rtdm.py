"""RTDM (Reis et al. 2004, Vieira et al. 2006): templates by restricted top-down mapping of pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from sitegrain.arrays.trees.treedistance import LabelTree, Mapper
from sitegrain.arrays.types import Hashes, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict, site_notes, text_verdict
from sitegrain.methods.labels import text_labels
from sitegrain.tables.site import Site


@dataclass
class Rtdm(NodeMethod):
    """What a handful of pages have in common, laid on each other from the root down, is template.

    Parameters
    ----------
    sample: pages that the template is learned from (10; a handful in the paper).
    seed: chooses them.

    Learned: `label_` and `parent_`, the part of the first sample page that every other one has too, as a tree; nothing
    when there is no other.

    Paper: Vieira et al., "A fast and robust method for web page template detection and removal", 2006, on the
    mapping of Reis et al. 2004. The label of an element is its tag, of a text node its text. Mapping page after
    page onto the template, only nodes mapped to a node of the same label stay in it. On a page, text that maps
    to the same text of the template is dropped.
    """

    name: ClassVar[str] = "rtdm"
    sample: int = 10
    seed: int = 0
    label_: Hashes = field(init=False, compare=False, repr=False)
    parent_: Ints64 = field(init=False, compare=False, repr=False)
    n_learned_: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sample < 2:
            raise UsageError("rtdm needs a sample of at least 2 pages")

    def check(self) -> None:
        """The template must be a tree."""
        need(len(self.label_) == len(self.parent_) and _is_preorder(self.parent_), "the template is no tree")

    def fit(self, site: Site) -> Self:
        """Map a sample of pages onto each other, one after the other."""
        self.label_, self.parent_ = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        self.n_learned_ = min(self.sample, site.n_pages)
        if site.n_pages < 2:
            return self
        pages = np.random.default_rng(self.seed).permutation(site.n_pages)[: self.sample]
        labels = text_labels(site)
        template = page_tree(site, labels, int(pages[0]))
        mapper = Mapper()
        for page in pages[1:].tolist():
            other = page_tree(site, labels, page)
            same = mapper.same_labels(template, other)
            template = template.keep(same[:, 0])
        self.label_, self.parent_ = template.label_hash, template.parent
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Drop the text of each page that maps to the template."""
        self.need_fitted()
        rows = site.text_rows
        is_template = np.zeros(site.n_nodes, np.bool_)
        if len(self.label_):
            labels = text_labels(site)
            template, mapper = LabelTree.build(self.label_, self.parent_), Mapper()
            for page in range(site.n_pages):
                start = int(site.pages.node_offset[page])
                if start < site.pages.node_offset[page + 1]:
                    same = mapper.same_labels(template, page_tree(site, labels, page))
                    is_template[start + same[:, 1]] = True
        kept = ~is_template[rows]
        return text_verdict(
            site,
            kept.astype(np.float64),
            kept,
            np.maximum(site.nodes.parent[rows], 0),
            lambda s: "not in the template" if s > 0.5 else "maps to the template",
            site_notes(site, self.n_learned_),
        )


def _is_preorder(parent: Ints64) -> bool:
    """Is every row but the first below the row before it, or below one of that row's ancestors?"""
    way: list[int] = []
    for row, up in enumerate(parent.tolist()):
        while way and way[-1] != up:
            way.pop()
        if (up >= 0) != bool(way) or (up < 0 and row > 0):
            return False
        way.append(row)
    return True


def page_tree(site: Site, labels: Hashes, page: int) -> LabelTree:
    """One page as a tree of labels."""
    rows = site.page_rows(page)
    parent: Ints64 = np.asarray(site.nodes.parent[rows], np.int64)
    return LabelTree.build(labels[rows], np.where(parent >= 0, parent - rows.start, -1))
