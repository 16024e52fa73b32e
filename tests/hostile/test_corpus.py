"""The corpus at a small size, in one process: nothing raises, the tables hold, good pages stay whole. `measure` has the ceilings."""

from __future__ import annotations

import time

import pytest

from tests.hostile.corpus import CASES
from tests.hostile.measure import use

SMALL = 12_000
SECONDS = 5.0
"""Of the processor, for all of a case: forty times what most take, because machines are noisy."""


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 300


@pytest.mark.parametrize("part", range(12))
def test_small_hostile_pages(part: int) -> None:
    for name in list(CASES)[part :: 12 * EVERY]:
        start = time.process_time()
        try:
            use(name, SMALL)
        except Exception as error:
            raise AssertionError(f"{name}: {error!r}") from error
        assert time.process_time() - start < SECONDS, name


EVERY = 4
"""One case in so many: all take three minutes, which is for CI."""
