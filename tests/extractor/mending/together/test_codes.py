"""A program right below kept text is kept with it."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.together.codes import LEAST_SCORE, with_code
from tests.builders import site_of


def kept_texts(html: str, score: float = LEAST_SCORE, left_out: str = "") -> list[str]:
    """What is kept, if the first block was, and all others have this score."""
    blocks = text_blocks(rows_of(site_of(html), 0, 1))
    texts = [blocks.text(i) for i in range(len(blocks))]
    kept = np.arange(len(blocks)) < 1
    found = with_code(blocks, np.full(len(blocks), score), np.array([t == left_out for t in texts]), kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


def test_a_program_goes_with_the_text_above_it() -> None:
    page = "<p>Boil it:</p><pre>boil --tea</pre>"
    assert kept_texts(page) == ["Boil it:", "boil --tea"]
    assert kept_texts(page, score=LEAST_SCORE / 2) == ["Boil it:"]
    assert kept_texts(page, left_out="boil --tea") == ["Boil it:"]


def test_other_text_and_programs_further_below_do_not() -> None:
    assert kept_texts("<p>Boil it:</p><p>Menu</p><pre>boil --tea</pre>") == ["Boil it:"]
