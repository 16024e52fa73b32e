"""What was worked out of a site is remembered with it, and only as long as it lives."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from sitegrain.methods.lamis.graph import site_graph
from sitegrain.partition import blocks_of
from sitegrain.roles.templates import page_templates
from sitegrain.tables.memo import KEPT, MARKED, Asked, per_site
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from tests.builders import site_of


def test_the_same_question_is_answered_once() -> None:
    site = site_of("<p>the tea is hot<p>and black", "<p>the tea is cold")
    terms = site_terms(site)
    assert site_terms(site, numbers=False) is terms
    assert site_terms(site, language=terms.language) is terms
    assert site_terms(site, numbers=True) is not terms
    assert site_graph(site, site_terms(site)) is site_graph(site, terms)
    assert page_templates(site) is page_templates(site)
    assert blocks_of(site, "list") is blocks_of(site, "list")
    assert site_terms(replace(site)) is not terms


def test_however_it_is_asked() -> None:
    asked: list[tuple[int, int]] = []

    @per_site
    def remember(site: Site, number: int, more: int = 5) -> int:
        asked.append((number, more))
        return number + more

    site = site_of("<p>a")
    assert {remember(site, 1), remember(site, 1, 5), remember(site, number=1), remember(site, 1, more=5)} == {6}
    assert asked == [(1, 5)]
    assert remember(site, 1, 6) == 7


def test_only_the_last_answers_are_kept() -> None:
    asked: list[int] = []

    @per_site
    def remember(site: Site, number: int) -> int:
        asked.append(number)
        return number

    site = site_of("<p>a")
    for number in range(KEPT + 1):
        assert remember(site, number) == number
    assert remember(site, KEPT) == KEPT
    assert remember(site, 0) == 0
    assert asked == [*range(KEPT + 1), 0]


def test_nothing_keeps_a_site_alive() -> None:
    site = site_of("<p>the tea is hot", "<p>the tea is cold <a href=/0>tea</a>")
    terms = site_terms(site)
    site_graph(site, terms)
    page_templates(site)
    blocks_of(site, "list")
    gone = weakref.ref(site)
    of_terms = weakref.ref(terms)
    del site, terms
    gc.collect()
    assert gone() is None
    assert of_terms() is None


@pytest.mark.parametrize("n_strings", [3, 3 * MARKED, 100 * MARKED], ids=["few", "some", "many"])
@pytest.mark.parametrize("as_list", [True, False], ids=["list", "array"])
def test_each_string_is_asked_once(n_strings: int, as_list: bool) -> None:
    strings = [f"{k}" for k in range(n_strings)]
    asked: list[str] = []

    def ask(texts: list[str]) -> list[int] | np.ndarray:
        asked.extend(texts)
        answers = [int(text) % 100 for text in texts]
        return answers if as_list else np.array(answers)

    known = Asked(strings, ask)
    last = n_strings - 1
    assert known.of(np.array([last, 1, last])).tolist() == [last % 100, 1, last % 100]
    assert known.of(np.array([1, 0, last], np.int32)).tolist() == [1, 0, last % 100]
    assert known.of(np.zeros(0, np.int64)).tolist() == []
    assert asked == ["1", f"{last}", "0"]
