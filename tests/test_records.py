"""`records.dataclass` against `dataclasses.dataclass`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from sitegrain import records

Decorator = Callable[..., Any]


def made(dataclass: Decorator, **options: bool) -> tuple[Any, Any]:
    """A class and one that inherits from it."""

    @dataclass(**options)
    class Base:
        """One."""

        x: int
        y: list[int] = dataclasses.field(default_factory=list)
        kind: ClassVar[str] = "base"
        z: float = 0.5
        hidden: int = dataclasses.field(default=3, repr=False, compare=False)

    @dataclass(**options)
    class Other(Base):
        """Two."""

        more: str = "more"
        late_: dict[str, int] = dataclasses.field(init=False, default_factory=dict)
        none_: int = dataclasses.field(init=False, repr=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "none_", self.x + 1)

    return Base, Other


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"eq": False}, {"frozen": True, "eq": False}])
def test_objects_are_those_of_dataclasses(options: dict[str, bool]) -> None:
    given: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((1,), {}),
        ((1, [2]), {"z": 4.0}),
        ((), {"x": 5, "hidden": 1}),
    ]
    for ours, theirs in zip(made(records.dataclass, **options), made(dataclasses.dataclass, **options), strict=True):
        for args, named in given:
            a, b = ours(*args, **named), theirs(*args, **named)
            assert vars(a) == vars(b)
            assert repr(a) == repr(b)
            assert (a == ours(*args, **named)) == (b == theirs(*args, **named))
            assert (ours.__hash__ is None) == (theirs.__hash__ is None)
            assert vars(dataclasses.replace(a, x=7)) == vars(dataclasses.replace(b, x=7))
        assert [f.name for f in dataclasses.fields(ours)] == [f.name for f in dataclasses.fields(theirs)]
        assert ours(1).y is not ours(1).y
        for wrong in ((), (1, 2, 3, 4, 5, 6, 7)):
            with pytest.raises(TypeError):
                ours(*wrong)


def test_what_is_frozen_stays() -> None:
    base, _ = made(records.dataclass, frozen=True)
    one = base(1, y=())
    assert hash(one) == hash(base(1, y=()))
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.x


def test_objects_that_no_init_made_are_whole() -> None:
    """As they come out of a pickle, in a process that has made none before."""
    base, _ = made(records.dataclass, frozen=True)
    one, other = object.__new__(base), object.__new__(base)
    for each in (one, other):
        each.__dict__.update(x=1, y=[], z=0.5, hidden=3)
    assert one == other == base(1)
    assert repr(one) == repr(base(1))
