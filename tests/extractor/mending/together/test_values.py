"""Values stay with their labels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.together.values import (
    LABEL_WORDS,
    LEAST_SCORE,
    MIN_NUMBERS,
    MIN_ROWS,
    ROW_BLOCKS,
    ROW_WORDS,
    with_values,
)
from sitegrain.tables.tags import TAGS, TEXT
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, pages


def kept_of(html: str, scored: float = 0.2, kept: tuple[str, ...] = ("A pot of clay.",)) -> list[str]:
    evidence = gather(rows_of(site_of(html), 0, 1))
    texts = [evidence.blocks.text(i) for i in range(len(evidence.blocks))]
    score = np.array([scored if text.endswith(":") else 0.05 for text in texts])
    after = with_values(evidence, score, np.array([text in kept for text in texts]))
    return [text for text, is_kept in zip(texts, after, strict=True) if is_kept]


def row(label: str, value: str) -> str:
    return f"<div><b>{label}</b><p>{value}</div>"


def test_a_value_stays_with_its_label() -> None:
    rows = row("Height:", "15 cm") + row("Width:", "19 cm")
    assert kept_of(f"<p>A pot of clay.<section>{rows}</section>") == [
        "A pot of clay.",
        "Height:",
        "15 cm",
        "Width:",
        "19 cm",
    ]
    assert kept_of(f"<p>A pot of clay.<section>{rows}</section>", 0.1) == ["A pot of clay."]
    assert kept_of(f"<p>A pot of clay.<section>{rows}</section>", kept=()) == []


def test_rows_of_a_form_are_none() -> None:
    rows = row("Height:", "15 cm <input>") + row("Width:", "19 cm <input>")
    assert kept_of(f"<p>A pot of clay.<section>{rows}</section>") == ["A pot of clay."]


def test_two_rows_without_numbers_are_none() -> None:
    two = row("Author:", "Jane") + row("Subject:", "Tea")
    assert kept_of(f"<p>A pot of clay.<section>{two}</section>") == ["A pot of clay."]
    three = two + row("Place:", "Leeds")
    assert kept_of(f"<p>A pot of clay.<section>{three}</section>")[-2:] == ["Place:", "Leeds"]


def test_a_label_that_an_icon_has_once_more_is_kept_once() -> None:
    rows = "".join(
        f"<div><p>{name}:<span><p>{name}:<p>{n} cm</span></div>" for name, n in (("Height", 15), ("Width", 19))
    )
    assert kept_of(f"<p>A pot of clay.<section>{rows}</section>")[1:] == ["Height:", "15 cm", "Width:", "19 cm"]


@settings(max_examples=150, deadline=None)
@given(pages())
def test_equals_the_obvious_way(page: Drawn) -> None:
    evidence, score, kept = page
    blocks, rows = evidence.blocks, evidence.blocks.rows
    texts = [blocks.text(i) for i in range(len(kept))]
    is_label = [t.endswith((":", "：")) and 0 < evidence.words[i] <= LABEL_WORDS for i, t in enumerate(texts)]
    families: dict[tuple[int, int], list[list[int]]] = {}
    for r in range(len(rows)):
        own = [b for b in range(len(kept)) if r <= blocks.first[b] < rows.end[r]]
        is_form = "input" in [TAGS[t] for t in rows.tag[r : rows.end[r]]]
        is_row = (
            rows.tag[r] != TEXT
            and not is_form
            and 1 < len(own) <= ROW_BLOCKS
            and evidence.words[own].sum() <= ROW_WORDS
        )
        if is_row and is_label[own[0]] and not is_label[own[-1]]:
            families.setdefault((int(rows.parent[r]), int(rows.tag[r])), []).append(own)
    found = [
        own
        for them in families.values()
        for own in them
        if len(them) >= MIN_ROWS
        or (len(them) >= MIN_NUMBERS and all(any(c.isdigit() for c in texts[o[-1]]) for o in them))
    ]
    wanted = kept.copy()
    for p in range(evidence.geometry.n_pages):
        mine = [own for own in found if blocks.page[own[0]] == p]
        labels = sorted({own[0] for own in mine})
        if labels and kept[blocks.page == p].any() and score[labels].sum() >= LEAST_SCORE * len(labels):
            for b in (b for own in mine for b in own):
                wanted[b] |= not (is_label[b] and b > 0 and texts[b] == texts[b - 1])
    assert with_values(evidence, score, kept).tolist() == wanted.tolist()
