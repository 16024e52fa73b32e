"""What a page says of its own blocks, as one matrix: a row per block, a column per feature.

All of it is array programs on the rows of some pages: counts of characters are prefix sums over the text,
sums over a subtree are prefix sums over rows, "inside a `<nav>`" is a prefix sum of openings minus closings.
What a *site* says of its blocks is in `siteevidence.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Bools as Bool
from sitegrain.arrays.types import Ints32 as Int
from sitegrain.extractor.blocks import IS_BLOCK_TAG, IS_INLINE_BOX, Rows, TextBlocks, nearest, rows_of, text_blocks
from sitegrain.extractor.cues import CLASS_NAMES, CUE_NAMES, class_bits, cue_bits, matchers
from sitegrain.extractor.hints import URL_FAMILIES, hint_bits
from sitegrain.extractor.likeness import LIKENESS_NAMES, likeness_columns
from sitegrain.native import extension
from sitegrain.tables.build import build_site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TAGS, TEXT
from sitegrain.text.chars import CharCounts, char_table
from sitegrain.text.jsonld import FAMILIES as LD_TYPES

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

_INSIDE: dict[str, tuple[str, ...]] = {
    "nav": ("nav",),
    "header": ("header",),
    "footer": ("footer",),
    "aside": ("aside",),
    "article": ("article",),
    "main": ("main",),
    "form": ("form",),
    "table": ("table",),
    "list": ("ul", "ol", "dl", "menu", "dir"),
    "section": ("section",),
    "figure": ("figure", "figcaption", "picture"),
    "button": ("button", "label", "select", "option", "textarea", "legend", "fieldset"),
    "pre": ("pre", "code"),
    "quote": ("blockquote", "q", "cite"),
    "anchor": ("a",),
    "dialog": ("dialog", "details", "summary"),
    "head": ("head",),
    "noscript": ("noscript",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "paragraph": ("p",),
    "svg": ("svg", "object", "video", "audio", "canvas", "map"),
}
_GROUPS = tuple(_INSIDE)
_ROLE_GROUP = {
    "navigation": "nav", "menu": "nav", "menubar": "nav", "banner": "header", "contentinfo": "footer",
    "complementary": "aside", "article": "article", "main": "main", "search": "form", "form": "form",
    "dialog": "dialog", "alertdialog": "dialog", "button": "button", "tab": "button", "heading": "heading",
}  # fmt: skip
_GROUP_OF_TAG = np.full(len(TAGS), -1, np.int64)
for _k, _tags in enumerate(_INSIDE.values()):
    for _tag in _tags:
        _GROUP_OF_TAG[TAG_CODE[_tag]] = _k
_N_GROUPS = len(_GROUPS)
# Further columns of the "inside" matrix after the tag groups.
_HIDDEN_COL, _ARIA_COL, _BODY_PROP_COL = _N_GROUPS, _N_GROUPS + 1, _N_GROUPS + 2
_CLASS_COL = _N_GROUPS + 3
_N_INSIDE = _CLASS_COL + len(CLASS_NAMES)
_CLASS, _ID, _ROLE, _ITEMPROP = (ATTRIBUTES.index(a) for a in ("class", "id", "role", "itemprop"))
_BODY_PROPS = re.compile(
    r"articlebody|description|\btext\b|reviewbody|recipeinstructions|recipeingredient", re.IGNORECASE
)
_P, _LI, _BODY, _H1, _IMG, _TD, _A = (TAG_CODE[t] for t in ("p", "li", "body", "h1", "img", "td", "a"))
_COUNTED: dict[str, tuple[str, ...]] = {
    "rest": (), "p": ("p",), "li": ("li",), "article": ("article",), "main": ("main",), "h1": ("h1",), "h2": ("h2", "h3"),
    "table": ("table",), "tr": ("tr",), "form": ("form",), "img": ("img",), "pre": ("pre", "code"), "time": ("time",),
    "input": ("input", "button"),
}  # fmt: skip
_COUNTED_TAG = np.zeros(len(TAGS), np.int64)
for _k, _tags in enumerate(_COUNTED.values()):
    for _tag in _tags:
        _COUNTED_TAG[TAG_CODE[_tag]] = _k
_LEVELS = 6
_CHAIN_TAGS = np.array([_P, _LI, _A, _IMG])
_AROUND = ("words", "links", "stops", "sentence", "tag")
_CLASS_SHIFT, _CUE_SHIFT = np.arange(len(CLASS_NAMES)), np.arange(len(CUE_NAMES))
_CUE_CHARS = 80
"""Longer blocks are prose: their words are no cues."""
_URL_SHIFT, _LD_SHIFT = np.arange(len(URL_FAMILIES)), np.arange(len(LD_TYPES))


@dataclass(frozen=True)
class Geometry:
    """Where blocks stand in the tree: what sums over neighbours and ancestors need."""

    page: Int
    """Per block, counted from 0."""
    first: Int
    """Per block: its first text row."""
    row_end: Int
    """Per row: end of its subtree."""
    chain: tuple[Int, ...]
    """Per level: the row of each block's ancestor, each holding more text than the one before."""
    n_pages: int


