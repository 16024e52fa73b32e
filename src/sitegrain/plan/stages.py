"""What is done with one part of a site, pass by pass: each stage is a value that is called with the number of a part.

A stage holds what was merged before it, is sent to workers as it is, and leaves its answer in a file: `survey` (what the pages
have), `evidence` (what they say against the counts of all), `lists` (the blocks of TOC pages), `rows` (the result).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.strings import StringCounts
from sitegrain.arrays.types import Floats, Hashes, Ints8, Ints64
from sitegrain.article.lists.sitelinks import place_pages
from sitegrain.extractor.knowledge import PathCounts, PathScores, SaidCounts, SiteKnowledge
from sitegrain.extractor.model import Extractor
from sitegrain.light import dataclass
from sitegrain.methods.base import TOC
from sitegrain.methods.blockwise import occurrence_block
from sitegrain.partition import Partition, blocks_of
from sitegrain.plan.ahead import BEGUN
from sitegrain.plan.kept import HANDED, KEPT, PARSED
from sitegrain.plan.packing import Answer, Held, Packed, pack
from sitegrain.plan.part import PartResult, Verdict, linked_blocks, part_result
from sitegrain.plan.rows import PartRows
from sitegrain.plan.spool import Place
from sitegrain.render.images import image_pages
from sitegrain.result.mining import failing_pages
from sitegrain.result.recipe import AnyMethod, Recipe, make_recipe
from sitegrain.roles.counts import RoleCounts, RoleKnown, address_keys, heading_keys, term_counts
from sitegrain.roles.own import PageEvidence
from sitegrain.roles.page import part_evidence
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import SiteBuilder
from sitegrain.tables.site import Site
from sitegrain.text.terms import Terms, site_terms


@dataclass(frozen=True, eq=False)
class Survey:
    """What the pages of a part have."""

    n_pages: int
    n_nodes: int
    n_links: int
    links_inside: int
    url: tuple[str, ...]
    address_key: Hashes
    title: tuple[str, ...]
    heading_page: Ints64
    heading_key: Hashes
    said: SaidCounts
    roles: RoleCounts
    images: StringCounts
    places: Counts
    """Links at their places, by pages."""
    skipped: tuple[str, ...]
    n_skipped: Ints64
    problems: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the pages of a part say, read against the counts of the whole site."""

    roles: PageEvidence
    paths: PathCounts
    scores: PathScores
    links_resolved: int


@dataclass(frozen=True, eq=False)
class ListBlocks:
    """The blocks with links of the TOC pages of a part."""

    page: Ints64
    """Of the whole site, per block."""
    offset: Ints64
    """n_blocks + 1 entries."""
    term: Hashes
    """Different terms of each block."""
    times: Ints64
    terms: Counts
    """Of the TOC pages: pages, occurrences, sum of tf ln tf."""


@dataclass(frozen=True)
class Stage:
    """A pass over the parts."""

    work: Path
    place: Place
    name = ""
    what = ""
    """For people."""

    def __call__(self, part: int) -> None:
        """Do a part and leave the answer in its file, or here: of parts whose tables are kept, answers take little room beside them."""
        answer = self.answer(part)
        if part in KEPT.parts and HANDED.give(self.name, part, answer):
            return
        content = pack(answer)
        path = answer_file(self.work, self.name, part)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        draft.write_bytes(content)
        draft.replace(path)

    def answer(self, part: int) -> Any:
        """What is known of a part after this pass."""
        raise NotImplementedError

    def site(self, part: int) -> Site:
        """The tables of a part: those of an earlier pass, if they were kept."""
        site = KEPT.site(self.place, part)
        if site is None:
            site = _built(self.place.captures(part)).build()
            KEPT.add(self.place, part, site)
        return site


def answer_file(work: Path, stage: str, part: int) -> Path:
    """Where the answer of a stage about a part is."""
    return work / f"{stage}-{part:06}.part"


def answers(work: Path, stage: str, parts: Sequence[int]) -> list[Answer]:
    """The answers of a stage, in the order of the parts."""
    return [answer_of(work, stage, part) for part in parts]


def answer_of(work: Path, stage: str, part: int) -> Answer:
    """The answer of a stage about a part."""
    handed = HANDED.of(stage, part)
    return Packed(answer_file(work, stage, part)) if handed is None else Held(handed)


def remove_answer(work: Path, stage: str, part: int) -> None:
    """An answer was used: its room is for what comes."""
    if HANDED.take(stage, part) is None:
        answer_file(work, stage, part).unlink(missing_ok=True)


