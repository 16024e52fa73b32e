"""Rows of links around the text that many pages have are no text."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.labels import MIN_PAGES
from sitegrain.extractor.mending.others.linkrows import SAME, without_link_rows
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

TEXT = "<p>The pot holds three litres and stands the frost of a long winter outside.</p>"
ROW = "<p>[ <a href=a>vorige</a> ] [ <a href=toc>Inhoud</a> ] [ 2 ] [ <a href=c>volgende</a> ]</p>"


def left(html: str, same: float = SAME, pages: int = 60) -> list[str]:
    """What is still kept of a page, of whose lines with links and of whose headings the site says this."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    of_site = np.zeros((len(evidence.blocks), len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("site_pages")] = np.log1p(pages)
    of_site[:, SITE_NAMES.index("site_same")] = np.where(evidence.column("link_density") > 0, same, 0)
    kept = without_link_rows(evidence, of_site, np.ones(len(evidence.blocks), bool))
    return [evidence.blocks.text(i)[:7] for i in np.flatnonzero(kept).tolist()]


def test_rows_above_and_below_the_text_go() -> None:
    assert left(f"<h1>Pots</h1>{ROW}{TEXT}{ROW}") == ["Pots", "The pot"]
    assert left(f"{TEXT}<p>— <a href=a>前</a> — <a href=b>次</a> —") == ["The pot"]


@pytest.mark.parametrize("about", [{"same": SAME / 2}, {"pages": MIN_PAGES - 1}])
def test_rows_of_few_pages_stay(about: dict[str, float]) -> None:
    assert len(left(TEXT + ROW, **about)) == 2  # type: ignore[arg-type]


def test_lists_within_the_text_sentences_and_pages_of_links_stay() -> None:
    assert len(left(TEXT + ROW + TEXT)) == 3
    assert len(left(TEXT + "<p>See <a href=a>the pots</a> of the <a href=b>bay</a>.")) == 2
    assert len(left(TEXT + "<p>转载自五四陈科学院请注明出处并链接到原文<a href=b>地址</a><a href=c>出处</a>")) == 2
    assert len(left(TEXT + "<p>[<a href=/>The pots of the bay</a>]")) == 2
    assert len(left(ROW)) == 1
