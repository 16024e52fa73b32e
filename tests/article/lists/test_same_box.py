"""Entries that stand beside the list in its box: the first story, set larger, and the last ones in a line each."""

from __future__ import annotations

from sitegrain.article.fields import SiteFields
from sitegrain.article.lists.entries import toc_entries
from tests.builders import site_of

STORIES = [f"The long story of harbour number {k}" for k in range(12)]


def page(k: int) -> str:
    return f"<title>{STORIES[k]}</title><h1>{STORIES[k]}</h1><p>Text {k} of it, which is told at length.</p>"


def listed(body: str) -> list[str]:
    """Addresses of the entries of a page before twelve stories, 1 to 12."""
    site = site_of(f"<title>News</title>{body}", *(page(k) for k in range(12)))
    return [
        entry.url.rpartition("/")[2].removesuffix(".html")
        for entry in toc_entries(site, 0, fields=SiteFields().fit(site))
    ]


def link(k: int) -> str:
    return f"<a href={k}.html>{STORIES[k - 1]}</a>"


ITEMS = "".join(f"<div class=item><h2>{link(k)}</h2><p>The beginning of story {k}.</p></div>" for k in range(1, 9))


def test_lines_below_the_items_in_their_box_are_entries() -> None:
    more = "".join(f"<li>{link(k)}</li>" for k in (9, 10))
    assert listed(f"<div class=box>{ITEMS}<ol class=more>{more}</ol></div>") == [str(k) for k in range(1, 11)]


def test_lines_in_an_item_or_in_other_words_are_none() -> None:
    item = f"<div class=item><h2>{link(8)}</h2><p>Text.</p><p>See also <em>{link(9)}</em></p></div>"
    assert "9" not in listed(f"<div class=box>{ITEMS}{item}</div>")
    words = "<p class=turn><a href=9.html>The pages before this one</a></p>"
    assert "9" not in listed(f"<div class=box>{ITEMS}{words}</div>")
