"""The attributes that are read as text: both bodies, and tables that do not fit."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.native.inputs import AttrColumns
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import parse_page
from sitegrain.tables.tags import ATTRIBUTES, TAGS
from tests.native.bodies import both, in_python, needs_core


@needs_core
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 60))
def test_both_bodies_pick_the_same(seed: int, n_rows: int, n_attrs: int) -> None:
    rng = np.random.default_rng(seed)
    tag = rng.integers(0, len(TAGS), n_rows).astype(np.int16)
    attrs = AttrColumns(
        np.sort(rng.integers(0, n_rows, n_attrs)).astype(np.int32),
        rng.integers(0, len(ATTRIBUTES), n_attrs).astype(np.int16),
        rng.integers(0, 9, n_attrs).astype(np.int32),
    )
    wanted = rng.random((len(TAGS), len(ATTRIBUTES))) < 0.5
    compiled, plain = both(lambda: native.picked(tag, attrs, wanted))
    assert compiled == plain
    expected = [a for a in range(n_attrs) if wanted[tag[attrs.node[a]], attrs.name[a]]]
    assert compiled.rows == attrs.node[expected].tolist()
    assert compiled.values == attrs.value[expected].tolist()


def made_attrs(rng: np.random.Generator, n_rows: int, n_attrs: int) -> AttrColumns:
    return AttrColumns(
        np.sort(rng.integers(0, n_rows, n_attrs)).astype(np.int32),
        rng.integers(0, 4, n_attrs).astype(np.int16),
        rng.integers(0, 9, n_attrs).astype(np.int32),
    )


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 60), st.integers(-3, 3))
def test_values_of_an_attribute_by_row(seed: int, n_rows: int, n_attrs: int, first: int) -> None:
    rng = np.random.default_rng(seed)
    attrs, strings = made_attrs(rng, n_rows, n_attrs), tuple("abcdefghi")
    start, stop = sorted(rng.integers(0, n_attrs + 1, 2).tolist())
    compiled, plain = both(lambda: native.attr_values(attrs, strings, slice(start, stop), 2, first))
    expected: dict[int, str] = {}
    for a in range(start, stop):  # of two on a row the last counts
        if attrs.name[a] == 2:
            expected[int(attrs.node[a]) - first] = strings[attrs.value[a]]
    assert compiled == plain == expected
    assert list(compiled) == list(plain) == list(expected)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_rows_of_tags(seed: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    tag, wanted = rng.integers(0, len(TAGS), n_rows).astype(np.int16), rng.random(len(TAGS)) < 0.5
    compiled, plain = both(lambda: native.tag_rows(tag, wanted))
    asked = [code for code in range(len(TAGS)) if wanted[code]]
    assert compiled == plain == {code: [i for i in range(n_rows) if tag[i] == code] for code in asked}


def test_rows_of_tags_that_there_are_not_are_refused() -> None:
    wanted = np.ones(len(TAGS), bool)
    for tag, asked in ((-1, wanted), (len(TAGS), wanted), (0, wanted[1:])):
        for body in (nullcontext, in_python):
            with body(), pytest.raises(ValueError, match="tag"):
                native.tag_rows(np.full(2, tag, np.int16), asked)


def test_values_that_are_no_strings_and_attributes_that_are_not_there_are_refused() -> None:
    one = AttrColumns(np.zeros(1, np.int32), np.zeros(1, np.int16), np.full(1, 2, np.int32))
    for value, own, match in ((2, slice(0, 1), "string"), (-1, slice(0, 1), "string"), (0, slice(0, 2), "many")):
        attrs = one._replace(value=np.full(1, value, np.int32))
        for body in (nullcontext, in_python):
            with body(), pytest.raises(ValueError, match=match):
                native.attr_values(attrs, ("a", "b"), own, 0)


@needs_core
def test_attributes_of_other_rows_are_refused() -> None:
    tag, wanted = np.zeros(3, np.int16), np.ones((len(TAGS), len(ATTRIBUTES)), bool)
    for node, name in ((3, 0), (-1, 0), (0, len(ATTRIBUTES)), (0, -1)):
        attrs = AttrColumns(np.array([node], np.int32), np.array([name], np.int16), np.zeros(1, np.int32))
        with pytest.raises(ValueError, match="fit"):
            native.picked(tag, attrs, wanted)
    with pytest.raises(ValueError, match="each tag"):
        native.picked(tag, AttrColumns(*(np.zeros(0, t) for t in (np.int32, np.int16, np.int32))), wanted[1:])


HEAD_TAGS = [TAGS.index(t) for t in ("meta", "link", "base", "html", "body", "title", "head", "p")]
HEAD_NAMES = [ATTRIBUTES.index(n) for n in ("name", "property", "content", "itemprop", "href", "rel", "lang", "class")]
SAID = (
    "",
    " ",
    "Og:Title ",
    "description",
    "canonical",
    "x CANONICAL",
    "canonicals",
    "c\u00e4nonical",
    "EN",
    "\u4e2d canonical",
    "/a",
)


@needs_core
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 40))
def test_both_bodies_read_the_same_head(seed: int, n_rows: int, n_attrs: int) -> None:
    rng = np.random.default_rng(seed)
    tag = rng.choice(HEAD_TAGS, n_rows).astype(np.int16)
    parent = np.array([rng.integers(-1, i) if i else -1 for i in range(n_rows)], np.int32)
    # As in a page: an element has an attribute once.
    pairs = sorted(
        {
            (int(r), int(n))
            for r, n in zip(rng.integers(0, n_rows, n_attrs), rng.choice(HEAD_NAMES, n_attrs), strict=True)
        }
    )
    node, name = (np.array([p[k] for p in pairs], kind) for k, kind in ((0, np.int32), (1, np.int16)))
    attrs = AttrColumns(node, name, rng.integers(0, len(SAID), len(pairs)).astype(np.int32))
    compiled, plain = both(lambda: native.head(tag, parent, attrs, SAID))
    assert compiled == plain
    assert list(compiled.meta) == list(plain.meta)


def test_a_head_says_what_stands_in_it() -> None:
    page = parse_page(
        Capture(
            "",
            b"<html lang=' EN'><title>A</title><meta property=og:Title content=b><meta name=og:title content=c><meta name=d>"
            b"<link rel='x Canonical' href=/e><link rel=icon href=f><base><base href=/g><body><title>h</title><meta itemprop=i content=''>",
        )
    )
    attrs = AttrColumns(page.attr_node, page.attr_name, page.attr_value)
    for body in (nullcontext, in_python):
        with body():
            said = native.head(page.tag, page.parent, attrs, page.values())
        assert said[:4] == ({"og:title": "b", "i": ""}, [("x Canonical", "/e")], "/g", "en")
        assert page.text[page.text_start[said.title] : page.text_end[said.title]] == "A"


def test_a_head_of_other_rows_is_refused() -> None:
    tag, parent = np.full(1, HEAD_TAGS[0], np.int16), np.full(1, -1, np.int32)
    for node, value, match in ((1, 0, "rows"), (-1, 0, "rows"), (0, 1, "string"), (0, -1, "string")):
        attrs = AttrColumns(
            np.array([node], np.int32), np.array([HEAD_NAMES[0]], np.int16), np.array([value], np.int32)
        )
        for body in (nullcontext, in_python):
            with body(), pytest.raises(ValueError, match=match):
                native.head(tag, parent, attrs, ("a",))
