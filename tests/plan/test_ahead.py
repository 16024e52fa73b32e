"""What is begun while roles are found changes no result, however far it came."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from sitegrain.demo import generate
from sitegrain.plan import mining
from sitegrain.plan.ahead import BEGUN, Ahead, step
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.processes.runners import InlineRunner
from sitegrain.render.page import RenderedPage
from sitegrain.tables.capture import Capture

N_PAGES = 48


class Eager(InlineRunner):
    """Does some steps ahead, as an idle worker does."""

    def __init__(self, n_steps: int | None) -> None:
        super().__init__()
        self.n_steps, self.n_taken = n_steps, 0

    def begin(self, ahead: Ahead) -> None:
        self.n_taken = sum(1 for _ in islice(ahead.steps(), self.n_steps))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Capture]:
    truth = generate(tmp_path_factory.mktemp("demo"))
    return [Capture(p.url, (truth.html / p.path).read_bytes()) for p in truth.pages[:N_PAGES]]


@pytest.fixture
def mined(pages: list[Capture], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Eager], dict[str, Any]]:
    def files(runner: Eager) -> dict[str, Any]:
        monkeypatch.setattr(mining, "make_runner", lambda n_workers, room: runner)
        out = tmp_path / f"{runner.n_steps}"
        mine(pages, out, means=Means(part_pages=16))
        about = json.loads((out / "site.json").read_text())
        told = {name: about[name] for name in ("problems", "skipped", "roles")}
        return {"site": told, **{path.name: path.read_bytes() for path in out.iterdir() if path.name != "site.json"}}

    return files


def test_a_result_is_the_same_however_far_it_was_begun(mined: Callable[[Eager], dict[str, Any]]) -> None:
    runners = [Eager(n) for n in (0, 1, 20, None)]
    nothing, *others = map(mined, runners)
    assert [runner.n_taken for runner in runners] == [0, 1, 20, N_PAGES]
    assert all(other == nothing for other in others)


def test_what_fails_ahead_is_told_as_always(
    mined: Callable[[Eager], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(page: RenderedPage) -> str:
        raise ValueError("no")

    monkeypatch.setattr(RenderedPage, "html", fails)
    nothing, all_ = mined(Eager(0)), mined(Eager(None))
    assert nothing["site"]["problems"]
    assert nothing == all_


def test_a_step_that_fails_leaves_nothing_begun() -> None:
    def steps() -> Any:
        yield
        raise RuntimeError("no")

    ahead = steps()
    assert step(ahead)
    BEGUN.add(0, None, None)  # type: ignore[arg-type]
    assert not step(ahead)
    assert not BEGUN._parts
    assert not step(ahead)
