"""Articles that follow the one that the page is about."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.others.articles import without_other_articles
from tests.builders import site_of

PROSE = " ".join(f"the river rose by {k} feet and the town had no light" for k in range(6))
OTHER = " ".join(f"a kettle of {k} cups sang in the kitchen for an hour" for k in range(6))


def kept_texts(*htmls: str) -> list[list[str]]:
    """The texts of every page that are kept, of all that is no top heading."""
    site = site_of(*htmls)
    evidence = gather(rows_of(site, 0, site.n_pages))
    blocks = evidence.blocks
    kept = np.array([blocks.text(i) in (PROSE, OTHER, "Lead.") for i in range(len(blocks))])
    found = without_other_articles(blocks, evidence.words, kept)
    return [[blocks.text(i) for i in np.flatnonzero(found & (blocks.page == p)).tolist()] for p in range(site.n_pages)]


def story(title: str, text: str) -> str:
    return f"<div><header><h1>{title}</h1></header><p>{text}</p></div>"


TITLE = "<title>The river rose again | The Courier</title>"


def test_the_next_story_is_left_out() -> None:
    page = TITLE + story("The river rose again", PROSE) + story("Tea in the afternoon", OTHER) + f"<p>{OTHER}</p>"
    assert kept_texts(page, f"<p>{OTHER}</p>", page) == [[PROSE], [OTHER], [PROSE]]


def test_in_scripts_without_spaces() -> None:
    page = f"<title>河水再次上涨_快报</title><h1>快报</h1><div><h1>河水再次上涨</h1><p>{PROSE}</div><div><h1>下午喝茶的人们</h1><p>{OTHER}</div>"
    assert kept_texts(page) == [[PROSE]]


@pytest.mark.parametrize(
    "page",
    [
        TITLE + "<h1>The river rose again</h1>" + story("The river: a second part", PROSE) + story("Tea in the afternoon", OTHER),
        TITLE + f"<div><h1>The river rose again</h1><p>{PROSE}</p><h1>Tea in the afternoon</h1><p>{OTHER}</p></div>",
        TITLE + f"<header><h1>The river rose again</h1></header><p>{PROSE}</p><div><h1>Tea in the afternoon</h1><p>{OTHER}</p></div>",
        TITLE + story("The river rose again", PROSE) + f"<div><p>{PROSE}</p><h1>Tea in the afternoon</h1><p>{OTHER}</p></div>",
        TITLE + story("The river rose again", PROSE) + story("Again the river rose", OTHER),
        "<title>Something else</title>" + story("The river rose again", PROSE) + story("Tea in the afternoon", OTHER),
        TITLE + story("The river rose again", "Lead.") + story("Tea in the afternoon", OTHER),
        TITLE + story("The river rose again", PROSE) + story("Tea in the afternoon", "Lead."),
        TITLE + story("The river rose again", PROSE) + story("Up", OTHER),
    ],
    ids=["no text beside the first", "one element", "a header", "text before it", "named like it", "unknown title", "short", "short other", "no name"],
)  # fmt: skip
def test_parts_of_one_text_stay(page: str) -> None:
    site = site_of(page)
    blocks = gather(rows_of(site, 0, 1)).blocks
    wanted = [t for t in (blocks.text(i) for i in range(len(blocks))) if t in (PROSE, OTHER, "Lead.")]
    assert kept_texts(page) == [wanted]


def test_a_top_heading_that_is_kept_is_of_the_text() -> None:
    page = TITLE + story("The river rose again", PROSE) + story("Tea in the afternoon", OTHER)
    evidence = gather(rows_of(site_of(page), 0, 1))
    kept = np.ones(len(evidence.blocks), bool)
    assert without_other_articles(evidence.blocks, evidence.words, kept) is kept
