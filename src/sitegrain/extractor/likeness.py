"""What blocks at like places of one page have in common: posts, cards and rows of a list repeat a template *within* a
page, and so do menus; whether such blocks hold new text, prose or links says what they all are.

Two blocks are alike in two ways: "here" by the whole path of tags and class names, "kin" by the last three elements
of it, which also finds the cards of two lists. A class name counts when two or more elements of the page have it:
`post-1234` tells posts apart, `css-1x2y3z` may not.
"""

from __future__ import annotations

import zlib
from collections import Counter
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitegrain.extractor.blocks import Rows, TextBlocks
from sitegrain.tables.places import path_keys
from sitegrain.tables.tags import ATTRIBUTES

F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

LIKENESS_NAMES: tuple[str, ...] = tuple(
    f"{kind}_{what}"
    for kind in ("here", "kin")
    for what in ("blocks", "share", "words", "links", "distinct", "prose", "spread")
)
TEXT_KEY_CHARS = 120
"""Texts are told apart by their first characters, white space aside, and by how many they have in all."""

_CLASS = ATTRIBUTES.index("class")
_UP, _PAGE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@lru_cache(maxsize=65_536)
def _names(value: str) -> tuple[int, ...]:
    return tuple(zlib.crc32(name.encode()) for name in value.split())


def _own_keys(rows: Rows) -> U64:
    """Per row: its tag and those of its class names that are not its own alone."""
    own = rows.tag.astype(np.uint64)
    node, value = rows.named(_CLASS)
    strings = rows.site.strings
    names = [_names(strings[v]) for v in value.tolist()]
    page = rows.page[node].tolist()
    times = Counter((p, name) for p, several in zip(page, names, strict=True) for name in several)
    shared = [sum(n for n in several if times[p, n] > 1) for p, several in zip(page, names, strict=True)]
    own[node] += (np.array(shared, np.uint64) & np.uint64(0xFFFFFFFFFFFF)) << np.uint64(9)
    return own


def likeness_columns(
    blocks: TextBlocks, words: F64, visible: F64, link_density: F64, is_sentence: npt.NDArray[np.bool_]
) -> F64:
    """[n_blocks x len(LIKENESS_NAMES)]: for the blocks of its page that are like a block, it included: log of how many,
    their share of the page's words, their mean words and link density, how many texts differ (NaN for one alone), how
    many are prose, and over how much of the page they are spread."""
    rows, page, n = blocks.rows, blocks.page, len(blocks)
    if not n:
        return np.zeros((0, len(LIKENESS_NAMES)))
    n_pages = rows.last_page - rows.first_page
    own = _own_keys(rows)
    above = np.where(rows.parent < 0, np.arange(len(rows)), rows.parent)
    up, further = above[blocks.box], above[above[blocks.box]]
    here = path_keys(rows.parent, own)[blocks.box]
    kin = own[blocks.box] + own[up] * _UP + own[further] * _UP * _UP
    numbers: dict[tuple[str, float], int] = {}
    spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), visible.tolist(), strict=True)
    text = np.array(
        [
            numbers.setdefault(("".join(rows.text[s : min(e, s + TEXT_KEY_CHARS)].split()), size), len(numbers))
            for s, e, size in spans
        ],
        np.int64,
    )
    page_words, page_blocks = np.bincount(page, words, n_pages), np.bincount(page, minlength=n_pages)
    columns: list[F64] = []
    for key in (here, kin):
        # The page goes into the key: what is alike on another page does not count.
        different, of = np.unique(key + page.astype(np.uint64) * _PAGE, return_inverse=True)
        m = len(different)
        count = np.bincount(of, minlength=m).astype(np.float64)
        total = np.bincount(of, words, m)
        texts = np.bincount(np.unique(np.stack([of.astype(np.int64), text]), axis=1)[0], minlength=m)
        first, last = np.full(m, n), np.zeros(m, np.int64)
        np.minimum.at(first, of, np.arange(n))
        np.maximum.at(last, of, np.arange(n))
        whole = page_words[page]
        columns += [
            np.log1p(count)[of],
            np.divide(total[of], whole, out=np.zeros(n), where=whole > 0),
            (total / count)[of],
            (np.bincount(of, link_density, m) / count)[of],
            np.where(count > 1, texts / count, np.nan)[of],
            (np.bincount(of, is_sentence, m) / count)[of],
            (last - first)[of] / page_blocks[page],
        ]
    return np.stack(columns, axis=1)
