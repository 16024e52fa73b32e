"""What is border, and labels from snippets."""

from __future__ import annotations

from typing import Any

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import EVIDENCE_NAMES, gather
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.training.borders import BORDER, border_weights, snippet_labels

PAGE = """<h1>Tea</h1><p>Boil water, and wait for it.<ul><li>one cup</ul><figure><figcaption>A cup</figcaption></figure>
<p>Then drink it, slowly.<ul><li>Home</ul>"""


def weights(data: str, kind: str, label: list[float]) -> list[Any]:
    evidence = gather(rows_of(build_site([Capture("http://a.org/", PAGE.encode())]), 0, 1))
    assert len(evidence.blocks) == 6
    found: list[Any] = border_weights(data, kind, EVIDENCE_NAMES, evidence.x, np.array(label)).tolist()
    return found


def test_a_title_and_a_caption_that_are_kept_are_border_everywhere() -> None:
    assert weights("any", "article", [1, 1, 1, 1, 1, 0]) == [BORDER, 1, 1, BORDER, 1, 1]
    assert weights("any", "article", [0, 1, 1, 0, 1, 0]) == [1] * 6


def test_a_list_that_is_dropped_is_border_where_the_gold_leaves_lists_out_and_inside_the_text_only() -> None:
    assert weights("fundus", "article", [0, 1, 0, 0, 1, 0]) == [1, 1, BORDER, 1, 1, 1]
    assert weights("wcxb-dev", "article", [0, 1, 0, 0, 1, 0]) == [1] * 6


def test_lines_about_a_post_are_border_in_a_thread() -> None:
    assert weights("wcxb-dev", "forum", [0, 1, 1, 0, 1, 0])[2] == BORDER


def test_snippets_label_the_blocks_that_hold_them() -> None:
    blocks = [["home"], "the cat sat down on the mat today".split(), ["share", "this"], "a home for every cat".split()]
    label, known = snippet_labels(blocks, ["cat sat down on the mat".split()], [["home"], ["share", "this"]])
    assert label.tolist() == [0, 1, 0, 0]
    assert known.tolist() == [1, 1, 1, 0], "a short snippet is not looked for within a long block"


def test_a_block_with_wanted_and_unwanted_text_is_not_known() -> None:
    words = "the cat sat down and then the dog came in".split()
    label, known = snippet_labels([words], [words[:4]], [words[6:]])
    assert (label.tolist(), known.tolist()) == ([1], [0])


def test_snippets_of_a_page_without_text() -> None:
    label, known = snippet_labels([], [["a"]], [[]])
    assert len(label) == len(known) == 0
