"""From an opinion on text nodes to the verdict that every node model gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.methods.base import Blocks, NodeVerdict
from sitegrain.tables.site import Site


def text_verdict(
    site: Site,
    score: npt.NDArray[np.float64],
    kept: npt.NDArray[np.bool_],
    top: npt.NDArray[np.signedinteger[Any]],
    reason: Callable[[float], str],
    notes: tuple[str, ...] = (),
) -> NodeVerdict:
    """A verdict from one score, decision and top row of its block per text node (`site.text_rows`).

    Text nodes with the same top row and the same decision make one block; its score is the mean of theirs.
    """
    rows = site.text_rows
    node_score = np.zeros(site.n_nodes)
    node_kept = np.zeros(site.n_nodes, np.bool_)
    node_block = np.full(site.n_nodes, -1, np.int32)
    node_score[rows] = np.clip(score, 0.0, 1.0)
    node_kept[rows] = kept
    key, which = np.unique(np.asarray(top, np.int64) * 2 + kept, return_inverse=True)
    node_block[rows] = which
    block_score = np.bincount(which, node_score[rows], minlength=len(key)) / np.maximum(
        np.bincount(which, minlength=len(key)), 1
    )
    said: dict[float, str] = {}
    reasons = tuple(said[s] if s in said else said.setdefault(s, reason(s)) for s in np.round(block_score, 4).tolist())
    blocks = Blocks((key // 2).astype(np.int32), block_score, (key % 2).astype(np.bool_), reasons)
    return NodeVerdict(node_score, node_kept, node_block, blocks, notes)


def site_notes(site: Site, n_learned: int) -> tuple[str, ...]:
    """What a user should know when there was little to learn from."""
    if n_learned >= 2:
        return ()
    return (f"learned from {n_learned} page{'' if n_learned == 1 else 's'}: nothing can repeat, so all text is kept",)
