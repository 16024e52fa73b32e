"""The link table: anchors resolved to addresses and, where they are in the set, to pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.types import Ints32, Ints64
from sitegrain.native import plain_address, string_hashes
from sitegrain.tables.address import host_of, page_key, plain_base, resolve, site_key
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
    own_folder = _of_first(folder[page], _of_whole(sites, strings, page, value)) if len(page) else page
    first, which = _first_of_each(own_folder * len(strings) + value)
    targets = _Targets(page_urls)
    found: list[tuple[int, bool]] = []
    known: dict[tuple[str, str], tuple[int, bool]] = {}
    by_page: list[int] = []
    bases = [plain_base(base) for base in page_bases]
    for k, (p, v) in enumerate(zip(page[first].tolist(), value[first].tolist(), strict=True)):
        href, site = strings[v], sites[p]
        if href[:1] in ("", "?", "#"):  # but for these
            by_page.append(k)
            found.append((-1, False))
            continue
        url = plain_address(href, *bases[p]) or resolve(href, page_bases[p])
        if (target := known.get((url, site))) is None:
            target = known[url, site] = targets.number(url), targets.is_own(url, site)
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


def _of_whole(sites: Sequence[str], strings: Sequence[str], page: Ints32, value: Ints32) -> Ints64:
    """Per link: a number of its href and the site of its page, if it says its host; else -1."""
    number: dict[str, int] = {}
    of_page = np.array([number.setdefault(site, len(number)) for site in sites], np.int64)
    whole = [v for v in distinct(value).tolist() if strings[v].startswith(_WHOLE)]
    is_whole = np.zeros(len(strings), bool)
    is_whole[whole] = True
    return np.where(is_whole[value], of_page[page] * len(strings) + value, -1)


def _of_first(folder: Ints64, whole: Ints64) -> Ints64:
    """Per link: its folder, or the first one with the same href, if that means the same in all of them (`whole`)."""
    out = folder.copy()
    rows = np.flatnonzero(whole >= 0)
    order = rows[np.lexsort((folder[rows], whole[rows]))]
    is_first = np.append(True, whole[order][1:] != whole[order][:-1])[: len(order)]
    out[order] = folder[order[is_first]][np.cumsum(is_first) - 1]
    return out


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
