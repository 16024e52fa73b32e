"""The kinds of arrays, each named once."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.signedinteger[Any]]
"""Whole numbers of any width: for what a function takes. What it gives back says its width."""
Ints8 = npt.NDArray[np.int8]
Ints16 = npt.NDArray[np.int16]
Ints32 = npt.NDArray[np.int32]
Ints64 = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]
"""Flags of a row or of a character, one bit each."""
Hashes32 = npt.NDArray[np.uint32]
"""Words as numbers, where there are too many of them for 64 bits each."""
Hashes = npt.NDArray[np.uint64]
"""Keys of places, names and texts: only their equality means something."""


def meant(kind: Any) -> Any:
    """What an alias with an argument stands for: `NDArray[...]` is one from numpy 2.5 on, and was its value before.

    >>> get_origin(meant(Floats)) is np.ndarray, meant(int)
    (True, <class 'int'>)
    """
    alias = get_origin(kind)
    return alias.__value__[get_args(kind)] if hasattr(alias, "__value__") else kind
