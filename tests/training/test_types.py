"""Page types are learned with class names and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sitegrain.extractor.pagetypes import PAGE_TYPES, type_names
from sitegrain.training import stages
from sitegrain.training.lexicon import WordCorpus
from sitegrain.training.stages import Corpus, OutOfFold, columns_of, nameless, train_types
from tests.training.test_lexicon import NAMES, example

PAGES = [example(f"g{i}", str(i), [("tea", "forum post", 1.0), ("cup", "comment", 0.0)]) for i in range(3)]


def test_every_page_is_learned_from_with_its_names_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[Any] = []
    monkeypatch.setattr(
        stages, "_train", lambda x, y, w, *rest: learned.append((np.concatenate(x), np.concatenate(y), len(w)))
    )
    corpus = Corpus(NAMES, PAGES, WordCorpus.of(NAMES, PAGES), {})
    score = OutOfFold(*({e.name: np.full(len(e.words), p) for e in PAGES} for p in (0.9, 0.2)))
    train_types(corpus, PAGES, score, 5)
    assert len(learned) == len(PAGE_TYPES)
    columns = type_names(NAMES)
    for kind, (x, y, n) in zip(PAGE_TYPES, learned, strict=True):
        assert len(x) == len(y) == n == 2 * len(PAGES)
        assert (y == (kind == "article")).all()
        assert (x[::2, columns.index("mean_class_comment")] > 0).all()
        assert (x[1::2, columns.index("mean_class_comment")] == 0).all()
        of_score = columns.index("expected_share")  # each by the first scores that go with it
        assert x[::2, of_score] == pytest.approx(0.9)
        assert x[1::2, of_score] == pytest.approx(0.2)


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
