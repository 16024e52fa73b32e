"""Every measure used here, each a small pure function.

Text measures take two texts; block and node measures take boolean arrays; ranking measures take a ranked
list of labels. What a paper prints as an example is a test of the function that carries its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools, Floats
from sitegrain.native.scripts import SCORED_SIGNS, char_class

_SOFT_HYPHEN = "\xad"
_WORD = re.compile(r"\w+")
_CJK = char_class(SCORED_SIGNS)
_TOKEN = re.compile(rf"(?P<cjk>[{_CJK}]+)|[^\W{_CJK}]+")


class PRF(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def harmonic(precision: float, recall: float) -> float:
    """The F measure of a precision and a recall; 0 when both are 0.

    >>> round(harmonic(0.811, 0.99), 2)  # Debnath et al., table 2, ABC, LH
    0.89
    """
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def prf(matched: float, only_found: float, only_true: float) -> PRF:
    """Precision, recall and F of counts.

    Nothing found and nothing to find is a perfect answer; nothing on one side only is a zero.

    >>> prf(3, 0, 3)
    PRF(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    found, true = matched + only_found, matched + only_true
    if found == 0 and true == 0:
        return PRF(1.0, 1.0, 1.0)
    precision = matched / found if found else 0.0
    recall = matched / true if true else 0.0
    return PRF(precision, recall, harmonic(precision, recall))


def bag_prf(found: Iterable[object], true: Iterable[object]) -> PRF:
    """Precision, recall and F of two bags: an item counts as often as both hold it.

    >>> bag_prf("aab", "abc").f1
    0.6666666666666666
    """
    a, b = Counter(found), Counter(true)
    matched = (a & b).total()
    return prf(matched, a.total() - matched, b.total() - matched)


# Texts


def words(text: str) -> list[str]:
    r"""The words that the WCXB benchmark counts: `\w+` of the lower-cased text. A soft hyphen, which golds keep as pages have it, is no end
    of a word: that would cost whoever takes it out.

    >>> words("Problem, un\xadproblematic")
    ['problem', 'unproblematic']
    """
    return _WORD.findall(text.replace(_SOFT_HYPHEN, "").lower())


def word_prf(found: str, true: str) -> PRF:
    """Word-level scores of one page as the WCXB benchmark defines them: bags of words.

    >>> word_prf("The cat sat.", "the cat").f1
    0.8
    """
    return bag_prf(words(found), words(true))


def tokens(text: str) -> list[str]:
    """Words of the NFKC lower-cased text; Chinese, Japanese and Korean runs give character bigrams.

    A run of one such character is itself a token, so no text is without weight.

    >>> tokens("Ｔhe 自然言語 x")
    ['the', '自然', '然言', '言語', 'x']
    """
    out: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text.replace(_SOFT_HYPHEN, "")).lower()):
        run = match.group()
        if match.lastgroup == "cjk" and len(run) > 1:
            out.extend(a + b for a, b in pairwise(run))
        else:
            out.append(run)
    return out


def token_prf(found: str, true: str) -> PRF:
    """Scores of one article of a labelled site: bags of `tokens`."""
    return bag_prf(tokens(found), tokens(true))


@dataclass(frozen=True)
class ShingleCounts:
    """Shares of the shingles of two texts that match, are found only, are true only."""

    tp: float
    fp: float
    fn: float


def shingle_counts(found: str, true: str, n: int = 4) -> ShingleCounts:
    r"""Match two texts by runs of n words (`\w+`, case kept), scaled so that long texts weigh no more.

    This is the unit of the ScrapingHub article benchmark (4-word shingles, as bags).
    A text shorter than n words is one shingle.
    """
    a, b = Counter(_shingles(found, n)), Counter(_shingles(true, n))
    tp = (a & b).total()
    fp, fn = a.total() - tp, b.total() - tp
    total = tp + fp + fn
    return ShingleCounts(tp / total, fp / total, fn / total) if total else ShingleCounts(0.0, 0.0, 0.0)


def _shingles(text: str, n: int) -> Iterator[tuple[str, ...]]:
    if n < 1:
        raise ValueError(f"a shingle has at least one word, not {n}")
    unit = _WORD.findall(text)
    if unit:
        for i in range(max(1, len(unit) - n + 1)):
            yield tuple(unit[i : i + n])


