"""The words of texts and names: both bodies, and what they mean."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.lexicon import (
    LEXICAL_NAMES,
    Lexicon,
    WordWeights,
    lexical_columns,
)
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.native import name_hashes, text_hashes
from sitegrain.native.chars import char_table
from sitegrain.native.reference.blocks.lexicon import hashes_of_name, hashes_of_text, look
from tests.builders import site_of
from tests.native.bodies import both, needs_core

TEXT = st.text(st.sampled_from("aBc dé İß 019  $©.中文ไทย٣😀𠀀Σ-"), max_size=120)
NAME = st.text(st.sampled_from("aBcD x-_ 9é\n"), max_size=60)


def weights(hashes: list[int]) -> WordWeights:
    key = np.unique(np.array([h for h in hashes if h], np.uint32))
    return WordWeights(key, np.linspace(-3, 3, len(key), dtype=np.float16).astype(np.float32))


@needs_core
@settings(max_examples=200, deadline=None)
@given(st.lists(TEXT, max_size=6))
def test_words_of_texts_are_the_same_in_both_bodies(texts: list[str]) -> None:
    whole, ends = "".join(texts), np.cumsum([len(t) for t in texts], dtype=np.int32)
    starts = (ends - [len(t) for t in texts]).astype(np.int32)
    found, offset = text_hashes(whole, starts, ends, char_table())
    assert [found[a:b].tolist() for a, b in itertools.pairwise(offset)] == [hashes_of_text(t) for t in texts]


@needs_core
@settings(max_examples=200, deadline=None)
@given(st.lists(NAME, max_size=6))
def test_words_of_names_are_the_same_in_both_bodies(names: list[str]) -> None:
    found, offset = name_hashes(names)
    assert [found[a:b].tolist() for a, b in itertools.pairwise(offset)] == [hashes_of_name(n) for n in names]


@needs_core
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["div", "p", "h2", "ul"]), NAME, TEXT, st.booleans()), min_size=1, max_size=12),
    st.integers(1, 2),
)
def test_columns_are_the_same_in_both_bodies(parts: list[tuple[str, str, str, bool]], n_pages: int) -> None:
    html = "".join(
        f"<{tag} class='{name}' id='i{k}Box'>{text}" + (f"</{tag}>" if closed else "")
        for k, (tag, name, text, closed) in enumerate(parts)
    )
    site = site_of(*[html] * n_pages)
    evidence = gather(rows_of(site, 0, site.n_pages))
    some = Lexicon(
        weights([h for _, _, text, _ in parts[::2] for h in hashes_of_text(text)]),
        weights([h for _, name, _, _ in parts for h in hashes_of_name(name)][::2] + hashes_of_name("i1Box")),
    )
    fast, slow = both(lambda: lexical_columns(evidence, some))
    assert fast.shape == (len(evidence.blocks), len(LEXICAL_NAMES))
    np.testing.assert_allclose(fast, slow, rtol=1e-6)


def test_the_columns_say_what_the_words_weigh() -> None:
    some = Lexicon(
        WordWeights(*_table({"read": -2.0, "tea": 1.0})), WordWeights(*_table({"nav": -3.0, "post": 2.0}, is_name=True))
    )
    site = site_of(
        "<body class=nav><div class='post-nav'><h2>Tea</h2><p>Read tea</p></div>" + "<div>" * 4 + "<p>nothing</p>"
    )
    evidence = gather(rows_of(site, 0, 1))
    column = dict(zip(LEXICAL_NAMES, lexical_columns(evidence, some).T.tolist(), strict=True))
    assert column["lex"][:2] == [1.0, -0.5]
    assert column["lex_min"][:2] == [1.0, -2.0]
    assert column["lex_heading"][1] == 1.0
    assert column["lex_-1"][1] == 1.0
    assert column["name0"][:2] == [-0.5, -0.5]
    assert column["name1"][0] == -3.0
    assert np.isnan(column["name1"][2])
    assert column["name2"][2] == -3.0


def _table(words: dict[str, float], is_name: bool = False) -> tuple[np.ndarray, np.ndarray]:
    cut = hashes_of_name if is_name else hashes_of_text
    pairs = sorted((cut(word)[0], weight) for word, weight in words.items())
    return np.array([p[0] for p in pairs], np.uint32), np.array([p[1] for p in pairs], np.float32)


def test_a_lexicon_is_saved_as_numbers_and_comes_back_the_same() -> None:
    some = Lexicon(weights(hashes_of_text("one two three")), weights(hashes_of_name("post body")))
    again = Reader("m").read(Lexicon, to_plain(some))
    np.testing.assert_array_equal(again.text.key, some.text.key)
    np.testing.assert_array_equal(again.names.weight, some.names.weight)


def test_a_table_finds_every_word_and_no_other() -> None:
    chance = np.random.default_rng(0).integers(1, 1 << 32, 5000, dtype=np.uint32)
    # Words that belong at the end of the table go on at its beginning, where others stand.
    crowded = np.concatenate([chance[:80], (np.arange(1, 9, dtype=np.uint32) << np.uint32(12)) | np.uint32(0xFFD)])
    for key in (np.unique(chance), np.unique(crowded), chance[:1], chance[:0]):
        some = WordWeights(key, np.arange(len(key), dtype=np.float32))
        table = some.table[some.table["key"] > 0]
        assert dict(table.tolist()) == dict(zip(key.tolist(), range(len(key)), strict=True))
        assert look(some.table, key).tolist() == list(range(len(key)))
        assert np.isnan(look(some.table, np.setdiff1d(chance[-50:], key))).all()
