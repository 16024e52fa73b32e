"""Help pages for people: words for values in place of types of Python, and the options of a crawl apart from the others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from typer.core import TyperCommand
from typer.models import ArgumentInfo, OptionInfo

from sitegrain.cli.crawl_options import crawl_options

WORDS = {Path: "PATH", str: "TEXT", int: "N", float: "NUMBER"}
CRAWL = frozenset(inspect.signature(crawl_options).parameters)
FETCHES_ONLY = ("crawl", "watch")
"""Commands that always fetch: nothing needs to be said of when the options of a crawl count."""


class Command(TyperCommand):
    """A command whose help page is written here, so that it looks the same with every release of typer."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands after the name of the command."""
        named = (p for p in self.get_params(ctx) if p.param_type_name == "argument")
        return ["[OPTIONS]", *(_shown(p) if p.required else f"[{_shown(p)}]" for p in named)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The tables of arguments and options."""
        arguments: list[tuple[str, str]] = []
        own: list[tuple[str, str]] = []
        crawling: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            if parameter.param_type_name == "argument":
                arguments.append((_shown(parameter), getattr(parameter, "help", "") or ""))
            elif (row := parameter.get_help_record(ctx)) is not None:
                (crawling if parameter.name in CRAWL and self.name not in FETCHES_ONLY else own).append(row)
        if len(crawling) < len(CRAWL) // 2:  # a command with an option of the same name, and no crawl
            own, crawling = own[:-1] + crawling + own[-1:], []
        for title, rows in (("Arguments", arguments), ("Options", own), ("When the source is an address", crawling)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _shown(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def name_values(command: Callable[..., Any] | None) -> None:
    """Name the value of every parameter of a command that has no name for it yet; choices name themselves."""
    assert command is not None
    parameters = inspect.signature(command, eval_str=True).parameters
    for name, parameter in parameters.items():
        assert get_origin(parameter.annotation) is Annotated, name
        kind, *infos = get_args(parameter.annotation)
        for info in infos:
            if isinstance(info, ArgumentInfo) and info.metavar is None:
                is_list = any(get_origin(t) is list for t in _types(kind))
                info.metavar = name.removesuffix("s").upper() + "..." if is_list else name.upper()
            if isinstance(info, OptionInfo) and info.metavar is None:
                info.metavar = next((WORDS[t] for t in _types(kind) if t in WORDS), None)
    command.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}


def _types(kind: Any) -> Iterable[Any]:
    """A type and those inside it.

    >>> list(_types(list[int]))
    [list[int], <class 'int'>]
    """
    yield kind
    for part in get_args(kind):
        yield from _types(part)
