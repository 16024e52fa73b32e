"""Segments of a page and the sentences in them: the units of the site style tree with sentences.

Rules (section 3.1 of the paper), walking the DOM from its leaves up: a node and all its siblings that are leaves
with the same tag become one; a node with one child absorbs it. In arrays no walk is needed: a node becomes
a leaf exactly when no node at or below it has children of different tags.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from sentencex import segment as cut_sentences

from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.trees.preorder import nearest, prefix_sum, subtree_count, under
from sitegrain.arrays.types import Bools, Hashes, Ints64
from sitegrain.native import string_hashes
from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, TAGS
from sitegrain.text.terms import terms_of_words
from sitegrain.text.words import cut_words

_BLOCK_CODES = np.array([TAG_CODE[t] for t in sorted(BLOCK_TAGS) if t in TAG_CODE], np.int16)
_TEXT_LABEL = string_hashes(TAGS[:1])[0]


@dataclass(frozen=True)
class Segments:
    """One row per segment, in document order. Rows without text are in no segment of their own."""

    row: Ints64
    """First row of the node table."""
    end: Ints64
    """Rows of the segment are row:end."""
    page: Ints64
    parent: Ints64
    """Segment that holds this one, -1 for a page's root."""
    label: Hashes
    """Tag and display attributes; what was merged or absorbed adds nothing."""
    is_leaf: Bools
    run: Ints64
    """Per row of the node table: which run of text a text node belongs to, -1 for elements."""

    def __len__(self) -> int:
        return len(self.row)


def page_segments(site: Site, labels: Hashes, phrases: bool = True) -> Segments:
    """Cut every page into segments.

    With `phrases`, inline markup is part of the text around it: a run of text and inline elements (`<b>`, `<a>`,
    `<br>`) between two block elements is one leaf, so that a link does not cut its sentence out. Without, every
    text node is a leaf of its own, as the paper's words say.
    """
    nodes = site.nodes
    n = site.n_nodes
    has_text = nodes.text_end > nodes.text_start
    is_block = np.isin(nodes.tag, _BLOCK_CODES)
    if phrases:
        is_phrase = has_text & (subtree_count(is_block, nodes.end) == 0)
    else:
        is_phrase = site.is_text & has_text
    parent = np.asarray(nodes.parent, np.int64)
    above = np.where(parent >= 0, parent, n)
    top = np.flatnonzero(is_phrase & ~np.append(is_phrase, False)[above])
    # A run goes on while the parent is the same and no block stands between (without phrases: it never does).
    blocks = prefix_sum(is_block)
    goes_on = np.zeros(len(top), np.bool_)
    if phrases and len(top):
        before = top[:-1]
        ends = np.asarray(nodes.end, np.int64)[before]
        # Siblings: the earlier one's subtree ends at or before the later one, under the same parent.
        goes_on[1:] = (parent[before] == parent[top[1:]]) & (blocks[top[1:]] == blocks[ends]) & (parent[before] >= 0)
    first = np.flatnonzero(~goes_on)
    run_of_top = np.cumsum(~goes_on) - 1
    run = np.full(n, -1, np.int64)
    covered = nearest(parent, np.isin(np.arange(n), top))
    texts = np.flatnonzero(site.is_text & has_text)
    place = np.full(n, -1, np.int64)
    place[top] = run_of_top
    run[texts] = place[covered[texts]]
    run_size = np.diff(np.append(first, len(top)))
    run_row = top[first]
    run_end = np.asarray(nodes.end, np.int64)[top[np.append(first[1:], len(top)) - 1]] if len(top) else run_row
    single = run_size == 1
    run_tag = np.where(single, nodes.tag[run_row], 0)
    run_label = np.where(single, labels[run_row], _TEXT_LABEL)

    # The reduced tree: inner nodes (elements with text that are no phrase) and runs.
    is_inner = has_text & ~is_phrase
    inner = np.flatnonzero(is_inner)
    kid_parent = np.concatenate([parent[inner], parent[run_row]])
    kid_tag = np.concatenate([nodes.tag[inner], run_tag]).astype(np.int64)
    ok = kid_parent >= 0
    least, most = np.full(n, len(TAGS)), np.full(n, -1)
    np.minimum.at(least, kid_parent[ok], kid_tag[ok])
    np.maximum.at(most, kid_parent[ok], kid_tag[ok])
    n_kids = np.bincount(kid_parent[ok], minlength=n)
    uneven = is_inner & (least != most)
    becomes_leaf = is_inner & (subtree_count(uneven, nodes.end) == 0)
    inside_leaf = under(becomes_leaf, nodes.end, strictly=True)
    only_child = np.append(n_kids == 1, False)[above]
    seg_inner = inner[~inside_leaf[inner] & ~(only_child[inner])]
    run_alone = inside_leaf[run_row] | only_child[run_row]
    own_run = np.flatnonzero(~run_alone)

    row = np.concatenate([seg_inner, run_row[own_run]])
    order = np.argsort(row, kind="stable")
    row = row[order]
    end = np.concatenate([np.asarray(nodes.end, np.int64)[seg_inner], run_end[own_run]])[order]
    is_run = np.concatenate([np.zeros(len(seg_inner), np.bool_), np.ones(len(own_run), np.bool_)])[order]
    label = np.concatenate([labels[seg_inner], run_label[own_run]])[order]
    is_seg = np.zeros(n, np.bool_)
    is_seg[row[~is_run]] = True
    number = np.full(n + 1, -1, np.int64)
    number[row[~is_run]] = np.flatnonzero(~is_run)
    up = nearest(parent, is_seg, strictly=True)[row]
    return Segments(
        row=row,
        end=end,
        page=nodes.page[row].astype(np.int64),
        parent=number[up],
        label=label,
        is_leaf=is_run | becomes_leaf[row],
        run=run,
    )


