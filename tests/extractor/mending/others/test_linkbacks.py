"""Lists of pages that link to the page."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.linkbacks import without_linkbacks
from tests.builders import site_of

TEXT = "<p>Green tea is poured at eighty degrees and stands for two minutes, or it is as bitter as the tea of last week.</p>"


def n_left(html: str) -> int:
    evidence = gather(rows_of(site_of(html), 0, 1))
    kept = np.ones(len(evidence.blocks), bool)
    found = without_linkbacks(evidence, kept)
    assert (found is kept) == bool(found.all())
    return int(found.sum())


@pytest.mark.parametrize(
    "name", ["class=trackback-body", "id=pingbacks", "class='posts crawler-linkback-list'", "class=linkback"]
)
def test_they_go_by_their_name(name: str) -> None:
    assert n_left(f"{TEXT}<div {name}><p><a href=/milk>Milk</a></p><p>Ann on milk</p></div>") == 1


def test_what_is_called_otherwise_stays() -> None:
    assert n_left(f"{TEXT}<div class='feedback trackbackground'><p>Milk</p></div>") == 2


def test_a_page_about_them_keeps_them() -> None:
    assert n_left(f"<p>Links here</p><div class=trackbacks>{TEXT}</div>") == 2


def test_a_short_question_with_many_of_them_loses_them() -> None:
    assert n_left(f"{TEXT}<div class=linkbacks>{TEXT * 3}</div>") == 1
