"""The plan gives what one process gives, whatever the parts, the workers, and what befalls them."""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sitegrain
from sitegrain import Capture, OutputError, SourceError, UsageError, native
from sitegrain.arrays.strings import StringCounts
from sitegrain.article.context import site_fields
from sitegrain.article.fields import SiteFields
from sitegrain.demo import Truth
from sitegrain.errors import SitegrainError
from sitegrain.extractor.knowledge import SaidCounts, learn
from sitegrain.extractor.model import Extractor
from sitegrain.native.inputs import SiteFacts
from sitegrain.plan import judging
from sitegrain.plan import sites as plan_sites
from sitegrain.plan.frames import PartFileError
from sitegrain.plan.merging import PackedKnowledge, PackedNumbers
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.packing import Packed, pack
from sitegrain.plan.part import PartResult
from sitegrain.plan.processes.runners import DEAD, InlineRunner, ProcessRunner
from sitegrain.plan.sites import mine_sites
from sitegrain.plan.spool import Place, Spool
from sitegrain.plan.stages import Stage
from sitegrain.report.parts import write_bodies, write_stored_report
from sitegrain.result.folder import GRAPH, LINES, TABLES
from sitegrain.result.mining import mine as mine_in_memory
from sitegrain.result.recipe import make_recipe
from sitegrain.result.stored import StoredResult, open_result
from sitegrain.roles.counts import RoleCounts
from sitegrain.sources.base import Source
from sitegrain.sources.open import open_source
from sitegrain.tables.budgets import SECONDS_PER_PART
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from tests.builders import captures_of, site_of

FILES = (*(f"{name}.parquet" for name in TABLES), *(f"{name}.jsonl" for name in LINES), GRAPH)