@dataclass(frozen=True)
class Sentences:
    """The sentences of a site, in document order; every character of text is in exactly one."""

    page: Ints64
    start: Ints64
    """First character in the page's text."""
    end: Ints64
    segment: Ints64
    """The leaf segment that holds it."""
    term_offset: Ints64
    """Term occurrences of sentence i are term[term_offset[i]:term_offset[i+1]]."""
    term: Ints64
    """Ids in `vocabulary`."""
    vocabulary: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.page)


def page_sentences(site: Site, segments: Segments, language: str) -> Sentences:
    """Cut the text of every leaf segment into sentences with their terms.

    A sentence never crosses a block element, a `<br>` or a segment. Text without sentence marks is one
    sentence. A text that repeats is cut once.
    """
    nodes = site.nodes
    rows = np.flatnonzero(segments.run >= 0)
    is_break = prefix_sum(np.asarray(nodes.tag == TAG_CODE["br"]))
    spaced = prefix_sum((nodes.flags & SPACE_BEFORE) > 0)
    leaf = _leaf_of_rows(site, segments, rows)
    new = np.ones(len(rows), np.bool_)
    new[1:] = (
        (segments.run[rows[1:]] != segments.run[rows[:-1]])
        | (is_break[rows[1:]] != is_break[rows[:-1]])
        | (leaf[1:] != leaf[:-1])
    )
    gap = np.zeros(len(rows), np.bool_)
    gap[1:] = spaced[rows[1:] + 1] > spaced[rows[:-1] + 1]
    unit_start = np.flatnonzero(new)
    cutter = _Cutter(language)
    starts, ends = nodes.text_start[rows].tolist(), nodes.text_end[rows].tolist()
    pages, gaps = nodes.page[rows].tolist(), gap.tolist()
    texts = site.texts
    which: list[int] = []
    stops: list[int] = []  # in the page's text, where each sentence of each unit ends
    bounds = np.append(unit_start, len(rows)).tolist()
    for i, j in pairwise(bounds):
        text = texts[pages[i]]
        holes: list[int] = []  # where, in the joined text, a space was put that the page's text lacks
        if j == i + 1 or not any(gaps[i + 1 : j]):
            joined = text[starts[i] : ends[j - 1]]
        else:
            parts, size = [text[starts[i] : ends[i]]], ends[i] - starts[i]
            for k in range(i + 1, j):
                if gaps[k]:
                    parts.append(" ")
                    holes.append(size)
                    size += 1
                parts.append(text[starts[k] : ends[k]])
                size += ends[k] - starts[k]
            joined = "".join(parts)
        unit = cutter.cut(joined)
        which.append(unit)
        if holes:
            at = np.asarray(cutter.ends[unit])
            stops += (starts[i] + at - np.searchsorted(holes, at)).tolist()
        else:
            stops += [starts[i] + e for e in cutter.ends[unit]]
    return _assemble(site, cutter, np.asarray(which, np.int64), stops, rows[unit_start], leaf[unit_start])


