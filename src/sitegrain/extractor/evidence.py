"""What a page says of its own blocks, as one matrix: a row per block, a column per feature.

Here stands what the columns are made of: groups of tags, marks of roles, families of words. How they are computed is said by
`native/reference/blocks/evidence.py`; what they are called by `native/columns.h`. What a *site* says of its blocks is in `knowledge.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.blocks import TAG_BOX, Rows, TextBlocks, text_blocks
from sitegrain.extractor.cues import class_words, cue_words
from sitegrain.extractor.hints import hint_bits
from sitegrain.light import dataclass
from sitegrain.native.chars import char_table
from sitegrain.native.columns import COUNTED, EVIDENCE, GROUPS, HELD
from sitegrain.native.inputs import Geometry, JudgedPages, PageHints, PageTables, Vocabulary
from sitegrain.tables.memo import cached_property
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

__all__ = ["EVIDENCE_NAMES", "LIKENESS_NAMES", "Evidence", "Geometry", "gather"]


EVIDENCE_NAMES: tuple[str, ...] = EVIDENCE.names
_PLACE = {name: k for k, name in enumerate(EVIDENCE_NAMES)}
LIKENESS_NAMES: tuple[str, ...] = EVIDENCE_NAMES[EVIDENCE.part["alike"]]

_GROUP_TAGS: dict[str, str] = {
    "nav": "nav", "header": "header", "footer": "footer", "aside": "aside", "article": "article", "main": "main", "form": "form",
    "table": "table", "list": "ul ol dl menu dir", "section": "section", "figure": "figure figcaption picture",
    "button": "button label select option textarea legend fieldset", "pre": "pre code", "quote": "blockquote q cite",
    "anchor": "a", "dialog": "dialog details summary", "head": "head", "noscript": "noscript", "heading": "h1 h2 h3 h4 h5 h6",
    "paragraph": "p", "svg": "svg object video audio canvas map",
}  # fmt: skip
_ROLE_GROUP = {
    "navigation": "nav", "menu": "nav", "menubar": "nav", "banner": "header", "contentinfo": "footer",
    "complementary": "aside", "article": "article", "main": "main", "search": "form", "form": "form",
    "dialog": "dialog", "alertdialog": "dialog", "button": "button", "tab": "button", "heading": "heading",
}  # fmt: skip
_COUNTED_TAGS: dict[str, str] = {
    "p": "p", "li": "li", "article": "article", "main": "main", "h1": "h1", "h2": "h2 h3", "table": "table", "tr": "tr",
    "form": "form", "img": "img", "pre": "pre code", "time": "time", "input": "input button",
}  # fmt: skip
_ROLE_MARKS = {role: GROUPS.index(group) for role, group in _ROLE_GROUP.items()}
_BODY_PROPS = re.compile(
    r"articlebody|description|\btext\b|reviewbody|recipeinstructions|recipeingredient", re.IGNORECASE
)
_BODY_PROP = EVIDENCE.part["in_body_prop"].start - EVIDENCE.part["in_group"].start

TAG_KINDS = TAG_BOX.copy()
TAG_KINDS["group"] = 255
for _k, _name in enumerate(GROUPS):
    TAG_KINDS["group"][[TAG_CODE[tag] for tag in _GROUP_TAGS[_name].split()]] = _k
for _k, _name in enumerate(COUNTED):
    TAG_KINDS["counted"][[TAG_CODE[tag] for tag in _COUNTED_TAGS[_name].split()]] = 1 + _k
for _k, _name in enumerate(HELD):
    TAG_KINDS["held"][TAG_CODE[_name]] = 1 + _k


@dataclass(frozen=True, eq=False)
class Evidence:
    """The feature matrix of the blocks of some pages."""

    blocks: TextBlocks
    x: Floats32
    """[n_blocks x n_features], NaN where there is no such thing."""
    words: Floats
    """Words of each block: what a verdict on it weighs."""
    is_sentence: Bools
    """Per block: reads like prose."""
    geometry: Geometry
    names: tuple[str, ...] = EVIDENCE_NAMES
    """What the columns of `x` are called."""
    hashes: tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]] | tuple[None, None] = (None, None)
    """The words of blocks as numbers, and how many each has; none once they have been judged."""

    def only(self, names: tuple[str, ...]) -> Evidence:
        """The same with these columns alone: of many pages the others take more memory than all the rest of their tables."""
        return replace(self, x=self.x[:, [self.names.index(name) for name in names]], names=names, hashes=(None, None))

    @cached_property
    def pages(self) -> JudgedPages:
        """The same as the kernel that judges takes it."""
        b, rows = self.blocks, self.blocks.rows
        of = JudgedPages(
            rows.columns,
            rows.attrs,
            b.columns,
            b.node_block,
            rows.text,
            rows.site.strings,
            rows.n_pages,
            self.x,
            self.geometry.chain,
            self.geometry.alike,
            self.words,
            *self.hashes,
        )
        return native.judged_pages(of)

    def column(self, name: str) -> Floats32:
        """A column of `x`."""
        # Mending asks for many of them, and to look through four hundred names takes longer than most of its steps.
        return self.x[:, _PLACE[name] if self.names is EVIDENCE_NAMES else self.names.index(name)]


@lru_cache(maxsize=1024)
def _is_body_prop(value: str) -> bool:
    return _BODY_PROPS.search(value) is not None


def _about(site: Site, page: int) -> tuple[str, str]:
    """The page's title and its description: what it says it is about."""
    meta = site.pages.meta[page]
    return site.pages.title[page], meta.get("og:description") or meta.get("description") or ""


def gather(rows: Rows, use_names: bool = True, use_hints: bool = True) -> Evidence:
    """The evidence of the blocks of some pages.

    `use_names=False` leaves class and id names out (training blanks them at random); `use_hints=False` leaves
    out what the page says of its type (`og:type`, JSON-LD, words of the URL).
    """
    blocks = text_blocks(rows)
    urls, types = hint_bits(rows.site, rows.first_page, rows.last_page) if use_hints else (None, None)
    titles = rows.site.pages.title[rows.first_page : rows.last_page]
    about = tuple(text for p in range(rows.first_page, rows.last_page) for text in _about(rows.site, p))
    words_of_titles = tuple(frozenset(title.lower().split()) for title in titles)
    marks = native.marked_rows(rows.attrs, rows.site.strings, _ROLE_MARKS, _BODY_PROP, _is_body_prop)
    hints = PageHints(urls, types, words_of_titles, about, *marks)
    pages = PageTables(rows.columns, rows.attrs, blocks.columns, rows.text, rows.site.strings, rows.n_pages)
    words = Vocabulary(char_table(), TAG_KINDS, class_words() if use_names else None, cue_words())
    found = native.evidence(pages, words, hints)
    geometry = Geometry(blocks.page, blocks.first, rows.end, found.chain, found.alike, rows.n_pages)
    return Evidence(blocks, found.x, found.words, found.is_sentence, geometry, hashes=(found.hashes, found.n_hashes))
