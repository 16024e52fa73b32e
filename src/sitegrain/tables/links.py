"""The link table: anchors resolved to addresses and, where they are in the set, to pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.address import host_of, page_key, resolve, site_key
from sitegrain.tables.columns import Attrs, Links, Nodes
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

_HREF = ATTRIBUTES.index("href")
_WHOLE = ("http://", "https://")
"""What begins like this means the same in every folder."""
_A, _AREA = TAG_CODE["a"], TAG_CODE["area"]


class _Targets:
    """Where links lead to: every different address once."""

    def __init__(self, page_urls: Sequence[str]) -> None:
        self._row_of = {page_key(resolve(url, "") or url): row for row, url in enumerate(page_urls)}
        self.numbers: dict[str, int] = {}
        self._is_own: dict[tuple[str, str], bool] = {}
        self.page: list[int] = []
        """Per address: the page that it is of, or -1."""
        self.keys: list[str] = []
        """What makes it one with other addresses of that page."""

    def number(self, url: str) -> int:
        """Which address this is."""
        if (number := self.numbers.get(url)) is None:
            number = self.numbers[url] = len(self.page)
            self.keys.append(page_key(url))
            self.page.append(self._row_of.get(self.keys[-1], -1) if url else -1)
        return number

    def is_own(self, url: str, site: str) -> bool:
        """Whether an address is of this site."""
        if not url:
            return False
        origin = url[: url.index("/", 8)]
        if (own := self._is_own.get((site, origin))) is None:
            host = host_of(url)
            # The name of a site ends the names of its hosts: of any other host, and most are, suffixes need not be looked up.
            own = self._is_own[site, origin] = host.rstrip(".").endswith(site) and site_key(host) == site
        return own


def read_links(
    page_urls: Sequence[str], page_bases: Sequence[str], nodes: Nodes, attrs: Attrs, strings: Sequence[str]
) -> Links:
    """The link table of pages: every `<a href>` and `<area href>`, resolved against its page's base."""
    owner = nodes.tag[attrs.node] if len(attrs) else np.zeros(0, np.int16)
    mine = (attrs.name == _HREF) & ((owner == _A) | (owner == _AREA))
    node, value = attrs.node[mine], attrs.value[mine]
    page = nodes.page[node]
    sites = [site_key(host_of(url)) for url in page_urls]
    folders: dict[tuple[str, str], int] = {}
    places = zip(sites, page_bases, strict=True)
    folder = np.array([folders.setdefault((site, _directory(base)), len(folders)) for site, base in places], np.int64)
    # A relative href means the same on all pages of a folder: each is resolved once, and each that says its host, too.
    first, which = _first_of_each(folder[page] * len(strings) + value if len(page) else page)
    targets = _Targets(page_urls)
    found: list[tuple[int, bool]] = []
    anywhere: dict[tuple[str, int], tuple[int, bool]] = {}
    by_page: list[int] = []
    for k, (p, v) in enumerate(zip(page[first].tolist(), value[first].tolist(), strict=True)):
        href, site = strings[v], sites[p]
        if href[:1] in ("", "?", "#"):  # but for these
            by_page.append(k)
            found.append((-1, False))
            continue
        is_whole = href.startswith(_WHOLE)
        if not is_whole or (target := anywhere.get((site, v))) is None:
            url = resolve(href, page_bases[p])
            target = targets.number(url), targets.is_own(url, site)
            if is_whole:
                anywhere[site, v] = target
        found.append(target)
    address = np.array([number for number, _ in found], np.int32)[which]
    is_same_site = np.array([own for _, own in found], bool)[which]
    if by_page:
        resolved: dict[tuple[int, str], tuple[int, bool]] = {}
        is_left = np.zeros(len(found), bool)
        is_left[by_page] = True
        left = np.flatnonzero(is_left[which])
        for row, p, v in zip(left.tolist(), page[left].tolist(), value[left].tolist(), strict=True):
            key = p, strings[v].partition("#")[0]  # a fragment leads to the same page
            if (target := resolved.get(key)) is None:
                url = resolve(strings[v], page_bases[p])
                target = resolved[key] = targets.number(url), targets.is_own(url, sites[p])
            address[row], is_same_site[row] = target
    urls = tuple(targets.numbers)
    target_page = np.array(targets.page, np.int32)[address]
    return Links(
        node=node,
        page=page,
        target=target_page,
        url=tuple(map(urls.__getitem__, address.tolist())),
        address=address,
        addresses=urls,
        address_key=string_hashes(targets.keys),
        is_self=target_page == page,
        is_same_site=is_same_site,
    )


def _first_of_each(keys: npt.NDArray[np.integer]) -> tuple[Ints64, Ints64]:
    """Where each different key comes first, and which of them every key is."""
    order = np.argsort(keys, kind="stable")
    is_new = np.ones(len(keys), bool)
    is_new[1:] = keys[order][1:] != keys[order][:-1]
    which = np.empty(len(keys), np.int64)
    which[order] = np.cumsum(is_new) - 1
    return order[is_new], which


def _directory(base: str) -> str:
    # What a relative href is resolved against: the address up to its last slash.
    return base.partition("?")[0].rpartition("/")[0]
