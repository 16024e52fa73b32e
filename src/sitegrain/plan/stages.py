"""What is done with one part of a site, pass by pass: each stage is a value that is called with the number of a part.

A stage holds what was merged before it, is sent to workers as it is, and leaves its answer in a file: `survey` (what the pages
have), `evidence` (what they say against the counts of all), `lists` (the blocks of TOC pages), `rows` (the result).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.strings import StringCounts, Strings
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints8, Ints32, Ints64
from sitegrain.article.article import SiteContext
from sitegrain.article.fields import SiteFields
from sitegrain.article.sitelinks import SiteLinks, place_pages
from sitegrain.extractor.knowledge import PathCounts, PathScores, SaidCounts, SiteKnowledge
from sitegrain.extractor.model import Extractor
from sitegrain.methods.base import OTHER, ROLES, TOC, PageVerdict
from sitegrain.methods.blockwise import block_terms
from sitegrain.methods.lamis.graph import page_facts
from sitegrain.partition import Partition, blocks_of
from sitegrain.plan.kept import KEPT
from sitegrain.plan.packing import Packed, pack
from sitegrain.plan.rows import HANDED, PartRows
from sitegrain.plan.spool import Place
from sitegrain.render.images import image_pages
from sitegrain.result.mining import failing_pages
from sitegrain.result.recipe import AnyMethod, Recipe, make_recipe, page_types
from sitegrain.result.result import Result, link_table
from sitegrain.roles.counts import PageCards, RoleCounts, RoleKnown, heading_keys, term_counts
from sitegrain.roles.own import PageEvidence
from sitegrain.roles.page import part_evidence
from sitegrain.tables.build import SiteBuilder
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms


@dataclass(frozen=True)
class Survey:
    """What the pages of a part have."""

    n_pages: int
    n_nodes: int
    n_links: int
    links_inside: int
    url: tuple[str, ...]
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


@dataclass(frozen=True)
class Evidence:
    """What the pages of a part say, read against the counts of the whole site."""

    roles: PageEvidence
    paths: PathCounts
    scores: PathScores
    links_resolved: int


@dataclass(frozen=True)
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
        """Do a part and leave the answer in its file."""
        content = pack(self.answer(part))
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


def answers(work: Path, stage: str, parts: Sequence[int]) -> list[Packed]:
    """The answers of a stage, in the order of the parts."""
    return [Packed(answer_file(work, stage, part)) for part in parts]


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


@dataclass(frozen=True)
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
        builder = _built(self.place.captures(part))
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
        found = block_terms(cut, terms)[mine]
        size = np.diff(found.indptr)
        term = terms.keys[found.indices]
        order = np.lexsort((term, np.repeat(np.arange(len(mine)), size)))  # by no order that other pages could change
        return ListBlocks(
            page=number[cut.block_page[mine]] + first,
            offset=offsets(size),
            term=term[order],
            times=found.data[order].astype(np.int64),
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


def linked_blocks(site: Site, cut: Partition) -> Bools:
    """Per block: it has a link."""
    out = np.zeros(len(cut), bool)
    block = cut.row_block[site.links.node]
    out[block[block >= 0]] = True
    return out


@dataclass(frozen=True)
class Verdict:
    """What was merged for the last pass: all that the rows of a part need."""

    extractor: Extractor
    roles: PageVerdict
    template: Ints32
    fields: SiteFields | None
    images: frozenset[str]
    places: Counts
    cards: PageCards
    in_degree: Ints64
    """Per page: pages that link to it."""
    out_degree: Ints64
    list_page: Ints64
    """Per block with links of a TOC page: its page."""
    list_good: Bools
    """And whether it is informative."""
    texts: Mapping[str, Strings] = field(default_factory=dict)
    """Columns of the evidence of `roles` that are texts: packed, since they go to every worker."""


PartHook = Callable[["PartResult", Path], None]
"""What else is to be done with the result of a part; files that it puts into the folder belong to the result."""


@dataclass(frozen=True)
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
        entropy = Packed(answer_file(self.work, "entropy", part)).read(Floats)
        site = self.site(part)
        KEPT.drop(part)
        result = part_result(site, int(self.first[part]), self.verdict, entropy)
        result.complete()
        rows = PartRows.of(result)
        if not HANDED.give(part, rows):
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
        if (rows := HANDED.take(part)) is not None:
            return rows
        rows = PartRows.read(self.file(part))
        self.file(part).unlink()
        return rows


def part_result(site: Site, first: int, known: Verdict, entropy: Floats) -> PartResult:
    """The result of a part that begins at page `first` of its site."""
    own = slice(first, first + site.n_pages)
    nodes = known.extractor.apply(site)
    role = known.roles.page_role[own]
    types = page_types(nodes, [ROLES[r] for r in role.tolist()])
    roles = PageVerdict(
        known.roles.page_toc[own],
        known.roles.page_article[own],
        role,
        known.roles.page_confidence[own],
        {name: column[own] for name, column in known.roles.evidence.items()}
        | {name: _texts(column, first, site.n_pages) for name, column in known.texts.items()},
        page_type=types,
    )
    return PartResult(site, nodes, roles, first=first, known=known, entropy=entropy)


def _texts(column: Strings, first: int, n: int) -> npt.NDArray[np.object_]:
    return np.array([column[page] for page in range(first, first + n)], object)


@dataclass(frozen=True, repr=False)
class PartResult(Result):
    """What was found in a part of a site; pages have the numbers that they have in the whole."""

    first: int = 0
    known: Verdict | None = None
    entropy: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def _all(self) -> Verdict:
        assert self.known is not None
        return self.known

    @cached_property
    def _context(self) -> SiteContext:
        known = self._all
        links = SiteLinks.by(self.site, known.places, self.target, known.cards.title)
        return SiteContext(self.site, known.fields, known.images, links)

    @cached_property
    def templates(self) -> Ints32:
        return self._all.template[self.first : self.first + len(self)]

    @cached_property
    def _page_facts(self) -> Mapping[str, Ints64]:
        known, own = self._all, slice(self.first, self.first + len(self))
        whole = {"in_degree": known.in_degree[own], "out_degree": known.out_degree[own]}
        return {**page_facts(self.site), **whole}

    @cached_property
    def target(self) -> Ints32:
        """Per link: the page of the whole site that it leads to, or -1."""
        return self._all.cards.targets(self.site)

    @cached_property
    def is_distilled(self) -> Bools:
        """Per link: it is part of the distilled site."""
        known, site = self._all, self.site
        cut = blocks_of(site, "list")
        is_toc = self.roles.page_role == TOC
        good = np.zeros(len(cut) + 1, bool)  # the last is for "no block"
        own = slice(*np.searchsorted(known.list_page, [self.first, self.first + len(self)]).tolist())
        good[np.flatnonzero(linked_blocks(site, cut) & is_toc[cut.block_page])] = known.list_good[own]
        leads = (self.target >= 0) & ~site.links.is_self
        to = known.roles.page_role[np.maximum(self.target, 0)] != OTHER
        return np.asarray(leads & to & is_toc[site.links.page] & good[cut.row_block[site.links.node]])

    @cached_property
    def pages(self) -> pa.Table:
        return self._numbered(super().pages)

    @cached_property
    def blocks(self) -> pa.Table:
        return self._numbered(super().blocks)

    @cached_property
    def links(self) -> pa.Table:
        return link_table(self.site, self.target, self.entropy, self.is_distilled, self.first)

    def _numbered(self, table: pa.Table) -> pa.Table:
        page = table["page"].to_numpy() + np.int32(self.first)
        return table.set_column(table.column_names.index("page"), "page", pa.array(page, pa.int32()))
