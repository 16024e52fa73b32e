"""Footnotes are kept with the text that they belong to."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.together.footnotes import LEAST_SCORE, MAX_TEXTS, with_footnotes
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture

MARK = "<p>Boil water<sup id=r1><a href=#n1>1</a></sup> now."
NOTES = [
    "<ol><li id=n1><p>Soft water. <a href=#r1>back</a></ol>",
    "<p><a name=n1></a><a href=#r1>[1]</a> Soft water.",
    "<div><a id=n1 href=#r1>1)</a> Soft water.</div>",
]


def kept_texts(html: str, score: float = LEAST_SCORE, first: int = 1) -> list[str]:
    """What is kept, if the first blocks were, and all others have this score."""
    site = build_site([Capture("http://a.org/tea.html", html.encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    kept = np.arange(len(blocks)) < first
    found = with_footnotes(blocks, np.full(len(blocks), score), kept)
    return [blocks.text(i) for i in np.flatnonzero(found).tolist()]


@pytest.mark.parametrize("note", NOTES)
def test_a_note_that_leads_back_to_its_mark_is_kept(note: str) -> None:
    assert any("Soft water." in text for text in kept_texts(f"{MARK}<p>Menu.{note}"))
    assert "Menu." not in kept_texts(f"{MARK}<p>Menu.{note}")


@pytest.mark.parametrize(
    "html",
    [
        MARK + "<p id=n1>Soft water.",  # it leads back nowhere
        MARK + "<p id=n1>Soft water. <a href=#r2>back</a><p id=r2>Milk.",  # to somewhere else
        "<p id=r1>Tea. <a href=#n1>2</a>",  # no such place
        MARK + "<div id=n1><a href=#r1>top</a>" + "<p>Soft water." * (MAX_TEXTS + 1) + "</div>",  # a part of the page
    ],
)
def test_other_places_of_the_page_are_not(html: str) -> None:
    assert len(kept_texts(html)) == 1


def test_sources_of_little_score_and_notes_of_what_is_left_out_are_not() -> None:
    assert len(kept_texts(MARK + NOTES[0], score=LEAST_SCORE / 2)) == 1
    assert kept_texts(f"<p>Kept.{MARK}{NOTES[0]}") == ["Kept."]


def test_a_line_of_the_list_of_contents_is_no_note_of_its_heading() -> None:
    html = "<p>Kept.<ul><li id=l1><a href=#h1>Tea</a></ul><h2 id=h1><a href=#l1>Tea</a></h2>"
    site = build_site([Capture("http://a.org/tea.html", html.encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    kept = np.array([True, False, True])
    assert with_footnotes(blocks, np.ones(3), kept) is kept
