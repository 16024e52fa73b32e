"""Hashes of strings: both bodies, at the borders of blocks, and in every kind of text."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from tests.native.bodies import both, needs_core

TEXTS = st.lists(st.text(st.characters(), max_size=200), max_size=20)  # with lone surrogates


@needs_core
@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_both_bodies_hash_alike(texts: list[str]) -> None:
    compiled, plain = both(lambda: native.string_hashes(texts))
    assert np.array_equal(compiled, plain)


def test_every_length_around_a_block() -> None:
    texts = [sign * n for sign in ("a", "é", "漢", "\U0001f600") for n in range(300)]
    said = [int.from_bytes(blake2b(t.encode(), digest_size=8).digest(), "little") for t in texts]
    assert native.string_hashes(texts).tolist() == said


@needs_core
def test_nothing_else_is_hashed() -> None:
    with pytest.raises(TypeError, match="strings"):
        native.string_hashes(["a", b"b"])  # type: ignore[list-item]