@pytest.fixture(scope="module")
def whole(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "out"
    mine_in_memory(truth.folder, out)
    return out


@pytest.fixture(scope="module")
def parted(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parted") / "out"
    found = mine(truth.folder, out, means=Means(workers=1, part_pages=48, hooks=(write_bodies,)))
    assert isinstance(found, StoredResult)
    return out


def test_parts_say_what_the_whole_says(whole: Path, parted: Path) -> None:
    for name in TABLES:
        one, other = (pq.read_table(folder / f"{name}.parquet") for folder in (whole, parted))
        assert one.schema.equals(other.schema)
        for column in one.column_names:
            a, b = one[column].to_pylist(), other[column].to_pylist()
            if str(one[column].type) in ("double", "float"):
                np.testing.assert_allclose(np.array(a, float), np.array(b, float), rtol=0, atol=1e-6)
            else:
                assert a == b, column
    for file in (*(f"{name}.jsonl" for name in LINES), GRAPH):
        assert (whole / file).read_bytes() == (parted / file).read_bytes()
    said = [json.loads((folder / "site.json").read_text()) for folder in (whole, parted)]
    for key in {*said[0], *said[1]} - {"time", "seconds"}:
        assert said[0][key] == said[1][key], key


def test_workers_change_no_byte(truth: Truth, parted: Path, tmp_path: Path) -> None:
    mine(truth.folder, tmp_path / "out", means=Means(workers=2, part_pages=48))
    for file in FILES:
        assert (tmp_path / "out" / file).read_bytes() == (parted / file).read_bytes(), file
    assert os.listdir(tmp_path) == ["out"]


def test_the_report_of_parts(parted: Path) -> None:
    index = write_stored_report(open_result(parted))
    bodies = sorted(int(path.stem.removeprefix("body-")) for path in (index.parent / "data").glob("body-*.js"))
    assert bodies == [0, 48, 96, 144]


def killed_at_a_page(result: PartResult, folder: Path) -> None:
    """A hook: the worker that has this page dies."""
    if os.environ["SITEGRAIN_KILLED_AT"] in result.site.pages.path:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies(truth: Truth, parted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGRAIN_KILLED_AT", open_result(parted)[50].path)
    means = Means(workers=2, part_pages=48, hooks=(killed_at_a_page,))
    result = mine(truth.folder, tmp_path / "out", means=means)
    n = len(truth.pages)
    assert len(result) == n - 48
    assert result.summary["skipped"]["lost with a worker that died"] == 48
    assert "pages 48 to 95 are left out: worker" in result.summary["problems"][-1]
    assert "SIGKILL" in result.summary["problems"][-1]
    assert len(result.pages["url"].unique()) == n - 48


class _Deadly:
    """Methods that end the process at some pages."""

    def __init__(self) -> None:
        self.nodes = self.pages = self

    def judge(self, site: Site) -> None:
        if "deadly" in site.texts[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def fit_apply(self, site: Site) -> None:
        """Nothing to do."""


def test_pages_that_end_their_process_are_found(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 4)
    for k in range(12):
        spool.add(Capture(f"http://a.org/{k}", b"<p>deadly" if k in (1, 2, 3, 6) else b"<p>good", path=f"{k}"))
    with ProcessRunner(2) as runner:
        found = judging.Judging(tmp_path, spool.close(), make_recipe(), runner, _Deadly)  # type: ignore[arg-type]
        found.leave_out({0: f"{DEAD}1 was killed", 1: f"{DEAD}2 was killed"})
    assert found.lost.counts == {"failed: a page that cannot be judged": 4}
    assert [problem.partition(":")[2][:18] for problem in found.lost.problems] == [
        "//a.org/1: cannot ",
        "//a.org/2: cannot ",
        "//a.org/3: cannot ",
        "//a.org/6: cannot ",
    ]
    assert found.parts == [0, 1, 2]
    assert found.place.n_pages == 8


def test_a_worker_has_limits(tmp_path: Path) -> None:
    """A part that never ends is ended by the system, and one that takes all memory gets an error."""
    place = Spool(tmp_path, 4).close()
    with ProcessRunner(1) as runner:
        lost = runner.run(_Limits(tmp_path, place), [0], lambda part: None)
    assert not lost
    used, memory = map(int, (tmp_path / "limits").read_text().split())
    assert 0 < used < 2 * SECONDS_PER_PART
    assert 0 < memory <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class _Limits(Stage):
    def __call__(self, part: int) -> None:
        limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)]
        (self.work / "limits").write_text(" ".join(map(str, limits)))


def test_a_damaged_part_is_named(truth: Truth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Spool.close

    def damaged(self: Spool) -> Place:
        place = real(self)
        path = place.folder / "000001.pages"
        path.write_bytes(path.read_bytes()[:-100])
        return place

    monkeypatch.setattr("sitegrain.plan.mining.KEPT_BYTES", 0)  # no page is held as it came
    monkeypatch.setattr(Spool, "close", damaged)
    monkeypatch.setattr(judging, "voting_pages", lambda n: [0, 1, 2])
    monkeypatch.setattr(judging, "asked_pages", lambda n: [0])
    result = mine(truth.folder, tmp_path / "out", means=Means(workers=1, part_pages=48))
    assert len(result) == len(truth.pages) - 48
    assert "000001.pages is damaged" in result.summary["problems"][-1]


@pytest.mark.parametrize("when", ["evidence", "rows"])
def test_a_page_that_cannot_be_judged_costs_itself(
    when: str, truth: Truth, parted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = open_result(parted)[50].path
    real_apply, real_scores = Extractor.apply, Extractor.path_scores

    def apply(self: Extractor, site: Site) -> Any:
        if bad in site.pages.path:
            raise ZeroDivisionError("poison")
        return real_apply(self, site)

    def path_scores(self: Extractor, site: Site, *more: Any) -> Any:
        if bad in site.pages.path:
            raise ZeroDivisionError("poison")
        return real_scores(self, site, *more)

    monkeypatch.setattr(Extractor, "apply", apply)
    if when == "evidence":
        monkeypatch.setattr(Extractor, "path_scores", path_scores)
    result = mine(truth.folder, tmp_path / "out", means=Means(workers=1, part_pages=48))
    monkeypatch.undo()
    assert result.summary["skipped"]["failed: a page that cannot be judged"] == 1
    assert bad in result.summary["problems"][-1]
    assert "cannot be judged (ZeroDivisionError: poison)" in result.summary["problems"][-1]
    others = [capture for capture in open_source(truth.folder) if capture.path != bad]
    mine(others, tmp_path / "others", means=Means(workers=1, part_pages=48))
    for name in ("url", "role", "text", "markdown"):
        assert result.pages[name].to_pylist() == open_result(tmp_path / "others").pages[name].to_pylist()


def test_pages_that_cannot_be_asked_are_not(truth: Truth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fields(site: Site) -> SiteFields | None:
        if truth.pages[0].path in site.pages.path:
            raise ZeroDivisionError("poison")
        return site_fields(site)

    monkeypatch.setattr(judging, "site_fields", fields)
    result = mine(truth.folder, tmp_path / "out", means=Means(workers=1, part_pages=48))
    assert len(result) == len(truth.pages)


def test_a_stop_leaves_the_earlier_result(truth: Truth, tmp_path: Path) -> None:
    sitegrain.mine(captures_of("<p>old"), tmp_path / "out", methods=("everything", "outlink-count"))

    def stop(what: str, done: int, total: int) -> None:
        if what == "writing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(truth.folder, tmp_path / "out", means=Means(workers=1, part_pages=48, on_progress=stop))
    assert os.listdir(tmp_path) == ["out"]
    assert open_result(tmp_path / "out")[0].text == "old"


def test_too_little_memory_is_told_early(truth: Truth, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="MB are allowed"):
        mine(truth.folder, tmp_path / "out", means=Means(workers=2, part_pages=48, memory=100 << 20))
    assert os.listdir(tmp_path) == []


def test_no_page(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no page"):
        mine([], tmp_path / "out")
    assert os.listdir(tmp_path) == []


def test_the_last_capture_counts(tmp_path: Path) -> None:
    pages = [Capture(f"http://a.org/{k}", f"<p>page {k} {'word ' * 30}".encode(), path=f"{k}") for k in range(8)]
    spool = Spool(tmp_path, 4)
    for page in [*pages, Capture("http://a.org/1", b"<p>new", headers={"a": "b"})]:
        spool.add(page)
    place = spool.close()
    assert place.start.tolist() == [0, 4, 8]
    assert [c.url for c in place.captures(0)] == [c.url for c in pages[:4]]
    again = place.captures(0)[1]
    assert (again.body, again.headers) == (b"<p>new", {"a": "b"})
    assert spool.counts == {"duplicate URL, last capture kept": 1}


def test_many_sites(tmp_path: Path) -> None:
    def pages(host: str) -> list[Capture]:
        return [Capture(f"http://{host}/{k}", f"<p>{host} says {k} things".encode()) for k in range(3)]

    mixed = [
        c
        for three in zip(pages("a.blogspot.com"), pages("b.blogspot.com"), pages("www.c.org"), strict=True)
        for c in three
    ]
    mixed.append(mixed[0])
    mined = mine_sites(mixed, tmp_path / "out")
    found = mined.sites
    assert mined.skipped == {"duplicate URL, last capture kept": 1}
    assert not mined.problems
    assert [(s.site, s.n_pages) for s in found] == [("a.blogspot.com", 3), ("b.blogspot.com", 3), ("c.org", 3)]
    assert pq.read_table(tmp_path / "out" / "sites.parquet")["site"].to_pylist() == [s.site for s in found]
    assert open_result(tmp_path / "out" / "c.org")[0].text == "www.c.org says 0 things"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("x")
    with pytest.raises(OutputError, match="other files"):
        mine_sites(mixed, tmp_path / "other")


def test_a_site_that_cannot_be_mined_does_not_end_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def mine_unless_b(source: Source, *rest: Any, **named: Any) -> Any:
        if source.name == "b.org":
            raise SourceError("nothing to learn from")
        return mine(source, *rest, **named)

    monkeypatch.setattr(plan_sites, "mine", mine_unless_b)
    pages = [Capture(f"http://{host}/", b"<p>text") for host in ("a.org", "b.org", "c.org")]
    mined = mine_sites(pages, tmp_path / "out")
    assert [site.site for site in mined.sites] == ["a.org", "c.org"]
    assert mined.problems == ["b.org: nothing to learn from"]
    with pytest.raises(SourceError, match=r"no site of the source could be mined: b\.org: nothing"):
        mine_sites(pages[1:2], tmp_path / "none")


def test_packed_values_come_back() -> None:
    site = site_of("<h1>a</h1><p class=x>b", "<a href=0.html>c</a>")
    counts = RoleCounts.of(site, site_terms(site))
    again = Packed(pack(counts)).read(RoleCounts)
    assert again.n_pages == 2
    for name in ("texts", "links", "structure", "terms"):
        assert np.array_equal(getattr(again, name).key, getattr(counts, name).key)
        assert np.array_equal(getattr(again, name).values, getattr(counts, name).values)
    with pytest.raises(PartFileError, match="damaged"):
        Packed(pack(counts)[:-40]).read(RoleCounts)
    assert issubclass(PartFileError, SitegrainError)


class _Fails:
    """A stage that always fails."""

    def __call__(self, part: int) -> None:
        raise ValueError(f"part {part}")


def test_what_fails_is_tried_twice_and_given_up() -> None:
    done: list[int] = []
    stage: Any = _Fails()
    assert InlineRunner().run(stage, [3], done.append) == {3: "ValueError: part 3"}
    assert not done
    with ProcessRunner(1) as runner:
        assert not runner.workers


def test_all_workers_may_be_gone_at_once(tmp_path: Path) -> None:
    """Killed with the process that they came from, while nobody listened: others are started."""
    stage = _Limits(tmp_path, Spool(tmp_path, 4).close())
    done: list[int] = []
    with ProcessRunner(2) as runner:
        runner.prepare()
        runner.run(stage, [0], done.append)
        assert runner.nursery is not None
        runner.nursery._process.kill()
        for worker in runner.workers:
            with suppress(EOFError, OSError):
                while worker.line.poll(10):
                    worker.line.recv()
        assert not runner.run(stage, [0, 1], done.append)
    assert sorted(done) == [0, 0, 1]


def test_entries_are_named_by_pages_of_other_parts(tmp_path: Path) -> None:
    """A link that says "Read more" has the title of the page that it leads to, wherever that page is."""
    prose = "The kettle sings above the quiet water of the bay, and nobody in the kitchen minds. " * 6
    stories = [
        Capture(
            f"http://a.org/story/{k}.html",
            f"<title>Story number {k}</title><h1>Story number {k}</h1><p>{prose} {k * 7}".encode(),
        )
        for k in range(24)
    ]
    lists = [
        Capture(
            f"http://a.org/list/{k}.html",
            f"<title>List {k}</title><h1>List {k}</h1>".encode()
            + b"".join(
                b"<div><p>Of kettles, bays and what else %d brought.</p><a href=/story/%d.html>Read more</a></div>"
                % (j, j)
                for j in range(6 * k, 6 * k + 6)
            ),
        )
        for k in range(4)
    ]
    out = tmp_path / "out"
    mine([*stories, *lists], out, means=Means(workers=1, part_pages=7))
    assert not open_result(out).summary["problems"]
    whole = sitegrain.mine([*stories, *lists])
    entries = [[e.title for e in page.entries] for page in open_result(out).tocs]
    assert entries == [[e.title for e in page.entries] for page in whole.tocs]
    assert "Story number 3" in {title for titles in entries for title in titles}


def test_a_model_is_saved_with_all_that_was_learned(truth: Truth, tmp_path: Path) -> None:
    """On its way to workers, texts and words are packed; in a file they are not."""
    mine(truth.folder, tmp_path / "parted", save_model=tmp_path / "a", means=Means(workers=1, part_pages=48))
    mine_in_memory(truth.folder, tmp_path / "whole", save_model=tmp_path / "b")
    parted, whole = (Extractor.load(tmp_path / name).knowledge_ for name in "ab")
    assert parted is not None
    assert whole is not None
    assert whole.text_pages
    for name in ("names", "text_pages", "masked_pages", "word_pages"):
        assert getattr(parted, name) == getattr(whole, name)


@given(st.dictionaries(st.text(max_size=5), st.integers(1, 9), max_size=9), st.text(max_size=5))
def test_packed_numbers_are_a_mapping(numbers: dict[str, int], other: str) -> None:
    said = replace(SaidCounts.none(3), texts=StringCounts.of(numbers))
    found = PackedNumbers(pack(said), "texts")
    assert dict(found.items()) == numbers == {string: found[string] for string in found}
    assert len(found) == len(numbers)
    assert found.get(other, 0) == numbers.get(other, 0)


def test_kernels_take_texts_from_any_mapping() -> None:
    """A table of packed texts tells what one of a dict tells."""
    site = site_of(*(f"<p>The same text on all pages<p>Chapter {k}<p>Greek: ΟΔΟΣ" for k in range(6)))
    learned = learn(site)
    said = SaidCounts.of(site)
    packed = PackedKnowledge(**{f.name: getattr(learned, f.name) for f in fields(learned)}, said=pack(said))
    packed.text_pages = packed.masked_pages = packed.word_pages = {}
    verdicts = []
    for knowledge in (learned, packed):
        extractor = Extractor()
        extractor.knowledge_ = knowledge
        verdicts.append(extractor.apply(site).node_score)
    assert np.array_equal(verdicts[0], verdicts[1], equal_nan=True)
    for wrong in ({1: 2}, [1]):
        facts = SiteFacts(**{name: getattr(learned, name) for name in SiteFacts._fields} | {"text_pages": wrong})
        with pytest.raises((TypeError, ValueError)):
            native.site_table(facts)
