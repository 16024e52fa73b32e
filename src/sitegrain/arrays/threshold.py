"""The greedy entropy threshold of InfoDiscoverer (Lin and Ho 2002, section 4.5)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.light import dataclass

LEAST_SHARE = 0.1
"""Share of a page's text that its informative units hold at least. Kao et al. 2004 report 12% for a news site, the least
in the papers; a date, an author or a line of tags is less."""


@dataclass(frozen=True, eq=False)
class Greedy:
    """A threshold with its evidence, one entry per step."""

    threshold: float
    cuts: Floats
    """0, step, ..., 1."""
    n_terms: Ints64
    """Distinct terms of the units with an entropy of at most the cut."""
    n_units: Ints64
    """Units with an entropy of at most the cut."""
    is_flat: bool
    """A step that adds no term was found; if not, the threshold is the last cut below 1."""


def greedy_threshold(
    entropy: npt.ArrayLike,
    unit_term: sparse.csr_array,
    step: float = 0.1,
    group: npt.ArrayLike | None = None,
) -> Greedy:
    """The cut between informative and redundant units.

    The cut rises from 0 by `step`; a unit (a block, a sentence) with an entropy of at most the cut is informative.
    The first cut after which one more step adds no distinct term is the boundary. If no step is flat before 1, the
    cut stays below the units whose entropy is close to 1. Units without an entropy (NaN) take no part.

    A boundary needs something on its informative side: with `group` (the page of each unit) a flat step counts
    only once the informative units hold `LEAST_SHARE` of the term occurrences of at least half of the groups, without it
    once any term is in. (A unit for each page is not enough: a date line is one.)

    >>> terms = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]))
    >>> greedy_threshold([0.15, 0.3, 1.0], terms).threshold
    0.3
    """
    values = np.asarray(entropy, np.float64)
    n_steps = max(1, round(1 / step))
    cuts = np.round(np.arange(n_steps + 1) / n_steps, 12)
    # The first cut that lets a unit in; a hair of slack, so that 0.30000000000000004 is 0.3.
    has = ~np.isnan(values)
    at = np.full(len(values), n_steps + 1)
    at[has] = np.searchsorted(cuts, values[has] - 1e-9)
    rows = np.repeat(np.arange(unit_term.shape[0]), np.diff(unit_term.indptr))
    n_terms = _running(_least(at[rows], unit_term.indices, int(unit_term.shape[1])), n_steps)
    n_units = _running(at[has], n_steps)
    ready = n_terms > 0
    if group is not None:
        pages, place = np.unique(np.asarray(group)[has], return_inverse=True)
        held = np.zeros((len(pages), n_steps + 2))
        np.add.at(held, (place.reshape(-1), at[has]), np.asarray(unit_term.sum(axis=1)).reshape(-1)[has])
        share = np.cumsum(held, axis=1)[:, : n_steps + 1] / np.maximum(held.sum(axis=1, keepdims=True), 1)
        ready &= (share >= LEAST_SHARE).sum(axis=0) * 2 >= len(pages)
    flat = np.flatnonzero((np.diff(n_terms) == 0) & ready[:-1])
    found = len(flat) > 0
    threshold = float(cuts[flat[0]] if found else cuts[-2])
    return Greedy(threshold, cuts, n_terms, n_units, found)


def _least(values: Ints64, place: npt.NDArray[np.integer], size: int) -> Ints64:
    out = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(out, place, values)
    return out


def _running(at: Ints64, n_steps: int) -> Ints64:
    """How many of these come in at each cut or before it."""
    return np.cumsum(np.bincount(at[at <= n_steps], minlength=n_steps + 1)).astype(np.int64)
