"""Help pages for people: words for values in place of types of Python, and the options of a crawl apart from the others."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sitegrain.cli.arguments.parameters import Command, Parameter

WIDEST, NARROWEST = 78, 50
"""Columns of a help page: long lines are hard to read, and short ones leave no room beside the names."""
MARGIN = 2
NAMES = 30
"""Columns of the names of options at most: what is longer has its text on the next line."""
HELP_ROW = ("--help", "Show this message and exit.")


def usage(command: Command) -> str:
    """How the command is called, on one line."""
    shown = (p.metavar if p.is_required else f"[{p.metavar}]" for p in command.arguments)
    return " ".join(["Usage: sitegrain", command.name, "[OPTIONS]", *shown])


def help_page(command: Command, examples: Sequence[str]) -> str:
    """What `sitegrain COMMAND --help` prints."""
    crawling: frozenset[str] = getattr(command.function, "crawl_options", frozenset())
    arguments = [(p.metavar, p.help) for p in command.arguments]
    own = [_row(p) for p in command.options if p.name not in crawling]
    tables = {
        "Arguments": arguments,
        "Options": [*own, HELP_ROW],
        "When the source is an address": [_row(p) for p in command.options if p.name in crawling],
    }
    ending = ["", "  Examples:", *(f"    {line}" for line in examples)]
    return "\n".join([*_wrapped_usage(usage(command)), "", *_paragraphs(command.help), *_tables(tables), *ending])


def first_page(about: str, options: Mapping[str, str], summaries: Mapping[str, str]) -> str:
    """What `sitegrain --help` prints."""
    tables = {"Options": [*options.items(), HELP_ROW], "Commands": list(summaries.items())}
    return "\n".join([FIRST_USAGE, "", *_paragraphs(about), *_tables(tables)])


FIRST_USAGE = "Usage: sitegrain [OPTIONS] COMMAND [ARGS]..."


def _width() -> int:
    return max(min(shutil.get_terminal_size().columns - MARGIN, WIDEST), NARROWEST)


def _wrapped_usage(line: str) -> list[str]:
    return textwrap.wrap(line, _width(), subsequent_indent=" " * len("Usage: "), break_on_hyphens=False)


def _paragraphs(text: str) -> list[str]:
    margin = " " * MARGIN
    filled = (
        textwrap.fill(" ".join(p.split()), _width(), initial_indent=margin, subsequent_indent=margin)
        for p in text.split("\n\n")
    )
    return "\n\n".join(filled).split("\n")


def _tables(tables: Mapping[str, Iterable[tuple[str, str]]]) -> Iterator[str]:
    for title, rows in tables.items():
        if listed := list(rows):
            yield ""
            yield f"{title}:"
            yield from _table(listed)


def _table(rows: list[tuple[str, str]]) -> Iterator[str]:
    """Names, and what they mean beside them."""
    first = min(max(len(name) for name, _ in rows), NAMES) + MARGIN
    for name, text in rows:
        lines = textwrap.wrap(text, max(_width() - first - MARGIN, 10)) or [""]
        is_beside = len(name) <= first - MARGIN
        if not is_beside:
            yield " " * MARGIN + name
        for k, line in enumerate(lines):
            yield f"{' ' * MARGIN}{name if is_beside and k == 0 else '':{first}}{line}".rstrip()


def _row(option: Parameter) -> tuple[str, str]:
    """The names of an option and its value; what it means, and what is so if it is not given."""
    names = ", ".join(sorted(option.opts, key=lambda name: name.startswith("--")))
    notes = []
    if option.info.envvar:
        notes.append(f"env var: {option.info.envvar}")
    if not option.is_flag and option.default not in (None, ""):
        notes.append(f"default: {option.default}")
    if option.bounds:
        notes.append(option.bounds)
    if option.is_required:
        notes.append("required")
    text = option.help + (f"  [{'; '.join(notes)}]" if notes else "")
    return f"{names} {option.metavar}".rstrip(), text
