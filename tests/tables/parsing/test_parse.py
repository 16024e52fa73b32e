"""Parsing: both bodies of the kernels, a walk over the tree, limits, character sets, and that no text is lost."""

from __future__ import annotations

import re
import string
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitegrain import native
from sitegrain.native import reference
from sitegrain.tables.budgets import MAX_NESTING, MAX_PAGE_BYTES
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing import parse
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.parsing.charset import as_utf8, decode
from sitegrain.tables.parsing.parse import TAG_BITS, guard, parse_page, parse_tree
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import TAGS, TEXT
from tests.native.bodies import both, needs_core
from tests.oracles.rows import tree_columns

TAG_SOUP = st.lists(
    st.sampled_from(
        [
            "<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<table>", "<tr>", "<td>", "</table>", "<ul>",
            "<li>", "</ul>", "<br>", "<br/>", "<img src=a alt='x y'>", "<a href=\"/x?a=1&amp;b=2\">", "</a>", "text ", " ",
            "\n", "&nbsp;", "&lt;b&gt;", "&amp;", "é中文😀", "<!-- c -->", "<!-->", "<!--->", "<script>var a='<p>'</script>",
            "<script type=application/ld+json>{\"a\":1}</script>", "<script><!--<script></script>--></script>",
            "<style>p>b{}</style>", "<textarea><p>no</textarea>", "<title>T</title>", "<template><p>x</p></template>",
            "<svg><path d='M0'/><title>s</title></svg>", "<my-tag class='k'>", "</my-tag>", "<x", "</", "<", "\x00",
            "<span hidden>", "<div style='Display : None'>", "<div aria-hidden=true>", "<select><option>a<option>b</select>",
            "<noscript><p>n</noscript>", "<noscript>", "</noscript>", "<iframe src=a>", "<pre>", "</pre>", "<!x>", "<?y>", "</ ", "<iframe>f</iframe>", "<xmp>a&b<c</xmp>", "<p data-x='>' class=\"a b\">",
        ]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def text_of(site: Site, page: int) -> str:
    """All text of a page in document order, white space folded: what the tables hold of it."""
    rows = site.page_rows(page)
    text, flags = site.texts[page], site.nodes.flags[rows]
    pieces: list[str] = []
    for i in range(rows.stop - rows.start):
        if flags[i] & SPACE_BEFORE:
            pieces.append(" ")
        if site.nodes.tag[rows.start + i] == TEXT:
            pieces.append(text[site.nodes.text_start[rows.start + i] : site.nodes.text_end[rows.start + i]])
    return " ".join("".join(pieces).split())


def same(found: native.Scanned, expected: tuple[Any, ...]) -> None:
    columns, *rest = expected
    for name, column in found.columns.items():
        np.testing.assert_array_equal(column, columns[name], name)
        assert column.dtype == columns[name].dtype
    assert [*found[1:]] == rest


@settings(max_examples=300, deadline=None)
@given(TAG_SOUP)
def test_both_bodies_read_the_same_rows_as_a_walk_over_the_tree(html: str) -> None:
    tree = parse_tree(guard(html.encode(), MAX_NESTING)[0])
    expected = tree_columns(tree)
    for found in both(lambda: native.scan(tree.html or "", TAG_BITS)):
        same(found, expected)
    for found in both(lambda: native.read_tree(tree.root, TAG_BITS)):
        same(found, expected)


# What a serialization does not tell: which tags are void (a <link> of SVG is not, <bgsound> is), what stands in <noembed>.
HIDDEN_BY_SERIALIZATION = [
    "<bgsound>", "<keygen>", "<noembed><p>n</noembed>", "<svg><link>l</link></svg>", "<svg><style>s</style><desc>d",
    "<math><mi xlink:href=x id=q>m<annotation-xml encoding='text/html'><p>h", "</svg>", "</math>", "<image alt=i>", "<plaintext>",
    "<svg xml:lang=en xmlns=x foo:id=y id=z><foreignObject lang=a>", "<xmp>&nbsp;</xmp>", "<p id=a id=b class>", "<frameset>",
    "<a-name-of-more-than-sixteen-letters title='&amp;lt;'>", "&amp;nbsp;", "<![CDATA[x<y]]>", "<table>foster", "<select><p>x",
]  # fmt: skip


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(TAG_SOUP, st.sampled_from(HIDDEN_BY_SERIALIZATION)), max_size=12).map("".join))
def test_a_tree_read_in_place_is_what_a_walk_over_it_finds(html: str) -> None:
    assert parse.reads_in_place()
    tree = parse_tree(guard(html.encode(), MAX_NESTING)[0])
    same(native.read_tree(tree.root, TAG_BITS), tree_columns(tree))


