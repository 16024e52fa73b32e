"""Some pages of a site as a site."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.some import some_pages

PAGES = (
    b"<title>A</title><p class='a b'>one <a href=b>two</a>",
    b"",
    b"<html lang=de><meta name=description content=d><div id=x><p>three</div><img src=i>",
    b"<ul><li>four<li class='a b'>five</ul>",
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PAGES), max_size=5), st.data())
def test_is_the_site_of_these_captures(bodies: list[bytes], data: st.DataObject) -> None:
    captures = [Capture(f"http://a.org/{k}", body) for k, body in enumerate(bodies)]
    whole = build_site(captures)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(whole) - 1)))) if len(whole) else []
    some, plain = some_pages(whole, chosen), build_site([captures[k] for k in chosen])
    some.check()
    assert some.texts == plain.texts
    assert some.pages.url == plain.pages.url
    assert some.pages.meta == plain.pages.meta
    assert np.array_equal(some.pages.node_offset, plain.pages.node_offset)
    for name in vars(plain.nodes):
        assert np.array_equal(getattr(some.nodes, name), getattr(plain.nodes, name)), name
    assert [some.node_attrs(row) for row in range(some.n_nodes)] == [
        plain.node_attrs(row) for row in range(plain.n_nodes)
    ]
