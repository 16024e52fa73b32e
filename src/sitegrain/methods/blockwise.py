"""What the block methods share: terms and elements per block, and the verdict made from blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.methods.base import Blocks, NodeVerdict
from sitegrain.partition import BOXES, LIST_BOXES, PANELS, TAG_SET, Partition, partitioner
from sitegrain.partition import blocks_of as blocks_of
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import TAGS
from sitegrain.text.terms import Terms


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


CUT_TAGS: dict[str, tuple[str, ...]] = {
    "section": BOXES,
    "section-fine": BOXES,
    "section-coarse": BOXES,
    "list": LIST_BOXES,
    "panel": PANELS,
    "table": ("table", "td", "th", "tr"),
    "getblockset": TAG_SET,
}
"""What each partitioner cuts at: these tags are no features of a block."""

NO_FEATURES = ("#text", "body", "head", "html", "title")


def feature_tags(cut_by: str) -> list[str]:
    """The tags whose counts say something of a block: all that pages are not cut at."""
    partitioner(cut_by)  # says which ones there are
    skipped = {*CUT_TAGS[cut_by], *NO_FEATURES}
    return [name for name in TAGS if name not in skipped]


def block_text_group(site: Site, partition: Partition) -> Ints64:
    """Per block: a number that blocks with the same texts in the same order share.

    The texts of a block are hashed to 64 bits with their positions; a block without text has 0.
    """
    rows = site.text_rows
    block = partition.node_block[rows]
    order = np.argsort(block, kind="stable")
    block, text = block[order], site.text_id[rows][order]
    first = np.searchsorted(block, np.arange(len(partition)))
    place = (np.arange(len(block)) - first[block]).astype(np.uint64) if len(block) else np.zeros(0, np.uint64)
    mixed = _mix(text.astype(np.uint64) + np.uint64(1) + place * np.uint64(0x9E3779B97F4A7C15))
    total = np.zeros(len(partition), np.uint64)
    np.add.at(total, block, mixed)
    return total.view(np.int64)


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    # The finalizer of splitmix64: every bit of the input changes half of the bits of the output.
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def page_counts(site: Site, partition: Partition) -> Ints64:
    """Per block: on how many pages a block with the same text stands, its own page included."""
    _, group = np.unique(block_text_group(site, partition), return_inverse=True)
    group = group.reshape(-1)
    pairs = distinct(group * np.int64(max(site.n_pages, 1)) + partition.block_page)
    return np.bincount(pairs // max(site.n_pages, 1))[group] if len(group) else np.zeros(0, np.int64)


def page_keys(site: Site) -> list[str]:
    """One key per page, equal for pages with the same text: copies of a page are no further evidence."""
    return [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest() for text in site.texts]


def choose_pages(site: Site, pages: Sequence[int] | Ints64 | None, n_training: int | None, seed: int) -> Ints64:
    """The pages to learn from: the cluster (or all) without copies, or `n_training` of them drawn by seed."""
    cluster = np.arange(site.n_pages) if pages is None else distinct(np.asarray(pages, np.int64))
    keys = page_keys(site)
    first: dict[str, int] = {}
    for page in cluster.tolist():
        first.setdefault(keys[page], page)
    chosen = np.array(sorted(first.values()), np.int64)
    if n_training is not None and n_training < len(chosen):
        chosen = np.sort(np.random.default_rng(seed).choice(chosen, n_training, replace=False))
    return chosen


def unseen(site: Site, tags: Sequence[str] = ("head", "noscript", "template", "title")) -> Bools:
    """Rows that a reader does not see: inside these elements, or hidden by the page."""
    hidden = np.flatnonzero(site.nodes.flags & HIDDEN)
    tops = np.concatenate([site.rows(*tags), hidden])
    # +1 where an unseen subtree starts, -1 behind its end: the running sum counts the unseen ancestors.
    change = np.zeros(site.n_nodes + 1, np.int64)
    np.add.at(change, tops, 1)
    np.add.at(change, site.nodes.end[tops], -1)
    return np.asarray(np.cumsum(change[:-1]) > 0)


def block_verdict(
    site: Site,
    partition: Partition,
    score: Floats,
    is_informative: Bools,
    reason: Sequence[str],
    evidence: Mapping[str, npt.NDArray[Any]],
    notes: Sequence[str] = (),
) -> NodeVerdict:
    """A verdict per text node from a verdict per block; text that a reader does not see is never kept."""
    rows = site.text_rows
    node_score = np.zeros(site.n_nodes)
    node_kept = np.zeros(site.n_nodes, bool)
    node_score[rows] = np.clip(score, 0, 1)[partition.node_block[rows]]
    node_kept[rows] = is_informative[partition.node_block[rows]]
    node_kept &= ~unseen(site)
    return NodeVerdict(
        node_score=node_score,
        node_kept=node_kept,
        node_block=partition.node_block,
        blocks=Blocks(partition.block_node, np.clip(score, 0, 1), is_informative, tuple(reason), dict(evidence)),
        notes=tuple(notes),
    )
