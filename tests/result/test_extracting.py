"""`extract` takes a page as text, as bytes or as a file, and tells what was meant when it is none of these."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from weakref import ref

import pytest

import sitegrain
from sitegrain import SourceError, UsageError
from sitegrain.sources import folder as folder_source


def test_a_path_is_read(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_bytes(
        "<meta charset=latin1><h1>Thé</h1><p>Boil <a href=w>water</a>.".encode("latin1")
    )
    article = sitegrain.extract(tmp_path / "tea.html")
    assert article.text == "Thé\n\nBoil water."
    assert article.path == str(tmp_path / "tea.html")
    article = sitegrain.extract(tmp_path / "tea.html", url="http://a.org/tea")
    assert "(http://a.org/w)" in article.markdown


def test_a_path_that_is_no_page_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for path, message in (("no.html", "does not exist"), ("a.png", "no HTML"), (".", "is a folder")):
        with pytest.raises(SourceError, match=message):
            sitegrain.extract(tmp_path / path)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_source, "MAX_BODY", 1000)
    (tmp_path / "long.html").write_text("<p>" + "water " * 1000)
    assert 100 < len(sitegrain.extract(tmp_path / "long.html").text) <= 1000


@pytest.mark.parametrize(
    "text",
    ["page.html", " page.htm\n", "/a/b.htm", "a/b/INDEX.HTML", "./page", "../up/one", "~/page", "C:\\pages\\a.html",
     "site.warc.gz", "pages.parquet", "index.php"],
)  # fmt: skip
def test_a_path_in_a_string_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is the name of a file, not HTML: extract\(Path\("):
        sitegrain.extract(text)


@pytest.mark.parametrize("text", ["http://a.org", "HTTPS://a.org/b?c=d", "file:///a/b.html", "www.example.org/tea"])
def test_an_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is an address, not HTML: mine\("):
        sitegrain.extract(text)


@pytest.mark.parametrize(
    "text",
    ["Tea", "Boil water.", "and/or", "/s", "/r/tea", "see about.html", "Read http://a.org/ first", "3.5", "example.org",
     "node.js", "a.b.c", "...", "~", "http://", "C: drive", "<page.html", "one\npage.html", "1/2", "tea.html is a page"],
)  # fmt: skip
def test_short_text_is_a_page(text: str) -> None:
    assert sitegrain.extract(text, methods=["everything"]).text or text.startswith("<")


def test_a_file_that_is_there_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "and").mkdir()
    (tmp_path / "and" / "or").write_text("x")
    (tmp_path / "my page.html").write_text("x")
    (tmp_path / "Tea").write_text("x")
    for text in ("and/or", "my page.html"):
        with pytest.raises(UsageError, match="is the name of a file"):
            sitegrain.extract(text)
    assert sitegrain.extract("Tea").text == "Tea"


def test_bytes_are_never_doubted() -> None:
    assert sitegrain.extract(b"page.html", methods=["everything"]).text == "page.html"


def test_other_things_are_refused() -> None:
    for thing in (None, 3, ["<p>x"]):
        with pytest.raises(UsageError, match="extract takes HTML as str or bytes, or the Path of a file, not"):
            sitegrain.extract(thing)  # type: ignore[arg-type]


def test_the_heading_of_the_page_stands_once_above_its_markdown() -> None:
    """Labels and extractors leave the title out of the text; a reader of the Markdown wants to see it, once."""
    text = "<p>" + "Boil the water and let the tea draw for three minutes, then pour it. " * 8
    html = f"<title>How to make tea</title><header><h1>How to make tea</h1></header><main>{text}</main>"
    for page in (html, html.replace("<main>", "<main><h1>How to make tea</h1>")):
        article = sitegrain.extract(page, url="http://t.example/tea")
        assert article.markdown.count("# How to make tea") == 1
        assert article.html.count("<h1>How to make tea</h1>") == 1
    items = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(12))
    trail = html.replace("<header>", f"<nav class=menu><ul>{items}<li>").replace("</header>", "</ul></nav>")
    article = sitegrain.extract(trail, url="http://t.example/tea")
    assert "How to make tea" not in article.text
    assert article.markdown.startswith("# How to make tea\n\nBoil"), (
        "no list comes along with the item that the heading is"
    )
    assert article.html.startswith("<h1>How to make tea</h1>\n<p>Boil")
    lower = trail.replace("<h1>", "<h2><a href=/tea?start=0>").replace("</h1>", "</a></h2>")
    article = sitegrain.extract(lower, url="http://t.example/tea")
    assert article.markdown.startswith("# How to make tea\n\nBoil"), "a title in a lower heading, without its link"


def test_metadata_in_utc_and_the_day_of_the_address() -> None:
    page = '<meta property="article:published_time" content="2018-05-31T22:30:00Z"><h1>Tea and milk</h1><p>Boil water.'
    assert sitegrain.extract(page, url="http://t.example/2018/06/01/tea").date == "2018-06-01"
    assert sitegrain.extract(page, url="http://t.example/2018/06/03/tea").date == "2018-05-31"
    assert sitegrain.extract(page, url="http://t.example/tea").date == "2018-05-31"


def test_a_link_to_the_page_of_an_author_is_a_byline() -> None:
    text = "<p>" + "Boil the water and let the tea draw for three minutes, then pour it. " * 8
    page = f"<h1>How to make tea</h1><p class=x1><a href=/writer/7/Ann_Lee>Ann Lee</a></p>{text}"
    found = sitegrain.extract(page, url="http://t.example/tea").fields.author
    assert (found.value, found.source) == ("Ann Lee", "link")
    below = f"<h1>How to make tea</h1>{text * 30}<p><a href=/writer/7/Ann_Lee>Ann Lee</a></p>"
    assert sitegrain.extract(below, url="http://t.example/tea").author == "Ann Lee", "the only one on the page"
    two = f"{below}<p><a href=/writer/8/Bo_Ek>Bo Ek</a></p>"
    assert sitegrain.extract(two, url="http://t.example/tea").author == "", "who is introduced below the text"


def test_the_day_that_is_shown_goes_before_its_time_in_utc() -> None:
    meta = '<meta property="article:published_time" content="2023-12-22T04:00:41+00:00">'
    text = "<p>" + "Boil the water and let the tea draw for three minutes, then pour it. " * 8
    page = f"{meta}<h1>How to make tea</h1><p>{{}}</p>{text}"
    dates = {
        shown: sitegrain.extract(page.format(shown), url="http://t.example/tea").date
        for shown in ("Dec. 21, 2023 11:00 pm EST", "Dec. 22, 2023", "Dec. 23, 2023", "Dec. 20, 2023", "")
    }
    # What was shown earlier was published earlier.
    assert [*dates.values()] == ["2023-12-21", "2023-12-22", "2023-12-22", "2023-12-20", "2023-12-22"]
    east = page.replace("T04", "T14").format("Dec. 23, 2023")
    assert sitegrain.extract(east, url="http://t.example/tea").date == "2023-12-23", "the next day, east of Greenwich"
    local = east.replace("+00:00", "-05:00")
    assert sitegrain.extract(local, url="http://t.example/tea").date == "2023-12-22", "it is no time in UTC"


def test_a_headline_keeps_its_colon_and_a_kicker_goes() -> None:
    text = "<p>" + "Boil the water and let the tea draw for three minutes, then pour it. " * 8
    title = "<title>How to make tea at home</title>"
    whole = f"{title}<h1>Old ways: How to make tea at home</h1>{text}"
    assert sitegrain.extract(whole, url="http://t.example/tea").title == "Old ways: How to make tea at home"
    kicker = f"{title}<h1><span>Kitchen:</span> How to make tea at home</h1>{text}"
    assert sitegrain.extract(kicker, url="http://t.example/tea").title == "How to make tea at home"
    hyphens = f"{title}<h1>How to make tea at ho\xadme ¶</h1>{text}"
    assert sitegrain.extract(hyphens, url="http://t.example/tea").title == "How to make tea at home"


def test_a_page_goes_with_its_article_and_fields_outlive_it() -> None:
    text = "<p>" + "Das Wasser wird in der Kanne gekocht, und der Tee zieht dann einige Minuten. " * 20
    article = sitegrain.extract(f"<html lang=en><title>Tee</title><h1>Tee</h1>{text}")
    fields, site = article.fields, ref(article.site)
    gc.disable()
    try:
        assert article.markdown.startswith("# Tee")
        del article
        assert fields.language.value == "de"  # by the text of the article, which is made again
        del fields
        assert site() is None  # without the collector
    finally:
        gc.enable()


PAGE = """<html><head>{}<title>Tea</title></head><body><article><h1>Tea</h1><p>Boil the <a href="/tea/1">water</a> well, pour it over
the leaves and read <a href="b c.html#s">the second part</a> while you wait for the <a href="../up">pot</a> to be ready, as
<a href="javascript:go()">nobody</a> likes it thin; <a href="#note">a note</a>.</p><p><img src="pot.png" alt="pot"></p></article></body></html>"""


@pytest.mark.parametrize(
    "named", ['<link rel="canonical" href="https://a.org/x/y">', '<meta property="og:url" content="https://a.org/x/y">']
)
def test_a_page_without_an_address_is_where_it_says(named: str, tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE.format(named), "utf-8")
    for found in (sitegrain.extract(PAGE.format(named)), sitegrain.extract(tmp_path / "p.html")):
        assert found.url == "https://a.org/x/y"
        assert "[water](https://a.org/tea/1)" in found.markdown
        assert "![pot](https://a.org/x/pot.png)" in found.markdown
    assert sitegrain.extract(PAGE.format(named), url="http://b.org/").url == "http://b.org/"


def test_a_saved_page_is_where_the_browser_says(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<!-- saved from url=(0014)http://b.org/d/ -->" + PAGE.format(""), "utf-8")
    found = sitegrain.extract(tmp_path / "p.html")
    assert found.url == "http://b.org/d/"
    assert "[pot](http://b.org/up)" in found.markdown


def test_links_of_a_page_whose_address_nobody_knows_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE.format(""), "utf-8")
    for found in (sitegrain.extract(PAGE.format("")), sitegrain.extract(tmp_path / "p.html")):
        assert (found.url, found.sitename, found.canonical) == ("", "", "")
        assert "[water](/tea/1)" in found.markdown
        assert "[the second part](./b%20c.html#s)" in found.markdown
        assert "[pot](../up)" in found.markdown
        assert "[a note](#note)" in found.markdown
        assert "![pot](./pot.png)" in found.markdown
        assert "javascript" not in found.markdown + found.html
        assert '<a href="/tea/1">water</a>' in found.html
        assert '<img src="./pot.png" alt="pot">' in found.html
        assert found.images == ("./pot.png",)
        assert "nowhere" not in json.dumps(found.to_dict())


def test_entries_of_a_page_whose_address_nobody_knows() -> None:
    items = "".join(
        f'<li><a href="n/{i}.html">Story number {i} of the day is told here</a> 2024-03-0{i}</li>' for i in range(1, 9)
    )
    found = sitegrain.extract(
        f"<html><head><title>News</title></head><body><h1>News</h1><ul class=list>{items}</ul></body></html>"
    )
    assert found.role == "toc"
    assert [entry.url for entry in found.entries] == [f"./n/{i}.html" for i in range(1, 9)]
    assert "(./n/3.html)" in found.markdown
