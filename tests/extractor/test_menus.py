"""Menus of sections: found by the whole element, however small their share of the site."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.knowledge import block_sizes, block_texts, learn
from sitegrain.extractor.menus import LINKED, LINKS, MENU_LINKED, PAGES, inside, link_boxes
from sitegrain.extractor.model import Extractor
from sitegrain.tables.tags import TEXT
from tests.builders import site_of

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll", "ledge")


def _story(section: str, n: int) -> str:
    said = " ".join(f"{WORDS[(n * 7 + k) % 12]} {WORDS[(n + k * 5) % 12]} {section}" for k in range(40))
    return f"<h1>{WORDS[n % 12]} of {section}</h1><p>{said.capitalize()}.</p><p>It ends with {WORDS[n // 12]} and {section}.</p>"


def _menu(section: str, current: int) -> str:
    names = [f"See {word} in {section}" for word in WORDS[: LINKS + 2]]
    links = [name if k == current else f"<a href=/{section}/{k}>{name}</a>" for k, name in enumerate(names)]
    return f"<b>Of {section}</b><ul><li>{'<li>'.join(links)}</ul>"


def test_the_menu_of_a_section_of_a_large_site_is_found() -> None:
    sections = [f"{a}{b}" for a in WORDS for b in WORDS][:30]
    site = site_of(*(f"<div>{_menu(s, k)}</div><div>{_story(s, k)}</div>" for s in sections for k in range(PAGES)))
    known = learn(site)
    for page in range(0, site.n_pages, 13):
        blocks = text_blocks(rows_of(site, page, page + 1))
        links = block_sizes(blocks)[1]
        found = known.in_menu(blocks, links, np.ones(len(blocks), bool))
        of_menu = [blocks.text(b).startswith(("See ", "Of ")) for b in range(len(blocks))]
        assert found.tolist() == of_menu
        few = np.array(of_menu) & (
            np.arange(len(blocks)) < LINKS - 1
        )  # of a menu of which little is kept nothing is taken
        assert not known.in_menu(blocks, links, few).any()
    verdict = Extractor().fit(site).apply(site)
    kept = " ".join(site.node_text(r) for r in np.flatnonzero(verdict.node_kept).tolist())
    assert "See " not in kept
    assert kept.count("It ends with ") == site.n_pages


def test_a_list_that_few_pages_have_is_no_menu() -> None:
    pages = [_menu("tea", -1) + _story("tea", k) for k in range(PAGES - 1)] + [_story("sea", k) for k in range(60)]
    site = site_of(*pages)
    model = Extractor().fit(site)
    assert model.knowledge_ is not None
    assert not len(model.knowledge_.menus.key)
    again = Extractor().fit(site_of(*pages, _menu("tea", -1) + _story("tea", 19)))
    assert again.knowledge_ is not None
    assert again.knowledge_.menus.times.tolist() == [PAGES]


@given(
    st.lists(
        st.sampled_from(
            ["<a href=x>one two three</a><br><br>", "<p>text of some length", "<div>", "</div>", "<ul><li>"]
        ),
        max_size=60,
    )
)
def test_boxes_are_those_that_loops_find(parts: list[str]) -> None:
    site = site_of("".join(parts) + "<p>x")
    blocks = text_blocks(rows_of(site, 0, 1))
    rows = blocks.rows
    links = block_sizes(blocks)[1]
    found = link_boxes(blocks, links)
    expected = set()
    for row in range(len(rows)):
        own = [b for b in range(len(blocks)) if row <= blocks.first[b] < rows.end[row]]
        sizes = [int(blocks.text_end[b] - blocks.text_start[b]) for b in own]
        linked = sum(size * links[b] for b, size in zip(own, sizes, strict=True))
        if (
            rows.tag[row] != TEXT
            and sum(links[b] >= LINKED for b in own) >= LINKS
            and linked >= MENU_LINKED * sum(sizes)
        ):
            expected.add((own[0], own[-1] + 1))
    assert set(zip(found.first.tolist(), found.last.tolist(), strict=True)) == expected
    in_any = {b for first, last in expected for b in range(first, last)}
    assert set(np.flatnonzero(inside(found, len(blocks))).tolist()) == in_any
    said = block_texts(blocks)
    keys = found.keys(said.text[said.which])
    texts = [tuple(sorted(blocks.text(b) for b in range(*box))) for box in zip(found.first, found.last, strict=True)]
    assert all((keys[i] == keys[j]) == (texts[i] == texts[j]) for i in range(len(keys)) for j in range(len(keys)))
