"""Captions of pictures on a page alone."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.captions import without_captions
from tests.builders import site_of

TEXT = "the kettle sings and nobody gets up " * 20


ARTICLE, OTHER = np.array([True]), np.array([False])


def left_out(html: str, score: dict[str, float], is_article: Bools = ARTICLE) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    scores = np.array([score.get(text, 0.9) for text in texts])
    kept = np.ones(len(texts), bool)
    found = without_captions(evidence, scores, is_article, kept)
    assert (found is kept) == bool(found.all())
    return [text for text, is_kept in zip(texts, found, strict=True) if not is_kept]


def test_a_doubtful_line_beside_a_picture_goes() -> None:
    page = f"<main><p>{TEXT}<div><img src=a.jpg><p>A cup<i>Ann</i></div><p>{TEXT}</main>"
    assert left_out(page, {"A cupAnn": 0.5}) == ["A cupAnn"]
    assert left_out(page, {}) == []  # it is sure
    assert left_out(page, {"A cupAnn": 0.5}, OTHER) == []  # a thread
    assert left_out(page.replace("<img src=a.jpg>", ""), {"A cupAnn": 0.5}) == []
    assert left_out(page.replace("<p>A cup", "<p>So it is.<p>A cup"), {"A cupAnn": 0.5}) == []  # beside a sure one
    assert left_out(page.replace(TEXT, "tea"), {"A cupAnn": 0.5}) == []  # nothing is sure


def test_pictures_may_be_the_text() -> None:
    items = "".join(f"<div><img src={k}.jpg><p>{k} {TEXT[:300]}</div>" for k in range(9))
    page = f"<main><p>{TEXT}</main>{items}"
    scores = {f"{k} {TEXT[:300]}".strip(): 0.5 for k in range(9)}
    assert left_out(page, scores) == []
    facts = f"<p>{TEXT}<table><tr><td><img src=a.jpg>A cup<td>{TEXT}</table>"
    assert left_out(facts, {"A cup": 0.5}) == []
