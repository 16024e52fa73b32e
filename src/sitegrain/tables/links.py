"""The link table: anchors resolved to addresses and, where they are in the set, to pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.tables.address import host_of, page_key, resolve, site_key
from sitegrain.tables.columns import Attrs, Links, Nodes
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

_HREF = ATTRIBUTES.index("href")
_WHOLE = ("http://", "https://")
"""What begins like this means the same in every folder."""
_A, _AREA = TAG_CODE["a"], TAG_CODE["area"]


class _Target(NamedTuple):
    """Where a link leads to."""

    url: str
    page: int
    is_same_site: bool


_NOWHERE = _Target("", -1, False)


def read_links(
    page_urls: Sequence[str], page_bases: Sequence[str], nodes: Nodes, attrs: Attrs, strings: Sequence[str]
) -> Links:
    """The link table of pages: every `<a href>` and `<area href>`, resolved against its page's base."""
    row_of = {page_key(resolve(url, "") or url): row for row, url in enumerate(page_urls)}
    owner = nodes.tag[attrs.node] if len(attrs) else np.zeros(0, np.int16)
    mine = (attrs.name == _HREF) & ((owner == _A) | (owner == _AREA))
    node, value = attrs.node[mine], attrs.value[mine]
    page = nodes.page[node]
    # A loop over links in Python: an address is text. Each href of a folder is resolved once, and each that says its host, too.
    urls: list[str] = []
    targets: list[int] = []
    same: list[bool] = []
    known: dict[str, dict[int, _Target]] = {}
    own_origins: dict[str, dict[str, bool]] = {}
    bounds = np.searchsorted(page, np.arange(len(page_urls) + 1))
    values = value.tolist()
    for p, base in enumerate(page_bases):
        own_site = site_key(host_of(page_urls[p]))
        # A relative href means the same on all pages of a folder, but for "?x" and "".
        seen = known.setdefault(f"{own_site} {_directory(base)}", {})
        anywhere = known.setdefault(own_site, {})
        is_own = own_origins.setdefault(own_site, {})
        for v in values[bounds[p] : bounds[p + 1]]:
            if (found := seen.get(v)) is None:
                href = strings[v]
                of = anywhere if href.startswith(_WHOLE) else seen
                if (found := of.get(v)) is None:
                    found = _NOWHERE
                    if url := resolve(href, base):
                        origin = url[: url.index("/", 8)]
                        if (own := is_own.get(origin)) is None:
                            own = is_own[origin] = site_key(host_of(url)) == own_site
                        found = _Target(url, row_of.get(page_key(url), -1), own)
                if href[:1] not in ("", "?", "#"):
                    seen[v] = of[v] = found
            urls.append(found.url)
            targets.append(found.page)
            same.append(found.is_same_site)
    target = np.array(targets, np.int32)
    return Links(
        node=node,
        page=page,
        target=target,
        url=tuple(urls),
        is_self=target == page,
        is_same_site=np.array(same, bool),
    )


def _directory(base: str) -> str:
    # What a relative href is resolved against: the address up to its last slash.
    return base.partition("?")[0].rpartition("/")[0]
