"""A term goes with its definition."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.terms import with_terms
from tests.builders import site_of


def kept_of(html: str, *left_out: str) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text not in left_out for text in texts])
    found = with_terms(evidence, kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept and text in left_out]


def test_the_terms_of_a_kept_definition_are_kept() -> None:
    page = "<p>Tea<dl><dt>pour(cup)<dt>fill(cup)<dd>Puts hot water into a cup.<dt>drink()<dd>Once more</dl><dt>end"
    assert kept_of(page, "pour(cup)", "fill(cup)", "drink()", "end") == ["pour(cup)", "fill(cup)"]
    assert kept_of(page, "pour(cup)", "Puts hot water into a cup.") == []
