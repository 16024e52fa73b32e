"""What an automaton finds in bytes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Ints32


def features(
    moves: npt.NDArray[np.uint32], row: npt.NDArray[np.uint16], output: Ints32, data: bytes
) -> tuple[Ints32, Ints32]:
    """`sitegrain.native.features`: byte by byte."""
    if len(row) != len(output):
        raise ValueError("one row and one output for each state")
    state, seen = 0, []
    for byte in data:
        try:
            state = int(moves[256 * int(row[state]) + byte])
            feature = int(output[state])
        except IndexError as error:
            raise ValueError("a move leads to no state") from error
        if feature >= 0:
            seen.append(feature)
    found = Counter(seen)
    return np.array(list(found), np.int32), np.array(list(found.values()), np.int32)
