"""What the default extractor says of its blocks: a reason in words, the columns that a report shows, and kinds.

All of it is made when somebody asks: most users want the text only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.strings import SharedStrings
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints8, Ints64
from sitegrain.extractor.cues import CLASS_FAMILIES
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.lexicon import name_marks
from sitegrain.extractor.mending import REASONS
from sitegrain.extractor.stages import SITE_NAMES, site_block_columns
from sitegrain.methods.base import Blocks
from sitegrain.tables.tags import tag_mask

_BLOCK_KINDS = ("template", "content", "comments", "related", "author")
_KIND_WORDS = {
    "comments": (
        "comment",
        "reply",
        "replies",
        "-response",
        "disqus",
        "discussion",
        "guestbook",
        "kommentar",
        "comentario",
        "review",
    ),
    "form": ("respond", "comment-form", "commentform", "reply-form"),
    "newest": ("recent", "latest"),
    "related": tuple(CLASS_FAMILIES["related"].split()),
    "author": ("author", "-bio-", "byline", "contributor", "autor", "auteur"),
}
"""Parts of the names of elements, as in `CLASS_FAMILIES`. What is written to be answered to and lists of the newest comments are no comments."""
_IS_PAGE = tag_mask(("html", "body", "main"))


class Judged(NamedTuple):
    """The blocks of some pages and what was made of them."""

    evidence: Evidence
    given_site: Floats32 | None
    """What the site says of every block; None where there is no site."""
    score: Floats
    kept: Bools
    why: Ints8 | None = None
    """Per block: what was mended after the decision, as a place in `REASONS`; None for nothing."""

    @property
    def of_site(self) -> Floats32:
        """What the site says of every block: nothing where there is none."""
        return site_block_columns(self.evidence, None) if self.given_site is None else self.given_site


class Reasons(Sequence[str]):
    """The reasons of blocks, written when asked for."""

    def __init__(self, parts: Sequence[Judged]) -> None:
        self.parts = parts

    @cached_property
    def offset(self) -> Ints64:
        """Where each part begins, and where the last ends."""
        return np.asarray(prefix_sum(np.array([len(p.score) for p in self.parts], np.int64)), np.int64)

    def __len__(self) -> int:
        return int(self.offset[-1])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return [self[i] for i in range(start, stop, step)]
            spans = zip(self.parts, self.offset[:-1].tolist(), self.offset[1:].tolist(), strict=True)
            own = [(p, max(start - lo, 0), min(stop, hi) - lo) for p, lo, hi in spans if lo < stop and hi > start]
            return [reason for part, lo, hi in own for reason in _reasons(part, slice(lo, hi))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        part = int(np.searchsorted(self.offset, index, "right")) - 1
        at = int(index - self.offset[part])
        return _reasons(self.parts[part], slice(at, at + 1))[0]

    def __iter__(self) -> Iterator[str]:
        return (reason for part in self.parts for reason in _reasons(part, slice(None)))

    def shared(self) -> SharedStrings:
        """All of them, each different one written once: one for six to eight blocks of a forum and of a blog."""
        strings: list[str] = []
        which = [np.zeros(0, np.int64)]
        for part in self.parts:
            first, of_part = _alike(part)
            which.append(of_part + len(strings))
            strings += _reasons(part, first)
        return SharedStrings(strings, np.concatenate(which))


_SITE = {name: k for k, name in enumerate(SITE_NAMES)}


OWN_PAGES = 2
"""Pages that a text may be on and still be called a page's own: an article is also printed on one list, in the mean."""
_INSIDE = ("nav", "footer", "aside", "header", "form", "button", "dialog", "main", "article")
"""Elements around a block that are named, the first of these."""
_NAMED = {"dialog": "<dialog> or <details>"}
"""Those whose column holds another one, too."""
_PROSE = 3
"""The kind of block whose words are counted in its reason."""
TOLD_COLUMNS = (
    *(f"in_{name}" for name in _INSIDE), "words", "link_density", "in_heading", "near_comment", "is_hidden", "since_comment",
    "since_related",
)  # fmt: skip
"""What is asked of the evidence when blocks have been judged."""


