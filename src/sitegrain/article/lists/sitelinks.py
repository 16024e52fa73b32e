"""Which links of a site repeat: on how many pages each stands at its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import under
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import intern_texts, page_keys, string_hashes
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS, tag_mask

FULL_ANCHOR = 60
"""Characters of an anchor that says all a title can; more add no weight."""
ON_MANY_PAGES = 0.4
"""Share of the pages with the same link at the same place that makes it a menu's, and with the same words that makes them a label of the template, if
they lead to many pages: an entry leads to one."""
MIN_SITE = 5
"""Pages that a site must have for its repetition to count."""
IN_HEADING = 0.5
"""What the share of a link within a heading counts next to others: it must stand on four fifths of the pages to be a menu's. A title stands
on as many pages as there are lists of the newest; a menu is rarely made of headings."""
_IS_HEADING = tag_mask(HEADINGS)


@dataclass(frozen=True, eq=False)
class SiteLinks:
    """Per link of a site, or of a part of it: where it stands, on what share of the pages that have links there it stands, too,
    and the page of the whole site that it leads to."""

    place: Hashes
    share: Floats
    """Of pages with the same address at this place, or with the same words if the page has them once there: an entry
    stands on a few pages, a menu on all of its kind, and so do "older posts" and "by author", whatever they lead to. Within a heading
    it counts half."""
    target: Ints32
    page_title: Sequence[str]
    """Of the whole site."""

    @classmethod
    def of(cls, site: Site) -> SiteLinks:
        """Look at all links of a site."""
        return cls.by(site, place_pages(site), site.links.target, site.pages.title)

    @classmethod
    def by(cls, site: Site, pages: Counts, target: Ints32, page_title: Sequence[str]) -> SiteLinks:
        """Of a part of a site; `pages` are the `place_pages` of the whole, and what is not there stands on one page."""
        keys = _link_keys(site)
        if not len(site.links):
            return cls(keys.place, np.zeros(0), target, page_title)
        n_at = pages.at(keys.at, 1)
        by_words = np.where(keys.is_name, pages.at(keys.words, 1), 0)
        by_address = pages.at(keys.address, 1)
        share = np.maximum(by_address, by_words) / np.maximum(n_at, 1)
        share[(by_words >= ON_MANY_PAGES * n_at) & (by_words > 2 * by_address)] = 1.0
        share *= np.where(in_headings(site), IN_HEADING, 1.0)
        return cls(keys.place, np.where(n_at >= MIN_SITE, share, 0.0), target, page_title)


@per_site
def in_headings(site: Site) -> Bools:
    """Per link: it stands within a heading."""
    return under(_IS_HEADING[site.nodes.tag], site.nodes.end)[site.links.node]


class _LinkKeys(NamedTuple):
    """Per link: keys of its place, alone and with where it leads to and with what it says."""

    place: Hashes
    at: Hashes
    address: Hashes
    words: Hashes
    is_name: Bools
    """It says something, and no other link of the page says it at this place."""


@per_site
def _link_keys(site: Site) -> _LinkKeys:
    links, nodes = site.links, site.nodes
    place = first_name_places(site)[links.node]
    target = links.address.astype(np.int64)
    start, end = nodes.text_start[links.node], nodes.text_end[links.node]
    words, said = intern_texts(site.texts, links.page, start, np.minimum(end, start + np.int32(FULL_ANCHOR)))
    _, at = np.unique(place, return_inverse=True)
    on_page = _paired(_paired(at.reshape(-1).astype(np.int64), words.astype(np.int64)), links.page.astype(np.int64))
    is_name = np.array([text != "" for text in said], bool)[words] & (_pages_of(on_page, target) <= 1)
    at_key = mix(place)
    by_address = mix(at_key ^ mix(string_hashes(links.addresses))[target]) if len(target) else at_key
    by_words = mix(at_key + string_hashes(said)[words]) if len(words) else at_key
    return _LinkKeys(place, at_key, by_address, by_words, np.asarray(is_name, bool))


def place_pages(site: Site) -> Counts:
    """How many pages of a site, or of a part of it, have links at a place, to an address there, and of words there."""
    keys, page = _link_keys(site), site.links.page
    return page_keys(np.tile(page, 3), np.concatenate((keys.at, keys.address, keys.words))).counts()


def _paired(a: Ints64, b: Ints64) -> Ints64:
    """One number for each pair that occurs."""
    _, which = np.unique(a.astype(np.int64) * (int(b.max(initial=0)) + 1) + b, return_inverse=True)
    return np.asarray(which, np.int64)


def _pages_of(key: Ints64, page: Ints64 | Ints32) -> Ints64:
    """Per link: how many pages (or other things) have a link of the same key."""
    n_pages = int(page.max(initial=0)) + 1
    pairs = distinct(key.astype(np.int64) * n_pages + page)
    return np.asarray(np.bincount(pairs // n_pages)[key], np.int64)
