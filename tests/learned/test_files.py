from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sitegrain.errors import ModelError, OutputError
from sitegrain.learned.files import VERSION, load_state, model_kind, save_state


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    state: dict[str, Any] = {
        "n": 3, "x": 0.1, "big": float("inf"), "no": None, "yes": True, "word": "größe", "list": [1, [2.5, "a"]],
        "inner": {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.array([True, False])},
        "f": np.array([1e-300, np.nan, -np.inf]), "empty": np.zeros((0, 4)),
        "scalar": np.float64(2.5), "count": np.int64(7),
    }  # fmt: skip
    path = tmp_path / "m.json"
    save_state(path, "test", state)
    back = load_state(path, "test")
    assert {k: v for k, v in back.items() if not isinstance(v, dict | np.ndarray)} == {
        "n": 3, "x": 0.1, "big": float("inf"), "no": None, "yes": True, "word": "größe", "list": [1, [2.5, "a"]],
        "scalar": 2.5, "count": 7,
    }  # fmt: skip
    for a, b in ((state["inner"]["a"], back["inner"]["a"]), (state["f"], back["f"]), (state["empty"], back["empty"])):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)
    assert model_kind(path) == "test"
    json.loads(path.read_text("utf-8"))


def changed(path: Path, **values: object) -> Path:
    document = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**document, **values}), encoding="utf-8")
    return path


def test_a_newer_version_another_kind_or_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save_state(path, "test", {"a": np.arange(3)})
    with pytest.raises(ModelError, match="holds a 'test' model, not 'other'"):
        load_state(path, "other")
    text = path.read_text("utf-8")
    with pytest.raises(ModelError, match=r"newer sitegrain .* upgrade"):
        load_state(changed(path, version=VERSION + 1), "test")
    for wrong in ({"version": "1"}, {"version": 0}, {"version": True}, {"format": "x"}, {"state": [1]}):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ModelError):
            load_state(changed(path, **wrong), "test")
    array = json.loads(text)["state"]["a"]
    for wrong in ({":array": "object"}, {"data": "!"}, {"shape": [4]}, {"shape": [-1]}, {"shape": 3}, {"data": 1}):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ModelError, match="damaged"):
            load_state(changed(path, state={"a": {**array, **wrong}}), "test")
    for raw in (b"", b"{", b"\x80\x04K\x01.", b"[" * 100_000, b'{"format": NaN}', b"[]"):
        path.write_bytes(raw)
        with pytest.raises(ModelError):
            load_state(path, "test")
        with pytest.raises(ModelError):
            model_kind(path)
    with pytest.raises(ModelError, match="cannot read"):
        load_state(tmp_path / "none.json", "test")
    with pytest.raises(OutputError):
        save_state(tmp_path / "none" / "m.json", "test", {})


def test_only_plain_values_are_saved(tmp_path: Path) -> None:
    for value in ({"a": object()}, {"a": {1: 2}}, {"a": np.array([object()])}, {"a": {":array": 1}}):
        with pytest.raises(TypeError):
            save_state(tmp_path / "m.json", "test", value)
    assert not list(tmp_path.iterdir())