def _said(judged: Judged, at: slice | Ints64) -> tuple[npt.NDArray[Any], ...]:
    """What the reasons of some blocks tell, by column, but for the score."""
    evidence, site = judged.evidence, judged.of_site[at]

    def column(name: str) -> Floats32:
        return evidence.column(name)[at]

    inside = np.stack([column(f"in_{name}") > 0 for name in _INSIDE], axis=1)
    words, score, kept = column("words"), judged.score[at], judged.kept[at]
    is_link = (column("link_density") >= 0.6) & (words > 0)
    place = np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
    kind = np.select(
        [is_link & (words > 3), is_link, evidence.is_sentence[at], column("in_heading") > 0], [1, 2, _PROSE, 4], 0
    )
    is_comment = (column("near_comment") > 0) & ~kept
    elsewhere = np.maximum(site[:, _SITE["site_same"]], site[:, _SITE["site_masked"]])
    has_site = ~np.isnan(site[:, 0])
    n_pages = np.expm1(np.nan_to_num(site[:, _SITE["site_same_count"]])).round()
    why = np.zeros(len(score), np.int8) if judged.why is None else judged.why[at]
    return (
        has_site, np.nan_to_num(elsewhere), n_pages, np.nan_to_num(site[:, _SITE["path_distinct"]], nan=-1.0), place, column("is_hidden") > 0, kind, np.where(kind == _PROSE, words, 0), is_comment, score == 1.0, why,
    )  # fmt: skip


def _reasons(judged: Judged, at: slice | Ints64) -> list[str]:
    """The reasons of some blocks: a sentence each, of what is found by column."""
    words_of = _Why()
    # One step a block: a sentence is text. Most blocks have what others have, but for the score.
    return [
        f"score {p:.2f}: {words_of[about]}"
        for p, about in zip(
            judged.score[at].tolist(), zip(*(c.tolist() for c in _said(judged, at)), strict=True), strict=True
        )
    ]


def _alike(judged: Judged) -> tuple[Ints64, Ints64]:
    """The first block of each different reason, and per block which of them it has."""
    hundredths = judged.score * 100
    # Which way a half goes when it is written is not told by the product.
    is_half = np.abs(hundredths - np.floor(hundredths) - 0.5) < 1e-6
    key = np.zeros(len(hundredths), np.uint64)
    for column in (np.where(is_half, judged.score, np.rint(hundredths)), *_said(judged, slice(None))):
        key = mix(key + column.astype(np.float64).view(np.uint64))
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return first, which.reshape(-1)


class _Why(dict[tuple[Any, ...], str]):
    """What decided, in words, by the columns of a block."""

    def __init__(self) -> None:
        super().__init__()
        self._share = _Percents()

    def __missing__(self, about: tuple[Any, ...]) -> str:
        known, shared, pages, distinct, where, hidden, what, n, comment, is_plain, mending = about
        said = []
        if known:
            if shared >= 0.05:
                said.append(f"on {self._share[shared]} of pages")
            elif distinct >= 0:  # not missing; and one that is missing is another each time that it is looked up
                text = f"on {pages:,.0f} pages" if pages > OWN_PAGES else "its own text"
                said.append(f"{text}, where {self._share[distinct]} of the texts differ")
        if where >= 0:
            said.append(f"inside {_NAMED.get(_INSIDE[where], f'<{_INSIDE[where]}>')}")
        if hidden:
            said.append("hidden")
        if what:
            said.append(("link list", "link", f"prose of {n:.0f} words", "heading")[what - 1])
        if comment:
            said.append("named like comments")
        if is_plain:
            said.append("a page of text only")
        if mending:
            said.append(REASONS[mending])
        text = self[about] = ", ".join(said) or "like what is around it"
        return text


class _Percents(dict[float, str]):
    """Shares as they are written: of pages, so that few differ, and writing a number takes longer than looking it up."""

    def __missing__(self, share: float) -> str:
        text = self[share] = f"{share:.0%}"
        return text


