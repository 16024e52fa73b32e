"""What a page says of its own blocks, as one matrix: a row per block, a column per feature.

All of it is array programs on the rows of some pages: counts of characters are prefix sums over the text,
sums over a subtree are prefix sums over rows, "inside a `<nav>`" is a prefix sum of openings minus closings.
What a *site* says of its blocks is in `siteevidence.py`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.chars import CharCounts
from sitegrain.models.blocks import Rows, TextBlocks, nearest, text_blocks
from sitegrain.models.words import CLASS_NAMES, CUE_NAMES, class_bits, cue_bits
from sitegrain.tables.columns import Bool, Int
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, TAGS, TEXT

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
_CUE_CHARS = 80
"""Longer blocks are prose: their words are no cues."""

_PAGE_WORDS = re.compile(
    r"(?P<forum>forum|thread|topic|viewtopic|showthread|question|discuss)|(?P<product>product|shop|item|/p/|/dp/|store|buy)|"
    r"(?P<doc>doc|wiki|api|guide|manual|reference|tutorial|help|learn)|(?P<list>categor|tag|collection|archive|search|list|"
    r"browse|topics|page)|(?P<news>blog|news|article|story|post|\d{4}/\d{2})|(?P<service>service|about|pricing|solution|"
    r"feature|contact|company|platform)"
)
_URL_FAMILIES = ("forum", "product", "doc", "list", "news", "service")
_LD_TYPES = ("article", "product", "forum", "qa", "list", "recipe", "organization", "webpage", "howto", "event")
_LD_PATTERN = re.compile(r'"@type"\s*:\s*\[?\s*"([^"]{1,60})"')


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
    inside: npt.NDArray[np.int32]
    """Per row: number of ancestors (and itself) in each group."""


class _Columns:
    def __init__(self, n: int) -> None:
        self.n = n
        self.names: list[str] = []
        self.columns: list[npt.NDArray[np.generic]] = []

    def add(self, name: str, column: npt.NDArray[np.generic]) -> None:
        self.names.append(name)
        self.columns.append(column)

    def matrix(self) -> F32:
        out = np.empty((self.n, len(self.columns)), np.float32)
        for k, column in enumerate(self.columns):
            out[:, k] = column
        return out


def _inside(rows: Rows, use_names: bool) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
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
    attrs = site.attrs
    lo, hi = np.searchsorted(attrs.node, [rows.start, rows.start + n])
    node, name, value = attrs.node[lo:hi] - rows.start, attrs.name[lo:hi], attrs.value[lo:hi]
    strings = site.strings
    bits = np.zeros(n, np.int64)
    # Loops over the different values of a page's class, id, role and itemprop: words are text.
    for code in (_ROLE, _ITEMPROP):
        mine = np.flatnonzero(name == code)
        for i, v in zip(node[mine].tolist(), value[mine].tolist(), strict=True):
            if code == _ROLE:
                found = _ROLE_GROUP.get(strings[v].strip().lower())
                if found is not None:
                    mark(np.array([i]), _GROUPS.index(found))
            elif _BODY_PROPS.search(strings[v]):
                mark(np.array([i]), _BODY_PROP_COL)
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
    size = (n + 1) * _N_INSIDE
    delta = np.bincount(opened * _N_INSIDE + column, minlength=size)
    delta -= np.bincount(rows.end[opened].astype(np.int64) * _N_INSIDE + column, minlength=size)
    return np.cumsum(delta.reshape(n + 1, _N_INSIDE)[:-1], axis=0, dtype=np.int32), bits


@lru_cache(maxsize=256)
def _url_bits(url: str) -> int:
    bits = 0
    for match in _PAGE_WORDS.finditer(url.partition("://")[2].partition("/")[2].lower()):
        bits |= 1 << _URL_FAMILIES.index(match.lastgroup or "")
    return bits


def _ld_bits(blobs: tuple[str, ...], og_type: str) -> int:
    found = {t.lower() for blob in blobs for t in _LD_PATTERN.findall(blob)}
    bits = 0
    for t in found | {og_type.lower()}:
        for k, key in enumerate(_LD_TYPES):
            if (
                key in t
                or (key == "article" and ("posting" in t and "forum" not in t))
                or (key == "forum" and "discussion" in t)
            ):
                bits |= 1 << k
    return bits


def json_ld_bodies(blobs: tuple[str, ...]) -> str:
    """The longest `articleBody`, `text`, `description` or `reviewBody` in a page's JSON-LD, or an empty string."""
    best = ""
    for blob in blobs:
        if len(blob) > 2_000_000:
            continue
        try:
            queue = [json.loads(blob, strict=False)]
        except (ValueError, RecursionError):
            continue
        steps = 0
        while queue and steps < 5_000:  # JSON-LD is hostile too
            item = queue.pop()
            steps += 1
            if isinstance(item, dict):
                for key in ("articleBody", "text", "description", "reviewBody"):
                    text = item.get(key)
                    if isinstance(text, str) and len(text) > len(best):
                        best = text
                queue.extend(v for v in item.values() if isinstance(v, dict | list))
            elif isinstance(item, list):
                queue.extend(v for v in item if isinstance(v, dict | list))
    return best


