"""Views of a page are neither pages that it leads to nor pages whose text it prints."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.roles.among import among
from sitegrain.roles.links.ways import only_ways
from sitegrain.roles.page import PageFeatures, page_features
from sitegrain.roles.views import view_links, viewed
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

VIEWS = ("edit", "revisions", "backlink")


def wiki(views: tuple[str, ...] = VIEWS) -> PageFeatures:
    """Twelve short pages, each with views that show its name and foot, and a page that names all."""
    pages = {"?id=start": "".join(f"<li><a href='?id=tea{k}'>Tea {k}</a>" for k in range(12))}
    for k in range(12):
        tools = "".join(f"<a href='?id=tea{k}&do={view}'>{view}</a> " for view in VIEWS)
        foot = f"<p>wiki/tea_number_{k}.txt was last changed by the gardener on day {k} of May</p>{tools}"
        pages[f"?id=tea{k}"] = (
            f"<title>tea {k}</title><p>Tea {k} is drunk warm, in cups of sort {k}, by the window.{foot}"
        )
        pages |= {f"?id=tea{k}&do={view}": f"<title>tea {k}</title><p>{view} of {k}{foot}" for view in views}
    captures = (Capture(f"http://w.example/doku.php{asked}", body.encode()) for asked, body in pages.items())
    return page_features(build_site(captures))


def test_a_page_does_not_hold_its_views_nor_lead_to_them() -> None:
    found = wiki()
    is_page = np.array([url.count("=") == 1 for url in found.url])
    holds = found.values[:, found.names.index("site_holds")]
    assert not holds[is_page].any()
    is_stub = is_page & np.array(["tea" in url for url in found.url])
    assert is_stub.sum() == 12
    assert not only_ways(found.own_links)[is_stub].any()


def test_what_is_told_among_the_pages_is_what_is_told_without_the_views() -> None:
    whole = wiki()
    some = among(whole, viewed(whole.url) == np.arange(len(whole.url)))
    alone = wiki(views=())
    assert list(some.url) == list(alone.url)
    for name in ("page_chars_rank", "page_chars_ratio", "page_links_rank"):
        column = whole.names.index(name)
        assert some.values[:, column] == pytest.approx(alone.values[:, column], abs=1e-6)
    assert (some.own_links.toarray() > 0).tolist() == (alone.own_links.toarray() > 0).tolist()


def test_a_number_is_a_place_in_a_list_and_no_view() -> None:
    urls = ["http://a.org/f.php?f=3", "http://a.org/f.php?f=3&start=25", "http://a.org/f.php?f=3&view=print.html"]
    assert viewed(urls).tolist() == [0, 1, 0]
    page, url = np.array([0, 0, 2, 1], np.int32), np.array([1, 2, 0, 0], np.int64)
    assert view_links(urls, page, urls, url).tolist() == [False, True, True, False]
    assert view_links(["http://a.org/"], page[:0], [], url[:0]).tolist() == []


def test_what_begins_alike_is_another_page() -> None:
    urls = ["http://a.org/w?id=tea", "http://a.org/w?id=teapot&do=edit", "http://a.org/w?do=index"]
    assert viewed(urls).tolist() == [0, 1, 2]
