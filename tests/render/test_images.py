"""Which pictures of a site are those of its template."""

from __future__ import annotations

import pytest

from sitegrain.render import repeated_images, to_html, to_markdown
from sitegrain.render.markdown import markdown_of, markdown_walk
from tests.builders import site_of

PAGE = "<h1>Tea {0}</h1><p>Tea number {0} draws for three minutes.</p><p><img src={1} data-lazy-src=/tea-{0}.jpg></p><p>Then drink it.</p><p><img src=/button.png></p><p>End.</p>"


@pytest.mark.parametrize("stand_in", ["/wait.svg", "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP"])
def test_a_picture_that_is_loaded_late_is_not_its_stand_in(stand_in: str) -> None:
    site = site_of(*(PAGE.format(k, stand_in) for k in range(8)))
    repeated = repeated_images(site)
    assert repeated == {"/button.png"}
    assert to_markdown(site, 3, site.is_text, repeated).count("![") == 1
    assert "/tea-3.jpg" in to_markdown(site, 3, site.is_text, repeated)


def _written(html: str, left_out: str) -> str:
    """Markdown of a page without one of its texts, by both bodies."""
    site = site_of(html)
    kept = site.is_text.copy()
    kept[[i for i in range(site.n_nodes) if site.is_text[i] and site.node_text(i) == left_out]] = False
    walk = markdown_walk(site, 0, kept)
    written = markdown_of(walk)
    assert walk.in_python("") == written
    return written


def test_the_picture_that_ends_the_last_post_is_written() -> None:
    first = "<div>" + "".join(f"<p>Line {k} of the first post.</p>" for k in range(30)) + "</div>"
    last = "<div><p>The last post.</p><p><img src=/tea.jpg></p></div>"
    assert "tea.jpg" in _written(f"<div>{first}{last}<p>Likes</p></div>", "Likes")
    # Beside text that is left out it may be that one's.
    assert "tea.jpg" not in _written(f"<div>{first}<p>Last.</p><img src=/tea.jpg><p>Likes</p></div><p>z", "Likes")


@pytest.mark.parametrize(
    "name",
    ["class='thumbnail onebox-avatar' src=/tea.jpg", "src=/work-in-progress.jpg", "src=/logo-on-transparent.png"],
)
def test_pictures_that_are_called_like_faces_or_stand_ins_are_written(name: str) -> None:
    assert "![" in _written(f"<p>Tea.</p><p><img {name}></p><p>Milk.</p>", "")
    for stand_in in ("progress.gif", "index-transparent_h-3_w-4.gif", "blank.png"):
        assert "![" not in _written(f"<p>Tea.</p><p><img src=/a/{stand_in}></p><p>Milk.</p>", "")


def test_a_rule_right_below_a_heading_is_not_written() -> None:
    assert _written("<h1>Tea</h1><hr><p>Boil.</p><hr><p>Drink.</p>", "") == "# Tea\n\nBoil.\n\n---\n\nDrink."
    site = site_of("<h2>Tea</h2><hr><p>Boil.</p>")
    assert "<hr" not in to_html(site, 0, site.is_text)


LONG = "A cup of tea on a table in a garden in spring, as it was photographed by one of our readers on a morning in May. Photo: Ann Tea"


@pytest.mark.parametrize(
    "box",
    [
        "<figure><img src=/tea.jpg><figcaption>{}</figcaption></figure>",
        "<figure><a href=/tea.jpg><img src=/tea.jpg></a><figcaption>{}</figcaption></figure>",
        "<div><div><img src=/tea.jpg></div><div>{}</div></div>",
        "<dl><dt><a href=/tea.jpg><img src=/tea.jpg></a></dt><dd>{}</dd></dl>",
        "<div><img src=/wait.gif data-src=/tea.jpg><noscript><img src=/tea.jpg></noscript><p>{}</p></div>",
    ],
)
def test_a_picture_stays_where_its_caption_is_left_out(box: str) -> None:
    written = _written(f"<p>Boil.</p>{box.format(LONG)}<p>Drink.</p>", LONG)
    assert "/tea.jpg)" in written
    assert "garden" not in written


@pytest.mark.parametrize(
    "box",
    [
        "<div><p>{}</p><img src=/face.jpg></div>",  # what is said above a picture is no caption
        "<div><img src=/tick.svg><p>{}</p></div>",
        "<div><img src=/card.jpg><p><a href=/milk>Milk</a> {}</p></div>",
        "<div><img src=/letter.jpg><p>{}</p><form><input></form></div>",
        "<div><img src=/one.jpg><img src=/two.jpg><p>{}</p></div>",
    ],
)
def test_a_picture_of_a_box_that_is_left_out_goes_with_it(box: str) -> None:
    page = f"<p>Boil.</p>{box.format(LONG)}<p>Drink.</p>"
    site = site_of(page)
    kept = site.is_text.copy()
    for i in range(site.n_nodes):
        if site.is_text[i] and site.node_text(i).strip() not in ("Boil.", "Drink."):
            kept[i] = False
    walk = markdown_walk(site, 0, kept)
    assert "![" not in markdown_of(walk)
    assert walk.in_python("") == markdown_of(walk)


@pytest.mark.parametrize(
    "box",
    [
        "<div><a href=/{0}.jpg><img src=/{0}-s.jpg><div>{1}</div></a></div>",
        "<figure><img src=/{0}-s.jpg><figcaption>{1}</figcaption></figure>",
    ],
)
def test_the_pictures_of_a_row_stay_where_their_labels_are_left_out(box: str) -> None:
    row = "".join(box.format(name, LONG) for name in ("tea", "milk", "pot"))
    written = _written(f"<div><p>Boil.</p>{row}<p>Drink.</p></div>", LONG)
    assert written.count("-s.jpg)") == 3
    assert "garden" not in written


def test_what_a_card_says_is_no_label() -> None:
    cards = "".join(
        f"<div><a href=/{name}><img src=/{name}.jpg><div>{LONG}</div></a></div>" for name in ("tea", "milk")
    )
    assert "![" not in _written(f"<div><p>Boil.</p>{cards}<p>Drink.</p></div>", LONG)


def test_a_repeated_picture_that_leads_to_a_larger_one_is_no_button() -> None:
    seal = "<a href=/seal-large.jpg><img src=/seal.gif></a>"
    assert _written(f"<p>Prizes:</p><p>{seal * 3}First in Rome.</p>", "").count("/seal.gif)](") == 3
    assert "seal.gif" not in _written(f"<p>Prizes:</p><p>{seal.replace('.jpg', '') * 3}First in Rome.</p>", "")


def test_a_repeated_picture_beside_the_title_is_of_the_template() -> None:
    banner = (
        "<header><img src=/banner.webp><h1>Tea number {0}</h1></header><p>Boil it <img src=/smile.gif> {0} times.</p>"
    )
    site = site_of(*(banner.format(n) for n in range(12)))
    written = to_markdown(site, 0, site.is_text, repeated_images(site))
    assert written == "# Tea number 0\n\nBoil it ![](http://t.example/smile.gif) 0 times."


def test_a_picture_parts_the_code_that_it_stands_in() -> None:
    written = _written("<p>So:</p><pre>a = 1\n<a href=/x><img src=/tea.jpg></a>b = 2\n</pre><p>End.</p>", "")
    assert written.split("\n\n")[1:-1] == [
        "```\na = 1\n```", "[![](http://t.example/tea.jpg)](http://t.example/x)", "```\nb = 2\n```",
    ]  # fmt: skip
