"""Regular expressions that are kept compiled, as Python keeps modules.

Three hundred of them take 85 ms of the 430 that `mine` needs to start, and their programs, read from a file, 4. The file stands where Python
keeps compiled modules of this Python, and is written under the same conditions. What is not in it, or has other flags, or was written by
another Python, is compiled. Only for patterns that stand in the code: those that are made of a site would fill the file.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import sys
from array import array
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from sitegrain.errors import OutputError
from sitegrain.wholefile import whole_file

MOST = 2_000
"""Programs in the file before those that nobody asks for leave it, which are of earlier versions of the package: this one has 400."""

_Program = list[Any]
"""Flags, groups, names of groups, and the bytes of the code."""


class _Programs:
    """What the file holds, and what was compiled beside it."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.told = _read(path) if path is not None else {}
        self.asked: set[str] = set()
        self.is_new = False

    def pattern(self, text: str, flags: int) -> re.Pattern[str]:
        key = f"{int(flags)} {text}"
        self.asked.add(key)
        if (program := self.told.get(key)) is None:
            program = self.told[key] = _program(text, flags)
            self.is_new = True
        return _made(text, program)

    def keep(self) -> None:
        if not self.is_new or self.path is None or sys.dont_write_bytecode:
            return
        self.is_new = False
        if len(self.told) > MOST:
            self.told = {key: self.told[key] for key in self.asked}
        with suppress(OSError, OutputError):  # into some folders nobody may write
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self.path) as part:
                part.write_bytes(_packed(self.told))


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(pattern, flags)`, of which the program may be known.

    >>> compiled("(?P<first>a)b", re.IGNORECASE) == re.compile("(?P<first>a)b", re.IGNORECASE)
    True
    """
    programs = _programs()
    if programs is None:
        return re.compile(pattern, flags)
    try:
        return programs.pattern(pattern, flags)
    except (
        TypeError,
        ValueError,
        RuntimeError,
        LookupError,
        AttributeError,
    ):  # a file of something else, another Python
        return re.compile(pattern, flags)


def keep_patterns() -> None:
    """Write what was compiled since the file was read."""
    if (programs := _programs()) is not None:
        programs.keep()


@cache
def _programs() -> _Programs | None:
    """None if this Python is none of those whose programs are known."""
    if sys.implementation.name != "cpython" or not hasattr(re, "_compiler"):
        return None
    with suppress(NotImplementedError):  # no compiled modules at all
        return _Programs(Path(importlib.util.cache_from_source(__file__)).with_suffix(".patterns"))
    return _Programs(None)


def _python() -> str:
    """What programs depend on: letters and their cases are those of a version."""
    return f"{importlib.import_module('_sre').MAGIC} {array('I').itemsize} {sys.byteorder} {sys.version}"


def _program(text: str, flags: int) -> _Program:
    compiler = importlib.import_module("re._compiler")
    parsed = importlib.import_module("re._parser").parse(text, int(flags))
    state = parsed.state
    code = array("I", map(int, compiler._code(parsed, int(flags))))
    return [int(flags) | int(state.flags), state.groups - 1, dict(state.groupdict), code.tobytes()]


def _made(text: str, program: _Program) -> re.Pattern[str]:
    flags, groups, names, code = program
    of_group: list[str | None] = [None] * (groups + 1)
    for name, group in names.items():
        of_group[group] = name
    # It looks whether the code can be run before it makes a pattern of it.
    make: Any = _sre_compile()
    found: re.Pattern[str] = make(text, flags, memoryview(code).cast("I").tolist(), groups, names, tuple(of_group))
    return found


@cache
def _sre_compile() -> Any:
    return importlib.import_module("_sre").compile


def _packed(programs: dict[str, _Program]) -> bytes:
    """A line that tells of them, and their code, with a sum over both."""
    about = [[key, flags, groups, names, len(code)] for key, (flags, groups, names, code) in programs.items()]
    told = json.dumps([_python(), about]).encode() + b"\n" + b"".join(code for *_, code in programs.values())
    return crc32(told).to_bytes(4, "little") + told


def _read(path: Path) -> dict[str, _Program]:
    """What a file holds; nothing if it is not there or not whole."""
    with suppress(OSError, ValueError, TypeError):
        content = memoryview(path.read_bytes())
        if crc32(content[4:]) == int.from_bytes(content[:4], "little"):
            end = bytes(content).index(b"\n", 4)
            python, about = json.loads(bytes(content[4:end]))
            if python == _python():
                out: dict[str, _Program] = {}
                at = end + 1
                for key, flags, groups, names, size in about:
                    out[key] = [flags, groups, names, content[at : at + size]]
                    at += size
                return out
    return {}
