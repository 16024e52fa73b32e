"""Words that speak for content or against it, learned from labelled pages: of texts, and of class and id names.

A word is a 32-bit hash: nothing of a training page is in the model but numbers. `native/reference/blocks/lexicon.py` says what the words
of a text and of a class name are.

A weight is the log odds that a block with the word is content, over the domains that have the word; so a word of one
domain weighs nothing, and the names of one template are not learned by heart.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.types import Floats32, Hashes32, Ints32
from sitegrain.extractor.evidence import Evidence
from sitegrain.learned.typed import Stored, need
from sitegrain.light import dataclass
from sitegrain.native.chars import char_table
from sitegrain.native.columns import NAME_WEIGHTS, TEXT_WEIGHTS
from sitegrain.tables.tags import ATTRIBUTES

LEXICAL_NAMES: tuple[str, ...] = (*TEXT_WEIGHTS.names, *NAME_WEIGHTS.names)
N_TEXT = len(TEXT_WEIGHTS.names)
"""The columns of texts; those of names follow."""
_WORD = np.dtype([("key", np.uint32), ("weight", np.float32)])
_CLASS, _ID = ATTRIBUTES.index("class"), ATTRIBUTES.index("id")


@dataclass(frozen=True, eq=False)
class WordWeights:
    """What words weigh."""

    key: Hashes32
    """Hashes of words, ascending; 0 is none."""
    weight: Annotated[Floats32, Stored(np.float16)]

    @cached_property
    def table(self) -> npt.NDArray[np.void]:
        """The same as a hash table: a word stands at its hash or at the first place after it that was free."""
        size = 2
        while size < 1.6 * len(
            self.key
        ):  # small, so that it stays in the cache, and not so full that a word which is not there takes long
            size *= 2
        home = self.key & np.uint32(size - 1)
        # Numbers of 16 bits are sorted by counting.
        order = np.argsort(home.astype(np.uint16) if size <= 0x10000 else home, kind="stable")
        # In the order of their hashes, each stands at its hash or right after the one before it.
        n = np.arange(len(order))
        place = np.maximum.accumulate(home[order].astype(np.int64) - n) + n
        table = np.zeros(size, _WORD)
        fits = place < size
        table["key"][place[fits]], table["weight"][place[fits]] = self.key[order[fits]], self.weight[order[fits]]
        for word in order[~fits].tolist():  # the few that go around the end
            at = int(np.argmax(table["key"] == 0))
            table[at] = self.key[word], self.weight[word]
        return table

    def check(self) -> None:
        """Words must be in order, each with its weight."""
        key = self.key
        need(len(key) == len(self.weight), "the word weights do not fit the words")
        need(not len(key) or bool(key[0] != 0 and (key[1:] > key[:-1]).all()), "the words are not in order")


@dataclass(frozen=True)
class Lexicon:
    """What the words of texts and of names weigh."""

    text: WordWeights
    names: WordWeights


@dataclass(frozen=True, eq=False)
class NameMarks:
    """Which rows have which class or id value."""

    row: Ints32
    value: Ints32
    """Place in `names`."""
    names: list[str]


def name_marks(evidence: Evidence) -> NameMarks:
    """The class and id values of the rows of some pages."""
    row, string = evidence.blocks.rows.named(_CLASS, _ID)
    different, value = np.unique(string, return_inverse=True)
    strings = evidence.blocks.rows.site.strings
    return NameMarks(row, value.astype(np.int32), [strings[v] for v in different.tolist()])


def lexical_columns(evidence: Evidence, lexicon: Lexicon) -> Floats32:
    """[n_blocks x len(LEXICAL_NAMES)]: what a lexicon says of blocks."""
    blocks, rows = evidence.blocks, evidence.blocks.rows
    of_text = native.text_weights(
        rows.text, blocks.columns, evidence.column("since_heading"), char_table(), lexicon.text.table
    )
    of_names = native.name_weights(
        rows.site.strings, rows.parent, blocks.first, *rows.named(_CLASS, _ID), lexicon.names.table
    )
    return np.concatenate([of_text, of_names], axis=1)
