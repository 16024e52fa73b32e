"""What is found for all pages at once is what a look at each row finds."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.article.fields.authors import marked, shops
from sitegrain.article.fields.days import dates
from sitegrain.article.fields.shared import (
    _IN_ELSEWHERE_NAMES,
    ASKED,
    ELSEWHERE_NAMES,
    SHORT_NAME,
    SMALL_SIDE,
    _matcher,
    _may_have,
    examples,
    named_rows,
)
from sitegrain.article.fields.view import View
from sitegrain.native.reference.posts import when
from sitegrain.tables.site import HIDDEN, Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.jsonld import LinkedData
from tests.builders import site_of

TAGS = ("div", "nav", "aside", "footer", "article", "main", "form", "h1", "section", "p", "code", "pre", "time", "b")
NAMES = ("", "sidebar", "main-menu", "post", "comments-open", "next-post", "date")
ELEMENTS = st.recursive(
    st.sampled_from(["text ", "a longer text of some words ", "x" * 200, "<img>", "<b hidden>no</b>"]),
    lambda inner: st.builds(
        lambda tag, name, parts: f"<{tag} class='{name}'>{''.join(parts)}</{tag}>",
        st.sampled_from(TAGS),
        st.sampled_from(NAMES),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


def names_of(site: Site, row: int) -> list[str]:
    attrs = site.node_attrs(row)
    return [attrs.get("class", ""), attrs.get("id", "")]


def is_elsewhere(site: Site, page: int, row: int, sides: bool) -> bool:
    """The slow way: row by row from a row up to the root."""
    nodes = site.nodes
    while row >= 0:
        tag = site.tag_name(row)
        size = int(nodes.text_end[row] - nodes.text_start[row])
        if tag not in ("body", "html", "main", "article"):
            is_named = any(ELSEWHERE_NAMES.search(name) for name in names_of(site, row))
            has_heading = bool((nodes.tag[row : nodes.end[row]] == TAG_CODE["h1"]).any())
            is_part = 2 * size < len(site.texts[page])
            if tag in ("nav", "template", "dialog") or (nodes.flags[row] & HIDDEN and is_part):
                return True
            if (is_named or tag == "form") and is_part and not has_heading:
                return True
            up, is_in_article = row, False
            while up >= 0:
                is_in_article = is_in_article or site.tag_name(up) in ("article", "main")
                up = int(nodes.parent[up])
            if sides and tag in ("footer", "aside") and not (size <= SMALL_SIDE and is_in_article):
                return True
        row = int(nodes.parent[row])
    return False


@given(st.lists(st.lists(ELEMENTS, max_size=4).map("".join), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_rows_are_elsewhere_as_a_walk_up_finds_them(pages: list[str]) -> None:
    site = site_of(*pages)
    for page in range(site.n_pages):
        view, rows = View(site, page), site.page_rows(page)
        for sides in (False, True):
            found = [view.is_elsewhere(row, sides) for row in range(rows.start, rows.stop)]
            assert found == [is_elsewhere(site, page, row, sides) for row in range(rows.start, rows.stop)]
        for tag in ASKED:
            assert view.tagged(tag) == [row for row in range(rows.start, rows.stop) if site.tag_name(row) == tag]
        inside = [view.inside(row, "code", "samp", "kbd") for row in range(rows.start, rows.stop)]
        assert examples(site).in_code[rows].tolist() == inside
        or_pre = [view.inside(row, "pre", "code", "samp", "kbd") for row in range(rows.start, rows.stop)]
        assert examples(site).or_pre[rows].tolist() == or_pre
    pattern = re.compile("post|date")
    named = [row for row in range(site.n_nodes) if any(map(pattern.search, names_of(site, row)))]
    assert named_rows(site, pattern).tolist() == named


def test_above_the_root_nothing_is_elsewhere() -> None:
    assert View(site_of("<nav>a</nav>"), 0).is_elsewhere(-1) is False


PIECES = st.sampled_from(
    ["19", "20", "2005", "1999", "192005", "٠٥", " ", "-", "/", ".", "3", "12", "May", "月", "年", "日", "tháng", "THG", "3 May 2020",
     "2020-05-06", "5/6/2021", "20060708", "a", ","]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
def test_years_are_where_a_pattern_finds_them(text: str) -> None:
    assert dates.year_spots(text) == [m.start() for m in re.finditer(r"(?=(?:19|20)\d\d)", text)]


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([None, False, True]))
def test_no_date_without_a_place_for_a_year_and_none_is_lost(text: str, day_first: bool | None) -> None:
    assert dates.year_spots(text) or not dates.parse_date(text, day_first)
    ways = [way for way in when._WAYS if way.pattern is not when._NUMBERS]  # which `day_first` decides on
    tried = [way._replace(is_foreign=False, has_signs=False) for way in ways]
    slow = []
    for way in tried:
        for match in way.pattern.finditer(text):
            said = match[way.month]
            month = said if said.isdecimal() else dates._MONTH_OF.get(dates._fold(said), 0)
            if found := dates._made(match[way.year], month, match[way.day]):
                slow.append((match.start(), found))
    fast = list(dates.find_dates(text, day_first))
    assert fast[: len(slow)] == slow
    assert dates.first_date(text, day_first) == min(fast, default=(0, ""))[1]
    assert len(fast) - len(slow) <= len(list(dates._NUMBERS.finditer(text)))


def test_a_view_again_is_as_at_first_and_knows_the_rows() -> None:
    view = View(site_of("<title>a</title><p>3 May 2020 <img src=a>"), 0)
    view.day_first, view.clock_dates = True, frozenset({"2020-05-03"})
    again = view.again()
    assert (again.day_first, again.clock_dates) == (None, frozenset())
    assert again.lists is view.lists
    assert again.years == view.years == [len("a3 May ")]
    assert isinstance(again.linked, LinkedData)
    assert np.array_equal(again.tag, view.tag)


PATTERNS = st.sampled_from(
    (
        (ELSEWHERE_NAMES, _IN_ELSEWHERE_NAMES),
        (marked._CLASS, marked._IN_CLASS),
        (marked._AUTHOR_PAGE, marked._IN_AUTHOR_PAGE),
        (marked._MAIL, ("mailto",)),
        (shops._BUY, ("basket", "cart", "bag")),
    )
)


@given(PATTERNS, st.data())
def test_every_match_has_one_of_the_words_that_are_looked_for_first(
    of: tuple[re.Pattern[str], tuple[str, ...]], data: st.DataObject
) -> None:
    pattern, words = of
    name = data.draw(st.from_regex(pattern))
    assert _may_have(name, words)
    if name.isascii() and len(name) <= SHORT_NAME:
        assert native.word_bits([name], _matcher(words)).tolist() == [1]


def test_names_that_are_long_or_in_other_letters_are_looked_through() -> None:
    names = (
        "x" * SHORT_NAME + " sidebar",
        "x" * SHORT_NAME + " side",
        "بريد sidebar",
        "بريد",
        "\u017fIDEBAR",
        "\u017fide",
        "sidebar",
        "side",
    )
    site = site_of("".join(f"<p class='{name}'>" for name in names))
    found = named_rows(site, ELSEWHERE_NAMES, words=_IN_ELSEWHERE_NAMES)
    assert [bool(ELSEWHERE_NAMES.search(name)) for name in names] == np.isin(site.rows("p"), found).tolist()
