"""Titles next to the names of sites, and what stands at the end of headings."""

from __future__ import annotations

import pytest

from sitegrain.article.fields.titles import bare_heading, is_site_name


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("Teapots", True),
        ("The Teapots Forum", True),
        ("teapots.com", True),
        ("Teapots of Japan and of China", False),
        ("Tea", False),
        ("", True),
    ],
)
def test_a_name_is_that_of_the_host_with_the_usual_endings(text: str, is_name: bool) -> None:
    assert is_site_name(text, (), "http://www.teapots.org/x") == is_name


def test_initials_of_several_words_are_the_name_of_a_host() -> None:
    assert is_site_name("British Tea Club", (), "http://btc.org/")
    assert is_site_name("British Tea Club Society", (), "http://btcs.org/")
    assert not is_site_name("British Tea", (), "http://btc.org/")


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("Tea", "Tea"),
        ("Tea ¶ ", "Tea"),
        ("Tea # #", "Tea"),
        ("C#", "C#"),
        ("", ""),
        ("Te\xada \u200b", "Tea"),
        ("Tea ", "Tea "),
    ],
)
def test_signs_at_the_end_of_a_heading(heading: str, bare: str) -> None:
    assert bare_heading(heading) == bare
