"""What is there to mend after the decision: each step's own condition, asked of one element after the other."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats
from sitegrain.native.columns import EVIDENCE, TAGS, bits_of
from sitegrain.native.inputs import JudgedPages, MendRules

_OPTIONS, _ARTICLES, _SUBLISTS, _REMNANTS, _ANNOUNCED, _HEADINGS, _POSTS, _ADDRESSES = bits_of("MENDS")
_CHOICES, _LISTS, _HEADING_TAGS = ("select", "datalist", "option"), ("ul", "ol", "dl"), ("h2", "h3", "h4", "h5", "h6")
_H1 = TAGS.index("h1")
_LOOKED_AT = [TAGS.index(tag) for tag in (*_CHOICES, *_LISTS, *_HEADING_TAGS)]
_IN_HEADING, _LINKS = (EVIDENCE.names.index(n) for n in ("in_heading", "link_density"))


def to_mend(of: JudgedPages, score: Floats, kept: npt.NDArray[np.bool_], rules: MendRules) -> int:
    """Bits of the steps that have something to look at."""
    rows, first, n = of.rows, of.blocks.first, len(kept)
    size = of.words + 1
    is_heading, links = of.x[:, _IN_HEADING] > 0, of.x[:, _LINKS]
    found = 0
    headings = Counter(rows.page[rows.tag == _H1].tolist())
    if any(times > 1 for times in headings.values()):
        found |= _ARTICLES
    for i in np.flatnonzero(np.isin(rows.tag, _LOOKED_AT)).tolist():
        tag = TAGS[rows.tag[i]]
        begin, after = np.searchsorted(first, (i, rows.end[i])).tolist()
        own = slice(begin, after)
        if begin == after:
            continue
        above, before = int(rows.parent[i]), begin - 1
        if tag in _CHOICES and kept[own].any():
            found |= _OPTIONS
        if tag in _LISTS:
            item = int(np.searchsorted(first, above))  # the first text of what the list stands in
            if above >= 0 and TAGS[rows.tag[above]] == "li" and item < begin and kept[item] and not kept[own].all():
                found |= _SUBLISTS
            mine, total = size[own][kept[own]].sum(), size[own].sum()
            if after - begin >= rules.min_blocks and 0 < mine <= rules.little * total:
                found |= _REMNANTS
            if (
                before >= 0
                and kept[before]
                and not kept[own].all()
                and above <= first[before]
                and not is_heading[before]
            ):
                line = of.text[of.blocks.text_start[before] : of.blocks.text_end[before]].rstrip()
                if of.words[before] >= rules.lead_words and line.endswith((":", "：")):
                    found |= _ANNOUNCED
        if tag in _HEADING_TAGS and after - begin == 1 and before >= 0 and after < n and above >= 0:
            is_between = kept[before] and not kept[begin] and kept[after] and not is_heading[after]
            is_within = above <= first[before] and first[after] < rows.end[above]
            if is_between and is_within and score[begin] >= rules.heading_score and links[begin] < rules.heading_links:
                found |= _HEADINGS
    spans = zip(of.blocks.text_start.tolist(), of.blocks.text_end.tolist(), strict=True)
    lines = [of.text[start:end] for start, end in spans]
    if any(kept[k] and of.words[k] <= rules.line_words and "://" in lines[k] for k in range(n)):
        found |= _ADDRESSES
    alike: dict[int, list[int]] = defaultdict(list)
    for k, group in enumerate(of.alike[1].tolist()):
        alike[group].append(k)
    for them in alike.values():
        mine, total = size[them][kept[them]].sum(), size[them].sum()
        if len(them) >= rules.min_posts and mine >= rules.most * total and total >= (rules.mean_words + 1) * len(them):
            for k in them:
                is_such = (
                    score[k] >= rules.post_score and of.words[k] >= rules.post_words and links[k] < rules.post_links
                )
                if is_such and not kept[k]:
                    found |= _POSTS
    return found