def test_a_tree_of_another_version_is_not_read_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parse_page(Capture("http://a.org/", b"<p>one<svg><foreignObject>two"))
    monkeypatch.setattr("selectolax.__version__", "1.0.3")
    monkeypatch.setattr(native, "read_tree", None)
    parse.reads_in_place.cache_clear()
    try:
        assert not parse.reads_in_place()
        page = parse_page(Capture("http://a.org/", b"<p>one<svg><foreignObject>two"))
    finally:
        parse.reads_in_place.cache_clear()
    assert (page.text, page.values(), page.tag.tolist()) == (expected.text, expected.values(), expected.tag.tolist())


@needs_core
def test_a_tree_that_reads_otherwise_in_place_is_not_read_so(monkeypatch: pytest.MonkeyPatch) -> None:
    other = native.scan("<html><head></head><body>other</body></html>", TAG_BITS)
    monkeypatch.setattr(native, "read_tree", lambda root, bits: other)
    parse.reads_in_place.cache_clear()
    try:
        assert parse_page(Capture("http://a.org/", b"<p>one")).text == "one"
    finally:
        parse.reads_in_place.cache_clear()


@needs_core
@settings(max_examples=300, deadline=None)
@given(TAG_SOUP, st.integers(1, 6))
def test_guard_is_the_same_in_both_bodies(html: str, limit: int) -> None:
    compiled, python = both(lambda: guard(html.encode(), limit))
    assert compiled == python


@pytest.mark.parametrize("kind", ["application/ld+json", "Application/LD+JSON", "application/ld&#43;json"])
def test_json_ld_is_told_in_any_case(kind: str) -> None:
    html = f"<script type='{kind}'>{{}}</script><script>no</script>".encode()
    for page in both(lambda: parse_page(Capture("http://a.org/", html))):
        assert page.json_ld == ("{}",)


@settings(max_examples=300, deadline=None)
@given(TAG_SOUP)
def test_no_text_is_lost_or_doubled(html: str) -> None:
    # There the guard takes the frame away, so that it does not swallow the rest of the page, and Lexbor alone does not.
    assume(not re.search(r"<noscript(?:(?!</noscript).)*<iframe(?:(?!</iframe).)*</noscript", html))
    site = build_site([Capture("http://a.org/", html.encode())])
    site.check()
    tree = parse_tree(html.encode())
    for node in tree.css("script,style,template,iframe,noembed,noframes,svg title,ruby rt,ruby rp"):
        node.decompose()
    assert tree.root is not None
    assert text_of(site, 0) == " ".join((tree.root.text_lexbor() or "").split())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_page(body: bytes) -> None:
    build_site([Capture("http://a.org/", body)]).check()


@pytest.mark.parametrize(
    "html",
    [
        b"<div>" * 200_000 + b"x",
        b"<div></span>" * 50_000 + b"x",
        b"<foo></bar>" * 50_000 + b"x",
        b"<b><table><tr><td>" * 50_000 + b"x",
        b"<a href='" + b"x" * 100_000,
        b"<font>" * 100_000 + b"x",
        b"<svg>" + b"<g>" * 100_000 + b"x",
        b"<!--" * 100_000,
        b"<script>" * 50_000,
        b"<" * 500_000,
        b"<svg><p>" + b"<foo/>" * 50_000 + b"x",
    ],
    ids=["div", "stray", "unknown", "tables", "attribute", "font", "svg", "comment", "script", "lt", "self-closed"],
)
def test_hostile_nesting_is_linear(html: bytes) -> None:
    start = time.process_time()
    page = parse_page(Capture("http://a.org/", html))
    # Without the guard the first of these takes minutes; the bound is loose because machines are noisy.
    assert time.process_time() - start < 20
    assert page.depth.max(initial=0) < 8 * MAX_NESTING


def test_deep_pages_keep_their_text_and_say_so() -> None:
    page = parse_page(Capture("http://a.org/", b"<div>" * 5_000 + b"deep" + b"</div>" * 5_000 + b"<p>after"))
    assert page.text == "deepafter"
    assert "nested deeper" in page.note


