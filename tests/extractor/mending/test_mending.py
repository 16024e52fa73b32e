"""All steps, one after the other: what was done is said."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.judged import Judged, judged_blocks
from sitegrain.extractor.mending import REASONS, SiteSays, mended
from sitegrain.extractor.model import Extractor, load_trees
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.extractor.stages import SITE_NAMES
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


SAYS = "we saw it from the bridge and nobody who lives there had ever seen so much water"
NEWS = (
    f"<script>x</script><main><p>{PROSE * 6}</p><div>Free for members only</div></main>"
    f"<ul>{''.join(f'<li><a href={k}.html>Story {k}</a>' for k in range(4))}</ul>"
    f"<div>{''.join(f'<section><i>{k}.3.2021</i><p>{name}: {SAYS}</p></section>' for k, name in enumerate(('Ann', 'Bob'), 1))}</div>"
    "<div role=dialog><p>We store what you read.</p></div>"
)


def test_what_goes_beside_an_article_says_why() -> None:
    site = site_of(NEWS)
    evidence = gather(rows_of(site, 0, 1))
    n = len(evidence.blocks)
    texts = [evidence.blocks.text(i) for i in range(n)]
    of_site = np.zeros((n, len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_pages")] = np.log1p(60)
    of_site[texts.index("Free for members only"), SITE_NAMES.index("site_same")] = 0.8
    everything, score = np.ones(n, bool), np.where(np.arange(n) == 0, 0.9, 0.4)
    votes = np.zeros((len(PAGE_TYPES), 1))
    votes[PAGE_TYPES.index("article")] = 0.9
    says = SiteSays(of_site, np.full(n, np.nan))
    judged = judged_as(evidence, score, everything, 0)
    done = mended(evidence, judged, lambda: votes, lambda kept: kept, says)
    assert done.why is not None
    thin = mended(evidence, judged, lambda: votes, lambda kept: kept, says._replace(is_thin=True))
    assert thin.why is not None
    label = texts.index("Free for members only")
    assert thin.why[label] != done.why[label]
    said = {text: REASONS[why] for text, why in zip(texts, done.why.tolist(), strict=True)}
    assert said["Free for members only"] == "left out: a line that most pages have at this place"
    assert said["Story 2"] == "left out: of cards that lead to other pages"
    assert said[f"Ann: {SAYS}"] == "left out: of dated comments or teasers below the text"
    assert said["We store what you read."] == "left out: of a dialog"
    assert [text for text, is_kept in zip(texts, done.kept, strict=True) if is_kept] == [texts[0]]
