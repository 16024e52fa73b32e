"""What a page is about, and its longest run of prose.

A page says what it is about in its title, its description and its first heading. A block that shares words with them
belongs to the page, a teaser of another article does not; words that stand in many blocks say nothing, in any language.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.native.columns import NUMBERS
from sitegrain.native.reference.blocks.blocks import ratio
from sitegrain.native.reference.blocks.lexicon import words_of_text

_COMMON_WORD, _RUN_COST = NUMBERS["COMMON_WORD"], NUMBERS["RUN_COST"]


class Topic(NamedTuple):
    """Per block: how many of its first words are not common on its page, and how many of those the page is about."""

    rare: Ints64
    hits: Ints64


def topics(
    texts: list[str],
    page: npt.NDArray[np.int32],
    about: tuple[str, ...],
    first_h1: Ints64,
    is_sentence: npt.NDArray[np.bool_],
    char_kinds: npt.NDArray[np.uint8],
) -> Topic:
    """What blocks share with what their page is about: a loop over words, because they are text."""
    words = [set(words_of_text(text, char_kinds)) for text in texts]
    rare, hits = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
    for p in np.unique(page).tolist():
        mine = np.flatnonzero(page == p).tolist()
        topic = {w for text in about[2 * p : 2 * p + 2] for w in words_of_text(text, char_kinds)}
        if first_h1[p] >= 0:
            topic |= words[first_h1[p]]
        times: dict[int, int] = {}
        for b in mine:
            for w in words[b]:
                times[w] = times.get(w, 0) + 1
        common = _COMMON_WORD + int(is_sentence[mine].sum()) // 4
        for b in mine:
            own = {w for w in words[b] if times[w] <= common}
            rare[b], hits[b] = len(own), len(own & topic)
    return Topic(rare, hits)


def share(hits: npt.NDArray[np.integer], rare: npt.NDArray[np.integer]) -> Floats:
    """Hits by rare words; NaN where there are none."""
    return np.asarray(np.divide(hits, rare, out=np.full(np.shape(hits), np.nan), where=rare > 0))


def copies(texts: Ints64, page: npt.NDArray[np.int32]) -> tuple[Ints64, Ints64]:
    """Per block: the blocks before it on its page with the same text, and those after."""
    before = np.zeros(len(texts), np.int64)
    times: dict[tuple[int, int], int] = {}
    keys = list(zip(page.tolist(), texts.tolist(), strict=True))
    for b, key in enumerate(keys):
        before[b] = times.get(key, 0)
        times[key] = int(before[b]) + 1
    return before, np.array([times[key] for key in keys], np.int64) - 1 - before


def run_columns(words: Floats, is_sentence: npt.NDArray[np.bool_], page: npt.NDArray[np.int32]) -> Floats:
    """[n x 3]: where a block stands to its page's longest run of prose (-1 before, 1 in, 0 after), the share of the page's
    prose that the run has, and how many blocks away it is.

    The run has the most words of prose, where each other block costs its words and some more: a loop, because a sum
    begins anew where it falls to nothing.
    """
    out = np.zeros((len(page), 3))
    value = np.where(is_sentence, words, -_RUN_COST - words)
    prose = prefix_sum(words * is_sentence)
    for p in np.unique(page).tolist():
        mine = np.flatnonzero(page == p)
        begin = start = end = first = int(mine[0])
        total = best = 0.0
        for b in mine.tolist():
            if total <= 0:
                total, first = 0.0, b
            total += value[b]
            if total > best:
                best, start, end = total, first, b + 1
        out[mine, 0] = np.where(mine < start, -1, np.where(mine >= end, 0, 1))
        out[mine, 1] = ratio(prose[[end]] - prose[[start]], prose[[mine[-1] + 1]] - prose[[begin]])
        out[mine, 2] = np.where(
            mine < start, -np.log1p(np.maximum(start - mine, 0)), np.log1p(np.maximum(mine - end + 1, 0))
        )
    return out
