"""The network over blocks: C against Python to the last bit, pages apart, damaged files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.errors import ModelError
from sitegrain.extractor import network as blocknet
from sitegrain.extractor.network import VIEWS, BlockNet, Scaling, run_ends
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.native import block_net
from tests.native.bodies import both, needs_core

NAMES = tuple("abcdefg")
HAVE = ("x", *NAMES[::-1], "y")
"""The columns come in another order, and with two that the network does not read."""


def random_net(rng: np.random.Generator, width: int, layers: int = 2) -> BlockNet:
    def matrix(rows: int, columns: int) -> np.ndarray:
        return rng.normal(0, rows**-0.5, (rows, columns)).astype(np.float16).astype(np.float32)

    shapes = [(len(NAMES), width), *([(VIEWS * width, width)] * layers), (width, 1)]
    scaling = Scaling(
        rng.uniform(0.1, 3, len(NAMES)).astype(np.float32), rng.uniform(0.5, 5, len(NAMES)).astype(np.float32)
    )
    bias = tuple(rng.normal(0, 0.3, c).astype(np.float32) for _, c in shapes)
    return BlockNet(NAMES, scaling, tuple(matrix(*s) for s in shapes), bias)


def random_blocks(rng: np.random.Generator, sizes: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = sum(sizes)
    x = (rng.normal(0, 10, (n, len(HAVE))) * (rng.random((n, len(HAVE))) < 0.6)).astype(np.float32)
    x[rng.random(x.shape) < 0.1] = np.nan
    x[rng.random(x.shape) < 0.02] = np.inf
    return x, np.repeat(np.arange(len(sizes)), sizes), rng.integers(0, 50, n).astype(float)


@needs_core
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6), st.lists(st.integers(1, 30), min_size=1, max_size=4), st.sampled_from([1, 5, 16, 32, 48, 53])
)
def test_c_and_python_agree_to_the_last_bit(seed: int, sizes: list[int], width: int) -> None:
    rng = np.random.default_rng(seed)
    net = random_net(rng, width, layers=int(rng.integers(0, 3)))
    x, page, words = random_blocks(rng, sizes)
    fast, slow = both(lambda: net.predict_parts((x[:, :3], x[:, 3:]), HAVE, page, words))
    assert np.isfinite(fast).all()
    assert fast.tolist() == slow.tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_a_page_scores_the_same_alone_and_among_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    net = random_net(rng, 32)
    x, page, words = random_blocks(rng, [4, 17, 1])
    together = net.predict_parts((x,), HAVE, page, words)
    alone = [net.predict_parts((x[page == p],), HAVE, page[page == p], words[page == p]) for p in range(3)]
    assert together.tolist() == np.concatenate(alone).tolist()


def test_a_block_sees_its_neighbours() -> None:
    rng = np.random.default_rng(3)
    net = random_net(rng, 32)
    x, page, words = random_blocks(rng, [8])
    before = net.predict_parts((x,), HAVE, page, words)
    x[0] = -np.nan_to_num(x[0], nan=1.0, posinf=1.0) + 3
    assert (net.predict_parts((x,), HAVE, page, words) != before).all()


def test_no_blocks() -> None:
    net = random_net(np.random.default_rng(0), 8)
    nothing = np.zeros((0, len(HAVE)), np.float32)
    assert net.predict_parts((nothing,), HAVE, np.zeros(0, np.int64), np.zeros(0)).tolist() == []


def test_a_long_page_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocknet, "MAX_RUN", 10)
    page = np.repeat([0, 1, 2], [3, 25, 10])
    assert run_ends(page).tolist() == [3, 13, 23, 28, 38]


def test_saved_and_loaded() -> None:
    rng = np.random.default_rng(1)
    net = random_net(rng, 16)
    x, page, words = random_blocks(rng, [12])
    again = Reader("m").read(BlockNet, to_plain(net))
    assert again.predict_parts((x,), HAVE, page, words).tolist() == net.predict_parts((x,), HAVE, page, words).tolist()


@pytest.mark.parametrize("part", ["names", "scaling", "weights", "bias"])
def test_a_damaged_file_is_told(part: str) -> None:
    net = random_net(np.random.default_rng(1), 16)
    state = to_plain(net)
    short = replace(net.scaling, gain=net.scaling.gain[:-1]) if part == "scaling" else getattr(net, part)[:-1]
    damage: tuple[object, ...] = (to_plain(short), None, "no list", [])
    for broken in damage:
        with pytest.raises(ModelError, match="damaged"):
            Reader("m").read(BlockNet, {**state, part: broken})
    with pytest.raises(ModelError, match="damaged"):
        Reader("m").read(BlockNet, {k: v for k, v in state.items() if k != part})


def test_the_kernel_refuses_arrays_that_do_not_fit() -> None:
    net = random_net(np.random.default_rng(1), 16)._placed(HAVE)
    x, page, words = random_blocks(np.random.default_rng(2), [6])
    ends = run_ends(page)

    def refused() -> bool:
        for bad in (
            net._replace(typical=net.typical[:-1]), net._replace(weights=net.weights[:-1]), net._replace(bias=net.bias[:-1]),
            net._replace(out_weights=net.out_weights[:-1]),
        ):  # fmt: skip
            with pytest.raises(ValueError, match="fit"):
                block_net(bad, (x,), words, ends)
        for parts, some_words, some_ends in (
            ((x[:, :3],), words, ends), ((), words, ends), ((x,), words[:-1], ends), ((x,), words, np.array([7])),
            ((x,), words, np.array([3])), ((x,), words, np.array([5, 3, 6])),
        ):  # fmt: skip
            with pytest.raises(ValueError, match=r"fit|parts"):
                block_net(net, parts, some_words, some_ends)
        return len(block_net(net, (x,), words, ends)) == 6

    assert both(refused) == (True, True)
