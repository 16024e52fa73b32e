"""A tree as a picture: one line a node, indented, with a line to the node it hangs on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from sitegrain.native.chars import storable
from sitegrain.tables.notebook import counted

COLOURS = {"article": "#2b6cb0", "toc": "#c53030", "article+toc": "#805ad5", "page": "#2d3748", "": "#a0aec0"}
MOST_LINES = 1000
"""Lines of a picture: a browser draws these at once."""
_LINE, _STEP, _WIDTH = 24, 22, 1400
"""Pixels of a line, of a step to the right, and of the picture: a screen shows it whole in width."""


@dataclass(frozen=True)
class OutlineNode:
    """One line of a picture."""

    parent: int
    """Which line it hangs on, or -1; always one before it."""
    kind: str
    """What it is, a name of `COLOURS`."""
    name: str
    text: str = ""


def site_outline(structure: Mapping[str, Any]) -> list[OutlineNode]:
    """The informative structure of a site (see `result.papers`): TOC page, its blocks, the articles these point to.

    An article stands where it is first pointed to; what is over the limit is told in the last line.
    """
    title = {a["page"]: (a["title"] or a["url"], len(a["blocks"])) for a in structure["articles"]}
    out: list[OutlineNode] = []
    shown: set[int] = set()
    for toc in structure["tocs"]:
        at = len(out)
        out.append(OutlineNode(-1, "page", toc["title"] or toc["url"], toc["url"]))
        for block in toc["blocks"]:
            here = len(out)
            new = [e for e in block["entries"] if e["page"] not in shown]
            also = len(block["entries"]) - len(new)
            what = counted(len(block["entries"]), "link") + (f", {also} to articles above" if also else "")
            out.append(OutlineNode(at, "toc", _end_of(block["css_path"]) or "block", what))
            for entry in new:
                if entry["page"] not in shown:
                    shown.add(entry["page"])
                    name, n_blocks = title[entry["page"]]
                    out.append(OutlineNode(here, "article", name, counted(n_blocks, "block")))
    if len(out) <= MOST_LINES:
        return out
    return [*out[:MOST_LINES], OutlineNode(-1, "", f"and {len(out) - MOST_LINES:,} lines more: see structure.json")]


def _end_of(css_path: str, most: int = 60) -> str:
    """The last elements of a path, which tell it from its neighbours; at least one."""
    steps = css_path.split(" > ")
    kept = len(steps) - 1
    while kept > 0 and len(" > ".join(steps[kept - 1 :])) <= most:
        kept -= 1
    return ("… > " if kept > 0 else "") + " > ".join(steps[kept:])


def outline_depths(nodes: Sequence[OutlineNode]) -> list[int]:
    """How deep each line stands."""
    depth: list[int] = []
    for node in nodes:
        depth.append(depth[node.parent] + 1 if node.parent >= 0 else 0)
    return depth


def outline_text(nodes: Sequence[OutlineNode]) -> str:
    """The tree for a terminal."""
    lines = []
    for node, depth in zip(nodes, outline_depths(nodes), strict=True):
        what = f" [{node.kind}]" if node.kind not in ("", "page") else ""
        lines.append("  " * depth + node.name + what + (f" {node.text!r}" if node.text else ""))
    return "\n".join(lines)


def outline_svg(nodes: Sequence[OutlineNode], title: str) -> str:
    """The tree as SVG; texts are escaped, and nothing of a page's markup is in it."""
    depths = outline_depths(nodes)
    height = _LINE * (len(nodes) + 2)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="{_LINE}" font-weight="bold">{_clean(title, 150)}</text>',
    ]
    for i, (node, depth) in enumerate(zip(nodes, depths, strict=True)):
        x, y = 16 + _STEP * min(depth, 40), _LINE * (i + 2)
        if node.parent >= 0:
            up = _LINE * (node.parent + 2) + 6
            out.append(f'<path d="M{x - _STEP + 5} {up} V{y - 4} H{x - 3}" fill="none" stroke="#cbd5e0"/>')
        colour = COLOURS.get(node.kind, COLOURS[""])
        out.append(f'<rect x="{x}" y="{y - 10}" width="11" height="11" rx="2" fill="{colour}"/>')
        kind = f"{node.kind}: " if node.kind not in ("", "page") else ""
        out.append(
            f'<text x="{x + 17}" y="{y}"><tspan fill="{colour}" font-weight="bold">{_clean(kind + node.name, 80)}</tspan> '
            f'<tspan fill="#4a5568">{_clean(node.text, 110)}</tspan></text>'
        )
    return "\n".join([*out, "</svg>\n"])


def _clean(text: str, most: int) -> str:
    """Text that XML can hold, cut and escaped."""
    kept = "".join(c for c in " ".join(storable(text).split()) if c >= " " and c not in "\ufffe\uffff")
    return escape(kept if len(kept) <= most else kept[: most - 1] + "…")
