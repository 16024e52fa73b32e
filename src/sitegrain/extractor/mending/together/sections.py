"""A heading and what stands under it are kept together, or neither is: a heading over nothing says nothing."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.anchors import are_anchors
from sitegrain.tables.tags import HEADINGS, tag_mask

_IS_HEADING = tag_mask(HEADINGS)
SURE = 0.5
"""Score of a heading from which its section is kept with it; below, the heading goes with its section. Of 38 such headings of labelled sites
that are gold the least has 0.52, out of fold; of five that are not, four have less."""
LEAST_SCORE = 0.1
"""Mean score of such a section, by words. Comments and notes of the template under the last heading of a text have 0.00 to 0.06, others 0.14 and more."""
MIN_WORDS, MAX_WORDS = 4.0, 40.0
"""Words of such a section: a longer one that is left out was judged by itself, and a shorter one may be a tag ("Type: Book"), of which a labelled
site has eight. Those of labelled sites have 1 to 35."""
OFTEN = 0.3
"""Share of the pages that have a heading from which it goes with the section that a step left out ("Related articles"). Of 30 articles each of 66 sites,
out of fold, one such heading is kept, and is no gold; 0.5 finds the same."""
LINKED = 0.5
"""Share of such a section in links from which it goes with its heading, too: of 40 articles each of those sites five pages of one change, all for the
better. Set beforehand."""


def with_sections(evidence: Evidence, score: Floats, left_out: Bools, same: Floats32, kept: Bools) -> Bools:
    """The kept blocks with the sections of sure headings of which nothing is kept, and without unsure headings of such sections. What is
    `left_out` by a step, or for what other pages say, stays out, and a sure heading above it as it is, unless many pages have that, too: `same` is
    the share of the pages with the same text. Above a list of links such a heading goes whatever left the list out.

    A section is what follows the heading in its own element up to the next heading; a link to the heading itself is none. A loop over kept headings with
    nothing kept right below, which are few.
    """
    blocks, rows = evidence.blocks, evidence.blocks.rows
    is_heading = evidence.column("in_heading") > 0
    page = blocks.page
    alone = np.flatnonzero(kept[:-1] & is_heading[:-1] & ~kept[1:] & ~is_heading[1:] & (page[1:] == page[:-1]))
    out = kept
    if len(alone):
        alone = alone[~are_anchors(blocks, alone + 1)]
    for block in alone.tolist():
        row = int(blocks.box[block])
        while row >= 0 and not _IS_HEADING[rows.tag[row]]:
            row = int(rows.parent[row])
        if row < 0:
            continue
        last = int(blocks.before[rows.end[rows.parent[row]]])
        if (following := np.flatnonzero(is_heading[block + 1 : last])).size:
            last = block + 1 + int(following[0])
        section = slice(block + 1, last)
        if last <= block + 1 or kept[section].any():
            continue
        is_sure = score[block] >= SURE
        if is_sure:
            words = evidence.words[section]
            size = float(words.sum())
            is_text = MIN_WORDS <= size <= MAX_WORDS and float(score[section] @ words) >= LEAST_SCORE * size
            is_list = float(evidence.column("link_density")[section] @ words) >= LINKED * size
            if same[block] >= OFTEN and (left_out[section].any() or is_list):
                is_sure = False
            elif not is_text or left_out[section].any():
                continue
        out = kept.copy() if out is kept else out
        out[block : last if is_sure else block + 1] = is_sure
    return out
