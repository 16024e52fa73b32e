"""Links to places of their own page."""

from __future__ import annotations

import numpy as np

from sitegrain.render.anchors import leads_to_itself
from sitegrain.render.page import RenderedPage
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from tests.builders import site_of


def test_only_kept_links_to_places_count() -> None:
    site = site_of("<nav><a href='#top'>Top</a></nav><p>Tea <a href=' #milk'>milk</a> <a href='x#y'>x</a>")
    rows = site.page_rows(0)
    said = {site.node_text(row): row for row in np.flatnonzero(site.is_text).tolist()}
    kept = np.zeros(site.n_nodes, bool)
    assert not leads_to_itself(site, rows, kept)
    kept[said["x"]] = True
    assert not leads_to_itself(site, rows, kept)
    kept[said["milk"]] = True
    assert leads_to_itself(site, rows, kept)


def test_a_page_has_the_places_of_its_own_links() -> None:
    pages = ("<p>Tea <a href=x>x</a><h2 id=m>Milk</h2>", "<p>Tea <a href='#m'>x</a><h2 id=m>Milk</h2>")
    site = build_site([Capture(f"http://a.org/{k}", html.encode()) for k, html in enumerate(pages)])
    written = [RenderedPage(site, page, site.is_text).html() for page in range(2)]
    assert ["id=" in html for html in written] == [False, True]


def test_what_is_kept_may_be_said_of_the_page_alone() -> None:
    site = site_of(
        "<p>Tea <a href='#m'>x</a><h2 id=m>Milk</h2>", "<h1>Pots</h1><p>Of clay <a href='#m'>m</a><h2 id=m>Milk</h2>"
    )
    kept = site.is_text & (np.arange(site.n_nodes) % 7 > 0)
    for page in (0, 1):
        whole, own = (RenderedPage(site, page, of) for of in (kept, kept[site.page_rows(page)]))
        assert (whole.markdown(), whole.html()) == (own.markdown(), own.html())
        assert whole.markdown()
