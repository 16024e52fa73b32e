"""Authors of one page: which line and which element names them, and which names are others'."""

from __future__ import annotations

import pytest

import sitegrain
from tests.article.fields.test_fields import GROUP, PROSE, fields_of


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ("<h1>T</h1><p>By <a href=/ann>Ann Lee</a>", "Ann Lee"),
        ("<h1>T</h1><div>Von Ann Lee</div>", "Ann Lee"),
        ("<h1>T</h1><div>Par Ann Lee le 6 mai 2024</div>", "Ann Lee"),
        ("<h1>T</h1><div>作者：李明</div>", "李明"),
        ("<h1>T</h1><div>Автор: Анна Ли</div>", "Анна Ли"),
        ("<h1>T</h1><p>Portable stoves are fine", ""),
        ("<h1>T</h1><span class=byline>By Ann Lee | May 6, 2024</span>", "Ann Lee"),
        ("<html lang=nl><h1>T</h1><div>Door Ann Lee</div>", "Ann Lee"),
        ("<html lang=sv><h1>T</h1><div>Av Ann Lee</div>", "Ann Lee"),
        ("<html lang=fr><h1>T</h1><div>Av Jean Jaurès</div>", ""),
        ("<html lang=it><h1>T</h1><div>di Ann Lee</div>", "Ann Lee"),
        ("<h1>T</h1><div>نویسنده: علی رضایی</div>", "علی رضایی"),
        ("<h1>T</h1><div>โดย สมชาย ใจดี</div>", "สมชาย ใจดี"),
        ("<h1>T</h1><div>홍길동 기자</div>", "홍길동"),
        ("<h1>T</h1><div>Írta: Kiss János</div>", "Kiss János"),
        ("<h1>T</h1><div>来源：新华社 作者：李明 编辑：王五</div>", "李明"),
        ("<h1>T</h1><div>記者王小明／台北報導</div>", "王小明"),
        ("<html lang=en><h1>T</h1><div>Door Panels</div>", ""),
        ("<nav><div class=post__authors>Ann Lee</div></nav><h1>T</h1><p>Text.", "Ann Lee"),
        ("<nav><i class=post-author>Ann Lee</i><i class=post-author>Bo Chi</i></nav><h1>T</h1><p>Text.", ""),
        ("<h1>T</h1><span itemprop=author><b itemprop=name>Ann Lee</b></span>", "Ann Lee"),
        ('<meta name=author content="https://a.org/ann"><h1>T</h1><a rel=author href=/>Ann Lee</a>', "Ann Lee"),
        ("<h1>T</h1><p>A text longer than its comments.</p><div class=comments><span class=author>Bo</span></div>", ""),
        (GROUP + "<h1>T</h1><p>By Ann Lee", "Ann Lee"),
    ],
)  # fmt: skip
def test_authors(html: str, author: str) -> None:
    assert fields_of(html).author.value == author


def test_a_picture_has_its_own_author() -> None:
    credit = "<figure><img src=a><span itemprop=author>Joe Roe</span><p>By Max Moe</p></figure>"
    f = fields_of(f"<title>Tea</title><h1>Tea</h1>{credit}<p>By Ann Lee</p><p>Text.")
    assert f.author.value == "Ann Lee"


def test_what_a_person_did_is_no_part_of_the_name() -> None:
    html = (
        "<h1>Guide</h1><div class=author><h3 class=author><span>Ann</span> <span>Lee</span></h3>"
        "<span class=contrib>Wrote the first half</span></div>"
    )
    assert fields_of(html).author.value == "Ann Lee"


def test_a_label_that_is_a_word_of_the_text_is_no_byline() -> None:
    html = f"<h1>Пакеты</h1><p>\n Текст <code>[1/2]</code> показывает прогресс.{' Ещё слова.' * 30}</p>"
    assert fields_of(html).author.value == ""


def test_who_answered_reviewed_or_contributed_is_no_author() -> None:
    post = "<div {0}><span itemprop=author>{1}</span><p>Words of {1}.</div>"
    answer = post.format("itemscope itemtype='https://schema.org/Comment'", "Bob Roe")
    assert fields_of(f"<h1>Tea</h1><b class=username>ann</b><p>Why?</p>{answer}").author.value == "ann"
    links = "<a href=/author/ann>Ann Lee</a>{}<a href=/author/bob>Bob Roe</a>"
    assert fields_of(f"<h1>Tea</h1><div>{links.format('. Reviewed by ')}</div><p>Text.").author.value == "Ann Lee"
    assert fields_of(f"<h1>Tea</h1><div>{links.format(' and ')}</div><p>Text.").author.value == "Ann Lee, Bob Roe"


