"""What the block methods share: terms and elements per block, and the verdict made from blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.models.base import Blocks, NodeVerdict
from sitegrain.partition import Partition
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAGS
from sitegrain.tables.terms import Terms

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def occurrence_block(partition: Partition, terms: Terms) -> npt.NDArray[np.int32]:
    """Per term occurrence: the block it is in."""
    return np.repeat(partition.node_block, np.diff(terms.node_offset))


def block_terms(partition: Partition, terms: Terms) -> sparse.csr_array:
    """Blocks x terms: how often each term occurs in each block."""
    where = occurrence_block(partition, terms)
    shape = (len(partition), len(terms.vocabulary))
    counts = sparse.csr_array((np.ones(len(where)), (where, terms.ids)), shape=shape)
    counts.sum_duplicates()
    counts.sort_indices()
    return counts


def block_entropy(partition: Partition, terms: Terms, entropy: Floats) -> Floats:
    """Mean entropy of the term occurrences of each block; NaN for a block without terms."""
    where = occurrence_block(partition, terms)
    size = np.bincount(where, minlength=len(partition))
    total = np.bincount(where, entropy[terms.ids], minlength=len(partition))
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)


def block_tags(site: Site, partition: Partition) -> sparse.csr_array:
    """Blocks x tags: how many elements of each tag lie in each block, its own top included."""
    rows = np.flatnonzero((partition.row_block >= 0) & ~site.is_text)
    shape = (len(partition), len(TAGS))
    where = (partition.row_block[rows], site.nodes.tag[rows].astype(np.int32))
    counts = sparse.csr_array((np.ones(len(rows)), where), shape=shape)
    counts.sum_duplicates()
    return counts


def page_keys(site: Site) -> list[str]:
    """One key per page, equal for pages with the same text: copies of a page are no further evidence."""
    return [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        for text in site.texts
    ]


def choose_pages(
    site: Site, pages: Sequence[int] | None, n_training: int | None, seed: int
) -> npt.NDArray[np.int64]:
    """The pages to learn from: the cluster (or all) without copies, or `n_training` of them drawn by seed."""
    cluster = np.arange(site.n_pages) if pages is None else np.unique(np.asarray(pages, np.int64))
    keys = page_keys(site)
    first: dict[str, int] = {}
    for page in cluster.tolist():
        first.setdefault(keys[page], page)
    chosen = np.array(sorted(first.values()), np.int64)
    if n_training is not None and n_training < len(chosen):
        chosen = np.sort(np.random.default_rng(seed).choice(chosen, n_training, replace=False))
    return chosen


def block_verdict(
    site: Site,
    partition: Partition,
    score: Floats,
    is_informative: Bools,
    reason: Sequence[str],
    evidence: Mapping[str, npt.NDArray[Any]],
    notes: Sequence[str] = (),
) -> NodeVerdict:
    """A verdict per text node from a verdict per block."""
    rows = site.text_rows
    node_score = np.zeros(site.n_nodes)
    node_kept = np.zeros(site.n_nodes, bool)
    node_score[rows] = np.clip(score, 0, 1)[partition.node_block[rows]]
    node_kept[rows] = is_informative[partition.node_block[rows]]
    return NodeVerdict(
        node_score=node_score,
        node_kept=node_kept,
        node_block=partition.node_block,
        blocks=Blocks(partition.block_node, np.clip(score, 0, 1), is_informative, tuple(reason), dict(evidence)),
        notes=tuple(notes),
    )
