"""What a page says of its own blocks, as one matrix.

All of it is array programs on the rows of some pages: counts of characters are prefix sums over the text, sums over a subtree
are prefix sums over rows, "inside a `<nav>`" is a prefix sum of openings minus closings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import nearest, prefix_sum, subtree_sum
from sitegrain.arrays.types import Floats
from sitegrain.native.chars import CharCounts
from sitegrain.native.columns import (
    ATTRIBUTES,
    CLASSES,
    COUNTED,
    CUES,
    EVIDENCE,
    GROUPS,
    HELD,
    NUMBERS,
    TAGS,
    TYPES,
    URLS,
    bits_of,
)
from sitegrain.native.inputs import AttrColumns, PageHints, PageTables, RowColumns, Vocabulary
from sitegrain.native.reference.blocks.blocks import ratio, shift, window
from sitegrain.native.reference.blocks.lexicon import words_of_text
from sitegrain.native.reference.blocks.likeness import BlockCounts, alike_numbers, likeness_columns, text_numbers
from sitegrain.native.reference.blocks.topic import copies, run_columns, share, topics
from sitegrain.native.reference.strings.words import word_bits

Columns = dict[str, npt.NDArray[Any]]
Gathered = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    Floats,
    npt.NDArray[np.bool_],
    npt.NDArray[np.uint32],
    npt.NDArray[np.uint8],
]

_LEVELS, _DATE_WORDS = NUMBERS["LEVELS"], NUMBERS["DATE_WORDS"]
_CLASS, _ID = ATTRIBUTES.index("class"), ATTRIBUTES.index("id")
_H1 = TAGS.index("h1")
_NO_GROUP = 255
_ANCHOR, _HEADING = GROUPS.index("anchor"), GROUPS.index("heading")
_IS_HIDDEN, _IS_ARIA_HIDDEN = len(GROUPS), len(GROUPS) + 1
_FIRST_CLASS = len(GROUPS) + 3
"""Columns of "inside": groups, the three marks, families of class names."""
_N_INSIDE = _FIRST_CLASS + len(CLASSES)
_, _HIDDEN, _ARIA_HIDDEN = bits_of("ROW_BITS")
_PROSE_PARTS = (0.4, 0.7, 0.95)


def _unpacked(bits: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int64]:
    """[len(bits) x n]: the lowest bits."""
    return bits[:, None] >> np.arange(n) & 1


def _family_bits(
    n: int, attrs: AttrColumns, strings: tuple[str, ...], class_words: object | None
) -> npt.NDArray[np.int64]:
    """Per row: the families of words in its class and id names."""
    bits = np.zeros(n, np.int64)
    mine = np.flatnonzero((attrs.name == _CLASS) | (attrs.name == _ID))
    if class_words is not None and len(mine):
        different, inverse = np.unique(attrs.value[mine], return_inverse=True)
        of_value = word_bits([strings[v] for v in different.tolist()], class_words).astype(np.int64)  # type: ignore[arg-type]
        np.bitwise_or.at(bits, attrs.node[mine], of_value[inverse])
    return bits


def _open_around(
    rows: RowColumns, bits: npt.NDArray[np.int64], words: Vocabulary, hints: PageHints
) -> npt.NDArray[np.int16]:
    """[rows x columns of "inside"]: how many elements around a row, it included, are of each group or family."""
    n = len(rows.tag)
    group = words.tag_kinds["group"][rows.tag].astype(np.int64)
    grouped, named = np.flatnonzero(group != _NO_GROUP), np.flatnonzero(bits)
    which, family = np.nonzero(_unpacked(bits[named], len(CLASSES)))
    hidden, aria = np.flatnonzero(rows.flags & _HIDDEN), np.flatnonzero(rows.flags & _ARIA_HIDDEN)
    opened = np.concatenate([grouped, hidden, aria, hints.mark_row, named[which]])
    column = np.concatenate(
        [group[grouped], hidden * 0 + _IS_HIDDEN, aria * 0 + _IS_ARIA_HIDDEN, hints.mark_column, _FIRST_CLASS + family]
    )
    delta = np.zeros((n + 1) * _N_INSIDE, np.int16)
    np.add.at(delta, opened * _N_INSIDE + column, 1)
    np.subtract.at(delta, rows.end[opened].astype(np.int64) * _N_INSIDE + column, 1)
    return np.cumsum(delta.reshape(n + 1, _N_INSIDE)[:-1], axis=0, dtype=np.int16)


def _like_siblings(rows: RowColumns, attrs: AttrColumns) -> Floats:
    """Per row: log of the number of siblings with the same tag and class (itself included)."""
    n = len(rows.tag)
    cls = np.full(n, -1, np.int64)
    mine = attrs.name == _CLASS
    cls[attrs.node[mine]] = attrs.value[mine]
    # One number per (parent, tag, class): classes are below 2^28, tags below 2^8.
    parent = np.where(rows.parent < 0, np.arange(n), rows.parent).astype(np.int64)
    key = (parent << 36) | ((cls + 1) << 8) | rows.tag
    _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(np.log1p(count[inverse]))


def _last_seen(mask: npt.NDArray[np.bool_], page: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Per block: the last marked block up to it on its page, or -1."""
    last = np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1)) if len(mask) else np.zeros(0, np.int64)
    return np.where((last >= 0) & (page[last] == page), last, -1)


