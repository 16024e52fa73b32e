"""Learn what words weigh: over domains, and never from the page that they are to judge.

The weight of a word is the log odds of the mean, over the groups (domains, sites) that have it, of the mean label of
the blocks that have it, drawn to the mean of all words as if `PRIOR_GROUPS` more groups had it with that mean. A page
that trees are trained on sees its words weighed without its own group; so the trees learn how far to trust a
weight on a page of an unknown group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32, Ints64
from sitegrain.extractor.lexicon import LEXICAL_NAMES, Lexicon, WordWeights
from sitegrain.native.reference.blocks.lexicon import spread, text_columns
from sitegrain.training.borders import BORDER
from sitegrain.training.examples import BlockWords, PageExample

PRIOR_GROUPS, MIN_GROUPS = 3.0, 5
"""Usual shrinkage; not tuned."""
_NEAR = 2
"""A name counts for the blocks that have it in the first two groups of levels: further up it is on the whole page."""


@dataclass(frozen=True)
class WordUse:
    """How the groups of a corpus use words of one kind."""

    key: npt.NDArray[np.uint32]
    """Words that enough groups have, ascending."""
    group: Ints64
    """Of each use: the group; with `word` and `mean` the mean label of the blocks of that group that have the word."""
    word: Ints64
    mean: Floats
    places: dict[str, Ints64]
    """Per page: the place in `key` of each of its words, -1 for a rare one."""
    own: dict[str, Floats]
    """Per page: the mean label that its own group has for each of its words, NaN for none."""

    def counted(self, groups: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Per word, over some groups: the sum of means, and the number of groups."""
        mine = groups[self.group]
        n = len(self.key)
        total = np.asarray(np.bincount(self.word[mine], self.mean[mine], n), np.float64)
        return total, np.bincount(self.word[mine], minlength=n).astype(np.float64)


def _odds(total: Floats, count: Floats, prior: float) -> Floats32:
    p = (total + PRIOR_GROUPS * prior) / (count + PRIOR_GROUPS)
    weight = np.log(p / (1 - p))
    # As saved: float16.
    return np.where(count >= MIN_GROUPS, weight, np.nan).astype(np.float16).astype(np.float32)


def word_use(examples: Sequence[PageExample], number: dict[str, int], is_name: bool) -> WordUse:
    """Count how groups use words. Border blocks do not count."""
    found: list[tuple[int, Ints64, Floats]] = []
    every: list[npt.NDArray[np.uint32]] = []
    by_group: dict[str, list[PageExample]] = {}
    for e in examples:
        # Of a page with snippets, half of what is known is content: its words would all seem to be.
        if e.is_learned and not e.is_partial:
            by_group.setdefault(e.group, []).append(e)
    for group, pages in by_group.items():
        parts = []
        for e in pages:
            used, block = _uses(e.block_words, is_name)
            known = np.full(len(used), True) if e.trust is None else e.trust[block] > BORDER
            parts.append((used[known], e.label[block[known]]))
        hashes, labels = (np.concatenate([p[k] for p in parts]) for k in (0, 1))
        different, inverse = np.unique(hashes, return_inverse=True)
        mean = np.bincount(inverse, labels, len(different)) / np.maximum(np.bincount(inverse), 1)
        found.append((number[group], different.astype(np.int64), np.clip(mean, 0, 1)))
        every.append(different)
    key, count = np.unique(np.concatenate(every), return_counts=True)
    key = key[(count >= MIN_GROUPS) & (key > 0)]
    place_of = _Places(key)
    group_column, word_column, mean_column = [], [], []
    own_of: dict[int, tuple[Ints64, Floats]] = {}
    for g, different, mean in found:
        at = place_of(different.astype(np.uint32))
        kept = at >= 0
        own_of[g] = (at[kept], mean[kept])
        group_column.append(np.full(int(kept.sum()), g))
        word_column.append(at[kept])
        mean_column.append(mean[kept])
    places, own = {}, {}
    for e in examples:
        words = e.block_words
        at = place_of(words.name_hashes if is_name else words.text_hashes)
        places[e.name] = at
        mine, mean = own_of.get(number[e.group], (np.zeros(0, np.int64), np.zeros(0)))
        near = np.minimum(np.searchsorted(mine, at), max(len(mine) - 1, 0))
        own[e.name] = np.where(mine[near] == at, mean[near], np.nan) if len(mine) else np.full(len(at), np.nan)
    return WordUse(
        key, np.concatenate(group_column), np.concatenate(word_column), np.concatenate(mean_column), places, own
    )


