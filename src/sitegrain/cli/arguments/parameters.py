"""What a command takes, read from the signature of its function: `name: Annotated[type, Option(...)] = default`.

Types are str, int, float, Path, an enum of strings or bool (a flag); a list of one of these may be given several times. Our own, since
every start pays for it: libraries that read signatures took a third of the time of `sitegrain extract FILE`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from sitegrain.light import dataclass

WORDS = {Path: "PATH", str: "TEXT", int: "N", float: "NUMBER"}
"""What help pages call a value."""
_NUMBERS: dict[type, str] = {int: "a whole number", float: "a number"}
_CLOSE = 0.6
"""How alike two names are for one to be meant by the other, as difflib has it by default."""


class Misused(Exception):
    """A command line that cannot be read; the text says why."""


class Argument:
    """A value that stands at its place."""

    def __init__(self, *, help: str) -> None:
        self.names: tuple[str, ...] = ()
        self.help, self.metavar, self.envvar = help, "", ""
        self.least: int | None = None
        self.most: int | None = None


class Option(Argument):
    """A value with a name: those given here, or `--` and the name of the parameter. `envvar` gives it where nobody does."""

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str = "",
        envvar: str = "",
        min: int | None = None,
        max: int | None = None,
    ) -> None:
        super().__init__(help=help)
        self.names, self.metavar, self.envvar, self.least, self.most = names, metavar, envvar, min, max


@dataclass(frozen=True)
class Parameter:
    """One argument or option of a command."""

    name: str
    """Of the function's parameter."""
    opts: tuple[str, ...]
    """How an option is called, `--long` or `-s`; empty for an argument."""
    kind: type
    is_many: bool
    is_required: bool
    default: Any
    info: Argument

    @property
    def help(self) -> str:
        return self.info.help

    @property
    def is_argument(self) -> bool:
        return not self.opts

    @property
    def is_flag(self) -> bool:
        return self.kind is bool

    @property
    def metavar(self) -> str:
        """What the value is called: empty for a flag."""
        if self.is_argument:
            return self.name.removesuffix("s").upper() + "..." if self.is_many else self.name.upper()
        return self.info.metavar or WORDS.get(self.kind, "")

    @property
    def choices(self) -> list[str]:
        return [str(c.value) for c in self.kind] if issubclass(self.kind, Enum) else []

    @property
    def title(self) -> str:
        """How errors call it."""
        return " / ".join(f"'{name}'" for name in self.opts) or f"'{self.metavar}'"

    @property
    def bounds(self) -> str:
        """The least and the most as a rule; empty without them."""
        least, most = self.info.least, self.info.most
        if most is None:
            return "" if least is None else f"x>={least}"
        return f"x<={most}" if least is None else f"{least}<=x<={most}"

    def value_of(self, text: str) -> Any:
        """What a word on the command line stands for."""
        if "\0" in text:
            raise Misused(f"Invalid value for {self.title}: it holds a null character")
        try:
            value = self.kind(text)
        except ValueError:
            known = ", ".join(map(repr, self.choices))
            why = f"is not one of {known}." if known else f"is not {_NUMBERS[self.kind]}"
            raise Misused(f"Invalid value for {self.title}: {text!r} {why}") from None
        if self.info.least is not None and value < self.info.least:
            raise Misused(f"Invalid value for {self.title}: {text} is less than {self.info.least}")
        if self.info.most is not None and value > self.info.most:
            raise Misused(f"Invalid value for {self.title}: {text} is more than {self.info.most}")
        return value


