"""Who wrote, in the words of many languages; and who signed far from the title."""

from __future__ import annotations

import pytest

from sitegrain.article.fields import Fields, article_fields
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PROSE = "<p>" + "Tea is boiled in the bay every morning, and nobody knows why that is so. " * 4


def fields_of(html: str, url: str = "http://bay.example/tea") -> Fields:
    return article_fields(build_site([Capture(url, html.encode())]), 0)


def author_of(line: str, language: str) -> str:
    return fields_of(f'<html lang="{language}"><title>Hot</title><h1>Hot</h1><div>{line}</div>{PROSE}').author.value


@pytest.mark.parametrize(
    ("language", "line", "name"),
    [
        ("de", "Gastautorin: Anna Müller", "Anna Müller"),
        ("de", "Von Anna Müller, Bo Lukas Eck und Carl Lenz, NDR", "Anna Müller, Bo Lukas Eck und Carl Lenz, NDR"),
        ("fr", "Rédigé par Anne Durand", "Anne Durand"),
        ("it", "Articolo di Anna Rossi", "Anna Rossi"),
        ("nl", "Geschreven door Anna de Vries", "Anna de Vries"),
        ("sv", "Publicerad av Anna Svensson", "Anna Svensson"),
        ("is", "Höfundur: Anna Jónsdóttir", "Anna Jónsdóttir"),
        ("lv", "Autors: Anna Ozola", "Anna Ozola"),
        ("pl", "Napisała Anna Nowak", "Anna Nowak"),
        ("ro", "de Ana Popescu", "Ana Popescu"),
        ("sq", "Nga Ana Hoxha", "Ana Hoxha"),
        ("tr", "Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("uk", "Авторка: Ганна Шевченко", "Ганна Шевченко"),
        ("ka", "ავტორი: ანა ბერიძე", "ანა ბერიძე"),
        ("ur", "تحریر: احمد علی", "احمد علی"),
        ("id", "Ditulis oleh Budi Santoso", "Budi Santoso"),
        ("zh", "本报记者 李明", "李明"),
        ("zh", "文｜李明", "李明"),
        ("zh-TW", "記者 李明 台北報導", "李明"),
        ("ja", "ライター：佐藤健", "佐藤健"),
        ("ko", "서울=홍길동 기자", "홍길동"),
        ("en", "By Staff Writer Ann Lee", "Ann Lee"),
        ("en", "By Ann Lee and Bo Ek The Associated Press", "Ann Lee and Bo Ek"),
    ],
)
def test_bylines_in_many_languages(language: str, line: str, name: str) -> None:
    assert author_of(line, language) == name


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("pt", "Por Que Ler"),
        ("it", "Di Più"),
        ("nl", "Door Panels"),
        ("en", "de Ana Popescu"),  # "by" in Romanian only
        ("es", "Redacción"),
        ("en", "9:39AM BST"),
        ("en", "Posted by Site Admin"),
    ],
)
def test_lines_that_begin_alike(language: str, line: str) -> None:
    assert author_of(line, language) == ""


@pytest.mark.parametrize(
    "below",
    [
        "<p>Autorin: Uta Lenz, Leiterin",
        "<p>Article written by:</p><h3>Uta Lenz</h3>",
        "<p>Von Uta Lenz</p>",
        '<div class="author-bio sidebar"><h3>Uta Lenz</h3><p>All she wrote</div>',
    ],
)
def test_who_signed_below_a_long_text(below: str) -> None:
    long = PROSE * 300
    assert fields_of(f"<h1>Hot tea</h1>{long}{below}").author.value == "Uta Lenz"


def test_several_names_far_below_are_of_other_things() -> None:
    others = "<p>Written by Uta Lenz</p><p>Written by Bo Ek</p>"
    assert fields_of(f"<h1>Hot tea</h1>{PROSE * 300}{others}").author.value == ""


def test_what_is_written_small_elsewhere_is_no_name() -> None:
    assert fields_of(f"<h1>Hot tea</h1>{PROSE * 300}<p>every end user knows<p>By End User").author.value == ""


def test_a_name_that_the_page_introduces() -> None:
    html = f"<h1>Hot tea</h1><p><span>Julia Grau</span></p>{PROSE}{PROSE}<p>Julia Grau is a writer of tea."
    assert fields_of(html).author.value == "Julia Grau"
    assert fields_of(html.replace("<p>Julia Grau is", "<p>Nobody is")).author.value == ""


def test_an_organisation_gives_way_to_who_signed() -> None:
    head = '<meta name=author content="Bund für Tee e.V."><h1>Hot tea</h1>'
    assert fields_of(f"{head}<p>Von Uta Lenz</p>{PROSE}").author.value == "Uta Lenz"
    assert fields_of(f"{head}{PROSE}").author.value == "Bund für Tee e.V."


