"""The command line: one command = one public function + printing.

Every command is a function of a module of this package (`HOME`), which is imported when the command is called. Results go to standard
output, everything else to standard error. Exit codes: 0 done; 1 nothing found, or only a part (the reason is printed); 2 bad usage.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import sitegrain
from sitegrain.cli.arguments.parameters import Command, Misused, meant
from sitegrain.cli.screen.printing import echo
from sitegrain.cli.screen.terminal import plain_streams
from sitegrain.errors import SitegrainError, UsageError

ABOUT = (
    "Find the articles of a web site, the pages that lead to them (TOC pages), and the text that carries information."
)
OPTIONS = {
    "--version": "Print the version and exit.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Print completion for the current shell, to copy or adapt it.",
}
"""What `sitegrain` takes without a command."""
HOME = {"diff": "changes", "watch": "changes", "index": "search", "reproduce": "evaluate"}
"""The modules of commands that share one; every other command has one of its own name."""

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
    "mine": "find the articles of a whole site, and their text",
    "extract": "print the main text of single pages",
    "crawl": "fetch a site into a WARC file",
    "diff": "show what changed between two results of a site",
    "watch": "crawl a site again and show what changed, for cron",
    "export": "write a result as SQLite, CSV, Markdown, chunks, ...",
    "mcp": "let an assistant search and read a result",
    "index": "build a full-text index of a site",
    "search": "find pages by their words",
    "explore": "look at a result in a browser",
    "evaluate": "measure methods on labelled pages",
    "reproduce": "run the experiments of a paper",
    "methods": "list the methods that --method takes",
    "structure": "print the informative structure of one page",
    "syndication": "find texts that several sites print",
    "spark": "mine many sites on Spark",
}
"""Per command: its line in `sitegrain --help`, which must fit in 80 columns."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""


def command(name: str) -> Command:
    """A command by its name."""
    if name not in SUMMARIES:
        close = " or ".join(f"'{known}'" for known in meant(name, SUMMARIES))
        raise Misused(f"No such command '{name}'." + (f" Did you mean {close}?" if close else ""))
    return Command(name, getattr(import_module(f"sitegrain.cli.{HOME.get(name, name)}"), name))


def run(arguments: Sequence[str]) -> None:
    """Do what the arguments say; `SystemExit` when something else than success is to be told."""
    # Nothing here multiplies large matrices: a tenth of the time of a short command would go to threads that wait for it. And
    # Arrow's own memory pool keeps what a table took, twice the HTML of a small site, for the next one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    called = None
    try:
        if not arguments or arguments[0].startswith("-"):
            return _without_command(arguments)
        called = command(arguments[0])
        values = called.parse(arguments[1:])
    except Misused as error:
        from sitegrain.cli.arguments.usage import FIRST_USAGE, usage

        name = f"sitegrain {called.name}" if called else "sitegrain"
        echo(f"{usage(called) if called else FIRST_USAGE}\nTry '{name} --help' for help.\n\nError: {error}", err=True)
        raise SystemExit(2) from None
    if values is None:
        from sitegrain.cli.arguments.usage import help_page

        return echo(help_page(called, EXAMPLES[called.name]))
    called.function(**values)


def _without_command(arguments: Sequence[str]) -> None:
    if not arguments or arguments[0] == "--help":
        from sitegrain.cli.arguments.usage import first_page

        echo(first_page(ABOUT, OPTIONS, SUMMARIES), err=not arguments)
        raise SystemExit(0 if arguments else 2)
    if arguments[0] == "--version":
        return echo(f"sitegrain {sitegrain.__version__}")
    if arguments[0] not in OPTIONS:
        close = meant(arguments[0], OPTIONS)
        known = f" (Possible options: {', '.join(close)})" if close else ""
        raise Misused(f"No such option: {arguments[0]}{known}")
    from sitegrain.cli.arguments.completion import install, script

    shell = arguments[1] if len(arguments) > 1 else os.path.basename(os.environ.get("SHELL", ""))
    about = shell, {summary: command(name) for name, summary in SUMMARIES.items()}, OPTIONS
    echo(script(*about) if arguments[0] == "--show-completion" else install(*about))


def main() -> None:
    """Run the command line; an error that was meant becomes one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Pages hold characters that no terminal, or no encoding at all, can show. A file or a program gets them whatever the locale is.
            is_said = stream.isatty() or os.environ.get("PYTHONIOENCODING")
            stream.reconfigure(encoding=None if is_said else "utf-8", errors="backslashreplace")
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
    if code == INTERRUPTED:
        # All is put away and said. To end an interpreter in order takes a tenth of a second, and on a busy machine one more.
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    gc.freeze()  # what is left ends with the process: to look for cycles in all of it took a fiftieth of a start
    sys.exit(code)


def _run() -> int | str | None:
    """The exit code of the command."""
    try:
        run(sys.argv[1:])
    except SystemExit as stop:
        return stop.code
    except SitegrainError as error:
        _say(str(error))
        return 2 if isinstance(error, UsageError) else 1
    except BrokenPipeError:  # the reader has left: `sitegrain extract ... | head`
        return 1
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        return 1
    except MemoryError:
        _say("out of memory: give fewer pages at a time")
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    return 0


def _say(message: str) -> None:
    with suppress(OSError):
        echo(f"sitegrain: {message}", err=True)
