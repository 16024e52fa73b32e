"""Addresses that normalisation leaves as they are: both bodies alike, and what they tell is what the library tells."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from tests.native.bodies import both, needs_core

PIECES = (
    "http://", "https://", "a", "b.c", "www.", "xn--", "/", "/.", "../", "..", "?", "#", "%2e", "%2E", "%41", "é", " ", "\t", "\x1f", "index.html", "=", "&", "-", "_",
    "~", "+", ".", "A", "com", "//", ":", "@", "9", "-a", "a-", "B.Org", "XN--", ",", ";", "!", "$", "(", ")", "*", "'", "|", "a:b",
)  # fmt: skip
HREFS = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
FOLDERS = st.sampled_from(
    (
        ("http://a.org", "http://a.org/"),
        ("https://www.a.org", "https://www.a.org/b/c/"),
        ("", ""),
        ("http://a.org", "x"),
    )
)


@needs_core
@settings(max_examples=1000)
@given(HREFS, FOLDERS)
def test_both_bodies_tell_the_same(href: str, where: tuple[str, str]) -> None:
    in_c, in_python = both(lambda: native.plain_address(href, *where))
    assert in_c == in_python


@settings(max_examples=1000)
@given(HREFS, FOLDERS.filter(lambda where: where[1].startswith("http")))
def test_what_is_told_is_what_normalisation_gives(href: str, where: tuple[str, str]) -> None:
    if found := native.plain_address(href, *where):
        assert found == ada_url.join_url(where[1], href).partition("#")[0]


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("a.html", "http://a.org/b/c/a.html"), (" a?b=c#d ", "http://a.org/b/c/a?b=c"), ("/a", "http://a.org/a"), ("../a", "http://a.org/b/a"), ("../../../a", "http://a.org/a"),
        ("http://b.org/", "http://b.org/"), ("https://b.co.uk/a+b", "https://b.co.uk/a+b"),
        ("http://b.org", "http://b.org/"), ("http://B.org/", "http://b.org/"), ("https://B.org?c", "https://b.org/?c"), ("a;b=c&d", "http://a.org/b/c/a;b=c&d"),
        ("/a:b", "http://a.org/a:b"), ("a:b", ""), ("b.org:80/", ""), ("http://XN--a.org/", ""),
        ("http://localhost/", ""), ("http://xn--a.org/", ""), ("http://1.2.3.4/", ""), ("//b.org/", ""), ("./a", ""), ("a/../b", ""),
        ("a/%2E/b", ""), ("../", ""), ("../http://b.org/", ""), ("../../a?/../b", ""), ("a b", ""), ("é", ""), ("mailto:a@b.org", ""), ("?a", ""), ("#a", ""), ("", ""),
    ],
)  # fmt: skip
def test_plain_addresses(href: str, address: str) -> None:
    for found in both(lambda: native.plain_address(href, "http://a.org", "http://a.org/b/c/")):
        assert found == address
