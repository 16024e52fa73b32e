"""Origin: no cleaning at all, the floor that every method is measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from sitegrain.methods.base import NodeModel, NodeVerdict
from sitegrain.methods.verdicts import text_verdict
from sitegrain.tables.site import Site


@dataclass
class Origin(NodeModel):
    """Keep every text node.

    Paper: the row "Origin" of the site style tree with sentences (results before cleaning).
    """

    name: ClassVar[str] = "origin"

    def fit(self, site: Site) -> Self:
        """Nothing to learn."""
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Every text node is kept."""
        top = site.pages.node_offset[:-1][site.nodes.page[site.text_rows]]
        score = np.ones(len(site.text_rows))
        return text_verdict(site, score, score > 0, top, lambda block: "no cleaning")
