"""A term goes with its definition."""

from __future__ import annotations

from functools import partial

from sitegrain.extractor.mending.together.terms import with_terms
from tests.extractor.mending.steps import brought_back

kept_of = partial(brought_back, with_terms)


def test_the_terms_of_a_kept_definition_are_kept() -> None:
    page = "<p>Tea<dl><dt>pour(cup)<dt>fill(cup)<dd>Puts hot water into a cup.<dt>drink()<dd>Once more</dl><dt>end"
    assert kept_of(page, "pour(cup)", "fill(cup)", "drink()", "end") == ["pour(cup)", "fill(cup)"]
    assert kept_of(page, "pour(cup)", "Puts hot water into a cup.") == []
