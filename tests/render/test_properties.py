"""Whatever the page: the fast text equals the slow one, clean HTML is clean, and no format loses or adds words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from sitegrain.render import to_html, to_markdown, to_text
from tests.builders import site_of
from tests.native.bodies import both
from tests.oracles.render import slow_text

TAGS = (
    "p div span b i em a ul ol li table tr td th caption pre code blockquote h2 h3 br hr img section q dl dt dd "
    "font center button label textarea x-y sub figure script style"
).split()
ATTRS = (
    "", ' href="/x"', ' href="javascript:x"', ' class="language-c"', ' onclick="x()"', ' colspan="3"',
    ' rowspan="2"', ' src="i.png"', ' start="4"', " hidden",
)  # fmt: skip
WORDS = st.text("ab *_`<>&|#-.1\n\t[]()!\\~\"'中é", max_size=8)
PIECES = st.one_of(
    WORDS.map(lambda w: w.replace("&", "&amp;").replace("<", "&lt;")),
    st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRS)).map(lambda t: f"<{t[0]}{t[1]}>"),
    st.sampled_from(TAGS).map(lambda t: f"</{t}>"),
)
PAGES = st.lists(PIECES, max_size=30).map("".join)
ALLOWED = {
    "p", "h2", "h3", "ul", "ol", "li", "blockquote", "pre", "code", "table", "caption", "tr", "th", "td", "hr", "br",
    "a", "img", "strong", "em", "del", "sub", "sup", "q", "tbody", "dl", "dt", "dd", "html", "head", "body", "-text",
}  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(PAGES, st.integers(0, 2**32 - 1))
def test_text_equals_oracle(html: str, seed: int) -> None:
    site = site_of(html)
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.7)
    assert to_text(site, 0, kept) == slow_text(site, 0, kept)


@settings(max_examples=300, deadline=None)
@given(PAGES, st.integers(0, 2**32 - 1))
def test_html_is_clean_and_whole(html: str, seed: int) -> None:
    site = site_of(html)
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.7)
    tree = LexborHTMLParser(to_html(site, 0, kept) or "<p>")
    assert tree.root is not None
    assert tree.body is not None
    for node in tree.root.traverse(include_text=True):
        assert node.tag in ALLOWED
        if node.tag != "-text":
            for name, value in node.attributes.items():
                assert name in ("href", "src", "alt", "class", "colspan", "rowspan", "start")
                assert name not in ("href", "src") or re.match(r"https?://|mailto:", value or "")
    words = [w for row in np.flatnonzero(kept) for w in site.node_text(int(row)).split()]
    assert "".join(tree.body.text(deep=True).split()) == "".join(words)


@settings(max_examples=80, deadline=None)
@given(PAGES)
@example("<sub>1")
def test_markdown_keeps_letters(html: str) -> None:
    site = site_of(html)
    letters = [c for c in site.texts[0] if c in "b中é"]
    markdown = re.sub(
        r"\]\(<?http[^)]*\)|^`{3,}\w*$|</?su[bp]>", "", to_markdown(site, 0, site.is_text), flags=re.MULTILINE
    )
    assert [c for c in markdown if c in "b中é"] == letters


def read_back(markdown: str) -> str:
    """The text of Markdown by a CommonMark parser; neither alternative texts nor the bullets of lists are text."""
    out: list[str] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        if token.type in ("fence", "code_block"):
            out.append(token.content)
        assert token.type != "html_block", markdown
        for child in token.children or ():
            if child.type in ("text", "code_inline"):
                out.append(child.content)
            elif child.type == "html_inline":
                assert re.fullmatch("<br>|</?su[bp]>", child.content), markdown
    return "".join(out)


@settings(max_examples=400, deadline=None)
@given(PAGES, st.integers(0, 2**32 - 1))
def test_markdown_reads_back_as_the_text(html: str, seed: int) -> None:
    site = site_of(html)
    kept = site.is_text & (np.random.default_rng(seed).random(site.n_nodes) < 0.8)
    words = [w for row in np.flatnonzero(kept) for w in site.node_text(int(row)).split()]
    assert "".join(re.sub("[“”]", "", read_back(to_markdown(site, 0, kept))).split()) == "".join(words)


def test_code_in_a_heading_is_escaped_too() -> None:
    site = site_of("<h2><textarea><img src=x onerror=alert(1)></textarea></h2>")
    assert to_html(site, 0, site.is_text) == "<h2>&lt;img src=x onerror=alert(1)&gt;</h2>"


def test_depth_is_no_danger() -> None:
    site = site_of("<ul><li>" * 250 + "deep" + "<blockquote>" * 200 + "deeper")
    for render in (to_text, to_markdown, to_html):
        assert "deeper" in render(site, 0, site.is_text)


def test_nothing_kept_is_empty() -> None:
    site = site_of("<p>x", "")
    for page in (0, 1):
        for render in (to_text, to_markdown, to_html):
            assert render(site, page, np.zeros(site.n_nodes, bool)) == ""


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("a <code>x</code><code>y</code><code>z</code> b", "a `xyz` b"),  # two ticks side by side would be other ticks
        ("a <code>x</code> <code>y</code> b", "a `x` `y` b"),
        ("a <code>x</code><b><code>y</code></b> b", "a `x`**`y`** b"),
        ("a <code>x</code><a href='http://a.org/'><code>y</code></a>", "a `x`[`y`](http://a.org/)"),
        ("a `<code>y</code> b", "a \\``y` b"),
    ],
)
def test_code_right_behind_code(html: str, markdown: str) -> None:
    site = site_of(f"<p>{html}</p>")
    for found in both(lambda: to_markdown(site, 0, np.ones(site.n_nodes, bool))):
        assert found == markdown
