"""What a site says of blocks: the C bodies against the Python ones, and hostile input."""

from __future__ import annotations

import copy
import html
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.demo import generate
from sitegrain.errors import ModelError
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.knowledge import SiteKnowledge, learn
from sitegrain.extractor.stages import SITE_NAMES, site_columns, site_columns_python
from sitegrain.native import extension
from sitegrain.result.mining import read_folder
from sitegrain.tables.build import build_site
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.extractor.pages import random_page
from tests.native.test_evidence import hostile_page

needs_native = pytest.mark.skipif(extension is None, reason="the native extension is not built")
# Lower case that depends on neighbours (Σ) or is longer (İ), scripts without spaces, digits of several kinds, marks.
ODD = "aB zΣσİßé_-.,…0129٣५² ½Ⅷ中文のกำ๑한ก็\u0307\u00a0\u2003\u1e9eⒶ😀𐐀𝟘\x1f"


def assert_same(site: Site, knowledge: SiteKnowledge, first: int = 0, last: int | None = None) -> Evidence:
    evidence = gather(rows_of(site, first, site.n_pages if last is None else last))
    rows = evidence.blocks.rows
    paths = knowledge.row_paths(rows)
    for mine, other in zip(paths, knowledge.row_paths_python(rows), strict=True):
        np.testing.assert_array_equal(mine, other)
    scores = knowledge.path_scores(evidence.blocks, paths)
    for found, expected in zip(scores, knowledge.path_scores_python(evidence.blocks), strict=True):
        np.testing.assert_array_equal(found, expected)
    columns, slow = site_columns(evidence, knowledge, paths), site_columns_python(evidence, knowledge)
    assert columns.shape == slow.shape
    for k, name in enumerate(SITE_NAMES):
        np.testing.assert_array_equal(columns[:, k], slow[:, k], name)
    return evidence


def score_paths(knowledge: SiteKnowledge, site: Site) -> None:
    evidence = gather(rows_of(site, 0, site.n_pages))
    score = np.random.default_rng(0).random(len(evidence.blocks))
    knowledge.set_scores(knowledge.block_paths(evidence.blocks), score, evidence.words)


@needs_native
@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_both_bodies_say_the_same(seed: int, n_pages: int) -> None:
    rng = random.Random(seed)
    pages = [rng.choice((hostile_page, random_page))(rng) if rng.random() < 0.9 else "" for _ in range(n_pages)]
    pages += [rng.choice(pages) + rng.choice(("", "<p>End 12 of 345.")) for _ in range(n_pages)]
    site = site_of(*pages)
    knowledge = learn(site)
    score_paths(knowledge, site)
    assert_same(site, knowledge)
    assert_same(site, knowledge, 1, 3)
    assert_same(site_of(*(hostile_page(rng) for _ in range(3)), pages[0]), knowledge)


@needs_native
@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(ODD, max_size=40) | st.text(ODD, min_size=100, max_size=300), max_size=8), st.integers(0, 99))
def test_texts_of_all_scripts(texts: list[str], number: int) -> None:
    names = "".join(f"<i class='{html.escape(t)} x n{number}'>" for t in texts[:2])
    pages = ["".join(f"<p>{html.escape(t)}" for t in some) for some in (texts, texts[::2], [*texts, f"page {number}"])]
    site = site_of(*(names + page for page in pages * 2))
    assert_same(site, learn(site))
    assert_same(site_of(*pages[:2]), learn(site))  # texts of another width in memory


@needs_native
def test_a_text_of_which_all_is_known() -> None:
    site = site_of(*(f"<p>Posted by Ann, {k} days ago<p>{'Long text. ' * 30}{k}<p>ΟΔΥΣΣΕΑΣ {k}" for k in range(20)))
    knowledge = learn(site)
    evidence = assert_same(site, knowledge)
    column = dict(zip(SITE_NAMES, site_columns(evidence, knowledge).T, strict=True))
    assert column["site_same"][0] == np.float32(0.05)
    assert column["site_masked"][:3].tolist() == [1.0, 1.0, 1.0]
    assert column["path_first_word"][0] == np.float32(1 / 3)
    assert column["common_words"][2] == 1.0


@needs_native
def test_the_demo(tmp_path: Path) -> None:
    generate(tmp_path)
    site = read_folder(tmp_path)
    knowledge = learn(site)
    score_paths(knowledge, site)
    assert len(assert_same(site, knowledge).blocks) > 1000
    again = SiteKnowledge.from_state(knowledge.to_state())
    for page in range(5):
        assert_same(site, again, page, page + 1)


