"""Learned words: by loops and dictionaries, and without the page's own group."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.lexicon import lexical_columns
from sitegrain.native.reference.blocks.lexicon import hashes_of_text, look
from sitegrain.training.examples import BlockWords, PageExample
from sitegrain.training.lexicon import MIN_GROUPS, PRIOR_GROUPS, WordCorpus
from tests.builders import site_of

NAMES = gather(rows_of(site_of("<p>one"), 0, 1)).names
PAGE = st.lists(
    st.tuples(st.sampled_from(["read", "more", "tea", "cup"]), st.sampled_from(["nav", "post"]), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=1, max_size=4,
)  # fmt: skip


def example(group: str, name: str, page: list[tuple[str, str, float]]) -> PageExample:
    site = site_of("".join(f"<div class={cls}><p>{text}</p></div>" for text, cls, _ in page))
    evidence = gather(rows_of(site, 0, 1))
    out = PageExample(
        group, "article", name, evidence.x, evidence.geometry, evidence.words, BlockWords.of(evidence),
        label=np.array([label for _, _, label in page]), gold_tokens=["x"],
    )  # fmt: skip
    out.evidence = evidence  # type: ignore[attr-defined]
    return out


def weights_by_loops(pages: list[tuple[str, list[tuple[str, str, float]]]], prior: float) -> dict[str, float]:
    """Per word of one letter run: its log odds, slow and obvious."""
    labels: dict[str, dict[str, list[float]]] = {}
    for group, page in pages:
        for word, _, label in page:
            labels.setdefault(word, {}).setdefault(group, []).append(label)
    out = {}
    for word, by_group in labels.items():
        if len(by_group) >= MIN_GROUPS:
            total = sum(sum(v) / len(v) for v in by_group.values())
            p = (total + PRIOR_GROUPS * prior) / (len(by_group) + PRIOR_GROUPS)
            out[word] = math.log(p / (1 - p))
    return out


@settings(max_examples=40, deadline=None)
@given(st.lists(PAGE, min_size=5, max_size=9))
def test_weights_are_those_of_the_loops_and_leave_the_own_group_out(pages: list[list[tuple[str, str, float]]]) -> None:
    # A page of every word at half keeps the prior from 0 and 1.
    every = [(w, "nav", 0.5) for w in ("read", "more", "tea", "cup")]
    groups = [(f"g{i % 6}", page) for i, page in enumerate([every, *pages])]
    examples = [example(g, str(i), page) for i, (g, page) in enumerate(groups)]
    learned = WordCorpus.of(NAMES, examples).learn({g for g, _ in groups})
    lexicon = learned.lexicon()
    slow = weights_by_loops(groups, learned.prior["text"])
    for word in ("read", "more", "tea", "cup"):
        found = look(lexicon.text.table, np.array([hashes_of_text(word)[0]], np.uint32))[0]
        np.testing.assert_allclose(found, slow.get(word, np.nan), rtol=2e-3, atol=2e-3)
    for e, (group, page) in zip(examples, groups, strict=True):
        expected_columns = lexical_columns(e.evidence, lexicon)  # type: ignore[attr-defined]
        np.testing.assert_allclose(learned.columns(e), expected_columns, rtol=1e-5)
        others = weights_by_loops([(g, p) for g, p in groups if g != group], learned.prior["text"])
        expected = [others.get(word, np.nan) for word, _, _ in page]
        # One word, so the word and the whole text weigh alike: mean, least and greatest are the same.
        np.testing.assert_allclose(learned.columns(e, without_own=True)[:, 0], expected, rtol=2e-3, atol=2e-3)
