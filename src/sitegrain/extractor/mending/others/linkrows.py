"""Rows of links above and below the text that many pages of a site have: what turns the pages of a book, in any language."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats32
from sitegrain.extractor.blocks import TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.links import Link, beside_links, links_of_blocks
from sitegrain.extractor.mending.others.labels import MIN_PAGES
from sitegrain.extractor.stages import SITE_NAMES

_PAGES, _SAME = map(SITE_NAMES.index, ("site_pages", "site_same"))
SAME = 0.2
"""Share of the pages that have the row word for word. A book among four, or one of two languages of a manual, has its own. Of some 60 pages of each
labelled site it changes none; it was made for three of 33 unseen manuals, of which it changes 135 pages."""
MIN_LINKS = 2
"""Links of such a row: one alone may be of the text, and on a labelled site whose gold is the whole page it is ("[The Gap Chess Club homepage]")."""
BESIDE, BESIDE_LETTERS = 1, 12
"""Words of such a row that stand in no link, and their letters and digits, as not all scripts part words: the number of the chapter that one
reads, or "next" on the last one. Set beforehand."""


def without_link_rows(evidence: Evidence, of_site: Floats32, kept: Bools) -> Bools:
    """The kept blocks without rows of links that a fifth of the pages have, where no text but headings stands above them, or none below: a list of
    links within the text is of the text. A page that has nothing else keeps them.

    A loop over few lines, because what is beside their links is text.
    """
    again = kept & (of_site[:, _SAME] >= SAME) & (of_site[:, _PAGES] >= np.log1p(MIN_PAGES) - 1e-4)
    again &= evidence.column("link_density") > 0
    if not again.any():
        return kept
    blocks = evidence.blocks
    rows = [block for block, links in links_of_blocks(blocks, again).items() if _is_row(blocks, block, links)]
    if not rows:
        return kept
    is_row = np.zeros(len(kept), bool)
    is_row[rows] = True
    text = np.flatnonzero(kept & ~is_row & (evidence.column("in_heading") <= 0))
    row = np.array(rows)
    first, last = (np.searchsorted(blocks.page[text], blocks.page[row], side) for side in ("left", "right"))
    row, first, last = (values[first < last] for values in (row, first, last))  # of pages that have text
    return without(kept, row[(row < text[first]) | (row > text[last - 1])].tolist())


def _is_row(blocks: TextBlocks, block: int, links: list[Link]) -> bool:
    """Whether next to nothing is beside these links in their block."""
    if len(links) < MIN_LINKS:
        return False
    rest = beside_links(blocks, block, (link.row for link in links))
    words = [word for text in rest for word in text.split() if any(map(str.isalnum, word))]
    return len(words) <= BESIDE and sum(map(len, words)) <= BESIDE_LETTERS
