"""Lines that say when."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sitegrain.article.threads.threadpage import tell_when
from sitegrain.native.inputs import WHEN

PIECES = st.sampled_from(
    ["3", "2020", "May ", "ago", "Yesterday", "today", "geſtern", "heute", "hier ", "AYER", "hoy", "il y a ", "前", "日", " ", "h", ":", "x", "vor "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=30))
def test_the_short_look_misses_nothing(text: str) -> None:
    assert (tell_when([text])[0] > 0) == (re.search(WHEN, text, re.IGNORECASE) is not None)
