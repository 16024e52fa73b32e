from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from sitegrain.errors import SourceError
from sitegrain.evaluation import gate
from sitegrain.evaluation.data import open_site
from sitegrain.extractor import model as extractor
from tests.evaluation.builders import archive, small_site


@pytest.fixture
def data(tmp_path: Path) -> Path:
    small_site(tmp_path / "data/s")
    return tmp_path / "data"


def floors_file(tmp_path: Path, data: Path, floor: float, digest: str = "") -> Path:
    path = tmp_path / "floors.json"
    digest = digest or open_site(data / "s").digest
    gate.write_floors([gate.Floor("s", digest, "everything", "token_recall", floor)], path)
    return path


def go(*arguments: object) -> tuple[int, str]:
    said: list[str] = []
    code = gate.main(["--workers", "0", *map(str, arguments)], said.append)
    return code, "\n".join(said)


def test_above_and_below_a_floor(tmp_path: Path, data: Path) -> None:
    code, said = go("--data", data, "--floors", floors_file(tmp_path, data, 0.9))
    assert code == 0
    assert "passed  s: everything token_recall (all): 1.0000, floor 0.9000" in said
    code, said = go("--data", data, "--floors", floors_file(tmp_path, data, 1.1))
    assert code == 1
    assert "0 passed, 1 failed, 0 skipped" in said


def test_absent_data_is_skipped_and_not_passed(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 1.1)
    for more in ((), ("--data", tmp_path / "elsewhere")):
        code, said = go("--floors", path, *more)
        assert code == 0
        assert "skipped s: everything" in said
        assert "0 passed, 0 failed, 1 skipped" in said


def test_other_data_fails(tmp_path: Path, data: Path) -> None:
    code, said = go("--data", data, "--floors", floors_file(tmp_path, data, 0.1, "0" * 64))
    assert code == 1
    assert "not the pinned data" in said


def test_lowering_needs_the_flag(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 1.1)
    code, _ = go("--data", data, "--floors", path, "--raise")
    assert code == 1
    assert gate.read_floors(path)[0].floor == 1.1
    code, _ = go("--data", data, "--floors", path, "--lower")
    assert code == 0
    assert gate.read_floors(path)[0].floor == pytest.approx(1 - gate.MARGIN)


def test_raising(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 0.5)
    go("--data", data, "--floors", path, "--raise")
    assert gate.read_floors(path)[0].floor == pytest.approx(1 - gate.MARGIN)


@pytest.mark.parametrize(("out_of_fold", "margin"), [(False, 0.002), (True, 0.005)])
def test_another_training_may_differ_by_more(out_of_fold: bool, margin: float) -> None:
    floor = gate.Floor("s", "", "default", "word_f1", 0.5, out_of_fold=out_of_fold)
    (lifted,) = gate.lifted([gate.Outcome(floor, "passed", 0.9, "")], lower=False)
    assert lifted.floor == pytest.approx(0.9 - margin)


