"""The lists that both bodies of the kernels share, read from `columns.h`: codes, families, and the columns of matrices and tables.

`declared` is all of it as one text; the compiled core brings the same text along, and is used only if the two agree.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_DEFINE = re.compile(r"#define (\w+)\(\w+(?:, \w+)?\)((?:[^\n]*\\\n)*[^\n]*)")
_ENTRY = re.compile(r'(?:X|ONE|MANY)\((\w+)(?:, (\w+))?(?:, "([^"]*)")?\)')
_BRACES = re.compile(r"\{([^}]*)\}")
# Data files are found beside the modules: `importlib.resources` loads zip files and temporary folders at every start.
_TEXT = Path(__file__).with_name("columns.h").read_text("utf-8")
_LISTS: dict[str, list[tuple[str, str, str]]] = {
    name: _ENTRY.findall(body) for name, body in _DEFINE.findall(re.sub(r"/\*.*?\*/", "", _TEXT, flags=re.DOTALL))
}
IS_BLOCK, IS_INLINE_BOX = 1, 2
"""What box a tag makes; see `TAG_KINDS`."""
NUMBERS: dict[str, int] = {name: int(value) for name, value, _ in _LISTS["NUMBERS"]}


def declared() -> str:
    """Every list on a line, as the compiled core writes them."""
    return "".join(
        f"{name}: " + "".join(f"{' '.join(part for part in entry if part)};" for entry in entries) + "\n"
        for name, entries in _LISTS.items()
    )


def names_of(name: str) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(entry[0] for entry in _LISTS[name])


def expand(pattern: str) -> list[str]:
    """The names that a pattern stands for.

    >>> expand("up{0..2}_text"), expand("lex{,_min}"), expand("url_{URLS}")[:2]
    (['up0_text', 'up1_text', 'up2_text'], ['lex', 'lex_min'], ['url_forum', 'url_product'])
    """
    fixed = _BRACES.sub("\0", pattern).split("\0")
    choices = []
    for inside in _BRACES.findall(pattern):
        first, dots, last = inside.partition("..")
        if dots:
            choices.append([str(k) for k in range(int(first), int(last) + 1)])
        else:
            choices.append(list(names_of(inside)) if inside in _LISTS else inside.split(","))
    return [
        "".join(part for pair in zip(fixed, (*picked, ""), strict=True) for part in pair)
        for picked in itertools.product(*choices)
    ]


class Matrix:
    """The columns of a matrix of blocks."""

    def __init__(self, name: str) -> None:
        self.names: tuple[str, ...] = ()
        self.part: dict[str, slice] = {}
        """Where the columns of each entry of the list are."""
        for entry, size, pattern in _LISTS[name]:
            names = expand(pattern or entry)
            if len(names) != (len(names_of(size[2:])) if size.startswith("N_") else int(size or 1)):
                raise ValueError(f"columns.h: {entry} is declared as {size} columns and names {len(names)}")
            self.part[entry] = slice(len(self.names), len(self.names) + len(names))
            self.names += tuple(names)

    def filled(self, columns: dict[str, npt.NDArray[Any]], n: int) -> npt.NDArray[np.float32]:
        """[n x columns]: every entry of the list from its column or its matrix; what is missing or not declared is an error."""
        if columns.keys() != self.part.keys():
            odd = sorted(columns.keys() ^ self.part.keys())
            raise ValueError(f"columns that are declared and not computed, or computed and not declared: {odd}")
        out = np.empty((n, len(self.names)), np.float32)
        for name, at in self.part.items():
            values = columns[name]
            out[:, at] = values if values.ndim == 2 else values[:, None]
        return out


TAGS: tuple[str, ...] = ("#text", "unknown", *(name.replace("_", "-") for name in names_of("TAGS")))
ATTRIBUTES: tuple[str, ...] = (":tag", *(name.replace("_", "-") for name in names_of("ATTRIBUTES")))
GROUPS, CLASSES, CUES, COUNTED, HELD, URLS, TYPES = map(
    names_of, ("GROUPS", "CLASSES", "CUES", "COUNTED", "HELD", "URLS", "TYPES")
)
EVIDENCE, SITE, STAGE, TEXT_WEIGHTS, NAME_WEIGHTS = map(
    Matrix, ("EVIDENCE", "SITE", "STAGE", "TEXT_WEIGHTS", "NAME_WEIGHTS")
)


def bits_of(name: str) -> tuple[int, ...]:
    """One bit for each name of a list."""
    return tuple(1 << k for k in range(len(_LISTS[name])))


def kinds_of(name: str) -> dict[str, np.dtype[Any]]:
    """The columns of a table and the type of each."""
    return {column: np.dtype(kind) for column, kind, _ in _LISTS[name]}
