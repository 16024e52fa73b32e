"""The network over the blocks of a page."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats32
from sitegrain.native.columns import NUMBERS
from sitegrain.native.inputs import NetWeights

_NEAR = NUMBERS["NEAR_BLOCKS"]


def scaled(x: Floats32, typical: Floats32, gain: Floats32) -> Floats32:
    """gain * x / (|x| + typical): that tames long tails (words, characters) without a logarithm for every cell, and nothing
    stays nothing."""
    with np.errstate(invalid="ignore"):
        out = x / (np.abs(x) + typical) * gain
    np.copyto(out, np.float32(0), where=np.isnan(out))
    return np.asarray(out, np.float32)


def block_net(
    net: NetWeights, parts: Sequence[Floats32], words: npt.NDArray[np.float64], ends: npt.NDArray[np.int64]
) -> Floats32:
    """`sitegrain.native.block_net`."""
    _check(net, parts, words, ends)
    x = np.concatenate(parts, axis=1)
    out = np.empty(len(x), np.float32)
    for first, last in itertools.pairwise([0, *ends.tolist()]):
        h = np.maximum(_product(scaled(x[first:last], net.typical, net.gain), net.weights, net.bias), 0)
        n, width = h.shape
        weight = (words[first:last] + 1.0).astype(np.float32)
        share = weight / np.cumsum(weight)[-1]
        block = np.arange(n)
        lo, hi = np.maximum(block - _NEAR, 0), np.minimum(block + _NEAR + 1, n)
        count = (hi - lo).astype(np.float32)[:, None]
        for around, mean, by_words, bias in net.layers:
            seen = _product(h, around, np.zeros(4 * width, np.float32))
            own, before, after, near = np.split(seen, 4, axis=1)
            means = np.asarray(np.cumsum(h, axis=0)[-1:] / np.float32(n), np.float32)
            constant = _product(means, mean, bias)
            constant = _product(np.cumsum(h * share[:, None], axis=0)[-1:], by_words, constant[0])
            a = own + constant
            a[1:] += before[:-1]
            a[:-1] += after[1:]
            total = np.zeros((n, width), np.float32)
            for step in range(2 * _NEAR + 1):
                has = lo + step < hi
                total[has] += near[lo[has] + step]
            h = h + np.maximum(a + total / count, 0)
        out[first:last] = _product(h, net.out_weights, np.array([net.out_bias], np.float32))[:, 0]
    return out


def _product(x: Floats32, weights: Floats32, bias: Floats32) -> Floats32:
    """x @ weights + bias, added one column of x at a time: the order in which C adds."""
    out = np.repeat(bias[None, :], len(x), axis=0)
    for k in range(x.shape[1]):
        out += x[:, k : k + 1] * weights[k]
    return out


def _check(
    net: NetWeights, parts: Sequence[Floats32], words: npt.NDArray[np.float64], ends: npt.NDArray[np.int64]
) -> None:
    n, width, columns = len(words), len(net.bias), sum(part.shape[1] for part in parts)
    bounds = np.concatenate([[0], ends])
    fits = (
        len(parts) > 0
        and {len(part) for part in parts} == {n}
        and (len(net.typical), len(net.gain)) == (columns, columns)
        and net.weights.size == columns * width
        and net.out_weights.size == width
        and (np.diff(bounds) >= 0).all()
        and bounds[-1] == n
    )
    if not fits:
        raise ValueError("the network's arrays do not fit together, or too many parts")
