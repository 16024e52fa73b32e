"""How much a text looks like each language."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats32, Ints32


def class_scores(
    moves: npt.NDArray[np.uint32],
    row: npt.NDArray[np.uint16],
    output: Ints32,
    weights: npt.NDArray[np.float16],
    n_classes: int,
    data: bytes,
) -> Floats32:
    """`sitegrain.native.class_scores`: byte by byte, and feature by feature so that sums are added up in the same order."""
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
    if seen and max(seen) >= len(weights):
        raise ValueError("the feature of a state has no weights")
    scores = np.zeros(n_classes if seen else 0, np.float32)
    for feature, times in Counter(seen).items():
        scores += np.float32(math.log1p(times)) * weights[feature].astype(np.float32)
    return scores
