"""Pictures of the link graph of a site: pages that are linked stand near one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.evaluation.report import can_plot, new_figure
from sitegrain.methods.base import ROLES
from sitegrain.methods.lamis.graph import SiteGraph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"toc": "tab:red", "article": "tab:blue", "other": "tab:gray"}
N_STEPS = 120
"""Steps of the layout: the pictures of a few hundred pages do not change after these."""


@dataclass(frozen=True)
class Part:
    """A part of the link graph: the pairs of pages that some links connect, and the pages that they touch."""

    pages: Ints64
    pairs: Ints64
    """One row (source, target) per pair of pages."""


def part_of(graph: SiteGraph, keep: Bools, *, all_pages: bool = False) -> Part:
    """What some of the links connect; pages without any of them are gone unless all are asked for."""
    pairs = np.unique(np.column_stack((graph.source[keep], graph.target[keep])), axis=0)
    pages = np.arange(graph.n_pages) if all_pages else np.unique(pairs)
    return Part(pages, pairs)


def spring_layout(n: int, pairs: Ints64) -> Floats:
    """Places of n points in the unit square, linked ones close and others apart (Fruchterman and Reingold 1991).

    All pairs of points push one another, so the cost grows with the square of n: for some hundreds.
    """
    place = np.random.default_rng(0).uniform(-1, 1, (n, 2))
    if n < 2:
        return place
    wish = 1.6 / np.sqrt(n)
    for step in range(N_STEPS):
        gap = place[:, None, :] - place[None, :, :]
        far = np.maximum((gap**2).sum(axis=2), 1e-6)
        move = (gap * (wish**2 / far)[:, :, None]).sum(axis=1)
        if len(pairs):
            pull = place[pairs[:, 0]] - place[pairs[:, 1]]
            pull *= np.linalg.norm(pull, axis=1, keepdims=True) / wish
            np.add.at(move, pairs[:, 0], -pull)
            np.add.at(move, pairs[:, 1], pull)
        move -= 0.3 * place  # parts that nothing ties to the rest do not fly off
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        place = place + move / length * np.minimum(length, 0.15 * (1 - step / N_STEPS))
    place -= place.min(axis=0)
    spread: Floats = place / np.maximum(place.max(axis=0), 1e-9)
    return spread


def draw(part: Part, role: npt.NDArray[np.int8], title: str) -> Figure | None:
    """A part of a site's graph, its pages coloured by role; None where plots cannot be made."""
    if not can_plot():
        return None
    from matplotlib.collections import LineCollection

    figure, axes = new_figure(6.5, 6.5)
    row = np.full(len(role), -1)
    row[part.pages] = np.arange(len(part.pages))
    local = row[part.pairs].reshape(-1, 2)
    place = spring_layout(len(part.pages), local)
    many = len(part.pairs) > 1500
    lines = LineCollection(
        list(place[local]), linewidths=0.4 if many else 0.7, colors="black", alpha=0.15 if many else 0.45, zorder=1
    )
    lines.set_rasterized(True)
    axes.add_collection(lines)
    for name in ("other", "article", "toc"):
        mine = role[part.pages] == ROLES.index(name)
        size = 30 if name == "toc" else 10
        axes.scatter(
            place[mine, 0], place[mine, 1], s=size, color=COLOURS[name], label=f"{name} ({int(mine.sum()):,})", zorder=2
        )
    axes.set_title(f"{title}: {len(part.pages):,} pages, {len(part.pairs):,} links", fontsize=9)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.legend(fontsize=7, loc="lower right")
    return figure


def share_removed(part: Part, whole: Part) -> tuple[float, float]:
    """Shares of the pages and of the links that a part lacks."""
    return (
        1 - len(part.pages) / max(len(whole.pages), 1),
        1 - len(part.pairs) / max(len(whole.pairs), 1),
    )


def roles_of(kind: Sequence[str]) -> npt.NDArray[np.int8]:
    """Names of roles as numbers."""
    return np.array([ROLES.index(k) for k in kind], np.int8)
