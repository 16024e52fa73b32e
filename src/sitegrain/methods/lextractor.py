"""L-Extractor: a linear support vector machine on block features, learned from labelled pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.arrays.svm import LinearSvm, fit_svm
from sitegrain.errors import ModelError, UsageError
from sitegrain.learned.files import load_state, loads_state, save_state
from sitegrain.methods.base import NodeModel, NodeVerdict
from sitegrain.methods.blockwise import (
    Bools,
    Floats,
    Ints,
    block_tags,
    block_verdict,
    blocks_of,
    occurrence_block,
    terms_of,
)
from sitegrain.methods.contentextractor import CUT_TAGS, NO_FEATURES
from sitegrain.partition import Partition, partitioner
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE, TAGS

KIND = "l-extractor"
SHIPPED = "l-extractor.json"
"""The model that is used when none was trained or loaded."""


class Example(NamedTuple):
    """Labelled pages of one site."""

    site: Site
    node_gold: Bools
    """Per row: a text node that is content."""
    pages: Sequence[int] | npt.NDArray[np.int64] | None = None
    """The pages that are labelled; None is all."""


@dataclass(frozen=True)
class BlockSet:
    """Blocks with their features and labels."""

    rows: sparse.csr_array
    is_content: Bools
    group: Ints
    """What must not be torn apart by cross-validation: the page, or the site when there are several."""


@dataclass
class LExtractor(NodeModel):
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
        largest_      the largest value of each feature
        cv_           accuracy, precision, recall and F of blocks out of fold, and the number of blocks

    Paper: Debnath, Mitra, Pal and Giles 2005, section 7. We differ in this: the hinge is squared, counts are
    logarithms (one page has 5 links and another 500), and folds keep a page, or a site if there are several,
    whole, so that no fold is tested on blocks of a page that it has seen.
    """

    name: ClassVar[str] = "l-extractor"

    partitioner: str = "section"
    c: float = 1.0
    n_folds: int = 5

    svm_: LinearSvm | None = field(default=None, init=False, repr=False, compare=False)
    largest_: Floats | None = field(default=None, init=False, repr=False, compare=False)
    cv_: dict[str, float] = field(default_factory=dict, init=False, repr=False)

    def learn(self, examples: Iterable[Example]) -> Self:
        """Train on labelled pages, with cross-validation."""
        blocks = self.block_set(examples)
        scores = cv_scores(blocks.is_content, self.cross_validate(blocks)) if self.n_folds > 1 else {}
        return self.train(blocks, scores)

    def train(self, blocks: BlockSet, scores: Mapping[str, float]) -> Self:
        """Train on blocks; `scores` are those of their cross-validation."""
        self.cv_ = dict(scores)
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
        if self.svm_ is None:
            shipped = self.shipped()
            if shipped.partitioner != self.partitioner:
                raise ModelError(
                    f"the model that comes with sitegrain cuts pages by {shipped.partitioner!r}, not "
                    f"{self.partitioner!r}: train one with LExtractor.learn"
                )
            self.svm_, self.largest_, self.cv_ = shipped.svm_, shipped.largest_, shipped.cv_
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge every block."""
        if self.svm_ is None or self.largest_ is None:
            raise ModelError("L-Extractor has learned nothing yet: call learn, or fit for the shipped model")
        partition = blocks_of(site, self.partitioner)
        rows = self._features(site, partition)
        distance = self.svm_.decide(_scaled(rows, self.largest_))
        has_text = np.bincount(partition.node_block[site.text_rows], minlength=len(partition)) > 0
        content = (distance > 0) & has_text & (site.nodes.tag[partition.block_node] != TAG_CODE["title"])
        reason = [f"{d:+.2f} from the plane" for d in distance.tolist()]
        # The logistic curve only maps distances to 0...1; it is no calibrated probability.
        score = 1 / (1 + np.exp(-np.clip(2 * distance, -30, 30)))
        score = np.where(content, np.maximum(score, 0.5), np.minimum(score, 0.5))
        return block_verdict(site, partition, score, content, reason, {"distance": distance})

    def save(self, path: Path | str) -> None:
        """Write what was learned."""
        if self.svm_ is None or self.largest_ is None:
            raise ModelError("L-Extractor has learned nothing yet: call learn before save")
        learned = {
            "tags": [TAGS[code] for code in self._tags()],
            "weight": self.svm_.weight,
            "bias": self.svm_.bias,
            "largest": self.largest_,
            "cv": self.cv_,
        }
        state = {"partitioner": self.partitioner, "c": self.c, "n_folds": self.n_folds, "learned": learned}
        save_state(path, KIND, state)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a saved model."""
        return cls._from_state(load_state(path, KIND), str(path))

    @classmethod
    def shipped(cls) -> Self:
        """The model that comes with the package (see docs/methods.md for its training data)."""
        file = resources.files("sitegrain.methods").joinpath("data", SHIPPED)
        return cls._from_state(loads_state(file.read_text("utf-8"), KIND, SHIPPED), SHIPPED)

    @classmethod
    def _from_state(cls, state: dict[str, Any], name: str) -> Self:
        try:
            learned = state.pop("learned")
            model = cls(**state)
            # Tags may be added to the tables later: what the model did not know has no weight.
            place = {tag: i + 1 for i, tag in enumerate(learned["tags"])}
            source = np.array([0] + [place.get(TAGS[code], -1) for code in model._tags()])
            weight, largest = learned["weight"], learned["largest"]
            if len(weight) != len(place) + 1 or len(largest) != len(place) + 1:
                raise ValueError("sizes differ")
            model.svm_ = LinearSvm(np.where(source >= 0, weight[source], 0.0), float(learned["bias"]))
            model.largest_ = np.where(source >= 0, largest[source], 0.0)
            model.cv_ = {str(k): float(v) for k, v in learned["cv"].items()}
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise ModelError(f"{name} is damaged: it is no complete L-Extractor model ({error!r})") from error
        return model

    def _tags(self) -> list[int]:
        if self.partitioner not in CUT_TAGS:
            partitioner(self.partitioner)  # says which ones there are
        skipped = {*CUT_TAGS[self.partitioner], *NO_FEATURES}
        return [code for code, name in enumerate(TAGS) if name not in skipped]

    def _features(self, site: Site, partition: Partition) -> sparse.csr_array:
        n_terms = np.bincount(occurrence_block(partition, terms_of(site)), minlength=len(partition))
        tags = block_tags(site, partition)[:, self._tags()]
        rows: sparse.csr_array = sparse.hstack((sparse.csr_array(n_terms[:, None].astype(float)), tags), format="csr")
        rows.data = np.log1p(rows.data)
        return rows

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
        features = self._features(site, partition)[mine]
        return BlockSet(features, (inside > 0.5 * total)[mine], partition.block_page[mine].astype(np.int64))

    def _train(self, rows: sparse.csr_array, is_content: Bools) -> tuple[LinearSvm, Floats]:
        largest = np.zeros(rows.shape[1])
        np.maximum.at(largest, rows.indices, rows.data)
        return fit_svm(_scaled(rows, largest), is_content, self.c), largest


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
