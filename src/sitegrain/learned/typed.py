"""Dataclasses as JSON values and back: the types of their fields say what a file may hold.

Saved are the fields that make an object and the learned ones (their names end in `_`); what is derived from them or
begins with `_` is not. Reading trusts nothing: a value of another type, a part too many or too few, an array of other
numbers or of other axes, and one that inflates to more than it says are all told as what they are. A dataclass with a
method `check` is asked whether its parts fit together: it raises ValueError if not.
"""

from __future__ import annotations

import base64
import itertools
import math
import types
import zlib
from collections.abc import Collection, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import meant
from sitegrain.errors import ModelError, SitegrainError
from sitegrain.light import dataclass

T = TypeVar("T")

MAX_BYTES = 1 << 30
"""What all arrays of a file may inflate to: ten times what the largest labelled site teaches, and no threat to a machine
that can mine such a site."""
_NOT_FINITE = ("nan", "inf", "-inf")


@dataclass(frozen=True)
class Stored:
    """How an array stands in a file, in `Annotated[..., Stored(...)]`; otherwise with its own numbers and one axis."""

    dtype: type[np.generic] | None = None
    n_axes: int = 1


def _is_matrix(kind: object) -> bool:
    """Whether a type is the sparse matrix, told without loading scipy: whoever has the type has loaded it."""
    return getattr(kind, "__name__", "") == "csr_array" and kind is sparse.csr_array


@cache
def field_types(cls: Any) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    return get_type_hints(cls, include_extras=True)


def is_learned(field: Field[Any]) -> bool:
    """A field that `fit` sets: not a parameter, and its name ends in `_`."""
    return not field.init and field.name.endswith("_")


@cache
def saved_fields(cls: Any) -> tuple[Field[Any], ...]:
    """The fields of a dataclass that a file holds."""
    return tuple(f for f in fields(cls) if not f.name.startswith("_") and (f.init or is_learned(f)))


def to_plain(value: Any, kind: Any = Any) -> Any:
    """A value as JSON has it. `kind` is its type, where arrays in it are stored in another way."""
    cls: Any = type(value)
    if hasattr(cls, "__dataclass_fields__"):
        of = field_types(cls)
        return {f.name: to_plain(getattr(value, f.name), of[f.name]) for f in saved_fields(cls)}
    if hasattr(cls, "_fields"):  # a named tuple
        return {name: to_plain(v, field_types(cls)[name]) for name, v in value._asdict().items()}
    if isinstance(value, np.ndarray):
        return _plain_array(np.asarray(value), *_stored(kind))
    if _is_matrix(type(value)) and isinstance(value, sparse.csr_array):
        parts: dict[str, Any] = {
            "indptr": value.indptr.astype(np.int64),
            "indices": value.indices.astype(np.int32),
            "data": value.data,
        }
        return {"width": int(value.shape[1]), **{name: _plain_array(part) for name, part in parts.items()}}
    if isinstance(value, np.generic):
        value = value.item()
    if kind is float:
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        item = _item_kind(kind)
        return {key: to_plain(v, item) for key, v in value.items()}
    if isinstance(value, list | tuple):
        item = _item_kind(kind)
        return [to_plain(v, item) for v in value]
    raise TypeError(f"a model file cannot hold a {type(value).__name__}")


def _stored(kind: Any) -> tuple[Stored, ...]:
    return tuple(note for note in get_args(kind)[1:] if isinstance(note, Stored)) if _is(kind, Annotated) else ()


def _item_kind(kind: Any) -> Any:
    """The type of the items of a list, a tuple or a dictionary."""
    args = get_args(kind)
    return {dict: args[1:2], tuple: args[:1], list: args[:1]}.get(get_origin(kind), (Any,))[0]


def _is(kind: Any, origin: Any) -> bool:
    return get_origin(kind) is origin


def _plain_array(array: npt.NDArray[Any], stored: Stored | None = None) -> dict[str, Any]:
    dtype = np.dtype(array.dtype if stored is None or stored.dtype is None else stored.dtype)
    if dtype.kind not in "biuf":
        raise TypeError(f"a model file cannot hold an array of {dtype}")
    little = np.ascontiguousarray(array, dtype.newbyteorder("<"))
    data = base64.b64encode(zlib.compress(little.tobytes(), 9)).decode("ascii")
    return {"dtype": dtype.name, "shape": list(array.shape), "data": data}


