"""What a site says of blocks: the C bodies against the Python ones, and hostile input."""

from __future__ import annotations

import copy
import html
import random
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.demo import generate
from sitegrain.errors import ModelError
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.knowledge import PathScores, SiteKnowledge, learn
from sitegrain.extractor.stages import SITE_NAMES, site_block_columns
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.native.inputs import SiteBlocks
from sitegrain.result.mining import read_folder
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.extractor.pages import random_page
from tests.native.blocks.test_evidence import hostile_page
from tests.native.bodies import both, in_python, needs_core

# Lower case that depends on neighbours (Σ) or is longer (İ), scripts without spaces, digits of several kinds, marks.
ODD = "aB zΣσİßé_-.,…0129٣५² ½Ⅷ中文のกำ๑한ก็\u0307\u00a0\u2003\u1e9eⒶ😀𐐀𝟘\x1f"


def assert_same(site: Site, knowledge: SiteKnowledge, first: int = 0, last: int | None = None) -> Evidence:
    evidence = gather(rows_of(site, first, site.n_pages if last is None else last))

    def said() -> tuple[np.ndarray, ...]:
        own = copy.deepcopy(knowledge)  # with tables of this body
        paths = own.row_paths(evidence.blocks.rows)
        return (*paths, *own.path_scores(evidence.blocks, paths), site_block_columns(evidence, own, paths))

    compiled, python = both(said)
    for mine, other in zip(compiled[:-1], python[:-1], strict=True):
        np.testing.assert_array_equal(mine, other)
    assert compiled[-1].shape == python[-1].shape
    for k, name in enumerate(SITE_NAMES):
        np.testing.assert_array_equal(compiled[-1][:, k], python[-1][:, k], name)
    return evidence


def score_paths(knowledge: SiteKnowledge, site: Site) -> None:
    evidence = gather(rows_of(site, 0, site.n_pages))
    score = np.random.default_rng(0).random(len(evidence.blocks))
    paths, nothing = knowledge.block_paths(evidence.blocks), np.zeros(len(score))
    knowledge.set_path_scores(PathScores(*paths, score, evidence.words, nothing))


@needs_core
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


@needs_core
@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(ODD, max_size=40) | st.text(ODD, min_size=100, max_size=300), max_size=8), st.integers(0, 99))
def test_texts_of_all_scripts(texts: list[str], number: int) -> None:
    names = "".join(f"<i class='{html.escape(t)} x n{number}'>" for t in texts[:2])
    pages = ["".join(f"<p>{html.escape(t)}" for t in some) for some in (texts, texts[::2], [*texts, f"page {number}"])]
    site = site_of(*(names + page for page in pages * 2))
    assert_same(site, learn(site))
    assert_same(site_of(*pages[:2]), learn(site))  # texts of another width in memory


@needs_core
def test_a_text_of_which_all_is_known() -> None:
    site = site_of(*(f"<p>Posted by Ann, {k} days ago<p>{'Long text. ' * 30}{k}<p>ΟΔΥΣΣΕΑΣ {k}" for k in range(20)))
    knowledge = learn(site)
    evidence = assert_same(site, knowledge)
    column = dict(zip(SITE_NAMES, site_block_columns(evidence, knowledge).T, strict=True))
    assert column["site_same"][0] == np.float32(0.05)
    assert column["site_masked"][:3].tolist() == [1.0, 1.0, 1.0]
    assert column["path_first_word"][0] == np.float32(1 / 3)
    assert column["common_words"][2] == 1.0


@needs_core
def test_the_demo(tmp_path: Path) -> None:
    generate(tmp_path)
    site = read_folder(tmp_path)
    knowledge = learn(site)
    score_paths(knowledge, site)
    assert len(assert_same(site, knowledge).blocks) > 1000
    again = Reader("m").read(SiteKnowledge, to_plain(knowledge))
    for page in range(5):
        assert_same(site, again, page, page + 1)


@needs_core
@pytest.mark.parametrize("page", ["", "x", "<p>", "<br>", "<title>t</title>", "<p>\u00a0", "<frameset><frame src=x>"])
def test_pages_with_next_to_nothing(page: str) -> None:
    for learned in (site_of(page, page), site_of("<p class=a>One two", "<p class=a>One two")):
        assert_same(site_of(page), learn(learned))
        assert_same(site_of("", page, ""), learn(learned))
    assert_same(build_site([]), learn(learned))


@needs_core
def test_a_site_of_one_page_says_nothing() -> None:
    site = site_of("<p>One")
    assert np.isnan(site_block_columns(gather(rows_of(site, 0, 1)), learn(site))).all()


