"""What a part says, as a file of arrays that is read back piece by piece. Types tell how; nothing is pickled."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.strings import Strings
from sitegrain.arrays.types import meant
from sitegrain.plan.frames import PartFileError, frame, read_frame

T = TypeVar("T")


def pack(value: Any, quick: bool = True) -> bytes:
    """A value of dataclasses, arrays, strings and numbers as the bytes of a file: where each array is and what it holds, and then
    the arrays, each a frame. What is not `quick` takes less room, for what stays."""
    where: dict[str, tuple[int, str, tuple[int, ...]]] = {}
    arrays: list[bytes] = []
    at = 0
    for name, array in _flat("", value):
        where[name] = (at, array.dtype.str, array.shape)
        arrays.append(frame(array.tobytes(), quick))
        at += len(arrays[-1])
    return frame(json.dumps({"quick": quick, "where": where}).encode()) + b"".join(arrays)


class Packed:
    """A packed value, of which pieces are read when they are asked for."""

    def __init__(self, content: Path | bytes) -> None:
        self._content = content
        self._head: _Head | None = None

    def read(self, cls: type[T], name: str = "") -> T:
        """A piece of it, `name` being its place: "said.words"; the whole without one."""
        try:
            with io.BytesIO(self._content) if isinstance(self._content, bytes) else open(self._content, "rb") as file:
                if self._head is None:  # read once for all pieces
                    self._head = _Head(**json.loads(read_frame(file)), start=file.tell())
                return _read(cls, _Arrays(file, self._head), name)  # type: ignore[no-any-return]
        except (OSError, ValueError, KeyError) as error:
            where = "a part" if isinstance(self._content, bytes) else self._content.name
            raise PartFileError(f"{where} is damaged: {error}") from error


class Held:
    """A value that its reader was handed as it is, of which pieces are asked for as of a packed one; nobody changes them."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def read(self, cls: type[T], name: str = "") -> T:
        """A piece of it, as `Packed.read` gives it.

        >>> Held(Strings.of(["a"])).read(np.ndarray, "offset").tolist()
        [0, 1]
        """
        found = self._value
        for inner in name.split(".") if name else ():
            found = getattr(found, inner)
        return Strings.of(found) if cls is Strings and not isinstance(found, Strings) else found  # type: ignore[return-value]


Answer = Packed | Held
"""What is known of a part after a pass, wherever it is."""


class _Head(NamedTuple):
    """Where the arrays of a file are."""

    quick: bool
    where: dict[str, tuple[int, str, tuple[int, ...]]]
    start: int
    """Of the first."""


class _Arrays:
    """The arrays of an open file, by name."""

    def __init__(self, file: IO[bytes], head: _Head) -> None:
        self._file, self._head = file, head

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        at, kind, shape = self._head.where[name]
        self._file.seek(self._head.start + at)
        return np.frombuffer(bytearray(read_frame(self._file, self._head.quick)), kind).reshape(shape)


def _flat(name: str, value: Any) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    if isinstance(value, np.ndarray):
        yield name, value
    elif isinstance(value, bool | int | float):
        yield name, np.array(value)
    elif isinstance(value, str):
        yield name, np.frombuffer(value.encode("utf-8", "surrogatepass"), np.uint8)
    elif is_dataclass(value) or hasattr(value, "_fields"):
        kind: Any = type(value)
        for inner in _names(kind):
            yield from _flat(f"{name}.{inner}" if name else inner, getattr(value, inner))
    elif isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        yield from _flat(name, Strings.of(value))
    elif isinstance(value, list):
        yield name, np.array(value)
    else:
        raise TypeError(f"{name}: a part cannot hold a {type(value).__name__}")


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls)) if is_dataclass(cls) else tuple(cls._fields)


def _read(kind: Any, file: _Arrays, name: str) -> Any:
    kind = meant(kind)
    origin = get_origin(kind)
    if origin is np.ndarray or kind is np.ndarray:
        return file[name]
    if kind in (bool, int, float):
        return kind(file[name])
    if kind is str:
        return file[name].tobytes().decode("utf-8", "surrogatepass")
    if origin in (tuple, list) and get_args(kind)[0] is str:
        return origin(_read(Strings, file, name))
    if origin is list:
        return list(file[name])
    found = {inner: _read(_hints(kind)[inner], file, f"{name}.{inner}" if name else inner) for inner in _names(kind)}
    return kind(**found)
