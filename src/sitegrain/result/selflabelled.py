"""The sentence style tree where nobody has labelled a page: another method labels some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools
from sitegrain.methods.registry import make_method
from sitegrain.methods.sst.method import SentenceTree
from sitegrain.tables.site import Site


@dataclass
class SelfLabelledTree(SentenceTree):
    """SentenceTree whose thresholds are learned from pages that another method has labelled.

    The other method judges each page; the tree keeps what is so in most pages at each place of the template, so that single
    mistakes of the labels are outvoted.

    Parameters, with those of SentenceTree (`phrases`, `rare_share`, `language`, `per_node`, `labels`)
    ----------
    label_by: the method that labels: what ships ("default"), or "wisdom".
    n_labelled: pages that are labelled, drawn by `seed` (100, as in the paper).

    Labels that are given (`labels`) go before those of the method. Paper: "Discovering informative contents of Web pages",
    WAIM 2014, section 4.4, where people label the pages.
    """

    name: ClassVar[str] = "sst-self"
    label_by: Literal["default", "wisdom", "wisdom-tuned"] = "default"
    n_labelled: int = 100
    seed: int = 0

    def fit(
        self,
        site: Site,
        node_gold: Bools | None = None,
        labelled_pages: npt.NDArray[np.signedinteger[Any]] | None = None,
    ) -> Self:
        """Learn from the labels that are given, or else from those of the other method."""
        if node_gold is None and self.labels is None and site.n_pages:
            node_gold = make_method(self.label_by).fit_apply(site).node_kept
            has = np.unique(site.nodes.page[node_gold])
            n = min(self.n_labelled, len(has))
            labelled_pages = np.sort(np.random.default_rng(self.seed).choice(has, n, replace=False)) if n else has
            if not n:
                node_gold = None
        return super().fit(site, node_gold, labelled_pages)
