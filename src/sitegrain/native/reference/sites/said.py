"""What blocks say: keys of their texts, how long they are, and on how many pages texts and words are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.hashing import string_hashes
from sitegrain.arrays.types import Hashes, Ints32, Ints64
from sitegrain.native.chars import CharCounts
from sitegrain.native.sitekeys import SITE_WORD, edge_words, mask_digits, text_key

_Strings = tuple[Hashes, Ints64, bytes, Ints64]


def text_keys(text: str, start: Ints32, end: Ints32) -> tuple[Ints64, Hashes, Hashes, Hashes]:
    """`sitegrain.native.text_keys`."""
    ids: dict[str, int] = {}
    spans = zip(start.tolist(), end.tolist(), strict=True)
    which = np.array([ids.setdefault(text_key(text[s:e]), len(ids)) for s, e in spans], np.int64)
    edges = np.array([edge_words(said) for said in ids], np.uint64).reshape(len(ids), 2)
    return which, string_hashes(ids), edges[:, 0].copy(), edges[:, 1].copy()


def said_pages(text: str, start: Ints32, end: Ints32, page: Ints32) -> tuple[_Strings, _Strings, _Strings]:
    """`sitegrain.native.said_pages`: the sets of each page, counted."""
    if (np.diff(page, prepend=0) < 0).any():
        raise ValueError("spans are not by page")
    counted: tuple[Counter[str], ...] = Counter(), Counter(), Counter()
    said: dict[int, set[str]] = {}
    for s, e, p in zip(start.tolist(), end.tolist(), page.tolist(), strict=True):
        said.setdefault(p, set()).add(text_key(text[s:e]))
    for texts in said.values():
        counted[0].update(texts)
        counted[1].update({mask_digits(t) for t in texts})
        counted[2].update({word for t in texts for word in SITE_WORD.findall(t.lower())})
    texts_, masked, words = map(_by_key, counted)
    return texts_, masked, words


def _by_key(found: Counter[str]) -> _Strings:
    strings = list(found)
    key = string_hashes(strings)
    order = np.argsort(key, kind="stable")
    raw = [strings[k].encode("utf-8", "surrogatepass") for k in order.tolist()]
    pages = np.fromiter(found.values(), np.int64, len(found))[order]
    return key[order], pages, b"".join(raw), np.cumsum([0, *map(len, raw)], dtype=np.int64)


def text_sizes(
    text: str, start: Ints32, end: Ints32, char_kinds: npt.NDArray[np.uint8]
) -> tuple[Ints32, npt.NDArray[np.float64]]:
    """`sitegrain.native.text_sizes`: what is counted of each span by itself."""
    counts = [CharCounts(text[s:e], table=char_kinds) for s, e in zip(start.tolist(), end.tolist(), strict=True)]
    return np.array([c.visible[-1] for c in counts], np.int32), np.array([c.words[-1] for c in counts], np.float64)
