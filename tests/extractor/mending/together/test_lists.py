"""Lists under kept items, lists of which little is kept, lists that are announced, and options of forms."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.lists import (
    LEAD_WORDS,
    LEAST_SCORE,
    LITTLE,
    MIN_BLOCKS,
    OF_PAGE,
    lists_of,
    with_announced,
    with_sublists,
    without_choices,
    without_remnants,
)
from sitegrain.tables.tags import TAGS
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages

NESTED = "<p>Tea.<ul><li>Green<ul><li>Sencha<li>Matcha</ul><li>Black<ul><li>Assam</ul></ul>"
LINES = "<p>Much is said of tea in this long line of text, and more than of anything else on the page.<ul><li>A note<li>Home and all the rest<li>Contact us by letter</ul>"


def page_of(html: str, *kept: str) -> Drawn:
    evidence = gather(rows_of(site_of(html), 0, 1))
    is_kept = np.array([evidence.blocks.text(i) in kept for i in range(len(evidence.blocks))])
    return Drawn(evidence, np.full(len(is_kept), 0.5), is_kept)


def texts(page: Drawn, kept: Bools) -> list[str]:
    return [page.blocks.text(i) for i in np.flatnonzero(kept).tolist()]


def test_what_stands_under_a_kept_item_is_kept() -> None:
    page = page_of(NESTED, "Tea.", "Green")
    assert texts(page, with_sublists(page.blocks, lists_of(page.blocks), page.kept)) == [
        "Tea.",
        "Green",
        "Sencha",
        "Matcha",
    ]
    same = page_of(NESTED, "Tea.", "Sencha")
    assert with_sublists(same.blocks, lists_of(same.blocks), same.kept) is same.kept


def test_what_is_left_of_a_list_goes_with_it() -> None:
    long = LINES[3:].partition("<")[0]
    page = page_of(LINES, long, "A note")
    assert texts(page, without_remnants(page.blocks, lists_of(page.blocks), page.evidence.words, page.kept)) == [long]
    most = page_of(LINES, long, "A note", "Home and all the rest")
    assert without_remnants(most.blocks, lists_of(most.blocks), most.evidence.words, most.kept) is most.kept
    all_there_is = page_of(LINES, "A note")
    assert (
        without_remnants(
            all_there_is.blocks, lists_of(all_there_is.blocks), all_there_is.evidence.words, all_there_is.kept
        )
        is all_there_is.kept
    )


def test_a_list_that_the_text_announces_is_kept() -> None:
    def announced(html: str, lead: str) -> list[str]:
        page = page_of(html, lead)
        is_heading = page.evidence.column("in_heading") > 0
        lists = lists_of(page.blocks)
        return texts(page, with_announced(page.blocks, lists, page.evidence.words, page.score, is_heading, page.kept))

    items = "<ul><li>water<li>leaves</ul>"
    assert announced(f"<p>All that you need is:</p>{items}", "All that you need is:") == [
        "All that you need is:",
        "water",
        "leaves",
    ]
    assert announced(f"<p>你需要的东西如下所示：</p>{items}", "你需要的东西如下所示：")[1:] == ["water", "leaves"]
    assert announced(f"<p>All that you need is.</p>{items}", "All that you need is.") == ["All that you need is."]
    assert announced(f"<p>Related:</p>{items}", "Related:") == ["Related:"]
    assert announced(f"<h3>All that you need is:</h3>{items}", "All that you need is:") == ["All that you need is:"]
    assert announced(f"<p>All that you need is:</p><div>{items}</div>", "All that you need is:") == [
        "All that you need is:"
    ]


def test_options_are_left_out() -> None:
    page = page_of("<p>Tea.<form><select><option>North forum<option>South forum</select></form>", "Tea.", "North forum")
    assert texts(page, without_choices(page.blocks, page.kept)) == ["Tea."]
    nothing = page.kept & False
    assert without_choices(page.blocks, nothing) is nothing


@settings(max_examples=150, deadline=None)
@given(pages())
def test_each_equals_the_obvious_way(page: Drawn) -> None:
    evidence, score, kept = page
    blocks, words, rows = evidence.blocks, evidence.words, evidence.blocks.rows
    is_heading = evidence.column("in_heading") > 0
    under, rest, named, plain = kept.copy(), kept.copy(), kept.copy(), kept.copy()
    for row in range(len(rows)):
        own = [k for k in range(len(blocks)) if row <= blocks.first[k] < rows.end[row]]
        tag, parent = TAGS[rows.tag[row]], int(rows.parent[row])
        if tag in ("select", "option", "datalist"):
            plain[own] = False
        if tag not in ("ul", "ol", "dl") or not own:
            continue
        before = [k for k in range(len(blocks)) if parent <= blocks.first[k] < row]
        if TAGS[rows.tag[parent]] == "li" and before and kept[before[0]]:
            under[own] = True
        mine, total = sum(words[k] + 1 for k in own if kept[k]), sum(words[k] + 1 for k in own)
        of_page = sum(words[k] + 1 for k in range(len(blocks)) if kept[k] and blocks.page[k] == rows.page[row])
        if len(own) >= MIN_BLOCKS and mine <= LITTLE * total and mine <= OF_PAGE * of_page:
            rest[own] = False
        lead = own[0] - 1
        is_lead = before and before[-1] == lead and kept[lead] and not is_heading[lead] and words[lead] >= LEAD_WORDS
        if is_lead and blocks.text(lead)[-1] in ":：":
            named[[k for k in own if score[k] >= LEAST_SCORE]] = True
    lists = lists_of(blocks)
    assert with_sublists(blocks, lists, kept).tolist() == under.tolist()
    assert without_remnants(blocks, lists, words, kept).tolist() == rest.tolist()
    assert with_announced(blocks, lists, words, score, is_heading, kept).tolist() == named.tolist()
    assert without_choices(blocks, kept).tolist() == plain.tolist()
