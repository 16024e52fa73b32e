"""L-Extractor: a linear support vector machine on block features, learned from labelled pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.svm import LinearSvm, fit_svm
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.files import loads_model
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict
from sitegrain.methods.blockwise import block_tags, block_verdict, blocks_of, feature_tags, occurrence_block
from sitegrain.partition import Partition, PartitionerName
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.terms import site_terms

SHIPPED = "l-extractor.json"
"""The model that is used when none was trained or loaded."""


class Example(NamedTuple):
    """Labelled pages of one site."""

    site: Site
    node_gold: Bools
    """Per row: a text node that is content."""
    pages: Sequence[int] | npt.NDArray[np.int64] | None = None
    """The pages that are labelled; None is all."""


@dataclass(frozen=True, eq=False)
class BlockSet:
    """Blocks with their features and labels."""

    rows: sparse.csr_array
    is_content: Bools
    group: Ints64
    """What must not be torn apart by cross-validation: the page, or the site when there are several."""


@dataclass
class LExtractor(NodeMethod):
    """A block is content if it lies on the content side of a plane in the space of block features.

    Features are the counts of all tags that pages are not cut at and the number of terms, as log(1 + count)
    divided by its largest value in training. Learn with `learn`; a model trained on labelled sites comes with the
    package and is used otherwise. One page is enough to judge.

    Parameters
        partitioner   how pages are cut
        c             cost of an example on the wrong side (1 in the paper)
        n_folds       folds of the cross-validation (5 in the paper)

    Learned
        svm_          the plane
        tags_         the tags that are counted: those of the tables when it was trained
        largest_      the largest value of each feature
        cv_           accuracy, precision, recall and F of blocks out of fold, and the number of blocks

    Paper: Debnath, Mitra, Pal and Giles 2005, section 7. We differ in this: the hinge is squared, counts are
    logarithms (one page has 5 links and another 500), and folds keep a page, or a site if there are several,
    whole, so that no fold is tested on blocks of a page that it has seen.
    """

    name: ClassVar[str] = "l-extractor"

    partitioner: PartitionerName = "section"
    c: float = 1.0
    n_folds: int = 5

    svm_: LinearSvm = field(init=False, compare=False, repr=False)
    tags_: tuple[str, ...] = field(init=False, compare=False, repr=False)
    largest_: Floats = field(init=False, compare=False, repr=False)
    cv_: dict[str, float] = field(init=False, compare=False, repr=False)

    def check(self) -> None:
        """The plane must fit its features."""
        need(all(tag in TAG_CODE for tag in self.tags_), "a tag is unknown")
        need(len(self.svm_.weight) == len(self.largest_) == 1 + len(self.tags_), "the plane does not fit its features")

    def learn(self, examples: Iterable[Example]) -> Self:
        """Train on labelled pages, with cross-validation."""
        blocks = self.block_set(examples)
        scores = cv_scores(blocks.is_content, self.cross_validate(blocks)) if self.n_folds > 1 else {}
        return self.train(blocks, scores)

    def train(self, blocks: BlockSet, scores: Mapping[str, float]) -> Self:
        """Train on blocks; `scores` are those of their cross-validation."""
        self.cv_, self.tags_ = dict(scores), tuple(feature_tags(self.partitioner))
        self.svm_, self.largest_ = self._train(blocks.rows, blocks.is_content)
        return self

    def block_set(self, examples: Iterable[Example]) -> BlockSet:
        """The blocks of labelled pages; a block is content if over half of its text is."""
        given = list(examples)
        parts = [self._labelled(example) for example in given]
        if not parts or not any(len(p.is_content) for p in parts):
            raise UsageError("L-Extractor learns from labelled pages, and there is none with a block")
        blocks = parts[0] if len(parts) == 1 else join_blocks(parts)
        for label, word in ((True, "content"), (False, "anything but content")):
            if not (blocks.is_content == label).any():
                raise UsageError(
                    f"no labelled block is {word}: L-Extractor needs blocks of both kinds "
                    "(are these the labels of these pages?)"
                )
        return blocks

    def cross_validate(self, blocks: BlockSet) -> Bools:
        """Out-of-fold verdict per block."""
        found = np.zeros(len(blocks.is_content), bool)
        _, group = np.unique(blocks.group, return_inverse=True)
        n_folds = min(self.n_folds, int(group.max()) + 1)
        if n_folds < 2:
            return blocks.is_content.copy()
        for fold in range(n_folds):
            test = group.reshape(-1) % n_folds == fold
            known = blocks.is_content[~test]
            if known.all() or not known.any():
                found[test] = bool(known.all())
                continue
            svm, largest = self._train(blocks.rows[np.flatnonzero(~test)], known)
            found[test] = svm.decide(_scaled(blocks.rows[np.flatnonzero(test)], largest)) > 0
        return found

    def fit(self, site: Site) -> Self:
        """Nothing to learn from a site without labels; the shipped model is taken if there is no other."""
        if not self.is_fitted:
            shipped = self.shipped()
            if shipped.partitioner != self.partitioner:
                raise ModelError(
                    f"the model that comes with sitegrain cuts pages by {shipped.partitioner!r}, not "
                    f"{self.partitioner!r}: train one with LExtractor.learn"
                )
            self.svm_, self.tags_, self.largest_, self.cv_ = shipped.svm_, shipped.tags_, shipped.largest_, shipped.cv_
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every block."""
        self.need_fitted()
        partition = blocks_of(site, self.partitioner)
        rows = _features(site, partition, self.tags_)
        distance = self.svm_.decide(_scaled(rows, self.largest_))
        has_text = np.bincount(partition.node_block[site.text_rows], minlength=len(partition)) > 0
        content = (distance > 0) & has_text & (site.nodes.tag[partition.block_node] != TAG_CODE["title"])
        reason = [f"{d:+.2f} from the plane" for d in distance.tolist()]
        # The logistic curve only maps distances to 0...1; it is no calibrated probability.
        score = 1 / (1 + np.exp(-np.clip(2 * distance, -30, 30)))
        score = np.where(content, np.maximum(score, 0.5), np.minimum(score, 0.5))
        return block_verdict(site, partition, score, content, reason, {"distance": distance})

    @classmethod
    def shipped(cls) -> Self:
        """The model that comes with the package (see docs/methods.md for its training data)."""
        file = resources.files("sitegrain.methods").joinpath("data", SHIPPED)
        return loads_model(file.read_text("utf-8"), cls.name, cls, SHIPPED)

    def _labelled(self, example: Example) -> BlockSet:
        site, gold, pages = example
        if len(gold) != site.n_nodes:
            raise UsageError(f"one label per node is needed: {site.n_nodes:,} nodes, {len(gold):,} labels")
        partition = blocks_of(site, self.partitioner)
        rows = site.text_rows
        size = (site.nodes.text_end - site.nodes.text_start)[rows].astype(np.float64)
        block = partition.node_block[rows]
        total = np.bincount(block, size, minlength=len(partition))
        inside = np.bincount(block, size * gold[rows], minlength=len(partition))
        used = (total > 0) & (site.nodes.tag[partition.block_node] != TAG_CODE["title"])
        if pages is not None:
            used &= np.isin(partition.block_page, np.asarray(pages))
        mine = np.flatnonzero(used)
        features = _features(site, partition, feature_tags(self.partitioner))[mine]
        return BlockSet(features, (inside > 0.5 * total)[mine], partition.block_page[mine].astype(np.int64))

    def _train(self, rows: sparse.csr_array, is_content: Bools) -> tuple[LinearSvm, Floats]:
        largest = np.zeros(rows.shape[1])
        np.maximum.at(largest, rows.indices, rows.data)
        return fit_svm(_scaled(rows, largest), is_content, self.c), largest


