"""What is counted of texts, terms and rows: both bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.arrays.trees.siblings import like_siblings
from tests.native.bodies import both, needs_core

LETTERS = st.sampled_from("aZ09 \t\n.!。\x1c\x85\xa0٣５²é漢字\ud800\U0001d7d8")
"""With digits, spaces and stops of several kinds."""


@needs_core
@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(LETTERS, max_size=12), max_size=12))
def test_both_bodies_tell_the_same_of_strings(strings: list[str]) -> None:
    compiled, plain = both(lambda: native.string_facts(strings, ".!。"))
    assert np.array_equal(compiled.length, plain.length)
    assert np.array_equal(compiled.words, plain.words)
    assert np.array_equal(compiled.bits, plain.bits)
    assert compiled.words.tolist() == [len(s.split()) for s in strings]


@needs_core
def test_facts_are_of_strings() -> None:
    with pytest.raises(TypeError, match="strings"):
        native.string_facts([b"a"], "")  # type: ignore[list-item]


@needs_core
@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(0, 4), max_size=9), st.booleans()), max_size=6))
def test_both_bodies_count_terms_alike(pages: list[tuple[list[int], bool]]) -> None:
    ids = np.array([term for own, _ in pages for term in own], np.int32)
    offset = np.cumsum([0, *(len(own) for own, _ in pages)], dtype=np.int64)
    chosen, worth = np.array([c for _, c in pages], bool), np.arange(10, dtype=np.int64) ** 3
    compiled, plain = both(lambda: native.term_counts(ids, offset, chosen, 5, worth))
    assert np.array_equal(compiled, plain)
    assert compiled[:, 1].sum() == sum(len(own) for own, c in pages if c)


@needs_core
def test_terms_that_do_not_fit_are_refused() -> None:
    yes, worth = np.array([True]), np.arange(5)
    for ids, cut in (([7], [0, 1]), ([-1], [0, 1]), ([0], [0, 2]), ([0, 0], [0, 2, 1]), ([0] * 5, [0, 5])):
        with pytest.raises(ValueError, match=r"term|pages"):
            native.term_counts(np.array(ids, np.int32), np.array(cut), yes, 1, worth)


@needs_core
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5) | st.integers(2**63, 2**64 - 1)), max_size=40),
    st.sampled_from((0, 1)),
)
def test_both_bodies_count_pages_alike(pairs: list[tuple[int, int]], n_runs: int) -> None:
    pairs = sorted(pairs, key=lambda pair: pair[0])
    pairs += [(page, key ^ 2**62) for page, key in pairs] * n_runs  # other keys may follow, from the first page on
    page, key = np.array([p for p, _ in pairs], np.int32), np.array([k for _, k in pairs], np.uint64)
    compiled, plain = both(lambda: native.page_keys(page, key))
    for name in compiled._fields:
        one, other = getattr(compiled, name), getattr(plain, name)
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    assert compiled.key.tolist() == sorted({k for _, k in pairs})
    assert compiled.key[compiled.which].tolist() == key.tolist()
    want = {k: len({p for p, other in pairs if other == k}) for _, k in pairs}
    assert dict(zip(compiled.key.tolist(), compiled.pages.tolist(), strict=True)) == want
    assert compiled.counts().at(key).tolist() == [want[k] for _, k in pairs]
    firsts = [pair for pair, is_first in zip(pairs, compiled.is_first.tolist(), strict=True) if is_first]
    assert sorted(firsts) == sorted(set(pairs))


@needs_core
def test_keys_that_begin_alike_are_sorted_too() -> None:
    key = np.random.default_rng(0).permutation(np.arange(5_000, dtype=np.uint64))  # all the same but for the last bits
    assert native.page_keys(np.zeros(len(key), np.int32), key).key.tolist() == sorted(key.tolist())


@needs_core
def test_a_key_without_a_page_is_refused() -> None:
    with pytest.raises(ValueError, match="page"):
        native.page_keys(np.zeros(2, np.int32), np.zeros(3, np.uint64))


@needs_core
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(-1, 2), st.lists(st.integers(0, 3), max_size=3)), max_size=60),
    st.sampled_from((1, 2**40)),
)
def test_both_bodies_find_the_same_groups(rows: list[tuple[int, int, list[int]]], scale: int) -> None:
    parent = np.array([-1] + [min(p, i) for i, (p, _, _) in enumerate(rows)], np.int32)
    kind = np.array([0] + [k for _, k, _ in rows], np.int64)
    pairs = [(row, name) for row, (_, _, names) in enumerate(rows, 1) for name in names]
    row, name = (np.array([p[k] for p in pairs], np.int64) for k in (0, 1))
    found, slow = native.like_siblings(parent, kind, row, name * scale), like_siblings(parent, kind, row, name * scale)
    assert found.row_group.tolist() == slow.row_group.tolist()
    assert found.size.tolist() == slow.size.tolist()
    assert found.parent.tolist() == slow.parent.tolist()


@needs_core
def test_rows_that_do_not_fit_are_refused() -> None:
    none = np.zeros(0, np.int64)
    for parent, row in (([0], none), ([-1, 1], none), ([-2], none), ([-1, 0], np.array([1, 0])), ([-1], np.array([4]))):
        with pytest.raises(ValueError, match=r"parent|row"):
            native.like_siblings(np.array(parent, np.int32), np.zeros(len(parent), np.int64), row, row)
