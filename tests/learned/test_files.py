from __future__ import annotations

import json
import zlib
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse

from sitegrain.errors import ModelError, OutputError
from sitegrain.learned import typed
from sitegrain.learned.files import VERSION, load_model, model_kind, save_model
from sitegrain.learned.typed import Stored, need, to_plain


@dataclass
class Inner:
    numbers: npt.NDArray[np.int32]
    flags: npt.NDArray[np.bool_]

    def check(self) -> None:
        need(len(self.numbers) == len(self.flags), "numbers and flags differ")


@dataclass
class Thing:
    n: int = 3
    x: float = 0.1
    big: float = float("inf")
    no: int | None = None
    yes: bool = True
    word: Literal["größe", "a"] = "größe"
    pair: tuple[str, float] = ("a", 2.5)
    listed: tuple[int, ...] = (1, 2)
    table: dict[str, float] = field(default_factory=lambda: {":array": 1.0, "\ud800": 2.0})
    half: Annotated[npt.NDArray[np.float32], Stored(np.float16, n_axes=2)] = field(
        default_factory=lambda: np.ones((2, 3), np.float32)
    )
    about: dict[str, Any] = field(default_factory=lambda: {"any": [1, {"x": None}]})
    _cache: dict[int, int] = field(default_factory=dict)
    inner_: Inner = field(init=False)
    floats_: npt.NDArray[np.float64] = field(init=False)
    matrix_: sparse.csr_array = field(init=False)


def thing() -> Thing:
    out = Thing(n=np.int64(7), x=np.float64(2.5))  # type: ignore[arg-type]
    out.inner_ = Inner(np.arange(4, dtype=np.int32), np.array([True, False, True, True]))
    out.floats_ = np.array([1e-300, np.nan, -np.inf])
    out.matrix_ = sparse.csr_array(np.array([[0, 1.5], [0, 0]]))
    return out


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    made = thing()
    save_model(path, "test", made)
    back = load_model(path, "test", Thing)
    same = ("n", "x", "big", "no", "yes", "word", "pair", "listed", "table", "about")
    assert [getattr(back, name) for name in same] == [getattr(made, name) for name in same]
    assert type(back.n) is int
    arrays = [(m.half, m.floats_, m.inner_.numbers, m.inner_.flags) for m in (made, back)]
    for a, b in zip(*arrays, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(back.matrix_.toarray(), made.matrix_.toarray())
    assert model_kind(path) == "test"


def changed(path: Path, **values: object) -> Path:
    document = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    path.write_text(json.dumps({**document, **values}), encoding="utf-8")
    return path


def test_another_version_another_kind_or_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save_model(path, "test", thing())
    text = path.read_bytes()
    with pytest.raises(ModelError, match="holds a 'test' model, not 'other'"):
        load_model(path, "other", Thing)
    with pytest.raises(ModelError, match=r"newer sitegrain .* upgrade"):
        load_model(changed(path, version=VERSION + 1), "test", Thing)
    with pytest.raises(ModelError, match=r"older sitegrain .* train the model again"):
        load_model(changed(path, version=1), "test", Thing)
    for wrong in (
        {"version": "1"},
        {"version": 0},
        {"version": True},
        {"format": "x"},
        {"state": [1]},
        {"state": None},
    ):
        path.write_bytes(text)
        with pytest.raises(ModelError):
            load_model(changed(path, **wrong), "test", Thing)
    for raw in (b"", b"{", b"\x80\x04K\x01.", b"[" * 100_000, b'{"format": NaN}', b"[]"):
        path.write_bytes(raw)
        with pytest.raises(ModelError):
            load_model(path, "test", Thing)
        with pytest.raises(ModelError):
            model_kind(path)
    with pytest.raises(ModelError, match="cannot read"):
        load_model(tmp_path / "none.json", "test", Thing)
    with pytest.raises(OutputError):
        save_model(tmp_path / "none" / "m.json", "test", {})


def bomb(n: int, says: int) -> dict[str, object]:
    data = b64encode(zlib.compress(bytes(n))).decode("ascii")
    return {"dtype": "float64", "shape": [says], "data": data}


@pytest.mark.parametrize(
    ("part", "wrong", "words"),
    [
        ("n", 1.5, "n is no int"), ("n", True, "n is no int"), ("n", 1 << 70, "n is too large"),
        ("x", "1", "x is no number"), ("x", False, "x is no number"), ("yes", 1, "yes is no bool"),
        ("word", "b", "word is none of"), ("word", [], "word is none of"), ("no", "x", "no is no int"),
        ("pair", ["a"], "pair is no list of 2"), ("pair", "ab", "pair is no list"),
        ("listed", [1, "2"], r"listed\[1\] is no int"), ("table", [], "table is no table"),
        ("table", {"a": "b"}, "table.a is no number"), ("inner_", None, "inner_ is no object"),
        ("inner_", {}, "it has no 'numbers'"), ("floats_", [1.0], "floats_ is no array of float64"),
        ("floats_", {"dtype": "object", "shape": [1], "data": ""}, "no array of float64"),
        ("floats_", {**bomb(8, 1), "shape": [-1]}, "no array of float64"),
        ("floats_", {**bomb(8, 1), "shape": 1}, "no array of float64"),
        ("floats_", {**bomb(8, 1), "data": "AAAA"}, "cannot be read"),
        ("floats_", {**bomb(8, 1), "more": 1}, "no array of float64"),
        ("floats_", {**bomb(8, 1), "shape": [1, 1]}, "no array of 1 axes"),
        ("floats_", bomb(8, 2), "of another size"), ("floats_", bomb(16, 1), "of another size"),
        ("floats_", bomb(10, 1 << 29), "too large"), ("floats_", bomb(10_000_000, 1), "of another size"),
        ("matrix_", {}, "no matrix"), ("matrix_", [], "no matrix"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_what_it_should_be_is_named(part: str, wrong: object, words: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save_model(path, "test", {**to_plain(thing()), part: wrong})
    with pytest.raises(ModelError, match=words):
        load_model(path, "test", Thing)


def test_parts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    made = thing()
    made.inner_.flags = made.inner_.flags[:1]
    save_model(path, "test", made)
    with pytest.raises(ModelError, match="numbers and flags differ"):
        load_model(path, "test", Thing)
    state = to_plain(thing())
    save_model(path, "test", {**state, "more": 1})
    with pytest.raises(ModelError, match="more than it should be"):
        load_model(path, "test", Thing)
    state["matrix_"]["indices"] = to_plain(np.array([7], np.int32))
    save_model(path, "test", state)
    with pytest.raises(ModelError, match="damaged"):
        load_model(path, "test", Thing)


def test_arrays_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    save_model(path, "test", thing())
    load_model(path, "test", Thing)
    monkeypatch.setattr(typed, "MAX_BYTES", 40)
    with pytest.raises(ModelError, match="too large"):
        load_model(path, "test", Thing)


def test_only_plain_values_are_saved(tmp_path: Path) -> None:
    for value in ({"a": object()}, {"a": {1: 2}}, {"a": np.array([object()])}, {"a": {1, 2}}):
        with pytest.raises(TypeError):
            save_model(tmp_path / "m.json", "test", value)
    assert not list(tmp_path.iterdir())
