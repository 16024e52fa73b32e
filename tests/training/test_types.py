"""Page types are learned with class names and without, and from words that were weighed elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sitegrain.extractor.pagetypes import PAGE_TYPES, told_names, type_names
from sitegrain.extractor.typewords import PageWords, TypeWords
from sitegrain.training import stages, types
from sitegrain.training.examples import PageExample
from sitegrain.training.stages import OutOfFold, columns_of, nameless
from sitegrain.training.types import train_types, train_words, words_out_of_fold
from tests.training.test_lexicon import NAMES, example

PAGES = [example(f"g{i}", str(i), [("tea", "forum post", 1.0), ("cup", "comment", 0.0)]) for i in range(3)]


def test_every_page_is_learned_from_with_its_names_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[Any] = []
    monkeypatch.setattr(
        types, "train_ensemble", lambda x, y, w, *rest: learned.append((np.concatenate(x), np.concatenate(y), len(w)))
    )
    score = OutOfFold(*({e.name: np.full(len(e.words), p) for e in PAGES} for p in (0.9, 0.2)))
    train_types(NAMES, PAGES, score, 5)
    assert len(learned) == 2 * len(PAGE_TYPES)
    columns = type_names(NAMES)
    for kind, (x, y, n) in zip(PAGE_TYPES * 2, learned, strict=True):
        assert len(x) == len(y) == n == 2 * len(PAGES)
        assert (y == (kind == "article")).all()
        assert (x[::2, columns.index("mean_class_comment")] > 0).all()
        assert (x[1::2, columns.index("mean_class_comment")] == 0).all()
        of_score = columns.index("expected_share")  # each by the first scores that go with it
        assert x[::2, of_score] == pytest.approx(0.9)
        assert x[1::2, of_score] == pytest.approx(0.2)
    assert {x.shape[1] for x, _, _ in learned[: len(PAGE_TYPES)]} == {len(columns)}
    assert {x.shape[1] for x, _, _ in learned[len(PAGE_TYPES) :]} == {len(told_names(NAMES))}


def typed(group: str, name: str, kind: str, *words: int) -> PageExample:
    page = example(group, name, [("tea", "", 1.0)])
    return replace(page, kind=kind, type_words=np.array(sorted(words), np.uint32))


SHOPS = [typed(f"s{k}", f"s{k}", "product", 7, 100 + k) for k in range(8)]
THREADS = [typed(f"t{k}", f"t{k}", "forum", 9, 200 + k) for k in range(8)]


def odds(learned: TypeWords, *words: int) -> dict[str, float]:
    hashes = np.array(words, np.uint32)
    return dict(zip(PAGE_TYPES, learned.odds(PageWords(hashes, np.zeros(len(hashes), np.int64)), 1)[0], strict=True))


def test_words_of_many_domains_tell_types() -> None:
    learned = train_words([*SHOPS, *THREADS])
    assert learned.key.tolist() == [7, 9]  # all others are on one domain
    shop, thread, unknown = odds(learned, 7), odds(learned, 9), odds(learned, 100)
    assert max(shop, key=shop.__getitem__) == "product"
    assert max(thread, key=thread.__getitem__) == "forum"
    assert unknown["product"] == pytest.approx(unknown["forum"], abs=0.1)
    assert sum(np.exp(list(shop.values()))) == pytest.approx(1, abs=1e-4)
    # The same weights by the obvious way: a step off in any of them makes the loss larger.
    assert loss(learned) < min(
        loss(replace(learned, weight=learned.weight + off))
        for off in np.eye(2 * len(PAGE_TYPES)).reshape(-1, 2, len(PAGE_TYPES)) * 0.1
    )


def loss(learned: TypeWords) -> float:
    """What is to be small, one page after the other."""
    total = types.PENALTY / 2 * float((learned.weight**2).sum())
    return total - sum(odds(learned, *page.type_words.tolist())[page.kind] for page in (*SHOPS, *THREADS))


def test_a_word_that_one_site_has_on_many_pages_is_not_learned() -> None:
    same = [typed("one", f"p{k}", "product", 7) for k in range(9)]
    learned = train_words([*same, *THREADS])
    assert learned.key.tolist() == [9]
    assert not len(train_words([]).key)


def test_words_are_asked_where_they_were_not_weighed() -> None:
    # A word that a group has on its own pages alone can tell nothing of them.
    pages = [*SHOPS, *THREADS]
    said = words_out_of_fold(pages, 3)
    assert (said.argmax(axis=1) == [PAGE_TYPES.index(p.kind) for p in pages]).all()
    wrong = replace(SHOPS[0], kind="forum")
    again = words_out_of_fold([wrong, *SHOPS[1:], *THREADS], 3)
    assert PAGE_TYPES[again[0].argmax()] == "product"  # what its own label says was not seen


def test_a_nameless_page_is_a_copy() -> None:
    named = columns_of(NAMES, stages.NAME_PREFIXES)
    page = nameless(NAMES, PAGES[0])
    assert not page.x[:, named].any()
    assert PAGES[0].x[:, named].any()
    rest = np.setdiff1d(np.arange(len(NAMES)), named)
    assert np.array_equal(page.x[:, rest], PAGES[0].x[:, rest], equal_nan=True)


def test_scores_of_some_pages() -> None:
    both = OutOfFold({"a": np.zeros(1), "b": np.ones(1)}, {"a": np.ones(2)})
    assert [sorted(part) for part in both.only({"a"})] == [["a"], ["a"]]
    assert [sorted(part) for part in both.only({"b"})] == [["b"], []]