def test_a_large_page_is_cut_and_says_so() -> None:
    page = parse_page(Capture("http://a.org/", b"<p>" + b"word " * (MAX_PAGE_BYTES // 4)))
    assert len(page.text) <= MAX_PAGE_BYTES
    assert "cut at" in page.note


def test_kept_attributes_and_flags() -> None:
    html = b"<p id=a class='b c' onclick=x data-y=z style='display:none'>x</p><q hidden>y</q><i aria-hidden=true>z</i>"
    site = build_site([Capture("http://a.org/", html)])
    p, q, i = (int(site.rows(t)[0]) for t in ("p", "q", "i"))
    assert site.node_attrs(p) == {"id": "a", "class": "b c", "style": "display:none"}
    assert [int(site.nodes.flags[r]) & 6 for r in (p, q, i)] == [2, 2, 4]


def test_head_and_json_ld() -> None:
    html = (
        b"<html lang=EN><head><base href='/d/'><title> A  b </title><link rel=canonical href=c>"
        b"<meta property=og:type content=article><meta name=Author content=Me>"
        b'<script type=\'application/ld&#43;json\'>{"@type": "Article"}</script></head><body><svg><title>no</title></svg>'
    )
    site = build_site([Capture("http://a.org/x/y.html", html)])
    assert site.pages.title == ("A b",)
    assert site.pages.language == ("en",)
    assert site.pages.base == ("http://a.org/d/",)
    assert site.pages.canonical == ("http://a.org/d/c",)
    assert site.pages.meta[0] == {"og:type": "article", "author": "Me"}
    assert site.pages.json_ld == (('{"@type": "Article"}',),)


def test_a_language_may_be_said_by_the_body() -> None:
    pages = (b"<body lang=de><p lang=fr>Mot", b"<html lang=en><body lang=de><p>Wort", b"<p lang=fr>Mot")
    site = build_site(Capture(f"http://a.org/{k}", html) for k, html in enumerate(pages))
    assert site.pages.language == ("de", "en", "")


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("für".encode("utf-8-sig"), "", "für"),
        ("für".encode("utf-16"), "", "für"),
        ("für".encode("cp1252"), "text/html; charset=ISO-8859-1", "für"),
        ("für".encode(), "text/html; charset=ISO-8859-1", "für"),
        (b"<meta charset=shift_jis>" + "日本".encode("shift_jis"), "", "日本"),
        (b"<meta charset=utf-16>" + "für".encode(), "", "für"),
        (b"<meta charset=rot13>" + "für".encode(), "", "für"),
        (b"<meta charset=no-such-set>" + "für".encode(), "", "für"),
        (b"<?xml version='1.0' encoding='koi8-r'?>" + "привет".encode("koi8-r"), "", "привет"),
        ("中文网页的内容".encode("gb18030"), "text/html; charset=gb2312", "中文网页的内容"),
        (b"<meta charset=utf-8>ok \xff\xfe bad", "", "ok"),
        (b"", "", ""),
    ],
)
def test_character_sets(body: bytes, content_type: str, text: str) -> None:
    assert text in decode(body, content_type)[0]


def test_guess_without_any_declaration() -> None:
    russian = "Это довольно длинный текст на русском языке, чтобы угадать кодировку. " * 20
    assert "русском" in decode(russian.encode("cp1251"))[0]


def test_unknown_tags_keep_their_name() -> None:
    site = build_site([Capture("http://a.org/", b"<my-card>x</my-card>")])
    row = int(np.flatnonzero(site.nodes.tag == TAGS.index("unknown"))[0])
    assert site.tag_name(row) == "my-card"
    assert site.xpath(row) == "/html/body[1]/my-card[1]"


def test_lexbor_itself_agrees_on_tags() -> None:
    html = b"<table><tr><td>a<td>b</table><p>c<div>d"
    page = parse_page(Capture("http://a.org/", html))
    root = LexborHTMLParser(html).root
    assert root is not None
    assert [TAGS[t] for t in page.tag if t] == [n.tag for n in root.traverse() if n.is_element_node]


def test_an_iframe_left_open_in_noscript_does_not_swallow_the_page() -> None:
    html = b"<p>one<noscript><iframe src='/gtm'></noscript><p>two<noscript><img alt=x></noscript><p>three"
    assert parse_page(Capture("http://a.org/", html)).text == "onetwothree"


UTF8_PIECES = [
    b"abc",
    "é".encode(),
    "中".encode(),
    "😀".encode(),
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\x80",
    b"\xf0",
]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=40), st.lists(st.sampled_from(UTF8_PIECES), max_size=12).map(b"".join)))
def test_utf8_is_told_as_python_tells_it(data: bytes) -> None:
    text, charset = decode(data)
    if charset == "utf-8" and not data.startswith(b"\xef\xbb\xbf"):
        assert as_utf8(data) == (data, "utf-8")
    assert as_utf8(data) == (text.encode("utf-8", "replace"), charset)
    compiled, python = both(lambda: native.is_utf8(data))
    assert compiled == python


@pytest.mark.parametrize("split", [native.split, reference.split], ids=["chosen", "python"])
def test_values_are_split_by_their_ends(split: Callable[..., tuple[str, ...]]) -> None:
    text = "aé中😀"
    assert split(text, np.array([0, 1, 1, 3, 4], np.int32)) == ("", "a", "", "é中", "😀")
    for ends in ([2, 1], [5], [-1]):
        with pytest.raises(ValueError, match="fit"):
            split(text, np.array(ends, np.int32))


def test_a_tag_of_one_capital_letter_changes_no_shared_bytes() -> None:
    for letter in string.ascii_uppercase:
        guard(f"<{letter}>x</{letter}>".encode(), 5)
    assert [bytes([c]) for c in string.ascii_uppercase.encode()] == [bytes((c,)) for c in range(65, 91)]
    assert b"".join(bytes([c]) for c in range(65, 91)).decode() == string.ascii_uppercase