class Reader:
    """Makes typed values from those of JSON; `name` is what messages call the file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.left = MAX_BYTES

    def read(self, cls: type[T], value: Any) -> T:
        """An object of a dataclass."""
        try:
            return self._object(cls, value, "")
        except ModelError:
            raise
        except (ValueError, TypeError, IndexError, OverflowError, SitegrainError) as error:
            raise ModelError(f"{self.name} is damaged: {error}") from error

    def value(self, kind: Any, value: Any, where: str) -> Any:
        """A value of a type."""
        kind = meant(kind)
        origin, args = get_origin(kind), get_args(kind)
        if kind is Any:
            return value
        if origin in (Union, types.UnionType):
            return self._one_of(args, value, where)
        if origin is Literal:
            self._need(type(value) in {type(a) for a in args} and value in args, where, f"none of {args}")
            return value
        if origin is Annotated:
            return self._array(args[0], value, where, args[1])
        if origin is np.ndarray:
            return self._array(kind, value, where, Stored())
        if origin in (list, tuple):
            return self._items(origin, args, value, where)
        if origin is dict:
            self._need(isinstance(value, dict), where, "no table")
            if _all_plain(args[1], value.values()):
                return dict(value)
            if get_origin(args[1]) is list and _all_plain_lists(get_args(args[1])[0], value.values()):
                return {key: list(items) for key, items in value.items()}
            return {key: self.value(args[1], item, f"{where}.{key}") for key, item in value.items()}
        if _is_matrix(kind):
            return self._matrix(value, where)
        if hasattr(kind, "_fields"):
            return self._named(kind, value, where)
        if is_dataclass(kind):
            return self._object(kind, value, where)  # type: ignore[arg-type]
        return self._scalar(kind, value, where)

    def _need(self, is_so: bool, where: str, what: str) -> None:
        if not is_so:
            raise ModelError(f"{self.name} is damaged: {where or 'its state'} is {what}")

    def _object(self, cls: type[T], value: Any, where: str) -> T:
        self._need(isinstance(value, dict), where, "no object")
        of, saved = field_types(cast(Any, cls)), saved_fields(cast(Any, cls))
        if missing := [f.name for f in saved if f.name not in value]:
            raise ModelError(
                f"{self.name} is damaged or of an older sitegrain: it has no {missing[0]!r}. Fit or train the model again"
            )
        self._need(len(value) == len(saved), where, "more than it should be")
        found = {f.name: self.value(of[f.name], value[f.name], f"{where}.{f.name}".lstrip(".")) for f in saved}
        out = cls(**{f.name: found[f.name] for f in saved if f.init})
        for f in saved:
            if not f.init:
                object.__setattr__(out, f.name, found[f.name])
        check = getattr(out, "check", None)
        if check is not None:
            check()
        return out

    def _named(self, cls: Any, value: Any, where: str) -> Any:
        """A named tuple."""
        self._need(isinstance(value, dict) and value.keys() == set(cls._fields), where, f"no {cls.__name__}")
        return cls(*(self.value(field_types(cls)[name], value[name], f"{where}.{name}") for name in cls._fields))

    def _one_of(self, kinds: tuple[Any, ...], value: Any, where: str) -> Any:
        if value is None and type(None) in kinds:
            return None
        others = [k for k in kinds if k is not type(None)]
        for kind in others[:-1]:
            try:
                return self.value(kind, value, where)
            except ModelError:
                continue
        return self.value(others[-1], value, where)

    def _items(self, origin: type, kinds: tuple[Any, ...], value: Any, where: str) -> Any:
        self._need(isinstance(value, list), where, "no list")
        if origin is tuple and kinds[-1] is not Ellipsis:
            self._need(len(value) == len(kinds), where, f"no list of {len(kinds)}")
        elif _all_plain(kinds[0], value):
            return origin(value)
        else:
            kinds = (kinds[0],) * len(value)
        return origin(
            self.value(k, item, f"{where}[{i}]") for i, (k, item) in enumerate(zip(kinds, value, strict=True))
        )

    def _scalar(self, kind: Any, value: Any, where: str) -> Any:
        if kind is float:
            if value in _NOT_FINITE:
                return float(value)
            self._need(isinstance(value, int | float) and not isinstance(value, bool), where, "no number")
            return float(value)
        if kind is Path:
            self._need(isinstance(value, str), where, "no path")
            return Path(value)
        if kind not in (bool, int, str, type(None)):
            raise TypeError(f"{where}: a model file cannot hold {kind}")
        self._need(type(value) is kind, where, f"no {kind.__name__}")
        self._need(kind is not int or -(1 << 63) <= value < 1 << 63, where, "too large")
        return value

    def _array(self, kind: Any, value: Any, where: str, stored: Stored) -> npt.NDArray[Any]:
        wanted = np.dtype(get_args(get_args(meant(kind))[1])[0])
        found = self._numbers(value, where, np.dtype(stored.dtype) if stored.dtype is not None else wanted)
        self._need(found.ndim == stored.n_axes, where, f"no array of {stored.n_axes} axes")
        return found.astype(wanted, copy=False)

    def _numbers(self, value: Any, where: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        what = f"no array of {dtype.name}"
        self._need(isinstance(value, dict) and value.keys() == {"dtype", "shape", "data"}, where, what)
        shape, data = value["shape"], value["data"]
        self._need(value["dtype"] == dtype.name and isinstance(shape, list) and isinstance(data, str), where, what)
        self._need(all(type(n) is int and 0 <= n <= MAX_BYTES for n in shape), where, what)
        size = math.prod(shape) * dtype.itemsize
        self.left -= size
        self._need(self.left >= 0, where, f"too large: arrays may take {MAX_BYTES >> 20:,} MB together")
        try:
            inflate = zlib.decompressobj()
            raw = inflate.decompress(base64.b64decode(data), size + 1)
        except (ValueError, zlib.error) as error:
            raise ModelError(f"{self.name} is damaged: {where} cannot be read ({error})") from error
        self._need(len(raw) == size and inflate.eof, where, "of another size than it says")
        array = np.frombuffer(raw, dtype.newbyteorder("<")).astype(dtype)  # a copy, which can be written to
        if dtype.kind == "b":  # any byte would do for true
            array = array.view(np.uint8) != 0
        return array.reshape(shape)

    def _matrix(self, value: Any, where: str) -> sparse.csr_array:
        self._need(
            isinstance(value, dict) and value.keys() == {"width", "indptr", "indices", "data"}, where, "no matrix"
        )
        kinds = {"indptr": np.int64, "indices": np.int32, "data": np.float64}
        parts = {name: self._numbers(value[name], f"{where}.{name}", np.dtype(kind)) for name, kind in kinds.items()}
        self._need(all(part.ndim == 1 for part in parts.values()) and len(parts["indptr"]) > 0, where, "no matrix")
        width = self._scalar(int, value["width"], f"{where}.width")
        self._need(0 <= width < 1 << 31, where, "no matrix")
        shape = (len(parts["indptr"]) - 1, width)
        matrix = sparse.csr_array((parts["data"], parts["indices"], parts["indptr"]), shape=shape)
        matrix.check_format(full_check=True)
        return matrix


def _all_plain(kind: Any, values: Collection[Any]) -> bool:
    """Whether all are of a plain type: what most long lists hold, and is seen at one look."""
    if kind not in (str, int, bool, float) or set(map(type, values)) != {kind}:
        return False
    return kind is not int or -(1 << 63) <= min(values) <= max(values) < 1 << 63


def _all_plain_lists(kind: Any, values: Collection[Any]) -> bool:
    """The same of short lists, many of which one look takes in: what words say."""
    return set(map(type, values)) == {list} and _all_plain(kind, list(itertools.chain.from_iterable(values)))


def need(is_so: bool, what: str) -> None:
    """ValueError unless it is so: for `check`."""
    if not is_so:
        raise ValueError(what)
