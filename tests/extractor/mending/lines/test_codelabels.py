"""A label above a program that names its language is left out."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.lines.codelabels import without_code_labels
from tests.builders import site_of


def kept_texts(html: str) -> list[str]:
    blocks = text_blocks(rows_of(site_of(html), 0, 1))
    texts = [blocks.text(i) for i in range(len(blocks))]
    kept = np.ones(len(blocks), bool)
    found = without_code_labels(blocks, np.array([float(len(t.split())) for t in texts]), kept)
    assert (found is kept) == bool(found.all())
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Boil:</p><div class=language-sh><span>sh</span><pre>boil --tea</pre></div>",
        "<p>Boil:</p><figure><figcaption>Sh</figcaption><pre><code class='hljs lang-sh'>boil --tea</code></pre></figure>",
    ],
)
def test_a_label_in_the_box_of_a_program_is_left_out(html: str) -> None:
    assert kept_texts(html) == ["Boil:", "boil --tea"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>sh</p><div class=language-sh><pre>boil --tea</pre></div>",  # a paragraph of the text
        "<div class=language-c><span>sh</span><pre>boil --tea</pre></div>",
        "<div class=language-sh><span>sh is</span><pre>boil --tea</pre></div>",
    ],
)
def test_other_words_are_not(html: str) -> None:
    assert len(kept_texts(html)) == 2
