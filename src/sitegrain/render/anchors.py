"""Places of a page that its own links lead to: sections from a table of contents, footnotes and back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Ints16, Ints32
from sitegrain.render.code import IS_PRE
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES

_HREF = ATTRIBUTES.index("href")
_NAME = re.compile(r"[\w.:()%-]{1,100}")


PERMALINK = re.compile(r"(?:header|perma|heading-?|hash-?)link|anchor", re.IGNORECASE)
"""Names of links to their own place, which stand beside captions and terms, too."""


@per_site
def _place_links(site: Site) -> list[int]:
    """Rows of the links to places of their own page, in document order: of all pages at once, as most have none."""
    at = np.flatnonzero(site.attrs.name == _HREF)
    said = site.attrs.value[at]
    is_place = np.zeros(len(site.strings), bool)
    is_place[[v for v in distinct(said).tolist() if site.strings[v].lstrip()[:1] == "#"]] = True
    rows: list[int] = site.attrs.node[at[is_place[said]]].tolist()
    return rows


def leads_to_itself(site: Site, rows: slice, kept: Bools) -> bool:
    """False for a page, by its rows and which of them are kept, of which no link with kept text leads to a place of the page: it has no `fragment_targets`. Most pages are
    soon told, as their menus have such links and their text has none."""
    links, end = _place_links(site), site.nodes.end
    own = links[bisect_left(links, rows.start) : bisect_left(links, rows.stop)]
    said = kept.tobytes() if own else b""  # a few times as fast to search in as an array
    return any(said.find(1, row - rows.start, int(end[row]) - rows.start) >= 0 for row in own)


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
