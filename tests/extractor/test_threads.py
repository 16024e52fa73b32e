"""The text of a thread is what its posts say."""

from __future__ import annotations

import re
from itertools import count

import numpy as np
import pytest

import sitegrain
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending import BESIDE_POSTS, IN_COPY, IN_POST, Mended, SiteSays
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.extractor.threads import with_lost_posts, with_threads
from sitegrain.native.outputs import Judged
from sitegrain.render import to_text
from tests.article.threads.test_signed import THREAD
from tests.builders import site_of

SAID = [
    ("ann", "How long must green tea draw before it turns bitter?"),
    ("bob", "Three minutes, if the water has cooled down a little."),
    ("cid", "Two are enough for me, with less leaf in the pot."),
]


def page(signed: bool = True) -> str:
    posts = "".join(
        f"<div class=post><p class=head><b class=user>{who if signed else 'the club'}</b> <i>{day} May 2020</i></p><div class=body>{text}</div></div>"
        for day, (who, text) in enumerate(SAID, 3)
    )
    return f"<div><p class=top>Welcome, guest!</p></div><div>{posts}</div>"


def judged(html: str, left_out: str = "", beside: float = 0.4, forum: float = 0.9, why: int = 0) -> tuple[str, Mended]:
    """The text of a page and the blocks of which all but one were kept, after threads were looked at."""
    site = site_of(html)
    evidence = gather(rows_of(site, 0, 1))
    block = evidence.blocks.node_block
    said = [site.node_text(row) for row in range(site.n_nodes)]
    is_out = np.array([bool(left_out) and left_out in text for text in said])
    kept = ~np.isin(np.arange(len(evidence.words)), block[is_out])
    reasons = np.where(kept, 0, why).astype(np.int8)
    score = np.where(["Welcome" in text for text in said], beside, 0.6)
    node_kept = np.append(kept, False)[block] & site.is_text
    of_blocks = np.zeros(len(kept))
    as_judged = Judged(of_blocks, of_blocks, kept, score, node_kept, 0, np.array([[0.3], [forum]]))
    done, rows = with_threads(evidence, as_judged, Mended(kept, reasons), node_kept)
    return to_text(site, 0, rows), done


def lost(
    html: str,
    left_out: str,
    first: float = 0.3,
    article: float = 0.1,
    why: int = 0,
    in_comments: bool = False,
    pages: float = 1,
) -> tuple[str, Mended]:
    """The same of a known site, where all that was left out has this first score."""
    site = site_of(html)
    evidence = gather(rows_of(site, 0, 1))
    block = evidence.blocks.node_block
    said = [site.node_text(row) for row in range(site.n_nodes)]
    kept = ~np.isin(
        np.arange(len(evidence.words)), block[[any(part in text for part in left_out.split("|")) for text in said]]
    )
    node_kept = np.append(kept, False)[block] & site.is_text
    as_judged = Judged(
        np.where(kept, 0.6, first).astype(np.float64),
        np.zeros(len(kept)),
        kept,
        np.zeros(site.n_nodes),
        node_kept,
        0,
        np.array([[article], [0.6]]),
    )
    mended = Mended(kept, np.where(kept, 0, why).astype(np.int8))
    of_blocks = np.full((len(kept), len(SITE_NAMES)), np.log1p(pages), np.float32)
    says = SiteSays(of_blocks, np.zeros(len(kept)), in_comments=~kept if in_comments else None)
    done, rows = with_lost_posts(evidence, as_judged, mended, node_kept, says)
    return to_text(site, 0, rows), done


def test_with_the_site_lost_posts_come_and_nothing_goes() -> None:
    text, done = lost(page(), "Two are enough|Three minutes")
    assert [line for line in text.split("\n\n") if len(line) > 20] == [said for _, said in SAID]
    assert "Welcome" in text
    assert "ann" in text
    assert done.why is not None
    assert done.why.tolist().count(IN_POST) == 2


def test_with_the_site_no_post_comes_of_doubtful_threads_or_of_what_other_steps_know() -> None:
    for text, done in (
        lost(page(), "Two are enough", article=0.4), lost(page(), "Two are enough", first=0.1), lost(page(signed=False), "Two are enough"),
        lost(page(), "Two are enough", why=IN_COPY), lost(page(), "Two are enough", in_comments=True), lost(page(), "Two are enough", pages=3),
    ):  # fmt: skip
        assert "Two are" not in text
        assert "Three minutes" in text
        assert not done.kept.all()


def test_it_has_neither_who_nor_when_nor_what_is_beside() -> None:
    text, done = judged(page())
    assert text.split("\n\n") == [said for _, said in SAID]
    assert done.why is not None
    assert done.why.tolist().count(BESIDE_POSTS) == (~done.kept).sum() > 0


def test_a_post_that_was_left_out_comes() -> None:
    text, done = judged(page(), "Two are enough")
    assert "Two are enough" in text
    assert done.why is not None
    assert done.why.tolist().count(IN_POST) == 1


def test_a_copy_stays_out() -> None:
    assert "Two are enough" not in judged(page(), "Two are enough", why=IN_COPY)[0]


def test_what_scores_above_the_posts_stays() -> None:
    assert judged(page(), beside=0.9)[0].startswith("Welcome")


ARTICLE = (
    f"<article><h1>On tea</h1><p>{'Green tea is dried before it withers, and so it stays green. ' * 9}</p></article>"
)


@pytest.mark.parametrize(("html", "forum"), [(ARTICLE + page(), 0.14), (page(), 0.05), (page(signed=False), 0.9)])
def test_comments_on_an_article_and_dated_notes_are_no_thread(html: str, forum: float) -> None:
    text, done = judged(html, "Two are enough", forum=forum)
    assert "Welcome" in text
    assert "Two are" not in text
    assert done.why is not None
    assert not done.why.any()


@pytest.mark.parametrize("forum", [0.07, 0.14])
def test_posts_of_one_template_tell_a_thread_against_the_votes(forum: float) -> None:
    text, _ = judged(page(), "Two are enough", forum=forum)
    assert "Welcome" not in text
    assert "Two are enough" in text


def test_an_address_of_users_tells_it_without_names() -> None:
    html = re.sub(r"<b class=user>(\w+)</b>", r"<a href=/members/\1/>\1</a>", page()).replace("class=", "data-x=")
    assert "Two are enough" in judged(html, "Two are enough", forum=0.07)[0]
    assert "Two are enough" not in judged(html.replace("/members/", "/t/"), "Two are enough", forum=0.07)[0]


@pytest.mark.parametrize(("heading", "is_thread"), [("<a href=/7>#7</a>", True), ("<a href=/7>Of leaves</a>", False)])
def test_a_number_in_a_heading_leads_to_the_post_and_to_no_other_page(heading: str, is_thread: bool) -> None:
    html = page().replace("<div class=post>", f"<div class=post><h2>{heading}</h2>")
    assert ("Two are enough" in judged(html, "Two are enough", forum=0.3)[0]) is is_thread


def test_rows_that_say_little_more_than_who_and_when_are_a_list() -> None:
    html = page()
    for _, said in SAID:
        html = html.replace(said, said[:4])
    assert "Welcome" in judged(html, forum=0.3)[0]


def test_text_and_posts_of_a_page_say_the_same() -> None:
    cups = count(2)  # the same text again would be a copy
    thread = re.sub("three minutes", lambda _: f"{next(cups)} minutes", THREAD)
    found = sitegrain.extract(thread, "http://tea.example/viewtopic.php?t=3")
    assert found.page_type == "forum"
    assert found.text == "\n\n".join(post.text for post in found.posts)
    assert all(post.author and post.date for post in found.posts)
