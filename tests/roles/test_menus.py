"""Menus of sections: what is on too few pages to be the site's, and on too many to be a page's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.counts import Counts
from sitegrain.native import page_keys
from sitegrain.roles.menus import LINKED, LINKS, PAGES, inside, link_boxes, menu_rows
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from tests.builders import site_of

PROSE = "Page {} is about the long road from the harbour to the market, and about who walked on it in those years. "


def links(pages: range, wrap: str = "li") -> str:
    return "".join(f"<{wrap}><a href={k}.html>Part {k}</a></{wrap}>" for k in pages)


def measured(found: PageFeatures, name: str) -> list[int]:
    return [int(v) for v in np.expm1(found.values[:, found.names.index(name)]).round()]


def test_the_menu_of_a_section_of_a_large_site_is_nobodys_own() -> None:
    """On 25 of 240 pages each link is a page's own by its share: 1 - ln 25 / ln 240 is above 0.4."""
    section = range(25)
    menu = f"<div><ul>{links(range(10))}</ul></div>"
    pages = [f"<title>Part {k}</title>{menu}<p>{PROSE.format(k)}" for k in section]
    pages += [f"<title>Page {k}</title><p>{PROSE.format(k)}" for k in range(25, 240)]
    found = page_features(site_of(*pages))
    assert measured(found, "page_links")[10:25] == [10] * 15
    assert measured(found, "site_own_links") == [0] * 240
    assert measured(found, "site_placed_links") == [0] * 240
    chars = measured(found, "site_own_chars")
    assert abs(chars[20] - chars[200]) <= 2
    # On fewer pages it may be what they are there for.
    found = page_features(site_of(*(pages[:19] + pages[25:])))
    assert measured(found, "site_own_links")[12] == 10


def boxes(site: Site) -> Counts:
    row, key = link_boxes(site)
    return page_keys(site.nodes.page[row], key).counts()


def test_a_table_of_contents_that_is_also_the_menu_of_its_pages_is_its_own_once() -> None:
    """Both stand at the same place by their tags; the menu has a heading, too."""
    contents = f"<div><ul>{links(range(12))}</ul></div>"
    menu = f"<div><div><p>Contents</p>{contents}</div></div>"
    first = f"<title>Contents</title><div><div>{contents}</div></div>{menu}"
    site = site_of(first, *(f"<title>Part {k}</title><p>{PROSE.format(k)}{menu}" for k in range(1, 30)))
    in_menu = menu_rows(site, boxes(site))[site.links.node]
    assert in_menu[site.links.page == 0].tolist() == [False] * 12 + [True] * 12
    assert in_menu[site.links.page > 0].all()


def slow_boxes(site: Site) -> dict[int, tuple[tuple[str, ...], tuple[int, ...]]]:
    """Per element that is mostly links: its texts, sorted, and the tags above it."""
    nodes, out = site.nodes, {}
    text = {int(r): site.unique_texts[site.text_id[r]] for r in site.text_rows}
    for row in range(site.n_nodes):
        below = range(row, int(nodes.end[row]))
        said = [(r, text[r]) for r in below if r in text]
        path, up = [], row
        while up >= 0:
            path.append(up)
            up = int(nodes.parent[up])

        def linked(r: int) -> bool:
            while r >= 0 and nodes.tag[r] != TAG_CODE["a"]:
                r = int(nodes.parent[r])
            return r >= 0

        total = sum(len(t) for _, t in said)
        in_links = sum(len(t) for r, t in said if linked(r))
        if sum(int(r) in below for r in site.links.node) >= LINKS and in_links >= LINKED * total:
            out[row] = tuple(sorted(t for _, t in said)), tuple(int(nodes.tag[r]) for r in path)
    return out


@given(st.lists(st.lists(st.sampled_from("ab/+pP"), max_size=60), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_boxes_are_those_of_the_slow_way(pages: list[list[str]]) -> None:
    part = {
        "a": "<a href=1.html>one</a>",
        "b": "<a href=2.html>two</a>",
        "/": "</div>",
        "+": "<div>",
        "p": "word",
        "P": PROSE,
    }
    site = site_of(*("".join(part[p] for p in page) for page in pages))
    row, key = link_boxes(site)
    slow = slow_boxes(site)
    assert row.tolist() == list(slow)
    for i, a in enumerate(row.tolist()):
        for j, b in enumerate(row.tolist()):
            assert (key[i] == key[j]) == (slow[a] == slow[b])
    chosen = row[::2]
    assert inside(site, chosen).tolist() == [
        any(r <= k < site.nodes.end[r] for r in chosen.tolist()) for k in range(site.n_nodes)
    ]


def test_nothing_is_a_menu_of_a_few_pages() -> None:
    site = site_of(*(f"<ul>{links(range(9))}</ul>" for _ in range(PAGES - 1)))
    assert not menu_rows(site, boxes(site)).any()
    empty = site_of("")
    assert not menu_rows(empty, boxes(empty)).any()
