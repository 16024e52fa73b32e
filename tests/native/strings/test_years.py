"""Where years may stand: both bodies alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitegrain import native
from tests.native.bodies import both, needs_core


@needs_core
@given(st.text("12209٢𝟙é ", max_size=30))
def test_both_bodies_find_the_same(text: str) -> None:
    in_c, in_python = both(lambda: native.year_spots(text))
    assert in_c == in_python


def test_years_within_longer_numbers_count() -> None:
    assert native.year_spots("192005 20 05 1899 20") == [0, 2]
    assert native.year_spots("20٢٠ 2020é 20𝟙𝟚") == [0, 5, 11]
    assert native.year_spots("") == native.year_spots("199") == []