@needs_core
def test_scores_that_are_set_later_are_seen() -> None:
    site = site_of("<p>One", "<p>Two")
    knowledge = learn(site)
    evidence = assert_same(site, knowledge)
    assert np.isnan(knowledge.path_scores(evidence.blocks)[0]).all()
    score_paths(knowledge, site)
    assert not np.isnan(knowledge.path_scores(evidence.blocks)[0]).any()
    assert_same(site, copy.deepcopy(knowledge))


@needs_core
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
    site_block_columns(evidence, knowledge)
    assert time.process_time() - start < 2.0  # some 0.05 s; quadratic time would be minutes


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    site = site_of("<p class=a>One<p>Two", "<p class=a>Three")
    knowledge = learn(site)
    evidence = gather(rows_of(site, 0, 2))
    blocks, where, rows = evidence.blocks, evidence.geometry, evidence.blocks.rows
    paths = knowledge.row_paths(rows)
    good = SiteBlocks(rows.text, blocks.columns, where, evidence.words, evidence.is_sentence, rows.page, *paths)
    native.site_columns(knowledge.table, good)
    wrong = [
        *(good._replace(**{name: getattr(good, name)[:-1]}) for name in good._fields[3:]),
        good._replace(text="x"),
        good._replace(row_page=good.row_page + 9),
        good._replace(where=where._replace(chain=where.chain + 1000)),
        good._replace(where=where._replace(chain=where.chain[:3])),
        good._replace(where=where._replace(n_pages=1)),
        good._replace(where=where._replace(row_end=where.row_end - 5)),
    ]
    for name in blocks.columns._fields:
        column = getattr(blocks.columns, name)
        wrong.append(good._replace(blocks=blocks.columns._replace(**{name: column[:-1]})))
        if name != "last":  # it is not read
            for number in (-7, 10**6):
                values = np.append(column[:-1], np.int32(number))
                wrong.append(good._replace(blocks=blocks.columns._replace(**{name: values})))
    for bad in wrong:
        with pytest.raises(ValueError, match="fit"):
            native.site_columns(knowledge.table, bad)
    with pytest.raises(ValueError, match="range"):
        native.site_scores(knowledge.table, blocks.box + np.int32(1000), paths)


@pytest.mark.parametrize("python", [False, True])
def test_attributes_and_parents_that_do_not_fit_are_refused(python: bool) -> None:
    site = site_of("<p class=a>One<p>Two", "<p class=a>Three")
    rows = rows_of(site, 0, 2)
    with in_python() if python else nullcontext():
        table, attrs = learn(site).table, rows.attrs
        for bad in (
            attrs._replace(node=attrs.node + np.int32(1000)),
            attrs._replace(value=attrs.value + np.int32(1000)),
            attrs._replace(node=attrs.node - np.int32(90)),
        ):
            with pytest.raises(ValueError, match="range"):
                native.site_paths(table, rows.tag, rows.parent, bad, site.strings)
        with pytest.raises(ValueError, match="before"):
            native.site_paths(table, rows.tag, rows.parent + np.int32(100), attrs, site.strings)


def test_a_damaged_model_is_refused() -> None:
    knowledge = learn(site_of(*["<p class=a>One two three"] * 4))
    pages, first = knowledge.row_pages, knowledge.first_words
    for wrong in (
        {"paths": knowledge.paths._replace(pages=knowledge.paths.pages[:-1])},
        {"row_pages": pages._replace(times=pages.times[:-1])},
        {"row_pages": pages._replace(key=pages.key[::-1])},
        {"first_words": first._replace(key=first.key[:-1])},
        {"first_words": None},
        {"names": {"a": "b"}},
        {"names": {"a": 0}},
    ):
        with pytest.raises(ModelError, match="damaged"):
            Reader("m").read(SiteKnowledge, to_plain(replace(knowledge, **wrong)))


def test_texts_are_told_apart_whatever_their_width() -> None:
    """Pages with and without wide characters: the same short texts, which are remembered by their bytes."""
    signs = "0123456789abcdef"
    pages = [
        "".join(f"<p>{s}</p>" for k, s in enumerate(signs) if (n + k) % (k + 2) < 2) + ("<p>中文" if n % 2 else "<p>é")
        for n in range(40)
    ]
    site = site_of(*pages)
    knowledge = learn(site)

    def said() -> list[np.ndarray]:
        own = copy.deepcopy(knowledge)  # one table for all pages, which come one by one
        return [site_block_columns(gather(rows_of(site, p, p + 1)), own) for p in range(site.n_pages)]

    for mine, other in zip(*both(said), strict=True):
        np.testing.assert_array_equal(mine, other)
