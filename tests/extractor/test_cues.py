"""Words in names: both bodies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.extractor.cues import cue_words
from sitegrain.native import reference
from tests.native.bodies import both, needs_core

NAMES = st.lists(st.text(alphabet="comentsharhilog_- .:éñ评论9A", max_size=230), max_size=5)


@needs_core
@settings(max_examples=200, deadline=None)
@given(NAMES)
def test_both_bodies_find_the_same_words(names: list[str]) -> None:
    np.testing.assert_array_equal(*both(lambda: native.word_bits(names, cue_words())))


@pytest.mark.parametrize("matcher", [native.matcher, reference.matcher], ids=["chosen", "python"])
def test_words_that_cannot_be_looked_for_are_refused(matcher: Callable[..., object]) -> None:
    for words, n in ((("ab",), 1), (("abc", "def"), 1)):
        with pytest.raises(ValueError, match="words"):
            matcher(words, np.ones(n, np.uint64))
