"""What tells one element from another when pages are laid on top of each other.

A label is a 64-bit hash, so labels of pages read on different days compare. Sites print class names that name
one page (`post-1234`, `page-id-7`): such a name can align nothing, so names with a number of two digits or
more, and names and values that too few pages have, are left out of a label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Hashes
from sitegrain.native import string_hashes
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, STYLE_ATTRIBUTES, TAGS

RARE_SHARE = 0.02
"""A class name on fewer than this share of the pages (and at least two) is not style. Ours: numbered names of
listed posts reach a few pages (article, month, tag, front page) whatever the size of the site."""

_NUMBERED = re.compile(r"\d\d")
_STYLE_CODES = np.array([ATTRIBUTES.index(name) for name in STYLE_ATTRIBUTES], np.int16)
_NAME_CODE = ATTRIBUTES.index(":tag")


@dataclass(frozen=True, eq=False)
class StyleVocabulary:
    """The display attributes that a site uses often enough to mean style."""

    token: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    """Sorted hashes of `name=value` (of `class=name` for each class name)."""


def tag_labels(site: Site) -> Hashes:
    """Per row the hash of its tag name alone."""
    out = string_hashes(TAGS)[site.nodes.tag]
    named = site.attrs.name == _NAME_CODE
    out[site.attrs.node[named]] += mix(string_hashes(site.strings)[site.attrs.value[named]])
    return out


def full_labels(site: Site) -> Hashes:
    """Per row the hash of its tag and of every attribute that is kept; of a text node, of its text."""
    out = tag_labels(site)
    values = string_hashes(site.strings)
    names = string_hashes(ATTRIBUTES)
    attrs = site.attrs
    np.add.at(out, attrs.node, mix(names[attrs.name] ^ mix(values[attrs.value])))
    return _with_texts(site, out)


def text_labels(site: Site) -> Hashes:
    """Per row the hash of its tag name; of a text node, of its text (white space folded)."""
    return _with_texts(site, tag_labels(site))


def _with_texts(site: Site, labels: Hashes) -> Hashes:
    rows = site.text_rows
    labels[rows] = mix(string_hashes(site.unique_texts)[site.text_id[rows]])
    return labels


def learn_style(site: Site, rare_share: float = RARE_SHARE) -> StyleVocabulary:
    """The display attributes that are on enough pages of a site."""
    node, token = _style_tokens(site)
    pair = np.unique(np.stack([token, site.nodes.page[node].astype(np.uint64)]), axis=1)
    known, n_pages = np.unique(pair[0], return_counts=True)
    least = max(2, int(np.ceil(rare_share * site.n_pages)))
    return StyleVocabulary(known[n_pages >= min(least, max(site.n_pages, 1))])


def style_labels(site: Site, vocabulary: StyleVocabulary) -> Hashes:
    """Per row the hash of its tag and of the display attributes in the vocabulary."""
    out = tag_labels(site)
    node, token = _style_tokens(site)
    known = np.isin(token, vocabulary.token)
    # A set: the same class twice counts once, and order does not matter.
    pair = np.unique(np.stack([node[known].astype(np.uint64), token[known]]), axis=1)
    np.add.at(out, pair[0].astype(np.int64), mix(pair[1]))
    return out


def _style_tokens(site: Site) -> tuple[npt.NDArray[np.int32], Hashes]:
    """(row, token) for every display attribute; a class attribute gives one token for each name."""
    attrs = site.attrs
    mine = np.flatnonzero(np.isin(attrs.name, _STYLE_CODES))
    key = attrs.value[mine].astype(np.int64) * len(ATTRIBUTES) + attrs.name[mine]
    unique, which = np.unique(key, return_inverse=True)
    lists: list[list[str]] = []
    for k in unique.tolist():
        value, name = site.strings[k // len(ATTRIBUTES)], ATTRIBUTES[k % len(ATTRIBUTES)]
        if name == "class":
            lists.append([f"class={c}" for c in value.split() if not _NUMBERED.search(c)])
        else:
            lists.append([f"{name}={' '.join(value.split()).lower()}"])
    counts = np.array([len(tokens) for tokens in lists], np.int64)
    flat = string_hashes(t for tokens in lists for t in tokens)
    start = offsets(counts)
    n = counts[which] if len(which) else np.zeros(0, np.int64)
    node = np.repeat(attrs.node[mine], n)
    first = np.repeat(start[which] if len(which) else n, n)
    within = np.arange(len(node)) - np.repeat(np.cumsum(n) - n, n)
    return node, flat[first + within] if len(node) else np.zeros(0, np.uint64)


def describe(site: Site, row: int) -> str:
    """A row's tag with its display attributes, for people: `div[class=post width=80%]`."""
    kept = [f"{k}={v}" for k, v in site.node_attrs(row).items() if k in STYLE_ATTRIBUTES and v]
    name = site.tag_name(row)
    return f"{name}[{' '.join(kept)}]"[:120] if kept else name
