"""Doubtful text below an article."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.others.below import DOUBT, OF_TEXT, SURE, SURE_WORDS, without_below
from sitegrain.tables.tags import TEXT
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages

TEXT_OF_ARTICLE = "the kettle sings and nobody gets up " * 20
PAGE = f"<main><h1>Tea</h1><p>{TEXT_OF_ARTICLE}<p>And {TEXT_OF_ARTICLE}</main><div><p>Give us money<p>Every day we write for you</div>"


def votes(article: float, forum: float, n_pages: int = 1) -> Floats:
    return np.tile(np.array([[article], [forum]]), (1, n_pages))


def after(html: str, score: dict[str, float], by_type: Floats) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    scores = np.array([score.get(text, 0.9) for text in texts])
    kept = without_below(evidence, scores, by_type, np.ones(len(texts), bool))
    return [text[:13] for text, is_kept in zip(texts, kept, strict=True) if is_kept]


def test_what_is_doubtful_below_the_text_goes() -> None:
    asks = {"Give us money": 0.3, "Every day we write for you": 0.6}
    assert after(PAGE, asks, votes(0.9, 0.1)) == ["Tea", "the kettle si", "And the kettl"]
    assert len(after(PAGE, asks, votes(0.4, 0.3))) == 5  # posts of a thread follow one another
    assert len(after(PAGE, asks | {"Give us money": 0.8}, votes(0.9, 0.1))) == 5  # sure enough together
    inside = PAGE.replace("</main>", "") + "</main>"
    assert len(after(inside, asks, votes(0.9, 0.1))) == 5  # in the element around the text


@settings(max_examples=150, deadline=None)
@given(pages(), st.sampled_from((0.1, 0.6)))
def test_equals_the_obvious_way(page: Drawn, article: float) -> None:
    evidence, score, kept = page
    n_pages = evidence.geometry.n_pages
    found = without_below(evidence, score, votes(article, 0.1, n_pages), kept)
    wanted = kept.copy()
    for p in range(n_pages) if article > 0.3 else ():
        wanted &= ~_below(evidence, score, kept, p)
    assert found.tolist() == wanted.tolist()


def _below(evidence: Evidence, score: Floats, kept: Bools, page: int) -> Bools:
    blocks, rows = evidence.blocks, evidence.blocks.rows
    own = blocks.page == page
    sure = np.where(own & kept & (score >= SURE), evidence.words, 0.0)
    below = np.zeros(len(kept), bool)
    if sure.sum() < SURE_WORDS:
        return below
    around = []  # elements with most of it, as (blocks, -row)
    for r in range(len(rows)):
        inside = [b for b in range(len(kept)) if r <= blocks.first[b] < rows.end[r]]
        if rows.tag[r] != TEXT and sure[inside].sum() >= OF_TEXT * sure.sum():
            around.append((len(inside), -r, inside[-1]))
    below[min(around)[2] + 1 :] = True
    below &= own & kept
    size = np.where(below, evidence.words + 1, 0.0)
    return below if size.any() and size @ score < DOUBT * size.sum() else np.zeros(len(kept), bool)
