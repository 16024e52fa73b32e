"""Scores and decision in one call: the C body against the Python one, and against the single steps; hostile input."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.lexicon import LEXICAL_NAMES, lexical_columns
from sitegrain.extractor.model import (
    ASKS_FIRST_BELOW,
    ContentTrees,
    Extractor,
    decide,
    first_scores,
    load_trees,
    page_opinion,
    shifted,
    site_opinion,
)
from sitegrain.extractor.pagetypes import SURE_WITH_SITE, AskedTypes, TypeTrees, article_shift
from sitegrain.extractor.stages import SITE_NAMES, STAGE_NAMES, stage_columns
from sitegrain.native.inputs import SiteScores
from tests.builders import site_of
from tests.extractor.pages import random_page
from tests.native.blocks.test_evidence import hostile_page
from tests.native.bodies import both, needs_core


def fresh(trees: ContentTrees) -> ContentTrees:
    """The same trees, made ready for no body yet."""
    ready = {name: replace(getattr(trees, name)) for name in ("first", "second", "site", "site_alone")}
    return replace(trees, **ready, types=tuple(map(replace, trees.types)))


def pages_of(seed: int, n_pages: int) -> list[str]:
    rng = random.Random(seed)
    return [rng.choice((hostile_page, random_page))(rng) if rng.random() < 0.9 else "" for _ in range(n_pages)]


def site_scores(trees: ContentTrees, n: int, seed: int) -> SiteScores:
    rng = np.random.default_rng(seed)
    of_site = rng.choice([np.nan, 0.0, 0.5, 1.0], (n, len(SITE_NAMES))).astype(np.float32)
    return SiteScores(of_site, rng.random(n), rng.choice([np.nan, 0.3], n), *trees.site_ensembles, seed % 2 == 0)


@needs_core
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.booleans(), st.booleans())
def test_both_bodies_judge_the_same(seed: int, n_pages: int, is_known: bool, has_types: bool) -> None:
    site = site_of(*pages_of(seed, n_pages))
    evidence = gather(rows_of(site, 0, site.n_pages))

    def judged() -> native.Judged:
        trees = fresh(load_trees())
        trees = trees if has_types else replace(trees, types=(), type_words=None, told_types=())
        about = site_scores(trees, len(evidence.blocks), seed) if is_known else None
        return native.judge(evidence.pages, trees.score_model, about)

    compiled, plain = both(judged)
    for name in ("first", "score", "node_score"):
        np.testing.assert_allclose(getattr(compiled, name), getattr(plain, name), rtol=1e-12, atol=0, err_msg=name)
    for name in ("kept", "node_kept", "n_copies"):
        np.testing.assert_array_equal(getattr(compiled, name), getattr(plain, name), name)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_it_is_the_single_steps_one_after_the_other(seed: int, is_known: bool) -> None:
    site = site_of(*pages_of(seed, 2), '<p>One, two.<form><a href="x">three</a></form>')
    trees, evidence = load_trees(), gather(rows_of(site, 0, site.n_pages))
    n = len(evidence.blocks)
    about = site_scores(trees, n, seed) if is_known else None
    judged = native.judge(evidence.pages, trees.score_model, about)
    lexical = lexical_columns(evidence, trees.lexicon)
    have = (*evidence.names, *SITE_NAMES, *STAGE_NAMES)
    if about is None:
        p = first_scores(trees, evidence, lexical)
        parts = (
            evidence.x,
            np.full((n, len(SITE_NAMES)), np.nan, np.float32),
            stage_columns(evidence.geometry, evidence.words, p),
        )
    else:
        p = first_scores(trees, evidence, lexical)
        staged = stage_columns(evidence.geometry, evidence.words, p, about.path, about.tag_path)
        parts = evidence.x, about.of_site, staged
    names = {name: k for k, name in enumerate((*have, *LEXICAL_NAMES))}
    second, alone, with_first = (
        e.predict_parts((*parts, lexical), np.array([names[f] for f in e.names]))
        for e in (trees.second, trees.site_alone, trees.site)
    )
    assert trees.type_words is not None
    vote = AskedTypes(TypeTrees(trees.types[:1], trees.type_words, ()), evidence, p).votes()[0]
    if about is None:
        score, by = page_opinion(p, second), article_shift(vote)
    else:
        n_known = ASKS_FIRST_BELOW - about.asks_first
        score, by = site_opinion(p, alone, with_first, n_known), article_shift(vote, SURE_WITH_SITE)
    score = shifted(score, by[evidence.blocks.page])
    np.testing.assert_allclose(judged.first, p, rtol=1e-12)
    is_plain = (judged.score == 1) & (score < 1)
    np.testing.assert_allclose(judged.score[~is_plain], score[~is_plain], rtol=1e-12)
    assert not is_plain[evidence.blocks.page == 2].any()  # it has a form
    np.testing.assert_array_equal(judged.kept, decide(judged.score, evidence.words, evidence.blocks.page, site.n_pages))
    np.testing.assert_array_equal(judged.node_kept, np.append(judged.kept, False)[evidence.blocks.node_block])


def test_a_site_in_chunks_is_judged_as_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_of(*pages_of(5, 6))
    whole = Extractor().fit_apply(site)
    monkeypatch.setattr("sitegrain.extractor.knowledge.CHUNK_ROWS", 1)
    parts = Extractor().fit_apply(site)
    for name in ("node_score", "node_kept", "node_block"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name), name)


@needs_core
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 6), st.integers(1, 4))
def test_blocks_of_any_scores_are_decided_the_same(seed: int, kind: int, n_pages: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 300))
    some = rng.random(n)
    strange = rng.choice([0.0, -0.0, 1.0, 0.5, 5e-324, 0.999999], n)
    score = (some, some**8, 1 - some**8, np.round(some, 2), np.exp(-20 * some), strange, 2 * some)[kind]
    page = np.sort(rng.integers(0, n_pages, n)).astype(np.int32)
    words = rng.integers(0, 50, n).astype(np.float64)
    in_c, in_python = both(lambda: native.decide(score, words, page, n_pages, 0.2).tolist())
    assert in_c == in_python


@needs_core
def test_pages_are_judged_alike_whether_they_were_checked_before_or_not() -> None:
    evidence = gather(rows_of(site_of("<p>Tea is hot.<p>Milk"), 0, 1))
    checked, model = evidence.pages, load_trees().score_model
    others = checked._replace(checked=None), checked._replace(words=checked.words.copy())
    scores = [native.judge(of, model, None).score.tolist() for of in (checked, *others)]
    assert scores[0] == scores[1] == scores[2]
    # What was checked is told by the columns themselves: others are looked at.
    for wrong in (checked._replace(words=checked.words[1:]), checked._replace(n_pages=0)):
        with pytest.raises(ValueError, match=r"fit|order of pages"):
            native.judge(wrong, model, None)


@needs_core
def test_what_does_not_fit_is_refused() -> None:
    site = site_of("<p>One<p>Two<p>Three")
    of, model = gather(rows_of(site, 0, 1)).pages, load_trees().score_model
    judged = native.judge(of, model, None)
    unread = native.judge(of._replace(hashes=None, n_hashes=None), model, None)  # the words are read from the text
    np.testing.assert_array_equal(judged.score, unread.score)
    wrong = (
        of._replace(x=of.x[:-1]),
        of._replace(x=of.x[:, :-1].copy()),
        of._replace(words=of.words[:-1]),
        of._replace(hashes=np.zeros(2, np.uint32)),
        of._replace(n_hashes=np.array([1, 2], np.uint8)),
        of._replace(hashes=np.zeros(90, np.uint32), n_hashes=np.array([30, 30, 30], np.uint8)),
        of._replace(chain=of.chain + 1000),
        of._replace(alike=of.alike + 1000),
        of._replace(alike=of.alike[:1]),
        of._replace(node_block=of.node_block + 1000),
        of._replace(node_block=of.node_block[:-1]),
        of._replace(blocks=of.blocks._replace(first=of.blocks.first + 1000)),
        of._replace(blocks=of.blocks._replace(page=of.blocks.page + 1)),
        of._replace(blocks=of.blocks._replace(text_end=of.blocks.text_end + 1000)),
        of._replace(attrs=of.attrs._replace(node=of.attrs.node[:-1])) if len(of.attrs.node) else of._replace(n_pages=0),
    )
    for bad in wrong:
        with pytest.raises(ValueError, match=r"fit|length|pages|each block"):
            native.judge(bad, model, None)
    for bad_model in (
        model._replace(second=None),
        model._replace(type_own=model.type_own + 1000),
        model._replace(first=model.first._replace(at=model.first.at + 1000)),
        model._replace(first=model.first._replace(at=model.first.at[:-1])),
    ):
        with pytest.raises(ValueError, match=r"fit|second|feature"):
            native.judge(of, bad_model, None)


@needs_core
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=12), st.integers(0, 2**32 - 1))
def test_both_bodies_make_the_same_columns_of_types(pages: list[int], seed: int) -> None:
    chance, n = np.random.default_rng(seed), len(pages)
    x = chance.normal(size=(n, 6)).astype(np.float32)
    x[chance.random(x.shape) < 0.2] = np.nan
    own, averaged = np.array([0, 2], np.int64), np.array([1, 3, 4], np.int64)
    words, p = chance.integers(0, 50, n).astype(np.float64), chance.random(n)
    page = np.array(sorted(pages), np.int32)
    compiled, plain = both(lambda: native.type_columns(own, averaged, x, words, page, p, 4))
    assert np.array_equal(compiled, plain, equal_nan=True)


@needs_core
def test_columns_of_types_that_do_not_fit_are_refused() -> None:
    one, x = np.ones(1), np.ones((1, 3), np.float32)
    at, page = np.array([0], np.int64), np.array([0], np.int32)
    for own, of, n in ((at + 3, page, 1), (at - 1, page, 1), (at, page + 1, 1), (at, page - 1, 1)):
        with pytest.raises(ValueError, match="fit"):
            native.type_columns(own, at, x, one, of, one, n)
