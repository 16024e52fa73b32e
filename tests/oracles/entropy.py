"""Entropy of terms, as the formula stands."""

import math


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
