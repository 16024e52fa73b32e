"""The command line: one command = one public function + printing.

Each module of this package adds its commands with `register(app)`. Results go to standard output, everything else to
standard error. Exit codes: 0 done; 1 nothing found, or only a part (the reason is printed); 2 bad usage.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

import sitegrain
from sitegrain.errors import SitegrainError, UsageError

app = typer.Typer(
    name="sitegrain",
    help="Find the grain of a web site: its TOC pages, its articles, and the blocks that carry information.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for _name in ("mine", "extract", "crawl", "search", "evaluate", "methods"):
    import_module(f"sitegrain.cli.{_name}").register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sitegrain {sitegrain.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; an error that was meant becomes one line and an exit code."""
    try:
        app()
    except SitegrainError as error:
        typer.echo(f"sitegrain: {error}", err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except KeyboardInterrupt:
        typer.echo("sitegrain: interrupted", err=True)
        sys.exit(130)
