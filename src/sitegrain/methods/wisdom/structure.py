"""What WISDOM finds: the blocks of a page and how they hang together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import topmost
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.methods.wisdom.evidence import WisdomEvidence
from sitegrain.methods.wisdom.search import Structure, reduced_tree
from sitegrain.tables.site import Site

BlockType = Literal["article", "toc"]


@dataclass(frozen=True)
class TypedBlocks:
    """What WISDOM finds of one type on all pages of a site; arrays are per row of the node table."""

    type: BlockType
    total: npt.NDArray[Any]
    """The aggregate that the search went by (per page API or ALEN for TOC blocks)."""
    sii: Floats
    fits: Bools
    """The row meets the type constraint."""
    skeleton: Ints64
    """Rows that the search found, page by page, largest first."""
    block: Bools
    """Top rows of the kept blocks after merging."""
    kept: Bools
    """Rows of the blocks that condensing left."""


@dataclass(frozen=True)
class StructureNode:
    """A node of the informative structure of a page."""

    parent: int
    """Which node of the page it hangs on, or -1."""
    kind: str
    """`article`, `toc`, `article+toc`, or empty where branches meet."""
    tag: str
    text: str
    """How the text of a block begins."""


@dataclass(frozen=True)
class InformativeStructure:
    """The result of WISDOM for a site: kept blocks of both types, and how they hang together."""

    site: Site
    evidence: WisdomEvidence
    article: TypedBlocks
    toc: TypedBlocks
    page_uses_alen: Bools
    """Pages where most anchors have API 0, so that ALEN stands in for API."""
    _tree: dict[str, Structure] = field(default_factory=dict, repr=False)

    def blocks(self, type: BlockType) -> TypedBlocks:
        """The blocks of one type."""
        return self.article if type == "article" else self.toc

    @property
    def tree(self) -> Structure:
        """The blocks of both types and the rows where they meet, all pages, as one reduced forest."""
        if "both" not in self._tree:
            roots = topmost(self.article.block | self.toc.block, self.site.nodes.end)
            self._tree["both"] = reduced_tree(self.evidence.tree, roots)
        return self._tree["both"]

    def page_outline(self, page: int) -> list[StructureNode]:
        """The informative structure of a page, in document order."""
        rows = self.site.page_rows(page)
        tree = self.tree
        first, last = np.searchsorted(tree.node, [rows.start, rows.stop]).tolist()
        out = []
        for i in range(first, last):  # a loop over what is shown
            row = int(tree.node[i])
            kind = "+".join(b.type for b in (self.article, self.toc) if b.block[row])
            text = " ".join(self.site.node_text(row).split())[:60] if kind else ""
            out.append(StructureNode(max(int(tree.parent[i]) - first, -1), kind, self.site.tag_name(row), text))
        return out