def _features(site: Site, partition: Partition, tags: Sequence[str]) -> sparse.csr_array:
    """Blocks x (number of terms, count of each tag), as logarithms."""
    n_terms = np.bincount(occurrence_block(partition, site_terms(site)), minlength=len(partition))
    counts = block_tags(site, partition)[:, [TAG_CODE[name] for name in tags]]
    rows: sparse.csr_array = sparse.hstack((sparse.csr_array(n_terms[:, None].astype(float)), counts), format="csr")
    rows.data = np.log1p(rows.data)
    return rows


def join_blocks(sets: Sequence[BlockSet]) -> BlockSet:
    """The blocks of several sites; the group of a block is its site."""
    rows: sparse.csr_array = sparse.vstack([s.rows for s in sets], format="csr")
    group = np.repeat(np.arange(len(sets)), [len(s.is_content) for s in sets])
    return BlockSet(rows, np.concatenate([s.is_content for s in sets]), group)


def _scaled(rows: sparse.csr_array, largest: Floats) -> sparse.csr_array:
    """Each value as a share of the largest in training; a feature that training never saw is dropped."""
    out = rows.copy()
    safe = np.where(largest > 0, largest, 1.0)
    out.data = np.where(largest[out.indices] > 0, out.data / safe[out.indices], 0.0)
    return out


def cv_scores(true: Bools, found: Bools) -> dict[str, float]:
    """Accuracy, precision, recall and F of blocks.

    >>> cv_scores(np.array([True, True, False, False]), np.array([True, False, False, False]))["precision"]
    1.0
    """
    both = float((true & found).sum())
    precision = both / max(1.0, float(found.sum()))
    recall = both / max(1.0, float(true.sum()))
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return {
        "accuracy": float((true == found).mean()),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "n_blocks": float(len(true)),
    }
