"""What a program shows of a page that the text links to belongs to the text."""

from __future__ import annotations

from functools import partial

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.previews import ABOVE, MAX_WORDS, with_previews
from tests.builders import site_of
from tests.extractor.mending.steps import brought_back

TEXT = "<p>Green tea is poured at eighty degrees and stands for two minutes, or it is as bitter as the tea of last week.</p>"
CARD = "<a href=http://b.example/x><div>b.example</div><div>All about kettles</div></a>"
BOX = (
    "<aside><header><a href=http://b.example/x>b.example</a></header><article><h3><a href=http://b.example/x>All about "
    "kettles</a></h3><p>They whistle when it is time.</p></article></aside>"
)


kept_of = partial(brought_back, with_previews)


def test_a_preview_within_the_text_is_kept() -> None:
    names = ["b.example", "All about kettles"]
    assert kept_of(f"<div>{TEXT}{CARD}{TEXT}</div>", *names) == names
    assert kept_of(f"<div>{TEXT}{BOX}{TEXT}</div>", *names) == names
    whole = [*names, "They whistle when it is time."]
    assert kept_of(f"<div>{BOX}<p>So</p></div>", *whole) == []
    assert kept_of(f"<div>{BOX}<p>So</p></div>", *names) == names  # a post that begins with one, of which most is kept
    assert kept_of(f"<div>{BOX}{TEXT}</div>", *whole) == whole
    assert kept_of(f"<div>{BOX}{'<p>Tea</p>' * ABOVE}{TEXT}</div>", *whole, "Tea") == []
    assert kept_of(f"<div><p>So</p>{BOX}<p>So</p></div>", *names) == names  # most of it is kept


def test_a_pingback_that_is_all_comments_of_a_page_is_none() -> None:
    names = ["One thought on tea", "Pingback: All about kettles and the tea of last week again", "Comments are closed."]
    said = f"<h2>{names[0]}</h2><p>Pingback: <a href=http://b.example/x>All about kettles and the tea of last week again</a></p><p>{names[2]}</p>"
    assert kept_of(f"<div>{TEXT}<div id=comments>{said}</div></div>", *names) == []


def test_a_page_is_judged_alike_beside_others() -> None:
    names = ["b.example", "All about kettles", "They whistle when it is time."]
    page, other = f"<div>{TEXT}{BOX}</div>", f"<div>{BOX}<p>So</p></div>"
    assert kept_of(page, *names) == names
    for pages, is_kept in (
        ((page, page), [True, True]),
        ((page, other), [True, False]),
        ((other, page), [False, True]),
    ):
        site = site_of(*pages)
        evidence = gather(rows_of(site, 0, len(pages)))
        blocks = evidence.blocks
        is_name = np.array([blocks.text(k) in names for k in range(len(blocks))])
        found = with_previews(evidence, ~is_name)
        assert [bool(found[is_name & (blocks.page == at)].all()) for at in range(2)] == is_kept


def test_others_stay_out() -> None:
    names = ["b.example", "All about kettles"]
    of_site = CARD.replace("b.example/x", "t.example/x")
    assert kept_of(f"<div>{TEXT}{of_site}{TEXT}</div>", *names) == []
    two = CARD.replace("<div>All", "</a><a href=http://c.example/><div>All")
    assert kept_of(f"<div>{TEXT}{two}{TEXT}</div>", *names) == []
    assert kept_of(f"<div>{TEXT}</div><div>{CARD}</div><div>{TEXT}</div>", *names) == names  # nothing parts them
    menu = "<p>Menu of the day</p>" * 30
    assert kept_of(f"{TEXT}<div>{CARD}{menu}</div>{TEXT}", *names, "Menu of the day") == []
    long = CARD.replace("kettles", "kettles " * int(MAX_WORDS))
    assert (
        kept_of(f"<div>{TEXT}{long}{TEXT}</div>", *names, "All about " + " ".join(["kettles"] * int(MAX_WORDS))) == []
    )
    pair = "<div><p><a href=http://b.example/x>b.example</a></p><p><a href=http://b.example/x>All about kettles</a></p></div>"
    assert kept_of(f"<div>{TEXT}{pair}{TEXT}</div>", *names) == []
