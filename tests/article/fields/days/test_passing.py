"""Days that a page names in passing are not its own."""

from __future__ import annotations

import pytest

from tests.article.fields.authors.test_bywords import PROSE, fields_of

RELEASES = "".join(f"<h2 id=v{k}>1.{k} (202{k}-03-0{k})</h2><ul><li>Tea boils faster.</ul>" for k in (3, 2, 1))


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{PROSE} See <a href=/news>2.1 (2021-04-11)</a>, and boil the water once more.</p>",
        RELEASES,
        "<ul>" + "".join(f"<li><a href=#v{k}>1.{k} (202{k}-03-0{k})</a>" for k in (3, 2, 1)) + "</ul>" + RELEASES,
    ],
)
def test_of_another_page_or_of_one_of_several_parts(body: str) -> None:
    assert fields_of(f"<h1>Tea</h1>{body}").date.value == ""


@pytest.mark.parametrize(
    "body",
    [
        f"<p>By Ann Lee, <a href=/2021/04>11 April 2021</a></p><p>{PROSE}</p>",
        f"<p><a href=/2021/04>11 April 2021</a> {PROSE}</p>",
        f"<h2>11 April 2021</h2><p>{PROSE}</p>",
        f"<h2>#1 2021-04-11 10:00</h2><p>{PROSE}</p><h2>#2 2021-04-12 11:00</h2><p>{PROSE}</p>",
        f"<h2>11.04.2021</h2><p>{PROSE}</p><h2>12.04.2021</h2><p>{PROSE}</p>",
    ],
)
def test_a_byline_and_the_heading_of_a_post_are_its_own(body: str) -> None:
    assert fields_of(f"<h1>Tea</h1>{body}").date.value == "2021-04-11"
