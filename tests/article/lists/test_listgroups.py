"""What is soon told of links of a list: no answer depends on it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sitegrain.article.fields.days.dates import is_month, parse_date
from sitegrain.article.lists.entries import toc_entries
from sitegrain.article.lists.listgroups import _WHEN, _WORD, _says_when
from sitegrain.article.lists.listlinks import _ACTION, _is_no_page
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PIECES = st.sampled_from(
    ["3", " ", "May", "2020", ":30", "pm", "permalink", "Permanent LinK", "#", "¶", "tea", "-", "."]
)
ADDRESSES = st.lists(
    st.sampled_from(["http://a.org", "/", "x", ".jpg", ".JPEG", "jpg", ".", ".html", "?", "&", "=", "share=", "add-to-cart=", "%3f", ".mp3", ".mp"]),
    max_size=6,
).map("".join)  # fmt: skip


@given(st.lists(PIECES, max_size=6).map("".join), st.sampled_from([None, False, True]))
def test_the_short_look_at_a_title_misses_no_date(title: str, day_first: bool | None) -> None:
    words = _WORD.findall(title)
    is_bare = len(words) <= 1 and all(len(word) <= 2 or is_month(word) for word in words)
    assert _says_when(title, day_first) == bool(_WHEN.fullmatch(title) or (is_bare and parse_date(title, day_first)))


@given(ADDRESSES)
def test_files_and_actions_are_no_pages(address: str) -> None:
    file = r"\.(?:jpe?g|png|gif|webp|svg|bmp|pdf|zip|gz|bz2|tgz|mp[34]|ogg|avi|mov|docx?|pptx?|xlsx?|exe|rar)$"
    is_file = re.search(file, address.partition("?")[0], re.IGNORECASE) is not None
    assert _is_no_page(address) == (is_file or _ACTION.search(address) is not None)


def test_a_card_that_is_clickable_as_a_whole_leads_to_its_post() -> None:
    def card(day: int, name: str) -> str:
        return (
            f"<div class=card><h2>The {name} tea of the house</h2><p>It stood on the table, and nobody drank it.</p>"
            f"<a class=day href=/2020/05>2020-05-{day:02}</a><a href=/tags/tea># tea</a><a class=over href=/{name}>The {name} tea of the house</a></div>"
        )

    html = f"<main>{card(3, 'green')}{card(5, 'black')}{card(9, 'cold')}</main>"
    entries = toc_entries(build_site([Capture("http://a.org/2020/", html.encode())]), 0)
    assert [entry.url for entry in entries] == [f"http://a.org/{name}" for name in ("green", "black", "cold")]
    assert [entry.date for entry in entries] == ["2020-05-03", "2020-05-05", "2020-05-09"]