def shingle_prf(pages: Iterable[ShingleCounts]) -> PRF:
    """The ScrapingHub scores of a page set: F of the mean precision and the mean recall.

    Pages where nothing was found do not count for precision, pages with nothing to find not for recall.
    """
    rows = list(pages)
    precision = [c.tp / (c.tp + c.fp) for c in rows if c.tp + c.fp > 0]
    recall = [c.tp / (c.tp + c.fn) for c in rows if c.tp + c.fn > 0]
    p = sum(precision) / len(precision) if precision else 0.0
    r = sum(recall) / len(recall) if recall else 0.0
    return PRF(p, r, harmonic(p, r))


def snippet_rate(text: str, snippets: Sequence[str]) -> float | None:
    """Share of the snippets that the text holds, case and white space aside; None without snippets.

    High is good for a truth's `with` list and bad for its `without` list.

    >>> snippet_rate("To be or\\n not", ["or not", "Question"])
    0.5
    """
    wanted = [s for s in (_fold(s) for s in snippets) if s]
    if not wanted:
        return None
    whole = _fold(text)
    return sum(s in whole for s in wanted) / len(wanted)


def snippet_prf(text: str, wanted: Sequence[str], unwanted: Sequence[str]) -> PRF:
    """Scores of a text by snippets: recall is the share of the wanted ones that it holds, precision the share of the wanted
    ones among all that it holds.

    >>> snippet_prf("To be or not", ["or not", "Question"], ["Sign in"])
    PRF(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    whole = _fold(text)
    found, wrong = (sum(s in whole for s in map(_fold, snippets) if s) for snippets in (wanted, unwanted))
    return prf(found, wrong, sum(bool(_fold(s)) for s in wanted) - found)


def _fold(text: str) -> str:
    return " ".join(text.lower().split())


# Terms, blocks and nodes


def term_prf(found: Collection[object], true: Collection[object]) -> PRF:
    """Term recall and precision of InfoDiscoverer: distinct terms of the kept blocks against the gold's.

    >>> term_prf({"a", "b", "c"}, {"b", "c", "d"}).recall
    0.6666666666666666
    """
    a, b = set(found), set(true)
    return prf(len(a & b), len(a - b), len(b - a))


def block_prf(found: Bools, true: Bools) -> PRF:
    """b-precision, b-recall and b-F of Debnath et al.: blocks counted, one row each."""
    return coverage_prf(found, true)


def block_gold(
    node_block: npt.NDArray[np.int32], node_gold: Bools, node_weight: Floats, n_blocks: int, share: float = 0.5
) -> Bools:
    """Which blocks are primary content: those with more than `share` of their text inside the gold.

    The papers' judges labelled whole blocks by eye; half of the text is the neutral reading of that.
    """
    inside = node_block >= 0
    total = np.bincount(node_block[inside], node_weight[inside], minlength=n_blocks)
    gold = np.bincount(node_block[inside], (node_weight * node_gold)[inside], minlength=n_blocks)
    return np.asarray(gold > share * total)


def coverage_prf(found: Bools, true: Bools, weight: Floats | None = None) -> PRF:
    """Weighted precision, recall and F of two row sets (AW, WO, AO of WISDOM's table 3)."""
    w = np.ones(len(found)) if weight is None else weight
    return prf(float(w[found & true].sum()), float(w[found & ~true].sum()), float(w[true & ~found].sum()))


def snc(found: Bools, true: Bools, is_anchor: Bools) -> PRF:
    """Significant node coverage (WISDOM, TOC blocks): matched anchors."""
    return coverage_prf(found, true, is_anchor.astype(np.float64))


def ic(found: Bools, true: Bools, length: Floats) -> PRF:
    """Information coverage (WISDOM, article blocks): matched text length."""
    return coverage_prf(found, true, length)


def storage_saved(total: float, stored: float) -> float:
    """Share of the storage that is saved when `stored` of `total` bytes are kept.

    >>> storage_saved(200, 50)
    0.75
    """
    return 1.0 - stored / total if total > 0 else 0.0


# Rankings


def r_precision(ranked: Sequence[bool] | Bools) -> float:
    """Precision at R, R = the number of relevant items (the point where precision equals recall).

    >>> r_precision([True, False, True, True])
    0.6666666666666666
    """
    hits = np.asarray(ranked, np.bool_)
    return precision_at(hits, int(hits.sum()))


def precision_at(ranked: Sequence[bool] | Bools, k: int = 20) -> float:
    """Precision of the first k; with fewer than k items, of all of them; 0 when there are none."""
    hits = np.asarray(ranked, np.bool_)[:k]
    return float(hits.mean()) if len(hits) else 0.0


def precision_at_recall(ranked: Sequence[bool] | Bools) -> Floats:
    """Interpolated precision at recall 0, 0.1, ..., 1: the best precision at that recall or any higher."""
    hits = np.asarray(ranked, np.bool_)
    relevant = int(hits.sum())
    if relevant == 0:
        return np.zeros(11)
    seen = np.cumsum(hits)
    best_after = np.maximum.accumulate((seen / np.arange(1, len(hits) + 1))[::-1])[::-1]
    # Whole numbers, since recall 0.3 of 10 items must be 3 items whatever 0.3 rounds to.
    need = -(-np.arange(11) * relevant // 10)
    return np.asarray(best_after[np.searchsorted(seen, np.maximum(need, 1))], np.float64)


def rank_labels(score: Floats, is_relevant: Bools) -> Bools:
    """Labels in the order of falling score; among equal scores the order of rows stands."""
    return np.asarray(is_relevant)[np.argsort(-np.asarray(score), kind="stable")]


# Clustering and classification, as in the paper on site style trees


def clustering_f(cluster: Sequence[object], truth: Sequence[object]) -> float:
    """F of a clustering: for each class the best F of any cluster, weighted by the class's size.

    >>> clustering_f([0, 0, 1, 1], ["a", "a", "b", "b"])
    1.0
    """
    if len(cluster) != len(truth):
        raise ValueError(f"{len(cluster)} cluster labels for {len(truth)} items")
    if not truth:
        return 0.0
    _, c = np.unique(np.asarray([str(x) for x in cluster]), return_inverse=True)
    _, t = np.unique(np.asarray([str(x) for x in truth]), return_inverse=True)
    table = np.zeros((int(t.max()) + 1, int(c.max()) + 1))
    np.add.at(table, (t, c), 1.0)
    size_t, size_c = table.sum(axis=1), table.sum(axis=0)
    f = 2 * table / (size_t[:, None] + size_c[None, :])
    return float(f.max(axis=1) @ size_t / size_t.sum())


def class_f(found: Sequence[object], truth: Sequence[object]) -> float:
    """F of a classification: the mean over the true classes of each class's F."""
    if len(found) != len(truth):
        raise ValueError(f"{len(found)} answers for {len(truth)} items")
    a, b = np.asarray([str(x) for x in found]), np.asarray([str(x) for x in truth])
    return float(np.mean([coverage_prf(a == c, b == c).f1 for c in np.unique(b)])) if len(b) else 0.0


# Confidence


@dataclass(frozen=True)
class Interval:
    """A mean with the ends of its confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap(
    values: Sequence[float] | Floats,
    *,
    n: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Percentile bootstrap of the mean of per-page values.

    >>> bootstrap([1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    x = np.asarray(values, np.float64)
    if not len(x):
        return Interval(0.0, 0.0, 0.0)
    rng = np.random.default_rng(seed)
    # One draw at a time: n x len(x) indices at once would be 12 MB for the page set, for no gain.
    draws = np.array([float(x[rng.integers(0, len(x), len(x))].mean()) for _ in range(n)])
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(x.mean()), float(low), float(high))


def bootstrap_difference(
    a: Sequence[float] | Floats,
    b: Sequence[float] | Floats,
    n: int = 1000,
) -> Interval:
    """Paired bootstrap of mean(a) - mean(b) over the same pages: a clear difference leaves 0 outside."""
    x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if x.shape != y.shape:
        raise ValueError(f"paired values need the same pages: {len(x)} and {len(y)}")
    return bootstrap(x - y, n=n)
