"""Links that turn pages, against the same asked of each block by itself."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegrain.extractor.blocks import TextBlocks, rows_of, text_blocks
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.lines.turns import labelled, without_turn_lines, without_turn_rows, without_turns
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

TURNS = {"next", "up", "index", "tag"}
PIECES = st.tuples(
    st.sampled_from(["next", "UP x", "index", "nofollow", "tag", ""]), st.sampled_from(["Tea", "茶", "»", ""])
)
BLOCKS = st.lists(st.lists(PIECES, max_size=4), max_size=6)


def _html(blocks: list[list[tuple[str, str]]]) -> bytes:
    out = []
    for pieces in blocks:
        inner = "".join(f"[<a rel='{rel}' href=x>{text}</a>]" if rel else f" {text} " for rel, text in pieces)
        out.append(f"<p>{inner}</p>")
    return "".join(out).encode()


def _blocks(*pages: bytes) -> TextBlocks:
    site = build_site(Capture(f"http://a.org/{k}", html) for k, html in enumerate(pages))
    return text_blocks(rows_of(site, 0, len(pages)))


@given(BLOCKS, BLOCKS)
def test_a_block_goes_if_its_words_are_all_in_such_links(
    first: list[list[tuple[str, str]]], second: list[list[tuple[str, str]]]
) -> None:
    blocks = _blocks(_html(first), _html(second))
    found = without_turns(blocks, np.ones(len(blocks), bool)).tolist()
    # Slow and obvious: blocks are the paragraphs with text, in order.
    expected = []
    for pieces in first + second:
        if not any(rel or text for rel, text in pieces):
            continue
        is_turn = [not TURNS.isdisjoint(rel.lower().split()) for rel, _ in pieces]
        some = any(turn and text for turn, (_, text) in zip(is_turn, pieces, strict=True))
        rest = "".join(text for turn, (_, text) in zip(is_turn, pieces, strict=True) if not turn)
        expected.append(not some or re.search(r"\w", rest) is not None)
    assert found == expected


def test_many_such_links_take_no_longer_for_each() -> None:
    blocks = _blocks(b"<p><a rel=next href=a>More</a>" * 200_000)
    start = time.process_time()
    assert not without_turns(blocks, np.ones(len(blocks), bool)).any()
    assert time.process_time() - start < 2.5  # 0.3 s; 4.9 s when every block asked all links


def test_what_was_dropped_stays_dropped_and_prose_is_kept() -> None:
    html = b"<p><a rel=prev href=a>&lt; Coffee</a> | <a rel=next href=b>Cocoa &gt;</a><p>Boil it for <a rel=next href=b>four minutes</a>."
    blocks = _blocks(html)
    assert without_turns(blocks, np.array([True, True])).tolist() == [False, True]
    assert without_turns(blocks, np.array([False, False])).tolist() == [False, False]


@pytest.mark.parametrize(
    ("line", "is_turn"),
    [
        ("Next by thread: <b><a href=b>Re: Green tea</a></b>", True),
        ("Previous message: [<a href=b>Green tea</a>]", True),
        ("Nächster Beitrag: <a href=b>Grüner Tee</a>", True),
        ("前の記事：<a href=b>緑茶</a>", True),
        ("Next: boil the water as <a href=b>this page</a> says", False),
        ("Next by thread: Green tea", False),
        ("<a href=b>Next: Green tea</a>", False),
        ("Extern: <a href=b>Green tea</a>", False),
    ],
)
def test_a_label_that_says_so_and_a_link(line: str, is_turn: bool) -> None:
    site = build_site([Capture("http://a.org/", f"<p>Tea must draw for three minutes.<p>{line}".encode())])
    evidence = gather(rows_of(site, 0, 1))
    kept = np.ones(len(evidence.blocks), bool)
    assert without_turn_lines(labelled(evidence, kept), kept).tolist() == [True, not is_turn]


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        ("<a href=1>Previous</a> <a href=.>Back to members</a> <a href=3>Next</a>", True),
        ("<a href=.>Zurück zur Übersicht</a> | <a href=3>Nächste Seite »</a>", True),
        ("<a href=1>Next steps for the mill</a> <a href=2>Tea</a>", False),
        ("<a href=1>Next steps</a>", False),
        ("Read <a href=1>this</a> and the <a href=2>next</a>", False),
    ],
)
def test_a_row_of_links_whose_first_or_last_turns_the_page_goes(line: str, goes: bool) -> None:
    html = f"<p>Tea is hot and it is good.</p><p>{line}</p>".encode()
    evidence = gather(rows_of(build_site([Capture("http://a.org/2", html)]), 0, 1))
    assert without_turn_rows(evidence, np.ones(2, bool)).tolist() == [True, not goes]
