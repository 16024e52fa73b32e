"""What a page says for programs that cannot show a film, a sound or a drawing."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.others.fallbacks import without_fallbacks
from tests.builders import site_of

TEXT = "The kettle sings and nobody gets up to see who is there."


def judged(*pages: str) -> tuple[Evidence, Bools]:
    site = site_of(*pages)
    evidence = gather(rows_of(site, 0, len(pages)))
    return evidence, without_fallbacks(evidence, np.ones(len(evidence.blocks), bool))


def kept_of(page: str) -> list[str]:
    evidence, kept = judged(page)
    return [evidence.blocks.text(i) for i in np.flatnonzero(kept).tolist()]


@pytest.mark.parametrize("name", ["audio", "video", "canvas"])
def test_what_only_old_browsers_show_goes(name: str) -> None:
    player = f"<div><{name}><p>Ваш браузер не поддерживает HTML5.</p></{name}></div>"
    assert kept_of(f"<p>{TEXT}</p>{player}<p>And so on.") == [TEXT, "And so on."]
    assert kept_of(f"<p>{TEXT} <{name}>No film.</{name}> So it is.") == [f"{TEXT} No film. So it is."]  # of a sentence
    link = f"<p>{TEXT}</p><{name}><a href=tea.mp4>tea.mp4</a></{name}>"
    assert kept_of(link) == [TEXT, "tea.mp4"]  # to the film itself


def test_a_page_for_such_browsers_keeps_it() -> None:
    page = f"<canvas><p>{TEXT}<p>{TEXT} Again.</canvas><p>Tea"
    assert len(kept_of(page)) == 3
    assert judged(f"<p>{TEXT}</p><video><p>No film.</video>", page)[1].tolist() == [True, False, True, True, True]


def test_nothing_is_copied_for_nothing() -> None:
    evidence = gather(rows_of(site_of(f"<p>{TEXT}<details>Milk</details>", f"<p>{TEXT}</p><video><p>No</video>"), 0, 2))
    kept = np.array([True, True, True, False])
    assert without_fallbacks(evidence, kept) is kept
