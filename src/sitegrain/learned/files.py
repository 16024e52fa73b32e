"""Models on disk: one JSON file, arrays and all, read without running any code from it.

A file says what kind of model it holds and in which version of the format. A newer version, another kind
or a damaged file is refused with a message that says so.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sitegrain.errors import ModelError, OutputError

FORMAT = "sitegrain model"
VERSION = 1
"""Raised when a reader of the old version would misread a new file."""

ARRAY_TYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "uint32", "uint64", "float32", "float64")
"""Types that an array may have: plain numbers, little-endian on disk."""


class _State(dict[str, Any]):
    """What a model file says. A part that it lacks is told as what it is: the file is of another time, or damaged."""

    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        super().__init__(values)
        self.name = name

    def __missing__(self, key: str) -> Any:
        raise ModelError(
            f"{self.name} is damaged or of an older sitegrain: it has no {key!r}. Fit or train the model again"
        )


def save_state(path: Path | str, kind: str, state: Mapping[str, Any]) -> None:
    """Write what a model of this kind learned.

    Values are numbers, strings, None, lists or tuples (read back as lists), dictionaries with string keys,
    and numpy arrays of numbers.
    """
    document = {"format": FORMAT, "version": VERSION, "kind": kind, "state": _pack(dict(state), "state")}
    path = Path(path)
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    # A half-written model must never stand under the final name.
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write the model {path}: {error.strerror or error}") from error


def load_state(path: Path | str, kind: str) -> dict[str, Any]:
    """Read what a model of this kind learned."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError(f"cannot read the model {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ModelError(f"{path} is no sitegrain model (it is not text)") from error
    return loads_state(text, kind, str(path))


def loads_state(text: str, kind: str, name: str = "the model") -> dict[str, Any]:
    """The state in the text of a model file; `name` is how messages call it."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name} is damaged or no sitegrain model: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelError(f"{name} is no sitegrain model")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelError(f"{name} has no valid version")
    if version > VERSION:
        raise ModelError(
            f"{name} was written by a newer sitegrain (model format {version}, this one reads up to "
            f"{VERSION}): upgrade sitegrain or train the model again"
        )
    if document.get("kind") != kind:
        raise ModelError(f"{name} holds a {document.get('kind')!r} model, not {kind!r}")
    state = _unpack(document.get("state"), name)
    if not isinstance(state, dict):
        raise ModelError(f"{name} is damaged: it has no state")
    return state


def model_kind(path: Path | str) -> str:
    """The kind of model that a file says it holds."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        kind = document["kind"] if document["format"] == FORMAT else None
    except OSError as error:
        raise ModelError(f"cannot read the model {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, RecursionError):
        kind = None
    if not isinstance(kind, str):
        raise ModelError(f"{path} is no sitegrain model")
    return kind


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _pack(value: Any, where: str) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float | np.floating):
        number = float(value)
        return number if math.isfinite(number) else {":float": repr(number)}
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        if value.dtype.name not in ARRAY_TYPES:
            raise TypeError(f"{where} is an array of {value.dtype}, which a model file cannot hold")
        little = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        return {
            ":array": value.dtype.name,
            "shape": list(value.shape),
            "data": base64.b64encode(little.tobytes()).decode("ascii"),
        }
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) and not key.startswith(":") for key in value):
            raise TypeError(f"{where} has a key that is no string or starts with a colon")
        return {key: _pack(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_pack(item, f"{where}[{i}]") for i, item in enumerate(value)]
    raise TypeError(f"{where} is a {type(value).__name__}, which a model file cannot hold")


def _unpack(value: Any, name: str) -> Any:
    if isinstance(value, list):
        return [_unpack(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    if ":float" in value:
        if value[":float"] not in ("inf", "-inf", "nan"):
            raise ModelError(f"{name} is damaged: a number cannot be read")
        return float(value[":float"])
    if ":array" in value:
        return _unpack_array(value, name)
    return _State({key: _unpack(item, name) for key, item in value.items()}, name)


def _unpack_array(value: dict[str, Any], name: str) -> np.ndarray[Any, Any]:
    kind, shape, data = value[":array"], value.get("shape"), value.get("data")
    try:
        if kind not in ARRAY_TYPES or not isinstance(shape, list) or not isinstance(data, str):
            raise ValueError("unknown type")
        if not all(isinstance(n, int) and n >= 0 for n in shape):
            raise ValueError("negative size")
        raw = base64.b64decode(data, validate=True)
        array = np.frombuffer(raw, np.dtype(kind).newbyteorder("<")).astype(kind)
        return array.reshape(shape)
    except (ValueError, binascii.Error) as error:
        raise ModelError(f"{name} is damaged: an array cannot be read ({error})") from error
