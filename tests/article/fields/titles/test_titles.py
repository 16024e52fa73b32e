"""Titles next to the names of sites, and what stands at the end of headings."""

from __future__ import annotations

import pytest

from sitegrain.article.fields.page import Fields
from sitegrain.article.fields.titles.titles import bare_heading, is_site_name
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("Teapots", True),
        ("The Teapots Forum", True),
        ("teapots.com", True),
        ("Teapots of Japan and of China", False),
        ("Tea", False),
        ("", True),
    ],
)
def test_a_name_is_that_of_the_host_with_the_usual_endings(text: str, is_name: bool) -> None:
    assert is_site_name(text, (), "http://www.teapots.org/x") == is_name


def test_initials_of_several_words_are_the_name_of_a_host() -> None:
    assert is_site_name("British Tea Club", (), "http://btc.org/")
    assert is_site_name("British Tea Club Society", (), "http://btcs.org/")
    assert not is_site_name("British Tea", (), "http://btc.org/")


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("Tea", "Tea"),
        ("Tea ¶ ", "Tea"),
        ("Tea # #", "Tea"),
        ("C#", "C#"),
        ("", ""),
        ("Te\xada \u200b", "Tea"),
        ("Tea ", "Tea "),
    ],
)
def test_signs_at_the_end_of_a_heading(heading: str, bare: str) -> None:
    assert bare_heading(heading) == bare


def title_of(html: str, url: str = "http://bay.org/tea/hot.html") -> str:
    return Fields(build_site([Capture(url, html.encode())]), 0).title.value


def test_a_heading_that_says_more_words_within_the_title_is_the_title() -> None:
    head = "<title>Nine ways to brew green tea | Bay</title><h2>Your cart</h2>"
    assert title_of(f"{head}<h2>Nine ways to help you brew your green tea</h2>") == (
        "Nine ways to help you brew your green tea"
    )
    # What stands before or after the title is no part of it.
    assert title_of(f"{head}<h2>7 Nine ways to brew green tea May</h2>") == "Nine ways to brew green tea"


def test_a_heading_below_many_of_a_menu_is_found() -> None:
    menu = "".join(f"<h2>Rooms {n}</h2>" for n in range(20))
    page = f"<title>Pots, cups and kettles</title>{menu}<h2>Pots, cups and kettles</h2><h1>Pots – Kent</h1><h1>Pots – Wales</h1>"
    assert title_of(page) == "Pots, cups and kettles"


def test_the_shorter_of_two_first_headings_has_no_name_of_a_board() -> None:
    page = (
        "<title>How to brew green tea - Kettle Forum - Bay</title>"
        "<h1>How to brew green tea - Kettle Forum</h1><h1>How to brew green tea</h1>"
    )
    assert title_of(page) == "How to brew green tea"


def test_the_element_that_begins_a_heading_is_what_the_title_has_of_it() -> None:
    page = "<title>The long road to tea: Lee, Ann: Bay</title><h1><span>The long road to tea</span> <span>Hardcover - May 2020</span></h1>"
    assert title_of(page) == "The long road to tea"
    page = "<title>The long road to tea and milk: Bay</title><h1><span>The long road to tea</span> <span>and milk</span></h1>"
    assert title_of(page) == "The long road to tea and milk"


def test_a_kicker_and_a_stroke_before_what_the_page_says_of_itself() -> None:
    page = '<title>Ann Lee leads the guild | Bay</title><meta property="og:title" content="Ann Lee leads the guild | Bay"><h1>"Less talk" / Ann Lee leads the guild</h1>'
    assert title_of(page) == "Ann Lee leads the guild"


def test_a_home_page_has_its_name_in_its_heading() -> None:
    page = (
        "<title>Ann Lee | Tea, cups and pots for all</title>"
        '<meta property="og:title" content="Ann Lee - The Tea Guide"><h1>Ann Lee – The Tea Guide</h1>'
    )
    assert title_of(page, "http://teaguide.org/") == "Ann Lee – The Tea Guide"


def test_the_title_that_a_theme_prints_above_the_page_as_a_link_home() -> None:
    html = "<title>Tea</title><div><h1><a href=/>Tea</a></h1></div><div><h1>Tea</h1><p>Boil the water.</div>"
    site = build_site([Capture("http://a.org/tea", html.encode())])
    assert Fields(site, 0).heading == site.rows("h1")[1]
