"""Panels that ask for consent to cookies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.others.consents import (
    BEGINNING,
    DOUBT,
    GONE,
    OF_TEXT,
    SAYS,
    SENTENCE_WORDS,
    without_consents,
)
from sitegrain.tables.tags import TEXT as TEXT_ROW
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages

TEXT = "The kettle sings and nobody gets up to see who is there."
NEED = "Strictly necessary cookies make the site work as it should."
COUNT = "These cookies count the visits, so that we know what is read."
PANEL = f"<div><h3>Your choice</h3><div><p>{NEED}</div><div><p>{COUNT}</div><b>Save my choice</b></div>"


def left_out(html: str, score: dict[str, float]) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.ones(len(texts), bool)
    found = without_consents(evidence, np.array([score.get(text, 0.5) for text in texts]), kept)
    assert (found is kept) == bool(found.all())
    return [text for text, is_kept in zip(texts, found, strict=True) if not is_kept]


def test_a_panel_goes_with_what_stands_in_it() -> None:
    assert left_out(f"<main><p>{TEXT}</main>{PANEL}", {}) == ["Your choice", NEED, COUNT, "Save my choice"]
    assert left_out(f"<main><p>{TEXT}</main>{PANEL}", {"Save my choice": 0.9}) == ["Your choice", NEED, COUNT]
    assert left_out(f"<main><p>{TEXT}</main>{PANEL}", {COUNT: 0.8}) == []  # the text speaks of it
    assert left_out(f"<title>Cookies, explained</title><main><p>{TEXT}</main>{PANEL}", {}) == []
    assert left_out(f"<main><p>{TEXT}<p>{NEED}</main>", {}) == []
    assert left_out(f"<main><p>{TEXT}</main>{PANEL}".replace("<p>", "<pre>"), {}) == []  # a program


def test_two_sentences_far_apart_are_no_panel() -> None:
    rest = "".join(f"<p>{TEXT} And {k}." for k in range(9))
    assert left_out(f"<p>{NEED}</p><main>{rest}</main><p>{COUNT}</p>", {}) == []


@pytest.mark.parametrize(
    "line",
    [
        "Diese Cookies sind nötig, damit die Seite so läuft, wie sie es soll.",
        "Эти куки нужны для того, чтобы сайт работал так, как надо.",
        "Bu çerezler sitenin gerektiği gibi çalışması için gereklidir, her zaman açıktır.",
        "これらのクッキーは、サイトが正しく動作するために必要なものです。",
    ],
)
def test_in_other_languages(line: str) -> None:
    shown = f"{line} (1)"
    assert left_out(f"<main><p>{TEXT}</main><div><p>{line}<p>{shown}</div>", {}) == [line, shown]


@st.composite
def _drawn(draw: st.DrawFn) -> Drawn:
    evidence, score, kept = draw(pages())
    lines = draw(
        st.lists(
            st.sampled_from((f"<p>{NEED}", f"<div><p>{COUNT}</div>", f"<p>{TEXT}", "</section><section>")), max_size=9
        )
    )
    if not lines:
        return Drawn(evidence, score, kept)
    html = f"<main><p>{TEXT}</main><section>{''.join(lines)}</section>"
    evidence = gather(rows_of(site_of(html, f"<p>{TEXT}", html + PANEL), 0, 3))
    n = len(evidence.blocks)
    some = st.lists(st.sampled_from((0.1, 0.5, 0.72, 0.9)), min_size=n, max_size=n)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    return Drawn(evidence, np.array(draw(some)), np.array(draw(flags), bool))


@settings(max_examples=150, deadline=None)
@given(_drawn())
def test_equals_the_obvious_way(page: Drawn) -> None:
    evidence, score, kept = page
    found = without_consents(evidence, score, kept)
    wanted = kept & ~_panels(evidence, score, kept)
    assert found.tolist() == wanted.tolist()


def _panels(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    blocks, rows = evidence.blocks, evidence.blocks.rows
    texts = [blocks.text(i) for i in range(len(blocks))]
    sentence = [bool(w >= SENTENCE_WORDS) for w in evidence.words]
    says = [s and v < DOUBT and "ookie" in t for s, v, t in zip(sentence, score, texts, strict=True)]
    begins = [s and t.index("ookie") < BEGINNING for s, t in zip(says, texts, strict=True)]
    inside = {
        r: [b for b in range(len(blocks)) if r <= blocks.first[b] < rows.end[r]]
        for r in range(len(rows))
        if rows.tag[r] != TEXT_ROW
    }
    two = [r for r, own in inside.items() if sum(begins[b] for b in own) >= SAYS]
    out = np.zeros(len(blocks), bool)
    for r in two:
        if any(r < other < rows.end[r] for other in two):
            continue
        total = sum(evidence.words[b] for b in inside[r] if sentence[b])
        if sum(evidence.words[b] for b in inside[r] if says[b]) >= OF_TEXT * total:
            out[inside[r]] = True
    out[score >= GONE] = False
    for page in range(rows.n_pages):
        if not any(k and s and p == page for k, s, p in zip(kept, says, blocks.page, strict=True)):
            out[blocks.page == page] = False
    return out
