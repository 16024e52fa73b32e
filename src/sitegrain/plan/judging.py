"""From the pages of a site on disk to the verdict on all of them: three passes over the parts, merged after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from sitegrain.arrays.room import give_back
from sitegrain.arrays.strings import Strings
from sitegrain.arrays.types import Floats, Ints32, Ints64
from sitegrain.article.context import site_fields
from sitegrain.article.fields.sitevote import sampled_pages as voting_pages
from sitegrain.errors import PAGE_FAULTS, SourceError
from sitegrain.extractor.knowledge import SaidCounts, told_by_names
from sitegrain.extractor.model import Extractor, sampled_pages
from sitegrain.light import dataclass
from sitegrain.methods.base import TOC, PageVerdict
from sitegrain.plan.ahead import Ahead
from sitegrain.plan.kept import HANDED, KEPT, PARSED
from sitegrain.plan.merging import MergedEvidence, PackedKnowledge, Surveyed, merge_lists, merge_paths, merge_surveys
from sitegrain.plan.packing import Answer, pack
from sitegrain.plan.part import Verdict
from sitegrain.plan.processes.runners import DEAD, Runner
from sitegrain.plan.spool import Place
from sitegrain.plan.stages import (
    EvidenceStage,
    FailingPages,
    Fresh,
    ListStage,
    ProbeStage,
    Stage,
    SurveyStage,
    answer_file,
    answer_of,
    answers,
    remove_answer,
)
from sitegrain.result.recipe import Recipe
from sitegrain.roles.counts import RoleCounts, RoleKnown
from sitegrain.roles.model import SiteRoles
from sitegrain.roles.page import features_of
from sitegrain.roles.parts import forget_folders
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import SiteBuilder, build_site
from sitegrain.tables.site import Site
from sitegrain.text.language import sampled_pages as asked_pages
from sitegrain.text.language import site_language

OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, pages done and pages in all (0 while that is not known)."""
T = TypeVar("T")
MAX_KILLERS = 8
"""Rounds in which pages that end their process are looked for, two a round and part; with more of them the part is given up."""


