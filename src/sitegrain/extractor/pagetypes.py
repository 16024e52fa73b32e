"""Page types: what kind of page it is, by its own evidence and by what seems to be its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.learned.ensemble import TreeEnsemble
from sitegrain.methods.base import NodeVerdict

PAGE_TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
_TYPE_MEANS = (
    "link_density", "in_list", "in_table", "in_pre", "in_article", "in_main", "in_form", "up1_like", "up2_like", "up1_posts",
    "up2_posts", "digit_rate", "symbol_rate", "stop_rate", "word_length", "words",
)  # fmt: skip


def type_columns(
    names: tuple[str, ...], x: Floats32, words: Floats, page: npt.NDArray[np.integer], p: Floats, n_pages: int
) -> Floats32:
    """[n_pages x features] for the page type: the page's own columns, and means over what seems to be content."""
    own = [k for k, n in enumerate(names) if n.startswith(("page_", "url_", "ld_"))]
    first = np.minimum(np.searchsorted(page, np.arange(n_pages)), max(len(page) - 1, 0))
    has = np.bincount(page, minlength=n_pages) > 0
    out = np.full((n_pages, len(own) + len(_TYPE_MEANS) + 2), np.nan, np.float32)
    if len(page):
        out[:, : len(own)] = np.where(has[:, None], x[first][:, own], np.nan)
        weight = p * (words + 1)
        total = np.maximum(np.bincount(page, weight, n_pages), 1e-9)
        for k, name in enumerate(_TYPE_MEANS):
            column = np.nan_to_num(x[:, names.index(name)].astype(np.float64))
            out[:, len(own) + k] = np.bincount(page, weight * column, n_pages) / total
        out[:, -2] = np.log1p(total)
        out[:, -1] = total / np.maximum(np.bincount(page, words + 1, n_pages), 1e-9)
    return out


def type_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the columns of `type_columns`."""
    own = [n for n in names if n.startswith(("page_", "url_", "ld_"))]
    return (*own, *(f"mean_{n}" for n in _TYPE_MEANS), "expected_words", "expected_share")


class PageTypes(Sequence[str]):
    """The types of pages, found when asked for."""

    def __init__(self, types: tuple[TreeEnsemble, ...], parts: list[tuple[Evidence, Floats]]) -> None:
        self.types = types
        self.parts = parts
        sizes = [e.geometry.n_pages for e, _ in parts]
        self.offset = np.concatenate([[0], np.cumsum(sizes)]).astype(int)

    def __len__(self) -> int:
        return int(self.offset[-1]) if self.types else 0

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    @cached_property
    def _all(self) -> tuple[str, ...]:
        out: list[str] = []
        for evidence, p in self.parts:
            n, page = evidence.geometry.n_pages, evidence.blocks.page
            x = type_columns(evidence.names, evidence.x, evidence.words, page, p, n)
            have = type_names(evidence.names)
            votes = np.stack([t.predict(x[:, [have.index(n) for n in t.names]]) for t in self.types])
            has_text = np.bincount(page, minlength=n) > 0
            out.extend(
                PAGE_TYPES[k] if has else "" for k, has in zip(votes.argmax(axis=0).tolist(), has_text, strict=True)
            )
        return tuple(out)


@dataclass(frozen=True)
class ContentVerdict(NodeVerdict):
    """What the default extractor says: of text nodes, and of what type each page is."""

    page_type: Sequence[str] = ()
    """Per page: one of `PAGE_TYPES`, empty for a page without text; none when the trees do not tell types."""
