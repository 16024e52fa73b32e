"""What programs of our own ask of pyarrow and of the memory allocator.

Functions of pyarrow are called by their names. Methods of its arrays load `pyarrow.compute` first, which writes a wrapper with its
documentation for every function that there is: 27 ms, a twentieth of what a small site takes. And `pa.array` of an array of numpy loads
`numpy.ma`, 24 ms."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

try:
    from pyarrow._compute import DictionaryEncodeOptions, call_function
except ImportError:  # a pyarrow that has them elsewhere
    from pyarrow.compute import DictionaryEncodeOptions, call_function

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGE = 8 << 20
"""Bytes of an array that goes back to the system when it is let go, and of the free end of the heap that does. Below, arrays of a part come from
the system page by page: mining 987 pages takes 135,000 faults at 4 MB, 96,000 with this and 80,000 with 16 MB, 0.32, 0.26 and 0.21 s of the system's time
of 4, and its peak is at 318, 323 and 326 MB; of 1,018 smaller pages at 242, 246 and 253. Left alone, the allocator lets both grow to 32 and
64 MB, and the peak of one stage stays for all that come."""
_OBJECTS = 20_000
"""New objects after which Python looks for rings of them. Tables have none: with its own 700 it looked 291 times at 1,018 pages, 80 ms of
their 4.7 s, and with this 6 times, 40 ms; the peak of memory is the same. What was loaded before stays, and is not looked at."""


def column(values: npt.NDArray[Any], is_known: npt.NDArray[np.bool_] | None = None) -> pa.Array:
    """Numbers as a column, which shares their memory; null where they are not known.

    >>> column(np.array([True, False])).to_pylist(), column(np.array([1.5, 2.5]), np.array([True, False])).to_pylist()
    ([True, False], [1.5, None])
    """
    kind, held = pa.from_numpy_dtype(values.dtype), np.ascontiguousarray(values)
    known = None if is_known is None else _bits(is_known)
    return pa.Array.from_buffers(kind, len(held), [known, _bits(held) if held.dtype == bool else pa.py_buffer(held)])


def _bits(values: npt.NDArray[np.bool_]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(values, bitorder="little"))


def taken(values: Any, rows: npt.NDArray[Any]) -> Any:
    """`values.take(rows)`, of an array or a table.

    >>> taken(pa.array(["a", "b"]), np.array([1, 0, 1])).to_pylist()
    ['b', 'a', 'b']
    """
    return call_function("take", [values, column(rows)])


def dictionary_encoded(values: pa.Array) -> pa.DictionaryArray:
    """The different values of a column, null being one of them, and which of them each row has.

    >>> found = dictionary_encoded(pa.array(["a", None, "a"]))
    >>> found.indices.to_pylist(), found.dictionary.to_pylist()
    ([0, 1, 0], ['a', None])
    """
    return call_function("dictionary_encode", [values], DictionaryEncodeOptions("encode"))


class _NoPandas:
    """A finder of modules that says there is no pandas, and no module of which pyarrow only asks whether it knows a kind of date."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in ("pandas", "dateutil"):
            raise ModuleNotFoundError(f"{name} is not wanted here")


def be_lean() -> None:
    """Set up a process that only mines: no pandas, memory that is let go is given back, and rings of objects are looked for seldom."""
    forgo_pandas()
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])
    gc.freeze()
    gc.enable()
    pa.set_memory_pool(pa.system_memory_pool())
    with suppress(AttributeError, OSError):  # glibc alone has it
        for which in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD):
            ctypes.CDLL(None).mallopt(which, _LARGE)


def forgo_pandas() -> None:
    """Let pyarrow take it that there is no pandas: else it loads it (half a second, 40 MB) to ask whether a list is a series.

    For commands and workers only: in a process of somebody else, tables may be asked for as data frames.
    """
    if "pandas" in sys.modules:
        return
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([0])  # it asks once
    finally:
        sys.meta_path.remove(finder)
