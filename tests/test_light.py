"""What is lighter than the library's is like it otherwise."""

from __future__ import annotations

import dataclasses
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sitegrain
from sitegrain.light import dataclass, late_pattern

SOURCE = Path(sitegrain.__file__).parent


@pytest.mark.parametrize("is_frozen", [True, False])
@pytest.mark.parametrize("is_compared", [True, False])
def test_values_are_shown_compared_and_hashed_as_the_library_does_it(is_frozen: bool, is_compared: bool) -> None:
    class Cup:
        tea: str
        size: int = 2
        leaves: list[str] = dataclasses.field(default_factory=list, repr=False, compare=False)

    makers: tuple[Any, ...] = (dataclass, dataclasses.dataclass)
    for maker in makers:
        made = maker(frozen=is_frozen, eq=is_compared)(type("Cup", (Cup,), dict(vars(Cup))))
        cup = made("green")
        assert repr(cup).endswith("Cup(tea='green', size=2)")
        assert (cup == made("green", 2, ["a"])) is is_compared
        assert dataclasses.replace(cup, tea="black").tea == "black"
        assert [f.name for f in dataclasses.fields(cup)] == ["tea", "size", "leaves"]
        if is_compared and not is_frozen:
            with pytest.raises(TypeError, match="unhashable"):
                hash(cup)
        else:
            assert (hash(cup) == hash(made("green"))) is is_compared


def test_what_a_class_says_itself_stays() -> None:
    @dataclass(frozen=True)
    class Cup:
        tea: str

        def __repr__(self) -> str:
            return "a cup"

        def __hash__(self) -> int:
            return 7

    assert repr(Cup("green")) == "a cup"
    assert hash(Cup("green")) == 7


def test_what_only_the_library_can_is_left_to_it() -> None:
    @dataclass(frozen=True, slots=True)
    class Cup:
        tea: str

    with pytest.raises(dataclasses.FrozenInstanceError):
        Cup("green").tea = "black"  # type: ignore[misc]


def test_a_value_that_holds_itself_can_be_shown() -> None:
    @dataclass
    class Cup:
        inside: object = None

    cup = Cup()
    cup.inside = cup
    assert repr(cup).endswith("Cup(inside=...)")


def test_a_late_pattern_is_like_one() -> None:
    late, usual = late_pattern("(?P<tea>t[ea]+)", re.IGNORECASE), re.compile("(?P<tea>t[ea]+)", re.IGNORECASE)
    said = "Tea, tee, to"
    assert [m.span() for m in late.finditer(said)] == [m.span() for m in usual.finditer(said)]
    assert late.sub("-", said) == usual.sub("-", said)
    assert (late.pattern, late.flags, late.groups, late.groupindex) == (
        usual.pattern,
        usual.flags,
        usual.groups,
        usual.groupindex,
    )
    with pytest.raises(AttributeError):
        getattr(late, "un" + "known")


def test_every_late_pattern_can_be_compiled() -> None:
    n_late = 0
    for path in sorted(SOURCE.rglob("*.py")):
        if "late_pattern(" not in path.read_text("utf-8") or path.name == "light.py":
            continue
        name = ".".join(("sitegrain", *path.relative_to(SOURCE).with_suffix("").parts))
        import_module(name.removesuffix(".__init__"))
        found = [value for value in vars(sys.modules[name]).values() if type(value) is late_pattern]
        assert found, name
        n_late += len(found)
        for pattern in found:
            assert pattern.flags >= 0
    assert n_late >= 30
