"""Faults of the machine: a disk that fails at any moment, memory that ends at any allocation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sitegrain
from sitegrain.native import choice
from tests.hostile.limits import taken_by
from tests.hostile.measure import GOOD
from tests.native.bodies import needs_core, put_in

HERE = Path(__file__).parent
MAX_ALLOCATIONS = 300
"""Allocations of a kernel that are let fail one by one."""


@pytest.mark.skipif(
    shutil.which("cc") is None or sys.platform != "linux", reason="the shim needs a C compiler and Linux"
)
def test_a_disk_that_fails_loses_nothing(tmp_path: Path) -> None:
    shim = tmp_path / "failing.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, HERE / "failing.c", "-ldl"], check=True)
    paths = [str(HERE.parent.parent), str(Path(sitegrain.__file__).parent.parent)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.faults"],
        env={**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "said, old" in done.stdout  # something did fail


def recorded() -> dict[str, tuple[Any, ...]]:
    """The arguments of the first call of every kernel while a small site is mined."""
    calls: dict[str, tuple[Any, ...]] = {}
    body = choice.core

    class Recorder:
        def __getattr__(self, name: str) -> Any:
            found = getattr(body, name)
            if not callable(found):
                return found

            def call(*args: Any) -> Any:
                calls.setdefault(name, args)
                return found(*args)

            return call

    with pytest.MonkeyPatch.context() as patch:
        put_in(patch, Recorder())
        _ = sitegrain.mine(GOOD)[0].markdown
    return calls


@needs_core
def test_memory_that_ends_is_a_memory_error() -> None:
    testing = pytest.importorskip("_testcapi")
    calls = recorded()
    assert len(calls) > 8

    def failing_one_by_one(kernel: Callable[..., object], args: tuple[Any, ...]) -> None:
        for n in range(MAX_ALLOCATIONS):
            try:
                testing.set_nomemory(n, n + 1)
                kernel(*args)
            except MemoryError:
                continue
            finally:
                testing.remove_mem_hooks()

    for name, args in calls.items():
        kernel = getattr(choice.core, name)
        taken = taken_by(lambda kernel=kernel, args=args: failing_one_by_one(kernel, args), seconds=60, gigabytes=4)  # type: ignore[misc]
        assert not taken.error, f"{name}: {taken.error}"