class Command:
    """A function as a command: what it takes, and how words become its arguments."""

    def __init__(self, name: str, function: Callable[..., None]) -> None:
        self.name, self.function = name, function

    @property
    def help(self) -> str:
        return inspect.getdoc(self.function) or ""

    @cached_property
    def params(self) -> list[Parameter]:
        """In the order of the function's parameters."""
        signature = inspect.signature(self.function, eval_str=True)
        return [_parameter(p) for p in signature.parameters.values()]

    @property
    def arguments(self) -> list[Parameter]:
        return [p for p in self.params if p.is_argument]

    @property
    def options(self) -> list[Parameter]:
        return [p for p in self.params if not p.is_argument]

    def parse(self, words: Sequence[str]) -> dict[str, Any] | None:
        """The arguments of the function; None if help is asked for. Options may stand anywhere; after `--` all are arguments."""
        places: list[str] = []
        given: dict[str, list[str]] = {}
        by_name = {opt: p for p in self.options for opt in p.opts}
        rest = iter(words)
        for word in rest:
            if word == "--":
                places.extend(rest)
            elif word.startswith("--"):
                name, is_set, text = word.partition("=")
                if name == "--help":
                    return None
                option = by_name.get(name) or _unknown(name, by_name)
                if option.is_flag and is_set:
                    raise Misused(f"Option '{name}' does not take a value.")
                _take(option, name, [text] if is_set else rest, given)
            elif word.startswith("-") and word != "-":
                _take_short(word, by_name, rest, given)
            else:
                places.append(word)
        found = {p.name: _option_value(p, given.get(p.name)) for p in self.options}
        return found | _placed(self.arguments, places)


def _take(option: Parameter, name: str, rest: Any, given: dict[str, list[str]]) -> None:
    text = "1" if option.is_flag else next(iter(rest), None)
    if text is None:
        raise Misused(f"Option '{name}' requires an argument.")
    given.setdefault(option.name, []).append(text)


def _take_short(word: str, by_name: dict[str, Parameter], rest: Iterator[str], given: dict[str, list[str]]) -> None:
    """Letters of flags one after the other, and at last one that takes the rest of the word, or the next one."""
    for at, letter in enumerate(word[1:], 1):
        option = by_name.get(f"-{letter}") or _unknown(f"-{letter}", ())
        if not option.is_flag:
            after = word[at + 1 :]
            _take(option, f"-{letter}", [after] if after else rest, given)
            return
        _take(option, f"-{letter}", (), given)


def _unknown(name: str, known: Any) -> Parameter:
    close = meant(name, known)
    raise Misused(f"No such option: {name}" + (f" (Possible options: {', '.join(close)})" if close else ""))


def meant(name: str, known: Any) -> list[str]:
    """The known names that are like one that is not."""
    from difflib import get_close_matches

    return sorted(get_close_matches(name, list(known), cutoff=_CLOSE))


def _option_value(option: Parameter, given: list[str] | None) -> Any:
    if not given and option.info.envvar and (set_outside := os.environ.get(option.info.envvar)):
        given = [set_outside]
    if not given:
        if option.is_required:
            choices = f" Choose from: {', '.join(option.choices)}" if option.choices else ""
            raise Misused(f"Missing option '{option.opts[0]}'.{choices}")
        return option.default
    return [option.value_of(text) for text in given] if option.is_many else option.value_of(given[-1])


def _placed(arguments: list[Parameter], places: list[str]) -> dict[str, Any]:
    """What stands at the places of arguments; one that takes many is the last."""
    out: dict[str, Any] = {}
    for k, argument in enumerate(arguments):
        mine = places[k:] if argument.is_many else places[k : k + 1]
        if not mine:
            if argument.is_required:
                raise Misused(f"Missing argument '{argument.metavar}'.")
            out[argument.name] = argument.default
        else:
            out[argument.name] = (
                [argument.value_of(text) for text in mine] if argument.is_many else argument.value_of(mine[0])
            )
    extra = places[len(arguments) :]
    if extra and not any(argument.is_many for argument in arguments):
        raise Misused(f"Got unexpected extra argument(s) ({' '.join(extra)})")
    return out


def _parameter(of: inspect.Parameter) -> Parameter:
    assert get_origin(of.annotation) is Annotated, of.name
    kind, info = get_args(of.annotation)
    types = [t for t in get_args(kind) if t is not NoneType] if NoneType in get_args(kind) else [kind]
    is_many = get_origin(types[0]) is list
    (single,) = get_args(types[0]) if is_many else types
    opts = (info.names or (f"--{of.name.replace('_', '-')}",)) if isinstance(info, Option) else ()
    is_required = of.default is inspect.Parameter.empty
    return Parameter(of.name, opts, single, is_many, is_required, None if is_required else of.default, info)
