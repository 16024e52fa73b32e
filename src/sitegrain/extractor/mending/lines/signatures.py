"""What a board adds to posts: the signature of who wrote them, and a table of the files that are attached."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.extractor.mending.together.posts import threads
from sitegrain.light import late_pattern
from sitegrain.tables.elements import is_named
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE

_CLASS, _ID, _TABLE, _TR = ATTRIBUTES.index("class"), ATTRIBUTES.index("id"), TAG_CODE["table"], TAG_CODE["tr"]
SURE = 0.7
"""Score from which a text stays, whatever it is called."""
TIMES = 2
"""Signatures of a page, at least: a letter has one, under its text."""
_SIGNATURE = late_pattern(
    r"(?:^|\s)(?:(?:post|message|user|bbp)?[-_]?signature(?:[-_]?content)?|sigcontent|sig_?\d+)(?:$|\s)", re.IGNORECASE
)
"""What programs of boards call a signature; documentation calls that of a function so, too, which is told by the votes."""
OF_PAGE = 0.3
"""Share of the kept words of a page that its attached files may be: a page with more is about them."""
_SIZE = re.compile(r"\(?\d+(?:[.,]\d+)?\s?(?:bytes|[kmg]i?[bo])\)?", re.IGNORECASE)
_FILE = re.compile(r"[\w.()~ -]*\w\.\w{2,5}")


def without_signatures(
    evidence: Evidence, score: Floats, votes: Callable[[], Floats], kept: Bools, is_alone: bool = True
) -> Bools:
    """The kept blocks without those in elements that are called signatures, if a page has two or more, they are not sure, and it may be a thread;
    `votes` gives [types x pages], and is asked only where there are some. A site that is known left out most of them itself, and so those that
    are left out count there, too."""
    doubtful = np.flatnonzero(kept & (score < SURE) if is_alone else score < SURE)
    if len(doubtful) < TIMES or not kept[doubtful].any():
        return kept
    blocks, rows = evidence.blocks, evidence.blocks.rows
    box = blocks.box[doubtful]
    around = np.stack([box, rows.parent[box]])
    row, value = rows.named(_CLASS, _ID)
    is_near = np.zeros(len(rows) + 1, bool)  # one more for no parent, -1
    is_near[around] = True
    mine = is_near[row]
    row, value = row[mine], value[mine]
    such = [v for v in set(value.tolist()) if is_named(_SIGNATURE, rows.site.strings[v])]
    if not such:
        return kept
    found = doubtful[np.isin(around, row[np.isin(value, such)]).any(axis=0)]
    n = np.bincount(blocks.page[found], minlength=evidence.geometry.n_pages)
    is_thread = n >= TIMES
    if is_thread.any():
        is_thread &= threads(votes())
    return without(kept, found[is_thread[blocks.page[found]] & kept[found]].tolist())


def without_attached(evidence: Evidence, kept: Bools) -> Bools:
    """The kept blocks without tables all of whose rows, the first apart, name a file in a link and tell its size.

    A loop over the tables of which something is kept, because sizes are text.
    """
    blocks, rows, words = evidence.blocks, evidence.blocks.rows, evidence.words
    tables = spans_of(blocks, np.flatnonzero(rows.tag == _TABLE))
    if not len(tables.row):
        return kept
    tables = tables.only(tables.total(kept) > 0)
    of_page = np.bincount(blocks.page, np.where(kept, words, 0.0), evidence.geometry.n_pages)
    tables = tables.only(tables.total(words) <= OF_PAGE * of_page[blocks.page[tables.first]])
    if not len(tables.row):
        return kept
    links, n_rows = evidence.column("link_density"), prefix_sum(rows.tag == _TR)
    out = kept
    for row, first, last in zip(tables.row.tolist(), tables.first.tolist(), tables.last.tolist(), strict=True):
        texts = [blocks.text(k) for k in range(first, last)]
        n_sizes = sum(_SIZE.fullmatch(text) is not None for text in texts)
        n_files = sum(links[first + k] > 0 and _FILE.fullmatch(text) is not None for k, text in enumerate(texts))
        if n_sizes and n_sizes == n_files and n_sizes >= n_rows[rows.end[row]] - n_rows[row] - 1:
            out = kept.copy() if out is kept else out
            out[first:last] = False
    return out
