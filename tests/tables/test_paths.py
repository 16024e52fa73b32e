"""Paths of many rows against the paths of one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.tables.paths import (
    MAX_LABEL_ROWS,
    anchor_texts,
    shared_anchor_texts,
    shared_css_paths,
    shared_node_paths,
)
from tests.builders import site_of

SOUP = st.lists(
    st.sampled_from(
        [
            "<div>",
            "</div>",
            "<div class='a b c'>",
            "<p id=x>",
            "<p id='1 2'>",
            "<my-tag class='ok 9no'>",
            "text",
            "<br>",
            "</p>",
        ]
    ),
    max_size=25,
).map("".join)


@settings(max_examples=80, deadline=None)
@given(st.lists(SOUP, min_size=1, max_size=3))
def test_paths_of_many_rows_are_those_of_each(pages: list[str]) -> None:
    site = site_of(*pages)
    rows = np.arange(site.n_nodes, dtype=np.int32)
    assert shared_node_paths(site, rows).each() == [site.xpath(r) for r in rows.tolist()]
    assert shared_css_paths(site, rows).each() == [site.css_path(r) for r in rows.tolist()]


def test_pages_of_one_template_share_their_paths() -> None:
    site = site_of(*["<div><p>Tea</p><p>Milk</p></div>"] * 5)
    rows = site.rows("p")
    for paths in (shared_node_paths(site, rows), shared_css_paths(site, rows)):
        assert (len(paths.which), len(paths.strings)) == (10, len(set(paths.each())))


ANCHORS = st.lists(
    st.sampled_from(
        [
            "<a href=x>",
            "</a>",
            " Tea \n time ",
            "Tea time",
            "<img alt=' A  pot '>",
            "<img title=Pot>",
            "<b aria-label=Lid></b>",
            "<p>",
        ]
    ),
    max_size=20,
).map("".join)


@settings(max_examples=80, deadline=None)
@given(st.lists(ANCHORS, min_size=1, max_size=3))
def test_an_anchor_is_the_text_of_its_link_or_what_that_shows_is_called(pages: list[str]) -> None:
    site = site_of(*pages)
    found = shared_anchor_texts(site)
    assert found.each() == anchor_texts(site)
    assert len(set(found.strings)) == len(found.strings)
    for node, anchor in zip(site.links.node.tolist(), anchor_texts(site), strict=True):
        inside = range(node, min(int(site.nodes.end[node]), node + MAX_LABEL_ROWS))
        called = (site.node_attrs(row).get(name, "") for row in inside for name in ("alt", "title", "aria-label"))
        said = " ".join(site.node_text(node).split())
        assert anchor == said or (not said and anchor == next((" ".join(c.split()) for c in called if c.split()), ""))