@dataclass(frozen=True)
class Evidence:
    """The feature matrix of the blocks of some pages."""

    blocks: TextBlocks
    names: tuple[str, ...]
    x: F32
    """[n_blocks x n_features], NaN where there is no such thing."""
    words: F64
    """Words of each block: what a verdict on it weighs."""
    is_sentence: Bool
    """Per block: reads like prose."""
    geometry: Geometry


class _Columns:
    """Columns of one matrix, added one by one or several at a time."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.names: list[str] = []
        self.parts: list[npt.NDArray[Any]] = []

    def add(self, name: str, column: npt.NDArray[Any]) -> None:
        self.names.append(name)
        self.parts.append(column)

    def add_all(self, names: Iterable[str], matrix: npt.NDArray[Any]) -> None:
        """Columns side by side, [n x len(names)]."""
        self.names.extend(names)
        self.parts.append(matrix)

    def matrix(self) -> F32:
        out = np.empty((self.n, len(self.names)), np.float32)
        at = 0
        for part in self.parts:
            if part.ndim == 1:
                out[:, at] = part
                at += 1
            else:
                out[:, at : at + part.shape[1]] = part
                at += part.shape[1]
        return out


@lru_cache(maxsize=1024)
def _role_column(value: str) -> int:
    group = _ROLE_GROUP.get(value.strip().lower())
    return -1 if group is None else _GROUPS.index(group)


@lru_cache(maxsize=1024)
def _prop_column(value: str) -> int:
    return _BODY_PROP_COL if _BODY_PROPS.search(value) else -1


def _inside(rows: Rows, use_names: bool) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Per row, how many ancestors (and itself) belong to each group; and the class bits of each row."""
    site, n = rows.site, len(rows)
    at_rows: list[npt.NDArray[np.integer]] = []
    at_columns: list[npt.NDArray[np.integer]] = []

    def mark(at: npt.NDArray[np.integer], column: npt.NDArray[np.integer] | int) -> None:
        at_rows.append(at)
        at_columns.append(np.broadcast_to(column, at.shape))

    group = _GROUP_OF_TAG[rows.tag]
    at = np.flatnonzero(group >= 0)
    mark(at, group[at])
    flags = site.nodes.flags[rows.start : rows.start + n]
    mark(np.flatnonzero(flags & 2), _HIDDEN_COL)
    mark(np.flatnonzero(flags & 4), _ARIA_COL)
    attrs, part = site.attrs, rows.attr_part
    node, name, value = attrs.node[part] - rows.start, attrs.name[part], attrs.value[part]
    strings = site.strings
    bits = np.zeros(n, np.int64)
    # A loop over the few role and itemprop attributes of a page: they are text.
    few = np.flatnonzero((name == _ROLE) | (name == _ITEMPROP))
    marked: list[tuple[int, int]] = []
    for i, code, v in zip(node[few].tolist(), name[few].tolist(), value[few].tolist(), strict=True):
        at_column = (_role_column if code == _ROLE else _prop_column)(strings[v])
        if at_column >= 0:
            marked.append((i, at_column))
    if marked:
        mark(np.array([i for i, _ in marked]), np.array([c for _, c in marked]))
    if use_names:
        mine = np.flatnonzero((name == _CLASS) | (name == _ID))
        used = value[mine]
        if len(used):
            different, inverse = np.unique(used, return_inverse=True)
            of_value = class_bits([strings[v] for v in different.tolist()])
            np.bitwise_or.at(bits, node[mine], of_value[inverse])
        named = np.flatnonzero(bits)
        if len(named):
            which, family = np.nonzero(bits[named, None] >> np.arange(len(CLASS_NAMES)) & 1)
            mark(named[which], _CLASS_COL + family)
    opened, column = np.concatenate(at_rows), np.concatenate(at_columns)
    delta = np.zeros((n + 1) * _N_INSIDE, np.int16)
    np.add.at(delta, opened * _N_INSIDE + column, 1)
    np.subtract.at(delta, rows.end[opened].astype(np.int64) * _N_INSIDE + column, 1)
    return np.cumsum(delta.reshape(n + 1, _N_INSIDE)[:-1], axis=0, dtype=np.int16), bits


