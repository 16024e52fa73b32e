"""InfoDiscoverer: the informative blocks of a page cluster, by the entropy of their terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.entropy import term_entropy
from sitegrain.arrays.threshold import Greedy, greedy_threshold
from sitegrain.arrays.types import Bools, Floats
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict
from sitegrain.methods.blockfeatures import without_site
from sitegrain.methods.blockwise import (
    block_entropy,
    block_terms,
    block_verdict,
    blocks_of,
    choose_pages,
    page_counts,
)
from sitegrain.partition import REFINEMENT, Partition, PartitionerName, merge, refine
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.terms import Terms, site_terms


@dataclass
class InfoDiscoverer(NodeMethod):
    """Blocks whose terms are spread over all pages are redundant, blocks with terms of their own informative.

    The entropy of a term says how evenly it is spread over the pages of a cluster, the entropy of a block is the
    mean over its term occurrences. The cut between the two kinds of block is found by the greedy rule:
    see `sitegrain.arrays.threshold.greedy_threshold`. It works because a template repeats its words on every
    page and an article does not.

    Parameters
        partitioner   how pages are cut: "section", "table" (the papers') or "getblockset"
        n_training    learn from so many pages of the cluster, drawn by `seed`; None is all (the papers use 10)
        step          step of the greedy threshold
        threshold     a fixed cut in place of the greedy one
        refines       cut blocks whose class is ambiguous (within one step of the cut) further, and merge neighbouring
                      parts of one block that come out alike ("generalisation", Lin and Ho 2002)
        numbers       keep terms that are only digits

    Learned
        threshold_    the cut
        greedy_       the evidence of the cut: terms gained at each step
        term_entropy_ entropy of every term that is on more than one page; others have 0
        n_pages_      number of different pages learned from

    A block without terms has no entropy and is redundant: nothing in it can tell one page from another. With
    one page (or only copies of one) there is no site evidence: K-FeatureExtractor judges instead, and the
    column `confidence` is 0. In general `confidence` is 1 - 1/n for n pages learned from.

    Paper: Lin and Ho 2002; Kao, Lin, Ho and Chen 2004, section 4.3. We differ in this: copies of a page
    count once, and the default partitioner knows pages without tables.
    """

    name: ClassVar[str] = "infodiscoverer"

    partitioner: PartitionerName = "section"
    n_training: int | None = None
    seed: int = 0
    step: float = 0.1
    threshold: float | None = None
    refines: bool = False
    numbers: bool = False

    threshold_: float = field(init=False, compare=False, repr=False)
    greedy_: Greedy = field(init=False, compare=False, repr=False)
    term_entropy_: dict[str, float] = field(init=False, compare=False, repr=False)
    n_pages_: int = field(init=False, compare=False, repr=False)
    language_: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.step <= 0.5:
            raise UsageError(f"the step of the threshold must be over 0 and at most 0.5, not {self.step}")
        if self.n_training is not None and self.n_training < 1:
            raise UsageError(f"at least one training page is needed, not {self.n_training}")

    def check(self) -> None:
        """Entropies are shares."""
        need(self.n_pages_ >= 0, "it learned from fewer pages than none")
        need(all(0 <= h <= 1 for h in self.term_entropy_.values()), "an entropy is not in 0...1")

    def fit(self, site: Site, pages: Sequence[int] | npt.NDArray[np.int64] | None = None) -> Self:
        """Learn term entropies and the cut from a cluster of pages (all pages when not given)."""
        terms = site_terms(site, self.numbers)
        self.language_ = terms.language
        chosen = choose_pages(site, pages, self.n_training, self.seed)
        self.n_pages_ = len(chosen)
        entropy = term_entropy(terms.page_term[chosen])
        self.term_entropy_ = {terms.vocabulary[i]: float(entropy[i]) for i in np.flatnonzero(entropy > 0)}
        partition = blocks_of(site, self.partitioner)
        mine = np.flatnonzero(np.isin(partition.block_page, chosen))
        values = block_entropy(partition, terms, entropy)[mine]
        self.greedy_ = greedy_threshold(
            values, block_terms(partition, terms)[mine], self.step, partition.block_page[mine]
        )
        self.threshold_ = self.greedy_.threshold if self.threshold is None else self.threshold
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge the pages of a site, those learned from or new ones of the same cluster."""
        self.need_fitted()
        if self.n_pages_ <= 1:
            return without_site(site, self.partitioner)
        terms = site_terms(site, self.numbers, self.language_)
        known = self.term_entropy_
        entropy = np.array([known.get(term, 0.0) for term in terms.vocabulary], np.float64)
        partition = blocks_of(site, self.partitioner)
        values = block_entropy(partition, terms, entropy)
        if self.refines:
            partition, values = self._refine(site, partition, terms, entropy, values)
        informative = self._is_informative(values)
        size = np.bincount(partition.node_block[site.text_rows], minlength=len(partition))
        reason = [
            _reason(float(h), yes, self.threshold_, int(s))
            for h, yes, s in zip(values.tolist(), informative.tolist(), size.tolist(), strict=True)
        ]
        evidence = {
            "entropy": values,
            "n_pages": page_counts(site, partition),
            "confidence": np.full(len(partition), 1 - 1 / self.n_pages_),
        }
        score = 1 - np.where(np.isnan(values), 1.0, values)
        return block_verdict(site, partition, score, informative, reason, evidence, self._notes(informative))

    def titles(self, site: Site, verdict: NodeVerdict) -> tuple[str, ...]:
        """A title per page: its TITLE, or the first sentence of its first informative block if TITLE is redundant.

        Sites that put the same TITLE on every page are common; the first sentence of an article is its headline.
        """
        blocks = verdict.blocks
        is_title = site.nodes.tag[blocks.node] == TAG_CODE["title"]
        page = site.nodes.page[blocks.node]
        out = list(site.pages.title)
        title_block = {int(page[b]): int(b) for b in np.flatnonzero(is_title)}
        rows = site.text_rows
        informative = (blocks.is_informative & ~is_title)[verdict.node_block[rows]]
        first_row: dict[int, int] = {}
        for row in rows[informative].tolist():
            first_row.setdefault(int(site.nodes.page[row]), row)
        for p in range(site.n_pages):
            block = title_block.get(p)
            if (block is None or not blocks.is_informative[block]) and p in first_row:
                out[p] = first_sentence(site.node_text(first_row[p]))
        return tuple(out)

    def _is_informative(self, values: Floats) -> Bools:
        return np.asarray(~np.isnan(values) & (values <= self.threshold_ + 1e-9))

    def _refine(
        self, site: Site, partition: Partition, terms: Terms, entropy: Floats, values: Floats
    ) -> tuple[Partition, Floats]:
        """The second phase: blocks close to the cut are cut by TR, TD and the other tags while they stay close."""
        whole = partition
        for tags in REFINEMENT:
            # One step to either side: the class of such a block hangs on the grid of the greedy rule.
            close = ~np.isnan(values) & (np.abs(values - self.threshold_) <= self.step)
            if not close.any():
                break
            partition = refine(site, partition, close, tags)
            values = block_entropy(partition, terms, entropy)
        partition = self._generalised(site, whole, partition, values)
        return partition, block_entropy(partition, terms, entropy)

    def _generalised(self, site: Site, whole: Partition, partition: Partition, values: Floats) -> Partition:
        """Neighbouring parts of one block that are of the same class are one block again."""
        if not len(partition):
            return partition
        rows = np.flatnonzero(partition.row_block >= 0)
        origin = np.zeros(len(partition), np.int64)
        origin[partition.row_block[rows]] = whole.row_block[rows]
        informative = self._is_informative(values)
        new = np.ones(len(partition), bool)
        new[1:] = (origin[1:] != origin[:-1]) | (informative[1:] != informative[:-1])
        group = np.cumsum(new) - 1
        alone = np.bincount(group)[group] == 1
        top = np.where(alone, partition.block_node, whole.block_node[origin]).astype(np.int32)
        return merge(site, partition, group, top)

    def _notes(self, informative: Bools) -> tuple[str, ...]:
        notes = []
        if not self.greedy_.is_flat and self.threshold is None:
            notes.append(f"no step of the threshold was flat: the cut is the last one below 1 ({self.threshold_:g})")
        if len(informative) and not informative.any():
            notes.append("no block is informative: the pages have the same terms")
        return tuple(notes)


def _reason(entropy: float, informative: bool, threshold: float, n_texts: int) -> str:
    if entropy != entropy:  # NaN: no terms
        return "no terms" if n_texts else "no text"
    side = "at most" if informative else "over"
    return f"term entropy {entropy:.2f}, {side} {threshold:g}"


def first_sentence(text: str) -> str:
    """The first sentence of a text, or its first 120 characters at a word's end when it has none.

    >>> first_sentence(" Storm hits coast.  Thousands flee. ")
    'Storm hits coast.'
    """
    folded = " ".join(text.split())
    for i, char in enumerate(folded):
        if char in "。！？":
            return folded[: i + 1]
        if char in ".!?" and (i + 1 == len(folded) or folded[i + 1] == " "):
            return folded[: i + 1]
    return folded if len(folded) <= 120 else folded[:120].rsplit(" ", 1)[0]
