"""Golds that a reader of the page would call wrong: `doubtful.json`, one line for each with its reason.

They were found by reading all pages on which we and the gold disagree, and those on which both name an organisation or a title that is not the
page's heading; so there are more of them where we are wrong than where we are right. `--structure` prints its figures with them first, and without
them beside that.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

DOUBTFUL = Path(__file__).parents[1] / "doubtful.json"


@cache
def doubtful_golds(data: str) -> frozenset[tuple[str, str]]:
    """(page, field) of the doubtful golds of a page set.

    >>> ("2920", "title") in doubtful_golds("wcxb-dev"), doubtful_golds("mine")
    (True, frozenset())
    """
    rows = json.loads(DOUBTFUL.read_text(encoding="utf-8"))["doubtful"]
    return frozenset((row["page"], row["field"]) for row in rows if row["set"] == data)
