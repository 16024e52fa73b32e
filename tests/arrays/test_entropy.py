from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from sitegrain.arrays.entropy import EntropyStats, term_entropy
from sitegrain.errors import UsageError
from tests.oracles.entropy import entropy_with_page, slow_entropy

counts = st.integers(0, 9) | st.just(0)
matrices = st.integers(1, 7).flatmap(
    lambda n: st.integers(1, 6).flatmap(
        lambda m: st.lists(st.lists(counts, min_size=m, max_size=m), min_size=n, max_size=n)
    )
)


def test_golden_wisdom_figure_5() -> None:
    tf = np.array([[2, 1], [2, 1], [2, 4], [0, 0]])
    assert 1 - term_entropy(tf) == pytest.approx([0.207519, 0.374185], abs=5e-7)


def test_golden_infodiscoverer_figure_6() -> None:
    assert term_entropy(np.array([[1, 1, 0], [1, 0, 1]])).tolist() == [1, 0, 0]


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_equals_oracle(rows: list[list[int]]) -> None:
    assert term_entropy(sparse.csr_array(np.array(rows))) == pytest.approx(slow_entropy(rows), abs=1e-9)


@given(st.integers(2, 50), st.data())
@settings(max_examples=40, deadline=None)
def test_even_spread_equals_idf_and_skew_exceeds_it(n: int, data: st.DataObject) -> None:
    df = data.draw(st.integers(1, n))
    t = data.draw(st.integers(1, 9))
    even = np.zeros((n, 1))
    even[:df] = t
    idf = np.log(n / df) / np.log(n)
    assert 1 - term_entropy(even) == pytest.approx([idf], abs=1e-9)
    if df > 1:
        even[0] += 3
        assert (1 - term_entropy(even) > idf).all()


def test_bounds_and_single_document() -> None:
    assert term_entropy(np.array([[3, 0]])).tolist() == [0, 0]
    assert term_entropy(np.ones((7, 1)))[0] == pytest.approx(1)
    assert term_entropy(np.zeros((0, 2))).tolist() == [0, 0]
    with pytest.raises(UsageError):
        term_entropy(np.array([[-1.0]]))


def _page(row: list[int]) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(len(row)), row)


@given(matrices, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_incremental_and_merged_equal_batch_in_any_order(rows: list[list[int]], random: Random) -> None:
    batch = term_entropy(np.array(rows))
    random.shuffle(rows)
    cut = random.randint(0, len(rows))
    a, b = EntropyStats(), EntropyStats()
    for row in rows[:cut]:
        a.add(_page(row))
    for row in rows[cut:]:
        b.add(_page(row))
    for merged in (a.merge(b), b.merge(a)):
        assert merged.n_docs == len(rows)
        got = np.zeros(len(batch))
        got[: merged.n_terms] = merged.entropy()
        assert got == pytest.approx(batch, abs=1e-9)
    assert EntropyStats.of(np.array(rows)).entropy() == pytest.approx(batch, abs=1e-9)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_closed_form_of_wisdom(rows: list[list[int]]) -> None:
    entropy = np.zeros(len(rows[0]))
    total = np.zeros(len(rows[0]))
    for k, row in enumerate(rows):
        entropy = entropy_with_page(entropy, total, np.array(row, float), k)
        total += row
    assert entropy == pytest.approx(term_entropy(np.array(rows)), abs=1e-9)


def test_merge_with_another_vocabulary() -> None:
    a, b = EntropyStats(), EntropyStats()
    a.add([0, 1])
    b.add([0, 0])  # its term 0 is term 1 here
    both = a.merge(b, ids=[1])
    assert both.entropy() == pytest.approx(term_entropy(np.array([[1, 1], [0, 2]])), abs=1e-12)
    with pytest.raises(UsageError):
        a.add([-1])
