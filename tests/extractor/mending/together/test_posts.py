"""Posts that stand where most posts are kept."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.posts import with_posts
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.extractor.stages import SITE_NAMES
from tests.builders import site_of

LONG = "{} the kettle sings for an hour, and nobody in the house gets up to take it from the fire before it is too late"
POSTS = [LONG.format(k) for k in ("once", "twice", "thrice")] + ["We should know better by now"]
THREAD = "".join(f"<div class=post><b>Jane</b><div class=body><p>{text}</p></div></div>" for text in POSTS)
ARTICLE = f"<div class=post><div class=body>{''.join(f'<p>{text}</p>' for text in POSTS)}</div></div>"


def kept_of(html: str, forum: float, article: float, score: float = 0.3, pages: float | None = None) -> list[str]:
    """What is kept when the last post is not."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    blocks = evidence.blocks
    kept = np.array([blocks.text(i) in POSTS[:-1] for i in range(len(blocks))])

    def votes() -> Floats:
        found = np.zeros((len(PAGE_TYPES), 1))
        found[[PAGE_TYPES.index("forum"), PAGE_TYPES.index("article")], 0] = forum, article
        return found

    of_site = None if pages is None else np.full((len(kept), len(SITE_NAMES)), np.log1p(pages), np.float32)
    found = with_posts(evidence, np.full(len(kept), score), votes, kept, of_site)
    return [blocks.text(i) for i in np.flatnonzero(found).tolist()]


def test_the_last_post_is_kept_with_the_others() -> None:
    assert kept_of(THREAD, 0.6, 0.1) == POSTS
    assert kept_of(THREAD, 0.6, 0.1, score=0.01) == POSTS[:-1]
    assert kept_of(THREAD, 0.6, 0.8) == POSTS[:-1]
    assert kept_of(THREAD, 0.01, 0.1) == POSTS[:-1]


def test_what_another_page_says_too_is_no_post() -> None:
    assert kept_of(THREAD, 0.6, 0.1, pages=1) == POSTS
    assert kept_of(THREAD, 0.6, 0.1, pages=np.nan) == POSTS
    assert kept_of(THREAD, 0.6, 0.1, pages=2) == POSTS[:-1]


def test_paragraphs_of_one_text_are_no_posts() -> None:
    assert kept_of(ARTICLE, 0.6, 0.1) == POSTS[:-1]


def test_nobody_is_asked_for_votes_where_all_is_kept() -> None:
    evidence = gather(rows_of(site_of(THREAD), 0, 1))
    kept = np.ones(len(evidence.blocks), bool)

    def votes() -> Floats:
        raise AssertionError

    assert with_posts(evidence, np.ones(len(kept)), votes, kept) is kept
    assert not with_posts(evidence, np.ones(len(kept)), votes, ~kept).any()