@dataclass
class Lost:
    """What is left out of a result, and why."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Judged:
    """What was found of a site, before any of its pages is written."""

    found: Surveyed
    verdict: Verdict
    first: Ints64
    """Per part of the source: its first page in the result, and behind the last one the number of pages."""
    links_resolved: int


class Judging:
    """Runs the passes. A page that cannot be judged is left out, and so is a part that is given up: what was merged with
    them is merged again without them."""

    def __init__(
        self,
        work: Path,
        place: Place,
        recipe: Recipe,
        runner: Runner,
        fresh: Fresh,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.work, self.place, self.runner, self.fresh, self.on_progress = work, place, runner, fresh, on_progress
        assert isinstance(recipe.nodes, Extractor)
        assert isinstance(recipe.pages, SiteRoles)
        self.extractor, self.pages = recipe.nodes, recipe.pages
        self.learns = not self.extractor.is_fitted and self.extractor.use_site
        self.parts = list(range(place.n_parts))
        """Those that are left."""
        self.lost = Lost()
        n = place.n_pages
        self.language = _asked(site_language, place, asked_pages(n))
        self.fields = _asked(site_fields, place, voting_pages(n))

    def judge(self) -> Judged:
        """The verdict on all pages that can be judged."""
        while True:
            judged = self._judged(self._survey())
            if judged is not None:
                return judged
            self.forget()

    def forget(self) -> None:
        """Something was lost: what was learned with it does not count."""
        if self.learns:
            self.extractor.__dict__.pop("knowledge_", None)

    def learned(self) -> Extractor:
        """The node method with all that it learned, for a file."""
        knowledge = self.extractor.knowledge_
        if isinstance(knowledge, PackedKnowledge):
            self.extractor.knowledge_ = knowledge.whole()
        return self.extractor

    def run(self, stage: Stage, on_part: Callable[[int], None] = lambda part: None) -> bool:
        """Run a stage over all parts that are left; False when pages were lost."""
        sizes = np.diff(self.place.start)
        total, done = int(sizes[self.parts].sum()), 0

        def told(part: int) -> None:
            nonlocal done
            on_part(part)
            done += int(sizes[part])
            if self.on_progress is not None:
                self.on_progress(stage.what, done, total)

        lost = self.runner.run(stage, self.parts, told)
        self.leave_out(lost)
        return not lost

    def leave_out(self, lost: dict[int, str]) -> None:
        """Leave out the pages that made parts fail, or the parts when nobody knows which pages those are."""
        probe = ProbeStage(self.work, self.place, self.fresh)
        unknown = dict(lost)
        for _ in range(MAX_KILLERS):  # every page that ends its process is one more try
            if unknown:
                unknown = self.runner.run(probe, list(unknown), lambda part: None)
            if not any(reason.startswith(DEAD) for reason in unknown.values()):
                break
        failing: list[int] = []
        given_up: set[int] = set()
        for part, reason in lost.items():
            first, last = int(self.place.start[part]), int(self.place.start[part + 1])
            if part not in unknown:
                pages = answer_of(self.work, probe.name, part).read(FailingPages)
                if 0 < len(pages.row) < last - first:
                    failing += (pages.row + first).tolist()
                    self.lost.counts["failed: a page that cannot be judged"] += len(pages.row)
                    self.lost.problems += pages.problem
                    continue
            self.lost.problems.append(f"pages {first} to {last - 1} are left out: {reason}, twice")
            self.lost.counts["lost with a worker that died"] += last - first
            given_up.add(part)
        self.parts = [part for part in self.parts if part not in given_up]
        if failing:
            self.place = self.place.without(failing)

    def _survey(self) -> Surveyed | None:
        is_whole = self.run(SurveyStage(self.work, self.place, self.language))
        if not self.parts:
            raise SourceError(f"no page could be mined: {[*self.lost.problems, 'the source holds none'][0]}")
        if not is_whole:
            return None
        found = merge_surveys(answers(self.work, "survey", self.parts))
        self._remove("survey")
        return found

    def _remove(self, stage: str) -> None:
        """The answers of a stage are merged: their room is for what comes."""
        for part in self.parts:
            remove_answer(self.work, stage, part)

    def _first(self, found: Surveyed) -> Ints64:
        first = np.zeros(self.place.n_parts + 1, np.int64)
        for part, start, end in zip(self.parts, found.first[:-1], found.first[1:], strict=True):
            first[part], first[part + 1] = start, end
        return first

    def _judged(self, found: Surveyed | None) -> Judged | None:
        """The verdict by what was counted; None when pages were lost. What was merged is let go as soon as it was used."""
        if found is None:
            return None
        extractor, learns = self.extractor, self.learns
        n, first = found.said.n_pages, self._first(found)
        cards = found.cards.only("headings", "folded", "main_titles", "by_title", "by_address")
        known = RoleKnown(found.roles, cards, self.language)
        give_back()
        names = told_by_names(found.said) if learns else None
        scored = frozenset(sampled_pages(n)) if learns else frozenset()
        if not self.run(EvidenceStage(self.work, self.place, first, known, extractor, names, scored)):
            return None
        evidence = answers(self.work, "evidence", self.parts)
        counts = replace(RoleCounts.merged([]), n_pages=n, structure=found.roles.structure)
        known = replace(known, cards=found.cards, counts=counts)
        found = replace(found, roles=counts)
        give_back()
        resolved = sum(part.read(int, "links_resolved") for part in evidence)
        for part, answer in zip(self.parts, evidence, strict=True):  # all that the last pass asks of it
            entropy = answer.read(Floats, "roles.link_entropy")
            if not (part in KEPT.parts and HANDED.give("entropy", part, entropy)):
                answer_file(self.work, "entropy", part).write_bytes(pack(entropy))
        if not extractor.is_fitted:
            extractor.knowledge_ = merge_paths(evidence, found.said) if learns else None
        found = replace(found, said=SaidCounts.none(n))
        shared = (self.fields, found.images, found.places, found.cards.only("title", "by_address"))
        give_back()
        self.runner.begin(Ahead(self.place, extractor, *shared))
        into, out_of, template, roles = self._ranked(evidence, known)
        del known
        texts = {name: Strings.of(values) for name, values in roles.evidence.items() if values.dtype == object}
        roles = replace(roles, evidence={name: v for name, v in roles.evidence.items() if name not in texts})
        cards = found.cards.only("url", "title", "by_address")
        found = replace(found, cards=cards)
        self._remove("evidence")
        give_back()
        if not self.run(ListStage(self.work, self.place, first, roles.page_role, self.language)):
            return None
        lists = merge_lists(answers(self.work, "lists", self.parts), int((roles.page_role == TOC).sum()))
        self._remove("lists")
        verdict = Verdict(extractor, roles, template, *shared, into, out_of, lists.page, lists.is_good, texts)
        return Judged(found, verdict, first, resolved)

    def _ranked(self, evidence: Sequence[Answer], known: RoleKnown) -> tuple[Ints64, Ints64, Ints32, PageVerdict]:
        """Links to and from each page, its template, and the roles of all."""
        said = MergedEvidence(evidence)
        into, out_of = said.degrees()
        features = features_of(said, known)
        forget_folders()
        give_back()
        return into, out_of, features.template, self.pages.rank_features(features)


def _asked(question: Callable[[Site], T], place: Place, rows: Sequence[int]) -> T:
    """What these pages say together, without those that cannot be asked."""
    pages = list(place.pages(rows))
    builder = SiteBuilder()
    for row, page in zip(rows, pages, strict=True):
        if (parsed := builder.add(page, PARSED.of(place, row))) is not None:
            PARSED.add(place, row, parsed)
    try:
        return question(builder.build())
    except PAGE_FAULTS:
        return question(build_site([page for page in pages if _can_be_asked(question, page)]))


def _can_be_asked(question: Callable[[Site], object], page: Capture) -> bool:
    try:
        question(build_site([page]))
    except PAGE_FAULTS:
        return False
    return True
