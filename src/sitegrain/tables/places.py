"""A key for the path from the root of a tree down to each of its rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.native import extension

_MULTIPLIER, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1


def path_keys(parent: npt.NDArray[np.int32], own: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Per row: a hash of the `own` values from the root down to the row; `parent[i] < i`, -1 for a root.

    >>> keys = path_keys(np.array([-1, 0, 0, 1], np.int32), np.array([7, 8, 8, 9], np.uint64))
    >>> bool(keys[1] == keys[2]), bool(keys[1] == keys[3])
    (True, False)
    """
    parent = np.ascontiguousarray(parent, np.int32)
    own = np.ascontiguousarray(own, np.uint64)
    if extension is not None:
        return np.frombuffer(extension.path_keys(parent, own), np.uint64)
    return path_keys_python(parent, own)


def path_keys_python(parent: npt.NDArray[np.int32], own: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`path_keys` without the extension: a loop, because each row waits for its parent."""
    keys: list[int] = []
    for up, value in zip(parent.tolist(), own.tolist(), strict=True):
        k = ((keys[up] if up >= 0 else 0) * _MULTIPLIER + value) & _MASK
        k = ((k ^ (k >> 30)) * _MIX1) & _MASK
        k = ((k ^ (k >> 27)) * _MIX2) & _MASK
        keys.append(k ^ (k >> 31))
    return np.array(keys, np.uint64)
