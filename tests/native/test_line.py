"""The text of a subtree as one line: both bodies give the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.article.fields.view import View
from sitegrain.native.inputs import LineRows
from sitegrain.tables.site import SPACE_BEFORE
from tests.builders import site_of
from tests.native.bodies import both, needs_core

_SAID = st.text(st.sampled_from(" \t\n\xa0ab,.)é中\U0001f600\ud800"), max_size=6)


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, LineRows, int]:
    """A text, the rows of a page with numbers from `first` on, and that number; of tags 0 is text, 1 a block and 2 none."""
    first = draw(st.integers(0, 3))
    n = draw(st.integers(1, 30))
    parent = [first - 1] + [0] * (n - 1)
    tag = [draw(st.integers(1, 2))] + [0] * (n - 1)
    open_rows = [0]
    for i in range(1, n):
        for _ in range(draw(st.integers(0, 2))):
            if len(open_rows) > 1:
                open_rows.pop()
        parent[i] = open_rows[-1] + first
        tag[i] = draw(st.integers(0, 2))
        if tag[i]:
            open_rows.append(i)
    end = [i + 1 for i in range(n)]
    for i in range(n - 1, 0, -1):
        up = parent[i] - first
        end[up] = max(end[up], end[i])
    texts = [draw(_SAID) if not tag[i] else "" for i in range(n)]
    ends = np.cumsum([len(t) for t in texts]).tolist()
    starts = [ends[i] - len(texts[i]) for i in range(n)]
    stops = [ends[end[i] - 1] for i in range(n)]
    flags = [draw(st.sampled_from((0, SPACE_BEFORE))) for _ in range(n)]
    kinds = (np.int16, np.int32, np.int32, np.int32, np.int32, np.uint8)
    columns = (tag, parent, [e + first for e in end], starts, stops, flags)
    rows = LineRows(*(np.array(column, kind).data for column, kind in zip(columns, kinds, strict=True)))
    return "".join(texts), rows, first


@needs_core
@given(pages(), st.integers(1, 40), st.data())
def test_both_bodies_write_the_same_line(page: tuple[str, LineRows, int], max_rows: int, data: st.DataObject) -> None:
    text, rows, first = page
    row = first + data.draw(st.integers(0, len(rows.tag) - 1))
    compiled, in_python = both(lambda: native.line_text(text, rows, first, row, max_rows, bytes((0, 1, 0))))
    assert compiled == in_python


@needs_core
@given(pages(), st.integers(0, 12), st.data())
def test_both_bodies_write_the_same_snippet(page: tuple[str, LineRows, int], most: int, data: st.DataObject) -> None:
    text, rows, first = page
    n = len(rows.tag)
    start, end = sorted(first + data.draw(st.integers(0, n)) for _ in range(2))
    left = sorted(first + k for k in data.draw(st.sets(st.integers(0, n - 1), max_size=3)))
    compiled, in_python = both(lambda: native.snippet(text, rows, first, start, end, left, most))
    assert compiled == in_python


def test_a_snippet_leaves_links_out_and_says_that_there_is_more() -> None:
    view = View(site_of("<p><a href=x>Tea</a> is <b>good</b><i>, or</i> <a href=y><b>not</b></a> so bad</p>"), 0)
    links = view.tagged("a")

    def said(left: list[int], most: int) -> str:
        return native.snippet(view.site.texts[0], view.lists, 0, 0, view.rows.stop, left, most)

    assert said([], 500) == "Tea is good , or not so bad"
    assert said(links, 500) == "is good , or so bad"
    assert said(links, 7) == "is good "


def test_blocks_are_apart_and_signs_are_not() -> None:
    site = site_of("<p><i>Tea</i><b>pot</b> <i>one</i></p><div><b>Milk</b></div>, sugar<br>salt")
    assert View(site, 0).text(0) == "Teapot one Milk, sugar salt"
