"""Row groups that were made apart, put one after the other into one Parquet file: packing them is most of the work of writing a table, and
so it can be done by many.

Of each file the pages are copied as they are. Where they are is told by the footer, a struct of Thrift's compact protocol, which is read
as a tree, moved and written again. pyarrow can join footers, but not move what they tell.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, NamedTuple

from sitegrain.errors import OutputError

MAGIC = b"PAR1"
SCHEMA, N_ROWS, ROW_GROUPS = 2, 3, 4
"""Fields of the footer that differ from file to file, or must not."""
ORDINAL, MOST_ORDINALS = 7, 1 << 15
"""The number of a row group, which has 16 bits: beyond them it is left out, as it may be."""
_COLUMNS, _META = 1, 3
_OF_GROUP, _OF_CHUNK, _OF_META = (5,), (2, 4, 6), (9, 10, 11, 14)
"""Fields that are places in the file: of a row group, of a chunk of a column, and of what is told of it (its pages, its dictionary)."""
_TRUE, _FALSE, _I8, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12
_INTEGERS = frozenset((_I16, _I32, _I64))


class JoinedParquet:
    """A Parquet file that grows by the row groups of others, all of one schema."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = open(path, "wb")  # noqa: SIM115
        self._at = self._file.write(MAGIC)
        self._footer: Struct | None = None
        self._schema = b""
        """The columns as the first file has them, which all others have, too: half of a footer need not be read again."""
        self._groups: list[bytes] = []
        """What is told of each, as it will be written: trees of all would take 0.4 KB a page."""
        self._n_rows = 0

    def add(self, parquet: bytes) -> None:
        """The row groups of another file."""
        size = int.from_bytes(parquet[-8:-4], "little")
        pages, reader = memoryview(parquet)[len(MAGIC) : -8 - size], _Reader(parquet[-8 - size : -8])
        footer = reader.footer(self._schema)
        if self._footer is None:
            self._footer = {number: field for number, field in footer.items() if number != ROW_GROUPS}
            self._schema = reader.schema
        if reader.schema != self._schema:
            raise OutputError("two parts of a table have different columns")
        for group in footer[ROW_GROUPS].value.items:
            _move(group, self._at - len(MAGIC))
            group.pop(ORDINAL, None)
            if len(self._groups) < MOST_ORDINALS:
                group[ORDINAL] = Field(_I16, len(self._groups))
            told = bytearray()
            _write_struct(told, group)
            self._groups.append(bytes(told))
        self._n_rows += footer[N_ROWS].value
        self._at += self._file.write(pages)

    def close(self) -> None:
        """All are there."""
        if self._footer is not None:
            self._footer[N_ROWS] = Field(_I64, self._n_rows)
            self._footer[ROW_GROUPS] = Field(_LIST, List(_STRUCT, self._groups))
            footer = bytearray()
            _write_struct(footer, self._footer)
            self._file.write(bytes(footer) + len(footer).to_bytes(4, "little") + MAGIC)
        self._file.close()


class Field(NamedTuple):
    """What a struct has under a number."""

    kind: int
    value: Any


class List(NamedTuple):
    """Values of one kind."""

    kind: int
    items: list[Any]


Struct = dict[int, Field]


def _move(group: Struct, by: int) -> None:
    """Add to all places that a row group tells of."""
    _shift(group, _OF_GROUP, by)
    for chunk in group[_COLUMNS].value.items:
        _shift(chunk, _OF_CHUNK, by)
        if _META in chunk:
            _shift(chunk[_META].value, _OF_META, by)


def _shift(struct: Struct, numbers: tuple[int, ...], by: int) -> None:
    for number in numbers:
        if number in struct and struct[number].value:  # 0 is "nowhere": Arrow writes it for the end of a chunk
            struct[number] = Field(struct[number].kind, struct[number].value + by)


class _Reader:
    """Reads Thrift's compact protocol: what pyarrow wrote a moment ago, so that there is nothing to doubt."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.schema = b""

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        found = byte = self.data[self.at]
        at, shift = self.at + 1, 7
        while byte >= 0x80:
            byte = self.data[at]
            found += (byte - 1) << shift  # less the bit that said that there is more
            at, shift = at + 1, shift + 7
        self.at = at
        return found

    def integer(self) -> int:
        number = self.varint()
        return (number >> 1) ^ -(number & 1)

    def raw(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]

    def footer(self, known: bytes) -> Struct:
        """The struct of a file; `schema` is how its columns are written, which are not read if they are those that are known."""
        found: Struct = {}
        number = 0
        while head := self.byte():
            kind = head & 0x0F
            number = number + (head >> 4) if head >> 4 else self.integer()
            start = self.at
            if number == SCHEMA and known and self.data.startswith(known, start):
                self.at, self.schema = start + len(known), known
                continue
            found[number] = Field(kind, kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind))
            if number == SCHEMA:
                self.schema = self.data[start : self.at]
        return found

    def struct(self) -> Struct:
        found: Struct = {}
        number, data = 0, self.data
        while head := data[self.at]:
            self.at += 1
            kind = head & 0x0F
            number = number + (head >> 4) if head >> 4 else self.integer()
            if kind in _INTEGERS:
                value = data[self.at]
                if value < 0x80:  # most are small
                    self.at += 1
                else:
                    value = self.varint()
                found[number] = Field(kind, (value >> 1) ^ -(value & 1))
            else:
                found[number] = Field(kind, kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind))
        self.at += 1
        return found

    def value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self.integer()
        if kind == _BINARY:
            return self.raw(self.varint())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return List(head & 0x0F, [self.value(head & 0x0F) for _ in range(size)])
        if kind == _DOUBLE:
            return self.raw(8)
        if kind in (_I8, _TRUE, _FALSE):  # in a list a byte, too
            return self.byte()
        raise OutputError(f"the footer of a Parquet file has a value of kind {kind}, which is not known here")


def _varint(out: bytearray, number: int) -> None:
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _integer(out: bytearray, number: int) -> None:
    _varint(out, number << 1 if number >= 0 else (-number << 1) - 1)


def _write_struct(out: bytearray, struct: Struct) -> None:
    last = 0
    for number in sorted(struct):
        kind, value = struct[number]
        if kind in (_TRUE, _FALSE):
            kind = _TRUE if value else _FALSE
        if 0 < number - last <= 15:
            out.append((number - last) << 4 | kind)
        else:
            out.append(kind)
            _integer(out, number)
        last = number
        if kind in _INTEGERS and 0 <= value < 0x40:
            out.append(value << 1)
        elif kind not in (_TRUE, _FALSE):
            _write_value(out, kind, value)
    out.append(0)


def _write_value(out: bytearray, kind: int, value: Any) -> None:
    if kind in _INTEGERS:
        _integer(out, value)
    elif kind == _BINARY:
        _varint(out, len(value))
        out += value
    elif kind == _STRUCT and isinstance(value, bytes):  # written before
        out += value
    elif kind == _STRUCT:
        _write_struct(out, value)
    elif kind in (_LIST, _SET):
        if len(value.items) < 15:
            out.append(len(value.items) << 4 | value.kind)
        else:
            out.append(0xF0 | value.kind)
            _varint(out, len(value.items))
        for item in value.items:
            _write_value(out, value.kind, item)
    elif kind == _DOUBLE:
        out += value
    else:
        out.append(value)
