from __future__ import annotations

import numpy as np
from scipy import sparse

from sitegrain.arrays.threshold import greedy_threshold


def matrix(*rows: list[int]) -> sparse.csr_array:
    width = max(max(r, default=0) for r in rows) + 1
    out = np.zeros((len(rows), width))
    for i, row in enumerate(rows):
        out[i, row] = 1
    return sparse.csr_array(out)


def test_the_first_flat_step_is_the_boundary() -> None:
    """Two articles at 0.15 and 0.25, a menu at 1: the step from 0.3 to 0.4 adds nothing."""
    found = greedy_threshold([0.15, 0.25, 1.0], matrix([0, 1], [2, 3], [4, 5]))
    assert found.threshold == 0.3
    assert found.is_flat
    assert found.n_terms.tolist() == [0, 0, 2, 4, 4, 4, 4, 4, 4, 4, 6]
    assert found.n_units.tolist() == [0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 3]


def test_a_block_that_adds_no_new_term_makes_a_flat_step() -> None:
    assert greedy_threshold([0.1, 0.2, 0.3], matrix([0, 1], [0], [2])).threshold == 0.1


def test_no_flat_step_stays_below_one() -> None:
    values = [0.05 + i / 10 for i in range(10)]
    found = greedy_threshold(values, matrix(*([i] for i in range(10))))
    assert found.threshold == 0.9
    # The step from 0 to 0.1 is not flat, nor any after it.
    assert not found.is_flat


def test_a_boundary_needs_half_of_the_pages() -> None:
    values = [0.0, 0.35, 0.45, 0.55, 1.0]
    terms = matrix([0], [1], [2], [3], [4])
    assert greedy_threshold(values, terms).threshold == 0.0
    assert greedy_threshold(values, terms, group=[0, 1, 2, 3, 0]).threshold == 0.6


def test_date_lines_are_no_boundary() -> None:
    """Each page has a date at 0 (one term), an article at 0.35 to 0.55 (twelve) and a menu at 1."""
    values, rows, group = [], [], []
    for page in range(4):
        values += [0.0, 0.35 + page / 15, 1.0]
        rows += [[page], list(range(10 + 12 * page, 22 + 12 * page)), [99]]
        group += [page] * 3
    assert greedy_threshold(values, matrix(*rows)).threshold == 0.0
    assert greedy_threshold(values, matrix(*rows), group=group).threshold == 0.6


def test_cuts_are_inclusive_and_nan_takes_no_part() -> None:
    values = [0.1 + 0.2, np.nan, 0.9]  # 0.30000000000000004
    found = greedy_threshold(values, matrix([0], [1], [2]))
    assert found.n_terms[3] == 1
    assert found.n_units[-1] == 2
    assert greedy_threshold([], sparse.csr_array((0, 3))).threshold == 0.9
