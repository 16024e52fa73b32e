"""What blocks at like places of one page have in common: posts, cards and rows of a list repeat a template *within* a
page, and so do menus; whether such blocks hold new text, prose or links says what they all are.

Two blocks are alike in two ways: "here" by the whole path of tags and class names, "kin" by the last three elements
of it, which also finds the cards of two lists. A class name counts when two or more elements of the page have it:
`post-1234` tells posts apart, `css-1x2y3z` may not.
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Hashes
from sitegrain.native.columns import ATTRIBUTES, NUMBERS
from sitegrain.native.inputs import AttrColumns, BlockColumns, RowColumns
from sitegrain.native.reference.blocks.blocks import ratio
from sitegrain.native.reference.strings.words import path_keys

_CLASS = ATTRIBUTES.index("class")
_UP, _PAGE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class BlockCounts(NamedTuple):
    """What is counted of every block."""

    words: Floats
    visible: Floats
    link_density: Floats
    is_sentence: npt.NDArray[np.bool_]


def _own_keys(rows: RowColumns, attrs: AttrColumns, strings: tuple[str, ...]) -> Hashes:
    """Per row: its tag and those of its class names that are not its own alone."""
    own = rows.tag.astype(np.uint64)
    mine = attrs.name == _CLASS
    node, value = attrs.node[mine], attrs.value[mine]
    numbers = {v: tuple(zlib.crc32(name.encode()) for name in strings[v].split()) for v in set(value.tolist())}
    names = [numbers[v] for v in value.tolist()]
    page = rows.page[node].tolist()
    times = Counter((p, name) for p, several in zip(page, names, strict=True) for name in several)
    shared = [sum(n for n in several if times[p, n] > 1) for p, several in zip(page, names, strict=True)]
    own[node] += (np.array(shared, np.uint64) & np.uint64(0xFFFFFFFFFFFF)) << np.uint64(9)
    return own


def text_numbers(text: str, blocks: BlockColumns, visible: Floats) -> npt.NDArray[np.int64]:
    """A number for each different text: its first characters, white space aside, and how many it has in all."""
    numbers: dict[tuple[str, float], int] = {}
    longest = NUMBERS["TEXT_KEY_CHARS"]
    spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), visible.tolist(), strict=True)
    keys = (("".join(text[s : min(e, s + longest)].split()), size) for s, e, size in spans)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def alike_numbers(
    rows: RowColumns, attrs: AttrColumns, strings: tuple[str, ...], blocks: BlockColumns
) -> npt.NDArray[np.int32]:
    """[2 x blocks]: the group of blocks of its page that each is like, "here" and "kin", numbered as they come."""
    page, n = blocks.page, len(blocks.page)
    if not n:
        return np.zeros((2, 0), np.int32)
    own = _own_keys(rows, attrs, strings)
    above = np.where(rows.parent < 0, np.arange(len(own)), rows.parent)
    up, further = above[blocks.box], above[above[blocks.box]]
    here = path_keys(rows.parent, own)[blocks.box]
    kin = own[blocks.box] + own[up] * _UP + own[further] * _UP * _UP
    out = np.zeros((2, n), np.int32)
    for which, key in enumerate((here, kin)):
        # The page goes into the key: what is alike on another page does not count.
        _, first, of = np.unique(key + page.astype(np.uint64) * _PAGE, return_index=True, return_inverse=True)
        out[which] = np.argsort(np.argsort(first))[of]
    return out


def likeness_columns(alike: npt.NDArray[np.int32], blocks: BlockColumns, text: str, counts: BlockCounts) -> Floats:
    """[n_blocks x 14]: for the blocks of its page that are like a block, it included: log of how many, their share of the
    page's words, their mean words and link density, how many texts differ (NaN for one alone), how many are prose,
    and over how much of the page they are spread."""
    page, n = blocks.page, len(blocks.page)
    if not n:
        return np.zeros((0, 14))
    texts = text_numbers(text, blocks, counts.visible)
    page_words, page_blocks = np.bincount(page, counts.words), np.bincount(page)
    columns: list[npt.NDArray[Any]] = []
    for of in alike:
        m = int(of.max()) + 1
        count = np.bincount(of, minlength=m).astype(np.float64)
        total = np.bincount(of, counts.words, m)
        n_texts = np.bincount(np.unique(np.stack([of.astype(np.int64), texts]), axis=1)[0], minlength=m)
        first, last = np.full(m, n), np.zeros(m, np.int64)
        np.minimum.at(first, of, np.arange(n))
        np.maximum.at(last, of, np.arange(n))
        columns += [
            np.log1p(count)[of],
            ratio(total[of], page_words[page]),
            (total / count)[of],
            (np.bincount(of, counts.link_density, m) / count)[of],
            np.where(count > 1, n_texts / count, np.nan)[of],
            (np.bincount(of, counts.is_sentence, m) / count)[of],
            (last - first)[of] / page_blocks[page],
        ]
    return np.stack(columns, axis=1)