class _Page:
    """The evidence of some pages, group of columns by group."""

    def __init__(self, pages: PageTables, words: Vocabulary, hints: PageHints) -> None:
        self.rows, self.attrs, self.blocks, self.text, self.strings, self.n_pages = pages
        self.vocabulary, self.hints = words, hints
        rows, blocks = self.rows, self.blocks
        n_rows = len(rows.tag)
        self.page, self.n = blocks.page, len(blocks.page)
        self.index = np.arange(self.n)
        self.is_text = rows.tag == 0
        self.parent = np.where(rows.parent < 0, np.arange(n_rows), rows.parent)
        self.counts = counts = CharCounts(self.text, rows.text_start[self.is_text], words.char_kinds)
        self.bits = _family_bits(n_rows, self.attrs, self.strings, words.class_words)
        self.inside = _open_around(rows, self.bits, words, hints)
        self.at_first = self.inside[blocks.first]
        in_anchor = self.inside[:, _ANCHOR] > 0
        self.linked_row = np.where(
            self.is_text & in_anchor, counts.visible[rows.text_end] - counts.visible[rows.text_start], 0
        )
        linked = prefix_sum(self.linked_row)
        self.linked = (linked[blocks.last + 1] - linked[blocks.first]).astype(np.float64)
        self.visible, self.words = self.count(counts.visible), self.count(counts.words)
        self.stops, self.commas, self.wide = map(self.count, (counts.stops, counts.commas, counts.wide))
        self.link_density = ratio(self.linked, self.visible)
        self.is_sentence = (self.words >= 8) & (self.stops + self.commas >= 1) & (self.link_density < 0.4)
        self.prose = self.visible * self.is_sentence
        self.box_tag = rows.tag[blocks.box]
        self.is_heading = self.at_first[:, _HEADING] > 0
        # Cue words of short blocks.
        self.cues = np.zeros(self.n, np.int64)
        short = np.flatnonzero((self.visible <= NUMBERS["CUE_CHARS"]) & (self.visible > 0))
        spans = zip(blocks.text_start[short].tolist(), blocks.text_end[short].tolist(), strict=True)
        self.cues[short] = word_bits([self.text[a:b].lower() for a, b in spans], words.cue_words).astype(np.int64)  # type: ignore[arg-type]
        is_cue = (self.words <= 6) & (self.link_density < 0.5)  # a heading, or a line that stands alone
        self.last_comment, self.last_related = (
            _last_seen((self.cues >> CUES.index(family) & 1 > 0) & is_cue, self.page)
            for family in ("comment", "related")
        )
        self.heading = _last_seen(self.is_heading, self.page)
        self.is_h1 = self.is_heading & (self.box_tag == _H1)
        h1 = np.flatnonzero(self.is_h1)
        self.first_h1 = np.full(self.n_pages, -1)
        self.first_h1[self.page[h1][::-1]] = h1[::-1]
        # Sums over pages.
        self.page_first = np.searchsorted(self.page, np.arange(self.n_pages))
        self.page_blocks = np.bincount(self.page, minlength=self.n_pages).astype(np.float64)
        self.page_visible, self.page_prose, self.page_words = map(self.page_sum, (self.visible, self.prose, self.words))
        self.page_longest = np.zeros(self.n_pages)
        np.maximum.at(self.page_longest, self.page, self.words * (self.link_density < 0.5))
        self.page_row = np.minimum(np.searchsorted(rows.page, np.arange(self.n_pages)), max(n_rows - 1, 0))
        self.span_visible = counts.visible[rows.text_end] - counts.visible[rows.text_start]
        per_row = np.zeros(n_rows)
        per_row[blocks.first] = self.prose
        self.prose_here = subtree_sum(per_row, rows.end)
        self.chain = self.find_chain()

    def count(self, total: npt.NDArray[Any]) -> Floats:
        """Of a running count of characters, that of every block."""
        return np.asarray(total[self.blocks.text_end] - total[self.blocks.text_start], np.float64)

    def page_sum(self, values: npt.NDArray[Any]) -> Floats:
        return np.bincount(self.page, values, self.n_pages).astype(np.float64)

    def before(self, values: Floats) -> Floats:
        """The sum over the blocks of the same page that come before."""
        total = prefix_sum(values)[:-1]
        return total - total[np.minimum(self.page_first, max(self.n - 1, 0))][self.page] if self.n else total

    def find_chain(self) -> npt.NDArray[np.int32]:
        """[levels x blocks]: ancestors, each with more text than the one before."""
        grows = (self.span_visible[self.parent] != self.span_visible) | (self.rows.parent < 0)
        top = nearest(self.rows.parent, grows)
        up = np.where(self.rows.parent[top] < 0, top, self.rows.parent[top])
        chain = [top[self.blocks.box]]
        for _ in range(_LEVELS - 1):
            chain.append(up[top[chain[-1]]])
        return np.stack(chain).astype(np.int32)

    def own(self) -> Columns:
        """The block itself, and what is around it."""
        counts, rows, blocks, parent = self.counts, self.rows, self.blocks, self.parent
        s, e, box = blocks.text_start, blocks.text_end, blocks.box
        n_text = prefix_sum(self.is_text)
        above = parent[box]
        near = self.bits[box] | self.bits[above] | self.bits[parent[blocks.first]]
        further = near | self.bits[parent[above]] | self.bits[parent[parent[above]]]
        return {
            "words": self.words,
            "visible": self.visible,
            "link_density": self.link_density,
            "linked": self.linked,
            "stops": self.stops,
            "commas": self.commas,
            "stop_rate": ratio(self.stops, self.words),
            "comma_rate": ratio(self.commas, self.words),
            "upper_rate": ratio(counts.upper[e] - counts.upper[s], self.visible),
            "digit_rate": ratio(counts.digits[e] - counts.digits[s], self.visible),
            "symbol_rate": ratio(counts.symbols[e] - counts.symbols[s], self.visible),
            "wide_rate": ratio(self.wide, self.visible),
            "word_length": ratio(self.visible, self.words),
            "ends_with_stop": (counts.stops[e] - counts.stops[np.maximum(e - 3, s)]) > 0,
            "starts_upper": counts.upper[np.minimum(s + 2, counts.size)] - counts.upper[s],
            "text_nodes": n_text[blocks.last + 1] - n_text[blocks.first],
            "tag": self.box_tag,
            "parent_tag": rows.tag[above],
            "grandparent_tag": rows.tag[parent[above]],
            "first_parent_tag": rows.tag[parent[blocks.first]],
            "depth": rows.depth[box],
            "in_group": self.at_first[:, : len(GROUPS)],
            "is_hidden": self.at_first[:, _IS_HIDDEN],
            "is_aria_hidden": self.at_first[:, _IS_ARIA_HIDDEN],
            "in_body_prop": self.at_first[:, _FIRST_CLASS - 1],
            "in_class": self.at_first[:, _FIRST_CLASS:],
            "near_class": _unpacked(near, len(CLASSES)) + _unpacked(further, len(CLASSES)),
            "cue": _unpacked(self.cues, len(CUES)),
        }

    def place(self) -> Columns:
        """Where the block stands on its page, and its neighbours."""
        page, index = self.page, self.index
        order = index - self.page_first[page]
        heading = self.heading

        def since(last: npt.NDArray[np.int64]) -> Floats:
            return np.where(last >= 0, index - last, np.nan)

        around = np.stack(
            [np.log1p(self.words), self.link_density, self.stops, self.is_sentence.astype(float), self.box_tag], axis=1
        )
        prose, every = prefix_sum(self.prose), prefix_sum(self.visible)
        within = []
        for width in (4, 12):
            lo, hi = window(page, width)
            total = every[hi] - every[lo]
            within += [ratio(prose[hi] - prose[lo], total), np.log1p(total)]
        return {
            "order": order,
            "order_share": ratio(order, self.page_blocks[page]),
            "text_before": ratio(self.before(self.visible), self.page_visible[page]),
            "sentences_before": ratio(self.before(self.prose), self.page_prose[page]),
            "since_heading": since(heading),
            "heading_cues": np.where(heading >= 0, self.cues[heading] & 31, np.nan) if self.n else index,
            "heading_tag": np.where(heading >= 0, self.box_tag[heading], np.nan) if self.n else index,
            "since_h1": since(self.first_h1[page]),
            "since_comment": since(self.last_comment),
            "since_related": since(self.last_related),
            "three_before": shift(around[:, :1], -3, page),
            "two_before": shift(around[:, :4], -2, page),
            "one_before": shift(around, -1, page),
            "one_after": shift(around, 1, page),
            "two_after": shift(around[:, :4], 2, page),
            "three_after": shift(around[:, :1], 3, page),
            "within": np.stack(within, axis=1),
            "same_box_before": np.diff(self.blocks.box, prepend=-1) == 0,
        }

    def ancestors(self) -> Columns:
        """What the subtrees of the block's ancestors hold."""
        rows, blocks, page = self.rows, self.blocks, self.page
        # Per row, what its subtree holds, as one matrix of prefix sums.
        held = np.zeros((len(rows.tag) + 1, 4 + len(HELD)))
        held[1 + blocks.first, 0] = 1
        held[1 + blocks.first, 1] = self.prose
        held[1 + blocks.first, 2] = self.words
        held[1:, 3] = self.linked_row
        held[1:, 4:] = rows.tag[:, None] == [TAGS.index(tag) for tag in HELD]
        np.cumsum(held, axis=0, out=held)
        # Siblings of the same tag that hold prose (posts, comments, cards): how many, and how much of it they hold.
        family_key = (self.parent.astype(np.int64) << 8) | rows.tag
        _, family_of = np.unique(family_key, return_inverse=True)
        posts = np.bincount(family_of, self.prose_here > 0)
        family_prose = np.bincount(family_of, self.prose_here)
        at = self.chain.T
        n_blocks, prose, words, linked, *tags = np.moveaxis(held[rows.end[at]] - held[at], 2, 0)
        total = self.span_visible[at].astype(np.float64)
        divisor = np.maximum(total, 1e-9)
        prose_of_page = np.maximum(self.page_prose[page], 1e-9)[:, None]
        visible = self.counts.visible
        page_start = visible[rows.text_start[self.page_row]] if len(rows.tag) else np.zeros(self.n_pages)
        place = self.before(self.visible)[:, None] - (visible[rows.text_start[at]] - page_start[page][:, None])
        return {
            "up_text": np.log1p(total),
            "up_share": total / np.maximum(self.page_visible[page][:, None], 1e-9),
            "up_links": linked / divisor,
            "up_prose": prose / divisor,
            "up_prose_share": prose / prose_of_page,
            "up_blocks": np.log1p(n_blocks),
            "up_block_words": words / np.maximum(n_blocks, 1e-9),
            "up_tag": rows.tag[at],
            "up_like": _like_siblings(rows, self.attrs)[at],
            "up_posts": np.log1p(posts[family_of[at]]),
            "up_posts_share": family_prose[family_of[at]] / prose_of_page,
            **{f"up_{tag}": values[:, 1:] for tag, values in zip(HELD, tags, strict=True)},
            "up_place": (place / divisor)[:, 1:],
        }

    def most_prose(self) -> npt.NDArray[Any]:
        """Where the block stands to the smallest subtrees that hold most of the page's prose."""
        rows, page, first = self.rows, self.page, self.blocks.first
        columns: list[npt.NDArray[Any]] = []
        for part in _PROSE_PARTS:
            best = self.page_row.copy()
            holders = np.flatnonzero(self.prose_here >= part * np.maximum(self.page_prose[rows.page], 1e-9))
            best[rows.page[holders]] = holders  # the last such row in document order is the deepest on its path
            root = best[page]
            within = (first >= root) & (first < rows.end[root])
            columns += [
                np.where(within, 1, np.where(first < root, -1, 0)),
                ratio(self.span_visible[root].astype(np.float64), self.page_visible[page]),
                rows.depth[self.blocks.box] - rows.depth[root],
            ]
        return np.stack(columns, axis=1)

    def of_page(self) -> Columns:
        """Columns that all blocks of a page share."""
        rows, n_pages, hints = self.rows, self.n_pages, self.hints
        kinds = len(COUNTED) + 1
        counted = np.bincount(
            rows.page * kinds + self.vocabulary.tag_kinds["counted"][rows.tag], minlength=n_pages * kinds
        ).reshape(n_pages, kinds)

        def hinted(bits: npt.NDArray[np.int64] | None, n: int) -> npt.NDArray[Any]:
            return np.full((n_pages, n), np.nan) if bits is None else _unpacked(bits, n)

        columns: Columns = {
            # Few names with a known word: the names are scrambled, and say nothing.
            "page_named": ratio(
                np.bincount(rows.page[self.bits > 0], minlength=n_pages), np.bincount(rows.page, minlength=n_pages)
            ),
            "page_words": np.log1p(self.page_words),
            "page_blocks": np.log1p(self.page_blocks),
            "page_links": ratio(self.page_sum(self.linked), self.page_visible),
            "page_prose": ratio(self.page_prose, self.page_visible),
            "page_longest": self.page_longest,
            "page_sentences": self.page_sum(self.is_sentence),
            "page_block_words": ratio(self.page_words, self.page_blocks),
            "page_counted": np.log1p(counted[:, 1:]),
            "url": hinted(hints.urls, len(URLS)),
            "ld": hinted(hints.types, len(TYPES)),
        }
        return {name: values[self.page] for name, values in columns.items()}

    def comments(self, name: str, mine: npt.NDArray[np.bool_]) -> Columns:
        """Prose that is named like comments or follows such a heading: all of a forum page, part of an article page."""
        share = ratio(self.page_sum(self.prose * mine), self.page_prose)
        return {f"comment_{name}_share": np.where(mine, 1, -1) * share[self.page]}

    def title_match(self) -> Floats:
        """Share of a heading's words that are in the page's title: a loop over the headings."""
        match = np.full(self.n, np.nan)
        for b in np.flatnonzero(self.is_heading).tolist():
            if title := self.hints.titles[self.page[b]]:
                own = self.text[self.blocks.text_start[b] : self.blocks.text_end[b]].lower().split()
                match[b] = len([word for word in own if word in title]) / max(len(own), 1)
        return match

    def topic(self) -> Columns:
        """What the page is about, copies of the same text, dated lines, the longest run of prose."""
        blocks, heading = self.blocks, self.heading
        spans = zip(blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
        found = topics(
            [self.text[s:e] for s, e in spans],
            self.page,
            self.hints.about,
            self.first_h1,
            self.is_sentence,
            self.vocabulary.char_kinds,
        )
        digits = self.count(self.counts.digits)
        is_date = (self.words > 0) & (self.words <= _DATE_WORDS) & (digits > 0) & ~self.is_sentence
        at = self.chain[1:4].T
        first_block = np.searchsorted(blocks.first, np.arange(len(self.rows.tag) + 1))
        lo, hi = first_block[at], first_block[self.rows.end[at]]

        def under(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            total = prefix_sum(values)
            return np.asarray(total[hi] - total[lo])

        about = share(found.hits, found.rare)
        before, after = copies(text_numbers(self.text, blocks, self.visible), self.page)
        return {
            "about": about,
            "about_up": share(under(found.hits), under(found.rare)),
            "heading_about": np.where(heading >= 0, about[heading], np.nan) if self.n else about,
            "heading_links": np.where(heading >= 0, self.link_density[heading], np.nan) if self.n else about,
            "copies_before": before,
            "copies_after": after,
            "up_dates": np.log1p(under(is_date)),
            "h1s_before": self.before(self.is_h1.astype(np.float64)) + self.is_h1,
            "run": run_columns(self.words, self.is_sentence, self.page),
        }


def evidence(pages: PageTables, words: Vocabulary, hints: PageHints) -> Gathered:
    """`sitegrain.native.evidence`."""
    page = _Page(pages, words, hints)
    counts = BlockCounts(page.words, page.visible, page.link_density, page.is_sentence)
    alike = alike_numbers(page.rows, page.attrs, page.strings, page.blocks)
    columns: Columns = {
        **page.own(),
        **page.place(),
        **page.ancestors(),
        **page.comments("named", page.at_first[:, _FIRST_CLASS + CLASSES.index("comment")] > 0),
        **page.comments("after", page.last_comment >= 0),
        "most_prose": page.most_prose(),
        "words_to_longest": ratio(page.words, page.page_longest[page.page]),
        "alike": likeness_columns(alike, page.blocks, page.text, counts),
        **page.of_page(),
        "title_match": page.title_match(),
        **page.topic(),
    }
    spans = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    hashes = [words_of_text(page.text[s:e], words.char_kinds) for s, e in spans]
    of_words = np.array([h for own in hashes for h in own], np.uint32), np.array([*map(len, hashes)], np.uint8)
    return EVIDENCE.filled(columns, page.n), page.chain, alike, page.words, page.is_sentence, *of_words
