"""What blocks say: the C bodies against the Python ones, on texts of every script, and hostile input."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.native.chars import CharCounts, char_table
from tests.native.bodies import both, needs_core
from tests.native.sites.test_site import ODD

PIECE = (
    st.text(ODD + " \t\n", max_size=30)
    | st.text(ODD, min_size=190, max_size=230)
    | st.text(st.characters(), max_size=9)
)
PIECES = st.lists(st.tuples(PIECE, st.integers(0, 1)), max_size=12)
Spans = tuple[np.ndarray, ...]


def spans_of(pieces: list[tuple[str, int]]) -> tuple[str, Spans]:
    """Pieces one after the other, some of them on the page after."""
    ends = [0, *accumulate(len(piece) for piece, _ in pieces)]
    pages = list(accumulate(step for _, step in pieces))
    return "".join(piece for piece, _ in pieces), tuple(np.array(c, np.int32) for c in (ends[:-1], ends[1:], pages))


def same(one: object, other: object) -> None:
    if isinstance(one, tuple):
        assert isinstance(other, tuple)
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            same(mine, theirs)
    else:
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@needs_core
@settings(max_examples=200, deadline=None)
@given(PIECES)
@example([("ΟΔΟΣ", 0), ("ΟΔΟΣ a", 0), ("İstanbul", 1)])
@example([("x" * 200, 0), ("x" * 201, 0), ("x " * 150, 0), ("x" * 201, 1)])
def test_both_bodies_say_the_same(pieces: list[tuple[str, int]]) -> None:
    text, (start, end, page) = spans_of(pieces)
    same(*both(lambda: tuple(native.said_pages(text, start, end, page))))
    same(*both(lambda: native.text_sizes(text, start, end, char_table())))
    if not any(0xD800 <= ord(c) < 0xE000 for c in text):  # of which there is no crc32, and no page has them
        same(*both(lambda: tuple(native.text_keys(text, start, end))))


@needs_core
@settings(max_examples=50, deadline=None)
@given(PIECES)
def test_sizes_add_up_to_those_of_the_whole(pieces: list[tuple[str, int]]) -> None:
    text, (start, end, _) = spans_of(pieces)
    visible, words = native.text_sizes(text, start, end, char_table())
    whole = CharCounts(text, start)
    assert (visible.sum(), words.sum()) == (whole.visible[-1], whole.words[-1])


@needs_core
def test_many_texts() -> None:
    """Tables grow."""
    text, (start, end, page) = spans_of([(f"text {k} of w{k % 700}x ", k % 2) for k in range(5000)])
    same(*both(lambda: tuple(native.said_pages(text, start, end, page))))
    same(*both(lambda: tuple(native.text_keys(text, start, end))))


@pytest.mark.parametrize(
    ("start", "end", "page"), [([0], [4], [0]), ([-1], [1], [0]), ([2], [1], [0]), ([0, 1], [1, 2], [1, 0])]
)
@needs_core
def test_spans_outside_of_the_text(start: list[int], end: list[int], page: list[int]) -> None:
    columns = [np.array(c, np.int32) for c in (start, end, page)]
    with pytest.raises(ValueError, match="span"):
        native.said_pages("abc", *columns)
    if page == [0]:
        with pytest.raises(ValueError, match="span"):
            native.text_keys("abc", *columns[:2])
        with pytest.raises(ValueError, match="span"):
            native.text_sizes("abc", columns[0], columns[1], char_table())


@needs_core
@settings(max_examples=200, deadline=None)
@given(
    st.lists(PIECE, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 99), st.integers(0, 99)), max_size=9),
)
def test_texts_are_interned_alike(texts: list[str], spans: list[tuple[int, int, int]]) -> None:
    inside = [(p, min(s, e, len(texts[p])), min(max(s, e), len(texts[p]))) for p, s, e in spans if p < len(texts)]
    columns = np.array(inside, np.int32).reshape(-1, 3).T.copy()
    same(*both(lambda: native.intern_texts(tuple(texts), *columns)))


@pytest.mark.parametrize("span", [(0, 0, 4), (1, 0, 1), (-1, 0, 1), (0, 2, 1)])
@needs_core
def test_what_is_no_span_of_a_page(span: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="span"):
        native.intern_texts(("abc",), *np.array([span], np.int32).T.copy())


@needs_core
@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(PIECE, max_size=5), max_size=4))
def test_values_are_interned_alike(pages: list[list[str]]) -> None:
    ends = [np.array(list(accumulate(map(len, page))), np.int32) for page in pages]
    same(*both(lambda: native.intern_values(["".join(page) for page in pages], ends)))


@pytest.mark.parametrize("end", [[4], [2, 1], [-1]])
@needs_core
def test_ends_outside_of_the_text(end: list[int]) -> None:
    with pytest.raises(ValueError, match="end of a piece"):
        native.intern_values(["abc"], [np.array(end, np.int32)])
