"""Why each block of a page was kept or left out, and which blocks are of a kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.methods.base import NodeVerdict
from sitegrain.tables.site import Site

MAX_START, MAX_TEXTS = 100, 20
"""Characters of the start of a block that are shown, and its text nodes that are looked at for them."""


class Reason(NamedTuple):
    """Why a block was kept or left out, and the start of its text."""

    is_informative: bool
    why: str
    start: str


def reasons_of(site: Site, page: int, verdict: NodeVerdict) -> list[Reason]:
    """Of each block of a page that has text."""
    rows = site.page_rows(page)
    own = np.flatnonzero(verdict.node_block[rows] >= 0) + rows.start
    nodes: dict[int, list[int]] = {}
    for row in own.tolist():
        nodes.setdefault(int(verdict.node_block[row]), []).append(row)
    blocks = verdict.blocks
    first = min(nodes, default=0)
    why = blocks.reason[first : max(nodes, default=-1) + 1]  # together: a page's blocks stand side by side
    return [
        Reason(bool(blocks.is_informative[block]), why[block - first], _start(site, texts))
        for block, texts in nodes.items()
    ]


def _start(site: Site, rows: list[int]) -> str:
    text = " ".join(" ".join(site.node_text(row) for row in rows[:MAX_TEXTS]).split())
    return text if len(text) <= MAX_START else text[: MAX_START - 1] + "…"


def kind_nodes(site: Site, verdict: NodeVerdict, kind: str, page: int | None = None) -> Bools:
    """Per row: a text node of a block of a kind ("comments", "related", "author") that was left out, on one page or all."""
    out = np.zeros(site.n_nodes, np.bool_)
    kinds = verdict.blocks.evidence.get("kind")
    if kinds is not None and len(kinds):
        rows = slice(0, site.n_nodes) if page is None else site.page_rows(page)
        block = verdict.node_block[rows]
        out[rows] = (block >= 0) & (kinds[block] == kind) & ~verdict.node_kept[rows]
    return out
