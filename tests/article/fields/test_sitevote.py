"""The vote of a site on where fields sit."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegrain.article.fields import SiteFields, article_fields
from sitegrain.demo import generate
from sitegrain.result.mining import read_folder
from sitegrain.tables.site import Site
from tests.builders import site_of

NAMES = ["Ann Lee", "Bo Chi", "Cy Dee", "Di Eff"]


def page(k: int, is_known: bool) -> str:
    meta = f'<meta name=author content="{NAMES[k % 4]}"><meta name=date content="2024-05-{k + 10}">' if is_known else ""
    return (
        f"<title>Story number {k} | The Bay</title><meta name=description content='Same for all'>{meta}"
        f"<div class=top><h1>The Bay</h1><i>Today is 2024-06-01</i></div><h2 class=x7>Story number {k}</h2>"
        f"<div class=x1><span class=x2>{NAMES[k % 4]}</span><span class=x3>2024-05-{k + 10}</span></div>"
        f"<p>Text of story {k}, <img src=logo.png><img src=p{k}.png></p>"
    )


def a_site() -> Site:
    return site_of(*(page(k, k % 2 == 0) for k in range(12)))


def test_places_are_learned_from_the_pages_that_tell() -> None:
    site = a_site()
    known = SiteFields().fit(site)
    f = known.fields(site, 3)
    assert (f.author.value, f.author.source) == (NAMES[3], "site vote")
    assert (f.date.value, f.date.source) == ("2024-05-13", "site vote")
    assert (f.title.value, f.sitename.value) == ("Story number 3", "The Bay")
    assert f.description.value == ""
    assert f.images.value == ("http://t.example/p3.png",)
    assert known.fields(site, 4).author.source == "meta"


def test_new_pages_are_read_with_the_places_of_old_ones() -> None:
    known = SiteFields().fit(a_site())
    new = site_of(page(15, False))
    found = known.fields(new, 0).author
    assert (found.value, found.source) == (NAMES[3], "site vote")
    assert article_fields(new, 0).author.source == "date line"  # alone, it is a guess


def test_day_or_month_first_is_the_sites() -> None:
    site = site_of(*(f"<h1>T{d}</h1><p class=d>{d}/3/2024<p>x" for d in (2, 13, 14, 25)))
    assert SiteFields().fit(site).fields(site, 0).date.value == "2024-03-02"
    assert article_fields(site, 0).date.value == "2024-02-03"


def test_titles_of_sites_without_headings_are_bold_lines() -> None:
    page = "<title>THE BAY</title><p><b>News of the Bay</b><p><b>{0} came in</b><br>(6/4/2001)<p>Of {0} we know <b>no more</b>."
    site = site_of(*(page.format(name) for name in NAMES))
    found = SiteFields().fit(site).fields(site, 1).title
    assert (found.value, found.source) == ("Bo Chi came in", "bold line")


def test_the_language_of_the_text_tells_day_from_month() -> None:
    text = "<p>3/4/2001<p>O filme será lançado no dia vinte e quatro, e inclui entrevistas com a equipe e muitas fotos das filmagens."
    assert article_fields(site_of("<h1>T</h1>" + text), 0).date.value == "2001-04-03"
    assert article_fields(site_of("<html lang=en><h1>T</h1>" + text), 0).date.value == "2001-03-04"


def test_small_sites_do_not_vote() -> None:
    site = site_of("<title>A - B</title>", "<title>C - B</title>")
    assert SiteFields().fit(site) == SiteFields()


def test_a_name_beside_the_date() -> None:
    site = site_of(*(f"<b>Title {k}</b><br><i>2002-02-{k + 10}, {NAMES[k % 4]}</i><p>Text {k}" for k in range(8)))
    f = SiteFields().fit(site).fields(site, 2)
    assert (f.author.value, f.date.value) == (NAMES[2], "2002-02-12")


def test_the_demo_site_is_read_without_a_miss(tmp_path: Path) -> None:
    truth = generate(tmp_path)
    site = read_folder(truth.folder)
    known = SiteFields().fit(site)
    row = {path: p for p, path in enumerate(site.pages.path)}
    for page in (p for p in truth.pages if p.kind == "article"):
        f = known.fields(site, row[page.path])
        assert (f.author.value, f.date.value) == (page.author, page.date)


def test_a_title_of_a_section_is_no_title_of_its_pages() -> None:
    menu = "<ul><li><a href=/e>Events</a></ul><h3>Using the site</h3>"
    event = "<title>Events</title>{menu}<div><h2>Bay Day of {k} June</h2><h6>Oct. {k}, 2017</h6><p>Text of {k}"
    lists = "<title>Events</title>{menu}" + "".join(
        f"<h2><a href=/p{k}>Bay Day of {k} June</a></h2><p>x" for k in range(3)
    )
    others = [f"<title>Page {k}</title>{menu}<h2>Page {k}</h2><p>Text" for k in range(20)]
    site = site_of(lists.format(menu=menu), *(event.format(menu=menu, k=k) for k in range(2, 5)), *others)
    known = SiteFields().fit(site)
    assert [known.fields(site, k).title.value for k in (1, 2)] == ["Bay Day of 2 June", "Bay Day of 3 June"]
    assert known.fields(site, 1).date.value == "2017-10-02"
    assert known.fields(site, 0).title.value == "Events"


def test_titles_of_other_pages_are_not_that_of_a_list() -> None:
    posts = "".join(
        f"<h1><a href=/p{{k}}{j}>The story {{k}}{j}</a></h1><h2>Notes of {{k}}{j}</h2><p>Text" for j in range(3)
    )
    site = site_of(*(f"<title>The Bay</title>{posts.format(k=k)}" for k in range(4)))
    known = SiteFields().fit(site)
    assert {known.fields(site, k).title.value for k in range(4)} == {"The Bay"}


def test_numbers_in_json_ld_are_read_in_the_order_of_the_site() -> None:
    page = '<script type="application/ld+json">{{"@type":"Article","datePublished":"{d}"}}</script><h1>T{d}</h1><p>{d}'
    site = site_of(*(page.format(d=d) for d in ("03-07-2021", "03-25-2021", "04-13-2021", "01-30-2021")))
    assert SiteFields().fit(site).fields(site, 0).date.value == "2021-03-07"


def test_the_next_day_is_shown_east_of_greenwich() -> None:
    page = "<meta property=article:published_time content=2019-03-07T{t}+00:00><h1>T</h1><p>8 March 2019<p>Text"
    assert article_fields(site_of(page.format(t="23:31:55")), 0).date.value == "2019-03-08"
    assert article_fields(site_of(page.format(t="03:31:55")), 0).date.value == "2019-03-07"


def test_a_manual_names_itself_in_brackets() -> None:
    names = ["Steeping", "Water (soft)", "Milk", "Cups", "Leaves", "Time"]
    site = site_of(
        *(f"<title>{n} (The Tea Book (version 2))</title><h4>{k} {n}</h4><p>Text." for k, n in enumerate(names))
    )
    known = SiteFields().fit(site)
    assert [known.fields(site, k).title.value for k in range(6)] == names
    assert known.site_name == "The Tea Book (version 2)"
    films = site_of(
        *(f"<title>{n}{' (film)' if k % 2 else ''}</title><h4>{k}</h4><p>Text." for k, n in enumerate("ABCDEF"))
    )
    assert SiteFields().fit(films).title_ends == ()


def test_a_book_in_the_first_heading_of_its_pages() -> None:
    chapters = [
        f"<title>Guide to tea (2.{k}) - Cups of kind {k}</title><h1>Guide to tea</h1><h2>Links</h2><h2>Cups of kind {k}</h2><p>Text {k}"
        for k in range(4)
    ]
    others = [f"<title>Kettle {k}</title><h1>Kettle {k}</h1><p>Other text {k}" for k in range(20)]
    site = site_of(*chapters, *others)
    assert SiteFields().fit(site).fields(site, 2).title.value == "Cups of kind 2"


def test_what_programs_write_for_a_title_is_none() -> None:
    """FrontPage calls pages "New Page 1"; what readers take for the title is the large line above the text."""
    page = "<title>New Page {1}</title><p><b>News of the Bay</b><p><font size=5>{0} came in</font><p>Of {0} we know <b>no more</b>."
    site = site_of(*(page.format(name, k % 2) for k, name in enumerate(NAMES)))
    assert SiteFields().fit(site).fields(site, 1).title.value == "Bo Chi came in"


@pytest.mark.parametrize(
    "title", ["New Page 1", "Untitled Document", "Welcome to Adobe GoLive 5", "Unbenannt 2", "無題ドキュメント", ""]
)
def test_a_page_alone_without_a_title_has_its_first_bold_line(title: str) -> None:
    head = f"<title>{title}</title><table><tr><td><a href=/><b>The whole bay</b></a>"
    lines = "<tr><td><p><font size=4><b>How the tea came in</b></font><p>It came by <b>a small ship</b> in May."
    assert article_fields(site_of(head + lines), 0).title.value == "How the tea came in"
    assert article_fields(site_of(f"{head}<tr><td><p>It came by <b>a small ship</b> in May."), 0).title.value == ""


def test_a_large_line_above_the_headings_of_parts_is_the_title() -> None:
    """Office programs give no `<title>`, write the title large and use headings for the parts."""
    page = "<p align=center><font size=5><b>How {0} came in</b></font><p>{0} {1}.<h2>What {0} saw</h2><p>{1} {0}."
    site = site_of(*(page.format(name, "came by the small ship that brings tea " * 4) for name in NAMES))
    assert SiteFields().fit(site).fields(site, 1).title.value == "How Bo Chi came in"
    below = "<p>{0} {1}.<p><b>Where {0} was</b><h2>What {0} saw</h2><p>{1} {0}."
    site = site_of(*(below.format(name, "came by the small ship that brings tea " * 4) for name in NAMES))
    assert SiteFields().fit(site).fields(site, 1).title.value == "What Bo Chi saw"


def test_a_name_behind_the_time_that_reading_takes() -> None:
    page = "<title>Tea {0}</title><h1>Tea {0}</h1><div><time>May {0}, 2020</time> · {0} min read · {1}</div><p>Of tea."
    site = site_of(*(page.format(k + 3, NAMES[k % 4]) for k in range(8)))
    assert SiteFields().fit(site).fields(site, 1).author.value == "Bo Chi"


def test_a_manual_that_is_a_part_of_a_site_names_itself_in_brackets() -> None:
    manual = ["<title>{0} came in (The Bay Manual)</title><h3>1.{1} {0} came in</h3><p>Of {0}."] * 4
    films = ["<title>{0} sails (silent film)</title><h1>{0} sails (silent film)</h1><p>Of {0}."] * 4
    site = site_of(*(page.format(NAMES[k % 4], k) for k, page in enumerate(manual + films)))
    known = SiteFields().fit(site)
    assert known.fields(site, 1).title.value == "Bo Chi came in"
    assert known.fields(site, 5).title.value == "Bo Chi sails (silent film)"


def test_pages_that_are_called_alike_have_a_title() -> None:
    event = "<title>Story time - The Bay Council</title><h1>Story time</h1><p>On {0} May.<p>We read."
    other = "<title>Tea {0} - The Bay Council</title><h1>Tea {0}</h1><p>On {0} May."
    site = site_of(*(page.format(k) for k, page in enumerate([event] * 4 + [other] * 6)))
    assert SiteFields().fit(site).fields(site, 1).title.value == "Story time"


def test_the_day_that_an_office_program_gives() -> None:
    page = "<meta name=generator content='{0}'><meta name=created content='2019-05-03T10:00:00'><h1>Tea</h1><p>Of tea."
    found = [
        article_fields(site_of(page.format(name)), 0).date.value for name in ("LibreOffice 6.4 (Linux)", "A board")
    ]
    assert found == ["2019-05-03", ""]


def test_a_chapter_stands_under_the_name_of_its_book() -> None:
    page = "<title>{0} - Keeping Bees</title><h1>{1}</h1><h1><a name=t href='toc.html#c'>{2}</a></h1><p>Of {2}."
    book = [page.format(f"part-{k}", "Keeping Bees", f"{name} and the hive") for k, name in enumerate(NAMES)]
    others = [
        f"<title>Honey {k} - Shop</title><h1>Honey {k}</h1><p>Jar {k}." for k in range(12)
    ]  # so that it is no site's name
    # A section that lists its one post is called by its own name.
    lists = [page.format("Feeds", "Feeds", f"Post {k}").replace("toc.html#c", f"p{k}.html") for k in range(3)]
    site = site_of(*book, *others, *lists)
    known = SiteFields().fit(site)
    assert [known.fields(site, k).title.value for k in (0, 3)] == ["Ann Lee and the hive", "Di Eff and the hive"]
    assert known.fields(site, len(site.pages.url) - 1).title.value != "Post 2"


def test_a_title_of_a_number_alone_is_said_in_full_by_its_heading() -> None:
    page = "<title>The Bay Book: Section {0}</title><h2><a>{0}</a> {1} at sea</h2><p>Of {1}."
    numbers = ("4.1", "4.2", "12", "A.3", "A.4")
    names = [*NAMES, "Ed Gee"]
    site = site_of(*(page.format(n, name) for n, name in zip(numbers, names, strict=True)))
    known = SiteFields().fit(site)
    said = [known.fields(site, k).title.value for k in range(5)]
    assert said == [f"{n} {name} at sea" for n, name in zip(numbers, names, strict=True)]


def test_the_number_of_a_version_is_no_title() -> None:
    page = "<title>Sails</title><h2>Version: <b><a href=x.zip>3.2.0</a></b></h2><p><b>Sails of {0}</b><p>Of {0} we know no more."
    site = site_of(*(page.format(name) for name in NAMES))
    assert SiteFields().fit(site).fields(site, 2).title.value == "Sails of Cy Dee"


def test_a_list_that_has_the_title_of_all_lists_is_called_by_it_without_the_name_of_the_site() -> None:
    post = "<title>Fog {0} | The Bay</title><h1>Fog {0}</h1><p>Of fog {0}."
    posts = "".join(f"<h2><a href='/fog{k}'>Fog {k}</a></h2><p>Fog." for k in range(3))
    lists = ["<title>Blog | The Bay</title>" + posts.replace("Fog.", f"Fog of {k}.") for k in range(6)]
    site = site_of(*lists, *(post.format(k) for k in range(6)))
    assert SiteFields().fit(site).fields(site, 2).title.value == "Blog"
