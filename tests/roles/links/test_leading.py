"""Which links lead on: a book that names its chapters in a menu and in a list, and sections with menus of their own."""

from __future__ import annotations

import numpy as np

from sitegrain.roles.links.leading import Listed, Lists, PlacedLinks
from sitegrain.roles.page import page_features
from tests.builders import site_of

PROSE = "Chapter {} is about the long road from the harbour to the market, and about who walked on it in those years. "


def links(pages: range, wrap: str = "li") -> str:
    return "".join(f"<{wrap}><a href={k}.html>Chapter {k}</a></{wrap}>" for k in pages)


def test_a_list_is_told_from_the_menu_that_names_the_same_pages() -> None:
    menu = f"<nav><ul>{links(range(1, 9))}</ul></nav>"
    contents = f"<title>Contents</title>{menu}<main><ol>{links(range(1, 9))}</ol></main>"
    chapters = [f"<title>Chapter {k}</title>{menu}<main><h1>Chapter {k}</h1><p>{PROSE.format(k)}" for k in range(1, 9)]
    found = page_features(site_of(contents, *chapters))
    leads = found.leads.toarray()
    assert leads[0].tolist() == [0] + [1] * 8
    assert not leads[1:].any()
    named = found.values[:, found.names.index("site_lead_on_named")]
    assert np.expm1(named).round().tolist() == [8] + [0] * 8


def test_the_menu_of_a_section_does_not_lead_on() -> None:
    """The menus stand on 4 of 40 pages, few enough to be of the page's own; but who follows them comes to them again."""
    pages = []
    for section in range(10):
        of = range(section * 4, section * 4 + 4)
        pages += [f"<title>Chapter {k}</title><div><ul>{links(of)}</ul></div><p>{PROSE.format(k)}" for k in of]
    found = page_features(site_of(*pages))
    assert found.own_links.nnz == 120
    assert found.leads.nnz == 0


def test_shares_of_lists() -> None:
    """Page 0 has the links 1, 2, 3 at one place; page 1 has two of them there, page 2 none."""
    key = np.array([1, 2, 3, 1, 2], np.uint64)
    listed = Listed(np.array([0, 0, 0, 1, 1]), np.array([7, 7, 7, 8, 8], np.uint64), key)
    group = np.array([7, 7, 9], np.uint64)
    links = PlacedLinks(np.zeros(3, int), np.array([1, 2, 1]), group, np.array([4.0, 4.0, 1.0]), np.zeros(3, bool))
    assert Lists(listed, 3).shares(links).tolist() == [0.5, 0.0, 0.0]
    nothing = Listed(listed.page[:0], listed.group[:0], listed.key[:0])
    assert Lists(nothing, 3).shares(links).tolist() == [0, 0, 0]
