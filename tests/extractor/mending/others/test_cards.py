"""Cards that lead to other pages are judged together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.others import cards
from sitegrain.extractor.mending.others.cards import without_cards
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.tags import TEXT as TEXT_NODE
from tests.builders import site_of

TEXT = "The pot holds three litres and stands the frost of a long winter outside, if the water can run off. " * 2
NAMES = ("Round pot", "Square pot", "Tall pot", "Flat pot")
CARD = "<div class=item><a href={href}><b>{name}</b><div>{name} of clay</div></a></div>"


def group(hrefs: tuple[str, ...] = ("/1.html", "/2.html", "/3.html", "/4.html"), card: str = CARD) -> str:
    return "<div>" + "".join(card.format(href=h, name=n) for h, n in zip(hrefs, NAMES, strict=True)) + "</div>"


def left(html: str, score: float = 0.4, distinct: float = 0.3) -> bool:
    """Whether the cards are still kept, when all is and they score so."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    is_card = np.array([text.startswith(NAMES) for text in texts])
    found = without_cards(
        evidence, columns(evidence, distinct), np.where(is_card, score, 0.9), np.ones(len(texts), bool)
    )
    assert found[~is_card].all()
    assert found[is_card].all() or not found[is_card].any()
    return bool(found[is_card].all())


def columns(evidence: Evidence, distinct: float) -> Floats32:
    of_site = np.zeros((len(evidence.blocks), len(SITE_NAMES)), np.float32)
    of_site[:, SITE_NAMES.index("path_distinct")] = distinct
    return of_site


def test_cards_that_come_again_elsewhere_go_together() -> None:
    page = f"<p>{TEXT}</p>" + group()
    assert not left(page)
    assert left(page, score=0.7)
    assert left(page, distinct=0.9)
    assert left(page, distinct=np.nan)


def test_cards_whose_very_texts_other_pages_have_go() -> None:
    evidence = gather(rows_of(site_of(f"<p>{TEXT}</p>" + group()), 0, 1))
    kept, score = np.ones(len(evidence.blocks), bool), np.full(len(evidence.blocks), 0.4)
    of_site = columns(evidence, 1.0)
    assert without_cards(evidence, of_site, score, kept) is kept
    of_site[1:, SITE_NAMES.index("site_same_count")] = np.log1p(cards.MIN_PAGES)
    assert without_cards(evidence, of_site, score, kept).tolist() == [True] + [False] * 8


@pytest.mark.parametrize(
    "hrefs",
    [
        ("/1.html", "/1.html", "/2.html", "/2.html"),
        ("#1", "#2", "#3", "#4"),
        ("mailto:a@b.example", "javascript:x", "tel:1", "data:2"),
        ("http://a.example/", "http://b.example/", "//c.example/", "https://d.example/x"),
    ],
)
def test_what_leads_to_few_pages_of_the_site_stays(hrefs: tuple[str, ...]) -> None:
    assert left(f"<p>{TEXT}</p>" + group(hrefs))


def test_links_within_text_are_no_cards() -> None:
    assert left(f"<p>{TEXT}</p>" + group(card="<p><a href={href}>{name}</a> " + TEXT + "</p>"))


def test_a_page_of_cards_keeps_them() -> None:
    assert left("<p>Our pots</p>" + group())
    assert left(f"<p>{TEXT}</p>" + group() * 8)


PIECES = (
    "<p>tea for two", "<div>", "</div>", "<ul>", "</ul>", "<li>", "<a href=1.html>one cup</a>", "<li><a href=1.html>one cup of tea</a>", "<li><a href=2.html>two</a>",
    "<li><a href=3.html>three<p>of them</a>", "<div><a href=4.html><p>four</p><p>and a half</p></a></div>", "<div><a href=5.html>five</a></div>",
    "<div><a href='#x'>here</a></div>", "<a href=6.html>six</a>, <a href=7.html>seven</a>", "<div><b><a href=8.html>eight</a></b></div>",
)  # fmt: skip


SURELY = "<li><a href=1.html>one cup</a><li><a href=2.html>two</a><li><a href=3.html>three</a>"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_cards_are_those_that_loops_find(data: st.DataObject) -> None:
    drawn = st.lists(st.sampled_from(PIECES), max_size=12)
    htmls = [f"<p>{TEXT}</p>{''.join(data.draw(drawn))}<ul>{SURELY}{''.join(data.draw(drawn))}" for _ in range(2)]
    evidence = gather(rows_of(site_of(*htmls), 0, 2))
    n = len(evidence.blocks)
    # No sums of these are at a bound, where rounding decides.
    score = np.array(data.draw(st.lists(st.sampled_from((0.1013, 0.5017, 0.9029)), min_size=n, max_size=n)), np.float64)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    distinct = np.array(data.draw(st.lists(st.sampled_from((0.3011, 0.7013, 1.0)), min_size=n, max_size=n)), np.float32)
    of_site = columns(evidence, 0.0)
    of_site[:, SITE_NAMES.index("path_distinct")] = distinct
    found = without_cards(evidence, of_site, score, kept)
    assert found.tolist() == by_loops(evidence, distinct, score, kept)


def by_loops(evidence: Evidence, distinct: Floats32, score: Floats, kept: Bools) -> list[bool]:
    """The same, element by element."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    size, density = (evidence.words + 1).tolist(), evidence.column("link_density")
    doubtful = {
        int(blocks.page[b]) for b in range(len(blocks)) if kept[b] and density[b] >= 0.8 and score[b] < cards.SURE
    }

    def under(row: int) -> list[int]:
        return [b for b in range(len(blocks)) if row <= blocks.first[b] < rows.end[row]]

    target: dict[int, str] = {}
    for row in range(len(rows)):
        href = rows.site.node_attrs(row).get("href", "#")
        for b in range(len(blocks)):
            if (
                not href.startswith("#")
                and blocks.last[b] >= row
                and blocks.first[b] < rows.end[row]
                and density[b] >= 0.8
            ):
                target.setdefault(b, href)
    leads = [{target.get(b, "") for b in under(row)} for row in range(len(rows))]
    is_one = [len(to) == 1 and to != {""} for to in leads]
    groups: dict[tuple[int, int], list[int]] = {}
    for row in range(len(rows)):
        parent = int(rows.parent[row])
        if (
            rows.tag[row] != TEXT_NODE
            and is_one[row]
            and not (parent >= 0 and is_one[parent])
            and int(rows.page[row]) in doubtful
        ):
            groups.setdefault((parent, int(rows.tag[row])), []).append(row)
    chosen: dict[int, list[list[int]]] = {}
    for (parent, _), members in groups.items():
        own = [b for row in members for b in under(row)]
        words = sum(size[b] for b in own)
        if (
            len(set().union(*(leads[row] for row in members))) >= cards.MIN_CARDS
            and any(kept[b] for b in own)
            and words >= cards.LINKED * sum(size[b] for b in under(parent))
            and sum(size[b] * score[b] for b in own) < cards.SURE * words
            and sum(size[b] * float(distinct[b]) for b in own) <= cards.MOST_DISTINCT * words
        ):
            chosen.setdefault(int(rows.page[parent]), []).append(own)
    out: list[bool] = kept.tolist()
    for page, found in chosen.items():
        mine = [b for own in found for b in own]
        total = sum(size[b] for b in range(len(blocks)) if kept[b] and blocks.page[b] == page)
        if sum(size[b] for b in mine if kept[b]) <= cards.OF_PAGE * total:
            for b in mine:
                out[b] = False
    return out
