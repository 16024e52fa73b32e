"""Lines around the text of an article alone."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.lines.notices import without_notices, without_shouted_leads
from sitegrain.extractor.mending.lines.turns import labelled
from tests.builders import site_of

TEXT = "the kettle sings and nobody gets up " * 20


ARTICLE, OTHER = np.array([True]), np.array([False])


def left_out(html: str, score: float = 0.6, is_article: Bools = ARTICLE) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.ones(len(texts), bool)
    found = without_notices(evidence, np.full(len(texts), score), is_article, kept)
    found = without_shouted_leads(evidence, labelled(evidence, found), is_article, found)
    assert (found is kept) == bool(found.all())
    return [text for text, is_kept in zip(texts, found, strict=True) if not is_kept]


@pytest.mark.parametrize("line", ["Updated: 5 May 2024", "2024-05-19 17:47:17", "2005年8月25日"])
def test_a_day_above_goes(line: str) -> None:
    assert left_out(f"<p>茶</p><p>{line}<p>{TEXT}") == [line]
    assert left_out(f"<h2>{line}</h2><p>{TEXT}") == []
    assert left_out(f"<p>{TEXT}<p>a<p>b<p>c<p>{line}") == []
    assert left_out(f"<p>{line}<p>tea") == []  # next to no text
    assert left_out(f"<p>{line}<p>{TEXT}", is_article=OTHER) == []


@pytest.mark.parametrize(
    "line",
    [
        "Copyright 2024 Tea Press",
        "© Tea Press",
        "[ⓒ 茶, 무단전재 및 재배포 금지]",
        "This text is ours.\nAll rights reserved.",
    ],
)
def test_who_has_the_rights_goes_at_the_end(line: str) -> None:
    shown = " ".join(line.split())
    assert left_out(f"<p>{TEXT}<p>{line}<p>Tea") == [shown]
    assert left_out(f"<p>{line}<p>{TEXT}<p>a<p>b<p>c") == []


def test_how_to_reach_the_author_goes_at_the_end() -> None:
    line = "Write to Ann Teaman at ann.teaman@a.example"
    assert left_out(f"<p>{TEXT}<p>{line}") == [line]
    assert left_out(f"<p>{TEXT}<p>{line}", score=0.9) == []  # sure: of a press release
    assert left_out(f"<p>{TEXT}<p>Tea is sold at tea@a.example") == []


def test_a_label_in_capitals_leads_elsewhere() -> None:
    page = f"<p>{TEXT}<p><a href=x>PHOTOS: Tea</a><p><b>MIRA |</b> <a href=y>Té</a><p><a href=z>Tea: a history</a>"
    assert left_out(page) == ["PHOTOS: Tea", "MIRA |Té"]
    assert left_out(page, is_article=OTHER) == []
    episodes = "".join(f"<p><a href={k}>TEA: Episode {k}</a>" for k in range(40))
    assert left_out(f"<p>{TEXT}{episodes}") == []
