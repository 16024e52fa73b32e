"""Lines that half of the pages have at the same place belong to the template."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.labels import MIN_PAGES, without_labels
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

TEXT = "The pot holds three litres and stands the frost of a long winter outside, if the water can run off."


def is_left(
    line: str,
    same: float = 0.7,
    distinct: float = 0.2,
    pages: int = 60,
    tag: str = "div",
    text: str = TEXT,
    score: float = 0.9,
) -> bool:
    """Whether a line is still kept, of which the site says this."""
    evidence = gather(rows_of(site_of(f"<p>{text}</p><{tag}>{line}</{tag}>"), 0, 1))
    of_site = np.zeros((len(evidence.blocks), len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_pages")] = np.log1p(pages)
    of_site[1, [SITE_NAMES.index("site_same"), SITE_NAMES.index("path_distinct")]] = same, distinct
    found = without_labels(evidence, of_site, np.array([0.9, score]), np.ones(len(evidence.blocks), bool))
    assert found[0]
    return bool(found[1])


def test_a_line_of_the_template_goes() -> None:
    assert not is_left("Минимальный заказ 100 BYN")
    assert not is_left("In stock", pages=MIN_PAGES)


@pytest.mark.parametrize(
    "about",
    [
        {"same": 0.4},
        {"distinct": 0.6},
        {"distinct": np.nan},
        {"pages": MIN_PAGES - 1},
        {"tag": "h2"},
        {"text": "A pot"},
    ],
)
def test_other_lines_stay(about: dict[str, float]) -> None:
    assert is_left("Minimum order 100 BYN", **about)  # type: ignore[arg-type]


def test_a_button_goes_wherever_it_stands() -> None:
    assert not is_left("<a href='#form'>Order it now</a>", distinct=1.0, text="A pot")
    assert is_left("<a href='/form'>Order it now</a>", distinct=1.0)
    assert is_left("Or <a href='#form'>order it now</a>", distinct=1.0)


def test_single_words_and_prose_stay() -> None:
    assert is_left("Note")
    assert is_left(TEXT)


def test_a_doubtful_notice_goes_and_sure_text_that_comes_again_stays() -> None:
    assert not is_left(TEXT.lower(), score=0.4, distinct=1.0)
    assert is_left(TEXT.lower(), score=0.6, distinct=1.0)
    assert is_left(TEXT.lower(), score=0.4, distinct=1.0, same=0.4)


def test_where_longer_lines_come_again_content_does() -> None:
    evidence = gather(rows_of(site_of(f"<p>{TEXT}</p><p>{TEXT.lower()}</p><div>Minimum order 100 BYN</div>"), 0, 1))
    of_site = np.zeros((3, len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_pages")] = np.log1p(60)
    kept = np.ones(3, bool)
    of_site[2, SITE_NAMES.index("site_same")] = 0.7
    score = np.full(3, 0.9)
    assert without_labels(evidence, of_site, score, kept).tolist() == [True, True, False]
    of_site[1, SITE_NAMES.index("site_same")] = 0.7
    assert without_labels(evidence, of_site, score, kept) is kept


def test_whose_the_site_is_goes_wherever_it_stands() -> None:
    """On a site made by hand the foot is a paragraph as those of the text are."""
    assert not is_left("Last updated 12/03/2004. © Tea Society. Webmaster", distinct=1.0)
    assert not is_left("Copyright 2004 Tea Society", distinct=1.0, text="A pot")
    assert is_left("Last updated by the Tea Society", distinct=1.0)
    assert is_left("Copyright 2004 Tea Society", same=0.3)
