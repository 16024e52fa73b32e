"""Days that metadata say in the wrong order, and days that stand where other things do; titles that a link to the page itself tells."""

from __future__ import annotations

import pytest

from tests.article.fields.authors.test_bywords import PROSE, fields_of


@pytest.mark.parametrize(
    ("html", "day"),
    [
        (
            "<meta property='article:published_time' content=03-09-2026><h1>T</h1><p>Published March 9, 2026",
            "2026-03-09",
        ),
        ("<meta property='article:published_time' content=03-09-2026><h1>T</h1><p>Tea", "2026-09-03"),
        ("<meta name=date content='2026-09-03'><h1>T</h1><p>March 9, 2026<p>September 3, 2026", "2026-09-03"),
    ],
)
def test_the_order_that_the_page_shows(html: str, day: str) -> None:
    assert fields_of(html).date.value in (day,)


def test_a_theme_prints_the_change_beside_the_publication() -> None:
    times = "<time class='entry-date published' datetime=2019-02-10>a</time><time class=updated datetime=2019-02-12>b</time>"
    assert fields_of(f"<article>{times}<h1>Tea</h1>{PROSE}").date.value == "2019-02-10"
    assert fields_of("<h1>Tea</h1><time class=updated datetime=2019-02-12>b</time>").date.value == "2019-02-12"


def test_the_day_beside_a_link_to_the_page_itself() -> None:
    items = "<li><a href=/tea>Tea</a> <i>18 March 2020</i><li><a href=/milk>Milk</a> <i>19 March 2020</i>"
    found = fields_of(f"<h1>Tea</h1>{PROSE * 9}<div class=sidebar><ul class=recent>{items}</ul></div>").date
    assert (found.value, found.source) == ("2020-03-18", "list")


def test_the_day_behind_a_word_of_publishing_at_the_side() -> None:
    side = "<div class=sidebar><b>Erschienen am:</b> 1.11.2023</div>"
    assert fields_of(f"<h1>Tea</h1>{PROSE * 9}{side}").date.value == "2023-11-01"
    assert fields_of(f"<h1>Tea</h1>{PROSE * 9}{side}{side.replace('1.11', '2.11')}").date.value == ""


def test_a_change_above_the_text_is_the_day_of_a_page_that_has_no_other() -> None:
    assert (
        fields_of(f"<h1>Tea</h1><p>Updated November 18, 2025{PROSE}<p>Updated on May 3, 2024").date.value
        == "2025-11-18"
    )
    assert fields_of(f"<h1>Tea</h1>{PROSE}<p>Updated November 18, 2025<p>Updated on May 3, 2024").date.value == ""


def test_a_day_without_quotes_in_broken_json() -> None:
    script = (
        '<script type="application/ld+json">{"@type": "Article", "datePublished": 2023-01-12T06:18:10-03:00,}</script>'
    )
    assert fields_of(f"{script}<h1>Tea</h1>{PROSE}").date.value == "2023-01-12"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>News</title><a href=/tea>All about green tea</a><p>News<h6>All about green tea</h6>", "All about green tea"),
        ("<title>Manual</title><a href='#tea'>All about green tea</a><p>Manual<h2 id=tea>All about green tea</h2>", "Manual"),
        ("<title>Shop</title><h1><span class=visually-hidden>Collection: </span>Green tea</h1>", "Green tea"),
        ("<title>x</title><meta property=og:title content='Tea is cheaper - Hot water'><h1>Hot water <b>Tea is cheaper</b></h1>", "Tea is cheaper"),
        ("<title>bay.example Green tea</title><h3>Green tea</h3>", "Green tea"),
    ],
)  # fmt: skip
def test_titles(html: str, title: str) -> None:
    assert fields_of(html + PROSE).title.value == title
