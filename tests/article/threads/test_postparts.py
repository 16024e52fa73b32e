"""Parts of posts, told apart without what names say."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.article.threads.posts import find_posts, thread_rows
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

SAID = [
    ("ann", 3, "How long must green tea draw before I drink it?"),
    ("bob", 4, "Three minutes are enough for me."),
    ("eve", 5, "Four, I say, and never boil the water."),
    ("ann", 6, "Thank you both, I will try three."),
]


def site_of(html: str) -> Site:
    return build_site([Capture("http://a.org/x", f"<title>Tea</title><body>{html}".encode())])


def row_of(site: Site, text: str) -> int:
    return next(row for row in np.flatnonzero(site.is_text).tolist() if text in site.node_text(row))


def scored(site: Site, **low: float) -> np.ndarray:
    """Scores of 0.9, and of rows with a text another."""
    out = np.where(site.is_text, 0.9, 0.0)
    for text, score in low.items():
        for row in np.flatnonzero(site.is_text).tolist():
            if text in site.node_text(row):
                out[row] = score
    return out


def said_by(site: Site, held: np.ndarray | None) -> list[str]:
    assert held is not None
    return [site.node_text(row).strip() for row in np.flatnonzero(held).tolist()]


@pytest.mark.parametrize("names", [("odd", "even"), ("n1a", "n2b"), ("p17", "x18")])
def test_who_and_when_are_found_whatever_tells_rows_apart(names: tuple[str, str]) -> None:
    post = "<div class='{3}'><div class='{3} k'><b>{0}</b><i>{1} May 2020</i><div><p>{2}</p></div></div></div>"
    site = site_of("".join(post.format(*one, names[i % 2]) for i, one in enumerate(SAID)))
    found = find_posts(site, 0, site.is_text)
    assert [post.author for post in found] == ["ann", "bob", "eve", "ann"]
    assert [post.date for post in found] == [f"2020-05-0{day}" for day in (3, 4, 5, 6)]


POST = "<div class=a><div class=b><b>{0}</b> <i>{1} May 2020</i></div><div class=c>{2}{3}</div><div class=d>Rank {0}</div></div>"


def test_a_list_in_one_post_is_said_and_what_all_posts_have_beside_it_is_not() -> None:
    more = ["", "<ul><li>Sencha leaves</li></ul>", "", ""]
    site = site_of("".join(POST.format(*one, rest) for one, rest in zip(SAID, more, strict=True)))
    score = scored(site, Sencha=0.3, Rank=0.5)
    wanted = score >= 0.5
    assert not wanted[row_of(site, "Sencha")]
    assert wanted[row_of(site, "Rank")]
    said = said_by(site, thread_rows(site, 0, wanted, score, True))
    assert "Sencha leaves" in said
    assert not any("Rank" in text or "May" in text for text in said)


def test_a_quote_comes_with_the_post_that_sets_it() -> None:
    quote = "<aside><div>bob:</div><blockquote>Three minutes are enough</blockquote></aside>"
    site = site_of("".join(POST.format(*one[:2], quote * (i > 1), one[2]) for i, one in enumerate(SAID)))
    score = scored(site, enough=0.1, **{"bob:": 0.1})
    score[row_of(site, SAID[1][2])] = 0.9
    said = said_by(site, thread_rows(site, 0, score >= 0.5, score, True))
    assert said.count("Three minutes are enough") == 2
    assert said.count("bob:") == 2
    assert not any("Rank" in text for text in said)


def test_a_signature_that_is_drawn_like_the_text_is_none() -> None:
    post = "<div class=a><b>{0}</b> <i>{1} May 2020</i><div class=c>{2}</div>{3}</div>"
    signature = ["", "<div class='s c'>Sent from my kettle</div>", "", ""]
    site = site_of("".join(post.format(*one, end) for one, end in zip(SAID, signature, strict=True)))
    said = said_by(site, thread_rows(site, 0, site.is_text & (scored(site) > 0), scored(site, kettle=0.5), True))
    assert SAID[1][2] in said
    assert "Sent from my kettle" not in said


def test_entries_of_a_list_are_no_thread_unless_it_is_sure() -> None:
    post = "<div class=a><h2><a href=/{1}>Tea number {1}</a></h2><b>{0}</b> <i>{1} May 2020</i><p class=c>{2}</p></div>"
    site = site_of("".join(post.format(*one) for one in SAID))
    wanted, score = site.is_text, scored(site)
    assert thread_rows(site, 0, wanted, score, False) is None
    assert thread_rows(site, 0, wanted, score, True) is not None


def test_posts_that_hold_little_of_the_text_make_no_thread_of_a_doubtful_page() -> None:
    article = "<div class=text>" + "<p>The history of tea is long and begins in the mountains of the south.</p>" * 2
    site = site_of(f"{article}</div><div>" + "".join(POST.format(*one, "") for one in SAID) + "</div>" + article * 4)
    wanted, score = site.is_text, scored(site)
    assert thread_rows(site, 0, wanted, score, False) is None
