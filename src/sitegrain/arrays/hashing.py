"""Hashes of trees: two subtrees are equal exactly when their hashes are (but for a chance of about n²/2⁶⁵).

Labels and hashes are 64-bit and depend on content only, so they compare across pages, sites and runs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sitegrain.arrays.trees.preorder import by_level, sibling_index
from sitegrain.arrays.types import Hashes, Ints

# Constants of splitmix64 (Steele, Lea and Flood 2014): a bijection whose output bits all depend on all input bits.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)


def mix(values: Hashes) -> Hashes:
    """Scramble 64-bit values one by one, so that sums of scrambled values hash sets and sequences well."""
    out = np.asarray(values, np.uint64) + _GOLDEN
    out = (out ^ (out >> np.uint64(30))) * _M1
    out = (out ^ (out >> np.uint64(27))) * _M2
    return np.asarray(out ^ (out >> np.uint64(31)), np.uint64)


def string_hashes(strings: Iterable[str]) -> Hashes:
    """A 64-bit hash of every string, the same in every run.

    >>> a, b, c = string_hashes(["nav", "div", "nav"])
    >>> bool(a == c), bool(a == b)
    (True, False)
    """
    return np.array([string_hash(s) for s in strings], np.uint64)


def string_hash(string: str) -> int:
    """The hash of one."""
    from hashlib import blake2b  # late: it loads OpenSSL, which takes a fiftieth of a short command

    return int.from_bytes(blake2b(string.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def sequence_hashes(values: Hashes, parent: Ints) -> Hashes:
    """Per row, a hash of the sequence of its children's values; 0 for rows without children."""
    out = np.zeros(len(values), np.uint64)
    rows = np.flatnonzero(np.asarray(parent) >= 0)
    place = sibling_index(parent)[rows].astype(np.uint64)
    np.add.at(out, np.asarray(parent)[rows], mix(values[rows] ^ mix(place)))
    return out


def subtree_hashes(labels: Hashes, parent: Ints) -> Hashes:
    """A hash of every row's subtree: its label and, in order, its children's subtrees.

    >>> parent = np.array([-1, 0, 1, 0, 3, 0])
    >>> a, b, c = string_hashes("abc")
    >>> hashes = subtree_hashes(np.array([a, b, c, b, c, b]), parent)
    >>> bool(hashes[1] == hashes[3]), bool(hashes[1] == hashes[5])
    (True, False)
    """
    labels = np.asarray(labels, np.uint64)
    up = np.asarray(parent)
    place = mix(sibling_index(up).astype(np.uint64))
    below = np.zeros(len(labels), np.uint64)
    out = np.zeros(len(labels), np.uint64)
    order, offset = by_level(up)
    for level in range(len(offset) - 2, -1, -1):
        rows = order[offset[level] : offset[level + 1]]
        out[rows] = mix(mix(labels[rows]) + below[rows])
        if level:
            np.add.at(below, up[rows], mix(out[rows] ^ place[rows]))
    return out


def window_hashes(tokens: Hashes, width: int) -> Hashes:
    """Hashes of all windows of `width` tokens; entry i is the window that starts at token i.

    The last width - 1 entries are windows cut short by the end of the array: the caller leaves them out.
    """
    out = np.zeros(len(tokens), np.uint64)
    for step in range(min(width, len(tokens))):
        stop = len(tokens) - step
        out[:stop] += mix(tokens[step:] ^ mix(np.array([step + 1], np.uint64)))
    return out
