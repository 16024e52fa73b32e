"""The Graph view: where each page stands, the links, and the distilled structure as one SVG.

A page stands in the disc of the TOC page that leads to it, by the tree of the distilled site; the discs stand in rings
around that of the home page, the largest first. Places are found in linear time and are the same on every run, and the
picture before distilling and after it differ in their links only.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.methods.base import ROLES, TOC
from sitegrain.report.tables import Tables, integers, numbers, rounded, some

MAX_LINKS = 400_000
"""Links that are drawn, those of the least entropy first: what a browser on a laptop draws smoothly."""
MAX_SVG = 3000
"""Pages of the SVG."""
SPREAD = 0.62
"""Makes neighbours in a disc stand about one apart."""
GAP = 1.0
"""Room between discs, in distances between neighbours."""


class _Links(NamedTuple):
    source: Ints64
    target: Ints64
    is_distilled: npt.NDArray[np.bool_]


def graph_data(tables: Tables, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Places of the pages and the links between them."""
    links, n = some(tables, "links", "page", "target", "entropy", "is_distilled"), len(columns["role"])
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
    is_toc = np.array(columns["role"]) == TOC
    parent = _tree(home, is_toc, _Links(source, target, any_distilled))
    x, y = _places(parent, home)
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


def _home(tables: Tables, source: Ints64, target: Ints64, n: int) -> int:
    """The page that the roles call home; else the one that most pages lead to."""
    pages = some(tables, "pages", "page", "home")
    if "home" in pages.column_names:
        home = numbers(pages, "home")
        if np.nanmax(home, initial=0) > 0:
            return int(np.nanargmax(home))
    return int(np.argmax(np.bincount(target, minlength=max(n, 1))))


def _tree(home: int, is_toc: npt.NDArray[np.bool_], links: _Links) -> Ints64:
    """What each page hangs on: breadth first along distilled links, from the home page and then from the TOC pages that
    these do not reach, the most linked first, as menus link sections. Other pages hang on a TOC page that leads to them
    in any way, else on the home page."""
    n = len(is_toc)
    parent = np.full(n, -1, np.int64)
    seen = np.zeros(n, bool)
    chosen = np.flatnonzero(links.is_distilled)
    start = np.searchsorted(links.source[chosen], np.arange(n + 1))
    to = links.target[chosen]
    n_in = np.bincount(links.target, minlength=n)
    tocs = np.flatnonzero(is_toc)
    for root in [home, *tocs[np.argsort(-n_in[tocs], kind="stable")].tolist()]:
        if seen[root]:
            continue
        seen[root] = True
        parent[root] = home if root != home else -1
        queue = [root]
        for page in queue:  # grows as pages are found
            for found in to[start[page] : start[page + 1]].tolist():
                if not seen[found]:
                    seen[found] = True
                    parent[found] = page
                    queue.append(found)
    parent[~seen] = home
    by_toc = np.flatnonzero(~seen[links.target] & is_toc[links.source])
    parent[links.target[by_toc]] = links.source[by_toc]
    return parent


def _places(parent: Ints64, home: int) -> tuple[Floats, Floats]:
    """Each page that others hang on is the middle of a disc of those that hang on it and carry none; the disc of the
    home page is in the middle, the others in rings around it, the largest first."""
    n = len(parent)
    x, y = np.zeros(n), np.zeros(n)
    has_child = np.zeros(n, bool)
    has_child[parent[parent >= 0]] = True
    has_child[home] = True
    leaves = np.flatnonzero(~has_child)
    order = leaves[np.argsort(parent[leaves], kind="stable")]
    middle = np.flatnonzero(has_child)
    start = np.searchsorted(parent[order], np.arange(n + 1))
    count = np.diff(start)
    radius = SPREAD * np.sqrt(count[middle]) + 1.0
    by_size = np.argsort(-radius, kind="stable")
    place = np.flatnonzero(middle[by_size] == home)[0]
    by_size = np.concatenate([by_size[place : place + 1], np.delete(by_size, place)])
    _rings(middle[by_size], radius[by_size], (x, y))
    # Within a disc as seeds stand in a sunflower: evenly, however many there are.
    rank = np.arange(len(order)) - start[parent[order]]
    distance, angle = SPREAD * np.sqrt(rank + 1.5), rank * np.pi * (3 - np.sqrt(5))
    x[order] = x[parent[order]] + distance * np.cos(angle)
    y[order] = y[parent[order]] + distance * np.sin(angle)
    return x, y


def _rings(pages: Ints64, radius: Floats, place: tuple[Floats, Floats]) -> None:
    """Put discs side by side on rings around the first of them; each ring is as thick as its first, largest disc."""
    x, y = place
    edge = float(radius[0]) if len(radius) else 0.0
    at = 1
    while at < len(pages):
        ring = edge + float(radius[at]) + GAP
        width = 2 * np.arcsin(np.minimum(1.0, (radius[at:] + GAP / 2) / ring))
        fit = max(1, int(np.searchsorted(np.cumsum(width), 2 * np.pi)))
        width = width[:fit]
        # What is left of the ring is shared out, so that it closes; a ring that is far from full stays as dense as others.
        share = max(0.0, 2 * np.pi - float(width.sum())) / fit
        angle = np.cumsum(width + share) - (width + share) / 2
        row = pages[at : at + fit]
        x[row], y[row] = ring * np.cos(angle), ring * np.sin(angle)
        edge = ring + float(radius[at])
        at += fit


def distilled_svg(graph: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """The TOC pages, the articles and the distilled links between them as a picture of its own."""
    source, target = np.array(graph["source"], np.int64), np.array(graph["target"], np.int64)
    chosen = np.array(graph["distilled"], np.int64)
    touched = distinct(np.concatenate([source[chosen], target[chosen]])) if len(chosen) else np.zeros(0, np.int64)
    shown = set(touched[:MAX_SVG].tolist())
    place = np.array([graph["x"], graph["y"]], float) * 16
    size = float(np.abs(place).max(initial=0)) + 120
    x, y = place.tolist()
    at = [f"{across:.0f}" for across in x], [f"{down:.0f}" for down in y]  # a page has some ten links
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-size:.0f} {-size:.0f} {2 * size:.0f} {2 * size:.0f}" '
        'role="img" font-family="system-ui,sans-serif" font-size="11"><title>The distilled site</title>',
        "<style>.l{stroke:#8a93a5;stroke-opacity:.35;stroke-width:.7}.toc{fill:#4b5bd6}.article{fill:#12806a}"
        ".other{fill:#98958c}text{fill:#333;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>",
    ]
    for a, b in zip(source[chosen].tolist(), target[chosen].tolist(), strict=True):
        if a in shown and b in shown:
            out.append(f'<line class="l" x1="{at[0][a]}" y1="{at[1][a]}" x2="{at[0][b]}" y2="{at[1][b]}"/>')
    for page in sorted(shown):
        role, title = ROLES[columns["role"][page]], escape(_printable(columns["title"][page] or columns["url"][page]))
        spot = 6 if role == "toc" else 3
        out.append(
            f'<circle class="{role}" cx="{at[0][page]}" cy="{at[1][page]}" r="{spot}"><title>{title}</title></circle>'
        )
        if role == "toc":
            out.append(f'<text x="{x[page] + 8:.0f}" y="{y[page] + 4:.0f}">{title[:40]}</text>')
    return "\n".join([*out, "</svg>\n"])


def _printable(text: str) -> str:
    """Without the characters that XML cannot hold."""
    if text.isprintable():  # nearly all
        return text[:200]
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")[:200]
