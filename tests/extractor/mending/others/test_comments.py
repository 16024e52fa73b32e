"""Comments are known by their dates, without any name, and by the names that blogs give them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sitegrain.arrays.types import Floats
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.knowledge import PathScores
from sitegrain.extractor.mending.others.comments import (
    LEAST_ARTICLE,
    TEASED_ARTICLE,
    TEASED_LIST,
    comment_votes,
    without_comment_places,
    without_comments,
    without_named_comments,
)
from sitegrain.extractor.model import Extractor
from sitegrain.extractor.pagetypes import PAGE_TYPES
from sitegrain.render import to_text
from tests.builders import site_of

TEXT = "The river rose over its banks on Monday night, and three villages had no light until the morning came. " * 6
SAID = [
    f"{name} haben das auch gesehen, und es war noch viel schlimmer als hier steht" for name in ("Wir", "Alle", "Beide")
]
DATES = ["12. März 2021", "13. März 2021 um 08:15", "14.3.2021"]


def page_of(unit: str, dates: list[str] = DATES, text: str = TEXT, between: str = "") -> str:
    return f"<main><p>{text}</p></main><div>" + between.join(
        unit.format(date=date, said=said) for date, said in zip(dates, SAID, strict=True)
    ) + "</div>"  # fmt: skip


UNIT = "<div><b>Jane</b><div>{date}</div><p>{said}</p></div>"


def votes_for(article: float, forum: float) -> Floats:
    found = np.zeros((len(PAGE_TYPES), 1))
    found[[PAGE_TYPES.index("forum"), PAGE_TYPES.index("article")], 0] = forum, article
    return found


def left(html: str, article: float = 0.8, forum: float = 0.1, score: float = 0.6, is_alone: bool = True) -> list[str]:
    """Which comments are kept still, when all is and what follows the text scores so."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    blocks = evidence.blocks
    texts = [blocks.text(i) for i in range(len(blocks))]

    def votes() -> Floats:
        return votes_for(article, forum)

    scores = np.array([0.9, *[score] * (len(texts) - 1)])
    found = without_comments(evidence, scores, votes, np.ones(len(texts), bool), is_alone)
    assert found[0]  # the text itself
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept and text in SAID]


def test_comments_below_an_article_go() -> None:
    assert left(page_of(UNIT)) == []
    assert left(page_of("<li><p>{said}</p><i>Jane, {date}</i></li>")) == []
    assert left(page_of(UNIT, ["2021年3月12日", "2021年3月13日", "08:15"])) == []


def test_posts_of_a_thread_stay() -> None:
    assert left(page_of(UNIT), article=LEAST_ARTICLE - 0.05, forum=0.2) == SAID
    assert left(page_of(UNIT), article=LEAST_ARTICLE - 0.05, is_alone=False) == []
    assert left(page_of(UNIT), article=0.5, forum=0.3) == SAID
    assert left(page_of(UNIT), article=0.5, forum=0.3, is_alone=False) == []
    assert left(page_of(UNIT), article=0.5, forum=0.6, is_alone=False) == SAID
    assert left(page_of(UNIT, text="Who has seen this?")) == SAID  # the question is one of the posts


def test_what_is_as_sure_as_the_text_stays() -> None:
    assert left(page_of(UNIT), score=0.88) == SAID


@pytest.mark.parametrize(
    "unit",
    [
        "<blockquote><p>{said}</p><p>{date}</p></blockquote>",
        "<table><tr><td>{date}</td><td>{said}</td></tr></table>",
        "<div><p>3 Stimmen</p><p>{said}</p></div>",
    ],
)
def test_other_things_with_numbers_stay(unit: str) -> None:
    assert left(page_of(unit)) == SAID


def test_dated_teasers_go_from_a_page_alone() -> None:
    page = page_of("<div><h3>Wie es war</h3><div>{date}</div><p>{said}</p></div>")
    assert left(page, article=TEASED_ARTICLE) == []
    assert left(page, article=TEASED_ARTICLE - 0.1) == SAID
    assert left(page, forum=TEASED_LIST) == SAID
    assert left(page, score=0.75) == SAID
    assert left(page, is_alone=False) == SAID
    assert left(page_of(UNIT), is_alone=False) == []


def test_dated_things_with_text_between_them_stay() -> None:
    assert left(page_of(UNIT, between=f"<p>{TEXT}</p>")) == SAID


def test_nobody_is_asked_for_votes_without_dates() -> None:
    evidence = gather(rows_of(site_of(page_of(UNIT, ["gestern"] * 3), "<p>Tea</p>", ""), 0, 3))
    kept = np.ones(len(evidence.blocks), bool)

    def votes() -> Floats:
        raise AssertionError

    assert without_comments(evidence, np.full(len(kept), 0.5), votes, kept) is kept
    assert not without_comments(evidence, np.full(len(kept), 0.5), votes, ~kept).any()


