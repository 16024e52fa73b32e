"""What is counted of all texts, terms and rows of a site."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.siblings import like_siblings as grouped
from sitegrain.arrays.types import Bools, Hashes, Ints32, Ints64
from sitegrain.native.columns import bits_of

_IS_ASCII, _HAS_TWO_DIGITS, _IS_DECIMAL, _ENDS_WITH_STOP = bits_of("STRING_BITS")
_TWO_DIGITS = re.compile(r"\d\d")


def string_facts(strings: list[str], stops: str) -> tuple[Ints32, Ints32, npt.NDArray[np.uint8]]:
    """`sitegrain.native.string_facts`."""
    bits = [
        _IS_ASCII * text.isascii()
        + _HAS_TWO_DIGITS * (_TWO_DIGITS.search(text) is not None)
        + _IS_DECIMAL * text.isdecimal()
        + _ENDS_WITH_STOP * any(c in stops for c in text[-2:])
        for text in strings
    ]
    words = [len(text.split()) for text in strings]
    return np.array([len(text) for text in strings], np.int32), np.array(words, np.int32), np.array(bits, np.uint8)


def term_counts(ids: Ints32, page_offset: Ints64, chosen: npt.NDArray[np.bool_], n_terms: int, worth: Ints64) -> Ints64:
    """`sitegrain.native.term_counts`."""
    out = np.zeros((n_terms, 3), np.int64)
    for page in np.flatnonzero(chosen).tolist():
        term, times = np.unique(ids[page_offset[page] : page_offset[page + 1]], return_counts=True)
        out[term] += np.stack([np.ones(len(term), np.int64), times, worth[times]], axis=1)
    return out


def page_keys(page: Ints32, key: Hashes) -> tuple[Hashes, Ints64, Ints32, Bools]:
    """`sitegrain.native.page_keys`."""
    found, number = np.unique(key, return_inverse=True)
    which = number.reshape(-1).astype(np.int32)
    order = np.lexsort((np.arange(len(key)), which, page))
    is_new = np.ones(len(key), bool)
    is_new[1:] = (which[order][1:] != which[order][:-1]) | (page[order][1:] != page[order][:-1])
    is_first = np.zeros(len(key), bool)
    is_first[order[is_new]] = True
    return found, np.bincount(which[is_first], minlength=len(found)).astype(np.int64), which, is_first


def like_siblings(parent: Ints32, kind: Ints64, token_row: Ints64, token: Ints64) -> tuple[Ints32, Ints64, Ints64]:
    """`sitegrain.native.like_siblings`: sorted once for all rows."""
    found = grouped(parent, kind, token_row, token)
    return found.row_group, found.size, found.parent
