"""Formulas between kept lines."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.formulas import with_formulas
from tests.builders import site_of

MATH = "<div><span class=katex><math><mi>E</mi><mo>=</mo><mi>m</mi></math><span>E=m</span></span></div>"


def coming(html: str) -> list[str]:
    """Which blocks come, if those that begin with "tea" are kept."""
    blocks = gather(rows_of(site_of(html), 0, 1)).blocks
    texts = [blocks.text(i).strip() for i in range(len(blocks))]
    kept = np.array([text.startswith("tea") for text in texts])
    found = with_formulas(blocks, kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, was, now in zip(texts, kept, found, strict=True) if now and not was]


def test_formulas_between_two_kept_lines_come() -> None:
    assert len(coming(f"<p>tea</p>{MATH}<p>tea</p>")) == 1
    assert len(coming(f"<p>tea</p>{MATH}{MATH}{MATH}<p>tea</p>")) == 3
    assert not coming(f"{MATH}<p>tea</p>")
    assert not coming(f"<p>tea</p>{MATH}")
    assert not coming(f"<p>tea</p>{MATH}<p>milk</p>{MATH}<p>tea</p>")


def test_what_only_holds_a_formula_does_not() -> None:
    assert not coming("<p>tea</p><p>milk <math><mi>E</mi></math></p><p>tea</p>")
    assert not coming("<p>tea</p><p>E = m</p><p>tea</p>")
