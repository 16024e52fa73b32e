"""Menus of sections: elements that are mostly links and stand, word for word and at the same place, on twenty pages or more.

What repeats on a site is told by its share of the pages, and the menu of a section has none: each of its links is on 100 of 4,000 pages,
as the post of a busy day is. As a whole it gives itself away. `extractor/menus.py` tells the same of blocks.
"""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.trees.preorder import prefix_sum, under
from sitegrain.arrays.types import Bools, Hashes, Ints, Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.elements import tag_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

PAGES = 20
"""Pages that must have it, as for the extractor: a list of a series that is content stands on 12 pages of a labelled site."""
LINKS = 8
"""Links that make a menu: fewer are a line of the text."""
LINKED = 0.5
"""Share of its characters that are in links; the rest are headings, remarks and the page itself."""


@per_site
def text_keys(site: Site) -> Hashes:
    """A key of every one of `site.unique_texts`."""
    return string_hashes(site.unique_texts)


@per_site
def in_links(site: Site) -> Bools:
    """Which rows are links or inside of one."""
    return under(site.nodes.tag == TAG_CODE["a"], site.nodes.end)


@per_site
def link_boxes(site: Site) -> tuple[Ints64, Hashes]:
    """The elements that are mostly links, and a key of what each says and of where it stands."""
    nodes, rows = site.nodes, site.text_rows
    end = nodes.end
    links = prefix_sum(np.bincount(site.links.node, minlength=site.n_nodes))
    row = np.flatnonzero(links[end] - links[:-1] >= LINKS)
    length = np.where(site.is_text, nodes.text_end - nodes.text_start, 0).astype(np.int64)
    chars = prefix_sum(length)
    linked = prefix_sum(np.where(in_links(site), length, 0))
    row = row[linked[end[row]] - linked[row] >= LINKED * (chars[end[row]] - chars[row])]
    said = np.zeros(site.n_nodes + 1, np.uint64)
    said[rows + 1] = mix(text_keys(site))[site.text_id[rows]]
    said = np.cumsum(said, dtype=np.uint64)  # sums wrap around
    return row, np.asarray(mix(said[end[row]] - said[row]) + mix(tag_places(site)[row]), np.uint64)


def menu_rows(site: Site, pages: Counts) -> Bools:
    """Which rows are in a menu, given how many pages have each box.

    Of a box that a page has twice, one is the menu and the other what the page is there for: the table of contents of a book that
    every page of it shows at its side. The menu is the one with more around it that other pages have, too.
    """
    row, key = link_boxes(site)
    some = pages.at(key, 1) >= PAGES
    row, key, page = row[some], key[some], site.nodes.page[row[some]]
    # Rows come in their order: so many of them have begun before each, less those that have ended.
    around = np.arange(len(row)) - np.searchsorted(np.sort(site.nodes.end[row]), row, "right")
    order = np.lexsort((-around, key, page))
    row, key, page = row[order], key[order], page[order]
    is_first = np.append(True, (key[1:] != key[:-1]) | (page[1:] != page[:-1]))[: len(row)]
    return inside(site, row[is_first])


def inside(site: Site, rows: Ints | Ints64) -> Bools:
    """Which rows are these or inside of one of them."""
    mask = np.zeros(site.n_nodes, bool)
    mask[rows] = True
    return under(mask, site.nodes.end)
