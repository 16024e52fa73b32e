"""Kinds of characters: the table against Unicode, one character at a time."""

from __future__ import annotations

import unicodedata

from sitegrain.native.chars import COMMA, DIGIT, SPACE, STOP, SYMBOL, UPPER, WORD, char_table


def test_every_character_is_of_the_kind_that_unicode_says() -> None:
    """Ranges that are taken for alike are alike, in the Unicode of the Python that runs."""
    table = char_table()
    for code in range(0x10000):
        if 0xD800 <= code < 0xE000:  # half of a surrogate pair
            assert table[code] == table[ord("?")]
            continue
        kind, is_space, found = unicodedata.category(chr(code)), chr(code).isspace(), int(table[code])
        assert bool(found & WORD) == (kind[0] in "LM" or kind == "Nd"), code
        assert bool(found & UPPER) == (kind in ("Lu", "Lt")), code
        assert bool(found & DIGIT) == (kind == "Nd"), code
        assert bool(found & SPACE) == is_space, code
        is_named = bool(found & (STOP | COMMA))
        assert bool(found & SYMBOL) == (kind[0] in "SPC" and not is_space and not is_named), code
