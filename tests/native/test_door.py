"""The door: one signature for both bodies, columns that both sides must have, and a fallback that says so."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import sitegrain
from sitegrain import native
from sitegrain.extractor import evidence
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.cues import class_words, cue_words
from sitegrain.native import choice, reference
from sitegrain.native.columns import EVIDENCE, Matrix, declared, expand
from tests.builders import site_of
from tests.native.bodies import needs_core, put_in

FOLDER = Path(native.__file__).parent
STUB = ast.parse((FOLDER / "_core.pyi").read_text("utf-8"))
PARAMETERS = {
    item.name: [argument.arg for argument in item.args.args] for item in STUB.body if isinstance(item, ast.FunctionDef)
}


def test_both_bodies_have_the_signatures_of_the_stub() -> None:
    assert sorted(PARAMETERS) == reference.KERNELS
    for name, parameters in PARAMETERS.items():
        assert list(inspect.signature(getattr(reference, name)).parameters) == parameters, name


@needs_core
def test_the_core_has_the_kernels_of_the_stub() -> None:
    from sitegrain.native import _core

    assert sorted(name for name in vars(_core) if callable(getattr(_core, name))) == sorted(PARAMETERS)


def test_only_the_door_knows_that_there_are_two_bodies() -> None:
    for path in FOLDER.parent.rglob("*.py"):
        if path not in (FOLDER / "__init__.py", FOLDER / "choice.py"):
            assert not re.search(r"\b_core\b", path.read_text("utf-8").replace("`_core.pyi`", "")), path


def test_a_column_that_the_reference_lacks_is_an_error() -> None:
    columns = dict.fromkeys(EVIDENCE.part, np.zeros(2))
    assert EVIDENCE.filled(columns, 2).shape == (2, len(EVIDENCE.names))
    with pytest.raises(ValueError, match=r"not computed.*title_match"):
        EVIDENCE.filled({name: c for name, c in columns.items() if name != "title_match"}, 2)
    with pytest.raises(ValueError, match=r"not declared.*brand_new"):
        EVIDENCE.filled({**columns, "brand_new": np.zeros(2)}, 2)


def test_a_pattern_must_name_as_many_columns_as_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    from sitegrain.native import columns

    monkeypatch.setitem(columns._LISTS, "EVIDENCE", [("up_text", "5", "up{0..5}_text")])
    with pytest.raises(ValueError, match="up_text"):
        Matrix("EVIDENCE")
    assert expand("{a,b}{0..1}") == ["a0", "a1", "b0", "b1"]


def _compiled(folder: Path) -> ModuleType:
    """The C files of a folder as a module."""
    out = folder / "_core.so"
    cc = [*(sysconfig.get_config_var("CC") or "cc").split(), "-O0", "-w", "-shared", "-fPIC"]
    include = f"-I{sysconfig.get_paths()['include']}"
    subprocess.run(
        [
            *cc,
            include,
            f"-I{folder}",
            f"-I{folder / 'c'}",
            *map(str, sorted(folder.rglob("*.c"))),
            "-lm",
            "-o",
            str(out),
        ],
        check=True,
    )
    spec = importlib.util.spec_from_file_location("other._core", out)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_core
@pytest.mark.skipif(shutil.which("cc") is None and shutil.which("gcc") is None, reason="no C compiler")
def test_a_column_that_c_lacks_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (*FOLDER.rglob("*.c"), *FOLDER.rglob("*.h")):
        text = path.read_text("utf-8")
        if path.name == "columns.h":
            assert "ONE(title_match)" in text
            text = text.replace("ONE(title_match)", "ONE(title_match) ONE(brand_new)")
        copy = tmp_path / path.relative_to(FOLDER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, "utf-8")
    other = _compiled(tmp_path)
    assert other.declared == declared().replace("title_match;", "title_match;brand_new;")
    with pytest.MonkeyPatch.context() as patch:  # the door does not take it
        patch.setattr(native, "_core", other)
        with pytest.warns(native.SlowKernels, match="another version"):
            assert choice.chosen() is reference
    # And if it did, its first page would tell.
    put_in(monkeypatch, other)
    for words in (class_words, cue_words):
        words.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"column 280 of EVIDENCE .* not computed in C"):
            evidence.gather(rows_of(site_of("<p>One"), 0, 1))
    finally:
        for words in (class_words, cue_words):
            words.cache_clear()


WITHOUT_CORE = """
import sys
sys.modules["sitegrain.native._core"] = None
import sitegrain
from sitegrain import native
assert not native.is_compiled
for _ in range(2):
    text = sitegrain.extract(sys.stdin.buffer.read() or PAGE, "http://a.org/").text
sys.stdout.buffer.write(text.encode())
"""
PAGE = b"<title>Tea</title><nav><a href=/>Home</a> <a href=/x>More</a></nav><h1>Tea</h1>" + b"".join(
    b"<p>Boil the water, pour it over the leaves, and wait for %d minutes. Then drink." % k for k in range(3, 9)
)


def test_without_the_core_the_text_is_the_same_and_one_warning_says_so() -> None:
    script = WITHOUT_CORE.replace("PAGE", repr(PAGE))
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent.parent)}
    found = subprocess.run([sys.executable, "-c", script], input=b"", capture_output=True, check=True, env=environment)
    assert found.stdout.decode() == sitegrain.extract(PAGE, "http://a.org/").text != ""
    said = found.stderr.decode()
    assert said.count("SlowKernels") == 1
    assert "50 times slower" in said
    assert "install a C compiler" in said