def _assemble(
    site: Site,
    cutter: _Cutter,
    which: Ints64,
    stops: list[int],
    first_row: npt.NDArray[np.signedinteger[Any]],
    leaf: Ints64,
) -> Sentences:
    per_unit = np.array([len(e) for e in cutter.ends], np.int64)
    n = per_unit[which] if len(which) else np.zeros(0, np.int64)
    end = np.asarray(stops, np.int64)
    start = np.empty_like(end)
    start[1:] = end[:-1]
    unit_offset = offsets(n)
    start[unit_offset[:-1]] = site.nodes.text_start[first_row]
    # Terms: per different unit a slice of sentences, per sentence a slice of terms.
    sizes = np.asarray(cutter.sizes, np.int64)
    sentence = take_segments(np.arange(len(sizes)), offsets(per_unit), which)
    term = take_segments(np.asarray(cutter.terms, np.int64), offsets(sizes), sentence)
    return Sentences(
        page=np.repeat(site.nodes.page[first_row].astype(np.int64), n),
        start=start,
        end=end,
        segment=np.repeat(leaf, n),
        term_offset=offsets(sizes[sentence] if len(sentence) else np.zeros(0, np.int64)),
        term=term.astype(np.int64),
        vocabulary=tuple(cutter.vocabulary),
    )


def _leaf_of_rows(site: Site, segments: Segments, rows: npt.NDArray[np.signedinteger[Any]]) -> Ints64:
    """The leaf segment of each text row: leaves are disjoint slices of rows that cover all text."""
    leaves = np.flatnonzero(segments.is_leaf)
    at = np.searchsorted(segments.row[leaves], rows, "right") - 1
    return leaves[at] if len(rows) else np.zeros(0, np.int64)


class _Cutter:
    """Cuts texts into sentences and terms, every different text once."""

    def __init__(self, language: str) -> None:
        self._language = language or "en"
        self._term_of = terms_of_words(language, numbers=False)
        self._known: dict[str, int] = {}
        self._units: dict[str, int] = {}
        self.vocabulary: dict[str, int] = {}
        self.ends: list[list[int]] = []
        """Per different text the ends of its sentences."""
        self.sizes: list[int] = []
        """Per sentence of the different texts its number of terms."""
        self.terms: list[int] = []

    def cut(self, text: str) -> int:
        """The number of a text."""
        known = self._units.get(text)
        if known is not None:
            return known
        self._units[text] = len(self.ends)
        ends: list[int] = []
        at = 0
        for sentence in _sentences(self._language, text):
            at += len(sentence)
            ends.append(at)
            before = len(self.terms)
            self._add_terms(sentence)
            self.sizes.append(len(self.terms) - before)
        self.ends.append(ends)
        return len(self.ends) - 1

    def _add_terms(self, sentence: str) -> None:
        for word in cut_words(sentence):
            number = self._known.get(word)
            if number is None:
                term = self._term_of[word]
                number = self._known[word] = self.vocabulary.setdefault(term, len(self.vocabulary)) if term else -1
            if number >= 0:
                self.terms.append(number)


def _sentences(language: str, text: str) -> list[str]:
    """The sentences of a text, which joined are the text; pieces of white space go with what is before."""
    parts = [p for p in cut_sentences(language, text) if p]
    if "".join(parts) != text:
        # Never seen; a text that cannot be cut without loss stays whole.
        return [text]
    out: list[str] = []
    for part in parts:
        if out and not part.strip():
            out[-1] += part
        else:
            out.append(part)
    return out
