from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.linkrank import hits, link_matrix
from sitegrain.errors import UsageError
from tests.oracles.linkrank import salsa_limit, slow_hits

# Kao et al. 2004, fig. 7 and tables 1-2: (from, to, link entropy), printed to three digits.
LINKS = [
    (0, 1, 0.669), (0, 2, 0.861), (1, 0, 0.861), (1, 2, 0.861), (1, 3, 0.430), (1, 4, 0.430), (2, 0, 0.861),
    (3, 0, 0.861), (3, 1, 0.669), (3, 2, 0.861), (3, 4, 0.543), (4, 0, 0.861), (4, 1, 0.669), (4, 2, 0.861),
    (4, 3, 0.543),
]  # fmt: skip
HITS = ([0.297, 0.524, 0.160, 0.553, 0.553], [0.535, 0.419, 0.576, 0.321, 0.321])
ENTROPY_HITS = ([0.142, 0.756, 0.031, 0.451, 0.451], [0.229, 0.338, 0.244, 0.622, 0.622])


@pytest.mark.parametrize(("weighted", "want"), [(False, HITS), (True, ENTROPY_HITS)])
def test_golden_example_of_lamis(weighted: bool, want: tuple[list[float], list[float]]) -> None:
    source, target, entropy = zip(*LINKS, strict=True)
    matrix = link_matrix(source, target, 1 - np.array(entropy) if weighted else None, (5, 5))
    rank = hits(matrix, n_iterations=10, tolerance=0)
    assert rank.hub == pytest.approx(want[0], abs=0.0015)
    assert rank.authority == pytest.approx(want[1], abs=0.0015)


graphs = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: st.tuples(
        st.just(shape),
        st.lists(
            st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1), st.sampled_from([0, 0.25, 1, 1.5])),
            max_size=25,
        ),
    )
)


Graph = tuple[tuple[int, int], list[tuple[int, int, float]]]
Start = Literal["hub", "authority"]
starts = st.sampled_from(["hub", "authority"])


@given(graphs, st.booleans(), starts)
@settings(max_examples=120, deadline=None)
def test_equals_oracle(graph: Graph, normalize: bool, start: Start) -> None:
    (n, m), links = graph
    source, target, weight = zip(*links, strict=True) if links else ((), (), ())
    rank = hits(link_matrix(source, target, weight, (n, m)), normalize, 12, 0, start)
    hub, authority = slow_hits(links, range(n), range(m), normalize, 12, start)
    assert rank.hub == pytest.approx([hub[u] for u in range(n)], abs=1e-9)
    assert rank.authority == pytest.approx([authority[v] for v in range(m)], abs=1e-9)


@given(graphs, starts)
@settings(max_examples=60, deadline=None)
def test_salsa_converges_to_its_closed_form(graph: Graph, start: Start) -> None:
    (n, m), links = graph
    source, target, weight = zip(*links, strict=True) if links else ((), (), ())
    matrix = link_matrix(source, target, weight, (n, m))
    rank = hits(matrix, True, 5000, 1e-13, start)
    hub, authority = salsa_limit(matrix, start)
    assert rank.hub == pytest.approx(hub, abs=1e-7)
    assert rank.authority == pytest.approx(authority, abs=1e-7)


def test_two_pages_that_link_each_other_do_not_oscillate() -> None:
    chain = link_matrix([0, 1, 1, 2], [1, 0, 2, 1], None, (3, 3))
    after = [hits(chain, n_iterations=k, tolerance=0).hub for k in (20, 21, 22)]
    assert after[0] == pytest.approx(after[1], abs=1e-6)
    assert after[1] == pytest.approx(after[2], abs=1e-6)


def test_nothing_to_rank() -> None:
    for matrix in (
        np.zeros((0, 0)),
        np.zeros((3, 3)),
        link_matrix([0], [1], [0.0], (3, 3)),
        np.zeros((1, 0)),
    ):
        for rank in (hits(matrix), hits(matrix, normalize=True)):
            assert rank.converged
            assert not rank.hub.any()
            assert not rank.authority.any()


def test_tiny_weights_do_not_vanish() -> None:
    rank = hits(link_matrix([0, 1], [1, 2], [1e-200, 2e-200], (3, 3)))
    assert np.isfinite(rank.hub).all()
    assert rank.hub[1] == pytest.approx(1)


def test_bad_weights() -> None:
    with pytest.raises(UsageError):
        link_matrix([0], [0], [np.nan], (1, 1))
    with pytest.raises(UsageError):
        link_matrix([0], [0], [-1], (1, 1))
