"""`sitegrain evaluate` and `sitegrain reproduce`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.measures import heading, legend
from sitegrain.cli.screen.printing import echo, width
from sitegrain.cli.screen.terminal import console
from sitegrain.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from sitegrain.evaluation.options import Options
    from sitegrain.evaluation.report import Table


def evaluate(
    data: Annotated[
        Path,
        Argument(help="A page set, a labelled site, a folder of labelled sites, or a folder of all of these"),
    ],
    method: Annotated[
        list[str] | None, Option(help="Measure this method (`default` is what we ship); may be repeated")
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    peers: Annotated[str, Option(help="Other extractors, separated by commas; `all` for all that are installed")] = "",
    out: Annotated[Path | None, Option(help="Folder for results.json, a page of tables, and plots")] = None,
    sample: Annotated[int, Option(help="Articles per site; 0 is all", min=0)] = 20,
    seed: Annotated[int, Option(help="Seed of the sample")] = 0,
    no_site: Annotated[bool, Option("--no-site", help="Show methods one page at a time, without the site")] = False,
    scramble: Annotated[bool, Option("--scramble", help="Replace all class and id names")] = False,
    scramble_too: Annotated[
        bool, Option("--scramble-too", help="Measure with the names and without them, and the difference")
    ] = False,
    out_of_fold: Annotated[
        list[Path] | None,
        Option(help="Folder of models that have not seen what they judge; give it twice, for text and for roles"),
    ] = None,
    structure: Annotated[
        bool, Option("--structure", help="Measure Markdown, TOC entries, fields and posts instead of the text")
    ] = False,
    workers: Annotated[int, Option(help="Number of processes; 0 runs all in this one", min=0)] = 2,
) -> None:
    """Measure methods, and other extractors, on labelled data."""

    from sitegrain.evaluation import report
    from sitegrain.evaluation.data import open_data
    from sitegrain.evaluation.methods import find_methods
    from sitegrain.evaluation.options import Options, read_folds
    from sitegrain.evaluation.peers import installed_peers
    from sitegrain.evaluation.results import check_out
    from sitegrain.evaluation.run import evaluate as evaluate_methods
    from sitegrain.evaluation.scrambled import with_change

    wanted = installed_peers() if peers.strip() == "all" else _names(peers)
    chosen = find_methods(method or ([] if wanted else ["default"]), wanted, settings or ())
    options = Options(
        sample=sample,
        seed=seed,
        scramble=scramble,
        no_site=no_site,
        folds=read_folds(out_of_fold or ()),
        workers=workers,
    )
    if structure:
        unused = {
            "--out": out,
            "--no-site": no_site,
            "--scramble-too": scramble_too,
            "--set": settings,
            "--method": set(method or ()) - {"default"},
        }
        if given := [name for name, value in unused.items() if value]:
            raise UsageError(f"--structure measures the default method and prints tables: leave out {', '.join(given)}")
        _structure(data, tuple(wanted), options)
        return
    if out is not None:
        check_out(out, data)
    with _progress(f"opening {data.name}") as progress:
        opened = open_data(data)
        results = evaluate_methods(opened, chosen, options, progress)
        if scramble_too and not scramble:
            again = evaluate_methods(opened, chosen, replace(options, scramble=True), progress)
            results = with_change(results, again)
    screen = console(width=width())
    shown = report.tables(results)
    for table in shown:
        screen.print(_rich_table(table))
    for line in legend(column for table in shown for column in table.columns):
        screen.print(line, markup=False, highlight=False, soft_wrap=True)
    for note in results.notes:
        screen.print(f"note: {note}", markup=False)
    for name, counts in results.problems.items():
        screen.print(f"{name}: {report.amiss(counts)}", markup=False, soft_wrap=True)
    crashes = sum(bool(s.error) for s in results.scores)
    if crashes:
        screen.print(f"{crashes} failures, each scored 0" + ("" if out else "; --out lists them"))
    if out is not None:
        results.write(out)
        page = report.results_page(results).write(out, "results")
        plots = "" if report.can_plot() else ", without plots: pip install 'sitegrain[plots]'"
        screen.print(f"wrote {out / 'results.json'} and {page}{plots}", markup=False)
    if not report.tables(results):
        echo("sitegrain: nothing could be scored; what is wrong with the data is printed above", err=True)
        raise SystemExit(1)


def _structure(data: Path, peers: tuple[str, ...], options: Options) -> None:
    """Print what `--structure` measures."""

    from sitegrain.evaluation.data import DataFolder, PageSet, open_data
    from sitegrain.evaluation.reading.fields import measure_pages
    from sitegrain.evaluation.reading.structure import measure_structure, reading_tables, structure_tables

    with _progress(f"opening {data.name}") as progress:
        opened = open_data(data)
        if isinstance(opened, DataFolder):
            raise UsageError("--structure measures one page set, or sites: give one of those in the folder")
        if isinstance(opened, PageSet):
            tables = reading_tables(measure_pages(opened, options, progress))
        else:
            tables = structure_tables(measure_structure(opened, peers, options, progress))
    screen = console(width=width())
    for table in tables:
        screen.print(_rich_table(table))


@contextmanager
def _progress(first: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, a line every two seconds elsewhere; both begin at once."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    screen = console(stderr=True)
    if screen.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Elapsed())
        with Progress(SpinnerColumn(), *columns, console=screen) as bar:
            task = bar.add_task(first, total=None)
            yield lambda done, total: bar.update(task, description="measuring", completed=done, total=total)
        return
    last = 0.0

    def line(done: int, total: int) -> None:
        nonlocal last
        if done in (0, 1, total) or time.monotonic() - last > 2:
            last = time.monotonic()
            echo(f"measured {done:,} of {total:,}", err=True)

    echo(first, err=True)
    yield line


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _rich_table(table: Table) -> RichTable:
    from rich.table import Table as _RichTable

    from sitegrain.evaluation.report import format_cell

    out = _RichTable(title=heading(table.title), title_justify="left")
    for i, column in enumerate(table.columns):
        out.add_column(heading(column), justify="left" if i == 0 else "right", overflow="fold")
    for row in table.rows:
        out.add_row(*(format_cell(cell).replace("[", "\\[") for cell in row))
    return out


def reproduce(
    paper: Annotated[str, Argument(help="lamis, infodiscoverer, debnath, wisdom or sst")],
    data: Annotated[Path, Argument(help="A labelled site, or a folder of them (see docs/evaluation.md)")],
    out: Annotated[Path, Option(help="Folder for the page and its plots")] = Path("reproduced"),
    sites: Annotated[str, Option(help="Only these sites, by name, separated by commas")] = "",
) -> None:
    """Run a paper's experiments on labelled sites and write its tables and plots."""
    from sitegrain.errors import UsageError
    from sitegrain.evaluation.data import open_sites
    from sitegrain.evaluation.experiments import experiment

    run = experiment(paper)
    found = open_sites(data)
    if sites:
        wanted = set(_names(sites))
        unknown = wanted - {s.name for s in found}
        if unknown:
            known = ", ".join(s.name for s in found)
            raise UsageError(f"no site called {', '.join(sorted(unknown))}; known: {known}")
        found = [s for s in found if s.name in wanted]
    run(found, out)
    for page in sorted(out.glob("*.md")):
        echo(f"wrote {page}")
