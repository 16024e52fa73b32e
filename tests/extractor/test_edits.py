"""Links to the editor of a section."""

from __future__ import annotations

import pytest

import sitegrain
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.edits import without_edit_links
from sitegrain.extractor.evidence import gather
from sitegrain.render import to_text
from tests.builders import site_of

EDIT = "<span class=a><span>[</span><a href='/w/index.php?title=Tea&amp;action=edit&amp;section=1'>edit</a><span>]</span></span>"


def text(html: str) -> str:
    site = site_of(html)
    evidence = gather(rows_of(site, 0, 1))
    kept = without_edit_links(evidence, evidence.words >= 0, site.is_text)
    return to_text(site, 0, kept)


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        (f"<span>Green [tea]</span>{EDIT}", "Green [tea]"),
        (f"{EDIT} Green tea", "Green tea"),
        ("<b>Tea</b>[<a href='?do=edit&id=3'>Edit</a> | <a href='?veaction=edit'>Edit source</a>]", "Tea"),
        ("Green <a href=/tea>tea</a> [!]", "Green tea [!]"),
        ("How to <a href='/credit=edition'>edit</a>", "How to edit"),
    ],
)
def test_they_are_no_part_of_a_heading(heading: str, said: str) -> None:
    assert text(f"<h2>{heading}</h2><p>Boil water.") == f"{said}\n\nBoil water."


def test_text_may_link_to_an_editor() -> None:
    assert "edit" in text(f"<p>Please {EDIT} this page.")


def test_markdown_has_none() -> None:
    prose = "<p>The water must boil before it is poured over the leaves, and then they draw for three minutes."
    page = f"<title>Tea</title><h1>Tea</h1>{prose}<h2>Green{EDIT}</h2>{prose.replace('three', 'two')}<h2>Black{EDIT}</h2>{prose.replace('three', 'five')}"
    assert [line for line in sitegrain.extract(page.encode()).markdown.split("\n") if line[:1] == "#"] == [
        "# Tea",
        "## Green",
        "## Black",
    ]
