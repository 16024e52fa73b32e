"""Lists that are cut into pages."""

from __future__ import annotations

import pytest

import sitegrain
from sitegrain.article.lists.entries import TocEntry
from sitegrain.article.lists.series import page_number, sections_of
from sitegrain.tables.capture import Capture


@pytest.mark.parametrize(
    "urls",
    [
        ("http://a.org/news/", "http://a.org/news/page/2/", "http://a.org/news/page/10/"),
        ("http://a.org/news", "http://a.org/news?page=2", "http://a.org/news?page=10"),
        ("http://a.org/b.php?f=3", "http://a.org/b.php?f=3&start=25", "http://a.org/b.php?f=3&start=100"),
        ("http://a.org/cat_9.html", "http://a.org/cat_9_page_2.html", "http://a.org/cat_9_page_10.html"),
        ("http://a.org/s.php?r=5", "http://a.org/s.php?r=5&debut_articles=20", "http://a.org/s.php?r=5&debut_articles=100"),
    ],
)  # fmt: skip
def test_a_series_is_one_section_in_the_order_of_numbers(urls: tuple[str, ...]) -> None:
    tocs = [(2, urls[2]), (0, urls[0]), (1, urls[1])]
    (found,) = sections_of(
        tocs, lambda page: [TocEntry("same", "http://a.org/s"), TocEntry("own", f"http://a.org/{page}")]
    )
    assert (found.url, found.pages) == (urls[0], (0, 1, 2))
    assert [e.url[13:] for e in found.entries] == ["s", "0", "1", "2"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("http://a.org/2004/", "http://a.org/2005/"),
        ("http://a.org/tag/1/", "http://a.org/tag/2/"),
        ("http://a.org/f=1/page/2", "http://a.org/f=2/page/2"),
        ("http://a.org/top10", "http://a.org/top20"),
    ],
)
def test_other_numbers_are_no_pages(a: str, b: str) -> None:
    assert page_number(a)[0] != page_number(b)[0]


def test_sections_of_a_result() -> None:
    def toc(first: int) -> bytes:
        items = "".join(f"<li><h3><a href=/s{k}>The long story number {k}</a></h3>" for k in range(first, first + 8))
        return f"<title>News</title><ul>{items}</ul>".encode()

    stories = [
        Capture(f"http://a.org/s{k}", f"<title>The long story number {k}</title><h1>The long story number {k}</h1>".encode()
                + b"<p>" + b"Once upon a time there was a pot of tea on the stove. " * 20)
        for k in range(16)
    ]  # fmt: skip
    result = sitegrain.mine(
        [Capture("http://a.org/news", toc(0)), Capture("http://a.org/news/page/2", toc(8)), *stories]
    )
    section = next(s for s in result.sections if s.url == "http://a.org/news")
    assert [e.url for e in section.entries] == [f"http://a.org/s{k}" for k in range(16)]


def test_the_role_of_a_page_alone_is_what_its_type_says() -> None:
    found = sitegrain.extract("<title>Tea</title><h1>Tea</h1><p>" + "Once upon a time there was a pot of tea. " * 30)
    assert found.role == "article"
    items = "".join(f"<li><h3><a href=/s{k}>The long story number {k}</a></h3><p>Short of {k}." for k in range(30))
    listing = sitegrain.extract(f"<title>News</title><h1>News</h1><ul>{items}</ul>", url="http://a.org/news")
    assert (listing.role == "toc") == (listing.page_type in ("listing", "collection")) == bool(listing.entries)
