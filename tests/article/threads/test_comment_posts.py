"""Comments below a text, one by one: also a lone one, and without an opening post."""

from __future__ import annotations

import numpy as np

from sitegrain.article.threads.posts import find_posts
from tests.builders import site_of

TEXT = "<div class=text><p class=author>Ann Lee</p><time>1 May 2020</time><p>The bay is full of ships today.</p></div>"
COMMENT = "<li><b class=author>{who}</b> <time>{day} May 2020</time><p>{said}</p></li>"


def comments(html: str) -> list[tuple[str, str, str]]:
    site = site_of(html)
    said = ["Three minutes", "And then", "Based on", "No comments", "One response", "Minutes"]
    wanted = site.is_text.copy()
    kept = site.is_text.copy()
    for row in range(site.n_nodes):
        text = site.node_text(row) if site.is_text[row] else ""
        wanted[row] = text.startswith(tuple(said))
        kept[row] = text.startswith("The bay")
    return [(post.author, post.date, post.text) for post in find_posts(site, 0, wanted, others=kept)]


def test_a_lone_comment_has_who_and_when_beside_it() -> None:
    one = COMMENT.format(who="bob", day=4, said="Three minutes are enough.")
    assert comments(f"{TEXT}<ol class=comments>{one}</ol>") == [("bob", "2020-05-04", "Three minutes are enough.")]


def test_the_heading_above_a_lone_comment_is_no_part_of_it() -> None:
    one = COMMENT.format(who="bob", day=4, said="Three minutes are enough.")
    html = f"{TEXT}<div class=comments><h2>One response to \u201cThe bay\u201d</h2><ol>{one}</ol></div>"
    assert comments(html) == [("bob", "2020-05-04", "Three minutes are enough.")]
    titled = one.replace("<li>", "<li><h4>Minutes</h4>")
    assert comments(f"{TEXT}<ol>{titled}</ol>") == [("bob", "2020-05-04", "Minutes\n\nThree minutes are enough.")]


def test_who_and_when_of_the_text_are_of_no_comment() -> None:
    assert comments(f"<div>{TEXT}<div class=comments><p>No comments yet, be the first.</p></div></div>") == []


def test_what_stands_above_comments_is_none() -> None:
    two = COMMENT.format(who="bob", day=4, said="Three minutes are enough.") + COMMENT.format(
        who="cleo", day=5, said="And then it must be drunk."
    )
    found = comments(f"{TEXT}<div><p>Based on 2 reviews of our readers</p><ol class=comments>{two}</ol></div>")
    assert [who for who, _, _ in found] == ["bob", "cleo"]


def test_a_subject_made_of_the_first_words_is_no_part_of_a_comment() -> None:
    one = COMMENT.format(who="bob", day=4, said="Three minutes are enough.").replace(
        "<li>", "<li><h3>Three minutes</h3>"
    )
    assert comments(f"{TEXT}<ol>{one}</ol>") == [("bob", "2020-05-04", "Three minutes are enough.")]


def test_what_comments_have_but_for_a_number_is_a_label() -> None:
    stars = "<div>Rated <b>{n}</b> out of 5</div><p>Three minutes"
    items = "".join(
        COMMENT.format(who=who, day=day, said=f"Three minutes, {said}").replace("<p>Three minutes", stars.format(n=n))
        for who, day, n, said in (("bob", 4, 5, "no more."), ("cleo", 5, 4, "or four."))
    )
    site = site_of(f"<ol>{items}</ol>")
    said = [post.text for post in find_posts(site, 0, site.is_text, others=np.zeros(site.n_nodes, bool))]
    assert said == ["Three minutes, no more.", "Three minutes, or four."]


def test_a_day_that_can_only_be_read_one_way_tells_how_the_others_are() -> None:
    def days(*said: str, day_first: bool | None = None) -> list[str]:
        items = "".join(
            f"<li><b class=author>{who}</b> <i>{day}</i><p>Three minutes, says {who}.</p></li>"
            for who, day in zip(("bob", "cleo", "dora"), said, strict=False)
        )
        site = site_of(f"<ol>{items}</ol>")
        nothing = np.zeros(site.n_nodes, bool)
        return [post.date for post in find_posts(site, 0, site.is_text, others=nothing, day_first=day_first)]

    assert days("03/05/2020", "13/05/2020") == ["2020-05-03", "2020-05-13"]
    assert days("05/03/2020", "05/13/2020", day_first=True) == ["2020-05-03", "2020-05-13"]
    assert days("03/05/2020", "04/05/2020", day_first=True) == ["2020-05-03", "2020-05-04"]
