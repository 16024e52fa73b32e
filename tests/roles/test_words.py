"""What words of addresses and titles say, by the votes of sites."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logit

from sitegrain.methods.base import ARTICLE, OTHER, TOC
from sitegrain.roles.words import COLUMNS, WordCounts, address_words, count_words, title_words, word_columns, word_odds

USUAL = np.array([0.2, 0.4, 0.4])


def test_words_of_addresses_say_where_they_stood() -> None:
    assert address_words("http://a.org/") == frozenset()
    assert address_words("http://a.org/2005_10.html") == {"#4_2"}
    assert address_words("http://a.org/blog/page-3/") == {"/blog", ".page", "^page", "#page"}
    assert address_words("http://a.org/news/a-long-name-of-a-story.html") == {"/news", "^long"}
    assert address_words("http://a.org/part12b-page123456x7") == {".part", ".page", "^part", "#part"}
    assert address_words(f"http://a.org/{'a' * 100_000}1") >= {f"#{'a' * 100_000}"}  # at once


def test_words_of_titles() -> None:
    assert title_words("") == title_words("2005") == frozenset()
    assert title_words("how we went to the sea and back") == {"<how", ">back"}


def counts() -> WordCounts:
    """Four sites say that `/tag` is of TOC pages, one of them has a hundred such pages; the fifth says otherwise."""
    out: WordCounts = {}
    for site in "abcd":
        pages = [frozenset({"/tag"})] * (100 if site == "a" else 2) + [frozenset({"/post"})]
        count_words(out, site, pages, [TOC] * (len(pages) - 1) + [ARTICLE])
    count_words(out, "e", [frozenset({"/tag", "/rare"})] * 2, [OTHER] * 2)
    return out


def test_each_site_has_one_vote() -> None:
    odds = word_odds(counts(), USUAL)
    assert set(odds) == {"/tag", "/post"}, "a word of one site is not learned"
    assert odds["/tag"] == pytest.approx(logit((np.array([1, 4, 0]) + USUAL) / 6) - logit(USUAL), abs=1e-3)


def test_a_site_has_no_vote_on_its_own_pages() -> None:
    odds = word_odds(counts(), USUAL, without="e")
    assert odds["/tag"][OTHER] < 0 < odds["/tag"][TOC]
    assert word_odds(counts(), USUAL)["/tag"][OTHER] > odds["/tag"][OTHER]


def test_columns_of_pages() -> None:
    odds = {"/tag": [0.0, 4.0, -1.0], ".tea": [0.0, 3.0, 0.0], "<all": [0.5, 0.0, 0.0]}
    found = word_columns(odds, ["http://a.org/tag/tea", "http://a.org/x"], ["all about it", ""])
    assert found.shape == (2, len(COLUMNS))
    assert found[0].tolist() == [0.0, 6.0, -1.0, 2.0, 0.5, 0.0, 0.0, 1.0], "sums are clipped"
    assert not found[1].any()
