"""Where the ways to cut words differ, and that they differ only there."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.native import scripts
from sitegrain.native.chars import WIDE, char_table
from sitegrain.text.words import SITE_WORD, cut_words, fold, number_words, running_words, title_words

CHOICES = {
    "term": scripts.TERM_SIGNS,
    "window": scripts.WINDOW_SIGNS,
    "wide": scripts.WIDE,
    "site": scripts.SITE_SIGNS,
    "scored": scripts.SCORED_SIGNS,
    "east": scripts.EAST_ASIAN,
    "dense": scripts.DENSE,
}


@pytest.mark.parametrize(
    ("sign", "without"),
    [
        ("東", ""),
        ("あ", ""),
        ("ก", "window scored east"),  # Thai
        ("မ", "window site scored east dense"),  # Burmese
        ("한", "term wide site dense"),
        ("ㄅ", "term window site"),  # Bopomofo
        ("a", "term window wide site scored east dense"),
    ],
)
def test_which_signs_have_no_spaces_for_whom(sign: str, without: str) -> None:
    found = [name for name, ranges in CHOICES.items() if not re.match(f"[{scripts.char_class(ranges)}]", sign)]
    assert found == without.split()
    assert bool(char_table()[ord(sign)] & WIDE) == ("wide" not in found)


def test_one_line_cut_in_every_way() -> None:
    line = "Ｔea_time 5時 東京タ กาแฟ"
    assert list(cut_words(line)) == ["tea", "time", "5", "時", "東京", "京タ", "กา", "าแ", "แฟ"]
    assert running_words(line) == ["ｔea_time", "5", "時", "東", "京", "タ", "กาแฟ"]
    assert title_words(line) == ["tea_time", "5時", "東京タ", "กาแฟ"]
    assert SITE_WORD.findall(line.lower()) == ["ｔea", "time", "時", "東", "京", "タ", *"กาแฟ"]


@settings(deadline=None)  # the tables of characters are made by the first text
@given(st.text(st.characters(max_codepoint=0x7F, exclude_characters="_"), max_size=40))
def test_in_ascii_all_words_are_alike(text: str) -> None:
    expected = re.findall("[a-z0-9]+", text.lower())
    assert running_words(text) == title_words(text) == list(cut_words(text)) == expected
    found = number_words([text])
    assert [found.words[k] for k in found.which] == expected
    assert SITE_WORD.findall(text.lower()) == re.findall("[a-z]+", text.lower())


WIDE_TEXT = st.lists(st.sampled_from("ａＢ，。！　\n …½e\u0301\u0338茶が\u3099ｶﾞ\U0001f600"), max_size=8).map("".join)


@settings(max_examples=300)
@given(st.lists(WIDE_TEXT, max_size=6))
def test_wide_signs_are_folded_as_in_each_text(texts: list[str]) -> None:
    found = number_words(texts)
    words = [found.words[k] for k in found.which.tolist()]
    assert words == [word for text in texts for word in cut_words(text)]
    assert [fold(text) for text in texts] == [unicodedata.normalize("NFKC", text).lower() for text in texts]
