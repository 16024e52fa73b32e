"""Train the network over the blocks of a page: plain Adam on numpy arrays.

The network is small (some 40,000 weights) and its layers are matrix products and fixed means over neighbouring
blocks, whose transposes are as simple; a library for deep learning would be the largest thing this project installs.
The gradient is tested against finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sitegrain.arrays.types import Floats, Floats32, Ints64
from sitegrain.extractor.network import NEAR, VIEWS, BlockNet, Scaling

WIDTH, LAYERS = 48, 2
EPOCHS, BATCH = 20, 16
"""Rounds over all pages, and pages at once."""
RATE, WARM_UP, DECAY, DROPOUT = 2e-3, 100, 0.01, 0.35
"""Highest step size, steps until it is reached (then a cosine to 0), weight decay, share of values dropped."""
LEAST_SPREAD = 0.1
"""A column that is rarely set gets no gain above 10: the few pages that have it would steer the rest."""


class Neighbours:
    """What stands around the blocks of some pages, and its transpose."""

    def __init__(self, sizes: Sequence[int], words: Floats) -> None:
        size = np.asarray(sizes, np.int64)
        self.start: Ints64 = np.concatenate([[0], np.cumsum(size)[:-1]])
        self.page: Ints64 = np.repeat(np.arange(len(size)), size)
        block = np.arange(len(self.page))
        self.lo: Ints64 = np.maximum(block - NEAR, self.start[self.page])
        self.hi: Ints64 = np.minimum(block + NEAR + 1, (self.start + size)[self.page])
        self.near: Floats32 = (self.hi - self.lo).astype(np.float32)[:, None]
        self.is_first = block == self.start[self.page]
        self.is_last = np.append(self.is_first[1:], True)
        self.size: Floats32 = size.astype(np.float32)[:, None]
        weight = (words + 1).astype(np.float32)[:, None]
        self.share: Floats32 = weight / self.page_sum(weight)[self.page]

    def page_sum(self, h: Floats32) -> Floats32:
        return np.asarray(np.add.reduceat(h, self.start, axis=0))

    def before(self, h: Floats32) -> Floats32:
        out = np.roll(h, 1, axis=0)
        out[self.is_first] = 0
        return out

    def after(self, h: Floats32) -> Floats32:
        out = np.roll(h, -1, axis=0)
        out[self.is_last] = 0
        return out

    def near_sum(self, h: Floats32) -> Floats32:
        running = np.zeros((len(h) + 1, h.shape[1]))
        np.cumsum(h, axis=0, out=running[1:])
        return (running[self.hi] - running[self.lo]).astype(np.float32)

    def views(self, h: Floats32) -> Floats32:
        """[n x VIEWS * width]: the block and what is around it."""
        mean, by_words = self.page_sum(h) / self.size, self.page_sum(h * self.share)
        parts = (h, self.before(h), self.after(h), self.near_sum(h) / self.near, mean[self.page], by_words[self.page])
        return np.concatenate(parts, axis=1)

    def views_transposed(self, g: Floats32) -> Floats32:
        """The gradient of `h`, given that of its views."""
        own, before, after, near, mean, by_words = np.split(g, VIEWS, axis=1)
        return np.asarray(
            own
            + self.after(before)
            + self.before(after)
            + self.near_sum(near / self.near)
            + (self.page_sum(mean) / self.size)[self.page]
            + self.share * self.page_sum(by_words)[self.page]
        )


@dataclass
class Weights:
    """The network while it is trained: weights and bias of every layer in turn."""

    values: list[Floats32]

    @classmethod
    def start(cls, n_columns: int, rng: np.random.Generator) -> Weights:
        rows = [n_columns, *([VIEWS * WIDTH] * LAYERS)]
        values: list[Floats32] = []
        for n in rows:
            values += [rng.normal(0, np.sqrt(2 / n), (n, WIDTH)).astype(np.float32), np.zeros(WIDTH, np.float32)]
        return cls(
            [*values, rng.normal(0, 0.1 / np.sqrt(WIDTH), (WIDTH, 1)).astype(np.float32), np.zeros(1, np.float32)]
        )

    def odds(self, x: Floats32, around: Neighbours) -> Floats32:
        """Log odds of every block."""
        return self._forward(x, around, None)[0]

    def gradient(
        self, x: Floats32, around: Neighbours, label: Floats32, weight: Floats32, rng: np.random.Generator | None = None
    ) -> tuple[float, list[Floats32]]:
        """Mean weighted cross entropy and its gradient; values are dropped at random where `rng` is given."""
        odds, seen, h = self._forward(x, around, rng)
        p = 1 / (1 + np.exp(-odds))
        share = weight / weight.sum()
        loss = float(np.sum(share * (np.logaddexp(0, odds) - label * odds)))
        g = ((p - label) * share)[:, None].astype(np.float32)
        out: list[Floats32] = [np.asarray(g.sum(axis=0)), np.asarray(h.T @ g)]
        back = g @ self.values[-2].T
        for k in range(len(seen) - 1, -1, -1):
            inputs, mask = seen[k]
            mine = back * mask
            out += [np.asarray(mine.sum(axis=0)), np.asarray(inputs.T @ mine)]
            if k:
                back = back + around.views_transposed(mine @ self.values[2 * k].T)
        return loss, out[::-1]

    def _forward(
        self, x: Floats32, around: Neighbours, rng: np.random.Generator | None
    ) -> tuple[Floats32, list[tuple[Floats32, Floats32]], Floats32]:
        seen: list[tuple[Floats32, Floats32]] = []
        h = np.zeros((len(x), WIDTH), np.float32)
        for k in range(0, len(self.values) - 2, 2):
            inputs = around.views(h) if k else x
            a = inputs @ self.values[k] + self.values[k + 1]
            mask = (a > 0).astype(np.float32)
            if rng is not None:
                mask *= (rng.random(a.shape, np.float32) >= DROPOUT) * np.float32(1 / (1 - DROPOUT))
            seen.append((inputs, mask))
            h = h + a * mask
        return (h @ self.values[-2] + self.values[-1])[:, 0], seen, h


class Adam:
    """The usual moments."""

    def __init__(self, values: Sequence[Floats32]) -> None:
        self.first = [np.zeros_like(v) for v in values]
        self.second = [np.zeros_like(v) for v in values]
        self.steps = 0

    def step(self, values: list[Floats32], gradient: Sequence[Floats32], rate: float) -> None:
        self.steps += 1
        even = 1 / (1 - 0.9**self.steps), 1 / (1 - 0.99**self.steps)
        for k, g in enumerate(gradient):
            self.first[k] += np.float32(0.1) * (g - self.first[k])
            self.second[k] += np.float32(0.01) * (g * g - self.second[k])
            step = self.first[k] * np.float32(even[0])
            step /= np.sqrt(self.second[k] * np.float32(even[1])) + np.float32(1e-8)
            if values[k].ndim == 2:
                step += np.float32(DECAY) * values[k]
            values[k] -= np.float32(rate) * step


@dataclass(frozen=True)
class NetPage:
    """One page to learn from."""

    draw: Callable[[], Floats32]
    """Its columns; another draw may blank names."""
    label: Floats
    weight: Floats
    words: Floats


def fit_scaling(pages: Sequence[Floats32]) -> Scaling:
    """The scaling of these columns."""
    x = np.concatenate(pages)
    size = np.abs(x)
    size[~(size > 0)] = np.nan
    with np.errstate(all="ignore"):
        typical = np.array([np.nanmedian(c) if np.isfinite(c).any() else 1.0 for c in size.T], np.float32)
        soft = x / (np.abs(x) + typical)
    soft[np.isnan(soft)] = 0
    spread = np.std(soft, axis=0, dtype=np.float64)
    return Scaling(typical, (1 / np.maximum(spread, LEAST_SPREAD)).astype(np.float32))


def train_net(pages: Sequence[NetPage], names: tuple[str, ...], seed: int, epochs: int = EPOCHS) -> BlockNet:
    """A network from pages with at least one block each."""
    rng = np.random.default_rng(seed)
    scaling = fit_scaling([p.draw() for p in pages])
    net = Weights.start(len(names), rng)
    adam = Adam(net.values)
    batch = min(BATCH, len(pages))
    n_steps = epochs * (len(pages) // batch)
    for _ in range(epochs):
        order = rng.permutation(len(pages))
        for first in range(0, len(order) - batch + 1, batch):
            some = [pages[i] for i in order[first : first + batch]]
            around = Neighbours([len(p.words) for p in some], np.concatenate([p.words for p in some]))
            label = np.concatenate([p.label for p in some]).astype(np.float32)
            weight = np.concatenate([p.weight for p in some]).astype(np.float32)
            x = scaling.scaled(np.concatenate([p.draw() for p in some]))
            _, gradient = net.gradient(x, around, label, weight, rng)
            rate = RATE * min(1.0, adam.steps / WARM_UP) * 0.5 * (1 + np.cos(np.pi * adam.steps / n_steps)) + 1e-5
            adam.step(net.values, gradient, rate)
    # Weights are shipped in half precision: what is measured is what is shipped.
    weights = tuple(w.astype(np.float16).astype(np.float32) for w in net.values[::2])
    return BlockNet(names, scaling, weights, tuple(net.values[1::2]))
