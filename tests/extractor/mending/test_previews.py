"""What a program shows of a page that the text links to belongs to the text."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.previews import MAX_WORDS, with_previews
from tests.builders import site_of

TEXT = "<p>Green tea is poured at eighty degrees and stands for two minutes, or it is as bitter as the tea of last week.</p>"
CARD = "<a href=http://b.example/x><div>b.example</div><div>All about kettles</div></a>"
BOX = (
    "<aside><header><a href=http://b.example/x>b.example</a></header><article><h3><a href=http://b.example/x>All about "
    "kettles</a></h3><p>They whistle when it is time.</p></article></aside>"
)


def kept_of(html: str, *left_out: str) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    kept = np.array([text not in left_out for text in texts])
    found = with_previews(evidence, kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, is_kept in zip(texts, found, strict=True) if is_kept and text in left_out]


def test_a_preview_within_the_text_is_kept() -> None:
    names = ["b.example", "All about kettles"]
    assert kept_of(f"<div>{TEXT}{CARD}{TEXT}</div>", *names) == names
    assert kept_of(f"<div>{TEXT}{BOX}{TEXT}</div>", *names) == names
    assert kept_of(f"<div>{BOX}<p>So</p></div>", *names) == []
    assert kept_of(f"<div><p>So</p>{BOX}<p>So</p></div>", *names) == names  # most of it is kept


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
