"""The command line: one command = one public function + printing.

Each module of this package adds its commands with `register(app)`. Results go to standard output, everything else to
standard error. Exit codes: 0 done; 1 nothing found, or only a part (the reason is printed); 2 bad usage.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated

import typer

import sitegrain
from sitegrain.cli.terminal import plain_streams
from sitegrain.cli.usage import Command, name_values
from sitegrain.errors import SitegrainError, UsageError

app = typer.Typer(
    name="sitegrain",
    help="Find the grain of a web site: its TOC pages, its articles, and the blocks that carry information.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for _name in (
    "mine", "extract", "crawl", "changes", "export", "mcp", "search", "explore", "evaluate", "methods", "structure",
    "syndication", "spark",
):  # fmt: skip
    import_module(f"sitegrain.cli.{_name}").register(app)

EXAMPLES = {
    "mine": [
        "sitegrain mine pages/ --out result",
        "sitegrain mine https://example.org/ --out result --max-pages 500 --contact you@example.org",
        "sitegrain mine first.warc.gz second.warc.gz --out result --markdown-files",
    ],
    "extract": [
        "sitegrain extract page.html --format markdown",
        "sitegrain extract https://example.org/news/1 --json",
        "sitegrain extract pages.warc.gz --json > pages.jsonl",
    ],
    "crawl": [
        "sitegrain crawl https://example.org/ --out site.warc.gz --contact you@example.org",
        "sitegrain crawl https://example.org/ --out today.warc.gz --earlier site.warc.gz",
    ],
    "diff": [
        "sitegrain diff last-week this-week",
        "sitegrain diff old.warc.gz new.warc.gz --format atom > changes.atom",
    ],
    "watch": ["sitegrain watch https://example.org/ --out watched --contact you@example.org"],
    "export": ["sitegrain export result --to sqlite", "sitegrain export result --to chunks --max-tokens 300"],
    "mcp": ["sitegrain mcp result"],
    "index": ["sitegrain index result --articles"],
    "search": ['sitegrain search result "legacy database" -n 3'],
    "explore": ["sitegrain explore result"],
    "evaluate": ["sitegrain evaluate labelled-site --peers all --out measured"],
    "reproduce": ["sitegrain reproduce lamis labelled-sites --out reproduced"],
    "methods": ["sitegrain methods wisdom"],
    "structure": ["sitegrain structure pages/ index.html --picture front.svg"],
    "syndication": ["sitegrain syndication one-site another-site"],
    "spark": ["sitegrain spark mine pages.parquet mined --master 'local[*]'"],
}
"""Per command: what its help shows as examples."""

SUMMARIES = {
    "mine": "a whole site: TOC pages, articles, their text",
    "extract": "the main text of single pages",
    "crawl": "fetch a site into a WARC file",
    "diff": "what changed between two results of a site",
    "watch": "crawl again and tell what changed, for cron",
    "export": "a result as SQLite, CSV, Markdown, chunks, ...",
    "mcp": "let an assistant search and read a result",
    "index": "build a full-text index of a site",
    "search": "find pages by their words",
    "explore": "look at a result in a browser",
    "evaluate": "measure methods on labelled pages",
    "reproduce": "run the experiments of a paper",
    "methods": "the methods that --method takes",
    "structure": "the informative structure of one page",
    "syndication": "texts that several sites print",
    "spark": "mine many sites on Spark",
}
"""Per command: its line in `sitegrain --help`, which must fit in 80 columns."""

for _command in app.registered_commands:
    _called = str(_command.name or getattr(_command.callback, "__name__", ""))
    _command.short_help = SUMMARIES[_called]
    _command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[_called])
    _command.cls = Command
    name_values(_command.callback)


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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Pages hold characters that no terminal, or no encoding at all, can show.
            stream.reconfigure(errors="backslashreplace")
    with plain_streams():
        code = _run()
    try:
        sys.stdout.flush()
    except OSError as error:  # a full disk, or a reader that left, is noticed when the last lines go out
        if not isinstance(error, BrokenPipeError):
            _say(f"cannot write the output: {error.strerror or error}")
        code = code or 1
        with suppress(OSError, io.UnsupportedOperation):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _run() -> int | str | None:
    """The exit code of the command."""
    try:
        app(prog_name="sitegrain")
    except SystemExit as stop:
        return stop.code
    except SitegrainError as error:
        _say(str(error))
        return 2 if isinstance(error, UsageError) else 1
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        return 1
    except MemoryError:
        _say("out of memory: give fewer pages at a time")
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    return 0


def _say(message: str) -> None:
    with suppress(OSError):
        typer.echo(f"sitegrain: {message}", err=True)
