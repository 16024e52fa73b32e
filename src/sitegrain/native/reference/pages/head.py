"""What a page says in its head."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Ints32
from sitegrain.native.columns import ATTRIBUTES, TAGS
from sitegrain.native.inputs import AttrColumns

_META, _LINK, _BASE, _HTML, _BODY, _TITLE, _HEAD = map(
    TAGS.index, ("meta", "link", "base", "html", "body", "title", "head")
)
_READ = tuple(map(ATTRIBUTES.index, ("name", "property", "content", "itemprop", "href", "rel", "lang")))

Head = tuple[dict[str, str], list[tuple[str, str]], str | None, str | None, int]


def head(tag: npt.NDArray[np.int16], parent: Ints32, attrs: AttrColumns, strings: tuple[str, ...]) -> Head:
    """`sitegrain.native.head`."""
    node = attrs.node
    if len(node) and not (node.min() >= 0 and node.max() < len(tag)):
        raise ValueError("attributes do not fit the rows")
    meta: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    base = language = None
    read = np.isin(tag[node], (_META, _LINK, _BASE, _HTML, _BODY)) & np.isin(attrs.name, _READ)
    if read.any() and not 0 <= attrs.value[read].min() <= attrs.value[read].max() < len(strings):
        raise ValueError("a value is no string")
    for row in dict.fromkeys(node[read].tolist()):
        own = np.flatnonzero(read & (node == row)).tolist()
        said = {ATTRIBUTES[attrs.name[a]]: strings[attrs.value[a]] for a in own}
        code = tag[row]
        if code == _META:
            key = said.get("property") or said.get("name") or said.get("itemprop")
            if key and "content" in said:
                meta.setdefault(key.strip().lower(), said["content"])
        elif code == _LINK:
            if "canonical" in said.get("rel", "").lower():
                links.append((said["rel"], said.get("href", "")))
        elif code == _BASE:
            base = base or said.get("href") or None
        else:  # <html>, or <body>, where makers of manuals say it
            language = language or said.get("lang", "").strip().lower() or None
    titles = np.flatnonzero(tag == _TITLE)
    in_head = titles[(parent[titles] >= 0) & (tag[parent[titles]] == _HEAD)]
    return meta, links, base, language, int(next(iter((*in_head, *titles)), -1))
