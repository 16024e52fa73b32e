"""Fields of one page: which source wins, and hostile metadata."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitegrain
from sitegrain.article.fields import Fields, article_fields, json_ld_text
from sitegrain.article.fields.authors.names import clean_name
from sitegrain.article.fields.days.dates import parse_date
from sitegrain.article.fields.titles.titles import strip_site
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.text.jsonld import read_linked_data
from tests.builders import site_of


def fields_of(html: str) -> Fields:
    return article_fields(site_of(html), 0)


def ld(**data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


GROUP = ld(**{"@type": "Article", "author": {"@type": "Organization", "name": "Bay"}})
ARTICLE = ld(
    **{
        "@type": "NewsArticle",
        "headline": "Tea and milk",
        "datePublished": "2024-05-06T23:00:00Z",
        "author": [{"@type": "Person", "name": "Ann Lee"}, {"@type": "Person", "name": "Bo Chi"}],
        "publisher": {"name": "The Bay"},
        "image": {"url": "/lead.jpg"},
        "inLanguage": "en-GB",
    }
)


def test_json_ld() -> None:
    f = fields_of(f"<title>Tea and milk | The Bay</title>{ARTICLE}<h1>Tea and milk</h1><p>Text.")
    assert (f.title.value, f.title.source) == ("Tea and milk", "h1")
    assert (f.author.value, f.author.source) == ("Ann Lee, Bo Chi", "json-ld")
    assert (f.date.value, f.date.source) == ("2024-05-06", "json-ld")
    assert (f.sitename.value, f.sitename.source) == ("The Bay", "json-ld")
    assert (f.language.value, f.language.source) == ("en", "json-ld")
    assert f.images.value == ("http://t.example/lead.jpg",)
    assert set(f.to_dict()) == {"title", "author", "date", "language", "sitename", "canonical", "images"}


def test_meta() -> None:
    f = fields_of(
        '<html lang=de><meta name=author content="Von Ann Lee">'
        '<meta property="article:published_time" content="2020-02-03">'
        '<meta property="og:site_name" content=Bay><meta property="og:url" content="/x">'
        '<meta name=description content="A &amp; B">'
        "<title>Bay: Tee</title><p>Text"
    )
    assert [getattr(f, n).value for n in ("title", "author", "date", "sitename", "language", "description")] == [
        "Tee", "Ann Lee", "2020-02-03", "Bay", "de", "A & B",
    ]  # fmt: skip
    assert (f.canonical.value, f.canonical.source) == ("http://t.example/x", "og:url")


@pytest.mark.parametrize(
    ("html", "date", "source"),
    [
        ('<h1>T</h1><time datetime="2024-05-06">Monday</time>', "2024-05-06", "time"),
        ("<h1>T</h1><p>Posted 6 May 2024<p>Text", "2024-05-06", "date line"),
        ("<h1>T</h1><p>Updated 7 May 2024<p>Posted 6 May 2024<p>Text", "2024-05-06", "date line"),
        ("<h1>T</h1><i itemprop=datePublished content=2024-05-06></i>", "2024-05-06", "microdata"),
        ("<h1>T</h1><div class=comments><time datetime=2024-05-06></time></div>", "", ""),
        (
            "<nav><time datetime=2024-05-06>6 May</time></nav><h1>Tea</h1><p>At the fair of May 7, 2024",
            "2024-05-06",
            "time",
        ),
        ("<nav><time datetime=2024-05-06>6 May</time><time datetime=2024-05-01>1 May</time></nav><h1>Tea</h1>", "", ""),
        ("<h1>T</h1><p>Events | May 6, 2024<p>Text<p>Start date: May 9, 2024", "2024-05-06", "date line"),
        (
            "<meta name=date content=2024-05-06><h1>T</h1><p>Text<p>wiki/tea/with/milk.txt · Last modified: 2024-05-06 by somebody else",
            "",
            "",
        ),
        ("<meta name=date content=2024-05-06><h1>T</h1><p>Text<p>Posted 2024-05-06", "2024-05-06", "meta"),
        ('<h1>T</h1><time datetime="2024-05-06T23:10:00Z">7 May 2024</time>', "2024-05-07", "time"),
        ("<h1>T</h1><p>In 1999 there was much said of May 6, 2024 and of other days " + "x" * 200, "", ""),
    ],
)
def test_dates(html: str, date: str, source: str) -> None:
    found = fields_of(html).date
    assert (found.value, found.source) == (date, source)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("6. März 2024", "2024-03-06"), ("6 de mayo de 2024", "2024-05-06"), ("6 мая 2024 г.", "2024-05-06"),
        ("2024년 5월 6일", "2024-05-06"), ("6 tháng 5, 2024", "2024-05-06"), ("6 Mayıs 2024", "2024-05-06"),
        ("Mon, 06 May 2024 10:00", "2024-05-06"), ("20240506T1010", "2024-05-06"), ("06.05.2024", "2024-05-06"),
        ("05/06/2024", "2024-05-06"), ("24/mar/2006", "2006-03-24"), ("07.30.04", "2004-07-30"), ("07.08.04", ""), ("v 07.30.04", ""),
        ("2024-13-45", ""), ("May 2024", ""), ("9999-01-01", ""), ("2087-01-01", ""),
    ],
)  # fmt: skip
def test_ways_to_write_a_date(text: str, date: str) -> None:
    assert parse_date(text) == date


def test_body_images_without_icons() -> None:
    f = fields_of(
        "<h1>T</h1><img src=a.png><img src=i.png width=16 height=16><img src=data:x><img data-src=b.png src=data:y>"
        "<footer><img src=f.png></footer>"
    )
    assert f.images.value == ("http://t.example/a.png", "http://t.example/b.png")


@pytest.mark.parametrize(
    "blob",
    [
        "[" * 100_000, "{" * 100_000, '{"a":' * 50_000, "[[" * 1000 + "]]" * 1000,
        '{"@graph": [' + "{}," * 20_000 + "{}]}",
        '{"@id": "a", "author": {"@id": "a"}}', '"x"', "null", "1" * 10_000, '{"author": [[["x"]]]}', "<!-- {} -->",
        '{"@type": 5, "author": {"name": {"name": 7}}, "datePublished": {}, "image": [{}, 3, null], "headline": []}',
        '"author":{' * 5000, '"headline":"' + "\\" * 5001,
    ],
    ids=range(14),
)  # fmt: skip
def test_hostile_json(blob: str) -> None:
    start = time.process_time()
    f = fields_of(f'<script type="application/ld+json">{blob}</script><title>T</title>')
    assert f.title.value == "T"
    f.to_dict()
    assert time.process_time() - start < 5


def test_broken_json_is_mended_or_searched() -> None:
    data = read_linked_data(
        ['<!-- {"@type": "Article", "headline": "A", } -->', '{"@type": "Article", oops "headline": "B"']
    )
    assert [i.data["headline"] for i in data.articles] == ["A", "B"]


def test_references_are_followed() -> None:
    graph = [
        {"@type": "Article", "author": {"@id": "#ann"}, "headline": "T"},
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
    ]
    assert fields_of(ld(**{"@graph": graph})).author.value == "Ann Lee"


def test_json_ld_text() -> None:
    site = site_of(ld(**{"@type": "Article", "articleBody": "<p>One &amp; two</p><p>Three"}))
    assert json_ld_text(site, 0) == "One & two\n\nThree"
    assert json_ld_text(site_of("<p>x"), 0) == ""


KEYS = ["@type", "@id", "@graph", "author", "name", "datePublished", "image", "url", "headline", "publisher"]
VALUES = st.none() | st.integers() | st.text(max_size=20)
INNER = VALUES | st.lists(VALUES, max_size=3) | st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4)
JSON = st.dictionaries(st.sampled_from(KEYS), INNER | st.lists(INNER, max_size=3), max_size=6)


@settings(max_examples=15, deadline=None)
@given(JSON, st.text(max_size=60), st.text(max_size=60))
def test_any_metadata_gives_fields(data: object, title: str, line: str) -> None:
    blob = json.dumps(data).replace("<", "\\u003c")
    html = f'<script type="application/ld+json">{blob}</script><title>{title}</title><h1>{line}</h1><p>by {line}'
    found = fields_of(html.encode("utf-8", "replace").decode()).to_dict()
    assert all(isinstance(f["source"], str) and f["value"] for f in found.values())


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_a_name_or_none(text: str) -> None:
    assert len(clean_name(text)) <= 120
    assert isinstance(strip_site(text, (text[:5],), "http://a.org/"), str)
    assert parse_date(text) == "" or len(parse_date(text)) == 10


@pytest.mark.parametrize(
    ("html", "title"),
    [
        # The kicker and the headline are elements of their own.
        ("<title>Ship runs aground | Bay</title><h1><span>Harbour</span> <span>Ship runs aground</span></h1>", "Ship runs aground"),
        # The one headline of a page, with a `<title>` for search engines.
        ("<title>Tea: how to boil water</title><h1>Why I never boil my water twice</h1>", "Why I never boil my water twice"),
        ("<title>Tea: how to boil water</title><h1>Imprint</h1>", "Tea: how to boil water"),
        # A part of `<title>` that the page shows, whatever stands beside it there.
        ("<title>8 May | Tea without milk | Bay</title><h1>Tea without milk</h1>", "Tea without milk"),
        ("<title>Tea - Drinks and more of the world</title><h1>Tea</h1>", "Tea"),
        ("<title>Tea without milk - Bay and Sea</title><h1><a href=/>Bay and Sea</a></h1><h2>Tea without milk</h2>", "Tea without milk"),
        # A heading that begins like the host and is what the page says is no name of the site.
        # The section or the site at the end of `<title>`, as a heading above the headline; a list of questions in JSON-LD.
        ("<title>Why I never boil my water twice - Kettle notes - Bay</title><h1>Kettle notes</h1><h1>Why I never boil my water twice</h1>", "Why I never boil my water twice"),
        ("<title>Why I never boil my water twice - Kettle notes</title><h1>Kettle notes</h1><h2>Why I never boil my water twice</h2>", "Why I never boil my water twice"),
        ('<title>Kettles of the bay</title><script type="application/ld+json">{"@type": "Article", "headline": "How hot is tea?"}</script><h1>What we sell in town</h1><h2>How hot is tea?</h2>', "What we sell in town"),
        ("<title>A.org tea for two | Bay</title><h1>A.org tea for two</h1><h1>Two for tea</h1>", "A.org tea for two"),
        # A bar within a headline that the page says twice is no border to the site's name.
        ("<title>Best cups | Tested twice - Sea</title><meta property=og:title content='Best cups | Tested twice'><h1>Best cups | Tested twice</h1>", "Best cups | Tested twice"),
        # Said twice, once for readers of the screen; a subtitle in an element of its own.
        ("<title>Bay News - all of it</title><h1><span>News</span> <span>News</span></h1>", "News"),
        ("<title>Tea kettle | Kettles of the bay</title><h1>Tea kettle <small>Boils two litres at once</small></h1>", "Tea kettle"),
        # The section in `<h1>` and `<title>`, where what og:title says is shown, too.
        ("<title>News - Bay</title><meta property=og:title content='Ship runs aground'><h1>News</h1><h1>Ship runs aground</h1>", "Ship runs aground"),
        ("<title>Bo notes: Ship runs aground</title><meta property=og:title content='Ship runs aground'><h1>Bo notes</h1>", "Ship runs aground"),
        # A lower heading that is the whole `<title>`; one that says it goes before an `<h1>` that is merely like it, not before one that says more.
        ("<title>Hot tea | A guide for all</title><h2>Hot tea | A guide for all</h2>", "Hot tea | A guide for all"),
        ("<title>How does a kettle work</title><h1>How do new kettles work?</h1><h2>How does a kettle work</h2>", "How does a kettle work"),
        ("<title>Lemon cake</title><h1>Lemon cake, simply good</h1><h2>Lemon cake</h2>", "Lemon cake, simply good"),
        # The `<h1>` is the end of a trail of links, the headline an `<h2>` under it; a section under it is none.
        ("<title>Tea: hot water kills</title><nav><ol><li><a href=/>Home</a><li><h1>Tea: hot water kills</h1></ol></nav><article><h2>Why hot water is bad for tea</h2>", "Why hot water is bad for tea"),
        ("<title>Tea: hot water kills</title><div class=breadcrumbs><h1>Tea: hot water kills</h1></div><h2>Prices and opening hours</h2>", "Tea: hot water kills"),
        # `<h1>`s of sections.
        ("<title>SELECT</title><h1>1. Overview</h1><h1>2. Simple select processing</h1><h1>3. More</h1>", "SELECT"),
        # The `<h1>` of a book; a headline after its kicker.
        ("<title>What is tea? - The great book of all tea</title><h1>The great book of all tea</h1><h2>What is tea?</h2>", "What is tea?"),
        ("<title>Bo in our talk: Of rules and of tea</title><h1>Of rules and of tea</h1><h3>Bo in our talk</h3>", "Of rules and of tea"),
        # A bar with the site's name, which leads home, is no trail: what the site says of itself stands under it.
        (
            "<title>The Kettle - Tea in glasses</title><meta property=og:site_name content='The Kettle'><nav><h1><a href=/>The Kettle</a></h1></nav><h2>The Kettle <small>a weblog about tea</small></h2>"
            "<h3>Tea in glasses</h3><p>Boil it.",
            "Tea in glasses",
        ),
        # All that the page says of itself is the heading that ends a trail of links.
        ("<title>Tea: hot water kills | Bay</title><meta property=og:title content='Tea: hot water kills'><nav><h1>Tea: hot water kills</h1></nav><article><h2>Why hot water is bad for tea</h2>", "Tea: hot water kills"),
        # A kicker: og:title has only what stands under it; or nothing says it with the headline, and it is named so.
        ("<title>Harbour: Ship runs aground</title><meta property=og:title content='Ship runs aground'><nav><h1>Harbour: Ship runs aground</h1></nav><h2><i>Harbour</i> <b>Ship runs aground</b></h2>", "Ship runs aground"),
        ("<title>Ship lost in a storm off the bay</title><h1><span class=headline__kicker>Harbour:</span> Ship runs aground</h1>", "Ship runs aground"),
        ("<title>Harbour: Ship runs aground</title><h1><span class=headline__kicker>Harbour:</span> Ship runs aground</h1>", "Harbour: Ship runs aground"),
        ("<title>Solved - Which tea is best? | Bay</title><h1><span class='label label--green'>Solved</span> Which tea is best?</h1>", "Which tea is best?"),
        # The first of several headings, where `<title>` is worded for search engines; one of them that begins it.
        ("<title>Bay in chaos: tea is cold and trams are old</title><h1>How the bay lives with cold tea</h1><h1>More of the bay</h1>", "How the bay lives with cold tea"),
        ("<title>Kettle flies to the moon, Bay</title><h1>Sea</h1><h1>Kettle flies to the moon</h1><h1>Your letters</h1>", "Kettle flies to the moon"),
        ("<title>Where to drink tea in Bay</title><h1>The best kettles and places in Bay for tea</h1><h1>Next in Bay: drink or eat tea</h1><h1>More</h1>", "The best kettles and places in Bay for tea"),
        # The site's name as a word of a title; a name of the site is no title.
        ("<title>New to Tea Talk – Best first kettle? - Help - Tea Talk</title><meta property=og:site_name content='Tea Talk'><meta property=og:title content='New to Tea Talk – Best first kettle?'>", "New to Tea Talk – Best first kettle?"),
        ("<title>Kettles in Bay today</title><meta property=og:site_name content=Bay><meta name=twitter:title content=Bay>", "Kettles in Bay today"),
        ("<title>What is tea - A guided introduction</title><h1>An introduction to tea: what all must know</h1><h2>What is tea?</h2>", "An introduction to tea: what all must know"),
        ("<title>宮崎県で震度5弱、高知と宮崎に1メートルの津波注意報</title><h1>津波</h1>", "宮崎県で震度5弱、高知と宮崎に1メートルの津波注意報"),
    ],
)  # fmt: skip
def test_title_of_headings(html: str, title: str) -> None:
    assert fields_of(html + "<p>Text.").title.value == title


@pytest.mark.parametrize(
    ("url", "html", "title"),
    [
        # A home page is called by the name of its site, and what stands behind it; without a title it is called by its heading or its name.
        ("http://www.figs.com/", "<title>Figs: Fruit for all people</title><p>Text.", "Figs: Fruit for all people"),
        ("http://www.figs.com/", "<title>Figs: Fruit for all people - Figs</title><p>Text.", "Figs: Fruit for all people"),
        ("http://www.figs.com/", "<title>Figs | Home Page</title><p>Text.", "Figs"),
        ("http://www.figs.com/", "<title>Figs: Fruit for all people</title><h1>Fruit for all people</h1>", "Fruit for all people"),
        ("http://www.figs.com/tea", "<title>Figs: Fruit for all people</title><p>Text.", "Fruit for all people"),
        ("http://www.figs.com/", "<title>Home</title><h1>Time to say goodbye</h1>", "Time to say goodbye"),
        ("http://www.figs.com/tea", "<title>Coupons and codes for you</title><h1>Figs coupons, for you</h1>", "Figs coupons, for you"),
        # The address of a post, and that of a copy in an archive.
        ("http://figs.com/?p=12", "<title>Tea for two : Figs of old</title><h1>Figs of old</h1><h3>Tea for two</h3>", "Tea for two"),
        (
            "https://web.archive.org/web/20140226054445/http://www.figs4you.com/2013/tea/",
            "<title>Figs 4 you » Blog Archive » Tea for two</title><h1>Figs 4 you</h1><h2>Tea for two</h2>",
            "Tea for two",
        ),
        ("http://cafe-markt.de/tea", "<title>Tea for two│Café Markt</title><p>Text.", "Tea for two"),
    ],
)  # fmt: skip
def test_title_by_address(url: str, html: str, title: str) -> None:
    assert article_fields(build_site([Capture(url, html.encode())]), 0).title.value == title


def test_a_letter_of_an_archive() -> None:
    head = "<h1>[list] Tea</h1> <b>{}</b> <a href='mailto:list%40bay.org?Subject=Tea'>{}</a><br><i>Wed Nov 24 15:31:44 CST 2010</i>"
    f = fields_of(head.format("Ann Lee", "ann at bay.org") + "<pre>Dear all, how long must it draw?</pre>")
    assert (f.author.value, f.author.source, f.date.value) == ("Ann Lee", "mail", "2010-11-24")
    assert fields_of(head.format("Contact Us", "ann at bay.org") + "<p>Text.").author.value == ""
    assert fields_of(head.format("Ann Lee", "a letter") + "<p>Text.").author.value == ""


def test_a_letter_printed_as_it_came() -> None:
    letter = (
        "<title>Re: Tea pots - Ann Lee</title><form><pre>help / mirror</pre></form><pre>From: Ann Lee &lt;ann@bay.org&gt;\nTo: tea@bay.org\n"
        "Subject: Re: <a href=#r>Tea pots</a>\nDate: Wed, 23 Aug 2017 11:01:00 +0000\t<a href=#t>[thread]</a>\n\nThe blue one leaks.</pre>"
    )
    fields = fields_of(letter)
    assert (fields.title.value, fields.author.value, fields.date.value) == ("Re: Tea pots", "Ann Lee", "2017-08-23")
    # An example further down is not what the page is, and without an address of mail it is no head.
    assert fields_of(f"<h1>Tea</h1><p>{'How to write. ' * 60}</p>{letter}").title.value == "Re: Tea pots - Ann Lee"
    assert fields_of("<title>Tea - Ann</title><pre>From: ann\nDate: today\n\nText</pre>").author.value == ""


def test_the_head_of_a_letter_says_from_whom_it_is() -> None:
    to = "<li><em>To</em>: <a href='mailto:list@bay.org'>list@bay.org</a>"
    head = (
        "<h1>Tea</h1><ul>"
        + to
        + "<li><em>From</em>: {}<li><em>Date</em>: Wed, 24 Nov 2010 15:31:44 +0000</ul><pre>Dear all, how long must it draw?</pre>"
    )
    for line in (
        "Ann Lee &lt;<a href='mailto:ann@bay.org'>ann@bay.org</a>&gt;",
        '"Ann Lee" &lt;ann@xxxxx>',
        "ann at bay.org (Ann Lee)",
    ):
        found = fields_of(head.format(line))
        assert (found.author.value, found.author.source, found.date.value) == ("Ann Lee", "mail", "2010-11-24")
    assert fields_of(head.format("The top of the pot to its foot")).author.value == ""  # no address


def test_the_day_of_an_answer_is_not_the_pages() -> None:
    answer = "<div itemscope itemtype='https://schema.org/Answer'><p>Boil it.<time itemprop=dateCreated datetime=2021-04-08>8 Apr</time></div>"
    html = f"<h1>Tea</h1>{answer}<div>Asked <time itemprop=dateCreated datetime=2018-06-08>8 Jun 2018</time></div>"
    assert fields_of(html).date.value == "2018-06-08"


def test_a_date_in_an_example_is_not_the_pages() -> None:
    log = "2005-12-30 18:10:33 install hello"
    assert fields_of(f"<h1>Logs</h1><p>It writes this line, and more of them</p><pre>{log}</pre>").date.value == ""
    assert fields_of(f"<h1>Logs</h1><p>It writes</p><p>{log}</p>").date.value == "2005-12-30"
    letter = f"<h1>Re: logs</h1><pre>Ann Lee\n2005-12-30\n</pre><pre>{'Dear all. ' * 30}</pre>"
    assert fields_of(letter).date.value == "2005-12-30"  # an archive of letters prints all of them so


def test_a_home_page_has_the_title_that_all_pages_of_its_site_have() -> None:
    def page(path: str, heading: str) -> Capture:
        return Capture(
            f"http://mons.example/{path}", f"<title>The town of Mons</title>{heading}<p>Tea and cake.</p>".encode()
        )

    captures = [
        page("", ""),
        *(page(f"{n}.html", f"<h1>Road {n} is closed</h1>") for n in range(5)),
        page("login.html", ""),
    ]
    titles = [article.title for article in sitegrain.mine(captures)]
    assert titles[:2] == ["The town of Mons", "Road 0 is closed"]
    assert titles[-1] == ""


@pytest.mark.parametrize(
    "around", ["<form id=aspnetForm>{}</form>", "<div class='node node-promoted'>{}</div><p>" + "Tea. " * 200, "{}"]
)
def test_what_holds_the_page_is_no_box_beside_it(around: str) -> None:
    article = f"<h3>Come together</h3><p class=date>06.05.2018</p><p>By Ann Lee</p><p>{'We met and had tea together in the hall. ' * 9}</p>"
    found = sitegrain.extract(f"<title>Come together</title>{around.format(article)}", "http://tea.example/7.html")
    assert (found.title, found.date, found.author) == ("Come together", "2018-05-06", "Ann Lee")


def test_a_quote_has_its_own_date() -> None:
    quote = '<blockquote><p>A cup.</p>Shared by Bob on <time datetime="2018-03-12">March 12, 2018</time></blockquote>'
    text = f"<p>{'We met and had tea together in the hall. ' * 9}</p>"
    page = f"<title>Tea</title><article><h1>Tea</h1><p>Tuesday, January 29, 2019</p>{text}{quote}{text}</article>"
    assert sitegrain.extract(page, "http://tea.example/7.html").date == "2019-01-29"


PROSE = "The leaves are left to draw for three minutes, and not a minute longer than that. " * 3
_SAID = '<script type="application/ld+json">{"@type": "Article", "datePublished": "2020-06-07"}</script>'
_CHANGED = "<meta property=article:modified_time content=2020-07-03>"
_PUBLISHED = "<meta property=article:published_time content=2020-07-03>"


@pytest.mark.parametrize(
    ("html", "date"),
    [
        (f"{_SAID}<h1>All about tea</h1><p>3 May 2020</p><p>{PROSE}", "2020-05-03"),
        (f"{_SAID}<h1>All about tea</h1><p>3 July 2020</p><p>{PROSE}", "2020-07-03"),
        (f"{_SAID}{_CHANGED}<h1>All about tea</h1><p>3 July 2020</p><p>{PROSE}", "2020-06-07"),
        (
            f"{_SAID}<meta name=revised content=2020-06-20><h1>All about tea</h1><p>3 July 2020</p><p>{PROSE}",
            "2020-06-07",
        ),
        (f"{_SAID}<h1>All about tea</h1><p>Updated 3 July 2020</p><p>{PROSE}", "2020-06-07"),
        (f"{_SAID}<h1>All about tea</h1><p>3 July 2020</p><p>7 July 2020</p><p>{PROSE}", "2020-06-07"),
        (
            f"{_SAID}<h1>All about tea</h1><p>3 May 2020</p><p>{PROSE}</p>{'<i></i>' * 12}<nav>7 June 2020</nav>",
            "2020-05-03",
        ),
        (f"{_SAID}{_PUBLISHED}<h1>All about tea</h1><p>3 July 2020</p><p>{PROSE}", "2020-07-03"),
        (f"{_SAID}{_PUBLISHED}<h1>All about tea</h1><p>{PROSE}", "2020-06-07"),
        (
            f"{_SAID}<meta name=date content=2020-07-06><h1>All about tea</h1><p>7 June 2020</p><p>{PROSE}",
            "2020-06-07",
        ),
        (f"{_SAID}<h1>All about tea</h1>{'<i></i>' * 45}<p>3 May 2020</p><p>{PROSE}", "2020-05-03"),
        (f"{_SAID}<h1>All about tea</h1><p>3 May 2020, updated <i>7 June 2020</i></p><p>{PROSE}", "2020-06-07"),
        (f"{_SAID}<h1>All about tea</h1>{'<p>Tea</p>' * 40}<p>3 May 2020</p>", "2020-06-07"),
        (f"<h1>All about tea</h1><p>(3 May 2020) {PROSE}", "2020-05-03"),
        (f"<h1>All about tea</h1><p>3.5.2020 - {PROSE}", "2020-05-03"),
        (f"<h1>All about tea</h1><p>{PROSE}</p><p>Since 3 May 2020 {PROSE}", ""),
        (f"<h1>All about tea</h1>{'<i></i>' * 200}<p>3 May 2020.<br>Updated: 7 June 2020</p>", "2020-05-03"),
    ],
)
def test_the_day_that_is_shown(html: str, date: str) -> None:
    assert fields_of(html).date.value == date


_ENGLISH = "The kettle is filled, the water is boiled and the leaves are left to draw. "
_RUSSIAN = "Чайник наполняют водой, кипятят и оставляют листья на три минуты, не больше. "
_ITALIAN = "Il bollitore viene riempito, l'acqua bolle e le foglie restano in infusione per qualche minuto. "


@pytest.mark.parametrize(
    ("said", "text", "language"),
    [
        ("ru", _RUSSIAN + _ENGLISH * 20, "ru"),
        ("en", _RUSSIAN + _ENGLISH * 20, "en"),
        ("en", _RUSSIAN, "ru"),
        ("ru", _ENGLISH * 20, "en"),
        ("en", _ITALIAN * 4, "it"),
        ("en", _ITALIAN, "en"),
    ],
)
def test_language_of_the_text_against_what_the_page_says(said: str, text: str, language: str) -> None:
    assert fields_of(f"<html lang={said}><body><p>{text}").language.value == language


def test_a_day_with_a_short_year_and_a_time() -> None:
    html = "<title>Tea</title><h1>Tea</h1><time datetime='12/20/16 08:00 AM'>12/20/16 08:00 AM</time><p>Boil water."
    assert fields_of(html).date.value == "2016-12-20"


def test_a_title_up_to_the_colon_after_a_bracket() -> None:
    html = "<title>緑の「お茶」:港の日誌</title><h3>緑の「お茶」</h3><p>お湯を沸かす。"
    assert fields_of(html).title.value == "緑の「お茶」"


def test_what_is_hidden_and_holds_most_of_the_page_is_the_page() -> None:
    # Some programs send the page as it comes, hidden, and a script shows it when all is there.
    page = "<h1>All about tea</h1><p>By Ann Lee<p>3 May 2020<p>" + PROSE
    fields = fields_of(f"<div>Menu</div><div hidden id='S:0'>{page}</div>")
    assert (fields.author.value, fields.date.value) == ("Ann Lee", "2020-05-03")
    assert fields_of(f"{PROSE * 2}<div hidden><p>By Ann Lee</p></div>").author.value == ""


def test_a_heading_in_a_box_that_says_what_the_page_is_called_is_its_title() -> None:
    head = "<title>All about tea</title><div class=sidebar><h1>All about tea</h1></div>"
    assert fields_of(f"{head}<div><h1>Winner: green + black</h1><p>{PROSE}</div>").title.value == "All about tea"
    other = head.replace("<h1>All about", "<h1>More about")
    assert fields_of(f"{other}<div><h1>All about tea and water</h1><p>{PROSE}</div>").title.value == (
        "All about tea and water"
    )
