"""The words of a page that say of what type it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.typewords import MAX_HEADINGS, PageWords, TypeWords, page_words
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site


def words_of(*pages: tuple[str, str]) -> list[set[int]]:
    """Of pages with these addresses."""
    site = build_site(Capture(url, html.encode()) for url, html in pages)
    found = page_words(gather(rows_of(site, 0, site.n_pages)))
    return [set(found.hashes[found.page == k].tolist()) for k in range(site.n_pages)]


TEXT = "<p>Boil water, and wait for three minutes."


def shared(first: tuple[str, str], second: tuple[str, str]) -> int:
    """How many words two pages have in common."""
    one, two = words_of(first, second)
    return len(one & two)


def test_words_of_all_fields_are_found() -> None:
    plain = len(words_of(("http://a.org/", TEXT))[0])
    for url, html in (
        ("http://shop.a.org/", TEXT),
        ("http://a.org/pricing", TEXT),
        ("http://a.org/docs/", TEXT),
        ("http://a.org/?topic=3", TEXT),
        ("http://a.org/", "<title>Pricing</title>" + TEXT),
        ("http://a.org/", "<h2>Buy</h2>" + TEXT),
        ("http://a.org/", "<meta property=og:type content=product>" + TEXT),
        ("http://a.org/", '<script type=application/ld+json>{"@type": "Product"}</script>' + TEXT),
    ):
        assert len(words_of((url, html))[0]) > plain, (url, html)


def test_the_same_word_in_another_field_is_another() -> None:
    page = ("http://a.org/x", "<title>pricing</title>" + TEXT)
    assert shared(page, ("http://b.org/y", "<title>Pricing</title>" + TEXT)) > shared(
        page, ("http://b.org/y", "<h1>Pricing</h1>" + TEXT)
    )


def test_the_name_of_the_host_is_not_read() -> None:
    assert words_of(("http://tea.org/a", TEXT)) == words_of(("http://www.coffee.com/b".replace("/b", "/a"), TEXT))


def test_a_page_without_an_address_has_its_other_words() -> None:
    named, bare = words_of(("http://a.org/docs/api", "<h1>Tea</h1>"))[0], words_of(("", "<h1>Tea</h1>"))[0]
    assert bare < named
    assert bare


def test_headings_beyond_the_first_are_not_read() -> None:
    many = "".join(f"<h2>{'a' * k}</h2>" for k in range(1, MAX_HEADINGS + 1))
    assert words_of(("http://a.org/", many + "<h2>tea</h2>")) == words_of(("http://a.org/", many))


def test_addresses_that_cannot_be_read_say_nothing() -> None:
    words_of(("http://[a/", TEXT), ("http://a.org/" + "x/" * 5000, TEXT), ("x:y", TEXT))


@given(st.lists(st.sampled_from(["a", "b/c", "d?e=f", "g.html", "é/中文", ""]), min_size=1, max_size=5, unique=True))
def test_of_many_pages_the_same_is_read_as_of_each_alone(names: list[str]) -> None:
    pages = [
        (f"http://a.org/{name}", f"<title>{name} tea</title><h1>Tea {k}</h1>{TEXT}") for k, name in enumerate(names)
    ]
    assert words_of(*pages) == [words_of(page)[0] for page in pages]


def test_odds_by_the_obvious_way() -> None:
    rng = np.random.default_rng(1)
    learned = TypeWords(np.array([2, 5, 9], np.uint32), rng.normal(size=(3, 4)).astype(np.float32), rng.normal(size=4))
    learned.check()
    pages: list[list[int]] = [[2, 9], [], [5, 7]]
    words = PageWords(np.array([w for page in pages for w in page], np.uint32), np.array([0, 0, 2, 2], np.int64))
    for page, got in zip(pages, learned.odds(words, 3), strict=True):
        raw = learned.usual.copy()
        for word in page:
            if word in learned.key:
                raw += learned.weight[learned.key.tolist().index(word)]
        assert got == pytest.approx(raw - np.log(np.exp(raw).sum()), abs=1e-5)


@pytest.mark.parametrize(
    "bad",
    [
        TypeWords(np.array([5, 2], np.uint32), np.zeros((2, 3), np.float32), np.zeros(3)),
        TypeWords(np.array([2], np.uint32), np.zeros((1, 2), np.float32), np.zeros(3)),
    ],
)
def test_weights_that_do_not_fit_are_refused(bad: TypeWords) -> None:
    with pytest.raises(ValueError, match="words"):
        bad.check()
