"""Which links of a site repeat: on how many pages each stands at its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.counts import Counts, per_page
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site

FULL_ANCHOR = 60
"""Characters of an anchor that says all a title can; more add no weight."""
MIN_SITE = 5
"""Pages that a site must have for its repetition to count."""


@dataclass(frozen=True)
class SiteLinks:
    """Per link of a site, or of a part of it: where it stands, on what share of the pages that have links there it stands, too,
    and the page of the whole site that it leads to."""

    place: Hashes
    share: Floats
    """Of pages with the same address at this place, or with the same words if the page has them once there: an entry
    stands on a few pages, a menu on all of its kind, and so do "older posts" and "by author", whatever they lead to."""
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
        share = np.maximum(pages.at(keys.address, 1), by_words) / np.maximum(n_at, 1)
        return cls(keys.place, np.where(n_at >= MIN_SITE, share, 0.0), target, page_title)


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
    said: dict[str, int] = {"": 0}
    starts, ends = nodes.text_start[links.node].tolist(), nodes.text_end[links.node].tolist()
    words = np.array(
        [
            said.setdefault(site.texts[p][a : min(b, a + FULL_ANCHOR)].strip(), len(said))
            for p, a, b in zip(links.page.tolist(), starts, ends, strict=True)
        ],
        np.int64,
    )
    _, at = np.unique(place, return_inverse=True)
    on_page = _paired(_paired(at.reshape(-1).astype(np.int64), words), links.page.astype(np.int64))
    is_name = (words != 0) & (_pages_of(on_page, target) <= 1)
    at_key = mix(place)
    by_address = mix(at_key ^ mix(string_hashes(links.addresses))[target]) if len(target) else at_key
    by_words = mix(at_key + string_hashes(said)[words]) if len(words) else at_key
    return _LinkKeys(place, at_key, by_address, by_words, np.asarray(is_name, bool))


def place_pages(site: Site) -> Counts:
    """How many pages of a site, or of a part of it, have links at a place, to an address there, and of words there."""
    keys, page = _link_keys(site), site.links.page
    return per_page(np.tile(page, 3), np.concatenate((keys.at, keys.address, keys.words)))


def _paired(a: Ints64, b: Ints64) -> Ints64:
    """One number for each pair that occurs."""
    _, which = np.unique(a.astype(np.int64) * (int(b.max(initial=0)) + 1) + b, return_inverse=True)
    return np.asarray(which, np.int64)


def _pages_of(key: Ints64, page: Ints64 | Ints32) -> Ints64:
    """Per link: how many pages (or other things) have a link of the same key."""
    n_pages = int(page.max(initial=0)) + 1
    pairs = np.unique(key.astype(np.int64) * n_pages + page)
    return np.asarray(np.bincount(pairs // n_pages)[key], np.int64)
