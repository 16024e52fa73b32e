"""Who signed a page, and what its title is, where nothing but the page itself tells: one small page for each way."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

from sitegrain.article.fields import Fields, article_fields
from sitegrain.article.fields.authors.names import clean_name
from sitegrain.article.fields.authors.signed import shown_of
from sitegrain.article.fields.values import Field
from sitegrain.article.fields.view import View
from sitegrain.article.threads.signed import is_of_item
from sitegrain.tables.tags import TAG_CODE
from tests.builders import site_of

TEXT = "<p>The bay was calm that day, and so were all the boats in it, the small ones and the large ones, for hours and hours."


def fields_of(html: str) -> Fields:
    return article_fields(site_of(html), 0)


def signed(line: str, before: str = "", after: str = TEXT) -> str:
    return fields_of(f"{before}<title>Tea in the bay</title><h1>Tea in the bay</h1>{line}{after}").author.value


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("<p>Eine Kolumne von Nils Berg", "Nils Berg"),
        ("<p>Ein Interview von <b>Nils Berg</b> mit <b>Ann Lee</b>.", "Nils Berg"),
        ("<p>Eingestellt von Nils Berg", "Nils Berg"),
        ("<p>Text & Fotos: Nils Berg", "Nils Berg"),
        ("<p>Autorin: Ute Berg, Projektleiterin der Bucht in Kiel.", "Ute Berg"),
        ("<p>Redaktion: Nils Berg (Pressesprecher der Bucht)", "Nils Berg"),
        ("<p>Opinion by Ann Lee", "Ann Lee"),
        ("<p>Propos recueillis par Anne Roux", "Anne Roux"),
        ("<p>Escribe Ana Ruiz", "Ana Ruiz"),
        ("<p>A cura di Anna Rossi", "Anna Rossi"),
        ("<p>By Ann Lee 59 Comments", "Ann Lee"),
        ("<p>By mail", ""),
        ("<div>Date: 3 May 2020<br><b>Author:</b> Ann Lee<br><b>Source:</b> Bay</div>", "Ann Lee"),
        ("<h5>Author: </h5>Ann Lee/SP-X</div>", "Ann Lee"),
        ("<dl><dt>Author<span>:</span></dt><dd><p>Ann Lee &lt;ann at bay dot org&gt;</dd></dl>", "Ann Lee"),
        ("<p><span><span>By </span><a href=/a>Ann Lee</a></span> and <a href=/b>Bo Ek</a></p>", "Ann Lee and Bo Ek"),
        ("<p>Posted by <a rel=author href=/a>Ann Lee</a> and <a rel=author href=/b>Bo Ek</a>", "Ann Lee, Bo Ek"),
        ("<p class=author>Von dpa", "dpa"),
        ("<div class=byline>by <i class=fn>Ann Lee</i>, <i class=fn>Bo Ek</i></div>", "Ann Lee, Bo Ek"),
        ("<div class=credit-author><i class=name>Ann Lee</i> Video by <i class=name>Bo Ek</i></div>", "Ann Lee"),
        ("<div class=wp-jobber-hero__author>Ann Lee</div>", "Ann Lee"),
    ],
)
def test_a_line_that_says_who_wrote(line: str, name: str) -> None:
    assert signed(line) == name


def test_a_greek_byline_begins_like_any_genitive() -> None:
    line = "<p>Του Νίκου Παππά"
    assert signed(line, "<html lang=el>") == "Νίκου Παππά"
    assert signed(line, "<html lang=en>") == ""


@pytest.mark.parametrize(
    "said", ["Staff Writer", "Contributing Editor", "Text", "Tweet this", "Visit the Bay Store", "From Bay", "Unknown"]
)
def test_what_is_no_name(said: str) -> None:
    assert clean_name(said) == ""


def test_names_stay_whole() -> None:
    for name in ("Von Miller", "Di Luca", "MIT Technology Review", "Chris E. Hayner", "Ann Lee (Kyiv)", "AP/dpa"):
        assert clean_name(name) == name
    assert clean_name("Ann Lee/Bo Ek") == "Ann Lee, Bo Ek"


@pytest.mark.parametrize("box", ["aside class=article__aside", "div class=article-sidebar", "footer"])
def test_who_wrote_stands_at_the_side_of_the_text(box: str) -> None:
    tag = box.split()[0]
    long = "Of the bay and its boats. " * 20  # a small box of an article is the article's anyway
    line = f"<{box}><div class=author>By Ann Lee</div><p>{long}</{tag}>"
    assert signed(line, after=TEXT * 20) == "Ann Lee"
    assert signed(f"<div class=related-posts>{line}</div>", after=TEXT * 20) == ""
    two = "<div class=author><a class=name>Ann Lee</a></div><div class=author><a class=name>Bo Ek</a></div>"
    assert signed(f"<{box}><div class=authors>{two}</div><p>{long}</{tag}>", after=TEXT * 20) == "Ann Lee, Bo Ek"


def test_a_sign_parts_the_name_from_the_day() -> None:
    assert signed("<div><span>Ann Lee |</span> <span>3 May 2020</span></div>") == "Ann Lee"


def test_a_name_in_a_card_is_of_the_page_that_it_leads_to() -> None:
    card = (
        "<a href=/other><b>How the boats of the bay are painted every spring</b><div class=author>By Ann Lee</div></a>"
    )
    assert signed(card) == ""
    assert signed(f"{card}<div class=author>By Bo Ek</div>") == "Bo Ek"
    assert signed("<a href=/ann><div class=author>By Ann Lee</div></a>") == "Ann Lee"


def test_the_name_nearest_to_the_title_is_the_authors() -> None:
    above = "<div class=author>The Bay of Boats</div>" + "<div><b>A line</b></div>" * 8
    assert signed("<div class=author>Ann Lee</div>", above) == "Ann Lee"


def article(*names: str) -> str:
    data = {"@type": "NewsArticle", "author": [{"@type": "Person", "name": name} for name in names]}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def test_all_and_only_the_names_of_the_byline() -> None:
    assert signed("<p>By Ann Lee", article("Ann Lee", "Bo Ek")) == "Ann Lee"  # the other took the pictures
    assert signed("<p>By Ann E. Lee and Bo Ek", article("Ann E. Lee")) == "Ann E. Lee and Bo Ek"
    assert signed("<p>By Cy Wu", article("Ann Lee"), TEXT + "<p>Ann Lee told it to Cy.") == "Ann Lee"
    for rest in ("Berlin", "Deputy CTO", "Senior Editor, Bay Courier", "AP"):
        assert signed(f"<p>By Ann Lee, {rest}", article("Ann Lee")) == "Ann Lee"


def test_one_whom_the_page_names_nowhere_gives_way_where_the_page_is_alone() -> None:
    site = site_of(article("Ann Lee") + f"<title>Tea in the bay</title><h1>Tea in the bay</h1><p>By Cy Wu{TEXT}")
    view, heading = View(site, 0), int(np.flatnonzero(site.nodes.tag == TAG_CODE["h1"])[0])
    assert article_fields(site, 0).author.value == "Cy Wu"
    assert shown_of(view, heading, "Ann Lee") == Field("Cy Wu", "byline")
    assert shown_of(view, heading, "Ann Lee", is_alone=False) is None  # pages of a site may credit others alike


def test_one_whom_a_product_names_nowhere_wrote_none_of_it() -> None:
    page = f"<meta name=author content='Ann Lee'><title>Tea in tins</title><h1>Tea in tins</h1><p>9 €{TEXT}"

    def author(html: str) -> str:
        of_item = partial(is_of_item, role="article", page_type="product")
        return Fields(site_of(html), 0, is_of_item=of_item).author.value

    assert author(page) == ""
    assert author(page + "<p>Ann Lee made it.") == "Ann Lee"


def test_authors_of_works_that_are_cited_are_not_the_pages() -> None:
    cited = "<ol><li><meta itemprop=author content='Ann Lee'>On bays.</ol>"
    assert signed("<meta name=dc.creator content='Bo Ek'>", after=TEXT + cited) == "Bo Ek"


def test_the_part_of_a_title_that_a_line_shows() -> None:
    title = "<title>Hot tea for all - News of harbours - Boats and more</title>"
    assert fields_of(f"{title}<p>{TEXT}").title.value == "Hot tea for all - News of harbours - Boats and more"
    assert fields_of(f"{title}<div id=x>Hot tea for all</div>{TEXT}").title.value == "Hot tea for all"
    linked = "<a href=/other>Hot tea for all</a>"
    assert fields_of(f"{title}{linked}{TEXT}").title.value == "Hot tea for all - News of harbours - Boats and more"
    whole = "<div>Hot tea for all - News of harbours - Boats and more</div><div>Hot tea for all</div>"
    assert fields_of(f"{title}{whole}{TEXT}").title.value == "Hot tea for all - News of harbours - Boats and more"
    after_colon = "<title>Previews: Hot tea for all</title><div>Hot tea for all</div>"
    assert fields_of(after_colon + TEXT).title.value == "Hot tea for all"


def test_a_page_whose_title_is_the_sites_name_has_its_first_heading() -> None:
    head = "<meta property=og:site_name content='The Bay Courier'><title>The Bay Courier</title>"
    assert fields_of(f"{head}<h2>Hot tea for all</h2>{TEXT}").title.value == "Hot tea for all"


def test_the_heading_below_that_of_a_section() -> None:
    page = "<title>Bay - News - The tea is hot again today</title><h1>News</h1>{}" + TEXT
    assert fields_of(page.format("<h2>The tea is hot again today</h2>")).title.value == "The tea is hot again today"


def test_a_heading_that_is_said_from_beginning_to_end_is_not_cut() -> None:
    said = "Font size of plots | Axis text and legend"
    page = f"<title>{said}</title><meta property=og:title content='{said}'>"
    heading = "Font size of plots (5 examples) | Axis text and legend"
    assert fields_of(f"{page}<h1>{heading}</h1>{TEXT}").title.value == heading


@pytest.mark.parametrize("name", ["Ann Le Roux", "ANN EL AMIN", "Kim Min Ji", "Ada Il Moro", "Jo Am Ende"])
def test_a_small_word_with_a_capital_is_of_the_name(name: str) -> None:
    assert clean_name(name) == clean_name(f"By {name}") == name


def test_the_same_word_in_lower_case_ends_it() -> None:
    assert clean_name("Ann Le Roux le 3 mai 2020") == "Ann Le Roux"
    assert clean_name("Ann Lee 5 Min Read") == clean_name("Ann Lee 5 min read") == "Ann Lee"


COURIER = {"@type": "Organization", "name": "Bay Courier"}
OF_PAPER = f'<script type="application/ld+json">{json.dumps({"@type": "Article", "author": COURIER})}</script>'


def paper(first: str = "", last: str = "", n: int = 4) -> str:
    return fields_of(f"<title>Tea</title>{OF_PAPER}<h1>Tea</h1><div>{first}{TEXT * n}{last}</div>").author.value


@pytest.mark.parametrize("line", ["<p><strong>Ann Lee</strong></p>", "<p style='text-align:right'><b>Ann Lee</b></p>"])
def test_a_name_in_bold_above_or_below_the_text_of_a_paper_signed_it(line: str) -> None:
    assert paper(first=line) == paper(last=line) == "Ann Lee"


def test_two_names_with_a_stroke_between_them_are_two() -> None:
    assert paper(first="<p><b>Ann Lee/Bo Ek</b>") == "Ann Lee, Bo Ek"


@pytest.mark.parametrize(
    "line",
    [
        "<p>Ann Lee",
        "<p><b>What The Bay</b>",
        "<p><b>Green tea</b>",
        "<p><b>Bay Courier</b>",
        "<p><b>Tea 2</b>",
        "<p><b>Ann</b>",
    ],
)
def test_no_other_line_signs_it(line: str) -> None:
    assert paper(first=line) == paper(last=line) == "Bay Courier"


def test_a_name_beside_too_little_text_signs_nothing() -> None:
    assert paper(first="<p><b>Ann Lee</b>", n=2) == "Bay Courier"


def test_an_organisation_that_is_said_twice_is_still_none() -> None:
    meta = '<meta name=author content="Bay Courier News">'
    group = {"@type": "Article", "author": {"@type": "Organization", "name": "Bay Courier News"}}
    linked = f'<script type="application/ld+json">{json.dumps(group)}</script>'
    assert signed("<p class=byline>By Ann Lee", before=meta + linked) == "Ann Lee"
    assert signed("<p class=author>dpa", before=meta + linked) == "Bay Courier News"


def test_one_whom_the_page_names_nowhere_gives_way_to_the_byline() -> None:
    meta = '<meta name="author" content="Bo Ek">'
    assert signed("<p>By Ann Lee", meta) == "Ann Lee"
    assert signed("<p>By Ann Lee", meta, TEXT + "<p>BO EK read it.") == "Bo Ek"
    assert signed("<p>By The Bay Team", meta) == "Bo Ek"
    assert signed("<p>By B. Ek", meta) == "Bo Ek"


def test_a_first_name_of_metadata_is_made_whole_by_the_byline() -> None:
    assert signed("<p>By Ann Lee", '<meta name="author" content="Ann">') == "Ann Lee"
    assert signed("<p>By Bo Ek and Ann Lee", '<meta name="author" content="Ann">') == "Ann"


def test_a_day_and_a_name_follow_a_section_on_their_line() -> None:
    assert signed("<h2>Stars (1 / 1) <span>06.11.2023 13:30 von Ute</span></h2>") == "Ute"