def test_the_name_at_the_end_of_an_address() -> None:
    head = '<meta property="article:author" content="http://bay.example/source/zoe-leger"><h1>Hot tea</h1>'
    assert fields_of(f"{head}{PROSE}<div><i>Zoé Léger</i></div>").author.value == "Zoé Léger"


def test_who_took_the_picture_above_is_not_who_wrote() -> None:
    links = "<p>By <a href=/writer/1/bo>Bo Ek</a></p><p>By <a href=/writer/2/ann>Ann Lee</a>, Staff Writer</p>"
    assert fields_of(f"<h1>Hot tea</h1>{links}{PROSE}").author.value == "Ann Lee"


def test_the_label_of_a_table_speaks_of_what_the_page_is_about() -> None:
    assert fields_of(f"<h1>Hot tea</h1><table><tr><th>Written by<td>Ann Lee</table>{PROSE}").author.value == ""
    assert fields_of(f"<h1>Hot tea</h1><table><tr><th>Author:<td>Ann Lee</table>{PROSE}").author.value == "Ann Lee"


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ("<p>by</p><p><a href=/authors/ann-lee>Ann Lee</a></p>", "Ann Lee"),
        ("<p><a href=/authors/ann-lee>Ann Lee</a></p><p><a href=/authors/bo-ek>Bo Ek</a></p>", ""),
        ("<div class=related><a href=/authors/ann-lee>Ann Lee</a></div>", ""),
        ("<div><div><img class=dynamic-author-image></div><div><h5>Ann Lee</h5><p>Hello!</p></div></div>", "Ann Lee"),
        ("<div><img class=author-photo><b>More about tea</b></div>", ""),
        ("<div><img class=author-photo><b>Ann Lee</b></div><div><img class=author-photo><b>Bo Ek</b></div>", ""),
    ],
)
def test_a_name_far_below(html: str, author: str) -> None:
    assert fields_of(f"<h1>All about tea</h1>{PROSE * 60}{html}").author.value == author


def test_those_who_looked_it_through_did_not_write_it() -> None:
    links = "<a href=/authors/ann>Ann Lee</a> <a href=/authors/bo>Bo Ek</a>"
    assert fields_of(f"<h1>Hot tea</h1><p>{links}</p><p>By Ann Lee</p>{PROSE}").author.value == "Ann Lee"
    parts = "<p itemprop=author>By Ann Lee</p><p itemprop=author>Updated by Bo Ek</p>"
    assert fields_of(f"<h1>Hot tea</h1>{parts}{PROSE}").author.value == "Ann Lee"


def test_an_agency_behind_a_name_and_a_staff() -> None:
    assert author_of("Von Ann Lee, dpa", "de") == "Ann Lee"
    assert author_of("By The Bay editors", "en") == "The Bay editors"


def test_an_account_gives_way_to_the_name_it_is_made_of() -> None:
    head = "<meta name=author content=ann.lee.12><h1>Hot tea</h1>"
    assert fields_of(f"{head}{PROSE}<p>Bo Ek told Ann M. Lee about it.").author.value == "Ann M. Lee"
    assert fields_of(f"{head}{PROSE}<p>Bo Ek told Ann about it.").author.value == "ann.lee.12"


def test_a_user_beside_a_day() -> None:
    user = "<p><a href=/member/teacup12>teacup12</a> 3 May 2020</p>"
    assert fields_of(f"<h1>Hot tea</h1>{user}{PROSE}").author.value == "teacup12"
    assert fields_of(f"<h1>Hot tea</h1>{user.replace(' 3 May 2020', '')}{PROSE}").author.value == ""
    assert fields_of(f"<h1>Hot tea</h1>{user.replace('/member/teacup12', '/user/register')}{PROSE}").author.value == ""


def test_the_site_as_author_gives_way_to_a_label() -> None:
    site = "<meta property=og:site_name content='Bay Courier'><h1>Hot tea</h1><p itemprop=author>Bay Courier</p>"
    assert fields_of(f"{site}{PROSE}<p>Written by: Ann Lee</p>").author.value == "Ann Lee"
    assert fields_of(f"{site}{PROSE}").author.value == "Bay Courier"
    host = "<meta name=author content='Tea Broadcast (bay.example)'><h1>Hot tea</h1>"
    assert fields_of(f"{host}{PROSE}<p>Author: Ann Lee</p>").author.value == "Ann Lee"
    assert fields_of(f"{host}{PROSE}").author.value == "Tea Broadcast (bay.example)"
