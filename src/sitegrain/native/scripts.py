"""The scripts that put no space between words: one table of ranges, and which of them counts for what.

The choices below differ, and each says why. To make two of them one would change what shipped models were trained
on, or what a benchmark counts.
"""

from __future__ import annotations

Ranges = tuple[tuple[int, int], ...]
"""First and last code point of each range."""

THAI, LAO, BURMESE, KHMER = (0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)
RADICALS, NUMERALS, REPEATS = (0x2E80, 0x2FDF), (0x3021, 0x3029), (0x3031, 0x3035)
MARKS = (0x3005, 0x3007)
"""々, 〆 and 〇."""
KANA, MORE_KANA, OLD_KANA = (0x3040, 0x30FF), (0x31F0, 0x31FF), (0x1B000, 0x1B16F)
BOPOMOFO, MORE_BOPOMOFO, STROKES = (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31C0, 0x31EF)
RARE_HAN, HAN, TWIN_HAN = (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)
HAN_PLANES, ASSIGNED_HAN, WIDE_HAN = (0x20000, 0x3FFFF), (0x20000, 0x323AF), (0x20000, 0x31FFF)
"""Beyond the basic plane: both planes, what Unicode 15 has assigned, and what the extractor's counts call wide."""
HANGUL = (0xAC00, 0xD7AF)
HANGUL_PARTS = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))

TERM_SIGNS: Ranges = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0E4E), (0x0E81, 0x0ECE), (0x0EDC, 0x0EDF), (0x1000, 0x103F), (0x1050, 0x108F),
    (0x1780, 0x17D3), MARKS, (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), MORE_KANA,
    RARE_HAN, HAN, TWIN_HAN, OLD_KANA, ASSIGNED_HAN,
)  # fmt: skip
"""Terms are made of pairs of these: letters alone, because a pair with a digit or a sign of currency means nothing."""
WINDOW_SIGNS: Ranges = (KANA, RARE_HAN, (HAN[0], TWIN_HAN[1]), HAN_PLANES)
"""Each is a word of a window that slides over text; all between Han and its twins, so Korean syllables, too. Thai, Lao,
Burmese and Khmer runs are one word there."""
WIDE: Ranges = (
    THAI, LAO, BURMESE, KHMER, RADICALS, MARKS, NUMERALS, REPEATS, KANA, BOPOMOFO, MORE_BOPOMOFO, MORE_KANA, RARE_HAN,
    HAN, TWIN_HAN, WIDE_HAN,
)  # fmt: skip
"""Counted as half a word each where words are counted: the extractor's models were trained on these counts."""
SITE_SIGNS: Ranges = (THAI, LAO, KANA, (RARE_HAN[0], HAN[1]))
"""Each is a word of which a site knows the number of pages: as `native/c/sites/site.c` has them."""
SCORED_SIGNS: Ranges = (
    RADICALS, MARKS, NUMERALS, REPEATS, KANA, BOPOMOFO, MORE_BOPOMOFO, STROKES, MORE_KANA, RARE_HAN, HAN, TWIN_HAN,
    HAN_PLANES, HANGUL, *HANGUL_PARTS,
)  # fmt: skip
"""Texts are compared by pairs of these when they are scored: as the labelled sites' measure was defined, with Korean."""
EAST_ASIAN: Ranges = ((KANA[0], HAN[1]), HANGUL)
"""Say as much as two letters each: for the length of a title or a name. Korean has spaces, but its words are short."""
DENSE: Ranges = (THAI, LAO, (RADICALS[0], HAN[1]))
"""Say that an anchor's words cannot be counted by its spaces."""


def char_class(ranges: Ranges) -> str:
    """Ranges as the inner part of a character class of a regular expression.

    >>> char_class((HANGUL,)) == chr(0xAC00) + "-" + chr(0xD7AF)
    True
    """
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
