"""Names and days on pages that have none of their own."""

from __future__ import annotations

import re
from functools import partial
from itertools import cycle

import pytest

import sitegrain

LINES = "The kettle is filled, the water is boiled, and the leaves are left to draw for three minutes. "


def _card(n: int) -> str:
    name = ("Ann Lee", "Bob Moor", "Cid Hale", "Dora Finch")[n % 4]
    return (
        f'<article class="card"><h2><a href="/tea/{n}.html">Tea of day {n}</a></h2><p class="byline">By '
        f'<a rel="author" href="/people/{n % 4}">{name}</a>, <time datetime="2024-03-{n + 1:02}">March {n + 1}, 2024</time></p>'
        f'<p>{LINES}</p><a href="/tea/{n}.html">Read more</a></article>'
    )


LIST = f"<html lang=en><head><title>Tea news</title></head><body><h1>Tea news</h1>{''.join(map(_card, range(24)))}</body></html>"


def _post(n: int) -> str:
    name = ("ann", "bob", "cid", "dora")[n % 4]
    return (
        f'<div class="post forum-post" id="p{n}"><div class="postprofile"><a class="username" href="/user/{name}">{name}</a><dl><dt>Posts:</dt>'
        f'<dd>{n * 37}</dd><dt>Joined:</dt><dd>May 2019</dd></dl></div><div class="postbody"><p class="postdate">Mar {n + 1}, 2024 10:1{n % 9} am</p>'
        f'<div class="content"><p>{LINES * (1 + n % 3)}</p></div><a href="#p{n}">Quote</a> <a href="/reply/{n}">Reply</a></div></div>'
    )


THREAD = (
    '<html lang=en><head><title>Which kettle? - Tea Forum</title></head><body class="forum"><h2 class="topic-title">Which kettle?</h2>'
    f'<div class="thread posts">{"".join(map(_post, range(12)))}</div></body></html>'
)


def _article(signed: str = "") -> str:
    return f"<html lang=en><head><title>Green tea</title>{signed}</head><body><article><h1>Green tea</h1><p class=byline>By Ann Lee, March 3, 2024</p><p>{LINES * 20} <a href=/black.html>Black tea</a></p></article></body></html>"


def test_names_and_days_of_a_list_are_those_of_its_items() -> None:
    found = sitegrain.extract(LIST, "http://tea.example/")
    assert found.role == "toc"
    assert (found.author, found.date) == ("", "")
    assert not found.fields.author
    assert "author" not in found.sources
    assert found.entries[0].date == "2024-03-01"


def test_what_a_list_only_shows_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def unfound(name: str, *_: object) -> tuple[str, str]:
        asked.append(name)
        return "", ""

    for name in ("visible_date", "marked_date", "marked_author"):
        monkeypatch.setattr(f"sitegrain.article.fields.page.{name}", partial(unfound, name))
    assert not sitegrain.extract(LIST, "http://tea.example/").date
    assert not sitegrain.extract(LIST, "http://tea.example/").author
    assert not asked
    _ = sitegrain.extract(_article(), "http://tea.example/green.html").date
    assert asked[:2] == ["marked_date", "visible_date"]


def test_what_metadata_say_of_a_list_stays() -> None:
    said = '<meta name="author" content="Dora Finch"><meta property="article:published_time" content="2023-01-02">'
    found = sitegrain.extract(LIST.replace("</title>", f"</title>{said}"), "http://tea.example/")
    assert (found.role, found.author) == ("toc", "Dora Finch")


@pytest.mark.parametrize(("day", "date"), [("2023-01-02", ""), ("2024-03-01", "2024-03-01")])
def test_a_list_has_the_day_of_its_metadata_if_it_shows_it(day: str, date: str) -> None:
    said = f'<meta property="article:published_time" content="{day}">'
    found = sitegrain.extract(LIST.replace("</title>", f"</title>{said}"), "http://tea.example/")
    assert (found.role, found.date) == ("toc", date)


def test_a_thread_began_with_its_first_post() -> None:
    clock = "<p>Now: <time datetime=2026-03-05>March 5, 2026</time></p>"
    years = cycle(("2019", "2012", "2015"))
    joined = THREAD.replace("<dt>Joined:</dt>", '<dt><i title="Joined"></i></dt>')
    joined = re.sub("May 2019", lambda _: f"May 9, {next(years)}", joined)
    for page in (THREAD, THREAD.replace("<h2", f"{clock}<h2"), joined):
        found = sitegrain.extract(page, "http://tea.example/viewtopic.php?t=3")
        assert (found.page_type, found.date, found.posts[1].date) == ("forum", "2024-03-01", "2024-03-02")


def test_an_article_is_signed_by_what_is_seen() -> None:
    found = sitegrain.extract(_article(), "http://tea.example/green.html")
    assert (found.role, found.author, found.date) == ("article", "Ann Lee", "2024-03-03")


@pytest.mark.parametrize(
    ("url", "role"),
    [
        ("http://tea.example/viewforum.php?f=3", "toc"),
        ("http://tea.example/viewtopic.php?t=3", "article"),
        ("http://tea.example/memberlist.php", "other"),
        ("http://tea.example/wiki/Category:Tea", "toc"),
    ],
)
@pytest.mark.parametrize("page", [LIST, THREAD, _article()])
def test_the_address_that_software_writes_tells_the_role_of_a_page_alone(page: str, url: str, role: str) -> None:
    found = sitegrain.extract(page, url)
    assert found.role == role
    assert found.page_type in {"toc": ("listing", "collection"), "other": ("service",)}.get(
        role, ("article", "documentation", "forum", "product")
    )


@pytest.mark.parametrize("url", ["http://tea.example/", "http://tea.example/forum/", "http://tea.example/club/forums"])
def test_what_looks_like_a_thread_where_a_forum_is_entered_lists_its_boards(url: str) -> None:
    assert sitegrain.extract(THREAD, "http://tea.example/t/1").page_type == "forum"
    assert sitegrain.extract(THREAD, url).role == "toc"


def test_a_page_without_links_is_no_list_whatever_its_address() -> None:
    assert sitegrain.extract(f"<h1>Tea</h1><p>{LINES * 20}", "http://tea.example/viewforum.php?f=3").role == "article"


def test_fields_know_the_role_after_the_article_is_gone() -> None:
    fields = sitegrain.extract(LIST, "http://tea.example/").fields
    assert not fields.author
    assert not fields.date
