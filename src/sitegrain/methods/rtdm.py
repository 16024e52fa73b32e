"""RTDM (Reis et al. 2004, Vieira et al. 2006): templates by restricted top-down mapping of pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from sitegrain.arrays.treedistance import Mapper, Tree
from sitegrain.arrays.types import Ints64 as Int64
from sitegrain.errors import UsageError
from sitegrain.methods.base import NodeVerdict
from sitegrain.methods.labels import text_labels
from sitegrain.methods.saving import SavedFields, need
from sitegrain.methods.verdicts import site_notes, text_verdict
from sitegrain.tables.site import Site


@dataclass
class Rtdm(SavedFields):
    """What a handful of pages have in common, laid on each other from the root down, is template.

    Parameters
    ----------
    sample: pages that the template is learned from (10; a handful in the paper).
    seed: chooses them.

    Learned: `template_`, the part of the first sample page that every other one has too.

    Paper: Vieira et al., "A fast and robust method for web page template detection and removal", 2006, on the
    mapping of Reis et al. 2004. The label of an element is its tag, of a text node its text. Mapping page after
    page onto the template, only nodes mapped to a node of the same label stay in it. On a page, text that maps
    to the same text of the template is dropped.
    """

    name: ClassVar[str] = "rtdm"
    sample: int = 10
    seed: int = 0
    template_: Tree | None = field(default=None, repr=False)
    n_learned_: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if self.sample < 2:
            raise UsageError("rtdm needs a sample of at least 2 pages")

    def _state(self) -> dict[str, Any]:
        tree = self.template_
        learned = None if tree is None else {"label": tree.label_hash, "parent": tree.parent}
        return {"sample": self.sample, "seed": self.seed, "n_learned": self.n_learned_, "template": learned}

    @classmethod
    def _restore(cls, state: dict[str, Any]) -> Self:
        model = cls(int(state["sample"]), int(state["seed"]), None, int(state["n_learned"]))
        if (learned := state["template"]) is not None:
            label, parent = learned["label"], learned["parent"]
            need(label.dtype == np.uint64 and parent.dtype == np.int64, "the template is no tree")
            need(label.shape == parent.shape and label.ndim == 1 and len(label) > 0, "the template is no tree")
            need(_is_preorder(parent), "the template is no tree")
            model.template_ = Tree.build(label, parent)
        return model

    def fit(self, site: Site) -> Self:
        """Map a sample of pages onto each other, one after the other."""
        self.template_, self.n_learned_ = None, min(self.sample, site.n_pages)
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
        self.template_ = template
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Drop the text of each page that maps to the template."""
        rows = site.text_rows
        is_template = np.zeros(site.n_nodes, np.bool_)
        if self.template_ is not None:
            labels = text_labels(site)
            mapper = Mapper()
            for page in range(site.n_pages):
                start = int(site.pages.node_offset[page])
                if start < site.pages.node_offset[page + 1]:
                    same = mapper.same_labels(self.template_, page_tree(site, labels, page))
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


def _is_preorder(parent: Int64) -> bool:
    """Is every row but the first below the row before it, or below one of that row's ancestors?"""
    way: list[int] = []
    for row, up in enumerate(parent.tolist()):
        while way and way[-1] != up:
            way.pop()
        if (up >= 0) != bool(way) or (up < 0 and row > 0):
            return False
        way.append(row)
    return True


def page_tree(site: Site, labels: np.ndarray[tuple[int], np.dtype[np.uint64]], page: int) -> Tree:
    """One page as a tree of labels."""
    rows = site.page_rows(page)
    parent: Int64 = np.asarray(site.nodes.parent[rows], np.int64)
    return Tree.build(labels[rows], np.where(parent >= 0, parent - rows.start, -1))
