"""When fields are right, and which golds are left out."""

from __future__ import annotations

import json

import pytest

from sitegrain.evaluation.reading.doubtful import DOUBTFUL, doubtful_golds
from sitegrain.evaluation.reading.fields import FIELDS
from sitegrain.evaluation.reading.sameness import is_right
from sitegrain.evaluation.reading.shown import ShownPage
from sitegrain.tables.capture import Capture

PAGE = b"""<body><h1><span>Hot water</span><b>Tea is cheaper in the bay</b></h1>
<h2>Milk: a guide for all</h2><h3>News <i>Cups</i></h3><p>Tea is cheaper"""


@pytest.mark.parametrize(
    ("found", "truth", "right"),
    [
        ("Tea is cheaper in the bay", "Hot water: Tea is cheaper in the bay", True),
        ("Hot water - Tea is cheaper in the bay", "Tea is cheaper in the bay", True),
        ("Hot water", "Hot water: Tea is cheaper in the bay", False),  # the kicker alone
        ("Milk", "Milk: a guide for all", False),
        ("a guide for all", "Milk: a guide for all", False),  # one text: the page does not part them
        ("Tea &amp; milk", "Tea & milk", True),
        ("Tea is cheaper", "Tea is cheaper in the bay", False),
    ],
)
def test_a_title_with_or_without_its_kicker(found: str, truth: str, right: bool) -> None:
    assert is_right("title", found, truth, ShownPage(Capture("", PAGE))) is right


@pytest.mark.parametrize(
    ("found", "truth", "right"),
    [
        ("Ann Lee", "Von Ann Lee", True),
        ("Ann Lee", "Ann Lee, M.D., PhD", True),
        ("Ann Lee, BAY SOUTH", "Ann Lee", True),
        ("Ann Lee, Bo Ek", "Ann Lee", False),
        ("ANN LEE, BO EK", "Ann Lee", False),
        ("Ann Lee, Bay Courier", "Ann Lee", False),
        ("dpa", "Ann Lee", False),
        ("", "dpa", False),
    ],
)
def test_names_without_what_is_no_name(found: str, truth: str, right: bool) -> None:
    assert is_right("author", found, truth) is right


def test_doubtful_golds_are_told_once_each_with_a_reason() -> None:
    rows = json.loads(DOUBTFUL.read_text(encoding="utf-8"))["doubtful"]
    keys = [(row["set"], row["page"], row["field"]) for row in rows]
    assert keys == sorted(set(keys))
    assert all(row["reason"] and row["field"] in FIELDS for row in rows)
    assert sum(len(doubtful_golds(name)) for name in {row["set"] for row in rows}) == len(rows)
