"""The list of a TOC page."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitegrain
from sitegrain.article.fields import SiteFields
from sitegrain.article.lists.entries import MAX_SNIPPET, TocEntry, toc_entries
from sitegrain.article.lists.listlinks import TextScores
from sitegrain.article.lists.sitelinks import SiteLinks
from tests.builders import captures_of, site_of

MENU = (
    "<ul class=menu>" + "".join(f"<li><a href=m{k}.html>Section with a long name {k}</a>" for k in range(9)) + "</ul>"
)


def items(first: int, n: int) -> str:
    return "".join(
        f"<div class=post-{k}><h2><a href=s{k}.html>The story number {k}</a></h2><p>Short of {k}. "
        f"<a class=more href=s{k}.html>Read on</a> <a class=tag href=t.html>tea</a></div>"
        for k in range(first, first + n)
    )


def test_titles_and_snippets_without_the_menu() -> None:
    site = site_of(MENU + items(0, 4))
    found = toc_entries(site, 0)
    assert [e.title for e in found] == [f"The story number {k}" for k in range(4)]
    assert found[1] == TocEntry("The story number 1", "http://t.example/s1.html", "Short of 1. tea")


def test_a_menu_is_what_repeats_on_thesite_of() -> None:
    menu = MENU.replace("class=menu", "class=q")
    site = site_of(
        *(
            f"{menu}<ol>{''.join(f'<li><a href=s{k}-{p}.html>Story {k} {p}</a>' for k in range(3))}</ol>"
            for p in range(6)
        )
    )
    links = SiteLinks.of(site)
    assert [e.url for e in toc_entries(site, 2, links=links)] == [f"http://t.example/s{k}-2.html" for k in range(3)]


def test_flat_lists_have_what_follows_as_snippet() -> None:
    site = site_of(
        "<div>" + "".join(f"<h3><a href={k}x>A title {k}</a></h3><p>About {k}</p>" for k in range(3)) + "</div>"
    )
    assert [e.snippet for e in toc_entries(site, 0)][:2] == ["About 0", "About 1"]


def test_a_low_score_is_a_menu() -> None:
    site = site_of(MENU.replace("class=menu", "class=q") + items(0, 5))
    score = np.ones(site.n_nodes)
    rows = site.rows("ul")
    score[rows[0] : site.nodes.end[rows[0]]] = 0
    assert {e.title[:9] for e in toc_entries(site, 0, TextScores.of(site, score))} == {"The story"}


def test_pages_without_links() -> None:
    assert toc_entries(site_of("<p>x", "<a href='javascript:x'>y</a><a href=#z>z</a>"), 0) == []
    assert toc_entries(site_of("<p>x", "<a href='javascript:x'>y</a><a href=#z>z</a>"), 1) == []


def test_in_the_result() -> None:
    pages = [MENU + items(0, 6)] + [f"<h1>The story number {k}</h1><p>" + "Words of a story. " * 30 for k in range(6)]
    result = sitegrain.mine(captures_of(*pages), methods=["everything", "outlink-count"])
    toc = result.tocs[0]
    assert toc.page == 0
    assert result.pages["entries"][0].as_py()[5]["url"] == "http://t.example/s5.html"
    assert result.pages["entries"][1].as_py() == []
    assert toc.to_dict()["entries"][0]["snippet"] == "Short of 0. tea"
    assert result[1].entries == []


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<ul>",
                "</ul>",
                "<li>",
                "<div class=a>",
                "</div>",
                "<a href=x>An anchor x</a>",
                "<a href=y>Y</a>",
                "text ",
                "<h2>",
                "</h2>",
                "<br>",
            ]
        ),
        max_size=40,
    )
)
def test_any_page_gives_each_address_once(parts: list[str]) -> None:
    found = toc_entries(site_of("".join(parts)), 0)
    assert len({e.url for e in found}) == len(found)
    assert all(e.title and len(e.snippet) <= MAX_SNIPPET + 1 for e in found)


@pytest.mark.parametrize("address", ["s{}.html", "same.html"])
def test_a_list_of_fifty_thousand_links_takes_bounded_time(address: str) -> None:
    html = (
        "<ul>"
        + "".join(f"<li><a href={address.format(k)}>The story number {k}</a> Short." for k in range(50_000))
        + "</ul>"
    )
    site = site_of(html)
    start = time.process_time()
    found = toc_entries(site, 0)
    # About 2 s. When each link was held against each other, 100,000 had not ended after two minutes.
    assert time.process_time() - start < 30
    assert len(found) == (50_000 if "{}" in address else 1)


def test_the_date_of_an_entry_is_its_own() -> None:
    html = (
        "<dl>"
        + "".join(f"<dt>{k} May 2020<dd><a href=s{k}.html>The story number {k}</a>" for k in range(1, 5))
        + "</dl>"
    )
    assert [e.date for e in toc_entries(site_of(html), 0)] == [f"2020-05-0{k}" for k in range(1, 5)]
    after = "".join(f"<h2><a href=s{k}.html>The story number {k}</a></h2><p>{k} May 2020</p>" for k in range(1, 5))
    assert [e.date for e in toc_entries(site_of(after), 0)] == [f"2020-05-0{k}" for k in range(1, 4)] + [""]


def test_a_link_that_says_more_is_called_by_its_heading() -> None:
    html = "".join(
        f"<div class=post><h2>The story number {k}</h2><img src=p{k}.jpg><p>Words.</p><a href=s{k}.html>Weiter</a></div>"
        for k in range(4)
    )
    found = toc_entries(site_of(html), 0)
    assert [e.title for e in found] == [f"The story number {k}" for k in range(4)]
    assert [e.image for e in found] == [f"http://t.example/p{k}.jpg" for k in range(4)]


def test_links_within_a_printed_post_are_no_entries() -> None:
    prose = "This is a long sentence of a post that is printed in full, with <a href=http://o.example/{0}>a link to another site</a>. "
    html = "".join(
        f"<div><h3><a href=s{k}.html>Story {k}</a></h3><p>{''.join(prose.format(9 * k + j) for j in range(9))}</p></div>"
        for k in range(3)
    )
    assert [e.url for e in toc_entries(site_of(html), 0)] == [f"http://t.example/s{k}.html" for k in range(3)]


def test_titles_in_the_headers_of_posts_are_entries() -> None:
    posts = "".join(
        f"<article><header><h2><a href=/{n}>Story of {n} cups of tea</a></h2></header><p>Text <a href=http://b.org/x>more</a>.</article>"
        for n in ("one", "two")
    )
    found = toc_entries(site_of(f"<header><a href=/about>About the house of tea</a></header>{posts}"), 0)
    assert [e.title for e in found] == ["Story of one cups of tea", "Story of two cups of tea"]


def test_what_all_pages_of_a_kind_have_is_no_entry() -> None:
    page = (
        "<ul><li><a href=/{k}/author>[ by author ]</a><li><a href=/m{k}>Message number {k} about tea</a>"
        "<li><a href=/n{k}>Another message {k} about milk</a></ul>"
    )
    site = site_of(*(page.format(k=k) for k in range(8)))
    assert [e.url for e in toc_entries(site, 3)] == ["http://t.example/m3", "http://t.example/n3"]


def test_other_names_in_the_same_slots_are_entries() -> None:
    items = "".join(f"<li><a class={'new' if k % 4 else 'known'} href=/{k}>Function {k}</a>" for k in range(12))
    assert len(toc_entries(site_of(f"<ul>{items}</ul>"), 0)) == 12


def test_dates_are_read_in_the_order_of_thesite_of() -> None:
    site = site_of("<ul><li><a href=/a>All about tea</a> 03/04/2020<li><a href=/b>Milk in tea</a> 05/04/2020</ul>")
    assert [e.date for e in toc_entries(site, 0, fields=SiteFields(day_first=True))] == ["2020-04-03", "2020-04-05"]
    assert [e.date for e in toc_entries(site, 0)] == ["2020-03-04", "2020-05-04"]


def test_a_link_that_only_says_when_is_called_by_the_heading_before_it() -> None:
    posts = "".join(
        f"<div class=blog><h3>What we ate in week {k}</h3>A post with <a href=x{k}>a link</a> in its text."
        f"<div class=posted>by Ann at <a href=p{k}>0{k}:30 PM</a> | <a href=c{k}>Comments ({k})</a></div></div>"
        for k in range(1, 5)
    )
    found = toc_entries(site_of(posts), 0)
    assert [(e.title, e.url) for e in found] == [
        (f"What we ate in week {k}", f"http://t.example/p{k}") for k in range(1, 5)
    ]


def test_a_date_under_a_title_that_is_a_link_names_nothing() -> None:
    posts = "".join(
        f"<div class=post><p class=on><a href=s{k}>{k} May 2020</a></p><h2><a href=s{k}>The story number {k}</a></h2></div>"
        for k in range(1, 5)
    )
    assert [e.title for e in toc_entries(site_of(posts), 0)] == [f"The story number {k}" for k in range(1, 5)]


def test_columns_of_one_list_are_one_list() -> None:
    first = "".join(f"<h2 class=t><a href=a{k}>A story of the left column {k}</a></h2>" for k in range(9))
    second = "".join(f"<h2 class=t><a href=b{k}>A story of the right one {k}</a></h2>" for k in range(2))
    site = site_of(f"<div class=left><div class=item>{first}</div></div><p class=r><div class=item>{second}</div>")
    assert len(toc_entries(site, 0)) == 11


def test_what_says_the_same_of_every_page_is_called_by_the_title_of_the_page() -> None:
    shop = "".join(
        f"<tr><td><a href={k}.html><img src={k}.png></a><td>{k} EUR<td><a href={k}.html>Details</a>"
        for k in range(1, 5)
    )
    site = site_of(f"<table>{shop}</table>", *(f"<title>Pot number {k}</title><p>A pot." for k in range(1, 5)))
    assert [e.title for e in toc_entries(site, 0)] == [f"Pot number {k}" for k in range(1, 5)]


def test_months_beside_a_list_are_its_archive() -> None:
    months = "".join(
        f"<li class=m><a href=/2012-{k}>{name} 2012</a>" for k, name in enumerate(("March", "May", "June", "July"))
    )
    post = "<div class=p><h2><a href=/tea>Where is the password of tea stored?</a></h2><p>Text</div>"
    assert [e.url for e in toc_entries(site_of(f"{post}<ul>{months}</ul>"), 0)] == ["http://t.example/tea"]
    assert len(toc_entries(site_of(f"<ul>{months}</ul>"), 0)) == 4


def test_an_item_of_buttons_is_called_by_its_first_line() -> None:
    rows = "".join(
        f"<tr><td>Tray number {k} for tea</td><td>3.56 EUR</td><td><a class=b href=?add-to-cart={k}>Buy</a></td>"
        f"<td><a class=b href=/p{k}>Подробнее</a></td></tr>"
        for k in range(4)
    )
    found = toc_entries(site_of(f"<table>{rows}</table>"), 0)
    assert [(e.title, e.url) for e in found] == [
        (f"Tray number {k} for tea", f"http://t.example/p{k}") for k in range(4)
    ]


def test_a_date_is_no_heading_of_an_item() -> None:
    html = "".join(f"<div><h6>0{k}-05-2020</h6>Tea of day {k}<p><a href=/{k}>More</a></div>" for k in range(1, 4))
    assert [e.title for e in toc_entries(site_of(html), 0)] == [f"Tea of day {k}" for k in range(1, 4)]


def titles_of(html: str) -> list[str]:
    return [e.title for e in toc_entries(site_of(html), 0)]


def test_who_wrote_in_another_cell_of_the_row_is_no_entry() -> None:
    rows = "".join(
        f"<tr><td class=field><a href=s{k}.html>The long story number {k}</a><td class=field><a class=user href=u{k}.html>Ann</a>"
        for k in range(3)
    )
    assert titles_of(f"<table>{rows}</table>") == [f"The long story number {k}" for k in range(3)]


def test_faces_and_categories_beside_titles_are_no_entries() -> None:
    items = "".join(
        f"<div class=item><a class=cat href=c{k % 2}.html>Category with a name {k % 2}</a>"
        f"<a class=t href=s{k}.html>The long story number {k}</a>"
        f"<a class=face href=u{k}.html><img src=f{k}.png alt='Somebody who wrote number {k}'></a></div>"
        for k in range(6)
    )
    assert titles_of(items) == [f"The long story number {k}" for k in range(6)]


def test_lines_of_one_block_are_a_list() -> None:
    lines = "".join(
        f"{k} May 2006: something that is said of it<br><a href=s{k}.html>The story number {k}</a><br>"
        for k in range(5)
    )
    assert titles_of(f"<p><a href=x.html>Some other long title here</a></p><blockquote>{lines}</blockquote>") == [
        "Some other long title here", *(f"The story number {k}" for k in range(5))
    ]  # fmt: skip


def test_a_date_and_a_word_are_a_title() -> None:
    html = "<h3>2022</h3>" + "".join(f"<p><a href=s{k}.html>2022-05-1{k} Tea{k}</a>" for k in range(4))
    assert [e.date for e in toc_entries(site_of(html), 0)] == [f"2022-05-1{k}" for k in range(4)]
    assert "2022" not in titles_of(html)


def test_a_section_of_a_page_does_not_name_it() -> None:
    chapters = "".join(
        f"<li class=l1><a href=c{k}.html>Chapter {k}</a><ul>"
        + "".join(f"<li class=l2><a href=c{k}.html#s{j}>The long name of section {j} in {k}</a>" for j in range(3))
        + "</ul>"
        for k in range(3)
    )
    assert titles_of(f"<ul>{chapters}</ul>") == [f"Chapter {k}" for k in range(3)]
    terms = (
        chapters.replace("<li class=l1>", "<dt>")
        .replace("<ul>", "<dd><dl>")
        .replace("</ul>", "</dl>")
        .replace("<li class=l2>", "<dt>")
    )
    assert titles_of(f"<dl>{terms}</dl>") == [f"Chapter {k}" for k in range(3)]


def test_answers_within_answers_are_entries() -> None:
    deep = "<li><a href=a.html>A message about hot tea</a><ul><li><a href=b.html>An answer about hot tea</a>"
    deep += "<ul><li><a href=c.html>Yes</a></ul></ul><li><a href=d.html>A message about cold tea</a>"
    assert len(titles_of(f"<ul>{deep}</ul>")) == 4


def test_the_one_item_of_a_list_is_not_its_page() -> None:
    page = "<div><h1>Posts about tea</h1><table><tr><td>Topic<td>Views<tr><td><a href=a.html>All about hot tea</a><td>12</table></div>"
    assert [e.snippet for e in toc_entries(site_of(page), 0)] == ["12"]


def test_a_page_that_no_link_names_is_called_by_its_own_title_without_the_sites() -> None:
    names = ("Red pot", "Tray", "Lid", "Blue pot")
    rows = "".join(f"<tr><td>{k} euros<td><a href={k}.html>Details</a>" for k in range(1, 5))
    pages = (f"<title>Pots of the Bay{name}</title><p>A {name}." for name in names)
    site = site_of(f"<title>Pots of the BayAll</title><table>{rows}</table>", *pages)
    found = toc_entries(site, 0, fields=SiteFields().fit(site))
    assert [e.title for e in found] == list(names)


def test_titles_in_headings_stand_on_many_lists() -> None:
    newest = "".join(f"<div><h2><a href=s{k}.html>The story number {k}</a></h2></div>" for k in range(4))
    site = site_of(*(newest for _ in range(3)), *(newest.replace("s3.html", f"t{k}.html") for k in range(3)))
    assert len(toc_entries(site, 0, links=SiteLinks.of(site))) == 4


def test_the_heading_names_an_item_and_not_its_linked_summary() -> None:
    item = "<article><h2><a href=s{0}>Tea {0}</a></h2><a class=sum href=s{0}>Of the tea number {0} much can be said, and here is how it begins</a></article>"
    assert [e.title for e in toc_entries(site_of("".join(item.format(k) for k in range(4))), 0)] == [
        f"Tea {k}" for k in range(4)
    ]


def test_of_the_texts_in_a_link_the_one_that_its_page_is_called_is_the_title() -> None:
    item = (
        "<li><a href=/{0}.html><div>Boats of the bay {0}</div><span>2020-05-0{0}</span><span>· Field Reports</span></a>"
    )
    pages = [f"<title>Boats of the bay {k}</title><p>Text." for k in range(1, 4)]
    site = site_of("".join(item.format(k) for k in range(1, 4)), *pages)
    assert [e.title for e in toc_entries(site, 0)] == [f"Boats of the bay {k}" for k in range(1, 4)]
    unknown = site_of("".join(item.format(k + 4) for k in range(1, 4)), *pages)
    assert toc_entries(unknown, 0)[0].title == "Boats of the bay 5 · Field Reports"


def test_on_a_small_site_an_entry_stands_on_half_of_the_lists() -> None:
    def listed(*numbers: int) -> str:
        return "<ol>" + "".join(f"<li><a href=s{k}>The story number {k}</a>" for k in numbers) + "</ol>"

    site = site_of(
        *(listed(0, 1, 10 + k, 20 + k) for k in range(3)), *(listed(10 + k, 20 + k, 30 + k) for k in range(3))
    )
    assert [e.url[-3:] for e in toc_entries(site, 0)] == ["/s0", "/s1", "s10", "s20"]
    # What all lists have is a menu.
    site = site_of(*(listed(0, 1, 10 + k, 20 + k) for k in range(6)))
    assert [e.url[-3:] for e in toc_entries(site, 0)] == ["s10", "s20"]


def test_words_that_lead_elsewhere_on_every_page_are_no_entries() -> None:
    def listed(k: int) -> str:
        turns = "".join(f"<li><a href=/{k}/{by}>[ by the {by} ]</a>" for by in ("date", "author"))
        return f"<ul>{turns if k % 3 else ''}" + "".join(
            f"<li><a href=/{k}/{n}>The story {n} of {k}</a>" for n in range(4)
        )

    site = site_of(*map(listed, range(12)))
    assert [e.url[-3:] for e in toc_entries(site, 1)] == [f"1/{n}" for n in range(4)]


def test_what_turns_the_page_is_no_entry() -> None:
    """Sphinx names the chapter before under that of which the list is."""
    parts = "".join(f"<li><a href=p{k}.html>The part number {k}</a>" for k in range(4))
    turns = "<ul><li>Previous: <a href=z.html title='previous chapter'>The chapter before it</a><li>Next: <a href=p0.html rel=next>The part number 0</a></ul>"
    found = toc_entries(site_of(f"<ul>{parts}</ul>{turns}"), 0)
    assert [e.title for e in found] == [f"The part number {k}" for k in range(4)]


def test_answers_with_one_subject_keep_it() -> None:
    letters = "".join(f"<li><a href={k}.html>[tea] Re: How much milk</a> <i>Ann {k}</i>" for k in range(1, 6))
    pages = (f"<title>How much milk</title><h1>How much milk</h1><p>Letter {k}." for k in range(1, 6))
    found = toc_entries(site_of(f"<ul>{letters}</ul>", *pages), 0)
    assert [e.title for e in found] == ["[tea] Re: How much milk"] * 5
