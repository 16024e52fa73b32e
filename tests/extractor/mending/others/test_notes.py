"""Dated notes that several pages print beside their text are not the text of any of them."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.notes import MIN_PAGES, without_notes
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

TEXT = "The river rose over its banks on Monday night, and three villages had no light until the morning came. " * 2
NOTES = [
    f"{name} war schon wieder im Garten und hat die Hälfte der Kirschen geholt" for name in ("Hans", "Eva", "Kurt")
]
ASIDE = "<div><h2>Notizen</h2>" + "".join(f"<p>{note}</p><small>am {k}. Mai 2007</small>" for k, note in enumerate(NOTES, 1)) + "</div>"  # fmt: skip
PAGE = f"<div><article><p>{TEXT}</p></article></div>{ASIDE}"


def left(html: str, pages: float = MIN_PAGES, text_pages: float = 1.0, distinct: float = 1.0) -> int:
    """How many notes are kept still, when all is and so many pages have them."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    of_site = np.zeros((len(texts), len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_same_count")] = [
        np.log1p(text_pages if text == TEXT.strip() else pages) for text in texts
    ]
    of_site[:, SITE_NAMES.index("path_distinct")] = [1.0 if text == TEXT.strip() else distinct for text in texts]
    found = without_notes(evidence, of_site, np.ones(len(texts), bool))
    assert found[texts.index(TEXT.strip())]
    return sum(text in NOTES for text, is_kept in zip(texts, found, strict=True) if is_kept)


def test_notes_beside_the_text_go() -> None:
    assert left(PAGE) == 0
    assert left(f"{ASIDE}<div><p>{TEXT}</p></div>") == 0


def test_notes_of_this_page_stay() -> None:
    assert left(PAGE, pages=MIN_PAGES - 1) == len(NOTES)


def test_notes_of_this_page_at_a_place_that_repeats_go() -> None:
    assert left(PAGE, pages=1, distinct=0.4) == 0
    assert left(PAGE, pages=1, distinct=0.6) == len(NOTES)


def test_notes_within_the_text_stay() -> None:
    assert left(f"<div><p>{TEXT}</p>{ASIDE}<p>Tea</p></div>", text_pages=1) == 0  # the text is one paragraph
    half = TEXT.strip()
    assert left(f"<div><p>{half}</p>{ASIDE}<p>{half}</p></div>") == len(NOTES)


def test_what_has_no_dates_stays() -> None:
    assert left(PAGE.replace("Mai 2007", "Strophe")) == len(NOTES)


def test_what_a_machine_wrote_down_stays() -> None:
    assert left(
        PAGE.replace("<div><h2>", "<pre><h2>").replace("</div>", "</pre>", 2).replace("</pre>", "</div>", 1)
    ) == len(NOTES)


def test_a_page_without_text_of_its_own_keeps_them() -> None:
    assert left(PAGE, text_pages=MIN_PAGES) == len(NOTES)
    evidence = gather(rows_of(site_of(PAGE, "<p>Tea</p>", ""), 0, 3))
    kept = np.ones(len(evidence.blocks), bool)
    nothing = np.full((len(kept), len(SITE_NAMES)), np.nan, np.float32)
    assert without_notes(evidence, nothing, kept) is kept
