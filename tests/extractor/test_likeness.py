"""Blocks that are alike on one page: the columns against slow loops over paths written out in full."""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import LIKENESS_NAMES, Evidence, gather
from sitegrain.native.columns import NUMBERS
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.tags import ATTRIBUTES
from tests.native.blocks.test_evidence import hostile_page
from tests.native.bodies import in_python, needs_core


def evidence_of(*pages: str, python: bool = False) -> Evidence:
    site = build_site(Capture(f"http://a.org/{i}", page.encode()) for i, page in enumerate(pages))
    with in_python() if python else nullcontext():
        return gather(rows_of(site, 0, site.n_pages))


def columns(evidence: Evidence) -> dict[str, np.ndarray]:
    return {name: evidence.x[:, evidence.names.index(name)] for name in LIKENESS_NAMES}


def slow_columns(evidence: Evidence) -> np.ndarray:
    """Paths as tuples of (tag, names), blocks compared pair by pair."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    node, value = rows.named(ATTRIBUTES.index("class"))
    names = {n: rows.site.strings[v].split() for n, v in zip(node.tolist(), value.tolist(), strict=True)}
    uses = Counter((rows.page[n], name) for n, several in names.items() for name in several)

    def own(row: int) -> tuple[int, tuple[str, ...]]:
        shared = sorted(name for name in names.get(row, []) if uses[rows.page[row], name] > 1)
        return int(rows.tag[row]), tuple(shared)

    def path(row: int) -> list[tuple[int, tuple[str, ...]]]:
        return [own(row)] + (path(rows.parent[row]) if rows.parent[row] >= 0 else [])

    def text(b: int) -> str:
        whole = rows.text[blocks.text_start[b] : blocks.text_end[b]]
        return "".join(whole[: NUMBERS["TEXT_KEY_CHARS"]].split()) + f" {sum(not c.isspace() for c in whole)}"

    x = {name: evidence.x[:, evidence.names.index(name)].astype(float) for name in ("link_density", "visible")}
    n = len(blocks)
    paths = [path(b) for b in blocks.box.tolist()]
    out = np.zeros((n, 0))
    for depth in (1000, 3):
        part = np.zeros((n, 7))
        # The element above the root is the root itself.
        keys = [(p + [p[-1]] * 2)[:depth] if depth == 3 else p for p in paths]
        for b in range(n):
            mine = [c for c in range(n) if blocks.page[c] == blocks.page[b]]
            like = [c for c in mine if keys[c] == keys[b]]
            total = sum(evidence.words[c] for c in mine)
            words = sum(evidence.words[c] for c in like)
            part[b] = (
                np.log1p(len(like)),
                words / total if total else 0,
                words / len(like),
                sum(x["link_density"][c] for c in like) / len(like),
                len({text(c) for c in like}) / len(like) if len(like) > 1 else np.nan,
                sum(evidence.is_sentence[c] for c in like) / len(like),
                (max(like) - min(like)) / len(mine),
            )
        out = np.hstack([out, part])
    return out


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_slow_and_fast_agree(seed: int, python: bool) -> None:
    rng = random.Random(seed)
    evidence = evidence_of(*(hostile_page(rng) for _ in range(rng.randrange(1, 4))), python=python)
    fast = np.stack(list(columns(evidence).values()), axis=1)
    np.testing.assert_allclose(fast, slow_columns(evidence), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("python", [False, True])
def test_cards_are_alike_though_each_has_a_name_of_its_own(python: bool) -> None:
    cards = "".join(f'<div class="card card-{i}"><h3>Card {i}</h3><p>Buy</p></div>' for i in range(4))
    found = columns(evidence_of(f"<div class=list>{cards}</div><p>Other words stand here.", python=python))
    np.testing.assert_allclose(found["here_blocks"][:2], np.log1p(4))
    assert found["here_distinct"][0] == 1  # four headings
    assert found["here_distinct"][1] == 0.25  # one button, four times
    assert np.isnan(found["here_distinct"][-1])


def test_names_with_digits_tell_places_apart() -> None:
    found = columns(evidence_of("<p class=css-1x>a<p class=css-1x>b<p class=css-2y>c<p class=css-2y>d"))
    np.testing.assert_allclose(found["here_blocks"], np.log1p(2))


def test_kin_are_found_in_two_lists_and_not_on_another_page() -> None:
    lists = "".join(
        f"<div class=c{i}><ul class=l><li class=i><p>x {i}</ul></div><div class=c{i}></div>" for i in (1, 2)
    )
    found = columns(evidence_of(lists, lists))
    np.testing.assert_allclose(found["here_blocks"], np.log1p(1))
    np.testing.assert_allclose(found["kin_blocks"], np.log1p(2))


def test_a_page_is_the_same_alone_and_among_others() -> None:
    rng = random.Random(5)
    pages = [hostile_page(rng) for _ in range(6)]
    together = evidence_of(*pages)
    alone = np.concatenate([evidence_of(p).x for p in pages])
    at = [together.names.index(n) for n in LIKENESS_NAMES]
    np.testing.assert_array_equal(together.x[:, at], alone[:, at])


@needs_core
def test_many_names_take_linear_time() -> None:
    page = "".join(f'<p class="{" ".join(f"n{i * 997 + k}" for k in range(2000))}">x' for i in range(50))
    begin = time.process_time()
    evidence_of(page)
    assert time.process_time() - begin < 2
