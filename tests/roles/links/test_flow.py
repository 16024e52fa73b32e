"""What prose, links, `rel` and series say: hand-made pages with known answers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.roles.links.flow import links_alone
from sitegrain.roles.page import page_features
from sitegrain.tables.site import Site
from tests.builders import site_of

POST = "The council voted on Tuesday to keep bridge number {} open for another year, and nobody was against it. "


def column(site: Site, name: str) -> npt.NDArray[np.float32]:
    found = page_features(site)
    return found.values[:, found.names.index(name)]


def posts(n: int) -> list[str]:
    return [f"<title>Post {k}</title><h1>Post {k}</h1><p>{POST.format(k)}<p>{POST.format(k * 100)}" for k in range(n)]


def test_a_headline_stands_alone_and_a_link_in_a_sentence_does_not() -> None:
    site = site_of(
        "<h2><a href=a><b>All about tea</b></a></h2><p>Read <a href=b>this</a> before you boil the water.</p>"
    )
    assert links_alone(site).tolist() == [True, False]


def test_stretches_between_headlines() -> None:
    teasers = "".join(f"<h2><a href=x{k}.html>Story number {k}</a></h2><p>{POST.format(k)}" for k in range(4))
    article = f"<h1>A story</h1><p>{POST.format(9) * 4} <a href=y.html>and</a> {POST.format(8) * 4}"
    site = site_of(teasers, article, "<p>Nothing")
    assert np.expm1(column(site, "page_stretches")).round().tolist() == [4, 1, 0]
    assert column(site, "page_stretch_share").round(2).tolist() == [0.25, 1, 1]


def test_a_list_that_prints_whole_posts_holds_them() -> None:
    every = posts(5)
    body = [p.partition("</h1>")[2] for p in every]
    site = site_of(*every, "<title>May</title>" + "".join(f"<h2>Post {k}</h2>{body[k]}" for k in range(3)))
    assert np.expm1(column(site, "site_holds")).round().tolist() == [0, 0, 0, 0, 0, 3]
    assert np.expm1(column(site, "site_held")).round().tolist() == [1, 1, 1, 0, 0, 0]
    assert np.expm1(column(site, "site_heading_titles")).round().tolist() == [0, 0, 0, 0, 0, 3]


def test_rel_tells_lists_from_posts() -> None:
    pages = [f"<p>{POST.format(k)}<a rel='category tag' href=3.html>Tea</a>" for k in range(3)]
    site = site_of(*pages, "".join(f"<a rel=bookmark href={k}.html>Post {k}</a>" for k in range(3)))
    assert column(site, "site_in_rel_tag").tolist() == [0, 0, 0, 1]
    assert column(site, "site_in_rel_bookmark").tolist() == [1, 1, 1, 0]


def test_pages_in_series() -> None:
    site = site_of(*(f"<title>{t}</title><p>x" for t in ("News", "News", "Tagged tea", "Tagged milk", "A tale")))
    assert np.expm1(column(site, "site_series")).round().tolist() == [1, 1, 0, 0, 0]
    assert np.expm1(column(site, "site_title_first")).round().tolist() == [1, 1, 1, 1, 0]


def test_empty_pages_and_one_page_are_judged() -> None:
    for site in (site_of(""), site_of("", ""), site_of("<p>x", "<a href=0.html></a>")):
        assert len(page_features(site).values) == site.n_pages