class _BlockEvidence(Mapping[str, npt.NDArray[Any]]):
    """The columns that a report shows, made when asked for."""

    def __init__(self, parts: Sequence[Judged]) -> None:
        self.parts = parts

    @cached_property
    def names(self) -> tuple[str, ...]:
        has_site = any(p.given_site is not None and not np.isnan(p.given_site[:, :1]).all() for p in self.parts)
        return ("words", "link_density", "kind", *(_SHOWN if has_site else ()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self.names:
            raise KeyError(name)
        if name == "words":
            return np.concatenate([p.evidence.words for p in self.parts])
        if name == "link_density":
            return np.concatenate([p.evidence.column(name) for p in self.parts])
        if name == "kind":
            return np.concatenate([block_kinds(p.evidence, p.kept) for p in self.parts])
        return np.concatenate([p.of_site[:, _SITE[name]] for p in self.parts])


_SHOWN = ("site_same", "site_masked", "path_pages", "path_distinct")


def judged_blocks(parts: Sequence[Judged]) -> Blocks:
    """The blocks of all parts, in their order."""
    if not parts:
        empty = np.zeros(0)
        return Blocks(empty.astype(np.int32), empty, empty.astype(bool), ())
    if len(parts) == 1:
        part = parts[0]
        box = part.evidence.blocks.box
        node = box + np.int32(part.evidence.blocks.rows.start) if part.evidence.blocks.rows.start else box
        return Blocks(node, part.score, part.kept, Reasons(parts), _BlockEvidence(parts))
    return Blocks(
        node=np.concatenate([p.evidence.blocks.box + p.evidence.blocks.rows.start for p in parts]).astype(np.int32),
        score=np.concatenate([p.score for p in parts]),
        is_informative=np.concatenate([p.kept for p in parts]),
        reason=Reasons(parts),
        evidence=_BlockEvidence(parts),
    )


def block_kinds(evidence: Evidence, kept: Bools) -> npt.NDArray[np.str_]:
    """Per block: content, template, comments, related or author: what `comments=True` and the report ask for.

    An element that is named so and holds nothing that is kept tells it: the names of the whole page (`wp-embed-responsive`, `comments-open`) tell nothing.
    Where no element is, comments are what follows their heading below the text. What is named so at the side is the page's only if nothing else is.
    """
    named = _within_named(evidence, kept)
    page, n = evidence.blocks.page, len(kept)
    in_form = named["form"] | (evidence.column("in_form") > 0)
    comments = named["comments"] & ~named["newest"] & ~in_form
    last = np.full(int(page.max(initial=-1)) + 1, -1)
    np.maximum.at(last, page[kept], np.flatnonzero(kept))
    has_names = np.bincount(page[comments], minlength=len(last)) > 0
    in_side = np.stack([evidence.column(f"in_{name}") > 0 for name in ("nav", "footer", "aside")]).any(axis=0)
    has_outside = np.bincount(page[comments & ~in_side], minlength=len(last)) > 0
    comments &= ~(in_side & has_outside[page])  # the newest ones of the site, beside those of the page
    is_after = (evidence.column("since_comment") >= 0) & (np.arange(n) > last[page])
    comments |= is_after & ~has_names[page] & ~in_side & ~in_form
    is_list = (evidence.column("since_related") >= 0) & (evidence.column("link_density") > 0.5)
    long_enough = evidence.words >= 3
    kind = np.select(
        [kept, comments & long_enough, named["author"] & ~named["newest"] & long_enough, named["related"] | is_list],
        [1, 2, 4, 3],
        0,
    )
    return np.asarray(np.array(_BLOCK_KINDS)[kind], np.str_)


def _within_named(evidence: Evidence, kept: Bools) -> dict[str, Bools]:
    """Per kind of `_KIND_WORDS` and block: in an element whose class or id has one of its words, and that holds nothing that is kept."""
    rows, first, marks = evidence.blocks.rows, evidence.blocks.first, name_marks(evidence)
    bits = native.word_bits(marks.names, _kind_matcher())[marks.value].astype(np.int64)
    some = np.flatnonzero((bits > 0) & ~_IS_PAGE[rows.tag[marks.row]])
    row, bits, n_kept = marks.row[some], bits[some], prefix_sum(kept)
    begin, end = np.searchsorted(first, (row, rows.end[row]))
    free = n_kept[end] == n_kept[begin]
    out: dict[str, Bools] = {}
    for k, kind in enumerate(_KIND_WORDS):
        mine = free & (bits >> k & 1 > 0)
        begun, ended = (np.bincount(at[mine], minlength=len(kept) + 1) for at in (begin, end))
        out[kind] = np.asarray(np.cumsum(begun - ended)[:-1] > 0, bool)
    return out


@cache
def _kind_matcher() -> object:
    words = [(word, 1 << k) for k, of_kind in enumerate(_KIND_WORDS.values()) for word in of_kind]
    return native.matcher(tuple(word for word, _ in words), np.array([bit for _, bit in words], np.uint64))
