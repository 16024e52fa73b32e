"""Keys by which a site knows texts, and rows of tables by keys: for the kernels in Python, and for what learns from a site."""

from __future__ import annotations

import re
import zlib

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Hashes
from sitegrain.light import late_pattern
from sitegrain.native.columns import NUMBERS
from sitegrain.native.inputs import CountColumns, PathColumns
from sitegrain.native.scripts import SITE_SIGNS, char_class

MIX = np.uint64(0x9E3779B97F4A7C15)
SITE_WORD = late_pattern(rf"[{char_class(SITE_SIGNS)}]|[^\W\d_]+")
"""Words, and single characters of scripts without spaces: enough to tell rare from common."""
_DIGITS = re.compile(r"\d+")
_KEY_CHARS, _TAIL_CHARS = NUMBERS["TEXT_KEY_CHARS"], NUMBERS["TAIL_CHARS"]


def text_key(text: str) -> str:
    """A key for the text of a block: white space folded, long texts by their start and length."""
    folded = " ".join(text.split())
    return folded if len(folded) <= _KEY_CHARS else f"{folded[:_KEY_CHARS]}…{len(folded)}"


def mask_digits(text: str) -> str:
    """The text with every number as 0: "3 comments" and "12 comments" are one."""
    return _DIGITS.sub("0", text)


def edge_words(text: str) -> tuple[int, int]:
    """Keys of the first word of a text and of the last."""
    words = mask_digits(text[:_KEY_CHARS].lower()).split(None, 1)
    tail = mask_digits(text[-_TAIL_CHARS:].lower()).rsplit(None, 1)
    return zlib.crc32(words[0].encode()) if words else 0, zlib.crc32(tail[-1].encode()) + 1 if tail else 0


def find(table: PathColumns | CountColumns, key: Hashes) -> npt.NDArray[np.int64]:
    """Row of each key in a table by ascending key, -1 where there is none."""
    if not len(table.key):
        return np.full(len(key), -1)
    at = np.minimum(np.searchsorted(table.key, key), len(table.key) - 1)
    return np.where(table.key[at] == key, at, -1)


def values_at(values: Floats, at: npt.NDArray[np.int64], missing: float) -> Floats:
    """`values` at these rows, `missing` at -1."""
    return np.where(at >= 0, values[at], missing) if len(values) else np.full(len(at), missing)
