"""Notes around the field in which readers may answer."""

from __future__ import annotations

import time

import numpy as np
import pytest

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.replies import without_form_notes
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.tables.build import build_site
from sitegrain.tables.capture import Capture

PROSE = "<p>" + "Tea must draw for three minutes before it is poured into a warm cup. " * 12
NOTE = "<p>Be kind to the other readers; rude words are removed."
FORM = "<form><textarea></textarea><p>We keep your address.</form>"


def _gathered(*pages: str) -> tuple[Evidence, Bools]:
    site = build_site(Capture(f"http://a.org/{k}", html.encode()) for k, html in enumerate(pages))
    evidence = gather(rows_of(site, 0, len(pages)))
    return evidence, np.ones(len(evidence.blocks), bool)


def _votes(name: str, n_pages: int = 1) -> Floats:
    out = np.zeros((len(PAGE_TYPES), n_pages))
    out[PAGE_TYPES.index(name)] = 0.8
    return out


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        (f"<main>{PROSE}</main><div>{NOTE}<div>{FORM}</div></div>", [True, False, False]),
        (f"<main>{PROSE}<div>{FORM}</div>{NOTE}</main>", [True, False, True]),  # beside the text, not around the form
        (f"<div>{NOTE}{FORM}</div><main>{PROSE}</main>", [True, True, True]),  # nothing is answered yet
        (f"<main>{PROSE}</main><div>{PROSE}{FORM}</div>", [True, True, False]),  # too much for notes
        (f"<main>{PROSE}</main><div>{NOTE}<form><input></form></div>", [True, True]),
    ],
)
def test_notes_around_a_field_for_answers_are_left_out(html: str, kept: list[bool]) -> None:
    evidence, every = _gathered(html)
    assert without_form_notes(evidence, lambda: _votes("article"), every).tolist() == kept


def test_the_last_post_of_a_thread_stands_beside_the_form() -> None:
    evidence, every = _gathered(f"<main>{PROSE}</main><div>{NOTE}{FORM}</div>")
    assert without_form_notes(evidence, lambda: _votes("forum"), every) is every


def test_only_the_page_with_the_form_changes() -> None:
    evidence, every = _gathered(f"{PROSE}{NOTE}", f"<main>{PROSE}</main><div>{NOTE}{FORM}</div>", PROSE)
    assert without_form_notes(evidence, lambda: _votes("article", 3), every).tolist() == [
        *(True, True), *(True, False, False), True,
    ]  # fmt: skip


def test_votes_are_not_asked_without_notes() -> None:
    evidence, every = _gathered(f"<main>{PROSE}</main><div><form><textarea></textarea></form></div>", PROSE)

    def never() -> Floats:
        raise AssertionError

    assert without_form_notes(evidence, never, every) is every


def test_many_fields_take_no_longer_for_each() -> None:
    evidence, every = _gathered(PROSE + "<div>" * 400 + "<p>Note<textarea></textarea>" * 50_000)
    start = time.process_time()
    without_form_notes(evidence, lambda: _votes("article"), every)
    assert time.process_time() - start < 2.5  # 0.1 s
