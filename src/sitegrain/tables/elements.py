"""What an element is told by, and the place of an element: its path from the root, each step told that way.

Two elements, of one page or of two, stand at the same place when the keys of their paths are equal (`path_keys`). What
goes into the key of a step decides what is told apart:

| step | used by | because |
|---|---|---|
| tag | page templates; what a site knows of paths | holds where names are scrambled or differ from page to page |
| tag, first class name | entries of a list; where a site puts its fields | themes name the part first, and what |
| | | follows tells single posts apart (`post post-12`); so do digits, which are left out |
| tag, class names that count | what a site knows of paths; like places of a page | a name counts that a tenth of the |
| | | pages have, or two elements of the page: names of one element alone say nothing |

A text node stands where its parent does.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

import numpy as np

from sitegrain.arrays.types import Hashes, Ints, Ints16
from sitegrain.native import path_keys
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TEXT

_CLASS = ATTRIBUTES.index("class")
_DIGITS = re.compile(r"\d+")
_NAMED_BY_PAGE = np.array([TAG_CODE["body"], TAG_CODE["html"]], np.int16)
"""Themes write what the page is into the class names of these, so they tell pages apart and not places."""


REMEMBERED = 1 << 13
"""Names that are remembered: a site repeats its names on every page, and a value has at most 4,096 bytes."""


_NAMED: dict[int, tuple[re.Pattern[str], dict[str, bool]]] = {}
"""Per pattern, by its identity: the hash of a pattern takes longer than a search. It is held, so that no other gets its place."""


def is_named(pattern: re.Pattern[str], name: str) -> bool:
    """Whether a class or id name matches anywhere."""
    _, known = _NAMED.get(id(pattern)) or _NAMED.setdefault(id(pattern), (pattern, {}))
    answer = known.get(name)
    if answer is None:
        if len(known) >= REMEMBERED:
            known.clear()
        answer = known[name] = pattern.search(name) is not None
    return answer


def name_hash(name: str) -> int:
    """32 bits of a class name, the same in every run."""
    return zlib.crc32(name.encode("utf-8", "replace"))


def step_keys(tag: Ints16, named: Ints | None = None, names: Hashes | None = None) -> Hashes:
    """Per row: the key of a step by its tag and, for the rows `named`, by a hash of what counts of their names.

    A hash must leave the bits of the tags free: at least the lowest eight.
    """
    own = tag.astype(np.uint64)
    if named is not None and names is not None:
        own[named] += names
    return own


def tag_places(site: Site) -> Hashes:
    """Per row of a site: its place by tags alone."""
    return path_keys(site.nodes.parent, step_keys(site.nodes.tag))


def first_name_places(site: Site, page: int | None = None) -> Hashes:
    """Per row of a page (of a site without `page`): its place by tags and first class names.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p class='post-1 big'>a<p class='post-2'>b<p class=note>c")])
    >>> place = first_name_places(site)
    >>> a, b, c = site.rows("p").tolist()
    >>> bool(place[a] == place[b]), bool(place[b] == place[c]), bool(place[a] == place[a + 1])
    (True, False, True)
    """
    places = _first_name_places(site)
    return places if page is None else places[site.page_rows(page)]


@per_site
def _first_name_places(site: Site) -> Hashes:
    tag, parent = site.nodes.tag, site.nodes.parent
    node, value = site.attrs.node, site.attrs.value
    counts = (site.attrs.name == _CLASS) & ~np.isin(tag[node], _NAMED_BY_PAGE)
    used, which = np.unique(value[counts], return_inverse=True)
    names = np.array([_first_name(site.strings[v]) for v in used.tolist()], np.uint64) << np.uint64(8)
    keys = np.array(path_keys(parent, step_keys(tag, node[counts], names[which.reshape(-1)])))
    text = np.flatnonzero(tag == TEXT)
    up = parent[text]
    keys[text] = keys[np.where(up >= 0, up, site.pages.node_offset[site.nodes.page[text]])]
    keys.flags.writeable = False
    return keys


@lru_cache(maxsize=REMEMBERED)
def _first_name(value: str) -> int:
    names = value.split(maxsplit=1)
    return name_hash(_DIGITS.sub("", names[0])) if names else 0
