"""A line that names the file it leads to is kept with the text before it."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.files import with_files
from tests.builders import site_of

BREW = '<p>Steep it.</p><ul><li><a href="../files/brew%20tea.zip">brew tea.zip</a> (12 KB)</li></ul>'


def left(html: str, stays_out: str = "") -> list[str]:
    """What is kept of a page of which lines without a link are."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    found = with_files(evidence, np.array([t == stays_out for t in texts]), evidence.column("link_density") == 0)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


def test_a_file_that_is_named_is_kept_with_the_text_before_it() -> None:
    assert left(BREW) == ["Steep it.", "brew tea.zip (12 KB)"]
    assert left(BREW, stays_out="brew tea.zip (12 KB)") == ["Steep it."]
    assert left(BREW.replace("<p>Steep it.</p>", "")) == []


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/files/tea.zip">Download</a>',
        '<a href="/photos/tea.jpg">tea.jpg</a>',
        '<a href="/tea.html">tea.html</a>',
        '<a href="https://tea.example">https://tea.example</a>',
        '<a href="/files/tea.zip">tea.zip</a> <a href="/files/">all</a>',
    ],
)
def test_pages_pictures_hosts_and_what_is_not_named_are_none(link: str) -> None:
    assert left(f"<p>Steep it.</p><p>{link}</p>") == ["Steep it."]


def test_a_file_far_from_the_text_is_none() -> None:
    links = "".join(f'<p><a href="/{i}">More of it {i}</a></p>' for i in range(3))
    assert "brew tea.zip (12 KB)" not in left(BREW.replace("<ul>", f"{links}<ul>"))
