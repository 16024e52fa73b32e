"""What a site's pages agree on: days that are of none of them, names beside a day, and which of several places is the page's own."""

from __future__ import annotations

from sitegrain.article.fields import SiteFields
from tests.builders import site_of

NAMES = ("Ann Lee", "Bob Marsh", "Cleo Vane", "Dan Okafor", "Eve Ridley", "Finn Carter")


def test_the_day_of_a_story_that_all_pages_name_is_its_own() -> None:
    box = "<div class=box><a href=0.html>The story 0</a> <i>1 May 2020</i></div>"
    page = (
        "<title>The story {k}</title><h1>The story {k}</h1><p class=d>{day} May 2020</p><p>Text of story {k}.</p>" + box
    )
    site = site_of(*(page.format(k=k, day=k + 1) for k in range(6)))
    known = SiteFields().fit(site)
    assert known.clock_dates == {"2020-05-01": 1}
    assert [known.fields(site, k).date.value for k in range(3)] == ["2020-05-01", "2020-05-02", "2020-05-03"]


def test_names_beside_the_day_are_authors_where_the_pages_agree() -> None:
    page = "<title>Tea {k}</title><h1>Tea {k}</h1><p><span>{name}</span> <span>{k} May 2020</span></p><p>Boil it {k} times.</p>"
    site = site_of(*(page.format(k=k + 1, name=name) for k, name in enumerate(NAMES)))
    known = SiteFields().fit(site)
    assert [known.fields(site, k).author.value for k in range(6)] == list(NAMES)
    sections = ("World News", "Home Affairs") * 3  # words that the pages write with small letters, too
    more = page + "<p>All the news of home affairs and of the world.</p>"
    site = site_of(*(more.format(k=k + 1, name=name) for k, name in enumerate(sections)))
    known = SiteFields().fit(site)
    assert {known.fields(site, k).author.value for k in range(6)} == {""}


def test_of_two_places_with_a_day_the_upper_one_is_the_page_s() -> None:
    page = (
        "<title>Tea {k}</title><h1>Tea {k}</h1><div class=x><p>{k} May 2020</p></div><p>Boil it {k} times.</p>"
        "<div class=y><p>{k} June 2020</p></div>"
    )
    for swap in (("x", "y"), ("y", "x")):  # whatever the places are called
        named = page.replace("class=x", f"class=a{swap[0]}").replace("class=y", f"class=a{swap[1]}")
        site = site_of(*(named.format(k=k + 1) for k in range(6)))
        known = SiteFields().fit(site)
        assert [known.fields(site, k).date.value for k in range(2)] == ["2020-05-01", "2020-05-02"]
    assert len(known.date_places) == 2


def test_a_heading_of_the_hour_is_no_title() -> None:
    event = "<title>Tea dance - Bay</title><h1>Tea dance</h1><h2>{k} May @ 20:30 - 23:00</h2><p>We dance.</p>"
    other = "<title>Story {k} - Bay</title><h1>Story {k}</h1><p>Text of story {k}.</p><h3>Tea dance</h3>"
    site = site_of(*(event.format(k=k) for k in range(1, 5)), *(other.format(k=k) for k in range(1, 21)))
    known = SiteFields().fit(site)
    assert {known.fields(site, k).title.value for k in range(4)} == {"Tea dance"}
