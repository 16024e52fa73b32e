"""Headings between kept text."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.together.headings import (
    LEAST_SCORE,
    MOST_LINKED,
    NEARLY,
    with_headings,
    with_headings_of_site,
)
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.tags import TAGS
from tests.extractor.mending.drawn import Drawn, pages
from tests.extractor.mending.together.test_lists import page_of, texts


def test_a_heading_between_kept_text_is_kept() -> None:
    def found(html: str) -> list[str]:
        page = page_of(html, "Tea.", "Milk.")
        links, is_heading = page.evidence.column("link_density"), page.evidence.column("in_heading") > 0
        return texts(page, with_headings(page.blocks, page.score, links, is_heading, page.kept))

    assert found("<p>Tea.<h2>Of milk</h2><p>Milk.") == ["Tea.", "Of milk", "Milk."]
    for html in (
        "<p>Tea.<h1>Of milk</h1><p>Milk.",
        "<p>Tea.<h2><a href=x>Of milk</a></h2><p>Milk.",
        "<p>Tea.<h2>Of milk</h2><h3>Of cows</h3><p>Milk.",
        "<p>Tea.<div><h2>Of milk</h2></div><p>Milk.",
        "<p>Tea.<p>More.<h2>Of milk</h2><p>Milk.",
    ):
        assert found(html) == ["Tea.", "Milk."], html


@settings(max_examples=150, deadline=None)
@given(pages())
def test_equals_the_obvious_way(page: Drawn) -> None:
    evidence, score, kept = page
    blocks, rows = evidence.blocks, evidence.blocks.rows
    links, is_heading = evidence.column("link_density"), evidence.column("in_heading") > 0
    wanted = kept.copy()
    for row in range(len(rows)):
        own = [k for k in range(len(blocks)) if row <= blocks.first[k] < rows.end[row]]
        if TAGS[rows.tag[row]] not in ("h2", "h3", "h4", "h5", "h6") or len(own) != 1:
            continue
        around = [k for k in (own[0] - 1, own[0] + 1) if 0 <= k < len(blocks) and kept[k]]
        parent = int(rows.parent[row])
        is_near = len(around) == 2 and all(parent <= blocks.first[k] < rows.end[parent] for k in around)
        if is_near and not is_heading[own[0] + 1] and score[own[0]] >= LEAST_SCORE and links[own[0]] < MOST_LINKED:
            wanted[own] = True
    found = with_headings(blocks, score, links, is_heading, kept)
    assert np.array_equal(found, wanted)


def headed(html: str, score: float, *dropped: str) -> list[str]:
    blocks = text_blocks(rows_of(build_site([Capture("http://a.org/", html.encode())]), 0, 1))
    texts = [blocks.text(i) for i in range(len(blocks))]
    kept = np.array([text not in dropped for text in texts])
    found = with_headings_of_site(blocks, np.full(len(texts), score), kept)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


def test_with_the_site_what_is_kept_keeps_its_heading() -> None:
    page = "<p>Tea.<h2>Milk</h2><p>With milk.<h2>More</h2><p>Menu"
    assert headed(page, 0.0, "Milk", "More", "Menu") == ["Tea.", "Milk", "With milk."]
    first = "<p>Menu<h2>Milk</h2><p>With milk."
    assert headed(first, NEARLY, "Milk", "Menu") == ["Milk", "With milk."]
    assert headed(first, NEARLY - 0.1, "Milk", "Menu") == ["With milk."]
    assert headed(first.replace("h2", "h1"), NEARLY, "Milk", "Menu") == ["With milk."]
    sections = f"{first.replace('h2', 'h1')}<h1>Lemon</h1><p>Or with a slice of it.</p>"
    assert headed(sections, NEARLY, "Milk", "Menu") == ["Milk", "With milk.", "Lemon", "Or with a slice of it."]
    assert headed(page.replace("h2", "h6"), 0.0, "Milk", "More", "Menu") == ["Tea.", "With milk."]
    assert headed("<h2>Milk</h2>", 1.0, "Milk") == []
    balloon = "<p>Tea.<p>Ann<section><h2>Milk</h2><p>With milk.</section>"
    assert headed(balloon, 0.0, "Milk", "Ann") == ["Tea.", "Milk", "With milk."]
    far = "<div>Tea.<p>A<p>B<p>C<p>D<h2>Milk</h2><p>With milk.</div>"
    assert headed(far, 0.0, *"ABCD", "Milk") == ["Tea.", "Milk", "With milk."]
    assert headed(far.replace("<h2>", "<section><h2>"), 0.0, *"ABCD", "Milk") == ["Tea.", "With milk."]


def test_a_link_to_the_heading_is_no_text_under_it() -> None:
    page = "<p>Tea.<div><h2 id=milk>Milk</h2><a href=#milk>Section titled Milk</a></div><p>With milk.<p>Menu"
    wanted = ["Tea.", "Milk", "With milk."]
    for html in (
        page,
        page.replace("<h2 id=milk", "<h2").replace("<div", "<div id=milk"),
        page.replace("#milk", "http://a.org/#milk"),
    ):
        assert headed(html, 0.0, "Milk", "Section titled Milk", "Menu") == wanted, html
    for html in (page.replace("#milk", "#tea"), page.replace("#milk", "/milk"), page.replace("</a>", "</a><p>Menu")):
        assert headed(html, 0.0, "Milk", "Section titled Milk", "Menu") == ["Tea.", "With milk."], html
