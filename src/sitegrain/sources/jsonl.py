"""Pages from files of JSON, objects with an address and HTML: one on each line, as most corpora are kept, or in an array, or one after the other."""

from __future__ import annotations

import codecs
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
"""Damaged lines of a file, or names of fields, that are told one by one."""
_FIRST = 1 << 10
"""Bytes by which the form of a file is told."""
_PIECE = 1 << 20
"""Bytes of an array that are read at a time."""
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
_MISSING = object()
_HALVES = re.compile("[\ud800-\udfff]")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BETWEEN = re.compile(r"[\s,\[\]]*+")
"""What stands between the objects of an array, and before and behind them."""
_NEXT = re.compile(r'\n|\}\s*+,\s*+(?=\{\s*+")')
"""Where the next object may begin behind damage: no text in JSON holds a quote that is not escaped."""
_NEAR_END = 12
"""Letters before the end of what was read in which an error may only mean that the rest is still to come: `\\ud83d\\ude00` is the longest sign."""


class JsonLinesSource(RowSource):
    """The lines of one or more files as pages; `metadata.url` names a field within another."""

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            n_read, n_damaged = 0, 0
            for where, row in self._rows(name):
                if not isinstance(row, dict):
                    n_damaged += 1
                    self.counts[f"damaged: broken {where.partition(' ')[0]}"] += 1
                    if n_damaged <= _MOST_TOLD:
                        self.problems.append(f"{name}: {where} {row}")
                    continue
                if not n_read:
                    self._check(row, name)
                n_read += 1
                capture = self._capture(row)
                if capture is not None:
                    n += 1
                    yield capture
            if n_damaged > _MOST_TOLD:
                self.problems.append(f"{name}: {n_damaged - _MOST_TOLD:,} more are damaged")
        if not n:
            raise self.no_page()

    def _rows(self, name: str) -> Iterator[tuple[str, Any]]:
        """Where each row stands, and what it holds or in words why it cannot be read."""
        where = "line 1"
        try:
            with _opened(name) as file:
                rows = _lines(file) if _has_lines(name) else _values(file)
                for where, row in rows:
                    yield where, row
        except (OSError, EOFError) as error:
            yield where, f"is the last that can be read ({error})"

    def _check(self, row: dict[str, Any], name: str) -> None:
        for column, option in zip(self.columns, ("url", "html"), strict=True):
            if _field(row, column) is _MISSING:
                names = _texts(row)
                have = ", ".join([*names[:_MOST_TOLD], *["..."][len(names) <= _MOST_TOLD :]]) or "no text"
                said = f"{name} has no field {column!r} (it has: {have}); name it with --{option}-column"
                lists = [
                    key for key, held in row.items() if isinstance(held, list) and held and isinstance(held[0], dict)
                ]
                more = (
                    f", or take the objects of its list {lists[0]!r}: jq -c '.[{json.dumps(lists[0])}][]' {name}"
                    if lists
                    else ""
                )
                raise SourceError(said + more)

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


def _has_lines(name: str) -> bool:
    """Whether each line is an object, so that damage costs no more than its line. One of the first two tells, as one may be damaged."""
    with _opened(name) as file:
        head = file.read(_FIRST)
    head = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if head.startswith((*_UTF16, b"[")):
        return False
    if not head.startswith(b"{"):
        return True
    with _opened(name) as file:
        return any(isinstance(_object(_next_line(file)), dict) for _ in range(2))


def _next_line(file: BinaryIO) -> bytes:
    """The next line that is not blank."""
    while line := file.readline(_LONGEST):
        if said := line.removeprefix(codecs.BOM_UTF8).strip():
            return said
    return b""


def _lines(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """What stands on each line."""
    k = 0
    while line := file.readline(_LONGEST):
        k += 1
        if len(line) == _LONGEST and not line.endswith(b"\n"):
            yield f"line {k:,}", f"has more than {_LONGEST >> 20} MB"
            if not _skip_line(file):
                yield f"line {k:,}", "does not end: the rest of the file is not read"
                return
        elif line.strip():
            yield f"line {k:,}", _object(line)


class _Piece(str):
    """What was read of a file. An error of `json` asks it in which line and column it is, for which all before it would be gone over each time."""

    __slots__ = ()

    def count(self, *of: object) -> int:
        return 0

    def rfind(self, *of: object) -> int:
        return -1


def _values(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """The objects of an array, or such that stand one after the other on any number of lines, with no more in memory than the longest.

    What is read ends anywhere. A value that is not whole yet is read again when there is twice as much, so each letter is
    read twice at most.
    """
    head = file.read(2)
    decode = codecs.getincrementaldecoder("utf-16" if head in _UTF16 else "utf-8-sig")("replace").decode
    scan = json.JSONDecoder(strict=False, parse_int=float).raw_decode  # a number of 5,000 digits is no error then
    text, at, k, n_open, wanted, is_all, is_lost = decode(head), 0, 0, 0, _PIECE, False, False
    while not (is_all and at == len(text)):
        text, at = text[at:], 0
        while not is_all and len(text) < wanted:
            piece = file.read(max(_PIECE, wanted - len(text)))
            is_all = not piece
            text += decode(piece, is_all)
        wanted, uncounted = _PIECE, _Piece(text)
        while at < len(text):
            where, said = f"row {k + 1:,}", "is no JSON object"
            if is_lost:
                found = _NEXT.search(text, at)
                at, is_lost = (found.end(), False) if found else (len(text), True)
                continue
            start = cast(re.Match[str], _BETWEEN.match(text, at)).end()
            n_open += text.count("[", at, start) - text.count("]", at, start)
            at = start
            if at == len(text):
                break
            try:
                row, end = scan(uncounted, at)
            except json.JSONDecodeError as error:
                size = len(text) - at
                if not is_all and _is_cut(error, text):
                    if size <= _LONGEST:
                        wanted = min(2 * size, _LONGEST + 1)
                        break
                    yield where, f"has more than {_LONGEST >> 20} MB: the rest of the file is not read"
                    return
                row, end, is_lost, said = None, error.pos, True, f"is no JSON ({error.msg})"
            except RecursionError:
                yield where, "is nested too deeply: the rest of the file is not read"
                return
            at, k = end, k + 1
            yield where, row if isinstance(row, dict) else said
    if n_open > 0:
        yield f"row {k + 1:,}", "is not found: the file ends before its array does"


def _is_cut(error: json.JSONDecodeError, text: str) -> bool:
    """Whether JSON that cannot be read may only need what follows."""
    return error.msg.startswith("Unterminated string") or error.pos >= len(text) - _NEAR_END


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
