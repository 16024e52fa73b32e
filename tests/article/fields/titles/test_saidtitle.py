"""Which text nodes say the title: all that have its words, in whatever letters, and no other is missed by the quick look."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.article.fields.titles.saidtitle import _IDEOGRAPHS, _like_ideographs, title_rows, title_spots
from sitegrain.article.fields.titles.titles import MAX_TITLE
from sitegrain.article.fields.view import View
from sitegrain.text.words import title_words
from tests.builders import site_of

PIECES = st.sampled_from(
    (
        "Tea",
        "TEA",
        "ｔｅａ",
        "milk",
        "茶",
        "茶と水",
        "\uf9fe",
        "\u2f3b",
        "чай",
        "ЧАЙ",
        "İ",
        "ſtraße",
        "strasse",
        "é",
        "e\u0301",
        "!",
        "，",
        "…",
    )
)
TEXTS = st.lists(PIECES, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=6))
def test_all_that_say_it_are_found(title: str, texts: list[str]) -> None:
    site = site_of("".join(f"<p>{text}</p>" for text in texts))
    view, wanted = View(site, 0), title_words(title)
    every = zip(*view.text_nodes, strict=True)
    said = [row for row, a, z in every if 2 <= z - a <= MAX_TITLE and title_words(site.texts[0][a:z]) == wanted]
    assert list(title_rows(view, title, title_spots(view, title))) == (said if wanted else [])


def test_what_becomes_an_ideograph_is_known() -> None:
    first, last = _IDEOGRAPHS
    for sign in map(chr, range(sys.maxunicode + 1)):
        if not "\ud800" <= sign <= "\udfff" and not first <= sign <= last:
            folded = unicodedata.normalize("NFKC", sign).casefold()
            assert not any(first <= c <= last for c in folded) or _like_ideographs().match(sign)


def test_only_one_letter_has_a_longer_small_one() -> None:
    assert [hex(c) for c in range(sys.maxunicode + 1) if len(chr(c).lower()) != 1] == ["0x130"]
