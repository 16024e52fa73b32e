"""A small network that reads the blocks of a page in their order.

Trees judge a block by thresholds, one block at a time; this network weighs the same columns smoothly and sees the
blocks before and after, the blocks near by and the page as a whole. The two err on different pages, so the mean of
both is better than either. It is trained by `sitegrain.training.blocknet`.

Every page goes through alone, and sums are taken in a fixed order: a page's scores are the same to the last bit
whatever other pages are judged with it, in C and in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32, Ints64
from sitegrain.learned.typed import Stored, need
from sitegrain.native import block_net
from sitegrain.native.columns import NUMBERS
from sitegrain.native.inputs import NetLayer, NetWeights
from sitegrain.native.reference.net import scaled

NEAR = NUMBERS["NEAR_BLOCKS"]
"""Blocks before and after that are near by."""
VIEWS = 6
"""What a layer sees: the block, the one before, the one after, those near by, the page's mean, its mean by words."""
MAX_RUN = 20_000
"""Blocks that are judged together: a longer page is cut, which bounds memory (1.3 kB a block)."""


@dataclass(frozen=True)
class Scaling:
    """Columns as the network takes them: gain * x / (|x| + typical).

    That tames long tails (words, characters) without a logarithm for every cell, and nothing stays nothing: most
    cells are 0 or missing, and cost nothing.
    """

    typical: Floats32
    gain: Floats32

    def scaled(self, x: Floats32) -> Floats32:
        return scaled(x, self.typical, self.gain)


@dataclass(frozen=True)
class BlockNet:
    """The trained network.

    Parameters
    ----------
    names:
        The columns it reads, in the order of the rows of the first weights.
    scaling:
        How they are scaled.
    weights, bias:
        Of the first layer [columns x width], of each layer that looks around [VIEWS * width x width], of the
        output [width x 1]. Half precision is enough for weights in a file, and halves it.
    """

    names: tuple[str, ...]
    scaling: Scaling
    weights: tuple[Annotated[Floats32, Stored(np.float16, n_axes=2)], ...]
    bias: tuple[Floats32, ...]
    _ready: dict[tuple[str, ...], NetWeights] = field(default_factory=dict, repr=False, compare=False)

    def predict_parts(
        self, parts: Sequence[Floats32], have: tuple[str, ...], page: npt.NDArray[np.integer], words: Floats
    ) -> Floats:
        """One probability per block. `parts` are matrices side by side whose columns are `have`."""
        odds = block_net(self._placed(have), parts, words, run_ends(page))
        return 1 / (1 + np.exp(-odds.astype(np.float64)))

    def _placed(self, have: tuple[str, ...]) -> NetWeights:
        """The network for columns in this order."""
        found = self._ready.get(have)
        if found is None:
            place = {name: k for k, name in enumerate(have)}
            at = np.array([place[name] for name in self.names], np.int64)
            typical, gain = np.ones(len(have), np.float32), np.zeros(len(have), np.float32)
            typical[at], gain[at] = self.scaling.typical, self.scaling.gain
            width = len(self.bias[0])
            weights = np.zeros((len(have), width), np.float32)
            weights[at] = self.weights[0]
            layers = []
            for matrix, bias in zip(self.weights[1:-1], self.bias[1:-1], strict=True):
                *around, mean, by_words = matrix.reshape(VIEWS, width, width)
                layers.append(NetLayer(np.concatenate(around, axis=1), mean, by_words, bias))
            found = self._ready[have] = NetWeights(
                typical, gain, weights, self.bias[0], tuple(layers), self.weights[-1], float(self.bias[-1][0])
            )
        return found

    def check(self) -> None:
        """The layers must fit together."""
        width = len(self.bias[0]) if self.bias else 0
        shapes = [(len(self.names), width), *([(VIEWS * width, width)] * (len(self.bias) - 2)), (width, 1)]
        columns = (len(self.scaling.typical), len(self.scaling.gain))
        need(len(self.bias) >= 2 and width > 0, "the network has no layers")
        need([w.shape for w in self.weights] == shapes, "the layers of the network do not fit together")
        need(
            [len(b) for b in self.bias] == [shape[1] for shape in shapes],
            "the layers of the network do not fit together",
        )
        need(columns == (len(self.names),) * 2, "the layers of the network do not fit together")


def run_ends(page: npt.NDArray[np.integer]) -> Ints64:
    """Where each page ends among blocks that stand in the order of pages; a page of over `MAX_RUN` blocks is cut.

    >>> run_ends(np.array([0, 0, 2])).tolist()
    [2, 3]
    """
    ends = np.append(np.flatnonzero(page[1:] != page[:-1]) + 1, len(page)) if len(page) else np.zeros(0, np.int64)
    begins = np.concatenate([[0], ends[:-1]])
    if len(page) <= MAX_RUN:
        return ends.astype(np.int64)
    cut = [np.append(np.arange(b + MAX_RUN, e, MAX_RUN), e) for b, e in zip(begins, ends, strict=True)]
    return np.concatenate(cut).astype(np.int64)
