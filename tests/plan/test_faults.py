"""What befalls a run from outside: kills, Ctrl-C, a full disk, damaged files. No result looks whole and is not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import sitegrain
from sitegrain import SitegrainError
from sitegrain.demo import generate
from sitegrain.plan.frames import PartFileError, frame, read_frame
from sitegrain.plan.kept import HANDED
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.part import PartResult
from sitegrain.plan.stages import RowsStage
from sitegrain.result.stored import open_result
from sitegrain.sources.open import open_source
from sitegrain.tables.capture import Capture
from tests.builders import captures_of

ROOT = Path(__file__).parent.parent.parent
N_PAGES, PART_PAGES = 48, 16
SOON = 1.0
"""Seconds within which Ctrl-C ends a run on a machine that does nothing else."""


def soon() -> float:
    """The same on this one, as busy as it is."""
    return SOON * (2 + os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    truth = generate(tmp_path_factory.mktemp("demo"))
    for page in truth.pages[N_PAGES:]:
        (truth.html / page.path).unlink()
    return truth.folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An earlier result."""
    sitegrain.mine(captures_of("<p>old"), tmp_path / "out", methods=("everything", "outlink-count"))
    return tmp_path / "out"


def files_of(result: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in result.iterdir() if path.name != "site.json"}


class Started:
    """`mine` with two workers in a process of its own, as far as a stage."""

    def __init__(self, folder: Path, out: Path, stage: str) -> None:
        paths = os.pathsep.join([str(ROOT), str(Path(sitegrain.__file__).parent.parent)])
        command = [sys.executable, "-m", "tests.plan.telling", str(folder), str(out), str(PART_PAGES)]
        environment = {**os.environ, "PYTHONPATH": paths}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdout is not None
        self.line = next((line for line in self.process.stdout if line.decode().startswith(stage)), b"")
        assert self.line, f"it never came to {stage}"
        self.nursery = children_of(self.process.pid)
        self.workers = [*self.nursery, *(pid for nursery in self.nursery for pid in children_of(nursery))]

    def ended(self, seconds: float) -> bool:
        """Whether no worker is left after so long."""
        until = time.monotonic() + seconds
        while (left := [pid for pid in self.workers if _is_alive(pid)]) and time.monotonic() < until:
            time.sleep(0.02)
        return not left


def children_of(pid: int) -> list[int]:
    """The processes that a process started, and that are still there."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def started(folder: Path, out: Path) -> Iterator[list[Started]]:
    runs: list[Started] = []
    yield runs
    for run in runs:
        run.process.kill()
        run.process.communicate()


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
@pytest.mark.parametrize("stage", ["comparing", "writing"])
def test_a_parent_that_is_killed_leaves_the_earlier_result_and_no_worker(
    stage: str, folder: Path, out: Path, started: list[Started]
) -> None:
    before = files_of(out)
    run = Started(folder, out, stage)
    started.append(run)
    assert len(run.workers) == 3 or stage == "writing"  # there they may have done all and be gone
    run.process.kill()
    run.process.wait()
    assert run.ended(10 * soon())
    assert files_of(out) == before
    assert len(os.listdir(out.parent)) > 1  # what it left
    mine(folder, out, means=Means(workers=1, part_pages=PART_PAGES))
    assert os.listdir(out.parent) == ["out"]
    assert len(open_result(out)) == N_PAGES


@linux
def test_a_nursery_that_is_killed_costs_nothing(
    folder: Path, out: Path, started: list[Started], tmp_path: Path
) -> None:
    run = Started(folder, out, "comparing")
    started.append(run)
    for pid in run.nursery:
        os.kill(pid, signal.SIGKILL)
    run.process.communicate()
    assert run.process.returncode == 0
    assert run.ended(10 * soon())
    assert not open_result(out).summary["problems"]
    mine(folder, tmp_path / "other", means=Means(workers=1, part_pages=PART_PAGES // 2))
    assert files_of(out) == files_of(tmp_path / "other")


@linux
@pytest.mark.parametrize("stage", ["reading", "writing"])
def test_a_stop_ends_soon(stage: str, folder: Path, out: Path, started: list[Started]) -> None:
    before = files_of(out)
    run = Started(folder, out, stage)
    started.append(run)
    at = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    _, said = run.process.communicate()
    assert time.monotonic() - at < soon()
    assert b"KeyboardInterrupt" in said
    # What this process itself must do, which waits for nobody: far less than a second, so that it is none on a busy machine either.
    processor = float(said.partition(b"processor")[2])
    assert processor < SOON / 4
    assert run.ended(soon())
    assert files_of(out) == before
    assert os.listdir(out.parent) == ["out"]


def killed_once(result: PartResult, folder: Path) -> None:
    """A hook: the worker that has the last page dies, the first time."""
    mark = Path(os.environ["SITEGRAIN_KILLED"])
    if result.first + len(result) == N_PAGES and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_costs_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGRAIN_KILLED", str(tmp_path / "killed"))
    means = Means(workers=2, part_pages=8, hooks=(killed_once,))
    result = mine(folder, tmp_path / "out", means=means)
    assert (tmp_path / "killed").exists()
    assert not result.summary["problems"]
    mine(folder, tmp_path / "other", means=Means(workers=1, part_pages=8))
    assert files_of(tmp_path / "out") == files_of(tmp_path / "other")


def changed(path: Path) -> None:
    """One bit in the middle of a file is another."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(("stage", "file"), [("reading", "survey"), ("comparing", "evidence"), ("lists", "lists")])
