"""Comments are found by what they are where no name of an element tells, and what is said around them is none."""

from __future__ import annotations

import numpy as np
import pytest

import sitegrain
from sitegrain import extract
from sitegrain.article.threads.comments import PageComments
from sitegrain.article.threads.posts import find_posts
from tests.builders import site_of

PARTS = (
    "The river rose over its banks on Monday night, and three villages had no light until the morning came.",
    "Boats brought bread and water to those who had climbed on their roofs, while the firemen looked for the oldest of them.",
    "Nobody had thought that the dam would hold for so long, and the engineers say that it must be built again next year.",
)
PLACES = ("Upper Weir", "Millbrook", "Stone End", "Fishers Green", "Low Ferry", "Alder Isle")
SAID = (
    "We have seen that from our window, and it was {} times worse than you say.",
    "My aunt lives there and has been without light since {} in the morning.",
    "The dam was {} years old when I was young, and nobody listened to us then.",
)
WHO = ("Jane Miller", "Tom Okafor", "Ada Lind")
UNIT = "<div class=k3><div class=k4><b>{who}</b> <i>{day} May 2020, 10:31</i></div><div class=k5><p>{said}</p></div><a href=#r>Reply</a></div>"
FORM = "<div class=k9><h3>Leave a comment</h3><p>Your email address will not be published. Required fields are marked *</p></div>"


def page(n: int, unit: str = UNIT, above: str = "<h3>{n} comments</h3>", below: str = FORM, shift: int = 0) -> str:
    said = [SAID[(i + shift) % 3].format(shift) for i in range(n)]
    units = "".join(unit.format(who=WHO[(i + shift) % 3], day=4 + i, said=said[i], i=i) for i in range(n))
    text = "".join(
        f"<p>{part} {PLACES[i]} was one of them. {part[:40]} of {PLACES[i]}, too.</p>"
        for i, part in enumerate(PARTS * 2)
    )
    return (
        f"<title>The night of the river {shift}</title><h1>The night of the river {shift}</h1><p class=k0>By Eve Stone, 3 May 2020</p>"
        f"<div class=k1>{text}</div><div class=k2>{above.format(n=n)}{units}{below}</div>"
    )


def told(article: sitegrain.Article) -> list[tuple[str, str, str]]:
    return [(post.author, post.date, post.text) for post in article.comment_posts]


ALL = [(who, f"2020-05-0{4 + i}", said.format(0)) for i, (who, said) in enumerate(zip(WHO, SAID, strict=True))]


def test_comments_without_names_of_classes() -> None:
    article = extract(page(3), "http://a.org/river")
    assert told(article) == ALL
    assert SAID[0].format(0) not in article.text
    assert SAID[0].format(0) in article.comments
    assert "Required fields" not in article.comments


def test_who_asks_for_comments_gets_those_without_names_of_classes() -> None:
    html = page(3, above="")
    assert SAID[0].format(0) not in extract(html, "http://a.org/river").text
    assert SAID[0].format(0) in extract(html, "http://a.org/river", comments=True).text


def test_nothing_says_that_they_are_comments() -> None:
    assert told(extract(page(3, above="<h3>More</h3>", below=""), "http://a.org/river")) == []


def test_cards_of_other_articles_are_no_comments() -> None:
    unit = "<div class=k3><a href=/{i}.html>How the people of place {i} live beside it</a><div><b>{who}</b> <i>{day} May 2020</i></div><p>{said}</p></div>"
    assert told(extract(page(3, unit, above="<h3>More</h3>"), "http://a.org/river")) == []


def test_who_stands_beside_the_day() -> None:
    unit = UNIT.replace("<div class=k5>", "<div class=k7><u>Rated</u> <u>5</u></div><div class=k5>")
    assert told(extract(page(3, unit), "http://a.org/river")) == ALL


LONE = (
    "<p>The river rose over its banks on Monday night.</p><div><h3>1 comment</h3>{}<div><h3>Leave a comment</h3>"
    "<p>Your email address will not be published. Required fields are marked with a star, and all that you write is read before it is shown.</p></div></div>"
)


@pytest.mark.parametrize(
    "one",
    [
        "<div class=k3><h4>Jane Miller</h4><p class=k6>4 May 2020</p><p>We saw that from our window.</p><p>And more.</p></div>",
        "<dl><dt><a href=/u7>Jane Miller</a> says:</dt><dd><p>We saw that from our window.</p><p>And more.</p></dd><dd>4 May 2020</dd></dl>",
        "<table class=k3><tr><td><b>Jane Miller</b><td>4 May 2020<tr><td colspan=2><div>We saw that from our window.</div><div>And more.</div></table>",
        "<div class=k3><b>Jane Miller</b> <i>4 May 2020</i><div class=stars><i>Rated 5 out of 5</i></div><div class=said><p>We saw that from our window.</p><p>And more.</p></div></div>",
    ],
)
def test_what_a_lone_comment_says_stands_near_its_author(one: str) -> None:
    site = site_of(LONE.format(one))
    texts = [site.node_text(row) if site.is_text[row] else "" for row in range(site.n_nodes)]
    kept = np.array([text.startswith("The river") for text in texts])
    page = PageComments(site, 0, kept, site.is_text & ~kept)
    said = page.lone()
    assert said is not None
    assert [texts[row] for row in np.flatnonzero(said)] == ["We saw that from our window.", "And more."]
    posts = find_posts(site, 0, said, True, others=kept)
    assert [(post.author, post.date) for post in posts] == [("Jane Miller", "2020-05-04")]


def test_nothing_said_is_no_comment() -> None:
    site = site_of(LONE.format(""))
    kept = np.array([site.is_text[row] and site.node_text(row).startswith("The river") for row in range(site.n_nodes)])
    assert PageComments(site, 0, kept, site.is_text & ~kept).lone() is None
