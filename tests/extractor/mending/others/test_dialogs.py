"""What a page shows when it is asked to is not its text."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.dialogs import SURE, without_dialogs
from tests.builders import site_of

TEXT = "The river rose over its banks on Monday night, and three villages had no light until the morning came."
NOTICE = "Wir speichern, was Sie lesen, und geben es an andere weiter."


def kept_of(html: str, score: float) -> list[str]:
    """What is left when all is kept and the notices score so."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    scores = np.array([score if text == NOTICE else 0.9 for text in texts])
    found = without_dialogs(evidence, scores, np.ones(len(texts), bool))
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


@pytest.mark.parametrize(
    "element", ["dialog", "div role=dialog", "div role=' AlertDialog'", "section role=alertdialog"]
)
def test_a_dialog_is_left_out_unless_it_is_sure(element: str) -> None:
    page = f"<p>{TEXT}</p><{element}><div><p>{NOTICE}</p></div></{element.split()[0]}>"
    assert kept_of(page, SURE - 0.1) == [TEXT]
    assert kept_of(page, SURE + 0.1) == [TEXT, NOTICE]


@pytest.mark.parametrize("element", ["div", "div role=tabpanel", "details", "div class=dialog"])
def test_other_elements_stay(element: str) -> None:
    assert kept_of(f"<p>{TEXT}</p><{element}><p>{NOTICE}</p></{element.split()[0]}>", 0.2) == [TEXT, NOTICE]


def test_a_page_that_is_a_dialog_keeps_it() -> None:
    assert kept_of(f"<div role=dialog><p>{NOTICE}</p></div>", 0.2) == [NOTICE]
    assert kept_of(f"<div role=dialog>{f'<p>{NOTICE}</p>' * 40}</div><p>Tea</p>", 0.2)[0] == NOTICE


def test_each_page_is_asked_for_itself() -> None:
    site = site_of(f"<p>{TEXT}</p><dialog>{NOTICE}</dialog>", f"<dialog>{NOTICE}</dialog>", f"<p>{TEXT}</p>")
    evidence = gather(rows_of(site, 0, 3))
    kept = np.ones(len(evidence.blocks), bool)
    assert without_dialogs(evidence, np.full(len(kept), 0.3), kept).tolist() == [True, False, True, True]
    assert without_dialogs(evidence, np.ones(len(kept)), kept) is kept
