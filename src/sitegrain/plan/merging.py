"""What the parts of a site say, put together: one statistic of all parts at a time, so that memory is bounded by the largest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.arrays.counts import Counts, Distinct, merged
from sitegrain.arrays.ragged import offsets, segment_sum
from sitegrain.arrays.strings import StringCounts, Strings, merged_strings
from sitegrain.arrays.threshold import greedy_threshold
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints64
from sitegrain.article.article import MIN_FIELD_PAGES
from sitegrain.extractor.knowledge import (
    LEAST,
    PATH_COLUMNS,
    PathCounts,
    PathScores,
    SaidCounts,
    SiteKnowledge,
    knowledge_of,
)
from sitegrain.plan.packing import Packed
from sitegrain.render.images import many_pages
from sitegrain.roles.counts import COUNTED, PageCards, RoleCounts, entropies, on_page
from sitegrain.roles.flow import PageTexts
from sitegrain.roles.leading import Listed, PlacedLinks
from sitegrain.roles.own import INTO, Edges, PageEvidence
from sitegrain.roles.parts import Columns
from sitegrain.roles.templates import Structure

_Names: Any = tuple[str, ...]
_LEAST_PATHS = {"row_pages": 2, "first_words": 3, "last_words": 3}


@dataclass(frozen=True)
class Surveyed:
    """What all parts have."""

    first: Ints64
    """The first page of each part, and the number of pages."""
    n_nodes: int
    n_links: int
    links_inside: int
    cards: PageCards
    said: SaidCounts
    roles: RoleCounts
    images: frozenset[str]
    places: Counts
    skipped: Counter[str]
    problems: list[str]


def merge_surveys(parts: Sequence[Packed]) -> Surveyed:
    """Put the surveys of all parts together."""
    sizes = [part.read(int, "n_pages") for part in parts]
    first, n = offsets(sizes), sum(sizes)
    headings = [
        np.unique(on_page(part.read(Ints64, "heading_page") + start, part.read(Hashes, "heading_key")))
        for part, start in zip(parts, first[:-1].tolist(), strict=True)
    ]
    cards = PageCards(
        tuple(url for part in parts for url in part.read(_Names, "url")),
        tuple(title for part in parts for title in part.read(_Names, "title")),
        np.sort(np.concatenate(headings)),
    )
    least = RoleCounts.least(n)
    counted = {
        name: merged([part.read(Counts, f"roles.{name}") for part in parts], least[name], 3 if name == "terms" else 1)
        for name in COUNTED
    }
    said = {name: _strings(parts, f"said.{name}", number) for name, number in LEAST.items()}
    many = many_pages(n)
    images = _strings(parts, "images", int(np.ceil(many))).as_dict(many) if n >= MIN_FIELD_PAGES else {}
    skipped: Counter[str] = Counter()
    for part in parts:
        names = part.read(_Names, "skipped")
        skipped.update(dict(zip(names, part.read(Ints64, "n_skipped").tolist(), strict=True)))
    return Surveyed(
        first=first,
        n_nodes=sum(part.read(int, "n_nodes") for part in parts),
        n_links=sum(part.read(int, "n_links") for part in parts),
        links_inside=sum(part.read(int, "links_inside") for part in parts),
        cards=cards,
        said=SaidCounts(n, **said),
        roles=RoleCounts(n, **counted),
        images=frozenset(images),
        places=merged([part.read(Counts, "places") for part in parts], 2),
        skipped=skipped,
        problems=[problem for part in parts for problem in part.read(_Names, "problems")],
    )


def _strings(parts: Sequence[Packed], name: str, least: int) -> StringCounts:
    counts = [part.read(Counts, f"{name}.counts") for part in parts]
    return merged_strings(counts, [_reader(part, f"{name}.strings") for part in parts], least)


class _reader:
    def __init__(self, part: Packed, name: str) -> None:
        self.part, self.name = part, name

    def __call__(self) -> Strings:
        return self.part.read(Strings, self.name)


def merge_evidence(parts: Sequence[Packed]) -> PageEvidence:
    """What all pages say of their roles; without the entropies of single links, which stay with their parts."""
    columns = Columns.joined([part.read(Columns, "roles.columns") for part in parts])
    return PageEvidence(
        columns,
        Edges(*_columns(part.read(Edges, "roles.edges") for part in parts)),
        merged([part.read(Counts, "roles.into") for part in parts], n_columns=1 + len(INTO)),
        Distinct.joined([part.read(Distinct, "roles.names") for part in parts]),
        PageTexts.joined([part.read(PageTexts, "roles.copied") for part in parts]),
        PageTexts.joined([part.read(PageTexts, "roles.quoted") for part in parts]),
        Listed(*_columns(part.read(Listed, "roles.listed") for part in parts)),
        PlacedLinks(*_columns(part.read(PlacedLinks, "roles.placed") for part in parts)),
        Structure.joined([part.read(Structure, "roles.structure") for part in parts]),
        np.zeros(0),
    )


def _columns(parts: Iterable[tuple[npt.NDArray[Any], ...]]) -> Iterator[npt.NDArray[Any]]:
    """Each column of all parts, one part after the other."""
    return (np.concatenate(column) for column in zip(*parts, strict=True))


def merge_paths(parts: Sequence[Packed], said: SaidCounts) -> SiteKnowledge:
    """What all pages tell of blocks."""
    found: dict[str, Any] = {}
    for name, width in PATH_COLUMNS.items():
        found[name] = merged([part.read(Counts, f"paths.{name}") for part in parts], _LEAST_PATHS.get(name, 1), width)
    for name in ("texts", "tag_texts"):
        found[name] = Distinct.joined([part.read(Distinct, f"paths.{name}") for part in parts])
    knowledge = knowledge_of(said, PathCounts(**found))
    knowledge.set_path_scores(PathScores.joined([part.read(PathScores, "scores") for part in parts]))
    return knowledge


@dataclass(frozen=True)
class JudgedLists:
    """The blocks with links of TOC pages, by page, and which of them are informative."""

    page: Ints64
    is_good: Bools


def merge_lists(parts: Sequence[Packed], n_toc: int) -> JudgedLists:
    """Which blocks of TOC pages are informative: `informative_blocks` of `methods/lamis`, over parts."""
    page = np.concatenate([part.read(Ints64, "page") for part in parts])
    if n_toc < 2:
        return JudgedLists(page, np.ones(len(page), bool))
    size = np.concatenate([np.diff(part.read(Ints64, "offset")) for part in parts])
    terms = merged([part.read(Counts, "terms") for part in parts], n_columns=3)
    entropy: list[Floats] = []
    index: list[Ints64] = []
    for part in parts:
        key, times = part.read(Hashes, "term"), part.read(Ints64, "times").astype(np.float64)
        cut = part.read(Ints64, "offset")
        total, count = segment_sum(entropies(terms, key, n_toc) * times, cut), segment_sum(times, cut)
        entropy.append(np.where(count > 0, total / np.maximum(count, 1), np.nan))
        index.append(terms.row(key).astype(np.int32))
    of_block, column, cut = np.concatenate(entropy), np.concatenate(index), offsets(size)
    words = sparse.csr_array((np.ones(len(column), np.int8), column, cut), shape=(len(size), max(len(terms), 1)))
    greedy = greedy_threshold(of_block, words, group=page)
    return JudgedLists(page, ~np.isnan(of_block) & (np.nan_to_num(of_block, nan=2.0) <= greedy.threshold + 1e-9))
