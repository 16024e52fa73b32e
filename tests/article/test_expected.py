"""Confidence and doubts by scores."""

from __future__ import annotations

import numpy as np

from sitegrain.article.article import Article
from sitegrain.article.expected import expected
from sitegrain.methods.base import Blocks, NodeVerdict
from tests.builders import site_of

TEXT = "The river rose over its banks on Monday night, and three villages had no light until the morning. " * 6


def article(scores: list[float], kept: list[bool], role: str = "article") -> Article:
    """A page of as many paragraphs, judged so."""
    site = site_of("<a href=/>Home</a>" + "".join(f"<p>{TEXT}" for _ in scores))
    rows = np.flatnonzero(site.is_text)[1:]
    node_score, node_kept = np.zeros(site.n_nodes), np.zeros(site.n_nodes, bool)
    node_score[rows], node_kept[rows] = scores, kept
    empty = np.zeros(0)
    blocks = Blocks(empty.astype(np.int32), empty, empty.astype(bool), ())
    return Article(site, 0, NodeVerdict(node_score, node_kept, np.full(site.n_nodes, -1, np.int32), blocks), role)


def test_what_was_left_out_lowers_the_confidence() -> None:
    sure, less = article([1.0, 0.0], [True, False]), article([1.0, 0.4], [True, False])
    assert sure.confidence > 0.99
    assert 0.7 < less.confidence < 0.9


def test_much_left_out_is_told() -> None:
    doubted = article([0.9, 0.45, 0.45], [True, False, False])
    assert any("left out" in note for note in doubted.notes)
    assert doubted.to_dict()["notes"] == list(doubted.notes)
    assert article([0.9, 0.45, 0.45], [True, True, True], role="toc").notes == ()


def test_text_that_is_hardly_content_is_told() -> None:
    assert any("no content" in note for note in article([0.4, 0.0], [True, False]).notes)


def test_a_page_that_is_clear_has_no_doubt() -> None:
    assert article([0.95, 0.02], [True, False]).notes == ()
    assert article([1.0, 0.0], [True, False]).notes == ()


def test_nothing_kept_expects_nothing() -> None:
    found = expected(np.array([5.0]), np.array([50.0]), np.array([False]))
    assert found.f1 == 0.0
    assert found.doubt == ""
