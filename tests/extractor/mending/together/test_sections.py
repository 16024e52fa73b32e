"""A heading and its section are kept together, or neither."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.sections import LEAST_SCORE, OFTEN, SURE, with_sections
from tests.builders import site_of

SECTION = "The leaves in a tin"


def left(html: str, heading: float, section: float = 0.3, stays_out: str = "", same: float = 0.0) -> list[str]:
    """What is kept of a page whose sections were not."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    is_section, is_heading = np.array([t.startswith(SECTION) for t in texts]), evidence.column("in_heading") > 0
    score = np.where(is_heading, heading, np.where(is_section, section, 0.9))
    left_out, of_pages = np.array([t == stays_out for t in texts]), np.full(len(texts), same, np.float32)
    found = with_sections(evidence, score, left_out, of_pages, ~is_section)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept]


def test_a_sure_heading_keeps_its_section_and_another_goes_with_it() -> None:
    page = f"<div><p>Tea.</p><h2>Files</h2><p>{SECTION}</p><p>{SECTION} too</p></div>"
    assert left(page, SURE) == ["Tea.", "Files", SECTION, f"{SECTION} too"]
    assert left(page, SURE - 0.1) == ["Tea."]
    assert left(page, SURE, LEAST_SCORE / 2) == ["Tea.", "Files"]
    assert left(page, SURE, stays_out=f"{SECTION} too") == ["Tea.", "Files"]
    assert left(page.replace(f"{SECTION} too", f"{SECTION} too" * 9), SURE) == ["Tea.", "Files"]


def test_a_section_ends_with_its_element_and_with_the_next_heading() -> None:
    assert left(f"<div><h2>Files</h2></div><p>{SECTION}</p>", SURE - 0.1) == ["Files"]
    page = f"<div><h2>Files</h2><p>{SECTION}</p><h2>Tea</h2><p>Black.</p></div>"
    assert left(page, SURE) == ["Files", SECTION, "Tea", "Black."]
    assert left(page, SURE - 0.1) == ["Tea", "Black."]
    partly = f"<div><h2>Files</h2><p>{SECTION}</p><p>Black.</p></div>"
    assert left(partly, SURE - 0.1) == ["Files", "Black."]


def test_a_heading_that_many_pages_have_goes_with_what_a_step_left_out() -> None:
    page = f"<div><p>Tea.</p><h3>Related</h3><p>{SECTION}</p></div>"
    assert left(page, SURE, stays_out=SECTION) == ["Tea.", "Related"]
    assert left(page, SURE, stays_out=SECTION, same=OFTEN) == ["Tea."]
    assert left(page, SURE, same=OFTEN) == ["Tea.", "Related", SECTION]
    links = page.replace(SECTION, f"<a href=/milk>{SECTION}</a>")
    assert left(links, SURE, same=OFTEN) == ["Tea."]
    assert left(links, SURE, same=OFTEN / 2) == ["Tea.", "Related", SECTION]


def test_a_link_to_the_heading_is_no_section() -> None:
    page = f"<p>Tea.</p><div><h2 id=milk>Milk</h2><a href=#milk>{SECTION}</a></div><p>With milk.</p>"
    assert left(page, SURE - 0.1) == ["Tea.", "Milk", "With milk."]
    assert left(page.replace("#milk", "#tea"), SURE - 0.1) == ["Tea.", "With milk."]
