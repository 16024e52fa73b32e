"""Teasers with sentences below a text are left out where other pages have them, too."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.teasers import without_teasers
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

TEXT = "The pot holds three litres and stands the frost of a long winter outside, if the water can run off. " * 2
STORY = "Once a year the ships of the harbour go out at night, and nobody on land knows where they go to."
TEASER = "<div><h3><a href=/{k}.html>The story {k}</a></h3><p>" + STORY + " {k}.</p></div>"
TEASERS = "".join(TEASER.format(k=k) for k in (1, 2))


def left(html: str, n_pages: int = 2, page_type: str = "article") -> tuple[bool, bool]:
    """Whether the text and the teasers are still kept, when all is and so many pages have the sentences of teasers."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    of_site = np.zeros((len(texts), len(SITE_NAMES)), np.float32)
    is_teaser = np.array([text.startswith(("Once", "The story", "Next")) for text in texts])
    of_site[:, SITE_NAMES.index("site_same_count")] = np.log1p(np.where(is_teaser, n_pages, 1))
    votes = np.array([[float(name == page_type)] for name in PAGE_TYPES])
    found = without_teasers(evidence, of_site, lambda: votes, np.ones(len(texts), bool))
    return bool(found[~is_teaser].all()), bool(found[is_teaser].any())


def test_teasers_below_the_text_go_if_other_pages_have_them() -> None:
    page = f"<div><p>{TEXT}</p></div><div>{TEASERS}</div>"
    assert left(page) == (True, False)
    assert left(page, n_pages=1) == (True, True)


def test_the_next_story_goes_whole() -> None:
    assert left(f"<p>{TEXT}</p><div><b>Next</b>{TEASER.format(k=1)}</div>") == (True, False)


def test_lists_keep_theirs() -> None:
    assert left(f"<p>{TEXT}</p>{TEASERS}", page_type="listing") == (True, True)
    assert left(f"<p>Two stories.</p>{TEASERS}") == (True, True)
    # Of items that are alike some are on this page alone: the page prints a list, and they are no text beside it.
    own = f"<div><h3><a href=/3.html>Another</a></h3><p>{TEXT}</p></div>"
    assert left(f"<div>{own}{TEASERS}</div>") == (True, True)


def test_what_stands_above_or_within_the_text_stays() -> None:
    assert left(f"{TEASERS}<p>{TEXT}</p>") == (True, True)
    assert left(f"<p>{TEXT}</p>{TEASERS}<p>{TEXT}</p>") == (True, True)


def test_an_item_begins_with_its_link_and_has_no_other() -> None:
    late = f"<div><p>{STORY}</p><a href=/1.html>The story 1</a></div>"
    assert left(f"<p>{TEXT}</p>{late}") == (True, True)
    two = f"<div><p><a href=/1.html>The story 1</a></p><p><a href=/2.html>The story 2</a></p><p>{STORY}</p></div>"
    assert left(f"<p>{TEXT}</p>{two}") == (True, True)
