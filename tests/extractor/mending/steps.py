"""What a step that keeps more does to a page of which some blocks were left out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from tests.builders import site_of


def brought_back(step: Callable[[Evidence, Bools], Bools], html: str, *left_out: str) -> list[str]:
    """Which of the blocks that were left out, by their texts, the step keeps; where it keeps none, it gives back the array it was given."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text not in left_out for text in texts])
    found = step(evidence, kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept and text in left_out]
