"""Words in names: both bodies."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.cues import _CUE_BITS, _CUE_WORDS, word_bits, word_bits_python

NAMES = st.lists(st.text(alphabet="comentsharhilog_- .:éñ评论9A", max_size=230), max_size=5)


@settings(max_examples=200)
@given(NAMES)
def test_both_bodies_find_the_same_words(names: list[str]) -> None:
    np.testing.assert_array_equal(
        word_bits(names, _CUE_WORDS, _CUE_BITS), word_bits_python(names, _CUE_WORDS, _CUE_BITS)
    )
