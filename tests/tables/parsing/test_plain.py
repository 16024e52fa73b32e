"""The reader of plain pages: what it takes it reads as the guard, Lexbor and the reader of its tree do."""

from __future__ import annotations

import random
from html.entities import html5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.tables.budgets import MAX_NESTING, max_rows
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing import parse
from sitegrain.tables.parsing.parse import TAG_BITS, parse_page
from tests.hostile.corpus import CASES
from tests.hostile.fuzz import mutated
from tests.native.bodies import in_python, needs_core
from tests.tables.parsing.plainsoup import difference, soup

pytestmark = needs_core


def read(html: str) -> native.Scanned | str:
    data = html.encode()
    return native.read_plain(data, MAX_NESTING, max_rows(len(data)), TAG_BITS)


def is_same_or_refused(data: bytes) -> bool:
    found = difference(data)
    return not found or found.startswith("refused")


@settings(max_examples=1500, deadline=None)
@given(st.integers(0, 1 << 60), st.sampled_from([6, 30, 200]))
def test_soup_is_read_as_by_the_long_way(seed: int, most: int) -> None:
    html = soup(random.Random(seed), most)
    assert is_same_or_refused(html.encode()), html


def test_changed_pages_are_read_as_by_the_long_way() -> None:
    rng = random.Random(5)
    seeds = [case(600) for case in CASES.values()] + [soup(rng, 60).encode() for _ in range(50)]
    for _ in range(1500):
        data = mutated(seeds, rng)
        assert is_same_or_refused(data), data


FOUND_BY_SOUP = [
    "<b><p></b><textarea>q</textarea>z", "<div><b></div><textarea>q", "<svg></html>b<!-- -->3", "<table><col><!doctype><col>",
    "<a><template><td></template></a>#", "<b><b><b><b></b></b></b><o></b>x", "<!--!>&", "<!--!>x<b>", "<svg><g></p>x", "<p><svg><desc></p>x",
    "<b><i><u><s><em><p>x</b>y", "<i><b><p>x</i>y</b>z", "<a>a<div>b<a>c</div>d", "<table>a<tr>b<td>c</td>d</tr>e</table>f",
    "<select><p>x<option>y<hr>z<input>w", "<table><image>x", "<head></head> <link> <body>", "<pre>&#10;x", "<pre>\r\n\r\nx", "<table> </> x",
    "a<body class=x id=y><html lang=en><body class=z title=t>", "<svg><path /fill=x>y", "<p class =x foo=\"y\"id=z>t", "<p id=a ID=b>t",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"><p>x<table>", "<svg><style>a<b</style>c</svg>d", "<title>a</titles></title>b",
    "<noscript><iframe></noscript>x", "<svg><script/><p>x<script>y</script>", "", " ", "x", "<", "</", "<p", "<p class='", "<!--", "<table><tr><td>x",
]  # fmt: skip


@pytest.mark.parametrize("html", FOUND_BY_SOUP)
def test_what_was_once_read_otherwise(html: str) -> None:
    assert is_same_or_refused(html.encode())


DOCTYPES = [
    "html", "HTML", "html SYSTEM 'about:legacy-compat'", 'html PUBLIC "-//W3C//DTD HTML 3.2//EN"', 'html PUBLIC "-//IETF//DTD HTML//EN"',
    *(
        f'HTML PUBLIC "-//W3C//DTD {name}//EN"{address}'
        for name in ("HTML 4.0 Transitional", "HTML 4.01", "HTML 4.01 Transitional", "HTML 4.01 Frameset", "XHTML 1.0 Strict", "XHTML 1.1")
        for address in ("", ' "http://www.w3.org/x.dtd"', ' ""', " x")
    ),
]  # fmt: skip


@pytest.mark.parametrize("doctype", DOCTYPES)
def test_a_table_ends_a_paragraph_as_the_doctype_says(doctype: str) -> None:
    assert is_same_or_refused(f"<!DOCTYPE {doctype}><p>x<table><tr><td>y".encode())


def test_all_character_references() -> None:
    for start in range(0, len(html5), 200):
        names = sorted(html5)[start : start + 200]
        html = "".join(f"<p title='&{name}'>&{name}|&{name}x" for name in names)
        assert difference(html.encode()) == ""
    found = read("".join(f"<p>&{name}" for name in sorted(html5) if name.endswith(";")))
    assert not isinstance(found, str)
    shown = [value for name, value in sorted(html5.items()) if name.endswith(";") and value.strip(" \n\t\f\r\xa0")]
    assert found.text == "".join(shown)


PLAIN = [
    "<!doctype html><html lang=en><head><title>T</title><script>a<b</script></head><body><div class='k'><p>one<p>two<b>three</div></body></html>",
    "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table><select><option>e</select><svg><path d=x /></svg>&eacute;&copy;",
    "<b>a<p>b</b>c<table>foster<tr><td>d</table><template><p>t</template><form><form></form>", "<pre>\r\n x</pre><textarea>y</textarea><math><mi>z</mi></math>",
]  # fmt: skip


@pytest.mark.parametrize("html", PLAIN)
def test_plain_pages_are_taken(html: str) -> None:
    assert difference(html.encode()) == ""


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<div>" * 700, "nested too deep"),
        ("<i>x" * 2000, "nested too deep"),
        ("<br>" * 50_000, "too many rows"),
        ("<p>a\0b", "a zero byte"),
        ("<frameset><frame>", "frames"),
        ("<p><plaintext>x", "a rare tag"),
        ("<noscript><iframe></noscript>x", "open in noscript"),
        ("<svg><![CDATA[x]]></svg>", "CDATA"),
        ("<math><annotation-xml>x", "annotation-xml"),
    ],
)
def test_others_are_refused_with_a_word(html: str, why: str) -> None:
    assert read(html) == why


@pytest.mark.parametrize("html", [*PLAIN, *FOUND_BY_SOUP])
def test_a_page_is_the_same_without_the_quick_way(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = parse_page(Capture("http://a.org/", html.encode()))
    monkeypatch.setattr(native, "read_plain", lambda *args: "no")
    other = parse_page(Capture("http://a.org/", html.encode()))
    assert (page.text, page.values(), page.json_ld, page.note) == (
        other.text,
        other.values(),
        other.json_ld,
        other.note,
    )
    assert page.tag.tolist() == other.tag.tolist()


def test_what_is_read_needs_no_tree_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    # With another selectolax the long way reads what Lexbor writes; plain pages are the same.
    monkeypatch.setattr(parse, "reads_in_place", lambda: False)
    for html in PLAIN:
        assert difference(html.encode()) == ""


def test_the_reference_takes_no_page() -> None:
    with in_python():
        assert isinstance(read(PLAIN[0]), str)