def test_names_on_the_page_of_a_thing_to_buy_are_those_of_buyers() -> None:
    review = "<p>Reviewed by <b>Ann Lee</b> on 3 May 2020<p>A good pot."
    assert fields_of(f"<h1>Pot</h1><p>£ 12</p>{review}").author.value == "Ann Lee"
    assert fields_of(f"<h1>Pot</h1><form class=add-to-cart><button>Buy</button></form>{review}").author.value == ""


def test_words_in_the_middle_of_a_line_are_no_byline() -> None:
    assert fields_of("<h1>For sale</h1><p>These:<br>2x <b>Old System 5.0</b> von Escom<br>More.").author.value == ""
    assert fields_of("<h1>Tea</h1><p>Posted <i>by</i> Ann Lee<p>Text.").author.value == "Ann Lee"
    assert fields_of("<h1>Tea</h1><p><time>3 May 2020</time> by <a>Ann Lee</a><p>Text.").author.value == "Ann Lee"
    assert fields_of("<h1>Tea</h1><p>5 hours ago | <b>Written by Ann Lee</b><p>Text.").author.value == "Ann Lee"
    assert fields_of("<h1>Tea</h1><p>Words.<p>By Ann Lee on Sat, 3 May 2020<p>Text.").author.value == "Ann Lee"


def test_ids_that_are_made_of_a_heading_name_no_author() -> None:
    assert fields_of("<h1>Roles</h1><h2><span id=Our_Writers>Our Writers</span></h2><p>Text.").author.value == ""
    assert fields_of("<h1>Roles</h1><p>Please <a class=autorefs href=x>Join Us</a>.").author.value == ""


def test_a_byline_that_begins_with_the_day() -> None:
    for line in (
        "Posted on January 3, 2020 by Ann Lee",
        "Am 3. Mai 2020, 10:30 Uhr von <a href=/ann>Ann Lee</a>",
        "3 mai 2020 | par Ann Lee",
    ):
        assert fields_of(f"<h1>Tea</h1><div>{line}</div><p>Boil the water.").author.value == "Ann Lee", line
    assert fields_of("<h1>Tea</h1><p>In May 2020 the house was sold by Ann Lee.</p><p>More.").author.value == ""


def test_a_name_in_an_example_is_not_the_authors() -> None:
    body = "<h1>Release notes</h1><ul><li>A query ran slowly if sorted<br>by <code>Group Total</code></ul>"
    assert (
        fields_of(f"{body}<dl><dt id=user-name><code>UserName</code><dd>The name to log in with.</dl>").author.value
        == ""
    )
    assert (
        fields_of("<h1>Release notes</h1><p>By Ann Lee<p>The command <code>ls</code> lists files.").author.value
        == "Ann Lee"
    )


def test_author_is_the_linked_name_without_signs() -> None:
    f = fields_of("<h1>Tea</h1><div class=byline><a href=/ann>Ann Lee</a><span>archive page</span></div><p>Text.")
    assert f.author.value == "Ann Lee"


