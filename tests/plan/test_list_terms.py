"""The terms of the blocks of lists are those that a matrix of blocks and terms has."""

from __future__ import annotations

from random import Random

import numpy as np

from sitegrain.methods.blockwise import block_terms
from sitegrain.partition import blocks_of
from sitegrain.plan.stages import _terms_of
from sitegrain.text.terms import site_terms
from tests.builders import site_of
from tests.randomsites import block


def test_terms_of_some_blocks() -> None:
    rng = Random(1)
    site = site_of(*("".join(block(rng, 3) for _ in range(6)) for _ in range(8)))
    cut, terms = blocks_of(site, "list"), site_terms(site, language="en")
    some = np.arange(len(cut))[1::2]
    which, term, times = _terms_of(cut, terms, some)
    assert len(which) > 20
    matrix = block_terms(cut, terms)[some]
    place = {key: k for k, key in enumerate(terms.keys.tolist())}
    assert matrix.nnz == len(which)
    assert matrix[which, [place[key] for key in term.tolist()]].tolist() == times.tolist()
    order = list(zip(which.tolist(), term.tolist(), strict=True))
    assert order == sorted(order)


def test_no_block_at_all() -> None:
    site = site_of("<p>tea")
    cut, terms = blocks_of(site, "list"), site_terms(site, language="en")
    assert [len(found) for found in _terms_of(cut, terms, np.zeros(0, np.int64))] == [0, 0, 0]
