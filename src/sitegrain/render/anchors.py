"""Places of a page that its own links lead to: sections from a table of contents, footnotes and back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.types import Bools, Ints16, Ints32
from sitegrain.render.code import IS_PRE

_NAME = re.compile(r"[\w.:()%-]{1,100}")


def leads_to_itself(hrefs: Mapping[int, str], kept: Bools, end: Ints32) -> bool:
    """False for a page of which no link with kept text leads to a place of the page: it has no `fragment_targets`. Most pages are soon told,
    as their menus have such links and their text has none."""
    return any(href.strip()[:1] == "#" and kept[row : end[row]].any() for row, href in hrefs.items())


def fragment_targets(
    tag: Ints16,
    parent: Ints32,
    end: Ints32,
    kept: Bools,
    names: Callable[[], Mapping[int, str]],
    hrefs: Mapping[int, str],
) -> dict[int, list[str]]:
    """Row of a kept text -> names of the places that begin with it, for places that a kept link of the page leads to.

    `names` gives the ids (and names) of rows, `hrefs` are the addresses of links. An empty element marks the text after it in
    its parent. Code has no places: what stands in it is not marked.
    """
    own = [(row, said[1:]) for row, href in hrefs.items() if (said := href.strip())[:1] == "#"]
    if not own:
        return {}
    texts: list[int] = np.flatnonzero(kept).tolist()

    def first_in(start: int, stop: int) -> int:
        at = bisect_left(texts, start)
        return texts[at] if at < len(texts) and texts[at] < stop else -1

    wanted = {unquote(name) for row, name in own if first_in(row, int(end[row])) >= 0}
    out: dict[int, list[str]] = {}
    seen: set[str] = set()
    for row, name in names().items() if wanted else ():
        if name not in wanted or name in seen or not _NAME.fullmatch(name):
            continue
        text = first_in(row, int(end[row]))
        if text < 0 and end[row] == row + 1 and parent[row] >= 0:
            text = first_in(row, int(end[parent[row]]))
        if text >= 0 and not _in_code(text, tag, parent):
            seen.add(name)
            out.setdefault(text, []).append(name)
    return out


def _in_code(row: int, tag: Ints16, parent: Ints32) -> bool:
    while row >= 0:
        if IS_PRE[tag[row]]:
            return True
        row = int(parent[row])
    return False
