"""The Graph view: where each page stands, the links, and the distilled structure as one SVG.

Pages stand on rings around the home page, by the tree of the distilled site: a TOC page at the middle of its sector,
its articles beyond it in rows. A place is found in linear time and is the same on every run, and the picture before
distilling and after it differ in their links only.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.report.tables import Tables, integers, numbers, rounded

Int = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]

MAX_LINKS = 400_000
"""Links that are drawn, those of the least entropy first: what a browser on a laptop draws smoothly."""
MAX_SVG = 3000
"""Pages of the SVG."""
RING = 6.0
"""Room between a ring and the next, in distances between neighbouring pages."""


def graph_data(tables: Tables, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Places of the pages and the links between them."""
    links, n = tables.links, len(tables.pages)
    source, target = integers(links, "page"), integers(links, "target")
    use = (target >= 0) & (source != target)
    source, target = source[use], target[use]
    entropy = np.nan_to_num(numbers(links, "entropy")[use], nan=1.0)
    distilled = numbers(links, "is_distilled")[use] > 0
    order = np.lexsort((entropy, source * n + target))
    source, target, entropy, distilled = source[order], target[order], entropy[order], distilled[order]
    key = source * n + target
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else np.zeros(0, np.int64)
    any_distilled = np.add.reduceat(distilled, first) > 0 if len(first) else np.zeros(0, bool)
    source, target, entropy = source[first], target[first], entropy[first]
    n_links = len(first)
    if n_links > MAX_LINKS:
        chosen = np.sort(np.lexsort((entropy, ~any_distilled))[:MAX_LINKS])
        source, target, entropy = source[chosen], target[chosen], entropy[chosen]
        any_distilled = any_distilled[chosen]
    home = _home(tables, source, target, n)
    parent, depth, queue = _tree(n, home, source, target, any_distilled)
    x, y = _places(parent, depth, queue)
    return {
        "x": rounded(x, 2),
        "y": rounded(y, 2),
        "parent": parent.tolist(),
        "source": source.tolist(),
        "target": target.tolist(),
        "entropy": np.round(entropy * 100).astype(int).tolist(),
        "distilled": np.flatnonzero(any_distilled).tolist(),
        "n_links": n_links,
        "home": home,
    }


def _home(tables: Tables, source: Int, target: Int, n: int) -> int:
    """The page that the roles call home; else the one that most pages lead to."""
    if "home" in tables.pages.column_names:
        home = numbers(tables.pages, "home")
        if np.nanmax(home, initial=0) > 0:
            return int(np.nanargmax(home))
    return int(np.argmax(np.bincount(target, minlength=max(n, 1))))


def _tree(n: int, home: int, source: Int, target: Int, distilled: npt.NDArray[np.bool_]) -> tuple[Int, Int, list[int]]:
    """Breadth first from the home page: along distilled links as far as they lead, then along any; the rest hang on it."""
    parent, depth = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    seen = np.zeros(n, bool)
    seen[home] = True
    queue = [home]
    for chosen in (np.flatnonzero(distilled), np.arange(len(source))):
        start = np.searchsorted(source[chosen], np.arange(n + 1))
        to = target[chosen]
        at = 0
        while at < len(queue):
            page = queue[at]
            at += 1
            for next_page in to[start[page] : start[page + 1]].tolist():
                if not seen[next_page]:
                    seen[next_page] = True
                    parent[next_page], depth[next_page] = page, depth[page] + 1
                    queue.append(next_page)
    left = np.flatnonzero(~seen)
    parent[left], depth[left] = home, 1
    return parent, depth, [*queue, *left.tolist()]


def _places(parent: Int, depth: Int, queue: list[int]) -> tuple[Float, Float]:
    """Each page within the sector of its parent, as wide as it has leaves; leaves in rows, other pages on their ring."""
    n = len(parent)
    x, y = np.zeros(n), np.zeros(n)
    children: list[list[int]] = [[] for _ in range(n)]
    for page in queue:
        if parent[page] >= 0:
            children[parent[page]].append(page)
    weight = np.ones(n)
    by_depth = np.argsort(-depth, kind="stable")
    for page in by_depth.tolist():
        if children[page]:
            weight[page] = sum(weight[child] for child in children[page])
    low, high = np.zeros(n), np.zeros(n)
    if queue:
        high[queue[0]] = 2 * np.pi
    radius = RING
    levels: dict[int, list[int]] = {}
    for page in queue:
        levels.setdefault(int(depth[page]), []).append(page)
    for level in sorted(levels):
        outer = radius
        for page in levels[level]:
            if not children[page]:
                continue
            leaves = [child for child in children[page] if not children[child]]
            rest = [child for child in children[page] if children[child]]
            at, scale = low[page], (high[page] - low[page]) / weight[page]
            for child in rest:
                low[child], high[child] = at, at + scale * weight[child]
                at = high[child]
                middle = (low[child] + high[child]) / 2
                x[child], y[child] = radius * np.cos(middle), radius * np.sin(middle)
            outer = max(outer, _rows(leaves, at, high[page], radius, (x, y)))
        radius = outer + RING
    return x, y


def _rows(leaves: list[int], low: float, high: float, radius: float, place: tuple[Float, Float]) -> float:
    """Put leaves into a sector, row by row outwards; the radius of the last row."""
    x, y = place
    done = 0
    while done < len(leaves):
        fit = max(1, int((high - low) * radius))
        row = leaves[done : done + fit]
        angle = low + (np.arange(len(row)) + 0.5) * (high - low) / len(row)
        x[row], y[row] = radius * np.cos(angle), radius * np.sin(angle)
        done += len(row)
        radius += 1.0
    return radius - 1.0


def distilled_svg(graph: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """The TOC pages, the articles and the distilled links between them as a picture of its own."""
    source, target = np.array(graph["source"], np.int64), np.array(graph["target"], np.int64)
    chosen = np.array(graph["distilled"], np.int64)
    touched = np.unique(np.concatenate([source[chosen], target[chosen]])) if len(chosen) else np.zeros(0, np.int64)
    shown = set(touched[:MAX_SVG].tolist())
    x, y = np.array(graph["x"], float) * 10, np.array(graph["y"], float) * 10
    size = float(max(np.abs(x).max(initial=0), np.abs(y).max(initial=0))) + 120
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-size:.0f} {-size:.0f} {2 * size:.0f} {2 * size:.0f}" '
        'role="img" font-family="system-ui,sans-serif" font-size="11"><title>The distilled site</title>',
        "<style>.l{stroke:#8a93a5;stroke-opacity:.35;stroke-width:.7}.toc{fill:#4b5bd6}.article{fill:#12806a}"
        ".other{fill:#98958c}text{fill:#333;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>",
    ]
    for a, b in zip(source[chosen].tolist(), target[chosen].tolist(), strict=True):
        if a in shown and b in shown:
            out.append(f'<line class="l" x1="{x[a]:.0f}" y1="{y[a]:.0f}" x2="{x[b]:.0f}" y2="{y[b]:.0f}"/>')
    names = ("other", "toc", "article")
    for page in sorted(shown):
        role, title = names[columns["role"][page]], escape(_printable(columns["title"][page] or columns["url"][page]))
        spot = 6 if role == "toc" else 3
        out.append(
            f'<circle class="{role}" cx="{x[page]:.0f}" cy="{y[page]:.0f}" r="{spot}"><title>{title}</title></circle>'
        )
        if role == "toc":
            out.append(f'<text x="{x[page] + 8:.0f}" y="{y[page] + 4:.0f}">{title[:40]}</text>')
    return "\n".join([*out, "</svg>\n"])


def _printable(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")[:200]
