"""Shadow roots that a page declares are shown, soft hyphens are not."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sitegrain
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import parse_page
from sitegrain.tables.parsing.shown import open_shadow_roots


@given(st.lists(st.text("ab \xad中", max_size=6), max_size=6))
def test_soft_hyphens_are_taken_out_of_rows(texts: list[str]) -> None:
    html = "<title>x</title>" + "".join(f"<p>{text.replace(chr(0xAD), '&shy;')}z</p>" for text in texts)
    page = parse_page(Capture("http://a.org/", html.encode()))
    plain = parse_page(Capture("http://a.org/", html.replace("&shy;", "").encode()))
    assert page.text == plain.text
    for name in ("text_start", "text_end"):
        np.testing.assert_array_equal(getattr(page, name), getattr(plain, name), name)


@pytest.mark.parametrize("hyphen", ["&shy;", "&#173;", "&#xAD;", "\xad"])
def test_words_are_whole(hyphen: str) -> None:
    article = sitegrain.extract(
        f"<h1>Un{hyphen}problematisch</h1><p>Der <b>Geschlechts{hyphen}</b>eintrag ist un{hyphen}problematisch."
    )
    assert article.text == "Unproblematisch\n\nDer Geschlechtseintrag ist unproblematisch."
    assert article.title == "Unproblematisch"
    assert "**Geschlechts**eintrag" in article.markdown
    assert "\xad" not in article.html


def test_a_declared_shadow_root_is_text_and_another_template_is_none() -> None:
    html = (
        "<title>Tea</title><h1>Tea</h1><template><p>A row for scripts to copy, which nobody sees.</template>"
        "<my-tea><TEMPLATE class=x shadowrootmode='open'><p>Boil the water, all of it.</p><template><p>Not this.</template><slot></slot></TEMPLATE>"
        "<p>Wait for three minutes.</p></my-tea><p>Then drink it while it is hot."
    )
    text = sitegrain.extract(html).text
    assert text == "Tea\n\nBoil the water, all of it.\n\nWait for three minutes.\n\nThen drink it while it is hot."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<template shadowrootmode=open>a</template>", "<shadow-root shadowrootmode=open>a</shadow-root>"),
        ("<template shadowroot='closed'>a", "<shadow-root shadowroot='closed'>a"),
        ("</template><template>b</template> shadowroot", "</template><template>b</template> shadowroot"),
        ("<template x-shadowrootmode=1>a</template>", "<template x-shadowrootmode=1>a</template>"),
        ("<templates shadowrootmode=open>a</templates>", "<templates shadowrootmode=open>a</templates>"),
        (
            "<script>'<template shadowrootmode=open>'</script><!--<template shadowrootmode=open>--><template>x</template>",
            "<script>'<template shadowrootmode=open>'</script><!--<template shadowrootmode=open>--><template>x</template>",
        ),
        ("<script><template shadowrootmode=open>", "<script><template shadowrootmode=open>"),
    ],
)
def test_which_templates_are_shown(before: str, after: str) -> None:
    assert open_shadow_roots(before.encode()).decode() == after


@pytest.mark.parametrize(
    "unit",
    [
        b"<template shadowrootmode=a>",
        b"<script shadowroot=",
        b"<!-- shadowroot",
        b"<template shadowroot",
        b"</template shadowroot",
    ],
)
def test_takes_linear_time(unit: bytes) -> None:
    start = time.process_time()
    open_shadow_roots(unit * (4_000_000 // len(unit)))
    assert time.process_time() - start < 3


def test_what_stands_in_no_line_is_no_text() -> None:
    ruby = "<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp>\u5b57<rt>ji</rt></ruby>"
    hot = "<p>The tea must draw for three minutes, and then it must be drunk while it is hot, said the woman who sold it.</p>"
    html = f"<title>Tea</title>{hot}<p>How {ruby} are<svg><title>A cup</title><path d=M0 /></svg> read\ufeff in wo\u200brds, and who\u2060 has read them before us.</p>{hot}"
    article = sitegrain.extract(html)
    said = "How \u6f22\u5b57 are read in words, and who has read them before us."
    assert said in article.text.split("\n\n")
    assert said in article.markdown.split("\n\n")
    assert f"<p>{said}</p>" in article.html


@pytest.mark.parametrize(
    "word",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
        "\U0001f469\u200d\U0001f680",
    ],
)
def test_signs_that_join_or_part_letters_stay(word: str) -> None:
    assert parse_page(Capture("http://a.org/", f"<p>{word}".encode())).text == word