def _built(captures: Sequence[Capture]) -> SiteBuilder:
    builder = SiteBuilder()
    for capture in captures:
        builder.add(capture)
    return builder


@dataclass(frozen=True)
class Fresh:
    """Makes methods that have learned nothing yet."""

    methods: tuple[AnyMethod, ...] = ()
    model: str | Path | None = None

    def __call__(self) -> Recipe:
        return make_recipe(self.methods, self.model)


@dataclass(frozen=True, eq=False)
class FailingPages:
    """The pages of a part that cannot be judged even alone."""

    row: Ints64
    """Within the part."""
    problem: tuple[str, ...]


KILLED = "!"
"""Behind the number of a page that ended a process."""


@dataclass(frozen=True)
class ProbeStage(Stage):
    """Find the pages that make a part fail: only for parts that failed."""

    fresh: Fresh
    name = "probe"
    what = "looking for what fails"

    def answer(self, part: int) -> FailingPages:
        failing: dict[int, str] = {}
        journal = self.journal(part)
        begun = journal.read_text().split() if journal.exists() else []
        if begun and not begun[-1].endswith(KILLED):  # the process that was here before ended with this page
            begun.append(begun[-1] + KILLED)
        killers = {int(line.removesuffix(KILLED)) for line in begun if line.endswith(KILLED)}
        journal.write_text("\n".join(begun))
        for row, capture in enumerate(self.place.captures(part)):
            if row in killers:
                failing[row] = f"{capture.url or capture.path}: cannot be judged (its process was ended)"
                continue
            with journal.open("a") as file:
                file.write(f"\n{row}")
            # Those that cannot be parsed are no pages, and they have been told.
            for reason in failing_pages(_built([capture]), self.fresh).values():
                failing[row] = f"{capture.url or capture.path}: cannot be judged ({reason})"
        journal.unlink()
        return FailingPages(np.array(list(failing), np.int64), tuple(failing.values()))

    def journal(self, part: int) -> Path:
        """Where it is written which page is being looked at: the last one, if the process is ended."""
        return answer_file(self.work, self.name, part).with_suffix(".txt")


@dataclass(frozen=True)
class SurveyStage(Stage):
    """Count what pages have."""

    language: str
    name = "survey"
    what = "reading"

    def answer(self, part: int) -> Survey:
        builder = SiteBuilder()
        for row, capture in enumerate(self.place.captures(part), int(self.place.start[part])):
            builder.add(capture, PARSED.take(self.place, row))
        site = builder.build()
        KEPT.add(self.place, part, site)
        return survey(site, self.language, builder.problems)


def survey(site: Site, language: str, problems: Sequence[str] = ()) -> Survey:
    """What the pages of a site, or of a part of it, have."""
    rows, key = heading_keys(site)
    links = site.links
    return Survey(
        n_pages=site.n_pages,
        n_nodes=site.n_nodes,
        n_links=len(links),
        links_inside=int((links.is_same_site & ~links.is_self).sum()),
        url=site.pages.url,
        address_key=address_keys(site.pages.url),
        title=site.pages.title,
        heading_page=site.nodes.page[rows].astype(np.int64),
        heading_key=key,
        said=SaidCounts.of(site),
        roles=RoleCounts.of(site, site_terms(site, language=language)),
        images=image_pages(site),
        places=place_pages(site),
        skipped=tuple(site.counts),
        n_skipped=np.array(list(site.counts.values()), np.int64),
        problems=tuple(problems),
    )


@dataclass(frozen=True, eq=False)
class EvidenceStage(Stage):
    """Read pages against what was counted."""

    first: Ints64
    """The first page of each part, in the whole site."""
    known: RoleKnown
    extractor: Extractor
    names: SiteKnowledge | None
    """What tells paths apart; None when nothing is to be learned of them."""
    scored: frozenset[int]
    """Pages whose first scores count."""
    name = "evidence"
    what = "comparing"

    def answer(self, part: int) -> Evidence:
        site, first = self.site(part), int(self.first[part])
        roles = part_evidence(site, self.known, first)
        target = self.known.cards.targets(site)
        inside = site.links.is_same_site & ~site.links.is_self
        paths, scores = PathCounts.merged([]), PathScores.none()
        if self.names is not None:
            paths = PathCounts.of(site, self.names)
            own = sorted(page - first for page in self.scored if first <= page < first + site.n_pages)
            scores = self.extractor.path_scores(site, self.names, own)
        return Evidence(roles, paths, scores, int((inside & (target >= 0)).sum()))


