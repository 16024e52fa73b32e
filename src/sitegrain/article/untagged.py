"""The text of a page that has no tag at all, such as `text/plain` that was saved as a page: its lines say what elsewhere tags say."""

from __future__ import annotations

from itertools import pairwise

from sitegrain.tables.site import Site
from sitegrain.tables.tags import TEXT

_BARE = 4
"""Rows of a page without a tag: those that a parser makes of nothing (html, head, body), and its text."""
LEAST_WIDTH, MOST_WIDTH = 50, 100
"""Signs of the longest line of a text that a program may have broken: mail is at 66 to 78 (RFC 3676), manuals up to 100. Lines of verse and lists are shorter, and
who writes a longer one breaks none."""


def is_untagged(site: Site, page: int) -> bool:
    """Whether a page is nothing but text."""
    rows = site.page_rows(page)
    return rows.stop - rows.start == _BARE and int(site.nodes.tag[rows.stop - 1]) == TEXT


def untagged_text(text: str) -> str:
    """The paragraphs of a text, apart by an empty line. Where a program broke it into lines of one width, each paragraph is one line again.

    A program breaks a line where the next word does not fit. So that is the case if half of the long lines are so full; all others are meant to be
    lines.

    >>> untagged_text("Boil the water, and then wait for as long as you can\\nbear it.\\n\\n\\n  - tea\\n  - cup")
    'Boil the water, and then wait for as long as you can bear it.\\n\\n- tea\\n- cup'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").split("\n")
    widths = [len(line.rstrip()) for line in lines]
    words = [line.split() for line in lines]
    width = max(widths)
    goes_on = [bool(a and b) for a, b in pairwise(words)]
    is_full = [on and n + 1 + len(b[0]) > width for on, n, b in zip(goes_on, widths, words[1:], strict=False)]
    is_long = [on and 2 * n >= width for on, n in zip(goes_on, widths, strict=False)]
    is_broken = LEAST_WIDTH <= width <= MOST_WIDTH and 2 * sum(is_full) >= sum(is_long)
    out: list[str] = []
    for k, found in enumerate(words):
        if found:
            before = ("\n", " ")[is_broken and is_full[k - 1]] if k and goes_on[k - 1] else "\n\n"
            out += [before, " ".join(found)]
    return "".join(out[1:])
