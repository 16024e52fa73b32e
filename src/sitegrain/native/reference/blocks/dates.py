"""Elements with dates that are alike, below the text of a page."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Ints32, Ints64
from sitegrain.native.columns import EVIDENCE, TAGS
from sitegrain.native.inputs import DATE, DateRules, JudgedPages

_IN_HEADING = EVIDENCE.names.index("in_heading")
Bools = npt.NDArray[np.bool_]
Found = list[tuple[int, int, int, int, float, bool]]


def have_dates(text: str, start: Ints32, end: Ints32) -> bytes:
    """`sitegrain.native.have_dates`."""
    if len(start) != len(end) or not ((start >= 0) & (start <= end) & (end <= len(text))).all():
        raise ValueError("stretches of the text do not fit")
    spans = zip(start.tolist(), end.tolist(), strict=True)
    return bytes(DATE.search(text[a:z]) is not None for a, z in spans)


def dated_units(of: JudgedPages, score: Floats, kept: Bools, rules: DateRules) -> Found:
    """`sitegrain.native.dated_units`."""
    blocks, words = of.blocks, of.words
    if len({len(blocks.page), len(words), len(score), len(kept), len(of.x)}) > 1:
        raise ValueError("columns of blocks do not fit")
    own = np.where(kept & (words >= rules.prose_words), words, 0.0)
    before, scored_before = prefix_sum(own), prefix_sum(own * score)
    out: Found = []
    for page in sorted(set(blocks.page.tolist())):
        begin, end = np.searchsorted(blocks.page, (page, page + 1)).tolist()
        told = int(np.searchsorted(np.cumsum(own[begin:end]), rules.before_words)) + 1
        if told > end - begin:
            continue
        stop = int(np.flatnonzero(own[begin:end])[-1]) + 1 + rules.blocks_after
        for units in _units(of, begin + told, min(begin + stop, end), rules):
            first, last, n, has_headings = units
            size = np.where(kept[first:last], words[first:last], 0.0)
            of_text, of_units = before[first] - before[begin], size.sum()
            if of_text < rules.before_words or of_units <= 0:
                continue
            scored = float(np.cumsum(score[first:last] * size)[-1] / of_units)  # one after the other, as in C
            if scored <= (scored_before[first] - scored_before[begin]) / of_text - rules.below:
                out.append((page, first, last, n, scored, has_headings))
    return out


def _units(of: JudgedPages, begin: int, end: int, rules: DateRules) -> list[tuple[int, int, int, bool]]:
    """The elements of a page, from block `begin` to before `end`, that are alike and have a date each."""
    rows, blocks, words, mine = of.rows, of.blocks, of.words[begin:end], slice(begin, end)
    found = np.frombuffer(have_dates(of.text, blocks.text_start[mine], blocks.text_end[mine]), np.bool_)
    dates = found & (words <= rules.line_words)
    if dates.sum() < rules.least:
        return []
    low, high = int(blocks.last[begin - 1]) + 1, int(blocks.first[end - 1])  # what stands before is not theirs
    tag = rows.tag[low:high]
    row = low + np.flatnonzero((tag != 0) & (np.frombuffer(rules.no_unit, np.uint8)[tag] == 0))
    first, last = np.searchsorted(blocks.first[mine], (row, rows.end[row]))
    n_dates, prose = _under(dates, first, last), _under(np.where(dates, 0.0, words), first, last)
    is_unit = (n_dates > 0) & (prose >= rules.prose_words)
    key = rows.parent[row].astype(np.int64) * len(TAGS) + rows.tag[row]
    whole, headings = prefix_sum(words), prefix_sum(of.x[mine, _IN_HEADING] > 0)
    out = []
    for its_key in dict.fromkeys(key[is_unit].tolist()):
        units = np.flatnonzero(is_unit & (key == its_key))
        n, n_alike = len(units), int(((key == its_key) & (prose >= rules.like_words)).sum())
        if n < rules.least or sorted(n_dates[units].tolist())[n // 2] > rules.most_dates or n < rules.of_like * n_alike:
            continue
        a, z = int(first[units[0]]), int(last[units[-1]])
        if (whole[last[units]] - whole[first[units]]).sum() >= rules.of_text * (whole[z] - whole[a]):
            n_with = (headings[last[units]] > headings[first[units]]).sum()
            out.append((begin + a, begin + z, n, bool(n_with > rules.with_heading * n)))
    return out


def _under(values: Floats | Bools, first: Ints64, last: Ints64) -> Floats:
    """Sums of a value of blocks over ranges of them."""
    total = prefix_sum(values)
    return np.asarray(total[last] - total[first], np.float64)
