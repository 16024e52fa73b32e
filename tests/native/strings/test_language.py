"""How much a text looks like each language: both bodies, and automata that lead nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from tests.native.bodies import both, in_python


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 60), st.binary(max_size=3000))
def test_both_bodies_find_the_same(seed: int, n_states: int, n_features: int, data: bytes) -> None:
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(1, n_states + 1))
    moves = rng.integers(0, n_states, 256 * n_rows).astype(np.uint32)
    row = rng.integers(0, n_rows, n_states).astype(np.uint16)
    output = rng.integers(-n_features, n_features, n_states).astype(np.int32)
    bits = rng.integers(0, 2**16, (n_features, int(rng.integers(1, 9)))).astype(np.uint16)
    weights = np.where(bits & 0x7C00 == 0x7C00, np.uint16(1), bits).view(np.float16)  # finite ones, the smallest too
    compiled, plain = both(lambda: native.class_scores(moves, row, output, weights, data))
    assert compiled.tolist() == plain.tolist()


def test_moves_to_no_state_are_refused() -> None:
    one_row, one_state, weights = np.zeros(256, np.uint32), np.zeros(1, np.uint16), np.zeros((1, 3), np.float16)
    for moves, row, output in (
        (one_row + 1, one_state, np.zeros(1, np.int32)),
        (one_row, one_state + 1, np.zeros(1, np.int32)),
        (one_row[:90], one_state, np.zeros(1, np.int32)),
        (one_row, one_state, np.zeros(2, np.int32)),
        (one_row, one_state, np.ones(1, np.int32)),
    ):
        with pytest.raises(ValueError, match="state"):
            native.class_scores(moves.astype(np.uint32), row.astype(np.uint16), output, weights, b"aa")
        with in_python(), pytest.raises(ValueError, match="state"):
            native.class_scores(moves.astype(np.uint32), row.astype(np.uint16), output, weights, b"aa")
