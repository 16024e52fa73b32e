"""Heads of letters, and lists of other letters below them."""

from __future__ import annotations

import numpy as np

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.lines.letters import without_letter_heads
from tests.builders import site_of

BODY = "<pre>Dear all, the tea must draw for three minutes and not for more, or else it is bitter and nobody wants to drink it.</pre>"
HEAD = "<ul><li><em>To</em>: list@bay.org<li><em>Subject</em>: Tea<li><em>From</em>: Ann Lee &lt;ann@bay.org><li><em>Date</em>: 3 May 2004</ul>"
TAIL = "<ul><li>Follow-Ups:<ul><li><a href=b>Re: Tea</a><ul><li>From: Bob Roe &lt;bob@bay.org></ul></ul></ul>"


def left(*pages: str) -> list[str]:
    """The texts that are still kept."""
    site = site_of(*pages)
    evidence = gather(rows_of(site, 0, site.n_pages))
    kept = without_letter_heads(evidence, np.ones(len(evidence.blocks), bool))
    return [evidence.blocks.text(block)[:8] for block in np.flatnonzero(kept).tolist()]


def test_the_head_and_what_leads_to_other_letters_go() -> None:
    assert left(f"<h1>Tea</h1>{HEAD}{BODY}{TAIL}") == ["Tea", "Dear all"]
    assert left(f"<h1>Tea</h1>{BODY}", f"{HEAD}{BODY}") == ["Tea", "Dear all", "Dear all"]


def test_what_the_letter_ends_with_stays() -> None:
    assert left(f"{HEAD}{BODY}<p><a href=http://bay.org/>http://bay.org/</a>") == ["Dear all", "http://b"]
    assert left(f"{HEAD}{BODY}<p>References: see the book of tea.") == ["Dear all", "Referenc"]


def test_other_lines_with_labels_are_no_head() -> None:
    event = "<p>Date: 3 May<p>From: ten<p>To: twelve"
    assert left(event + BODY) == ["Date: 3 ", "From: te", "To: twel", "Dear all"]
    # A letter that is quoted below a text is part of it.
    assert (
        len(
            left(
                f"<p>{'Look what came in the mail today, and tell me if you can what on earth it is that they want of us.'}</p>{HEAD}{BODY}"
            )
        )
        == 6
    )
