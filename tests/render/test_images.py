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


@pytest.mark.parametrize("name", ["class='thumbnail onebox-avatar' src=/tea.jpg", "src=/work-in-progress.jpg"])
def test_pictures_that_are_called_like_faces_or_stand_ins_are_written(name: str) -> None:
    assert "![" in _written(f"<p>Tea.</p><p><img {name}></p><p>Milk.</p>", "")
    assert "![" not in _written("<p>Tea.</p><p><img src=/a/progress.gif></p><p>Milk.</p>", "")


def test_a_rule_right_below_a_heading_is_not_written() -> None:
    assert _written("<h1>Tea</h1><hr><p>Boil.</p><hr><p>Drink.</p>", "") == "# Tea\n\nBoil.\n\n---\n\nDrink."
    site = site_of("<h2>Tea</h2><hr><p>Boil.</p>")
    assert "<hr" not in to_html(site, 0, site.is_text)