@dataclass(frozen=True, eq=False)
class ListStage(Stage):
    """Look at the blocks of TOC pages."""

    first: Ints64
    role: Ints8
    language: str
    name = "lists"
    what = "lists"

    def answer(self, part: int) -> ListBlocks:
        first, last = int(self.first[part]), int(self.first[part + 1])
        pages = np.flatnonzero(self.role[first:last] == TOC)
        site = KEPT.site(self.place, part)
        if site is None:
            site = self._toc_pages(part, last - first, pages)
            number = pages
        else:
            number = np.arange(site.n_pages)
        cut, terms = blocks_of(site, "list"), site_terms(site, language=self.language)
        is_toc = np.isin(number, pages)
        mine = np.flatnonzero(linked_blocks(site, cut) & is_toc[cut.block_page])
        block, term, times = _terms_of(cut, terms, mine)
        return ListBlocks(
            page=number[cut.block_page[mine]] + first,
            offset=offsets(np.bincount(block, minlength=len(mine))),
            term=term,
            times=times,
            terms=term_counts(terms, is_toc),
        )

    def _toc_pages(self, part: int, n_pages: int, pages: Ints64) -> Site:
        """A site of the TOC pages of a part; what could not be parsed is no page."""
        captures = self.place.captures(part) if len(pages) else []
        if len(captures) == n_pages:
            return _built([captures[p] for p in pages.tolist()]).build()
        if not captures:
            return _built(()).build()
        whole = self.site(part).pages
        by_place = {place: k for k, place in enumerate(zip(whole.url, whole.path, strict=True))}
        rows = {by_place.get((c.url, c.path), -1): c for c in captures}
        return _built([rows[p] for p in pages.tolist()]).build()


def _terms_of(cut: Partition, terms: Terms, blocks: Ints64) -> tuple[Ints64, Hashes, Ints64]:
    """Of some blocks: (which of them, term, how often) of each term that they have, in the order of their keys, which no other page could change."""
    number = np.full(len(cut) + 1, -1, np.int64)  # the last is for "no block"
    number[blocks] = np.arange(len(blocks))
    block = number[occurrence_block(cut, terms)]
    # One number for both is sorted in a fraction of the time; terms are numbered in the order of their keys, those of one key alike.
    order = np.argsort(terms.keys)
    keys = terms.keys[order]
    is_new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    rank = np.empty(len(keys), np.int64)
    rank[order] = np.cumsum(is_new) - 1
    is_mine = block >= 0
    both = np.sort(block[is_mine] * len(keys) + rank[terms.ids[is_mine]])
    first = np.flatnonzero(np.append(True, both[1:] != both[:-1])[: len(both)])
    found, of_block = both[first] % max(len(keys), 1), both[first] // max(len(keys), 1)
    return of_block, keys[is_new][found], np.diff(np.append(first, len(both)))


PartHook = Callable[[PartResult, Path], None]
"""What else is to be done with the result of a part; files that it puts into the folder belong to the result."""


@dataclass(frozen=True, eq=False)
class RowsStage(Stage):
    """Make the rows of the result."""

    first: Ints64
    verdict: Verdict
    out: Path
    """The folder that becomes the result."""
    hooks: tuple[PartHook, ...] = ()
    name = "rows"
    what = "writing"

    def __call__(self, part: int) -> None:
        entropy = answer_of(self.work, "entropy", part).read(Floats)
        site = self.site(part)
        KEPT.drop(part)
        result = part_result(site, int(self.first[part]), self.verdict, entropy, BEGUN.take(part, site))
        result.complete()
        rows = PartRows.of(result)
        if not HANDED.give(self.name, part, rows):
            draft = self.work / f".rows-{part:06}.{os.getpid()}"
            rows.write(draft)
            draft.replace(self.file(part))
        for hook in self.hooks:
            hook(result, self.out)
        result.forget()

    def file(self, part: int) -> Path:
        """The rows of a part."""
        return self.work / f"rows-{part:06}"

    def rows(self, part: int) -> PartRows:
        """The same, as they were handed over or from their file, which is removed: they are asked for once."""
        rows: PartRows | None = HANDED.take(self.name, part)
        if rows is not None:
            return rows
        rows = PartRows.read(self.file(part))
        self.file(part).unlink()
        return rows
