"""What is said of blocks, however it is asked for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.judged import Judged, Reasons
from tests.builders import site_of

PAGE = "<nav><a href=a>Tea</a></nav><main>" + "<p>Water boils, and the tea is ready.</p><p>Milk</p>" * 10 + "</main>"
EVIDENCE = gather(rows_of(site_of(PAGE), 0, 1))
N = len(EVIDENCE.blocks)
# What is written of a half is told by its last bits: 0.165 is a little more, 0.145 a little less, 0.125 neither.
SCORES = st.sampled_from([0.0, 0.125, 0.145, 0.155, 0.165, 0.575, 0.995, 1.0]) | st.floats(0, 1)


@given(st.lists(SCORES, min_size=N, max_size=N), st.lists(st.integers(0, 2), min_size=N, max_size=N))
def test_shared_reasons_are_those_of_each_block(score: list[float], why: list[int]) -> None:
    judged = Judged(EVIDENCE, None, np.array(score), np.array(score) > 0.5, np.array(why, np.int8))
    reasons = Reasons([judged, judged])
    shared = reasons.shared()
    assert shared.each() == list(reasons)
    assert [reasons[k] for k in range(len(reasons))] == shared.each()


def test_blocks_with_one_reason_have_one_string() -> None:
    judged = Judged(EVIDENCE, None, np.full(N, 0.501) + np.arange(N) / 1e5, np.ones(N, bool))
    found = Reasons([judged]).shared()
    assert len(found.strings) == len(set(found.strings)) == 2
    assert Reasons([]).shared().each() == []
