"""Formulas between delimiters in the text of pages that load a program for them."""

from __future__ import annotations

import time

import pytest

from sitegrain.render import to_markdown
from sitegrain.render.rawmath import with_formulas
from tests.builders import site_of

MATHJAX = "<script src=https://cdn.example/mathjax@3/es5/tex-mml-chtml.js></script>"


def written(html: str) -> str:
    site = site_of(html)
    return to_markdown(site, 0, site.is_text)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (r"so \(a_1 \le b_1\) is", r"so $a_1 \le b_1$ is"),
        (r"\[ \sum_{i} x_i \]", r"$$\sum_{i} x_i$$"),
        (r"so $\frac{a}{b}$ and $$x^*_1$$ are", r"so $\frac{a}{b}$ and $$x^*_1$$ are"),
        (r"$$ \frac{a}{b} $$", r"$$\frac{a}{b}$$"),
        ("tea for $5, milk for $6", "tea for $5, milk for $6"),
        (r"so <code>\(a_1\)</code> is", r"so `\(a_1\)` is"),
    ],
)
def test_where_a_program_sets_them(text: str, markdown: str) -> None:
    assert written(f"{MATHJAX}<p>{text}</p>") == markdown


def test_elsewhere_they_are_text() -> None:
    assert written(r"<p>so \(a_1\) is</p>") == r"so \\(a_1\\) is"


def test_where_elements_say_what_is_a_formula_nothing_is_read_twice() -> None:
    html = rf"{MATHJAX}<p><span class=math>\(a \\ b\)</span></p>"
    assert written(html) == r"$a \\ b$"


@pytest.mark.parametrize("piece", [r"\\(", "$", "$x^", "`", "```\n", "``` x\n", "` ``", r"\\\["])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    with_formulas(piece * 100_000)
    assert time.process_time() - start < 5
