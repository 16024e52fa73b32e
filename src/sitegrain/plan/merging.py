"""What the parts of a site say, put together: one statistic of all parts at a time, so that memory is bounded by the largest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.counts import Counts, Distinct, merged
from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.ragged import offsets, segment_sum
from sitegrain.arrays.room import give_back
from sitegrain.arrays.strings import StringCounts, Strings, merged_strings
from sitegrain.arrays.threshold import greedy_threshold
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints64
from sitegrain.article.context import MIN_FIELD_PAGES
from sitegrain.extractor.knowledge import (
    LEAST,
    PATH_COLUMNS,
    PathCounts,
    PathScores,
    SaidCounts,
    SiteKnowledge,
    knowledge_of,
)
from sitegrain.extractor.menus import PAGES
from sitegrain.light import dataclass
from sitegrain.native.inputs import SiteFacts
from sitegrain.plan.packing import Answer, Packed, pack
from sitegrain.render.images import many_pages
from sitegrain.roles.counts import COUNTED, PageCards, RoleCounts, entropies, last_pages, on_page
from sitegrain.roles.links.flow import PageTexts
from sitegrain.roles.links.leading import Listed, PlacedLinks
from sitegrain.roles.own import INTO, Edges, PageEvidence
from sitegrain.roles.parts import Columns
from sitegrain.roles.templates import Structure

T = TypeVar("T")
_Names: Any = tuple[str, ...]
_LEAST_PATHS = {"row_pages": 2, "first_words": 3, "last_words": 3, "menus": PAGES}


@dataclass(frozen=True, eq=False)
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


def merge_surveys(parts: Sequence[Answer]) -> Surveyed:
    """Put the surveys of all parts together."""
    sizes = [part.read(int, "n_pages") for part in parts]
    first, n = offsets(sizes), sum(sizes)
    headings = [
        distinct(on_page(part.read(Ints64, "heading_page") + start, part.read(Hashes, "heading_key")))
        for part, start in zip(parts, first[:-1].tolist(), strict=True)
    ]
    cards = PageCards(
        Strings.joined([part.read(Strings, "url") for part in parts]),
        Strings.joined([part.read(Strings, "title") for part in parts]),
        np.sort(np.concatenate(headings)),
    )
    # Workers took the addresses apart, which takes as long as all else that is done with cards.
    cards.__dict__["by_address"] = last_pages(np.concatenate([part.read(Hashes, "address_key") for part in parts]))
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


def _strings(parts: Sequence[Answer], name: str, least: int) -> StringCounts:
    counts = [part.read(Counts, f"{name}.counts") for part in parts]
    return merged_strings(counts, [_reader(part, f"{name}.strings") for part in parts], least)


class _reader:
    def __init__(self, part: Answer, name: str) -> None:
        self.part, self.name = part, name

    def __call__(self) -> Strings:
        return self.part.read(Strings, self.name)


class MergedEvidence(PageEvidence):
    """What all pages say of their roles; without the entropies of single links, which stay with their parts.

    The columns are there until they are made into features; every other piece is merged when it is asked for, which is once or twice, and
    goes when it was used: all of them together take more than what becomes of them.
    """

    def __init__(self, parts: Sequence[Answer]) -> None:
        self.__dict__["parts"] = parts
        n = sum(part.read(int, "roles.columns.n") for part in parts)
        self.__dict__["columns"] = Columns.joined((part.read(Columns, "roles.columns") for part in parts), n)
        give_back()

    def _read(self, cls: type[T], name: str) -> list[T]:
        return [part.read(cls, f"roles.{name}") for part in self.__dict__["parts"]]

    @property
    def edges(self) -> Edges:
        return Edges(*_columns(self._read(Edges, "edges")))

    @property
    def into(self) -> Counts:
        return merged(self._read(Counts, "into"), n_columns=1 + len(INTO))

    @property
    def names(self) -> Distinct:
        return Distinct.joined(self._read(Distinct, "names"))

    @property
    def copied(self) -> PageTexts:
        return PageTexts.joined(self._read(PageTexts, "copied"))

    @property
    def quoted(self) -> PageTexts:
        return PageTexts.joined(self._read(PageTexts, "quoted"))

    @property
    def listed(self) -> Listed:
        return Listed(*_columns(self._read(Listed, "listed")))

    def placed_links(self) -> Iterator[PlacedLinks]:
        return (part.read(PlacedLinks, "roles.placed") for part in self.__dict__["parts"])

    @property
    def structure(self) -> Structure:
        return Structure.joined(self._read(Structure, "structure"))

    def degrees(self) -> tuple[Ints64, Ints64]:
        """Per page: pages that link to it, and pages that it links to."""
        n = self.columns.n
        found = [np.zeros(n, np.int64), np.zeros(n, np.int64)]
        for total, end in zip(found, ("target", "source"), strict=True):
            for rows in self._read(Ints64, f"edges.{end}"):
                total += np.bincount(rows, minlength=n)
        return found[0], found[1]


def _columns(parts: Iterable[tuple[npt.NDArray[Any], ...]]) -> Iterator[npt.NDArray[Any]]:
    """Each column of all parts, one part after the other."""
    return (np.concatenate(column) for column in zip(*parts, strict=True))


class PackedNumbers(Mapping[str, int]):
    """On how many pages strings are, packed: a sixth of the room that a dict takes, and read at once or, if one string is asked for, from
    then on as arrays."""

    def __init__(self, said: bytes, name: str) -> None:
        self._said, self._name = Packed(said), name
        self._n = len(self._said.read(Ints64, f"{name}.strings.offset")) - 1

    @cached_property
    def _found(self) -> StringCounts:
        return self._said.read(StringCounts, self._name)

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[str]:
        return (string for string, _ in self.items())

    def items(self) -> Any:
        found = self._said.read(StringCounts, self._name)
        return zip(found.strings, found.counts.times.tolist(), strict=True)

    def __getitem__(self, string: str) -> int:
        at = int(self._found.counts.row(native.string_hashes([string]))[0])
        if at < 0 or self._found.strings[at] != string:
            raise KeyError(string)
        return int(self._found.counts.times[at])


@dataclass
class PackedKnowledge(SiteKnowledge):
    """What was learned of a site, its texts and words packed: as strings of Python they take 1.1 KB for each page of 6 KB, in every process."""

    said: bytes
    """`SaidCounts`."""

    @cached_property
    def table(self) -> object:
        facts = {name: getattr(self, name) for name in SiteFacts._fields} | self._packed()
        return native.site_table(SiteFacts(**facts))

    def _packed(self) -> dict[str, PackedNumbers]:
        return {
            field: PackedNumbers(self.said, name)
            for field, name in (("text_pages", "texts"), ("masked_pages", "masked"), ("word_pages", "words"))
        }

    def whole(self) -> SiteKnowledge:
        """The same, unpacked."""
        own = {f.name: getattr(self, f.name) for f in fields(SiteKnowledge)}
        return SiteKnowledge(**own | {field: dict(numbers.items()) for field, numbers in self._packed().items()})


def merge_paths(parts: Sequence[Answer], said: SaidCounts) -> PackedKnowledge:
    """What all pages tell of blocks."""
    found: dict[str, Any] = {}
    for name, width in PATH_COLUMNS.items():
        found[name] = merged([part.read(Counts, f"paths.{name}") for part in parts], _LEAST_PATHS.get(name, 1), width)
    for name in ("texts", "tag_texts"):
        found[name] = Distinct.joined([part.read(Distinct, f"paths.{name}") for part in parts])
    knowledge = knowledge_of(replace(SaidCounts.none(said.n_pages), names=said.names), PathCounts(**found))
    knowledge.set_path_scores(PathScores.joined([part.read(PathScores, "scores") for part in parts]))
    return PackedKnowledge(**vars(knowledge), said=pack(said, quick=False))


@dataclass(frozen=True, eq=False)
class JudgedLists:
    """The blocks with links of TOC pages, by page, and which of them are informative."""

    page: Ints64
    is_good: Bools


def merge_lists(parts: Sequence[Answer], n_toc: int) -> JudgedLists:
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