def _shift(column: F64, by: int, page: Int) -> F64:
    """The value of the block `by` places later (earlier if negative) on the same page, else NaN."""
    out = np.full(len(column), np.nan)
    if by > 0:
        out[:-by] = np.where(page[by:] == page[:-by], column[by:], np.nan)
    else:
        out[-by:] = np.where(page[:by] == page[-by:], column[:by], np.nan)
    return out


def _ratio(a: npt.NDArray[np.generic], b: npt.NDArray[np.generic]) -> F64:
    b = np.asarray(b, np.float64)
    return np.divide(a, b, out=np.zeros(len(b)), where=b > 0)


def gather(rows: Rows, use_names: bool = True, use_hints: bool = True) -> Evidence:
    """The evidence of the blocks of some pages.

    `use_names=False` leaves class and id names out (training blanks them at random); `use_hints=False` leaves
    out what the page says of its type (`og:type`, JSON-LD, words of the URL).
    """
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
    link_density = _ratio(linked, visible)
    is_sentence = (words >= 8) & (stops + commas >= 1) & (link_density < 0.4)
    text_rows_of = np.bincount(blocks.node_block[is_text], minlength=n).astype(np.float64)
    last_char = np.maximum(e - 1, s)
    ends_with_stop = (counts.stops[e] - counts.stops[np.maximum(e - 3, s)]) > 0
    add("words", words)
    add("visible", visible)
    add("link_density", link_density)
    add("linked", linked)
    add("stops", stops)
    add("commas", commas)
    add("stop_rate", _ratio(stops, words))
    add("comma_rate", _ratio(commas, words))
    add("upper_rate", _ratio(counts.upper[e] - counts.upper[s], visible))
    add("digit_rate", _ratio(counts.digits[e] - counts.digits[s], visible))
    add("symbol_rate", _ratio(counts.symbols[e] - counts.symbols[s], visible))
    add("wide_rate", _ratio(wide, visible))
    add("word_length", _ratio(visible, words))
    add("ends_with_stop", ends_with_stop)
    add("starts_upper", counts.upper[np.minimum(s + 2, counts.size)] - counts.upper[s])
    add("text_nodes", text_rows_of)
    del last_char
    box_tag = rows.tag[box]
    parent = np.where(rows.parent < 0, np.arange(len(rows)), rows.parent)
    add("tag", box_tag)
    add("parent_tag", rows.tag[parent[box]])
    add("grandparent_tag", rows.tag[parent[parent[box]]])
    add("first_parent_tag", rows.tag[parent[blocks.first]])
    add("depth", rows.depth[box])
    at_first = inside[blocks.first]
    for k, name in enumerate(_GROUPS):
        add(f"in_{name}", at_first[:, k])
    add("is_hidden", at_first[:, _HIDDEN_COL])
    add("is_aria_hidden", at_first[:, _ARIA_COL])
    add("in_body_prop", at_first[:, _BODY_PROP_COL])
    near = bits[box] | bits[parent[box]] | bits[parent[blocks.first]]
    further = near | bits[parent[parent[box]]] | bits[parent[parent[parent[box]]]]
    for k, name in enumerate(CLASS_NAMES):
        add(f"class_{name}", at_first[:, _CLASS_COL + k])
        add(f"near_{name}", (near >> k & 1) + (further >> k & 1))
    # Cue words of short blocks: a loop over short texts, because words are text.
    cues = np.zeros(n, np.int64)
    short = np.flatnonzero((visible <= _CUE_CHARS) & (visible > 0))
    text = rows.text
    cues[short] = [cue_bits(text[a:b]) for a, b in zip(s[short].tolist(), e[short].tolist(), strict=True)]
    for k, name in enumerate(CUE_NAMES):
        add(f"cue_{name}", cues >> k & 1)

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
    add("order_share", _ratio(order, page_blocks[page]))
    add("text_before", _ratio(before, page_visible[page]))
    add("sentences_before", _ratio(sentence_before, page_sentence[page]))
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
    for family in ("comment", "related"):
        # Blocks since the last short block with such a cue that is a heading or stands alone.
        cue = (cues >> CUE_NAMES.index(family) & 1 > 0) & (words <= 6) & (link_density < 0.5)
        last = np.maximum.accumulate(np.where(cue, index, -1)) if n else index
        last = np.where((last >= 0) & (page[last] == page), last, -1)
        add(f"since_{family}", np.where(last >= 0, index - last, np.nan))

    # --- its neighbours
    log_words = np.log1p(words)
    for by in (-3, -2, -1, 1, 2, 3):
        add(f"words_{by:+d}", _shift(log_words, by, page))
        if abs(by) < 3:
            add(f"links_{by:+d}", _shift(link_density, by, page))
            add(f"stops_{by:+d}", _shift(stops, by, page))
            add(f"sentence_{by:+d}", _shift(is_sentence.astype(np.float64), by, page))
    add("tag_-1", _shift(box_tag.astype(np.float64), -1, page))
    add("tag_+1", _shift(box_tag.astype(np.float64), 1, page))
    for width in (4, 12):
        prose = np.concatenate([[0.0], np.cumsum(visible * is_sentence)])
        every = np.concatenate([[0.0], np.cumsum(visible)])
        lo, hi = (
            np.maximum(index - width, page_first[page]),
            np.minimum(index + width + 1, page_first[page] + page_blocks[page].astype(int)),
        )
        add(f"prose_within_{width}", _ratio(prose[hi] - prose[lo], every[hi] - every[lo]))
        add(f"text_within_{width}", np.log1p(every[hi] - every[lo]))
    box_page_same = (np.diff(box, prepend=-1) == 0).astype(np.float64)
    add("same_box_as_-1", box_page_same)

    # --- its ancestors, each with more text than the one before
    span_visible = counts.visible[rows.text_end] - counts.visible[rows.text_start]
    grows = span_visible[parent] != span_visible
    grows |= rows.parent < 0
    top = nearest(rows.parent, grows)
    up = np.where(rows.parent[top] < 0, top, rows.parent[top])
    block_start = np.zeros(len(rows) + 1, np.int64)
    block_start[1:] = np.cumsum(np.bincount(blocks.first, minlength=len(rows)))
    sentence_prefix = np.concatenate([[0.0], np.cumsum(np.bincount(blocks.first, visible * is_sentence, len(rows)))])
    word_prefix = np.concatenate([[0.0], np.cumsum(np.bincount(blocks.first, words, len(rows)))])
    p_prefix = np.concatenate([[0], np.cumsum(rows.tag == _P)])
    li_prefix = np.concatenate([[0], np.cumsum(rows.tag == _LI)])
    a_prefix = np.concatenate([[0], np.cumsum(rows.tag == _A)])
    img_prefix = np.concatenate([[0], np.cumsum(rows.tag == _IMG)])
    like = _like_siblings(rows)
    # Siblings of the same tag that hold prose (posts, comments, cards): how many, and how much of it the others hold.
    has_prose = sentence_prefix[rows.end] > sentence_prefix[:-1][: len(rows)]
    family = (parent.astype(np.int64) << 8) | rows.tag
    _, family_of = np.unique(family, return_inverse=True)
    prose_siblings = np.bincount(family_of, has_prose)[family_of]
    prose_here = sentence_prefix[rows.end] - sentence_prefix[:-1][: len(rows)]
    family_prose = np.bincount(family_of, np.where(has_prose, prose_here, 0))[family_of]
    chain = [top[box]]
    for _ in range(_LEVELS - 1):
        chain.append(up[top[chain[-1]]])
    for k, at in enumerate(chain):
        end = rows.end[at]
        total = span_visible[at].astype(np.float64)
        prose = sentence_prefix[end] - sentence_prefix[at]
        inner_blocks = block_start[end] - block_start[at]
        add(f"up{k}_text", np.log1p(total))
        add(f"up{k}_share", _ratio(total, page_visible[page]))
        add(f"up{k}_links", _ratio(link_prefix[end] - link_prefix[at], total))
        add(f"up{k}_prose", _ratio(prose, total))
        add(f"up{k}_prose_share", _ratio(prose, page_sentence[page]))
        add(f"up{k}_blocks", np.log1p(inner_blocks))
        add(f"up{k}_block_words", _ratio(word_prefix[end] - word_prefix[at], inner_blocks))
        add(f"up{k}_tag", rows.tag[at])
        add(f"up{k}_like", like[at])
        add(f"up{k}_posts", np.log1p(prose_siblings[at]))
        add(f"up{k}_posts_share", _ratio(family_prose[at], page_sentence[page]))
        if k:
            add(f"up{k}_p", p_prefix[end] - p_prefix[at])
            add(f"up{k}_li", li_prefix[end] - li_prefix[at])
            add(f"up{k}_a", a_prefix[end] - a_prefix[at])
            add(f"up{k}_img", img_prefix[end] - img_prefix[at])
            add(
                f"up{k}_place",
                _ratio(
                    before - (counts.visible[rows.text_start[at]] - counts.visible[_page_text_start(rows)[page]]), total
                ),
            )
    # Prose that is named like comments or follows such a heading: all of a forum page, part of an article page.
    named_comment = at_first[:, _CLASS_COL + CLASS_NAMES.index("comment")] > 0
    after_comment = np.nan_to_num(out.columns[out.names.index("since_comment")], nan=-1) >= 0
    for name, mine in (("named", named_comment), ("after", after_comment)):
        prose = np.bincount(page, visible * is_sentence * mine, n_pages)
        add(f"comment_{name}_share", np.where(mine, 1, -1) * _ratio(prose, page_sentence)[page])
    # The smallest subtree that holds most of the page's prose, and where the block stands to it.
    sub_prose = sentence_prefix[rows.end] - sentence_prefix[:-1][: len(rows)]
    for part in (0.4, 0.7, 0.95):
        holds = sub_prose >= part * np.maximum(page_sentence[rows.page], 1e-9)
        best = np.minimum(rows.site.pages.node_offset[rows.first_page : rows.last_page] - rows.start, len(rows) - 1)
        at = np.flatnonzero(holds)
        best[rows.page[at]] = at  # the last such row in document order is the deepest on its path
        root = best[page]
        within = (blocks.first >= root) & (blocks.first < rows.end[root])
        add(f"in_prose_{part}", np.where(within, 1, np.where(blocks.first < root, -1, 0)))
        add(f"prose_{part}_share", _ratio(span_visible[root].astype(np.float64), page_visible[page]))
        add(f"prose_{part}_depth", rows.depth[box] - rows.depth[root])

    # --- the page
    page_words = np.bincount(page, words, n_pages)
    page_linked = np.bincount(page, linked, n_pages)
    page_longest = np.zeros(n_pages)
    np.maximum.at(page_longest, page, words * (link_density < 0.5))
    add("words_to_longest", _ratio(words, page_longest[page]))
    per_page: dict[str, npt.NDArray[np.generic]] = {
        # Few names with a known word: the names are scrambled, and say nothing.
        "page_named": _ratio(np.bincount(rows.page[bits > 0], minlength=n_pages), np.bincount(rows.page, minlength=n_pages)),
        "page_words": np.log1p(page_words),
        "page_blocks": np.log1p(page_blocks),
        "page_links": _ratio(page_linked, page_visible),
        "page_prose": _ratio(page_sentence, page_visible),
        "page_longest": page_longest,
        "page_sentences": np.bincount(page, is_sentence, n_pages),
        "page_block_words": _ratio(page_words, page_blocks),
    }
    kind = _COUNTED_TAG[rows.tag]
    tag_counts = np.bincount(rows.page * len(_COUNTED) + kind, minlength=n_pages * len(_COUNTED)).reshape(n_pages, -1)
    for k, name in enumerate(_COUNTED):
        if name != "rest":
            per_page[f"page_{name}"] = np.log1p(tag_counts[:, k])
    site = rows.site
    span = range(rows.first_page, rows.last_page)
    if use_hints:
        url_bits = np.array([_url_bits(site.pages.url[p]) for p in span], np.int64)
        ld_bits = np.array(
            [_ld_bits(site.pages.json_ld[p], site.pages.meta[p].get("og:type", "")) for p in span], np.int64
        )
    for k, name in enumerate(_URL_FAMILIES):
        per_page[f"url_{name}"] = url_bits >> k & 1 if use_hints else np.full(n_pages, np.nan)
    for k, name in enumerate(_LD_TYPES):
        per_page[f"ld_{name}"] = ld_bits >> k & 1 if use_hints else np.full(n_pages, np.nan)
    for name, column in per_page.items():
        add(name, column[page])
    _add_title_match(out, blocks, is_heading | (words <= 25))
    geometry = Geometry(page, blocks.first, rows.end, tuple(chain), n_pages)
    return Evidence(blocks, tuple(out.names), out.matrix(), words, is_sentence, geometry, inside)


