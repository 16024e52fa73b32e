"""Where a list shows when its pages were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.article.fields import SiteFields
from sitegrain.article.lists.entries import toc_entries
from sitegrain.article.lists.listdates import _LAST, _says_last
from tests.builders import site_of


def dates(html: str) -> list[str]:
    return [e.date for e in toc_entries(site_of(html), 0)]


def test_each_link_of_a_line_has_its_own_date() -> None:
    links = "".join(f"<a href=/s{k}><time datetime=2022-10-1{k}>2022-10-1{k}</time> Story {k}</a>" for k in range(3))
    assert dates(f"<div>{links}</div>") == ["2022-10-10", "2022-10-11", "2022-10-12"]


def test_a_date_above_items_holds_up_to_the_next_one() -> None:
    html = (
        "<h2>January 20, 2005</h2><div><h3><a href=/a>The first story</a></h3><p>Built Mon, 3 January 2005</div>"
        "<div><h3><a href=/b>The second story</a></h3><p>Text</div>"
        "<h2>January 19, 2005</h2><div><h3><a href=/c>The third story</a></h3><p>Text</div>"
    )
    assert dates(html) == ["2005-01-20", "2005-01-20", "2005-01-19"]


def test_one_date_above_many_items_is_that_of_the_list() -> None:
    items = "".join(f"<li><a href=/{k}>A story of tea {k}</a>" for k in range(4))
    assert dates(f"<p>3 May 2020</p><ul>{items}</ul>") == [""] * 4


@pytest.mark.parametrize(
    ("day", "date"), [("12-3{}", "2019-12-3{}"), ("{} January", "2019-01-0{}"), ("Jan {}", "2019-01-0{}"), ("3月1{}日", "2019-03-1{}")]
)  # fmt: skip
def test_days_take_their_year_from_the_heading(day: str, date: str) -> None:
    items = "".join(
        f"<li><span>{day.format(k)}</span> <a href=/{k}>A story of tea</a>" for k in (0, 1) if k or "-" in day
    )
    found = dates(f"<h3>2019</h3><ul>{items}</ul>")
    assert found == [date.format(k) for k in (0, 1) if k or "-" in day]


def test_days_take_their_year_from_the_address() -> None:
    items = "".join(f"<li>0{k}/05 <a href=/2018/{k}>A story of tea {k}</a>" for k in (1, 2, 3))
    assert dates(f"<ul>{items}</ul>") == ["2018-01-05", "2018-02-05", "2018-03-05"]
    assert dates(f"<ul>{items}</ul>".replace("/2018/", "/")) == [""] * 3


def test_a_sentence_with_a_day_is_no_date_line() -> None:
    text = (
        "From today to <b>5 January 2017</b> the tea is sold at a lower price, and so is the milk that belongs to it. "
        * 2
    )
    html = "".join(f"<article><h2><a href=/{k}>A story of tea {k}</a></h2><p>{text}</p></article>" for k in (1, 2))
    assert dates(html) == ["", ""]


def test_a_day_in_a_title_counts_if_most_titles_have_one() -> None:
    one = "<li><a href=/a>The meeting of 1 May 2010 in Madrid</a><p>Text<li><a href=/b>All about tea</a><p>Text"
    assert dates(f"<ul>{one}</ul>") == ["", ""]
    both = "<li><a href=/a>The meeting of 1 May 2010 in Madrid</a><p>Text<li><a href=/b>The meeting of 2 May 2010</a><p>Text"
    assert dates(f"<ul>{both}</ul>") == ["2010-05-01", "2010-05-02"]
    marked = one.replace("<p>Text", "<p class=entry-date>16/03/2011</p>")
    assert dates(f"<ul>{marked}</ul>") == ["2011-03-16", "2011-03-16"]


BOARD = "<table><tr><th>Topic</th><th colspan=2>{first}</th><th>{last}</th></tr>{rows}</table>"
THREAD = "<tr><td><a href=/{k}>The topic number {k}</a></td><td>{k}</td><td>Ann</td><td>July 2{k}, 2019</td></tr>"


@pytest.mark.parametrize("last", ["Activity", "Last post", "Letzter Beitrag", "Dernier message", "Последнее сообщение"])
def test_the_last_post_of_a_thread_is_no_date_of_it(last: str) -> None:
    rows = "".join(THREAD.format(k=k) for k in range(3))
    found = toc_entries(site_of(BOARD.format(first="Replies", last=last, rows=rows)), 0)
    assert [(e.date, e.updated) for e in found] == [("", f"2019-07-2{k}") for k in range(3)]
    found = toc_entries(site_of(BOARD.format(first="Replies", last="Begun", rows=rows)), 0)
    assert [(e.date, e.updated) for e in found] == [(f"2019-07-2{k}", "") for k in range(3)]


def test_a_line_or_a_name_tells_the_last_change() -> None:
    item = "<li><a href=/{k}>A page of tea {k}</a><p>Posted 3 May 2020</p><p {c}>{said} 7 May 2020</p>"
    for c, said in (("", "Last updated:"), ("class=lastmod-date", "Modified"), ("class=last-post", "")):
        html = "".join(item.format(k=k, c=c, said=said) for k in (1, 2))
        found = toc_entries(site_of(f"<ul>{html}</ul>"), 0)
        assert [(e.date, e.updated) for e in found] == [("2020-05-03", "2020-05-07")] * 2


def test_the_day_of_an_address_goes_before_that_of_utc() -> None:
    items = "".join(
        f"<li><a href=/2021/07/2{k}/tea>All about tea {k}</a> <time datetime=2021-07-2{k - 1}T17:04:30Z>7月</time>"
        for k in (3, 4)
    )
    assert dates(f"<ul>{items}</ul>") == ["2021-07-23", "2021-07-24"]


def test_days_of_all_pages_are_of_no_item() -> None:
    page = (
        "<title>{k}</title><p>March 2, 2016</p><ul><li><a href=/a{k}>The story {k} of tea</a> March 2, 2016"
        "<li><a href=/b{k}>The story {k} of milk</a> March {k}, 2015</ul>"
    )
    site = site_of(*(page.format(k=k + 3) for k in range(6)))
    known = SiteFields().fit(site)
    assert known.clock_dates == {"2016-03-02": 2}
    assert [e.date for e in toc_entries(site, 1, fields=known)] == ["", "2015-03-04"]


@given(st.from_regex(_LAST) | st.text(st.sampled_from("LAaSsTt pouEedyiı son mj"), max_size=20))
def test_the_words_of_a_last_post_are_missed_in_no_line(line: str) -> None:
    assert _says_last(line) == (_LAST.search(line) is not None)


def test_a_day_with_a_hyphen_is_the_end_of_an_iso_date() -> None:
    items = "".join(f"<li><time>07-1{k}</time> <a href=/s{k}>The story number {k}</a>" for k in range(3))
    assert dates(f"<html lang=de><p>2019</p><ul>{items}</ul>") == [f"2019-07-1{k}" for k in range(3)]


def test_the_year_of_an_address_and_years_in_a_row() -> None:
    years = "<p><a href=/2021/>2021</a></p><p><a href=/2020/>2020</a></p><p><a href=/2019/>2019</a></p>"
    items = "".join(f"<li><time>01/1{k}</time> <a href={{}}s{k}>The story number {k}</a>" for k in range(3, 6))
    assert dates(years + f"<ul>{items.replace('{}', '/2021/')}</ul>") == [f"2021-01-1{k}" for k in range(3, 6)]
    assert dates(years + f"<ul>{items.replace('{}', '/')}</ul>") == [""] * 3