def test_a_damaged_answer_makes_no_result(
    stage: str, file: str, folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(out)
    monkeypatch.setattr(HANDED, "give", lambda what, part, made: False)  # through files, as between processes

    def damage(what: str, done: int, total: int) -> None:
        if what == stage and done == total:
            (path,) = out.parent.glob(f".out.part-*/{file}-000001.part")
            changed(path)

    with pytest.raises(SitegrainError, match=r"000001\.part is damaged"):
        mine(folder, out, means=Means(workers=1, part_pages=PART_PAGES, on_progress=damage))
    assert files_of(out) == before
    assert os.listdir(out.parent) == ["out"]


def test_damaged_rows_make_no_result(folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real = files_of(out), RowsStage.__call__

    def damaged(self: RowsStage, part: int) -> None:
        real(self, part)
        if part == 1:
            changed(self.file(part))

    monkeypatch.setattr(RowsStage, "__call__", damaged)
    monkeypatch.setattr(HANDED, "give", lambda what, part, made: False)  # through files, as between processes
    with pytest.raises(SitegrainError, match="rows-000001 is damaged"):
        mine(folder, out, means=Means(workers=1, part_pages=PART_PAGES))
    assert files_of(out) == before
    assert os.listdir(out.parent) == ["out"]


def test_a_changed_bit_of_the_pages_is_found(folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the part is left out or the run ends: a page that is not as it came is in no result."""
    monkeypatch.setattr("sitegrain.plan.mining.KEPT_BYTES", 0)  # no page is held as it came
    pages = {capture.url: capture for capture in open_source(folder)}

    def captures() -> Iterator[Capture]:
        yield from pages.values()
        yield Capture("http://courier.example/last", b"<p>the end")
        (path,) = out.parent.glob(".out.part-*/000001.pages")
        changed(path)

    with suppress(SitegrainError):
        result = mine(captures(), out, means=Means(workers=1, part_pages=PART_PAGES))
        assert "000001.pages is damaged" in str(result.summary["problems"])
        assert len(result) == N_PAGES + 1 - PART_PAGES


def test_every_bit_of_a_frame_counts(tmp_path: Path) -> None:
    path = tmp_path / "frames"
    whole = frame(b"some bytes " * 9)
    for at in range(len(whole)):
        for bit in (0, 7):
            content = bytearray(whole)
            content[at] ^= 1 << bit
            path.write_bytes(content)
            with open(path, "rb") as file, pytest.raises(PartFileError, match="frames is damaged"):
                read_frame(file)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
def test_a_full_disk(folder: Path, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), str(Path(sitegrain.__file__).parent.parent)])
    script = [sys.executable, "-m", "tests.plan.full_disk", str(folder), str(tmp_path), str(PART_PAGES)]
    command = ["unshare", "-rm", *script]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr or "cannot mount" in done.stdout:
        pytest.skip("a small disk cannot be mounted here")
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "told" in done.stdout
    assert "done" in done.stdout