@pytest.mark.parametrize(
    ("html", "author"),
    [
        # Boards have the name of who wrote in a heading.
        ("<h4 class=message-name><a class=username>slow-poke</a></h4><p>Text.", "slow-poke"),
        ("<h4 class=part>slow-poke</h4><p class=byline>slow-poke<p>Text.", ""),
        # The account in the metadata, and the name that the page shows.
        ("<meta name=author content=annlee12><p class=byline>By Ann Lee<p>Text.", "Ann Lee"),
        ("<meta name=author content=annlee12><p class=byline>By Bo Chi<p>Text.", "annlee12"),
        ("<meta name=author content='Ann Lee'><p class=byline>By Annette Lee<p>Text.", "Ann Lee"),
        # A line that speaks of something else, above the one with the name; names, and what they do.
        ("<p class=author>Signed by one who helps a lot<p class=author>Ann Lee of Bay<p>Text.", "Ann Lee of Bay"),
        ("<p class=author>Ann Lee and Bo Chi, teachers of tea<p>Text.", "Ann Lee and Bo Chi"),
        ("<p>Escrito por Ann Lee, 01/06/94</p><p>Text.", "Ann Lee"),
        ("<p class=author>[FAMILY Given]<p>Text.", ""),
        # Beside the day, in words that the page never writes with a small letter.
        ("<p><span>3 May 2020</span> · <span>Ann K. Lee</span></p><p>Text.", "Ann K. Lee"),
        ("<p><span>Ann Lee</span><span>3 May 2020</span></p><p>Text of ann.", ""),
        ("<p><span>Product News</span> <span>3 May 2020</span></p><p>The news of a product.", ""),
        ("<p><a href=/category/x>Lantern Bay</a> <span>3 May 2020</span></p><p>Text.", ""),
        ("<p><span>Tuesday Evenings</span> <span>3 May 2020</span></p><p>Text.", ""),
        ("<p><i>Ann Lee</i> <b>3 May 2020</b><p><i>Bo Chi</i> <b>4 May 2020</b><p><i>Di Ek</i> <b>5 May 2020</b><p>Text.", ""),
        # As libraries write it.
        ("<meta name=citation_author content='Lee, Ann M.'><meta name=citation_author content='Chi, Bo'><p>Text.", "Ann M. Lee, Bo Chi"),
    ],
)  # fmt: skip
def test_authors_are_names(html: str, author: str) -> None:
    assert fields_of(f"<title>Tea</title><h1>Tea</h1>{html}").author.value == author


@pytest.mark.parametrize(
    ("name", "signed"), [("post-footer", True), ("entry footer", True), ("page-footer", False), ("footer", False)]
)
def test_the_foot_of_a_post_signs_it(name: str, signed: bool) -> None:
    text = f"<p>{'We met and had tea together in the hall. ' * 9}</p>"
    page = f"<title>Tea</title><div class=post><h2>Tea</h2>{text}</div><div class='{name}'><p>By Ann Lee on May 6, 2018</p></div><p>{'x ' * 300}"
    assert sitegrain.extract(page, "http://tea.example/7.html").author == ("Ann Lee" if signed else "")


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("<p>3 May 2020 - Ann Lee</p>", "Ann Lee"),
        ("<p>3 May 2020 | 13:10 | Ann Lee</p>", "Ann Lee"),
        ("<p>3 May 2020 - Tea Time</p>", ""),
        ("<p class=date-author>Ann Lee, 3 May 2020</p>", "Ann Lee"),
        ("<p class=date-author>On 3 May 2020</p>", ""),
        ("<p>Text von Ann Lee Illustration von Bo Chi</p>", "Ann Lee"),
        ("<p>Autoren Ann Lee und Bo Chi</p>", "Ann Lee und Bo Chi"),
        ("<p>By Ann Lee, MD, teacher of tea, Bay House</p>", "Ann Lee, MD"),
    ],
)
def test_names_beside_the_day_and_roles(line: str, author: str) -> None:
    assert fields_of(f"<h1>All about tea</h1>{line}<p>This is the time for tea. {PROSE}").author.value == author


def test_a_section_beside_the_day_is_no_author() -> None:
    menu = "<nav><a href=/isle>North Isle</a><a href=/trade>Trade</a></nav>"
    body = "<h1>Tea is late</h1><p><a href=/x>North Isle</a> 3 May 2020<p>Boil water, said the cook."
    assert fields_of(f"<title>Tea is late</title>{menu}{body}").author.value == ""
    assert fields_of(f"<title>Tea is late</title>{body}").author.value == "North Isle"  # nothing tells it from a person


def test_the_sign_of_the_site_is_no_author() -> None:
    head = (
        "<title>Tea</title><meta property=og:site_name content=BAY><meta name=author content='Ann Lee and Bo Chi, BAY'>"
    )
    assert fields_of(f"{head}<h1>Tea</h1><p>Boil water.").author.value == "Ann Lee and Bo Chi"


def test_a_name_for_two_widths_of_screen_is_one_name() -> None:
    by = "<div class=byline>by <a class=wide href=/ann>Ann Lee</a><span class=narrow>Ann Lee</span></div>"
    assert fields_of(f"<title>Tea</title><h1>Tea</h1>{by}<p>Boil water.").author.value == "Ann Lee"