@pytest.mark.parametrize(
    ("name", "numbered", "score", "is_kept"),
    [("comment-list", "comment-7", 0.5, False), ("comment-list", "comment-7", 0.9, True), ("answers", "comment-7", 0.5, True), ("comment-list", "c7", 0.5, True)],
)  # fmt: skip
def test_comments_of_an_entry_go_by_their_names(name: str, numbered: str, score: float, is_kept: bool) -> None:
    html = (
        "<div class=entry-content><p>A short post of some twenty words, which say that the river rose on Monday night, and that three villages had no light.</p></div>"
        f"<h3>1 response</h3><ol class={name}><li id={numbered} class=comment><div class=comment-content><p>We have seen that, too, and it was worse than you say.</p></div></ol>"
    )
    evidence = gather(rows_of(site_of(html), 0, 1))
    kept = np.ones(len(evidence.blocks), bool)
    found = without_named_comments(evidence, np.array([0.95, score, score]), kept)
    assert found.tolist() == [True, is_kept, is_kept]
    assert (found is kept) == is_kept


def votes_of(html: str, article: float = 0.8, forum: float = 0.1) -> Floats:
    """What a page says of each of its blocks."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    score = np.array([0.9, *[0.6] * (len(evidence.blocks) - 1)])
    return comment_votes(evidence, score, lambda: votes_for(article, forum))


def test_a_page_has_one_vote_on_its_comments() -> None:
    vote = votes_of(page_of(UNIT))
    assert vote[0] == 0
    assert vote[1:].min() > 0
    assert vote.sum() == pytest.approx(1)
    vote = votes_of(page_of(UNIT), forum=0.9)
    assert vote.sum() == pytest.approx(-1)
    vote = votes_of(page_of("<div><h3>Wie es war</h3><div>{date}</div><p>{said}</p></div>"))
    assert not vote.any()  # teasers
    vote = votes_of(page_of(UNIT, text="Who has seen this?"))
    assert not vote.any()


def test_places_of_comments_are_told_by_most_pages() -> None:
    keys = np.array([7, 7, 7, 7, 9, 9, 11, 11, 11, 11], np.uint64)
    comment = np.array([0.5, 0.5, -0.5, 0.0, -1.0, 0.5, 0.5, 0.0, 0.0, 0.0])
    scores = PathScores(keys, keys, np.ones(10), np.ones(10), comment)
    assert scores.comment_paths(keys).tolist() == [7]  # of 9 most say posts, of 11 most is no comment
    assert not len(PathScores.none().comment_paths(keys[:0]))


def test_a_page_of_comments_alone_keeps_them() -> None:
    evidence = gather(rows_of(site_of(page_of(UNIT), page_of(UNIT, text="Tea")), 0, 2))
    kept = np.ones(len(evidence.blocks), bool)
    page = evidence.blocks.page
    in_comments = np.array([evidence.blocks.text(i) not in (TEXT.strip(), "Tea") for i in range(len(kept))])
    found = without_comment_places(evidence, in_comments, kept)
    assert (kept & ~found).tolist() == (in_comments & (page == 0)).tolist()
    assert without_comment_places(evidence, ~kept, kept) is kept


WORDS = (
    "river banks Monday night villages light morning people boats houses water wall mayor council bridge road school winter field stone "
    "letter window garden market train paper story hill came said rose until three over"
).split()


def test_one_comment_below_a_short_text_is_known_by_other_pages() -> None:
    rng = random.Random(3)

    def prose(n: int) -> str:
        return " ".join(" ".join(rng.choices(WORDS, k=rng.randint(8, 18))).capitalize() + "." for _ in range(n))

    def page(n_texts: int, n_comments: int) -> str:
        title, day = prose(1)[:30], "<span>{} March 2021, {}:15</span>"
        comments = "".join(
            f"<div class=q1><div><b>{rng.choice(('Jane', 'Omar'))}</b>{day.format(rng.randint(1, 28), rng.randint(10, 20))}</div><p>{prose(3)}</p></div>"
            for _ in range(n_comments)
        )
        texts = "".join(f"<p>{prose(4)}</p>" for _ in range(n_texts))
        return (
            f"<title>{title}</title><div><a href=/>Home</a> <a href=/b>About us</a></div><div class=a2><h1>{title}</h1>{texts}</div>"
            f"<div class=a3>{comments}</div><div>All rights reserved</div>"
        )

    site = site_of(*(page(6, 3) for _ in range(20)), page(1, 1))
    verdict = Extractor().fit_apply(site)
    own = verdict.node_block[int(site.pages.node_offset[20]) :]
    assert any("comments, which stand at this place" in verdict.blocks.reason[b] for b in set(own[own >= 0].tolist()))
    assert len(to_text(site, 20, verdict.node_kept).split("\n\n")) == 2  # the title and the text
