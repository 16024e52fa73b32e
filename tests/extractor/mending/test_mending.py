"""All steps, one after the other: what was done is said."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.judged import Judged, judged_blocks
from sitegrain.extractor.mending import REASONS, mended
from sitegrain.extractor.model import Extractor, load_trees
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages

PROSE = "The river rose over its banks on Monday night, and three villages had no light until the morning came. "
PAGE = (
    f"<title>Boats</title><script>x</script><p>{PROSE * 3}</p><p>Who goes on a boat takes these things along:</p>"
    "<ul><li>a rope<ul><li>of hemp</ul><li>a lamp</ul><p>" + PROSE.replace("river", "lake") * 3 + "</p>"
    "<form><select><option>North forum<option>South forum</select></form>"
)


def judged_as(evidence: Evidence, score: Floats, kept: Bools, n_copies: int) -> native.Judged:
    """What the kernel would say of such a decision."""
    judged = native.judge(evidence.pages, load_trees().score_model, None)
    return judged._replace(score=score, kept=kept, n_copies=n_copies)


@settings(max_examples=100, deadline=None)
@given(pages())
def test_what_was_changed_has_a_reason(page: Drawn) -> None:
    evidence, score, kept = page
    judged = judged_as(evidence, score, kept, 2)
    done = mended(evidence, judged, lambda: np.full((7, evidence.geometry.n_pages), 0.3), None)
    if done.why is None:
        assert done.kept is kept
    else:
        assert done.why.shape == kept.shape
        assert (done.why[done.kept != kept] > 0).all()
        for was, is_kept, why in zip(kept, done.kept, done.why.tolist(), strict=True):
            if was != is_kept:
                assert REASONS[why].startswith("kept: " if is_kept else "left out: ")
    nothing = judged._replace(kept=kept & False)
    assert mended(evidence, nothing, None, None).kept is nothing.kept


def test_reasons_are_told() -> None:
    site = site_of(PAGE)
    verdict = Extractor().fit(site).apply(site)
    told = {}
    for row in np.flatnonzero(site.is_text).tolist():
        why = verdict.blocks.reason[verdict.node_block[row]]
        told[site.node_text(row)] = bool(verdict.node_kept[row]), why
        assert "kept: " not in why or verdict.node_kept[row]
        assert "left out: " not in why or not verdict.node_kept[row]
    assert all(told[text][0] for text in ("a rope", "of hemp", "a lamp"))


def test_a_choice_that_was_kept_says_why_it_is_left_out() -> None:
    site = site_of(PAGE)
    evidence = gather(rows_of(site, 0, 1))
    everything = np.ones(len(evidence.blocks), bool)
    done = mended(evidence, judged_as(evidence, everything.astype(float), everything, 0), None, None)
    judged = Judged(evidence, None, everything.astype(float), done.kept, done.why)
    blocks = judged_blocks([judged])
    said = {evidence.blocks.text(i): blocks.reason[i] for i in range(len(blocks))}
    assert said["North forum"].endswith("left out: an option of a form")
    assert "left out" not in said["a lamp"]
