"""Markdown and HTML: both bodies of the kernel, on random pages, on hostile ones, and with columns that do not fit."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegrain.arrays.types import Bools
from sitegrain.render import RenderedPage
from sitegrain.render.walk import Walk
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.hostile.corpus import CASES
from tests.native.bodies import both, in_python, needs_core
from tests.render.test_hostile import PAGES as LARGE

TAGS = (
    "p div span b strong i em cite code kbd s del sub sup q a a a ul ol menu li li table tr td th caption tbody pre xmp textarea "
    "blockquote h1 h2 h3 h6 br hr img img picture source section dl dt dd figure noscript math msup mi mn x-y font center video "
    "iframe"
).split()
ATTRS = (
    "", "", "", ' href="/x"', ' href="#a"', ' href=" #b "', ' href="http://t.example/0"', ' href="mailto:a@b.org"', ' href="/(x)?u=t.example"',
    ' href="http://s.example/?u=http%3A%2F%2Ft.example%2F0"', ' href="/big.JPG"', ' href="javascript:x"', ' href="/y#f <g>"', ' id=a', ' id=b',
    ' name=a', ' class="language-c"', ' class="linenos"', ' class="math"', ' class="tex x"', ' class=headerlink', ' class=avatar', ' colspan=3',
    ' colspan="٣"', ' rowspan=" 2 "', ' rowspan=1000', ' src="i.png" alt="a *b*"', ' src="i.png"', ' src="/1x1.gif" data-src=j.png', ' width=1',
    ' src="data:image/png;base64,AAAA" alt=" x "', ' src="https://player.vimeo.com/1" title="A [film]"', ' start=4', ' start="٤"', ' role=none',
    ' srcset="s.png 1x, l.png 2x"', ' hidden',
)  # fmt: skip
WORDS = st.text("ab _*`<>&|#-+=:.)1٣\n\t[]()!\\~\"'$中。é−–\x01\x0e\x0f\x14\x15\x85\xa0\U0001f375", max_size=10)
PIECES = st.one_of(
    WORDS.map(lambda w: w.replace("&", "&amp;").replace("<", "&lt;")),
    st.sampled_from(
        [
            "a",
            "b c",
            " ",
            "1. x",
            "- x",
            "# x",
            "&amp;amp; x",
            r"\(x^2\)",
            "$$y$$",
            "1\n2\n3\n",
            "¶",
            "_a_ b_c",
            "---",
            "|",
        ]
    ),
    st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRS), st.sampled_from(ATTRS)).map(
        lambda t: f"<{t[0]}{t[1]}{t[2]}>"
    ),
    st.sampled_from(TAGS).map(lambda t: f"</{t}>"),
)
PAGES = st.lists(PIECES, max_size=40).map("".join)
TABLES = st.lists(
    st.tuples(
        st.sampled_from(["<tr>", "<td>", "<td colspan=2>", "<td rowspan=2>", "<th>", "<caption>", "<p>", "<ul><li>"]),
        WORDS,
    ),
    max_size=25,
).map(
    lambda cells: (
        "<table><tr><th>a<td>b<tr><td>c<td>" + "".join(f"{tag}{text.replace('<', '&lt;')}" for tag, text in cells)
    )
)


def written(
    site: Site, page: int, kept: Bools, repeated: frozenset[str] = frozenset(), title: str = ""
) -> tuple[str, str]:
    rendered = RenderedPage(site, page, kept, repeated, title)
    return rendered.markdown(), rendered.html()


@needs_core
@example(
    "1<p><p>1<div>1<a><hr>1", "", 0, "", True
)  # nothing has no address, and an empty one is no picture of the template
@settings(max_examples=400, deadline=None)
@given(PAGES, PAGES, st.integers(0, 2**32 - 1), st.sampled_from(["", "a", "b c", "# x#\n"]), st.booleans())
def test_both_bodies_write_the_same(html: str, other: str, seed: int, title: str, has_template: bool) -> None:
    site = site_of(html, other)
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.8)
    repeated = frozenset(("i.png", "")) if has_template else frozenset[str]()
    for page in (0, 1):
        compiled, plain = both(lambda page=page: written(site, page, kept, repeated, title))  # type: ignore[misc]
        assert compiled == plain


@needs_core
@settings(max_examples=150, deadline=None)
@given(TABLES, st.integers(0, 2**32 - 1))
def test_both_bodies_write_the_same_tables(html: str, seed: int) -> None:
    site = site_of(html)
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.9)
    compiled, plain = both(lambda: written(site, 0, kept))
    assert compiled == plain


HOSTS = (
    "a.org",
    "a.b-c.org",
    "xn--a.org",
    "a",
    "a.o",
    "A.org",
    "a..org",
    "-a.org",
    "a-.org",
    "a.org:80",
    "u@a.org",
    "1.2.3.4",
    "a.1org",
    "",
)
ADDRESSES = st.one_of(
    st.text("ab/.:?#=&%2eE@,;()!$*~+-_ \\'\"[]|^{}`\té", max_size=12),
    st.tuples(
        st.sampled_from(("http://", "https://", "//", "HTTP://", "http:/", "/", " https://")),
        st.sampled_from(HOSTS),
        st.text("ab/.?#=&%2eE@,;:()!$*~+ '\x01", max_size=10),
    ).map("".join),
)
BASES = (
    "http://t.example/",
    "https://t.example/b/",
    "http://t.example/x?y=",
    "http://localhost/",
    "http://t.example/%7e/../",
)


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(ADDRESSES, ADDRESSES), min_size=1, max_size=6), st.sampled_from(BASES))
def test_both_bodies_write_the_same_addresses(pairs: list[tuple[str, str]], base: str) -> None:
    parts = (
        f'<p>tea <a href="{escape(href)}">milk</a> cup <img src="{escape(src)}" alt=x> pot</p>' for href, src in pairs
    )
    site = site_of("<p id=a>" + "".join(parts), base=base)
    compiled, plain = both(lambda: written(site, 0, site.is_text))
    assert compiled == plain


PICTURES = st.lists(
    st.tuples(
        st.sampled_from(("<p>tea", "<noscript>", "</noscript>", "<picture><source srcset='l.webp 2x'>", "</picture>", "<figure class=avatar>")),
        st.sampled_from(("tea", "tea-300x200", "tea-900x600", "tea-49x300", "tea-50x99", "tea-12345x200", "-200x200", "spacer", "x.no-image", "Blank")),
        st.sampled_from((".jpg", ".JPG", ".webp", ".mp4", ".jpg?w=200", ".avif2", "")),
        st.sampled_from(("", "", " alt='a b'", " alt=' a'", " alt='a  b'", " alt='é\u2003x'", " alt=''", " width=1", " width=0 height=20", " height=1")),
        st.sampled_from(("", "", " class=Avatar", " class=avatars", " class='é'", " data-src=/late.png", " data-srcset='s.png 1x'", " data-src=''")),
    ),
    max_size=8,
)  # fmt: skip


@needs_core
@settings(max_examples=300, deadline=None)
@given(PICTURES)
def test_both_bodies_write_the_same_pictures(drawn: list[tuple[str, str, str, str, str]]) -> None:
    html = "".join(f"{tag}<img src='/i/{name}{end}'{alt}{more}>milk" for tag, name, end, alt, more in drawn)
    site = site_of(f"<p>cup{html}")
    compiled, plain = both(lambda: written(site, 0, site.is_text))
    assert compiled == plain


NAMES = (
    "",
    " class=language-c",
    " class='C hljs'",
    " class=Brush:php",
    " class=box",
    " class='é'",
    " data-lang=go",
    " data-lang=''",
    " data-language=None",
)


@needs_core
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(*[st.sampled_from(NAMES)] * 3, st.sampled_from(("div", "figure", "td", "p"))), max_size=5),
    st.booleans(),
)
def test_both_bodies_name_the_same_languages(codes: list[tuple[str, str, str, str]], is_bare: bool) -> None:
    html = "".join(
        f"<{box}{a}><pre{b}>" + ("x" if is_bare else f"<span><code{c}>x</code></span>") + f"</pre></{box}>"
        for a, b, c, box in codes
    )
    site = site_of(html)
    compiled, plain = both(lambda: written(site, 0, site.is_text))
    assert compiled == plain


LINES = (
    "<div>",
    "</div>",
    "<code>",
    "</code>",
    "<br>",
    "\n",
    " ",
    "a",
    "<p>",
    "<li>",
    "<td>",
    "<b>b</b>",
    "<div>\n</div>",
    "<div><div>\n</div></div>",
    "<i></i>",
)


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=30).map("".join), st.integers(0, 2**32 - 1))
def test_both_bodies_write_the_same_lines_of_code(html: str, seed: int) -> None:
    site = site_of(f"<p>c</p><pre>{html}</pre><p>d</p>")
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.9)
    compiled, plain = both(lambda: written(site, 0, kept))
    assert compiled == plain


@needs_core
def test_plain_links_and_pictures_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("href", "picture", "language"):
        monkeypatch.setattr(Walk, name, lambda self, row, *known: 1 / 0)
    site = site_of("<p>a <a href='//b.org/c#d'>e</a><img src=i-300x200.png alt='f g'>h</p><pre class=box>j</pre>")
    assert RenderedPage(site, 0, site.is_text).markdown() == (
        "a [e](http://b.org/c#d)![f g](http://t.example/i-300x200.png)h\n\n```\nj\n```"
    )


@needs_core
@pytest.mark.parametrize("name", LARGE)
def test_both_bodies_write_the_same_of_large_pages(name: str) -> None:
    site = site_of(LARGE[name]()[:60_000])
    compiled, plain = both(lambda: written(site, 0, site.is_text))
    assert compiled == plain


@needs_core
@pytest.mark.parametrize("name", CASES)
def test_both_bodies_write_the_same_of_hostile_pages(name: str) -> None:
    site = site_of(CASES[name](8_000))
    compiled, plain = both(lambda: written(site, 0, site.is_text))
    assert compiled == plain


@needs_core
def test_only_odd_pages_go_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def in_python(self: Walk, title: str) -> str:
        asked.append(title)
        return ""

    monkeypatch.setattr(Walk, "in_python", in_python)
    page = "<h1>Tea</h1><p>Boil <b>hot</b> <a href=/w>water</a>.<table><tr><td rowspan=2>a<td>b<tr><td>c</table>"
    for html, is_odd in (
        (page, False),
        (f"{page}<ol start=٣><li>x", True),
        ("<b><i>" * 40 + "x", True),
        ("<code>a<img src=i.png>b</code>", True),
    ):
        asked.clear()
        site = site_of(html)
        written(site, 0, site.is_text, title="T")
        assert bool(asked) == is_odd, html


@needs_core
def test_what_a_page_answers_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_of("<p>a<img src=../i.png>b<a href=/x>c</a>")
    monkeypatch.setattr(Walk, "picture", lambda self, row, attrs: (1, 2))
    with pytest.raises(TypeError):
        written(site, 0, site.is_text)
    monkeypatch.setattr(Walk, "picture", lambda self, row, attrs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        written(site, 0, site.is_text)


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    site = site_of("<p class=a>one</p><p>two")
    nodes = site.nodes
    for name, value in (
        ("parent", 99),
        ("end", 0),
        ("end", 99),
        ("tag", 999),
        ("tag", -1),
        ("text_end", 99),
        ("text_start", -1),
    ):
        column = getattr(nodes, name).copy()
        column[-1] = value
        broken = replace(site, nodes=replace(nodes, **{name: column}))
        with pytest.raises(ValueError, match="fit the page"):
            written(broken, 0, site.is_text)
    for name, value in (("value", 99), ("value", -1), ("name", 999)):
        column = getattr(site.attrs, name).copy()
        column[-1] = value
        with pytest.raises(ValueError, match="fit the page"):
            written(replace(site, attrs=replace(site.attrs, **{name: column})), 0, site.is_text)


def test_the_reference_is_the_walk_in_python() -> None:
    site = site_of("<h2>Tea</h2><p>Boil <b>water</b>.")
    with in_python():
        assert written(site, 0, site.is_text, title="T") == (
            "# T\n\n## Tea\n\nBoil **water**.",
            "<h1>T</h1>\n<h2>Tea</h2>\n<p>Boil <strong>water</strong>.</p>",
        )
