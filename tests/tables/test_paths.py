"""Paths of many rows against the paths of one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.tables.paths import css_paths, node_paths
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
    assert node_paths(site, rows) == [site.xpath(r) for r in rows.tolist()]
    assert css_paths(site, rows) == [site.css_path(r) for r in rows.tolist()]
