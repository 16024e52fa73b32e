"""Ways into a site: pages that are the only way to others, pages by which one comes in, what the home page has in its frames, and texts without a way on.

On a site made by hand a list of four links in a table, below a page of prose, looks like the articles around it. But
nobody else leads to what it leads to, and without it those pages would be lost. And the page that one comes in by has
links to everything and none to it: it was shown in a frame, or a script leads to it. A text without a link is what
was shown beside that menu, or one goes back from it by the browser's button.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Bools, Floats32, Ints64
from sitegrain.roles.counts import address_keys
from sitegrain.roles.parts import PageParts, folders, is_root
from sitegrain.tables.address import resolve
from sitegrain.tables.tags import TAG_CODE

FOLDERS, OF_FOLDERS = 3, 0.5
"""Folders that the way in leads on to at least, and their share of all. Of labelled pages that are so, 26 on 9 sites are TOC pages and none is
anything else, two of which trees that had not seen them took for neither; whoever links to them, 70 are TOC pages and 20 are not."""
DEAD_END_PROSE, OF_DEAD_END = 1000, 2.0
"""Characters of prose of its own on a page without links from which it is a text, and log odds by which that speaks for an article. Of labelled pages
without links that have 1,000 characters 54 are articles and 5 are neither (three of them doubtful), but 52 are of one site; shorter ones are mostly
neither, as pages of pictures are, and that is what the trees have learned. On eight unseen manuals they took 22 such texts for neither, 20 wrongly."""


def home_frames(parts: PageParts) -> Ints64:
    """Pages at hand that a page at the root of the site shows in its frames: a frame is no link, and what one sees of that page is these."""
    site = parts.site
    rows = np.flatnonzero(site.nodes.tag == TAG_CODE["frame"])
    if not len(rows):
        return np.zeros(0, np.int64)
    pages, found = site.pages, zip(site.nodes.page[rows].tolist(), site.attr("src")[rows].tolist(), strict=True)
    urls = [
        resolve(site.strings[src], pages.base[page]) for page, src in found if src >= 0 and is_root(pages.url[page])
    ]
    shown = parts.known.cards.by_address.at(address_keys(url for url in urls if url), -1)
    return distinct(shown[shown >= 0])


def only_ways(links: sparse.csr_array) -> Ints64:
    """Per page: how many pages it links to that no other page links to.

    >>> only_ways(sparse.csr_array(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]]))).tolist()
    [1, 0, 0]
    """
    n = links.shape[0]
    is_lost = np.bincount(links.indices, minlength=n) == 1
    source = np.repeat(np.arange(n), np.diff(links.indptr))
    return np.bincount(source[is_lost[links.indices]], minlength=n)


def entrances(urls: Sequence[str], links: sparse.csr_array, leads: sparse.csr_array) -> Bools:
    """Per page: no page links to it but by a menu, and it leads on to most folders of the site.

    >>> urls = [f"http://a.org/{path}" for path in ("menu.htm", "a/1.htm", "b/1.htm", "c/1.htm")]
    >>> leads = sparse.csr_array(np.array([[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    >>> entrances(urls, leads, leads).tolist()
    [True, False, False, False]
    """
    n = len(urls)
    out = np.zeros(n, bool)
    is_led_to = np.bincount(links.indices, minlength=n) > 0
    able = np.flatnonzero(~is_led_to & (np.diff(leads.indptr) >= FOLDERS)).tolist()
    if not able:
        return out
    ids: dict[str, int] = {}
    folder = np.array([ids.setdefault(path.rpartition("/")[0], len(ids)) for path in folders(urls).paths], np.int64)
    least = max(FOLDERS, OF_FOLDERS * len(ids))
    for page in able:
        out[page] = len(set(folder[leads.indices[leads.indptr[page] : leads.indptr[page + 1]]].tolist())) >= least
    return out


def dead_ends(names: Sequence[str], values: Floats32) -> Bools:
    """Per page, by these columns of its evidence: it has no links, and enough prose to be there for it."""
    links, prose = (values[:, names.index(name)] for name in ("page_links", "site_prose_chars"))
    return np.asarray((links == 0) & (prose >= np.float32(np.log1p(DEAD_END_PROSE))), bool)
