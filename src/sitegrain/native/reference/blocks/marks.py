"""Rows that are marked as a group by what their attributes say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sitegrain.arrays.types import Ints32
from sitegrain.native.columns import ATTRIBUTES
from sitegrain.native.inputs import AttrColumns

_ROLE, _ITEMPROP = ATTRIBUTES.index("role"), ATTRIBUTES.index("itemprop")


def marked_rows(
    attrs: AttrColumns, strings: tuple[str, ...], roles: dict[str, int], body: int, is_body_prop: Callable[[str], bool]
) -> tuple[Ints32, Ints32]:
    """A loop over few attributes, because they are text."""
    at: list[int] = []
    marks: list[int] = []
    for row, name, value in zip(*(column.tolist() for column in attrs), strict=True):
        mark = -1
        if name == _ROLE:
            mark = roles.get(strings[value].strip().lower(), -1)
        elif name == _ITEMPROP and is_body_prop(strings[value]):
            mark = body
        if mark >= 0:
            at.append(row)
            marks.append(mark)
    return np.array(at, np.int32), np.array(marks, np.int32)
