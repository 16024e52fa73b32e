"""`extract` gives an Article with confidence and reason whatever it is fed."""

from __future__ import annotations

import json
import re
import time

import pytest

import sitegrain
from sitegrain.article.article import NEEDS_RENDERING

MAX_SECONDS = 20.0
"""Of the processor, for 50 MB, of which 32 MB are read."""
BODY = "A first paragraph that says something. " * 10
LD = '<script type="application/ld+json">' + json.dumps({"@type": "Article", "articleBody": BODY}) + "</script>"
SHELL = (
    "<title>App</title>{}<div id=root></div><noscript>Please turn JavaScript on.</noscript><script src=a.js></script>"
)


@pytest.mark.parametrize(
    ("body", "text", "note"),
    [
        ("", "", "no text"),
        ("   \n ", "", "no text"),
        ("Just a line of text", "Just a line of text", "no tags: read as plain text"),
        ('{"a": ["b", 1], "c": "d"}', '{"a": ["b", 1], "c": "d"}', "looks like JSON"),
        ('<?xml version="1.0"?><rss><channel><item><guid>7</guid><dc>x</dc></item></channel></rss>', None, "XML"),
        (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<</Type/Catalog>>\nstream\n" + bytes(range(256)) * 20, "", "a PDF"),
        (bytes(range(256)) * 50, "", "binary data"),
        ("<frameset cols=2><frame src=a.html><frame src=b.html></frameset>", "", "frames only"),
        ("<body><footer>" + "<p><a href=/a>Terms of use</a> Copyright 2020</p>" * 30 + "</footer></body>", "", "nothing kept"),
        ("<body><img src=a.png><img src=b.png></body>", "", "only images"),
        (SHELL.format(LD), BODY.strip(), NEEDS_RENDERING),
        (SHELL.format("<meta name=description content='About it'>").replace("Please", ""), None, NEEDS_RENDERING),
        (SHELL.format(""), None, NEEDS_RENDERING),
    ],
    ids=["empty", "space", "text", "json", "xml", "pdf", "binary", "frames", "menu", "images", "json-ld", "described", "shell"],
)  # fmt: skip
def test_a_defined_article(body: str | bytes, text: str | None, note: str) -> None:
    article = sitegrain.extract(body, "http://a.org/x.html")
    assert text is None or article.text == text
    assert any(note in n for n in article.notes), article.notes
    assert 0 <= article.confidence <= 0.5
    assert (article.confidence > 0) == bool(article.text)
    assert isinstance(article.html, str)
    found = article.to_dict()
    assert json.loads(json.dumps(found))["notes"] == list(article.notes)
    assert article.reasons is not None


def test_a_good_page_has_no_notes() -> None:
    article = sitegrain.extract(f"<title>T</title><h1>T</h1><p>{BODY}<p>{BODY}<script>x()</script>")
    assert article.notes == ()
    assert article.confidence > 0.5


def test_fifty_megabytes_take_bounded_time() -> None:
    body = b"<p>" + b"Some words of text that go on and on. " * 1_320_000
    start = time.process_time()
    article = sitegrain.extract(body)
    assert len(article.text) > 25_000_000
    assert time.process_time() - start < MAX_SECONDS
    assert article.notes == ("cut at 32 MB",)
    assert article.confidence > 0


@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "a href=x"])
def test_deep_nesting(tag: str) -> None:
    article = sitegrain.extract(f"<{tag}>" * 1_500 + "deep")
    # A page that is one link says nothing of its own; everything else is kept.
    assert article.text == ("" if tag.startswith("a ") else "deep")
    assert article.title in ("", "deep")
    assert article.to_dict()["text"] == article.text


def test_fields_cost_nothing_until_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object, **kwargs: object) -> None:
        raise AssertionError("fields were read")

    monkeypatch.setattr("sitegrain.article.fields.Fields", never)
    monkeypatch.setattr("sitegrain.article.fields.json_ld_text", never)
    assert sitegrain.extract(f"<p>{BODY}<p>{BODY}{LD}").text.startswith("A first")


@pytest.mark.parametrize("name", ["undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape"])
def test_codecs_that_are_no_character_sets(name: str) -> None:
    page = f"<meta charset={name}><p>caf\xe9 au lait, every morning".encode("latin-1")
    assert "au lait" in sitegrain.extract(page).text


def test_a_page_without_text_has_no_kinds() -> None:
    article = sitegrain.extract("<img src=a>")
    assert (article.comments, article.related, article.author_box) == ("", "", "")


def test_a_body_from_json_ld_is_no_markup() -> None:
    body = "<<b>img src=x onerror=alert(1)<b>> [click](javascript:alert(1)) " + "words " * 60
    data = json.dumps({"@type": "Article", "articleBody": body})
    page = (
        f"<title>t</title><script type=application/ld+json>{data}</script><div id=root></div><script src=a.js></script>"
    )
    written = sitegrain.extract(page).markdown
    assert "words words" in written
    assert "](javascript" not in written.replace("\\](", "")
    assert not re.search(r"(?<!\\)<", written)
