"""Pages from files of JSON lines, an object with an address and HTML on each: what most corpora are kept in."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY
from sitegrain.sources.rows import RowSource
from sitegrain.tables.capture import Capture

_LONGEST = 4 * MAX_BODY
"""Bytes of a line that is read: an escape takes up to six, but few letters of a page of such a size are escaped."""
_MOST_SKIPPED = 64 * _LONGEST
"""Bytes without an end of a line after which a file is given up: it would be unpacked for hours."""
_MOST_TOLD = 10
"""Damaged lines of a file that are told one by one."""
_FIRST = 1 << 10
"""Bytes by which the form of a file is told."""
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
_MISSING = object()
_HALVES = re.compile("[\ud800-\udfff]")


class JsonLinesSource(RowSource):
    """The lines of one or more files as pages; `metadata.url` names a field within another."""

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            n_read, n_damaged = 0, 0
            for k, row in self._rows(name):
                if not isinstance(row, dict) and k == 1:
                    self._check_form(name)
                if not isinstance(row, dict):
                    n_damaged += 1
                    self.counts["damaged: broken line"] += 1
                    if n_damaged <= _MOST_TOLD:
                        self.problems.append(f"{name}: line {k:,} {row}")
                    continue
                if not n_read:
                    self._check(row, name)
                n_read += 1
                capture = self._capture(row)
                if capture is not None:
                    n += 1
                    yield capture
            if n_damaged > _MOST_TOLD:
                self.problems.append(f"{name}: {n_damaged - _MOST_TOLD:,} more lines are damaged")
        if not n:
            raise self.no_page()

    def _rows(self, name: str) -> Iterator[tuple[int, Any]]:
        """Each line's number and what it holds, or in words why it cannot be read."""
        try:
            with _opened(name) as file:
                k = 0
                while line := file.readline(_LONGEST):
                    k += 1
                    if len(line) == _LONGEST and not line.endswith(b"\n"):
                        yield k, f"has more than {_LONGEST >> 20} MB"
                        if not _skip_line(file):
                            yield k, "does not end: the rest of the file is not read"
                            return
                    elif line.strip():
                        yield k, _object(line)
        except (OSError, EOFError) as error:
            yield k + 1, f"cannot be read, nor what follows ({error})"

    def _check_form(self, name: str) -> None:
        """Say it if a file is JSON, but not JSON lines."""
        with _opened(name) as file:
            head = file.read(_FIRST).decode("utf-8-sig", "replace").split()
        if head[:1] in (["["], ["{"]) or (head and head[0].startswith("[{")):
            each = ".[]" if head[0][0] == "[" else "."
            raise SourceError(
                f"{name} is JSON, but has no object on each line: `jq -c '{each}' {name} > pages.jsonl` makes lines of it"
            )

    def _check(self, row: dict[str, Any], name: str) -> None:
        for column, option in zip(self.columns, ("url", "html"), strict=True):
            if _field(row, column) is _MISSING:
                have = ", ".join(_texts(row)) or "no text"
                raise SourceError(f"{name} has no field {column!r} (it has: {have}); name it with --{option}-column")

    def _capture(self, row: dict[str, Any]) -> Capture | None:
        fields = (_field(row, column) for column in self.columns)
        url, html = (_HALVES.sub("\ufffd", held) if isinstance(held, str) else "" for held in fields)
        return self.page(url, html.encode(), is_text=True)


def _opened(name: str) -> BinaryIO:
    """A file, unpacked as its first bytes ask for; its name may say something else."""
    with open(name, "rb") as file:
        head = file.read(8)
    if head.startswith(b"\xfd7zXZ"):
        import lzma

        return cast(BinaryIO, lzma.open(name, "rb"))
    import pyarrow as pa

    way = next((way for magic, way in _PACKED.items() if head.startswith(magic)), None)
    return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, pa.input_stream(name, compression=way))))


def _skip_line(file: BinaryIO) -> bool:
    """Read up to the end of a line; False if none is found."""
    left = _MOST_SKIPPED
    while left > 0 and (part := file.readline(1 << 20)):
        left -= len(part)
        if part.endswith(b"\n"):
            return True
    return left > 0


def _object(line: bytes) -> dict[str, Any] | str:
    """The object on a line, or in words why there is none."""
    try:
        row = json.loads(line.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        return f"is no JSON ({error})"
    return row if isinstance(row, dict) else "is no JSON object"


def _field(row: dict[str, Any], path: str) -> Any:
    """What a field holds, or one within another.

    >>> _field({"a": {"b": 1}, "c.d": 2}, "a.b"), _field({"a": {"b": 1}, "c.d": 2}, "c.d")
    (1, 2)
    """
    if path in row:
        return row[path]
    outer, _, inner = path.partition(".")
    found = row.get(outer)
    return _field(found, inner) if inner and isinstance(found, dict) else _MISSING


def _texts(row: dict[str, Any]) -> list[str]:
    """The names of the fields that hold text, and of those within others."""
    return [key for key, value in row.items() if isinstance(value, str)] + [
        f"{outer}.{key}"
        for outer, held in row.items()
        if isinstance(held, dict)
        for key, value in held.items()
        if isinstance(value, str)
    ]
