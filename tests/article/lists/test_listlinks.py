"""What is known of all links of a site at once."""

from __future__ import annotations

from itertools import product

import pytest

from sitegrain.article.lists.listlinks import LEAD, entry_links, link_columns, may_say_when
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS
from tests.builders import site_of

PROSE = "Boats of the bay go out in the morning and come back at noon. "
PARTS = (
    "<p>",
    "<br>",
    "<div>",
    "</div>",
    PROSE,
    "Tea. ",
    "<a href=/{0}>A long name of a page {0}</a>",
    "<a href=#{0}>x</a>",
)


def is_within_prose(site: Site, link: int) -> bool:
    """Link by link, as it is said: text stands before it in its block, or in its line, other links aside."""
    nodes, row, page = site.nodes, int(site.links.node[link]), int(site.links.page[link])
    up = int(nodes.parent[row])
    while up >= 0 and site.tag_name(up) not in BLOCK_TAGS:
        up = int(nodes.parent[up])
    if up < 0 or nodes.text_start[row] - nodes.text_start[up] <= LEAD:
        return False
    own = range(*site.page_rows(page).indices(site.n_nodes))
    if not any(site.tag_name(i) == "article" for i in own):
        up = max([up, *(i for i in own if i < row and site.tag_name(i) == "br")])
    others = [int(site.links.node[i]) for i in entry_links(site).of_page(page)]
    linked = sum(int(nodes.text_end[i] - nodes.text_start[i]) for i in others if up <= i < row)
    return bool(nodes.text_start[row] - nodes.text_start[up] - linked > LEAD)


@pytest.mark.parametrize("start", ["", "<article>"])
def test_links_within_prose_are_those_that_are_found_one_by_one(start: str) -> None:
    orders = list(product(range(len(PARTS)), repeat=4))[::7]
    pages = [start + "".join(PARTS[k].format(k) for k in order) + PARTS[6].format(9) for order in orders[:400]]
    site = site_of(*pages)
    found = [bool(x) for x in link_columns(site).is_within_prose]
    assert found == [is_within_prose(site, i) for i in range(len(site.links))]
    assert len(set(found)) == 2


def test_a_link_to_a_section_and_one_that_may_say_when() -> None:
    site = site_of(
        "<a href=/a#b>Tea</a><a href=/b>3 May 2020</a><a href='#c'>permalink</a><a href=/d><img alt='#'></a><a href=/e></a>"
    )
    columns = link_columns(site)
    assert [bool(x) for x in columns.to_section] == [True, False, True, False, False]
    assert [bool(x) for x in columns.may_say_when] == [False, True, True, True, False]
    assert [may_say_when(text) for text in ("Tea", "Thé", "Perm", "")] == [False, True, True, False]


def test_links_that_may_be_entries_are_told_by_page() -> None:
    site = site_of(
        "<a href=/1.html>Page</a><a href=/x.pdf>File</a><a href=/2>Two</a>", "<p>none", "<a href=/3>Three</a>"
    )
    own = [entry_links(site).of_page(page) for page in range(3)]
    assert [[site.links.url[i][-6:] for i in of_page] for of_page in own] == [["1.html", "mple/2"], [], ["mple/3"]]
