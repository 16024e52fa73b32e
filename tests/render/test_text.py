"""Plain text: the C body against the Python one."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.native import reference
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import TextRows
from sitegrain.render.markdown import to_markdown
from sitegrain.render.text import BREAKS, to_text
from tests.builders import site_of
from tests.native.bodies import both, needs_core

TAGS = "p div b a button td th tr table br pre textarea ul li h1 span label xmp code math".split()
TEXTS = [
    "x",
    " y ",
    "\u00a0",
    " \n\t",
    "a\rb",
    "\x01\x02c",
    "中文 ",
    "😀",
    "\u2003z\x85",
    "  two  words ",
    "\x04 \x06",
    "#",
]


def random_html(rng: random.Random) -> str:
    return "".join(
        rng.choice(TEXTS) if rng.random() < 0.5 else f"<{'/' if rng.random() < 0.4 else ''}{rng.choice(TAGS)}>"
        for _ in range(rng.randrange(50))
    )


SIGNS, CODE = bits_of("TEXT_MARKS")


@needs_core
@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_both_bodies_write_the_same(seed: int) -> None:
    rng = random.Random(seed)
    site = site_of(random_html(rng), random_html(rng))
    kept = np.random.default_rng(seed).random(site.n_nodes) < rng.choice((0.3, 0.8, 1.0))
    for page in range(2):
        compiled, python = both(partial(to_text, site, page, kept))
        assert compiled == python


@needs_core
@pytest.mark.parametrize(
    ("html", "marks"),
    [
        ("<p>x#<p>long #", SIGNS),
        ("<p>long #<p>x", 0),
        ("<p>😀🔗<p>x", SIGNS),
        ("<h1>x<a>¶</a></h1>", SIGNS),
        ("<p>x<math><mi>y</mi></math>", SIGNS),
        ("<p>x<pre><b>long</b></pre>", CODE),
        ("<pre></pre><p>long", 0),
        ("<pre>long<code>#</code></pre><p>long", SIGNS | CODE),
        ("", 0),
    ],
)
def test_what_may_be_a_permalink_a_formula_or_code_is_seen(html: str, marks: int) -> None:
    site = site_of(html)
    nodes, text = site.nodes, site.texts[0]
    for kept in (site.is_text, ~site.is_text):
        rows = TextRows(nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end, kept)
        seen = both(partial(native.text_marks, text, rows, "#¶🔗", 4))
        assert seen == (marks if kept is site.is_text else SIGNS if "math" in html else 0,) * 2


@needs_core
@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_both_bodies_see_the_same_marks(seed: int) -> None:
    rng = random.Random(seed)
    site = site_of(random_html(rng))
    nodes, kept = site.nodes, np.random.default_rng(seed).random(site.n_nodes) < 0.5
    rows = TextRows(nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end, kept)
    compiled, python = both(partial(native.text_marks, site.texts[0], rows, "#x¶", 4))
    assert compiled == python


SPACES = " \t\n\r\x0b\x85\xa0\u1680\u2000\u2007\u200a\u200b\u2028\u2029\u202f\u205f\u3000"


@needs_core
@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from("  abcdefgh" + SPACES + "\x01\x7f\xe9\u200b\u2019\u4e2d\uffff"), max_size=60)
        | st.text(st.sampled_from("abcde "), min_size=10, max_size=60)
        | st.text(st.characters(), max_size=60),
        min_size=1,
        max_size=4,
    )
)
def test_white_space_is_folded_the_same_by_many_characters_at_once(parts: list[str]) -> None:
    text = "".join(parts)
    ends = np.cumsum([len(part) for part in parts], dtype=np.int32)
    n = len(parts)
    starts = np.array([0, *ends[:-1]], np.int32)
    flags = np.array([k % 2 for k in range(n)], np.uint8)
    tags, kept = np.zeros(n, np.int16), np.ones(n, np.bool_)
    rows = TextRows(tags, np.arange(1, n + 1, dtype=np.int32), flags, starts, ends, kept)
    compiled, python = both(partial(native.to_text, text, rows, BREAKS))
    assert compiled == python


@needs_core
@pytest.mark.parametrize("html", ["<p>x<br>" * 50_000, "<pre>" * 500 + "x\n" * 300_000, "<a>x" * 50_000])
def test_hostile_pages_take_linear_time(html: str) -> None:
    site = site_of(html)
    start = time.process_time()
    to_text(site, 0, site.is_text)
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("to_text", [native.to_text, reference.to_text], ids=["chosen", "python"])
def test_columns_that_do_not_fit_are_refused(to_text: Callable[..., str]) -> None:
    def rows(end: int, stop: int) -> TextRows:
        i32, one = np.zeros(1, np.int32), np.ones(1, np.uint8)
        return TextRows(one.astype(np.int16), i32 + end, one, i32, i32 + stop, one.astype(bool))

    assert to_text("x", rows(1, 1), BREAKS) == ""
    for end, stop in ((9, 1), (1, 9), (0, 1)):
        with pytest.raises(ValueError, match="fit"):
            to_text("x", rows(end, stop), BREAKS)


def formula(drawn: str, read: str = "<math><mi>x</mi><annotation>x^2</annotation></math>", tag: str = "span") -> str:
    return f"<p>Let <{tag} class=katex><span>{read}</span>{drawn}</{tag}> be.</p>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (formula('<span aria-hidden="true"><b>x</b>2</span>'), "Let x2 be."),
        # MathJax draws before the copy for screen readers
        (
            '<p>Let <span><nobr aria-hidden="true">x2</nobr><span><math><mi>y</mi></math></span></span> be.</p>',
            "Let x2 be.",
        ),
        # Drawn without text, with a picture, or not at all: the MathML is all there is
        (formula('<span aria-hidden="true"></span>'), "Let xx^2 be."),
        (formula('<img src="a.png">'), "Let xx^2 be."),
        ("<p>Let <math><mi>x</mi></math> be.</p>", "Let x be."),
        # Text that is neither, or a block around: these are no two copies
        (formula('<span aria-hidden="true">x2</span> and'), "Let xx^2x2 and be."),
        (formula('<span aria-hidden="true">x2</span>', tag="div"), "Let\n\nxx^2x2\nbe."),
        ("<math><mi>x</mi></math>", "x"),
    ],
)
def test_a_formula_is_written_once(html: str, text: str) -> None:
    for site in (site_of(html), site_of("<p>Tea.", html)):
        page = site.n_pages - 1
        assert to_text(site, page, site.is_text) == text
        assert to_text(site, page, np.zeros(site.n_nodes, bool)) == ""


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>Tea<a href='#tea'>\xb6</a></h2><p>Boil.", "Tea\n\nBoil."),
        ("<h2><a href='/a.html#tea'> # </a>Tea</h2>", "Tea"),
        ("<dl><dt>boil()<a href='#boil'>\uf0c1</a><dd>Boils.</dl>", "boil()\nBoils."),
        ("<h2><a href='/law'>\xa7</a> 5</h2>", "\xa7 5"),  # leads elsewhere
        ("<p>See <a href='#a'>#</a></p>", "See #"),  # no heading
        ("<h2>C#</h2>", "C#"),
        ("<h2><a href='#c'>C#</a></h2>", "C#"),
    ],
)
def test_signs_that_lead_to_their_own_heading_are_no_text(html: str, text: str) -> None:
    site = site_of(html)
    assert to_text(site, 0, site.is_text) == text


def test_links_of_captions_to_themselves_are_no_text() -> None:
    site = site_of(
        "<figure><figcaption>A pot<a class=headerlink href=#id1>\xb6</a></figcaption></figure><p>See <a href=#x>\xa7</a>"
    )
    assert to_text(site, 0, site.is_text) == "A pot\n\nSee \xa7"


def test_line_numbers_of_one_page_do_not_move_the_text_of_another() -> None:
    code = (
        "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>\n<span class=linenos>3</span><b> b</b></pre>"
    )
    site = site_of("<p>1</p>", code, "<table><tr><td><pre>1\n2</pre><td><pre>x\ny</pre></table>", "<pre>1\n2</pre>")
    texts = [to_text(site, page, site.is_text) for page in range(4)]
    assert texts == ["1", "a\n\n b", "x\ny", "1\n2"]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ("<td class=x1><pre><i>1</i><br><i>2</i><br></pre></td>", "x y"),  # Hexo's, without its names
        ("<td><pre>1\n2</pre></td>", "x y"),
        ("<td><pre><i>1</i></pre></td>", "x y"),
        ("<td><pre><i>7</i></pre></td>", "7 x y"),
        ("<td><pre><i>1</i><br><i>3</i><br></pre></td>", "1 3 x y"),  # a column of numbers that do not count
        ("<td><p>1</p><p>2</p></td>", "1 2 x y"),
    ],
)
def test_line_numbers_without_names_are_told_by_counting(numbers: str, text: str) -> None:
    site = site_of(f"<table><tr>{numbers}<td class=x2><pre><b>x</b><br>y</pre></td></tr></table>")
    assert to_text(site, 0, site.is_text).split() == text.split()
    assert set("17") & set(to_markdown(site, 0, site.is_text)) == set("17") & set(text)