@needs_native
@pytest.mark.parametrize("page", ["", "x", "<p>", "<br>", "<title>t</title>", "<p>\u00a0", "<frameset><frame src=x>"])
def test_pages_with_next_to_nothing(page: str) -> None:
    for learned in (site_of(page, page), site_of("<p class=a>One two", "<p class=a>One two")):
        assert_same(site_of(page), learn(learned))
        assert_same(site_of("", page, ""), learn(learned))
    assert_same(build_site([]), learn(learned))


@needs_native
def test_a_site_of_one_page_says_nothing() -> None:
    site = site_of("<p>One")
    assert np.isnan(site_columns(gather(rows_of(site, 0, 1)), learn(site))).all()


@needs_native
def test_scores_that_are_set_later_are_seen() -> None:
    site = site_of("<p>One", "<p>Two")
    knowledge = learn(site)
    evidence = assert_same(site, knowledge)
    assert np.isnan(knowledge.path_scores(evidence.blocks)[0]).all()
    score_paths(knowledge, site)
    assert not np.isnan(knowledge.path_scores(evidence.blocks)[0]).any()
    assert_same(site, copy.deepcopy(knowledge))


@needs_native
@pytest.mark.parametrize(
    "page",
    [
        "<div class='a b'>x</div>" * 50_000,
        "<p>" + "<b class=q>x" * 50_000,
        "".join(f"<p class='{'known ' * 50} c{i}'>x{i}" for i in range(10_000)),
        f"<p class='{'known ' * 200_000}'>x",
        "<p>" + "word, " * 300_000,
        "".join(f"<p>{i * i} words" for i in range(30_000)),
    ],
    ids=["siblings", "deep", "names", "name", "long", "texts"],
)
def test_hostile_pages_take_linear_time(page: str) -> None:
    knowledge = learn(site_of(*["<p class='known a b'>word x"] * 3))
    site = site_of(page)
    evidence = gather(rows_of(site, 0, 1))
    start = time.process_time()
    site_columns(evidence, knowledge)
    assert time.process_time() - start < 2.0  # some 0.05 s; quadratic time would be minutes


@needs_native
def test_columns_that_do_not_fit_are_refused() -> None:
    assert extension is not None
    site = site_of("<p class=a>One<p>Two", "<p class=a>Three")
    knowledge = learn(site)
    evidence = gather(rows_of(site, 0, 2))
    blocks, where, rows = evidence.blocks, evidence.geometry, evidence.blocks.rows
    paths = knowledge.row_paths(rows)
    out = np.empty((len(blocks), len(SITE_NAMES)), np.float32)
    columns = (
        blocks.page, blocks.first, blocks.box, blocks.text_start, blocks.text_end, rows.end, rows.page,
        evidence.words, evidence.is_sentence, *paths,
    )  # fmt: skip

    def call(columns: tuple[object, ...], chain: tuple[object, ...] = where.chain, n_pages: int = 2) -> None:
        extension.site_columns(knowledge.table, rows.text, columns, chain, n_pages, knowledge.facts_of, out)

    call(columns)
    for k in range(len(columns)):
        with pytest.raises(ValueError, match="fit"):
            call((*columns[:k], columns[k][:-1], *columns[k + 1 :]))
    for k in range(7):
        for wrong in (-7, 10**6):
            values = np.array(columns[k])
            values[-1] = wrong
            with pytest.raises(ValueError, match="fit"):
                call((*columns[:k], values, *columns[k + 1 :]))
    with pytest.raises(ValueError, match="fit"):
        call(columns, tuple(c + 1000 for c in where.chain))
    with pytest.raises(ValueError, match="fit"):
        call(columns, where.chain[:3])
    with pytest.raises(ValueError, match="fit"):
        call(columns, n_pages=1)
    with pytest.raises(ValueError, match="range"):
        extension.site_scores(knowledge.table, blocks.box + 1000, *paths)
    attrs = site.attrs
    for node, value in (
        (attrs.node + 1000, attrs.value),
        (attrs.node, attrs.value + 1000),
        (attrs.node - 9, attrs.value),
    ):
        with pytest.raises(ValueError, match="range"):
            extension.site_paths(
                knowledge.table, site.strings, 0, 0, rows.tag, rows.parent, node, np.zeros_like(attrs.name), value
            )
    with pytest.raises(ValueError, match="before"):
        extension.site_paths(
            knowledge.table, site.strings, 0, 0, rows.tag, rows.parent + 100, attrs.node, attrs.name, attrs.value
        )


@needs_native
@pytest.mark.parametrize("part", ["paths_pages", "row_pages_count", "edges_first_key"])
def test_a_damaged_model_is_refused(part: str) -> None:
    state = learn(site_of(*["<p class=a>One two three"] * 4)).to_state()
    with pytest.raises(ModelError, match="damaged"):
        SiteKnowledge.from_state({**state, part: state[part][:-1]})
    with pytest.raises(ModelError, match="damaged"):
        SiteKnowledge.from_state({**state, "names": {"a": "b"}})
