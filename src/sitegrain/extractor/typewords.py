"""What the words of a page say of its type: those of its address, its title and its headings, and the types that it claims.

Layout tells a list from a text, but hardly the product from the service that a company sells; `/pricing`, "Buy", "Getting started" and `docs.` before
the name of a host do. A word is a 32-bit hash with the field that it stands in: no text of a training page is in the model.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Floats, Floats32, Hashes32, Ints64
from sitegrain.extractor.blocks import Rows
from sitegrain.extractor.evidence import Evidence
from sitegrain.learned.typed import Stored, need
from sitegrain.light import dataclass
from sitegrain.native.chars import char_table
from sitegrain.tables.address import NOWHERE, site_key
from sitegrain.text.jsonld import ANY_TYPE

MAX_HEADINGS = 40
"""Headings of a page whose words are read: a page that has more says the same of itself again."""
_MAX_PATH = 500
"""Characters of an address that are read."""
_FIELDS = ("host", "folders", "name", "query", "title", "claims", "heading")
_SHAPES, _HEADING = len(_FIELDS), _FIELDS.index("heading")
_ENDING = re.compile(r"\.([a-z]{2,5})$")
_WORD = re.compile(r"[^\W\d_]+|\d+")


class PageWords(NamedTuple):
    """The words of some pages."""

    hashes: Hashes32
    """Of each page its different words, ascending."""
    page: Ints64


def page_words(evidence: Evidence) -> PageWords:
    """The words of the pages of some evidence."""
    rows = evidence.blocks.rows
    spans = [_fields(rows, page) for page in range(rows.first_page, rows.last_page)]
    strings = [text for fields, _ in spans for text in fields]
    bounds = offsets([len(s) for s in strings]).astype(np.int32)
    hashes, offset = native.text_hashes("".join(strings), bounds[:-1], bounds[1:], char_table())
    n = len(_FIELDS) - 1
    which = np.repeat(np.arange(len(strings)), np.diff(offset))
    heading_hashes, heading_page = _headings(evidence)
    shapes = [shape for _, shape in spans]
    page = np.concatenate([which // n, heading_page, np.repeat(np.arange(len(spans)), [len(s) for s in shapes])])
    field = np.concatenate([
        which % n, np.full(len(heading_page), _HEADING), np.full(sum(map(len, shapes)), _SHAPES)
    ])  # fmt: skip
    codes = np.array([code for shape in shapes for code in shape], np.uint32)
    word = np.concatenate([hashes, heading_hashes, codes])
    keys = distinct((page.astype(np.uint64) << np.uint64(32)) | _in_field(word, field))
    return PageWords((keys & np.uint64(0xFFFFFFFF)).astype(np.uint32), (keys >> np.uint64(32)).astype(np.int64))


def _in_field(word: Hashes32, field: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """The same word in another field is another one."""
    mixed = (word.astype(np.uint64) ^ (field.astype(np.uint64) * np.uint64(0x9E3779B1))) * np.uint64(0x85EBCA6B)
    return mixed & np.uint64(0xFFFFFFFF)


def _headings(evidence: Evidence) -> tuple[Hashes32, npt.NDArray[np.int64]]:
    """The words of the first headings, and the page of each."""
    blocks = evidence.blocks
    heading = np.flatnonzero(evidence.column("in_heading") > 0)
    page = blocks.page[heading]
    heading = heading[np.arange(len(page)) - np.searchsorted(page, page) < MAX_HEADINGS]
    spans = blocks.text_start[heading], blocks.text_end[heading]
    hashes, offset = native.text_hashes(blocks.rows.text, *spans, char_table())
    return hashes, np.repeat(blocks.page[heading].astype(np.int64), np.diff(offset))


def _fields(rows: Rows, page: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The texts of the fields of a page but its headings, and codes for the shape of its address."""
    pages = rows.site.pages
    claims = {kind for blob in pages.json_ld[page] for kind in ANY_TYPE.findall(blob)}
    said = " ".join([pages.meta[page].get("og:type", ""), *sorted(claims)])
    address, shape = _address(pages.url[page][:_MAX_PATH])
    return (*address, pages.title[page].lower(), said), shape


@lru_cache(maxsize=256)
def _address(url: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The words of the parts of an address, and codes for its shape; none of a page that came without."""
    if not url or url.startswith(NOWHERE):
        return ("", "", "", ""), ()
    try:
        parts = urlsplit(url.lower())
    except ValueError:
        return ("", "", "", ""), ()
    host = parts.hostname or ""
    own = site_key(host)
    below = host.removesuffix(own).rstrip(".") if own else ""
    steps = [step for step in parts.path.split("/") if step]
    name = steps[-1] if steps else ""
    ending = _ENDING.search(name)
    shape = [
        min(len(steps), 6),
        10 + min(len(_WORD.findall(name)), 8),
        20 + parts.path.endswith("/"),
        22 + bool(parts.query),
        24 + bool(ending),
    ]
    words = [
        " ".join(_WORD.findall(text)) for text in (below.removeprefix("www"), "/".join(steps[:-1]), name, parts.query)
    ]
    return tuple(words), tuple(shape)


@dataclass(frozen=True, eq=False)
class TypeWords:
    """What words weigh for each type: a multinomial logistic regression."""

    key: Hashes32
    """Hashes of words, ascending."""
    weight: Annotated[Floats32, Stored(np.float16, n_axes=2)]
    """[words x types]."""
    usual: Floats
    """Per type: what speaks for it before a word is read."""

    def odds(self, words: PageWords, n_pages: int) -> Floats32:
        """[pages x types]: the log of how likely each type is, by the words of the page."""
        at = np.minimum(np.searchsorted(self.key, words.hashes), max(len(self.key) - 1, 0))
        known = self.key[at] == words.hashes if len(self.key) else np.zeros(len(at), bool)
        said = np.tile(self.usual, (n_pages, 1))
        np.add.at(said, words.page[known], self.weight[at[known]].astype(np.float64))
        said -= said.max(axis=1, keepdims=True)
        return np.asarray(said - np.log(np.exp(said).sum(axis=1, keepdims=True)), np.float32)

    def check(self) -> None:
        """Words must be in order, each with a weight for every type."""
        need(self.weight.shape == (len(self.key), len(self.usual)), "the weights of types do not fit the words")
        need(not len(self.key) or bool((self.key[1:] > self.key[:-1]).all()), "the words are not in order")
