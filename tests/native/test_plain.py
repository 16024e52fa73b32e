"""Plain values as JSON: both bodies give what `json` writes, and refuse the same."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.native.reference.plain import MOST_DEEP
from tests.native.bodies import both, needs_core

_SAID = st.text(st.characters()) | st.text(
    st.sampled_from('ab"\\\b\t\n\x0b\f\r\x1f\x7f\x80é中\U0001f600\ud800'), max_size=30
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _SAID,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(_SAID | st.integers(), inner, max_size=4),
)


class Role(IntEnum):
    TOC = 1


@needs_core
@given(_VALUES)
def test_bodies_are_equal(value: Any) -> None:
    compiled, plain = both(lambda: native.json_bytes(value))
    assert compiled == plain
    if compiled is not None:
        assert compiled == json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


@needs_core
@pytest.mark.parametrize("char", ["a", '"', "é", "中", "\U0001f600"])
@pytest.mark.parametrize("n", [7, 8, 9, 4095, 4096, 4097, 20_000])
def test_strings_of_any_length(char: str, n: int) -> None:
    value = [char * n, "b" + char * n, {char * n: "\x01"}]
    compiled, plain = both(lambda: native.json_bytes(value))
    assert compiled == plain == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@needs_core
@pytest.mark.parametrize("value", [float("nan"), 1 << 63, "a\ud800", {1: 2}, {"a": {1}}, Role.TOC, b"a"])
def test_what_is_not_plain(value: Any) -> None:
    assert both(lambda: native.json_bytes([value])) == (None, None)


@needs_core
def test_depth_has_an_end() -> None:
    value: Any = []
    for _ in range(MOST_DEEP - 1):
        value = [value]
    assert both(lambda: native.json_bytes(value)) == (json.dumps(value).encode(),) * 2
    assert both(lambda: native.json_bytes({"a": value})) == (None, None)
