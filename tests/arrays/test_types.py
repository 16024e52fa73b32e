"""Kinds of arrays, as numpy before 2.5 and from 2.5 on writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from sitegrain.arrays.types import Floats, meant
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.plan.packing import Packed, pack

Scalar = TypeVar("Scalar", bound=np.generic)
Later = TypeAliasType("Later", np.ndarray[Any, np.dtype[Scalar]], type_params=(Scalar,))
"""What `NDArray` is from numpy 2.5 on, whichever numpy is here."""


@dataclass(frozen=True)
class Learned:
    weight: Later[np.float64]
    by_name: dict[str, Later[np.int32]]


@dataclass(frozen=True)
class Part:
    row: Later[np.int32]


def test_an_alias_is_what_it_stands_for() -> None:
    assert meant(Later[np.float64]) == np.ndarray[Any, np.dtype[np.float64]]
    assert meant(meant(Floats)) == meant(Floats) == meant(npt.NDArray[np.float64])
    assert meant(list[int]) == list[int]


def test_models_and_parts_are_read_by_such_types() -> None:
    learned = Learned(np.array([0.5, 2.0]), {"a": np.array([3], np.int32)})
    again = Reader("a model").read(Learned, to_plain(learned))
    assert again.weight.tolist() == [0.5, 2.0]
    assert again.by_name["a"].tolist() == [3]
    assert Packed(pack(Part(np.array([1, 2], np.int32)))).read(Part).row.tolist() == [1, 2]
