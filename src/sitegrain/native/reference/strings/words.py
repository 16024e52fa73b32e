"""Words that stand in names, the keys of paths and the hashes of strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays import hashing
from sitegrain.native.columns import NUMBERS

_MULTIPLIER, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1


class Matcher(NamedTuple):
    """Words and the bits of each."""

    words: tuple[str, ...]
    bits: list[int]


def matcher(words: tuple[str, ...], bits: npt.NDArray[np.uint64]) -> Matcher:
    """`sitegrain.native.matcher`."""
    if len(bits) < len(words) or any(len(word.encode()) < 3 for word in words):
        raise ValueError("words of three bytes or more, one number each")
    return Matcher(words, bits[: len(words)].tolist())


def word_bits(names: Sequence[str], wanted: Matcher) -> npt.NDArray[np.uint64]:
    """`sitegrain.native.word_bits`: every word is looked for in every name."""
    out = []
    for name in names:
        cut = name.encode()[: NUMBERS["MAX_NAME_BYTES"]].decode("utf-8", "ignore")
        plain = "-" + "".join(c if not c.isascii() else c.lower() if c.isalnum() else "-" for c in cut) + "-"
        found = 0
        for word, bit in zip(wanted.words, wanted.bits, strict=True):
            if word in plain:
                found |= bit
        out.append(found)
    return np.array(out, np.uint64)


def path_keys(parent: npt.NDArray[np.int32], own: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`sitegrain.native.path_keys`: a loop, because each row waits for its parent."""
    keys: list[int] = []
    for up, value in zip(parent.tolist(), own.tolist(), strict=True):
        k = ((keys[up] if up >= 0 else 0) * _MULTIPLIER + value) & _MASK
        k = ((k ^ (k >> 30)) * _MIX1) & _MASK
        k = ((k ^ (k >> 27)) * _MIX2) & _MASK
        keys.append(k ^ (k >> 31))
    return np.array(keys, np.uint64)


def string_hashes(strings: list[str]) -> npt.NDArray[np.uint64]:
    """`sitegrain.native.string_hashes`: what hashlib says."""
    return hashing.string_hashes(strings)
