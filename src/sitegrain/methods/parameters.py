"""The parameters of methods as text: what `--set k=3` means.

A parameter is a field of the method's dataclass, and its type says what the text may be: a number, true or false, one of
some words, text, a file, or several of these with commas; `none` where the parameter may be left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from sitegrain.errors import UsageError
from sitegrain.learned.typed import field_types
from sitegrain.light import dataclass
from sitegrain.methods.base import Method, choices

_BOOL = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text", Path: "a file"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method."""

    name: str
    kind: Any
    """Its type."""
    default: Any
    """What it is when nothing is said."""

    @property
    def allowed(self) -> str:
        """What it may be, in words.

        >>> Parameter("k", tuple[int, ...] | None, None).allowed
        'a whole number, or several with commas; or none'
        """
        kind, is_open = _without_none(self.kind)
        if values := choices(kind):
            words = f"one of {', '.join(map(str, values))}"
        elif get_origin(kind) is tuple:
            words = f"{_WORDS[get_args(kind)[0]]}, or several with commas"
        else:
            words = _WORDS[kind]
        return f"{words}; or none" if is_open and "none" not in choices(kind) else words

    def parse(self, text: str) -> Any:
        """The value that a text means.

        >>> Parameter("k", tuple[int, ...], ()).parse("1,2")
        (1, 2)
        """
        kind, is_open = _without_none(self.kind)
        if is_open and text.strip().lower() == "none" and "none" not in choices(kind):
            return None
        try:
            if get_origin(kind) is tuple:
                return tuple(_value(get_args(kind)[0], part) for part in text.split(",") if part.strip())
            return _value(kind, text)
        except (ValueError, KeyError):
            raise UsageError(f"{self.name} cannot be {text!r}: it is {self.allowed}") from None


def _without_none(kind: Any) -> tuple[Any, bool]:
    """A type without None, and whether None was in it. Of several types the first that text can mean is taken."""
    if get_origin(kind) not in (Union, UnionType):
        return kind, False
    parts = [k for k in get_args(kind) if k is not type(None)]
    return next((k for k in parts if _can_be_set(k)), parts[0]), type(None) in get_args(kind)


def _can_be_set(kind: Any) -> bool:
    return kind in _WORDS or bool(choices(kind)) or (get_origin(kind) is tuple and get_args(kind)[0] in _WORDS)


def _value(kind: Any, text: str) -> Any:
    text = text.strip()
    if values := choices(kind):
        return {str(v): v for v in values}[text]
    return _BOOL[text.lower()] if kind is bool else kind(text)


def parameters(method: Method[Any]) -> tuple[Parameter, ...]:
    """The parameters of a method that can be set by text, with the values they have."""
    of = field_types(type(method))
    found = (Parameter(f.name, of[f.name], getattr(method, f.name)) for f in fields(method) if f.init)  # type: ignore[arg-type]
    return tuple(p for p in found if _can_be_set(_without_none(p.kind)[0]))


def set_parameters(methods: Mapping[str, Method[Any]], settings: Iterable[str]) -> dict[str, Method[Any]]:
    """The methods, by name, with settings: `NAME=VALUE` for the one that has the parameter, or `METHOD.NAME=VALUE`.

    What is not set stays as it is, and so does what a method has learned unless one of its parameters is set.
    """
    chosen: dict[str, dict[str, Any]] = {}
    for setting in settings:
        place, is_set, text = setting.partition("=")
        owner, _, name = place.strip().rpartition(".")
        if not is_set or not name:
            raise UsageError(f"{setting!r} is not a setting: write NAME=VALUE, or METHOD.NAME=VALUE")
        if owner and owner not in methods:
            raise UsageError(f"{owner!r} is not one of the methods in use: {', '.join(methods)}")
        among = {owner: methods[owner]} if owner else methods
        found = {m: p for m, method in among.items() for p in parameters(method) if p.name == name}
        if not found:
            known = "; ".join(f"{m}: {', '.join(p.name for p in parameters(x)) or 'none'}" for m, x in among.items())
            raise UsageError(f"there is no parameter {name!r}. You can set: {known}")
        if len(found) > 1:
            raise UsageError(f"several methods have {name!r}: write {' or '.join(f'{m}.{name}=...' for m in found)}")
        for m, parameter in found.items():
            chosen.setdefault(m, {})[name] = parameter.parse(text)
    return {name: replace(method, **chosen[name]) if name in chosen else method for name, method in methods.items()}  # type: ignore[type-var]
