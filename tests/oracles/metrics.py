"""Slow, obvious versions of the measures: lists and loops, no counters and no arrays."""

from __future__ import annotations

import unicodedata
from typing import Any


def words(text: str) -> list[str]:
    out, word = [], ""
    for char in text.lower():
        if char.isalnum() or char == "_":
            word += char
        else:
            out.append(word)
            word = ""
    return [w for w in [*out, word] if w]


def bag_f1(found: list[Any], true: list[Any]) -> tuple[float, float, float]:
    left = list(true)
    matched = 0
    for item in found:
        if item in left:
            left.remove(item)
            matched += 1
    if not found and not true:
        return 1.0, 1.0, 1.0
    if not found or not true or not matched:
        return 0.0, 0.0, 0.0
    p, r = matched / len(found), matched / len(true)
    return p, r, 2 / (1 / p + 1 / r)


def is_cjk(char: str) -> bool:
    name = unicodedata.name(char, "")
    return name.startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE"))


def tokens(text: str) -> list[str]:
    out: list[str] = []
    for word in words(unicodedata.normalize("NFKC", text)):
        runs: list[list[str]] = []
        for char in word:
            if runs and is_cjk(runs[-1][-1]) == is_cjk(char):
                runs[-1].append(char)
            else:
                runs.append([char])
        for run in runs:
            if is_cjk(run[0]) and len(run) > 1:
                out += [run[i] + run[i + 1] for i in range(len(run) - 1)]
            else:
                out.append("".join(run))
    return out


def shingle_scores(pages: list[tuple[str, str]], n: int) -> tuple[float, float, float]:
    """Mean precision, mean recall and their F over (found, true) pages."""

    def shingles(text: str) -> list[tuple[str, ...]]:
        case_kept = []
        word = ""
        for char in text + " ":
            if char.isalnum() or char == "_":
                word += char
            elif word:
                case_kept.append(word)
                word = ""
        if not case_kept:
            return []
        if len(case_kept) <= n:
            return [tuple(case_kept)]
        return [tuple(case_kept[i : i + n]) for i in range(len(case_kept) - n + 1)]

    precision, recall = [], []
    for found_text, true_text in pages:
        found, true = shingles(found_text), shingles(true_text)
        p, r, _ = bag_f1(found, true)
        if found:
            precision.append(p)
        if true:
            recall.append(r)
    p = sum(precision) / len(precision) if precision else 0.0
    r = sum(recall) / len(recall) if recall else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def precision_at_recall(ranked: list[bool]) -> list[float]:
    total = sum(ranked)
    out = []
    for level in range(11):
        best = 0.0
        for k in range(1, len(ranked) + 1):
            hits = sum(ranked[:k])
            if total and hits * 10 >= level * total and hits > 0:
                best = max(best, hits / k)
        out.append(best)
    return out


def clustering_f(cluster: list[Any], truth: list[Any]) -> float:
    total = 0.0
    for c in set(truth):
        members = [i for i, t in enumerate(truth) if t == c]
        best = 0.0
        for k in set(cluster):
            there = [i for i, x in enumerate(cluster) if x == k]
            both = len([i for i in members if i in there])
            p, r = both / len(there), both / len(members)
            best = max(best, 2 * p * r / (p + r) if p + r else 0.0)
        total += best * len(members) / len(truth)
    return total


def coverage(found: list[bool], true: list[bool], weight: list[float]) -> tuple[float, float, float]:
    aw = ao = wo = 0.0
    for f, t, w in zip(found, true, weight, strict=True):
        aw += w if f and t else 0
        ao += w if t and not f else 0
        wo += w if f and not t else 0
    if aw + ao == 0 and aw + wo == 0:
        return 1.0, 1.0, 1.0
    p = aw / (aw + wo) if aw + wo else 0.0
    r = aw / (aw + ao) if aw + ao else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def snippet_rate(text: str, snippets: list[str]) -> float | None:
    def plain(s: str) -> str:
        out = ""
        for char in s.lower():
            out += " " if char.isspace() else char
        while "  " in out:
            out = out.replace("  ", " ")
        return out.strip(" ")

    asked = held = 0
    for snippet in snippets:
        if plain(snippet):
            asked += 1
            held += plain(text).find(plain(snippet)) >= 0
    return held / asked if asked else None


def term_scores(found: list[Any], true: list[Any]) -> tuple[float, float, float]:
    """Distinct terms: (precision, recall, F)."""

    def once(items: list[Any]) -> list[Any]:
        out: list[Any] = []
        for item in items:
            if item not in out:
                out.append(item)
        return out

    return bag_f1(once(found), once(true))


def precision_at(ranked: list[bool], k: int) -> float:
    seen = hits = 0
    for is_hit in ranked:
        if seen == k:
            break
        seen += 1
        hits += is_hit
    return hits / seen if seen else 0.0


def ranked(score: list[float], labels: list[bool]) -> list[bool]:
    left = list(range(len(score)))
    out = []
    while left:
        best = left[0]
        for i in left:
            if score[i] > score[best]:
                best = i
        left.remove(best)
        out.append(labels[best])
    return out


def block_gold(node_block: list[int], gold: list[bool], weight: list[int], n_blocks: int, share: float) -> list[bool]:
    out = []
    for block in range(n_blocks):
        rows = [i for i, b in enumerate(node_block) if b == block]
        inside = sum(weight[i] for i in rows if gold[i])
        out.append(inside > share * sum(weight[i] for i in rows))
    return out


def class_f(found: list[Any], true: list[Any]) -> float:
    """Mean over the true classes of 2 * right / (said + there)."""
    classes: list[Any] = []
    for t in true:
        if t not in classes:
            classes.append(t)
    scores = []
    for c in classes:
        right = sum(1 for f, t in zip(found, true, strict=True) if f == t == c)
        said, there = sum(1 for f in found if f == c), sum(1 for t in true if t == c)
        scores.append(2 * right / (said + there))
    return sum(scores) / len(scores) if scores else 0.0


def percentile(values: list[float], share: float) -> float:
    """Between the two nearest values in order, by how far the place is between them."""
    order = sorted(values)
    place = share * (len(order) - 1)
    below = int(place)
    above = min(below + 1, len(order) - 1)
    return order[below] + (place - below) * (order[above] - order[below])


def bootstrap(values: list[float], draws: list[list[int]], level: float) -> tuple[float, float, float]:
    """(mean, low, high) of given draws, each a list of rows."""
    means = [sum(values[i] for i in draw) / len(draw) for draw in draws]
    ends = [percentile(means, (1 - level) / 2), percentile(means, (1 + level) / 2)]
    return sum(values) / len(values), ends[0], ends[1]
