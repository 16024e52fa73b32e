"""Addresses and the link table."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.tables.address import host_of, page_key, plain_base, resolve, site_key
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PIECES = st.lists(
    st.sampled_from(
        ["a", "B", "-", "_", "~", ".", "..", "../", "/", "//", "?", "=", "&", "#", "%41", "%2e", "%2E", "+", " ", "é", ":", "@", "x.html",
         "index.html", "http://", "https://", "www.", "org", ".org", "80", "\t"]
    ),
    max_size=8,
).map("".join)  # fmt: skip
BASES = st.sampled_from(
    [
        "http://a.org/",
        "http://a.org/b/c.html",
        "http://a.org/b//c/d/e.html",
        "https://x.a.org/b/?q=/z",
        "http://a.org",
        "http://a.org:8080/b",
        "http://127.0.0.1/d/",
    ]
)


@settings(max_examples=500)
@given(PIECES, BASES)
def test_plain_addresses_are_what_ada_makes_of_them(href: str, base: str) -> None:
    try:
        expected = ada_url.join_url(base, href.strip()).partition("#")[0]
    except ValueError:
        expected = ""
    if not expected.startswith(("http:", "https:")):
        expected = ""
    assert resolve(href, base) == expected


def test_what_is_no_web_address() -> None:
    for href in (
        "javascript:x()",
        "data:text/html,x",
        "mailto:a@b.c",
        "tel:1",
        "file:///etc/passwd",
        "http://[",
        "JAVASCRIPT:x",
    ):
        assert resolve(href, "http://a.org/") == ""


def test_one_page_many_addresses() -> None:
    keys = {
        page_key(u)
        for u in ("http://a.org/b", "https://www.a.org/b/", "http://a.org/b/index.html", "http://a.org/b/#x")
    }
    assert len(keys) == 1
    assert page_key("http://a.org/b?x=1") != page_key("http://a.org/b?x=2")


def test_a_site_is_a_registrable_domain() -> None:
    assert site_key("a.github.io") != site_key("b.github.io")
    assert site_key("www.bbc.co.uk") == site_key("news.bbc.co.uk")
    assert site_key("a.co.uk") != site_key("b.co.uk")


def test_links_are_marked_not_lost() -> None:
    html = b"""<a href="b.html">B</a> <a href="#top">self</a> <a href="http://other.org/">out</a> <a href="javascript:x">js</a>
    <a href="../../../up.html">up</a> <a href="/gone.html">gone</a> <area href="/b.html"> <a>none</a> <a href="">self</a>"""
    site = build_site([Capture("http://a.org/a.html", html), Capture("http://a.org/b.html", b"<p>b")])
    links = site.links
    assert links.target.tolist() == [1, 0, -1, -1, -1, -1, 1, 0]
    assert links.is_self.tolist() == [False, True, False, False, False, False, False, True]
    assert links.is_same_site.tolist() == [True, True, False, False, True, True, True, True]
    assert links.url[4] == "http://a.org/up.html"
    assert links.url[3] == ""


def test_a_host_that_ends_alike_is_of_another_site() -> None:
    html = b"<a href=http://tea.a.org/>own</a> <a href=http://nota.org/>other</a> <a href=http://a.org.b.org/>other</a>"
    site = build_site([Capture("http://www.a.org/", html)])
    assert site.links.is_same_site.tolist() == [True, False, False]


def test_base_changes_where_links_lead() -> None:
    site = build_site(
        [Capture("http://a.org/x/", b"<base href='http://a.org/y/'><a href=z>z"), Capture("http://a.org/y/z", b"<p>z")]
    )
    assert site.links.target.tolist() == [1]


def test_query_links_of_one_folder_are_not_mixed_up() -> None:
    pages = [Capture(f"http://a.org/d/{n}.php", b"<a href='?x=1'>x</a><a href=''>s</a>") for n in "ab"]
    site = build_site(pages)
    assert site.links.url == (
        "http://a.org/d/a.php?x=1",
        "http://a.org/d/a.php",
        "http://a.org/d/b.php?x=1",
        "http://a.org/d/b.php",
    )


def test_last_capture_of_a_page_counts() -> None:
    site = build_site([Capture("http://a.org/", b"old"), Capture("http://a.org/index.html", b"new")])
    assert site.texts == ("new",)
    assert site.counts == {"duplicate URL, last capture kept": 1}


@pytest.mark.parametrize(
    "path", ["", "a/", "a.php%3Ft=1&start=2.html", "a/b@c.org/", "(a)/b,c;d!e$f*g:h", "x/y.html?q=1&r=/2"]
)
@pytest.mark.parametrize(
    "href",
    [
        "b",
        "/b/c?d=e",
        "b/c.html#d",
        "http://b.org/c",
        "../b",
        "../../b/c.html",
        "../../../../../b?c=d",
        "../",
        "..//b",
        "../?b",
        "../.b",
        "?b",
        "#b",
        "",
        "b:c",
        "//b.org",
        "b c",
    ],
)
def test_a_plain_base_gives_what_any_base_gives(path: str, href: str) -> None:
    base = f"http://a.org/{path}"
    assert all(plain_base(base))
    url = ada_url.join_url(base, href).partition("#")[0]
    assert resolve(href, base) == (url if url.startswith("http") else "")


def test_links_of_many_folders_are_those_that_each_page_has() -> None:
    hrefs = (
        "http://a.org/x",
        "../x",
        "x",
        "/x",
        "https://b.com/d/",
        "http://b.com/d/index.html#e",
        "#e",
        "?q=1",
        "",
        "x y",
        "javascript:x()",
    )
    places = [f"http://{host}/{folder}{name}" for host in ("a.org", "www.b.com", "c.a.org") for folder in ("", "d/", "d/e/") for name in ("", "x")]  # fmt: skip
    body = "".join(f'<a href="{href}">t</a>' for href in hrefs).encode()
    site = build_site([Capture(url, body) for url in places])
    links = site.links
    pages = {page_key(url): row for row, url in enumerate(site.pages.url)}
    for k, (page, url) in enumerate(zip(links.page.tolist(), links.url, strict=True)):
        assert url == resolve(hrefs[k % len(hrefs)], site.pages.base[page])
        assert links.addresses[links.address[k]] == url
        assert links.target[k] == (pages.get(page_key(url), -1) if url else -1)
        assert links.is_same_site[k] == (
            bool(url) and site_key(host_of(url)) == site_key(host_of(site.pages.url[page]))
        )