def test_a_figure_that_the_run_does_not_give_fails(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "floors.json"
    gate.write_floors([gate.Floor("s", open_site(data / "s").digest, "everything", "beauty", 0.1)], path)
    code, said = go("--data", data, "--floors", path)
    assert code == 1
    assert "no such figure" in said


def test_pinning(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 1.1)
    code, said = go("--data", data, "--floors", path, "--pin", "s", "everything", "token_recall")
    assert code == 1
    assert "--lower" in said
    code, _ = go("--data", data, "--floors", path, "--pin", "s", "everything", "token_f1")
    assert code == 0
    assert {f.metric for f in gate.read_floors(path)} == {"token_recall", "token_f1"}
    code, said = go("--data", data, "--floors", path, "--pin", "none", "everything", "token_f1")
    assert code == 2


def test_pinning_several_at_once_is_one_run(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 0.5)
    small_site(data / "t")
    what = ("--pin", ".", "everything", "token_f1,token_recall", "--group", "all,s")
    code, said = go("--data", data, "--floors", path, *what)
    assert code == 0, said
    assert said.count("measuring") == 1
    assert said.count("pinned") == 4
    code, said = go("--data", data, "--floors", path)
    assert (code, "5 passed, 0 failed, 0 skipped" in said) == (0, True)
    # One that the run does not give: none is written.
    before = path.read_text()
    code, said = go("--data", data, "--floors", path, "--pin", "s", "everything", "token_precision,beauty")
    assert (code, "no such figure" in said) == (1, True)
    assert path.read_text() == before


def test_lowering_mends_no_other_failure(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 0.1, "0" * 64)
    code, _ = go("--data", data, "--floors", path, "--lower")
    assert code == 1
    assert gate.read_floors(path)[0].floor == 0.1


def test_an_archive_will_do_for_its_folder_and_back(tmp_path: Path, data: Path) -> None:
    path = floors_file(tmp_path, data, 0.9)
    archive(data / "s")
    shutil.rmtree(data / "s")
    code, said = go("--data", data, "--floors", path)
    assert (code, "1 passed" in said) == (0, True)


def test_floors_out_of_fold_need_the_models(tmp_path: Path, data: Path) -> None:
    path, folds = tmp_path / "floors.json", tmp_path / "folds"
    gate.write_floors([], path)
    folds.mkdir()
    (folds / "s.json").write_bytes((Path(extractor.__file__).parent / "data/content.json").read_bytes())
    (folds / "index.json").write_text('{"models": {"s": "s.json"}}')
    arguments = ("--data", data, "--floors", path)
    code, said = go(*arguments, "--out-of-fold", folds, "--pin", "s", "default", "article_f1")
    assert code == 0, said
    assert gate.read_floors(path)[0].out_of_fold
    code, said = go(*arguments)
    assert (code, "0 passed, 0 failed, 1 skipped" in said) == (0, True)
    assert "skipped s: default article_f1 (all, out of fold): no models out of fold" in said
    code, said = go(*arguments, "--out-of-fold", folds)
    assert (code, "1 passed" in said) == (0, True)
    # Models that do not cover the data are an error, and no pass.
    (folds / "index.json").write_text('{"models": {"other": "s.json"}}')
    code, said = go(*arguments, "--out-of-fold", folds)
    assert (code, "no model for 's'" in said) == (2, True)


def test_unknown_method_is_an_error_and_no_pass(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "floors.json"
    gate.write_floors([gate.Floor("s", open_site(data / "s").digest, "nobody", "token_f1", 0.1)], path)
    code, said = go("--data", data, "--floors", path)
    assert code == 2
    assert "no method called 'nobody'" in said


@pytest.mark.parametrize("text", ["", "[]", '{"floors": [{"x": 1}]}', '{"floors": [7]}'])
def test_a_floors_file_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.json").write_text(text)
    with pytest.raises(SourceError):
        gate.read_floors(tmp_path / "f.json")


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), "0.5", None])
def test_a_floor_that_can_never_fail_is_refused(tmp_path: Path, value: object) -> None:
    row = {"data": "s", "digest": "", "method": "m", "metric": "x", "floor": value}
    (tmp_path / "f.json").write_text(json.dumps({"floors": [row]}))
    with pytest.raises(SourceError, match="not a number"):
        gate.read_floors(tmp_path / "f.json")


def test_the_floors_of_the_repository_hold() -> None:
    """What needs only the demo site is checked with every test run; `make gate` checks the rest."""
    floors = [f for f in gate.read_floors() if f.data == gate.DEMO]
    assert floors
    failed = [str(o) for o in gate.check_floors(floors, None, workers=0) if o.status != "passed"]
    assert failed == []


def test_figures_of_structure_are_pinned_by_name(tmp_path: Path) -> None:
    floors = tmp_path / "floors.json"
    gate.write_floors([], floors)
    wanted = "toc f1,headings recall,images own"
    assert (
        gate.main(["--floors", str(floors), "--pin", "demo", "default", wanted, "--structure", "--workers", "0"], print)
        == 0
    )
    found = gate.read_floors(floors)
    assert [f.metric for f in found] == ["headings recall", "images own", "toc f1"]
    assert all(f.structure and f.floor > 0.9 for f in found)
    (outcome,) = gate.check_floors([dataclasses.replace(found[0], metric="no such figure")], None, workers=0)
    assert outcome.status == "failed"