def _shift_rows(matrix: F64, by: int, page: Int) -> F64:
    """`shift` of several columns at once."""
    out = np.full(matrix.shape, np.nan)
    if by > 0:
        same = page[by:] == page[:-by]
        out[:-by][same] = matrix[by:][same]
    else:
        same = page[:by] == page[-by:]
        out[-by:][same] = matrix[:by][same]
    return out


def shift(column: F64, by: int, page: Int) -> F64:
    """The value of the block `by` places later (earlier if negative) on the same page, else NaN."""
    out = np.full(len(column), np.nan)
    if by > 0:
        out[:-by] = np.where(page[by:] == page[:-by], column[by:], np.nan)
    else:
        out[-by:] = np.where(page[:by] == page[-by:], column[:by], np.nan)
    return out


def ratio(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> F64:
    return np.asarray(np.divide(a, b, out=np.zeros(len(b)), where=b > 0))


def gather(rows: Rows, use_names: bool = True, use_hints: bool = True) -> Evidence:
    """The evidence of the blocks of some pages.

    `use_names=False` leaves class and id names out (training blanks them at random); `use_hints=False` leaves
    out what the page says of its type (`og:type`, JSON-LD, words of the URL).
    """
    if extension is not None:
        return _gather_native(extension, rows, use_names, use_hints)
    return gather_python(rows, use_names, use_hints)


def gather_python(rows: Rows, use_names: bool = True, use_hints: bool = True) -> Evidence:
    """`gather` without the extension; it also says what the columns are called. A new column goes in here and, at the
    same place, into `_evidence.c` (or after all of its columns, to be filled here for both)."""
    blocks = text_blocks(rows)
    n = len(blocks)
    out = _Columns(n)
    add = out.add
    counts = CharCounts(rows.text, rows.text_start[rows.tag == TEXT])
    s, e = blocks.text_start, blocks.text_end
    page, box = blocks.page, blocks.box
    n_pages = rows.last_page - rows.first_page
    inside, bits = _inside(rows, use_names)
    is_text = rows.tag == TEXT

    # --- the block itself
    visible = (counts.visible[e] - counts.visible[s]).astype(np.float64)
    words = (counts.words[e] - counts.words[s]).astype(np.float64)
    stops = (counts.stops[e] - counts.stops[s]).astype(np.float64)
    commas = (counts.commas[e] - counts.commas[s]).astype(np.float64)
    wide = (counts.wide[e] - counts.wide[s]).astype(np.float64)
    row_visible = np.where(is_text, counts.visible[rows.text_end] - counts.visible[rows.text_start], 0)
    in_anchor = inside[:, _GROUPS.index("anchor")] > 0
    link_prefix = np.concatenate([[0], np.cumsum(np.where(in_anchor, row_visible, 0), dtype=np.int64)])
    linked = (link_prefix[blocks.last + 1] - link_prefix[blocks.first]).astype(np.float64)
    link_density = ratio(linked, visible)
    is_sentence = (words >= 8) & (stops + commas >= 1) & (link_density < 0.4)
    text_rows_of = np.bincount(blocks.node_block[is_text], minlength=n).astype(np.float64)
    ends_with_stop = (counts.stops[e] - counts.stops[np.maximum(e - 3, s)]) > 0
    add("words", words)
    add("visible", visible)
    add("link_density", link_density)
    add("linked", linked)
    add("stops", stops)
    add("commas", commas)
    add("stop_rate", ratio(stops, words))
    add("comma_rate", ratio(commas, words))
    add("upper_rate", ratio(counts.upper[e] - counts.upper[s], visible))
    add("digit_rate", ratio(counts.digits[e] - counts.digits[s], visible))
    add("symbol_rate", ratio(counts.symbols[e] - counts.symbols[s], visible))
    add("wide_rate", ratio(wide, visible))
    add("word_length", ratio(visible, words))
    add("ends_with_stop", ends_with_stop)
    add("starts_upper", counts.upper[np.minimum(s + 2, counts.size)] - counts.upper[s])
    add("text_nodes", text_rows_of)
    box_tag = rows.tag[box]
    parent = np.where(rows.parent < 0, np.arange(len(rows)), rows.parent)
    add("tag", box_tag)
    add("parent_tag", rows.tag[parent[box]])
    add("grandparent_tag", rows.tag[parent[parent[box]]])
    add("first_parent_tag", rows.tag[parent[blocks.first]])
    add("depth", rows.depth[box])
    at_first = inside[blocks.first]
    add_all = out.add_all
    add_all(
        (*(f"in_{name}" for name in _GROUPS), "is_hidden", "is_aria_hidden", "in_body_prop"), at_first[:, :_CLASS_COL]
    )
    above = parent[box]
    near = bits[box] | bits[above] | bits[parent[blocks.first]]
    further = near | bits[parent[above]] | bits[parent[parent[above]]]
    add_all((f"class_{name}" for name in CLASS_NAMES), at_first[:, _CLASS_COL:])
    add_all(
        (f"near_{name}" for name in CLASS_NAMES),
        (near[:, None] >> _CLASS_SHIFT & 1) + (further[:, None] >> _CLASS_SHIFT & 1),
    )
    # Cue words of short blocks: a loop over short texts, because words are text.
    cues = np.zeros(n, np.int64)
    short = np.flatnonzero((visible <= _CUE_CHARS) & (visible > 0))
    text = rows.text
    cues[short] = cue_bits([text[a:b] for a, b in zip(s[short].tolist(), e[short].tolist(), strict=True)])
    add_all((f"cue_{name}" for name in CUE_NAMES), cues[:, None] >> _CUE_SHIFT & 1)

    # --- its place on the page
    page_first = np.searchsorted(page, np.arange(n_pages))
    order = np.arange(n) - page_first[page]
    page_blocks = np.bincount(page, minlength=n_pages).astype(np.float64)
    page_visible = np.bincount(page, visible, n_pages)
    page_sentence = np.bincount(page, visible * is_sentence, n_pages)
    before = np.concatenate([[0.0], np.cumsum(visible)])[:-1]
    before -= before[np.minimum(page_first, max(n - 1, 0))][page] if n else 0
    sentence_before = np.concatenate([[0.0], np.cumsum(visible * is_sentence)])[:-1]
    sentence_before -= sentence_before[np.minimum(page_first, max(n - 1, 0))][page] if n else 0
    add("order", order)
    add("order_share", ratio(order, page_blocks[page]))
    add("text_before", ratio(before, page_visible[page]))
    add("sentences_before", ratio(sentence_before, page_sentence[page]))
    is_heading = at_first[:, _GROUPS.index("heading")] > 0
    index = np.arange(n)
    last_heading = np.maximum.accumulate(np.where(is_heading, index, -1)) if n else index
    last_heading = np.where((last_heading >= 0) & (page[last_heading] == page), last_heading, -1)
    add("since_heading", np.where(last_heading >= 0, index - last_heading, np.nan))
    add("heading_cues", np.where(last_heading >= 0, cues[last_heading] & 31, np.nan))
    add("heading_tag", np.where(last_heading >= 0, box_tag[last_heading], np.nan))
    h1 = np.flatnonzero(inside[blocks.first, _GROUPS.index("heading")] * (box_tag == _H1) > 0)
    first_h1 = np.full(n_pages, -1)
    first_h1[page[h1][::-1]] = h1[::-1]
    add("since_h1", np.where(first_h1[page] >= 0, index - first_h1[page], np.nan))
    after_comment = np.zeros(n, bool)
    for family in ("comment", "related"):
        # Blocks since the last short block with such a cue that is a heading or stands alone.
        cue = (cues >> CUE_NAMES.index(family) & 1 > 0) & (words <= 6) & (link_density < 0.5)
        last = np.maximum.accumulate(np.where(cue, index, -1)) if n else index
        last = np.where((last >= 0) & (page[last] == page), last, -1)
        add(f"since_{family}", np.where(last >= 0, index - last, np.nan))
        if family == "comment":
            after_comment = last >= 0

    # --- its neighbours
    around = np.stack(
        [np.log1p(words), link_density, stops, is_sentence.astype(np.float64), box_tag.astype(np.float64)], axis=1
    )
    names: list[str] = []
    parts: list[F64] = []
    for by in (-3, -2, -1, 1, 2, 3):
        wanted = ("words",) if abs(by) == 3 else ("words", "links", "stops", "sentence") if abs(by) == 2 else _AROUND
        names.extend(f"{name}_{by:+d}" for name in wanted)
        parts.append(_shift_rows(around[:, : len(wanted)], by, page))
    add_all(names, np.concatenate(parts, axis=1))
    prose_sum = np.concatenate([[0.0], np.cumsum(visible * is_sentence)])
    every_sum = np.concatenate([[0.0], np.cumsum(visible)])
    page_last = (page_first + np.bincount(page, minlength=n_pages))[page]
    for width in (4, 12):
        lo, hi = np.maximum(index - width, page_first[page]), np.minimum(index + width + 1, page_last)
        total = every_sum[hi] - every_sum[lo]
        add(f"prose_within_{width}", ratio(prose_sum[hi] - prose_sum[lo], total))
        add(f"text_within_{width}", np.log1p(total))
    box_page_same = (np.diff(box, prepend=-1) == 0).astype(np.float64)
    add("same_box_as_-1", box_page_same)

    # --- its ancestors, each with more text than the one before
    span_visible = counts.visible[rows.text_end] - counts.visible[rows.text_start]
    grows = span_visible[parent] != span_visible
    grows |= rows.parent < 0
    top = nearest(rows.parent, grows)
    up = np.where(rows.parent[top] < 0, top, rows.parent[top])
    # Per row, what its subtree holds, as one matrix of prefix sums.
    n_rows = len(rows)
    held = np.zeros((n_rows + 1, 8))
    held[1 + blocks.first, 0] = 1
    held[1 + blocks.first, 1] = visible * is_sentence
    held[1 + blocks.first, 2] = words
    held[1:, 3] = np.where(in_anchor, row_visible, 0)
    held[1:, 4:8] = rows.tag[:, None] == _CHAIN_TAGS
    np.cumsum(held, axis=0, out=held)
    sentence_prefix = held[:, 1]
    like = _like_siblings(rows)
    # Siblings of the same tag that hold prose (posts, comments, cards): how many, and how much of it they hold.
    prose_here = sentence_prefix[rows.end] - sentence_prefix[:-1]
    family_key = (parent.astype(np.int64) << 8) | rows.tag
    _, family_of = np.unique(family_key, return_inverse=True)
    prose_siblings = np.bincount(family_of, prose_here > 0)
    family_prose = np.bincount(family_of, prose_here)
    chain = [top[box]]
    for _ in range(_LEVELS - 1):
        chain.append(up[top[chain[-1]]])
    at = np.stack(chain, axis=1)  # [n_blocks x levels]
    sums = held[rows.end[at]] - held[at]  # [n_blocks x levels x what]
    total = span_visible[at].astype(np.float64)
    of_page = page_visible[page][:, None]
    prose_of_page = np.maximum(page_sentence[page], 1e-9)[:, None]
    divisor = np.maximum(total, 1e-9)
    place = before[:, None] - (
        counts.visible[rows.text_start[at]] - counts.visible[_page_text_start(rows)[page]][:, None]
    )
    per_level = (
        ("text", np.log1p(total)), ("share", total / np.maximum(of_page, 1e-9)), ("links", sums[:, :, 3] / divisor),
        ("prose", sums[:, :, 1] / divisor), ("prose_share", sums[:, :, 1] / prose_of_page), ("blocks", np.log1p(sums[:, :, 0])),
        ("block_words", sums[:, :, 2] / np.maximum(sums[:, :, 0], 1e-9)), ("tag", rows.tag[at]), ("like", like[at]),
        ("posts", np.log1p(prose_siblings[family_of[at]])), ("posts_share", family_prose[family_of[at]] / prose_of_page),
    )  # fmt: skip
    for name, values in per_level:
        add_all((f"up{k}_{name}" for k in range(_LEVELS)), values)
    for name, values in (
        ("p", sums[:, :, 4]),
        ("li", sums[:, :, 5]),
        ("a", sums[:, :, 6]),
        ("img", sums[:, :, 7]),
        ("place", place / divisor),
    ):
        add_all((f"up{k}_{name}" for k in range(1, _LEVELS)), values[:, 1:])
    # Prose that is named like comments or follows such a heading: all of a forum page, part of an article page.
    named_comment = at_first[:, _CLASS_COL + CLASS_NAMES.index("comment")] > 0
    for name, mine in (("named", named_comment), ("after", after_comment)):
        prose = np.bincount(page, visible * is_sentence * mine, n_pages)
        add(f"comment_{name}_share", np.where(mine, 1, -1) * ratio(prose, page_sentence)[page])
    # The smallest subtree that holds most of the page's prose, and where the block stands to it.
    for part in (0.4, 0.7, 0.95):
        holds = prose_here >= part * np.maximum(page_sentence[rows.page], 1e-9)
        best = np.minimum(rows.site.pages.node_offset[rows.first_page : rows.last_page] - rows.start, len(rows) - 1)
        held_by = np.flatnonzero(holds)
        best[rows.page[held_by]] = held_by  # the last such row in document order is the deepest on its path
        root = best[page]
        within = (blocks.first >= root) & (blocks.first < rows.end[root])
        add(f"in_prose_{part}", np.where(within, 1, np.where(blocks.first < root, -1, 0)))
        add(f"prose_{part}_share", ratio(span_visible[root].astype(np.float64), page_visible[page]))
        add(f"prose_{part}_depth", rows.depth[box] - rows.depth[root])

    # --- the page
    page_words = np.bincount(page, words, n_pages)
    page_linked = np.bincount(page, linked, n_pages)
    page_longest = np.zeros(n_pages)
    np.maximum.at(page_longest, page, words * (link_density < 0.5))
    add("words_to_longest", ratio(words, page_longest[page]))
    add_all(LIKENESS_NAMES, likeness_columns(blocks, words, visible, link_density, is_sentence))
    per_page: dict[str, npt.NDArray[np.generic]] = {
        # Few names with a known word: the names are scrambled, and say nothing.
        "page_named": ratio(
            np.bincount(rows.page[bits > 0], minlength=n_pages), np.bincount(rows.page, minlength=n_pages)
        ),
        "page_words": np.log1p(page_words),
        "page_blocks": np.log1p(page_blocks),
        "page_links": ratio(page_linked, page_visible),
        "page_prose": ratio(page_sentence, page_visible),
        "page_longest": page_longest,
        "page_sentences": np.bincount(page, is_sentence, n_pages),
        "page_block_words": ratio(page_words, page_blocks),
    }
    kind = _COUNTED_TAG[rows.tag]
    tag_counts = np.bincount(rows.page * len(_COUNTED) + kind, minlength=n_pages * len(_COUNTED))
    tag_counts = tag_counts.reshape(n_pages, len(_COUNTED))
    for k, name in enumerate(_COUNTED):
        if name != "rest":
            per_page[f"page_{name}"] = np.log1p(tag_counts[:, k])
    if use_hints:
        url_bits, ld_bits = hint_bits(rows.site, rows.first_page, rows.last_page)
    unknown = np.full((n_pages, 1), np.nan)
    of_pages = np.stack(list(per_page.values()), axis=1)
    add_all(per_page, of_pages[page])
    add_all(
        (f"url_{name}" for name in URL_FAMILIES),
        (url_bits[:, None] >> _URL_SHIFT & 1)[page] if use_hints else np.repeat(unknown, len(URL_FAMILIES), 1)[page],
    )
    add_all(
        (f"ld_{name}" for name in LD_TYPES),
        (ld_bits[:, None] >> _LD_SHIFT & 1)[page] if use_hints else np.repeat(unknown, len(LD_TYPES), 1)[page],
    )
    add("title_match", _title_match(blocks, is_heading))
    geometry = Geometry(page, blocks.first, rows.end, tuple(chain), n_pages)
    return Evidence(blocks, tuple(out.names), out.matrix(), words, is_sentence, geometry)


def _page_text_start(rows: Rows) -> Int:
    roots = (rows.site.pages.node_offset[rows.first_page : rows.last_page] - rows.start).astype(np.int64)
    roots = np.minimum(roots, max(len(rows) - 1, 0))
    return rows.text_start[roots]


def _like_siblings(rows: Rows) -> F64:
    """Per row: log of the number of siblings with the same tag and class (itself included)."""
    n = len(rows)
    cls = np.full(n, -1, np.int64)
    row, value = rows.named(_CLASS)
    cls[row] = value
    # One number per (parent, tag, class): classes are below 2^28, tags below 2^8.
    parent = np.where(rows.parent < 0, np.arange(n), rows.parent).astype(np.int64)
    key = (parent << 36) | ((cls + 1) << 8) | rows.tag
    _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(np.log1p(count[inverse]))


def _title_match(blocks: TextBlocks, candidates: Bool) -> F64:
    """Share of a heading's words that are in the page's title: a loop over the headings."""
    rows = blocks.rows
    match = np.full(len(blocks), np.nan)
    titles = [frozenset(rows.site.pages.title[p].lower().split()) for p in range(rows.first_page, rows.last_page)]
    at = np.flatnonzero(candidates)
    spans = (c[at].tolist() for c in (blocks.page, blocks.text_start, blocks.text_end))
    for b, page, start, end in zip(at.tolist(), *spans, strict=True):
        if title := titles[page]:
            own = rows.text[start:end].lower().split()
            match[b] = len([w for w in own if w in title]) / max(len(own), 1)
    return match


# --- the same by the extension

_TAG_TABLE = np.zeros((len(TAGS), 4), np.uint8)
_TAG_TABLE[:, 0] = np.where(_GROUP_OF_TAG < 0, 255, _GROUP_OF_TAG)
_TAG_TABLE[:, 1] = _COUNTED_TAG
_TAG_TABLE[:, 2] = np.where(IS_BLOCK_TAG, 1, np.where(IS_INLINE_BOX, 2, 0))
_TAG_TABLE[_CHAIN_TAGS, 3] = 1 + np.arange(len(_CHAIN_TAGS))


@lru_cache(maxsize=1)
def evidence_names() -> tuple[str, ...]:
    """The names of the columns, as `gather_python` gives them."""
    return gather_python(rows_of(build_site([]), 0, 0)).names


@lru_cache(maxsize=1)
def _codes() -> npt.NDArray[np.int32]:
    return np.array(
        [
            TAG_CODE["br"], TAG_CODE["hr"], _H1, _CLASS, _ID, _ROLE, _ITEMPROP,
            _GROUPS.index("anchor"), _GROUPS.index("heading"), _HIDDEN_COL, _ARIA_COL,
            _CLASS_COL, len(CLASS_NAMES), CLASS_NAMES.index("comment"),
            len(CUE_NAMES), CUE_NAMES.index("comment"), CUE_NAMES.index("related"), _CUE_CHARS,
            len(_COUNTED), len(URL_FAMILIES), len(LD_TYPES), len(evidence_names()),
        ],
        np.int32,
    )  # fmt: skip


def _gather_native(native: ModuleType, rows: Rows, use_names: bool, use_hints: bool) -> Evidence:
    site, n_rows, n_pages = rows.site, len(rows), rows.last_page - rows.first_page
    attrs, part = site.attrs, rows.attr_part
    class_words, cue_words = matchers()
    hints = hint_bits(site, rows.first_page, rows.last_page) if use_hints else (None, None)
    columns = (
        rows.tag, rows.parent, rows.end, rows.depth, rows.page, rows.text_start, rows.text_end,
        site.nodes.flags[rows.start : rows.start + n_rows], attrs.node[part], attrs.name[part], attrs.value[part],
        char_table(), _TAG_TABLE, _codes(), *hints,
    )  # fmt: skip
    found = native.evidence(
        columns, rows.text, site.strings, rows.start, n_pages, class_words if use_names else None, cue_words,
        _role_column, _prop_column,
    )  # fmt: skip
    names = evidence_names()
    node_block, box, page, first, last, text_start, text_end = (np.frombuffer(c, np.int32) for c in found[2:9])
    blocks = TextBlocks(rows, node_block, box, page, first, last, text_start, text_end)
    n = len(box)
    x = np.frombuffer(found[0], np.float32).reshape(n, len(names))
    x[:, -1] = _title_match(blocks, x[:, names.index("in_heading")] > 0)
    chain = np.frombuffer(found[1], np.int32).reshape(_LEVELS, n)
    geometry = Geometry(page, first, rows.end, tuple(chain), n_pages)
    return Evidence(blocks, names, x, np.frombuffer(found[9], np.float64), np.frombuffer(found[10], np.bool_), geometry)