class _Places:
    """Finds words in a sorted list."""

    def __init__(self, key: npt.NDArray[np.uint32]) -> None:
        self.key = key

    def __call__(self, hashes: npt.NDArray[np.uint32]) -> Ints64:
        at = np.minimum(np.searchsorted(self.key, hashes), max(len(self.key) - 1, 0))
        return np.where(self.key[at] == hashes, at, -1) if len(self.key) else np.full(len(hashes), -1)


def _uses(words: BlockWords, is_name: bool) -> tuple[npt.NDArray[np.uint32], Ints64]:
    """(word, block) for every word that a block has."""
    if not is_name:
        return words.text_hashes, np.repeat(np.arange(len(words.text_offset) - 1), np.diff(words.text_offset))
    parts = [
        (words.name_hashes[at], np.repeat(np.arange(len(offset) - 1), np.diff(offset)))
        for at, offset in words.levels[:_NEAR]
    ]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


@dataclass(frozen=True)
class WordCorpus:
    """The words of all examples."""

    number: dict[str, int]
    """Of each group."""
    text: WordUse
    names: WordUse
    since_heading: int
    """Column of the page features."""

    @classmethod
    def of(cls, names: Sequence[str], examples: Sequence[PageExample]) -> WordCorpus:
        number = {g: i for i, g in enumerate(sorted({e.group for e in examples}))}
        text, name = (word_use(examples, number, is_name) for is_name in (False, True))
        return cls(number, text, name, names.index("since_heading"))

    def learn(self, groups: Iterable[str]) -> Learned:
        """What some groups teach."""
        chosen = np.zeros(len(self.number), bool)
        chosen[[self.number[g] for g in groups]] = True
        return Learned(self, chosen)


class Learned:
    """What words weigh by some groups of a corpus."""

    def __init__(self, words: WordCorpus, groups: npt.NDArray[np.bool_]) -> None:
        self.words = words
        self.groups = groups
        self.counts = {kind: getattr(words, kind).counted(groups) for kind in ("text", "names")}
        self.prior = {kind: float(c.sum() / max(n.sum(), 1)) for kind, (c, n) in self.counts.items()}

    def lexicon(self) -> Lexicon:
        """To be saved with the trees."""
        parts = {}
        for kind, (total, count) in self.counts.items():
            use: WordUse = getattr(self.words, kind)
            weight = _odds(total, count, self.prior[kind])
            known = ~np.isnan(weight)
            parts[kind] = WordWeights(use.key[known], weight[known])
        return Lexicon(**parts)

    def _weights(self, kind: str, e: PageExample, without_own: bool) -> Floats32:
        use: WordUse = getattr(self.words, kind)
        total, count = self.counts[kind]
        at = use.places[e.name]
        if not len(use.key):
            return np.full(len(at), np.nan, np.float32)
        t, n = total[at], count[at]
        if without_own and self.groups[self.words.number[e.group]]:
            own = use.own[e.name]
            has = ~np.isnan(own)
            t, n = np.where(has, t - own, t), n - has
        return np.where(at >= 0, _odds(np.maximum(t, 0), n, self.prior[kind]), np.float32(np.nan))

    def columns(self, e: PageExample, without_own: bool = False) -> Floats32:
        """`lexical_columns` of an example; `without_own` weighs without the example's group."""
        words, page = e.block_words, np.zeros(len(e.words), np.int32)
        own = spread(self._weights("text", e, without_own), words.text_offset)
        weight = self._weights("names", e, without_own)
        parts = [spread(weight[at], offset) for at, offset in words.levels]
        out = np.concatenate([text_columns(own, e.x[:, self.words.since_heading], page), *parts], axis=1)
        assert out.shape[1] == len(LEXICAL_NAMES)
        return out
