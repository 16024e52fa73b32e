"""Elements with dates that are alike: the C body against the Python one; hostile input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.others.comments import RULES
from sitegrain.native import reference
from sitegrain.native.inputs import DATE
from tests.builders import site_of
from tests.native.bodies import both, needs_core

FEW = RULES._replace(before_words=6.0, prose_words=2.0, line_words=4.0, blocks_after=4, like_words=2.0)
PIECES = ("<div>", "</div>", "<ul>", "</ul>", "<li>", "<table><tr><td>", "</table>", "<p>", "<h2>", "</h2>", "<blockquote>", "</blockquote>", "</p>")  # fmt: skip
LINES = st.text("0123459:./-, Mai年٣é", min_size=1, max_size=14)
UNITS = st.sampled_from(
    (
        "<li>12:30<p>so it is</li>",
        "<div><i>2.1.2021</i><p>tea and milk</div>",
        "<div><h3>Tea</h3>1 May 2020<p>so it is</div>",
    )
)


def evidence_of(*pages: str) -> Evidence:
    return gather(rows_of(site_of(*pages), 0, len(pages)))


@needs_core
@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.lists(st.one_of(st.sampled_from(PIECES), UNITS, LINES), max_size=24), min_size=1, max_size=2), st.data()
)
def test_both_bodies_find_the_same(pages: list[list[str]], data: st.DataObject) -> None:
    evidence = evidence_of(*(f"<p>{'tea ' * 7}</p>{''.join(pieces)}" for pieces in pages))
    n = len(evidence.blocks)
    score = np.array(data.draw(st.lists(st.sampled_from((0.1, 0.3, 0.7, 0.9)), min_size=n, max_size=n)), np.float64)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    rules = data.draw(st.sampled_from((FEW, FEW._replace(of_like=0.0, of_text=0.0, below=-9.0))))
    in_c, in_python = both(lambda: native.dated_units(evidence.pages, score, kept, rules))
    assert in_c == in_python


@pytest.mark.parametrize(
    ("line", "has_date"),
    [
        ("12.3.2021", True), ("2021-03-12", True), ("3/12/21", True), ("um 08:15", True), ("12. März 2021", True), ("2021年3月12日", True), ("Mar 3rd, 1999", True),
        ("$9.60", False), ("1:2", False), ("Version 1.2", False), ("2021", False), ("4.10:20", False), ("123:45", False), ("12 of 30", False), ("3 2150", False),
        ("۱۲:۳۰", True), ("٣/٤/٢٠٢١", True), ("𝟙𝟚:𝟛𝟘", True), ("10.20.30.4", True), ("x1.2.3456", True), ("12345 7", False),
    ],
)  # fmt: skip
def test_what_a_date_has(line: str, has_date: bool) -> None:
    assert (DATE.search(line) is not None) == has_date
    assert native.have_dates(f"1.{line}1", *(np.array([k], np.int32) for k in (2, 2 + len(line)))).tolist() == [
        has_date
    ]
    unit = f"<div><p>{line}<p>one and two and three</div>"
    evidence = evidence_of(f"<p>{'tea ' * 7}{unit}{unit}")
    score = np.array([0.9, 0.5, 0.5, 0.5, 0.5])
    found = native.dated_units(evidence.pages, score, np.ones(5, bool), FEW._replace(line_words=4.5))
    assert [tuple(units) for units in found] == ([(0, 1, 5, 2, 0.5, False)] if has_date else [])


def test_units_are_looked_for_below_the_text_only() -> None:
    unit = "<div><p>12:30<p>so it is</div>"
    evidence = evidence_of(f"{unit * 2}<p>{'tea ' * 7}{unit * 4}")
    score, kept = np.where(evidence.words >= 7, 0.9, 0.5), evidence.words > 2
    found = native.dated_units(evidence.pages, score, kept, FEW)
    assert [(units.first, units.last) for units in found] == [(5, 13)]
    kept[6:] = False  # after what is kept last, as many blocks as the rules say; and nothing of them is kept
    assert native.dated_units(evidence.pages, score, kept, FEW) == []
    assert native.dated_units(evidence.pages, score, kept & False, FEW) == []


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    pages = evidence_of("<p>Tea<p>Milk").pages
    score, kept = np.ones(2), np.ones(2, bool)
    blocks, rows = pages.blocks, pages.rows
    for of, its_score, its_kept in (
        (pages, score[1:], kept),
        (pages, score, kept[1:]),
        (pages._replace(words=pages.words[1:]), score, kept),
        (pages._replace(x=pages.x[1:]), score, kept),
        (pages._replace(text=pages.text[:2]), score, kept),
        (pages._replace(blocks=blocks._replace(text_start=blocks.text_start - np.int32(9))), score, kept),
        (pages._replace(blocks=blocks._replace(last=blocks.last + np.int32(9))), score, kept),
        (pages._replace(rows=rows._replace(end=rows.end + np.int32(9))), score, kept),
    ):
        with pytest.raises(ValueError, match=r"fit|within|holds"):
            native.dated_units(of, its_score, its_kept, RULES)
    with pytest.raises(ValueError, match="fit"):
        native.dated_units(pages, score, kept, RULES._replace(no_unit=b""))


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=8))
def test_both_bodies_find_dates_in_the_same_stretches(lines: list[str]) -> None:
    bounds = np.cumsum([0, *map(len, lines)], dtype=np.int32)
    in_c, in_python = both(lambda: native.have_dates("".join(lines), bounds[:-1], bounds[1:]).tolist())
    assert in_c == in_python == [DATE.search(line) is not None for line in lines]


def test_stretches_that_do_not_fit_are_refused() -> None:
    some = np.array([0, 2], np.int32)
    for start, end in (
        (some, some[1:]),
        (some - np.int32(1), some),
        (some, some[::-1].copy()),
        (some, some + np.int32(3)),
    ):
        for body in (native.have_dates, reference.have_dates):
            with pytest.raises(ValueError, match="fit"):
                body("1:30", start, end)
