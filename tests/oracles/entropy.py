"""Entropy of terms, as the formula stands."""

import math

import numpy as np

from sitegrain.arrays.types import Floats


def slow_entropy(rows: list[list[int]]) -> list[float]:
    n = len(rows)
    out = []
    for i in range(len(rows[0])):
        total = sum(row[i] for row in rows)
        value = 0.0
        if n > 1:
            for row in rows:
                if row[i]:
                    w = row[i] / total
                    value -= w * math.log(w, n)
        out.append(value)
    return out


def entropy_with_page(entropy: Floats, total: Floats, frequency: Floats, n_docs: int) -> Floats:
    """EN of each term after one more page: the closed form of WISDOM.

    `entropy` and `total` are EN and F over the first `n_docs` pages, `frequency` the counts on the new page.
    """
    k = n_docs
    if k < 1:
        return np.zeros(len(entropy))
    old = entropy * np.log(k)  # S; with one page both EN and S are 0
    f, t = total, frequency
    both = f + t
    safe_f, safe_t = np.where(f > 0, f, 1.0), np.where(t > 0, t, 1.0)
    safe = np.where(both > 0, both, 1.0)
    grown = f / safe * (old + np.log(np.where(f > 0, safe / safe_f, 1.0)))
    grown += t / safe * np.log(np.where(t > 0, safe / safe_t, 1.0))
    return np.asarray(np.clip(np.where(t > 0, grown, old) / np.log(k + 1), 0.0, 1.0), np.float64)