def _page_text_start(rows: Rows) -> Int:
    roots = (rows.site.pages.node_offset[rows.first_page : rows.last_page] - rows.start).astype(np.int64)
    roots = np.minimum(roots, max(len(rows) - 1, 0))
    return rows.text_start[roots]


def _like_siblings(rows: Rows) -> F64:
    """Per row: log of the number of siblings with the same tag and class (itself included)."""
    site, n = rows.site, len(rows)
    cls = np.full(n, -1, np.int64)
    attrs = site.attrs
    lo, hi = np.searchsorted(attrs.node, [rows.start, rows.start + n])
    mine = attrs.name[lo:hi] == _CLASS
    cls[attrs.node[lo:hi][mine] - rows.start] = attrs.value[lo:hi][mine]
    # One number per (parent, tag, class): classes are below 2^28, tags below 2^8.
    parent = np.where(rows.parent < 0, np.arange(n), rows.parent).astype(np.int64)
    key = (parent << 36) | ((cls + 1) << 8) | rows.tag
    _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    return np.log1p(count[inverse])


def _add_title_match(out: _Columns, blocks: TextBlocks, candidates: Bool) -> None:
    """Share of a short block's words that are in the page's title: a loop over short blocks near the top."""
    rows = blocks.rows
    match = np.full(len(blocks), np.nan)
    titles = [frozenset(rows.site.pages.title[p].lower().split()) for p in range(rows.first_page, rows.last_page)]
    for b in np.flatnonzero(candidates & (out.columns[out.names.index("in_heading")] > 0)).tolist():
        title = titles[blocks.page[b]]
        if title:
            own = rows.text[blocks.text_start[b] : blocks.text_end[b]].lower().split()
            match[b] = sum(w in title for w in own) / max(len(own), 1)
    out.add("title_match", match)
