"""Lines with a date: the C body against the Python one; hostile input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.native.inputs import DATE, DateRules
from tests.builders import site_of
from tests.native.bodies import both, needs_core

RULES = DateRules(6.0, 2.0, 4.0, 2, 2)
LINES = st.text("0123459:./-, Mai年٣é", min_size=1, max_size=14)


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(LINES, max_size=12), min_size=1, max_size=2), st.data())
def test_both_bodies_find_the_same(pages: list[list[str]], data: st.DataObject) -> None:
    site = site_of(*("".join(f"<p>{line}</p>" for line in lines) for lines in pages))
    blocks = text_blocks(rows_of(site, 0, len(pages)))
    n = len(blocks)
    words = np.array(data.draw(st.lists(st.sampled_from((1.0, 2.0, 4.0, 5.0)), min_size=n, max_size=n)), np.float64)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    in_c, in_python = both(lambda: native.dated_below(blocks.rows.text, blocks.columns, words, kept, RULES))
    assert (in_c is None) == (in_python is None)
    assert in_c is None or in_python is None or in_c.tolist() == in_python.tolist()


@pytest.mark.parametrize(
    ("line", "has_date"),
    [
        ("12.3.2021", True), ("2021-03-12", True), ("3/12/21", True), ("um 08:15", True), ("12. März 2021", True), ("2021年3月12日", True), ("Mar 3rd, 1999", True),
        ("$9.60", False), ("1:2", False), ("Version 1.2", False), ("2021", False), ("4.10:20", False), ("123:45", False), ("12 of 30", False), ("3 2150", False),
        ("۱۲:۳۰", True), ("٣/٤/٢٠٢١", True), ("10.20.30.4", True), ("x1.2.3456", True), ("12345 7", False),
    ],
)  # fmt: skip
def test_what_a_date_has(line: str, has_date: bool) -> None:
    assert (DATE.search(line) is not None) == has_date
    blocks = text_blocks(rows_of(site_of(f"<p>Tea<p>{line}<p>{line}"), 0, 1))
    found = native.dated_below(blocks.rows.text, blocks.columns, np.ones(3), np.ones(3, bool), DateRules(1, 1, 9, 0, 2))
    assert (None if found is None else found.tolist()) == ([False, True, True] if has_date else None)


def test_dates_are_counted_below_the_text_only() -> None:
    blocks = text_blocks(
        rows_of(site_of("<p>1.1.2021<p>2.1.2021<p>Tea<p>3.1.2021<p>4.1.2021<p>5.1.2021<p>6.1.2021"), 0, 1)
    )
    words, kept = np.array([1.0, 1, 9, 1, 1, 1, 1]), np.arange(7) == 2
    found = native.dated_below(blocks.rows.text, blocks.columns, words, kept, RULES)
    assert found is not None
    assert np.flatnonzero(found).tolist() == [3, 4]  # after what is kept last, as many as the rules say
    assert native.dated_below(blocks.rows.text, blocks.columns, words, kept & False, RULES) is None


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    blocks = text_blocks(rows_of(site_of("<p>Tea<p>Milk"), 0, 1))
    text, columns, words, kept = blocks.rows.text, blocks.columns, np.ones(2), np.ones(2, bool)
    for its_text, its_columns, its_words, its_kept in (
        (text, columns, words[1:], kept),
        (text, columns, words, kept[1:]),
        (text[:2], columns, words, kept),
        (text, columns._replace(text_start=columns.text_start - np.int32(9)), words, kept),
    ):
        with pytest.raises(ValueError, match="fit"):
            native.dated_below(its_text, its_columns, its_words, its_kept, RULES)
