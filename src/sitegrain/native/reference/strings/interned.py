"""Every different text of pages, and every different word of texts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sitegrain.arrays.types import Bits, Ints32, Ints64

_LETTER, _MARK, _SIGN = 1, 2, 4


def intern_texts(texts: tuple[str, ...], page: Ints32, start: Ints32, end: Ints32) -> tuple[Ints32, tuple[str, ...]]:
    """`sitegrain.native.intern_texts`: a dictionary look-up per span is what interning is."""
    ids: dict[str, int] = {}
    spans = zip(page.tolist(), start.tolist(), end.tolist(), strict=True)
    found = [ids.setdefault(" ".join(texts[p][s:e].split()), len(ids)) for p, s, e in spans]
    return np.array(found, np.int32), tuple(ids)


def intern_values(texts: list[str], ends: list[Ints32]) -> tuple[Ints32, tuple[str, ...]]:
    """`sitegrain.native.intern_values`."""
    ids: dict[str, int] = {}
    found: list[int] = []
    for text, end in zip(texts, ends, strict=True):
        found += [ids.setdefault(text[a:b], len(ids)) for a, b in pairwise((0, *end.tolist()))]
    return np.array(found, np.int32), tuple(ids)


def number_words(texts: list[str], kinds: Bits) -> tuple[Ints32, Ints64, tuple[str, ...]]:
    """`sitegrain.native.number_words`: character by character."""
    ids: dict[str, int] = {}
    found: list[int] = []
    ends: list[int] = []
    for text in texts:
        found += [ids.setdefault(word, len(ids)) for word in _words(text, kinds)]
        ends.append(len(found))
    return np.array(found, np.int32), np.array(ends, np.int64), tuple(ids)


def _words(text: str, kinds: Bits) -> list[str]:
    out: list[str] = []
    word = run = ""
    for char in [*text, ""]:
        kind = int(kinds[ord(char)]) if char else 0
        if kind == _LETTER or (kind & _MARK and word):
            word += char
        elif word:
            out.append(word)
            word = ""
        if kind & _SIGN and not word:
            if run:
                out.append(run[-1] + char)
            run += char
        else:
            out += [run] if len(run) == 1 else []
            run = ""
    return out
