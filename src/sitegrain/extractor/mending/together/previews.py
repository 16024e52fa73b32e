"""Previews of linked pages: the box that a program makes of a link within a text, with the name, the title and the first words of a page of another site."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Ints32
from sitegrain.extractor.blocks import Rows, TextBlocks
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.links import links_of, shown_in
from sitegrain.tables.address import host_of, site_key

LINKED = 0.8
"""Share of a block in links, from which it may be the title of a preview."""
MAX_WORDS, MIN_BLOCKS = 120.0, 2
"""Words of a preview and blocks of it, at least: what is more or less is none."""
PROSE_WORDS = 3.0
"""Words of the first ones of the page that a preview shows, if it is not all one link."""
OF_TEXT, TEXT_WORDS = 0.8, 20.0
"""Share of the text around it that is kept, and words of that: a preview of another site within the text belongs to it, one beside it is an advertisement."""
MOST = 0.5
"""Share of a preview from which all of it is kept, wherever it stands: a post may be nothing else."""
ABOVE = 4
"""Blocks above the first kept one in which a preview may begin: its names and its title stand above its words."""
MAX_STEPS = 12
"""Elements up from a link to the box around its preview."""


def with_previews(evidence: Evidence, kept: Bools, of_template: Bools | None = None) -> Bools:
    """The kept blocks with the boxes in kept text of which all links lead to one page of another site; what is `of_template` (who made the site) is
    beside the text of a short page and no preview.

    A loop over links to other sites that are left out, because addresses are text.
    """
    blocks, words = evidence.blocks, evidence.words
    links, of_comments = evidence.column("link_density"), evidence.column("near_comment") > 0
    # After the first kept block of their page, or right above it (a post that begins with one), so that a page is judged alike whatever stands beside
    # it in a part.
    n_kept_before = prefix_sum(kept)
    bounds = np.array(blocks.page_offset)
    start, stop = bounds[blocks.page], bounds[blocks.page + 1]
    may = ~kept & (links >= LINKED)
    may &= True if of_template is None else ~of_template
    may &= n_kept_before[np.minimum(np.arange(len(kept)) + ABOVE, stop)] > n_kept_before[start]
    if not may.any():
        return kept
    rows = blocks.rows
    row, value = links_of(rows)
    text_row, block = shown_in(blocks, row)
    some = np.searchsorted(row, text_row[may[block]]).tolist()
    n_words, n_kept = prefix_sum(words), prefix_sum(np.where(kept, words, 0.0))
    alike = (value[1:] == value[:-1]) & (rows.page[row[1:]] == rows.page[row[:-1]])
    begin = np.concatenate([[0], np.flatnonzero(~alike) + 1, [len(row)]])
    runs = distinct(np.searchsorted(begin, some, side="right") - 1)
    runs = runs[_lead_elsewhere(rows, rows.page[row[begin[runs]]], value[begin[runs]])]
    out = kept
    for run in runs.tolist():
        first, last = int(begin[run]), int(begin[run + 1]) - 1
        box, own = _box(blocks, row, first, last)
        size, around = n_words[own.stop] - n_words[own.start], int(rows.parent[box])
        if not own.stop - own.start >= MIN_BLOCKS or size > MAX_WORDS or kept[own].all() or around < 0:
            continue
        if (
            of_comments[own].any()
        ):  # all comments on a page may be one pingback; of 102 blocks of previews on labelled sites none is called so
            continue
        if last > first and not ((links[own] < LINKED) & (words[own] >= PROSE_WORDS)).any():
            continue  # a name and "Homepage", side by side
        text = blocks.within(around)
        mine = n_kept[own.stop] - n_kept[own.start]
        beside = n_kept[text.stop] - n_kept[text.start] - mine
        is_in_text = beside >= TEXT_WORDS and beside >= OF_TEXT * (n_words[text.stop] - n_words[text.start] - size)
        if is_in_text or mine >= MOST * size:
            out = kept.copy() if out is kept else out
            out[own] = True
    return out


def _lead_elsewhere(rows: Rows, page: Ints32, value: Ints32) -> Bools:
    """Which of some links of pages lead to another site; each address is read once, since menus have the same on every page."""
    pages, own = np.unique(page, return_inverse=True)
    home = [site_key(host_of(rows.site.pages.url[rows.first_page + at])) for at in pages.tolist()]
    values, which = np.unique(value, return_inverse=True)
    hrefs = (rows.site.strings[at].strip() for at in values.tolist())
    lead_to = [site_key(host_of(href)) if href[:4].lower() == "http" else None for href in hrefs]
    pairs = zip(own.tolist(), which.tolist(), strict=True)
    return np.array([lead_to[k] is not None and lead_to[k] != home[at] for at, k in pairs], bool)


def _box(blocks: TextBlocks, row: Ints32, first: int, last: int) -> tuple[int, slice]:
    """The outermost element that holds these links and no other, of as many blocks as the innermost one that has two; and its blocks."""
    rows, box = blocks.rows, int(row[first])
    before, after = (int(row[first - 1]) if first else -1), (int(row[last + 1]) if last + 1 < len(row) else len(rows))
    own = blocks.within(box)
    for _ in range(MAX_STEPS):
        up = int(rows.parent[box])
        if up <= before or rows.end[up] > after:
            break
        more = blocks.within(up)
        is_whole = rows.end[box] > row[last] and own.stop - own.start >= MIN_BLOCKS
        if is_whole and more != own:
            break
        box, own = up, more
    return box, own
