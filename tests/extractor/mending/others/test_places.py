"""What other pages of a site have at the same place."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.arrays.types import Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.places import (
    BELOW_FIRST,
    ENDS,
    ENDS_SAME,
    MAX_WORDS,
    NEARLY,
    NO_TEXT,
    SURE_TEXT,
    with_places,
    without_after_end,
    without_places,
)
from sitegrain.extractor.pagetypes import ARTICLE, FORUM, PAGE_TYPES
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

PAGE = "<p>Black tea stands for four minutes.</p><p>{}</p>"
LIKE = {"path_pages": 0.5, "path_distinct": 0.9, "path_per_page": 2.0}


def is_left(line: str, path: float = NO_TEXT, first: float = 0.2, score: float = 0.7, **says: float) -> bool:
    """Whether a line is still kept, of whose place the site says this."""
    evidence = gather(rows_of(site_of(PAGE.format(line)), 0, 1))
    of_site = np.zeros((2, len(SITE_NAMES)), np.float32)
    for name, value in (LIKE | says).items():
        of_site[:, SITE_NAMES.index(name)] = value
    kept = np.ones(2, bool)
    paths, firsts, scores = (np.array([0.9, x]) for x in (path, first, score))
    found = without_places(evidence, of_site, paths, firsts, scores, kept)
    assert found[0]
    assert (found is kept) == bool(found[1])
    return bool(found[1])


def test_a_line_where_other_pages_have_no_text_goes() -> None:
    assert not is_left("Ann, 3 May 2004")


@pytest.mark.parametrize(
    "about",
    [
        {"path": NO_TEXT + 0.1},
        {"path": np.nan},
        {"first": 0.7},
        {"score": 0.95},
        {"path_pages": 0.05},
        {"path_pages": np.nan},
        {"path_distinct": 0.1},
        {"path_per_page": 9.0},
    ],
)
def test_other_lines_stay(about: dict[str, float]) -> None:
    assert is_left("Ann, 3 May 2004", **about)


def test_prose_stays() -> None:
    assert is_left("word " * (int(MAX_WORDS) + 1))


def test_a_line_where_other_pages_have_text_comes() -> None:
    of_site = np.zeros((4, len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("path_pages")] = [1, 1, 0.01, 1]
    path, score = np.full(4, SURE_TEXT), np.full(4, NEARLY)
    left_out = np.array([False, True, False, False])
    kept = np.zeros(4, bool)
    assert with_places(of_site, path, score, left_out, kept).tolist() == [True, False, False, True]
    assert with_places(of_site, path - 0.1, score, left_out, kept) is kept
    assert with_places(of_site, path, score - 0.1, left_out, kept) is kept


def after_end(end: float = ENDS / 2, same: float = ENDS_SAME, path: float = BELOW_FIRST / 2, forum: float = 0.1) -> int:
    """How many of two lines below a text, a line of the template and a name are kept, beside the text."""
    html = "<p>Black tea stands for four minutes.</p><p>Share</p><p>Ann</p><p>Ann lives in a boat.</p>"
    evidence = gather(rows_of(site_of(html), 0, 1))
    of_site = np.zeros((4, len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_same")] = [0.0, same, 0.0, 0.0]
    votes: Floats = np.zeros((len(PAGE_TYPES), 1))
    votes[[ARTICLE, FORUM], 0] = 0.5, forum
    kept = np.array([True, False, True, True])
    scores, paths = np.array([0.95, end, 0.6, 0.8]), np.array([0.9, 0.1, path, path])
    found = without_after_end(evidence, of_site, paths, scores, lambda: votes, kept)
    assert found[:2].tolist() == [True, False]
    return int(found[2:].sum())


def test_what_follows_the_end_of_an_article_goes() -> None:
    assert after_end() == 0
    assert after_end(end=ENDS * 2) == 2  # perhaps no line of the template
    assert after_end(same=ENDS_SAME / 2) == 2
    assert after_end(path=BELOW_FIRST) == 2  # a place of text
    assert after_end(forum=0.6) == 2  # posts follow one another
