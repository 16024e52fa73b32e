"""What the default extractor says of its blocks: a reason in words, the columns that a report shows, and kinds.

All of it is made when somebody asks: most users want the text only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.lexicon import LEVEL_ENDS, chains, name_marks
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.methods.base import Blocks

_BLOCK_KINDS = ("template", "content", "comments", "related", "author")
_AUTHOR_WORDS = ("author", "-bio-", "byline", "contributor", "autor", "auteur")
"""Parts of the names of author boxes."""


class Judged(NamedTuple):
    """The blocks of some pages and what was made of them."""

    evidence: Evidence
    of_site: Floats32
    """What the site says of every block."""
    score: Floats
    kept: Bools


class _Reasons(Sequence[str]):
    """The reasons of blocks, written when asked for."""

    def __init__(self, parts: Sequence[Judged]) -> None:
        self.parts = parts
        self.offset = prefix_sum(np.array([len(p.score) for p in parts], np.int64))

    def __len__(self) -> int:
        return int(self.offset[-1])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        part = int(np.searchsorted(self.offset, index, "right")) - 1
        return _reason(self.parts[part], int(index - self.offset[part]))

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))


_SITE = {name: k for k, name in enumerate(SITE_NAMES)}


def _reason(judged: Judged, block: int) -> str:
    evidence, site, score, kept = judged

    def value(name: str) -> float:
        return float(evidence.column(name)[block])

    said: list[str] = []
    if not np.isnan(site[block, 0]):
        same, masked = float(site[block, _SITE["site_same"]]), float(site[block, _SITE["site_masked"]])
        distinct = float(site[block, _SITE["path_distinct"]])
        if max(same, masked) >= 0.05:
            said.append(f"on {max(same, masked):.0%} of pages")
        elif not np.isnan(distinct):
            said.append(f"new text at a place that differs on {distinct:.0%} of its uses")
    for name in ("nav", "footer", "aside", "header", "form", "button", "dialog", "main", "article"):
        if value(f"in_{name}") > 0:
            said.append(f"inside <{name}>")
            break
    if value("is_hidden") > 0:
        said.append("hidden")
    if value("link_density") >= 0.6 and value("words") > 0:
        said.append("link list" if value("words") > 3 else "link")
    elif evidence.is_sentence[block]:
        said.append(f"prose of {value('words'):.0f} words")
    elif value("in_heading") > 0:
        said.append("heading")
    if value("near_comment") > 0 and not kept[block]:
        said.append("named like comments")
    if score[block] == 1.0:
        said.append("a page of text only")
    return f"score {score[block]:.2f}: " + (", ".join(said) or "like what is around it")


class _BlockEvidence(Mapping[str, npt.NDArray[Any]]):
    """The columns that a report shows, made when asked for."""

    def __init__(self, parts: Sequence[Judged]) -> None:
        self.parts = parts
        has_site = any(not np.isnan(p.of_site[:, :1]).all() for p in parts)
        self.names = ("words", "link_density", "kind", *(_SHOWN if has_site else ()))

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
    return Blocks(
        node=np.concatenate([p.evidence.blocks.box + p.evidence.blocks.rows.start for p in parts]).astype(np.int32),
        score=np.concatenate([p.score for p in parts]),
        is_informative=np.concatenate([p.kept for p in parts]),
        reason=_Reasons(parts),
        evidence=_BlockEvidence(parts),
    )


def block_kinds(evidence: Evidence, kept: Bools) -> npt.NDArray[np.str_]:
    """Per block: content, template, comments, related or author: what `comments=True` and the report ask for."""
    comments = (evidence.column("class_comment") > 0) | (evidence.column("since_comment") >= 0)
    is_list = (evidence.column("since_related") >= 0) & (evidence.column("link_density") > 0.5)
    related = (evidence.column("class_related") > 0) | is_list
    marks = name_marks(evidence)
    wanted = native.matcher(_AUTHOR_WORDS, np.ones(len(_AUTHOR_WORDS), np.uint64))
    bits = native.word_bits(marks.names, wanted)
    named = np.zeros(len(evidence.blocks.rows) + 1, bool)  # the last is for "no row"
    named[marks.row[bits[marks.value] > 0]] = True
    near = chains(evidence.blocks.rows.parent, evidence.blocks.first)[:, : LEVEL_ENDS[1]]
    author = named[near].any(axis=1)
    long_enough = evidence.words >= 3
    kind = np.select([kept, comments & long_enough, author & long_enough, related], [1, 2, 4, 3], 0)
    return np.asarray(np.array(_BLOCK_KINDS)[kind], np.str_)
