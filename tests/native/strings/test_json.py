"""JSON: both bodies, on every kind of value that is written, and on those that are not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from tests.native.bodies import both, needs_core

TEXT = st.text(st.characters(), max_size=40)  # with lone surrogates
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(
    PLAIN, lambda some: st.lists(some, max_size=5) | st.dictionaries(TEXT, some, max_size=5), max_leaves=30
)


@needs_core
@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_both_bodies_write_alike(value: Any) -> None:
    compiled, plain = both(lambda: native.json_bytes(value))
    assert compiled == plain


def test_every_character_is_read_back() -> None:
    some = (
        c for c in range(0, 0x110000, 97) if not 0xDC00 <= c < 0xE000
    )  # the second half of a pair would join the first
    for text in ("".join(map(chr, range(0x300))), "".join(map(chr, some)), '"\\/\b\f\n\r\t\x7f'):
        assert json.loads(native.json_bytes([text, text])) == [text, text]


def test_what_is_no_plain_value_is_written_as_json_writes_it() -> None:
    class Number(int):
        pass

    assert native.json_bytes({1: (2, Number(3)), None: True}) == b'{"1":[2,3],"null":true}'


@pytest.mark.parametrize(
    ("value", "error"), [(float("nan"), ValueError), ([float("inf")], ValueError), ({1j}, TypeError)]
)
def test_what_json_has_no_word_for_is_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        native.json_bytes({"value": value})


def test_a_value_within_itself_ends() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises((RecursionError, ValueError)):
        native.json_bytes(endless)
