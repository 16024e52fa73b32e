"""Every input that the fuzzer ever failed on, and a short run from a fixed seed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.hostile.fuzz import CRASHES, SEEDS, TARGETS, mutated

KEPT = sorted(path for path in CRASHES.iterdir() if path.suffix != ".md")


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept_crashes(path: Path) -> None:
    TARGETS[path.name.partition("-")[0]](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_a_few_mutations(target: str) -> None:
    rng, seeds = random.Random(1), SEEDS[target]()
    for _ in range(60):
        TARGETS[target](mutated(seeds, rng))
