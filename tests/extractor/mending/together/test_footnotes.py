"""Footnotes are kept with the text that they belong to."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of, text_blocks
from sitegrain.extractor.mending.together.footnotes import FEW, LEAST_SCORE, MAX_TEXTS, with_footnotes
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

MARK = "<p>Boil water<sup id=r1><a href=#n1>1</a></sup> now."
NOTES = [
    "<ol><li id=n1><p>Soft water. <a href=#r1>back</a></ol>",
    "<p><a name=n1></a><a href=#r1>[1]</a> Soft water.",
    "<div><a id=n1 href=#r1>1)</a> Soft water.</div>",
    "<table><tr><td><a name=n1 href=tea.html#r1>[1]</a></td><td><p>Soft water.</p></td></tr><tr><td>Menu.</table>",  # by DocBook
    "<h4>Notes</h4><h5><a id=n1 href=#r1>(1)</a></h5><p>Soft water.</p><h5><a>(2)</a></h5><p>Menu.",  # by Texinfo
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


def marks_and_notes(n: int) -> str:
    marks = "".join(f"<a id=r{k} href=#n{k}>{k}</a> " for k in range(n))
    return f"<p>Boil water {marks}</p>" + "".join(f"<p id=n{k}>Soft {k} <a href=#r{k}>^</a>" for k in range(n))


def test_many_sources_of_little_score_and_notes_of_what_is_left_out_are_not() -> None:
    assert len(kept_texts(marks_and_notes(FEW + 1), score=LEAST_SCORE / 2)) == 1
    assert len(kept_texts(marks_and_notes(FEW), score=LEAST_SCORE / 2)) == FEW + 1
    assert kept_texts(f"<p>Kept.{MARK}{NOTES[0]}") == ["Kept."]


def test_notes_of_a_page_come_together() -> None:
    n = FEW + 1
    pages = [Capture(f"http://a.org/tea{k}.html", f"{marks_and_notes(n)}<p>Menu.".encode()) for k in range(2)]
    blocks = text_blocks(rows_of(build_site(pages), 0, 2))
    of_one = n + 2
    score = np.array([1, 0.3, *([0.1] * (n - 1)), 0, 1, *([0.1] * n), 0])
    found = with_footnotes(blocks, score, np.arange(2 * of_one) % of_one == 0)
    assert found.tolist() == [*[True] * (n + 1), False, True, *[False] * (n + 1)]


def test_a_line_of_the_list_of_contents_is_no_note_of_its_heading() -> None:
    html = "<p>Kept.<ul><li id=l1><a href=#h1>Tea</a></ul><h2 id=h1><a href=#l1>Tea</a></h2>"
    site = build_site([Capture("http://a.org/tea.html", html.encode())])
    blocks = text_blocks(rows_of(site, 0, 1))
    kept = np.array([True, False, True])
    assert with_footnotes(blocks, np.ones(3), kept) is kept
