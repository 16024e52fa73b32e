"""Heads of things that are alike: questions above their answers, names of panels."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.heads import with_heads
from tests.builders import site_of

ANSWER = "<p>The leaves go into the pot before the water does, and stay there for two minutes.</p>"


def coming(html: str, left_out: str | tuple[str, ...], score: float = 0.3) -> list[str]:
    """Which blocks come, if all are kept but those that begin with these letters."""
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i).strip() for i in range(len(evidence.blocks))]
    kept = np.array([not text.startswith(left_out) for text in texts])
    found = with_heads(evidence, np.full(len(kept), score), kept)
    assert (found is kept) == np.array_equal(found, kept)
    return [text for text, was, now in zip(texts, kept, found, strict=True) if now and not was]


def panels(head: str, n: int) -> str:
    return "".join(f"<section>{head.format(i)}<div>{ANSWER}</div></section>" for i in range(n))


@pytest.mark.parametrize("head", ["<h3>Q{}</h3>", "<div>Q{} how long?</div>", "<div>Q{}多久？</div>"])
def test_heads_of_two_things_come(head: str) -> None:
    assert len(coming(panels(head, 2), "Q")) == 2
    assert not coming(panels(head, 1), "Q")


def test_buttons_are_heads_of_three_things() -> None:
    assert len(coming(panels("<button>Q{} how long</button>", 3), "Q")) == 3
    assert not coming(panels("<button>Q{} how long?</button>", 2), "Q")


def test_other_lines_are_none() -> None:
    assert not coming(panels("<div>Q{} how long</div>", 3), "Q")
    assert not coming(panels("<h3><a href=x>Q{}</a></h3>", 3), "Q")
    assert not coming(panels("<h3>Q{}</h3>", 3), "Q", score=0.05)
    assert not coming(panels("<h3>Q{} " + "and so on " * 8 + "</h3>", 3), "Q")


def test_a_head_needs_text_under_it() -> None:
    assert not coming(panels("<h3>Q{}</h3>", 3).replace(ANSWER, "<p>two minutes"), "Q")
    assert not coming(panels("<h3>Q{}</h3>", 3), ("Q", "The"))


def test_few_of_many_things_come_where_the_text_goes_on() -> None:
    begun = f"<div><p>Tea.</p>{panels('<h3>Q{}</h3>', 2)}{panels('<h3>A{}</h3>', 6)}</div>"
    assert coming(begun, "Q") == ["Q0", "Q1"]
    assert coming(begun, ("Q", "Tea")) == ["Q1"]
    buttons = f"<div>{panels('<button>Q{}</button>', 3)}{panels('<button>A{}</button>', 6)}</div>"
    assert not coming(buttons, "Q")
