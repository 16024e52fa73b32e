"""`sitegrain mine`."""

from __future__ import annotations

import gc
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sitegrain.cli.arguments.crawl_options import changed_options, takes_crawl_options
from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.mined import end_with, print_doubts, print_found, print_sites, print_where
from sitegrain.cli.screen.printing import echo
from sitegrain.cli.screen.progress import progress
from sitegrain.errors import UsageError
from sitegrain.sources.crawl.options import CrawlOptions

if TYPE_CHECKING:
    from sitegrain.methods.base import NodeVerdict
    from sitegrain.result.result import Result
    from sitegrain.result.stored import StoredResult
    from sitegrain.sources.base import Source


@takes_crawl_options()
def mine(
    sources: Annotated[
        list[str],
        Argument(help="An address, a folder, WARC, Parquet, JSON lines or HTML files, or - for standard input"),
    ],
    options: CrawlOptions,
    out: Annotated[Path | None, Option(help="Write the result to this folder (see docs/output.md)")] = None,
    method: Annotated[
        list[str] | None, Option(help="Use this method instead of the default one; may be repeated")
    ] = None,
    pipeline: Annotated[
        str | None,
        Option(help="papers: use the whole system of Kao et al. 2004, with structure.json and structure.svg"),
    ] = None,
    labels: Annotated[
        Path | None,
        Option(help="Labels of a few pages (labels.jsonl), from which the sentence style tree learns"),
    ] = None,
    model: Annotated[
        Path | None, Option(help="Use this model, which --save-model wrote, instead of learning from the pages")
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    save_model: Annotated[Path | None, Option(help="Save what was learned about the site to this file")] = None,
    base: Annotated[
        str | None,
        Option(help="Address that a folder's files were saved from; if not given, it is found from the pages"),
    ] = None,
    url_column: Annotated[
        str, Option(help="Column of a Parquet file, or field of JSON lines, that holds addresses")
    ] = "url",
    html_column: Annotated[
        str, Option(help="Column of a Parquet file, or field of JSON lines, that holds pages")
    ] = "html",
    markdown_files: Annotated[
        bool, Option("--markdown-files", help="Also write each article as OUT/markdown/SECTION/NAME.md")
    ] = False,
    no_report: Annotated[bool, Option("--no-report", help="Write no report")] = False,
    single_file: Annotated[
        bool, Option("--single-file", help="Write the report as one file, report.html, instead of a folder")
    ] = False,
    also: Annotated[
        list[str] | None, Option(help="Judge by this method as well, for the report; may be repeated")
    ] = None,
    workers: Annotated[int, Option(min=0, help="Number of processes for a large site; 0 is one for each core")] = 0,
    memory: Annotated[
        str,
        Option(help="Memory for all processes together, such as 800M or 4G; a site that needs more is refused at once"),
    ] = "",
    by_site: Annotated[
        bool, Option("--by-site", help="Write one result for each site in the source, in folders below OUT")
    ] = False,
    as_json: Annotated[bool, Option("--json", help="Print the summary as JSON")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print errors only")] = False,
) -> None:
    """Find the TOC pages, the articles and their text in a whole site. (A TOC page is one that leads to others: a home page, a section.)

    An address is crawled first; its pages stay in a WARC beside the result. Run the same command again to continue after
    a stop.
    """
    gc.disable()  # until all is loaded: Python would look 117 times for rings among modules, 5% of the time to start
    from sitegrain.methods.registry import NODE_METHODS
    from sitegrain.plan.mining import Means
    from sitegrain.plan.mining import mine as mine_site
    from sitegrain.plan.sites import check_many_out, mine_sites
    from sitegrain.report.parts import write_bodies, write_stored_report
    from sitegrain.result.arrow import be_lean
    from sitegrain.result.folder import check_out
    from sitegrain.result.recipe import make_recipe, with_settings
    from sitegrain.result.result import Result
    from sitegrain.result.stored import StoredResult
    from sitegrain.sources.folder import FolderSource
    from sitegrain.sources.mirrors import as_mirrors

    be_lean()
    if by_site and out is None:
        raise UsageError("--by-site writes folders: give --out")
    if by_site and (unfit := _for_one_site(save_model, pipeline)):
        raise UsageError(f"{unfit} applies to one site: leave out either it or --by-site")
    if markdown_files and out is None:
        raise UsageError("--markdown-files writes into the result: name its folder with --out")
    for name in also or ():
        if name not in NODE_METHODS:
            raise UsageError(f"--also {name}: use one of {', '.join(NODE_METHODS)}")
    chosen = _of_pipeline(pipeline, method or [])
    if labels is not None:
        chosen, settings = _with_labels(labels, chosen, settings or [])
    if pipeline is not None:  # its methods are halves of one system
        settings = [f"{name}.{setting}" for setting in settings or () for name in chosen]
    methods = with_settings(chosen, settings or ())
    make_recipe(methods, model)
    if out is not None:  # before a crawl, not after it
        check_many_out(out) if by_site else check_out(out)
    opened = _crawled(sources, out, options, quiet or as_json) or _opened(
        sources, base, (url_column, html_column), options
    )
    # What looks at the whole site at once, or at all of it in one file, needs it in memory.
    wants_site = bool(also) or single_file or pipeline is not None
    hooks = () if no_report or wants_site else (write_bodies,)

    def finish(result: Result | StoredResult, out: Path) -> tuple[Path | None, Path | None]:
        """What else is wanted in the folder of a result: where the report and the Markdown files are."""
        report = None
        if not no_report and isinstance(result, StoredResult):
            report = write_stored_report(result)
        elif not no_report and isinstance(result, Result):
            verdicts = {name: NODE_METHODS[name]().fit_apply(result.site) for name in also or ()}
            report = _write_report(result, out, single_file, verdicts)
        return report, _write_notes(result, out) if markdown_files else None

    with progress(quiet or as_json) as tell:
        means = Means(workers, _bytes(memory), hooks=hooks, on_progress=tell, whole=wants_site)
        if by_site and out is not None:
            found = mine_sites(opened, out, methods=methods, model=model, means=means, on_site=finish)
        else:
            result = mine_site(opened, out, methods=methods, model=model, save_model=save_model, means=means)
    if by_site and out is not None:
        print_sites(found, out, as_json, quiet)
        return end_with(found.problems)
    if pipeline is not None and out is not None:
        assert isinstance(result, Result)
        _write_structure(result, out)
    report, notes = finish(result, out) if out is not None else (None, None)
    summary = result.summary
    if as_json:
        echo(json.dumps(summary, ensure_ascii=False))
    elif not quiet:
        print_found(summary)
        if out is not None:
            print_doubts(result)
            print_where(out, report, notes)
    inside, resolved = summary["links_inside"], summary["links_resolved"]
    if 2 * resolved < inside:
        say = f"sitegrain: only {resolved:,} of {inside:,} links within the site lead to pages that are here"
        several = isinstance(opened, FolderSource) and as_mirrors(opened) is not opened
        ask = "are its folders sites of their own (--by-site)" if several else "is --base right"
        echo(f"{say}: {ask}, and is this the whole site?", err=True)
    end_with(summary["problems"])


def _bytes(size: str) -> int:
    """800M, 4G or a number of bytes; 0 for none.

    >>> _bytes("4G") == 4 * 2**30, _bytes("")
    (True, 0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE) if size.strip() else None
    if size.strip() and found is None:
        raise UsageError(f"--memory {size}: write the amount as 800M or 4G")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")) if found else 0


def _for_one_site(save_model: Path | None, pipeline: str | None) -> str:
    """An option that makes no sense for many sites, if it was given."""
    return "--save-model" if save_model is not None else "--pipeline" if pipeline is not None else ""


def _of_pipeline(pipeline: str | None, method: list[str]) -> list[str]:
    """The methods that a pipeline consists of, or those that were asked for."""
    if pipeline is None:
        return method
    if pipeline != "papers":
        raise UsageError(f"--pipeline {pipeline}: there is one, papers")
    if method:
        raise UsageError("--pipeline chooses all methods: leave --method out")
    return ["papers-pages", "papers-blocks"]


def _with_labels(labels: Path, method: list[str], settings: list[str]) -> tuple[list[str], list[str]]:
    """Labels are for the sentence style tree, which is used when no other method for text is named."""
    from sitegrain.methods.registry import NODE_METHODS

    named = [name for name in method if name in NODE_METHODS]
    if any(name not in ("sst", "sst-self") for name in named):
        raise UsageError(f"--labels teaches the sentence style tree: leave --method {named[0]} out, or use sst")
    tree = named[0] if named else "sst"
    return [*method, *([] if named else [tree])], [*settings, f"{tree}.labels={labels}"]


def _write_structure(result: Result, out: Path) -> None:
    """TOC blocks that point to article blocks: as JSON, and as a picture."""
    from sitegrain.errors import OutputError
    from sitegrain.report.outline import outline_svg, site_outline
    from sitegrain.result.folder import record_files
    from sitegrain.result.papers import PaperPages, paper_system, structure_json

    assert result.recipe is not None
    pages = result.recipe.pages
    assert isinstance(pages, PaperPages)
    found = structure_json(result.site, paper_system(result.site, pages.n_toc, pages.refines))
    try:
        (out / "structure.json").write_text(
            json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", errors="backslashreplace"
        )
        (out / "structure.svg").write_text(outline_svg(site_outline(found), "Informative structure"), encoding="utf-8")
        record_files(out, ("structure.json", "structure.svg"))
    except OSError as error:
        raise OutputError(f"{out}: the structure cannot be written: {error.strerror or error}") from error


def _crawled(names: list[str], out: Path | None, options: CrawlOptions, quiet: bool) -> Source | None:
    """The WARC of a crawl, if the source is an address."""
    from sitegrain.sources.open import is_address

    if not any(map(is_address, names)):
        return None
    from sitegrain.cli.crawl import crawl_into, print_summary, stop_if_interrupted
    from sitegrain.sources.crawled import archive_name
    from sitegrain.sources.warc import WarcSource

    if len(names) > 1:
        raise UsageError("one address at a time: every site has a result of its own")
    warc = archive_name(names[0], out)
    summary = crawl_into(names[0], warc, options, quiet)
    if not quiet:
        print_summary(summary)
    stop_if_interrupted(summary)
    return WarcSource(warc)


def _opened(names: list[str], base: str | None, columns: tuple[str, str], options: CrawlOptions) -> Source:
    from sitegrain.sources.open import open_files, open_source

    if unused := changed_options(options):
        raise UsageError(f"{', '.join(unused)}: only for an address, which is crawled; {names[0]} is read as it is")
    opened = open_source(names[0], base, *columns) if len(names) == 1 else open_files(names, *columns)
    if not options.earlier:
        return opened
    from sitegrain.sources.warc import WarcSource

    if not isinstance(opened, WarcSource):
        raise UsageError("--earlier: only for an address, or for the WARC of a recrawl")
    return WarcSource(opened.files, options.earlier)


def _write_report(result: Result, out: Path, is_single: bool, also: dict[str, NodeVerdict]) -> Path:
    from sitegrain.report.write import LARGE_FILE, write_report, write_single_file

    if not is_single:
        return write_report(result, out / "report", also)
    size = write_single_file(result, out / "report.html", also)
    if size > LARGE_FILE:
        echo(f"sitegrain: report.html has {size >> 20} MB and opens slowly: leave out --single-file", err=True)
    return out / "report.html"


def _write_notes(result: Result | StoredResult, out: Path) -> Path:
    """The articles as Markdown files, inside the result."""
    from sitegrain.export.notes import markdown_files
    from sitegrain.export.target import write_folder
    from sitegrain.result.folder import record_files

    folder = out / "markdown"
    record_files(out, (f"{folder.name}/{name}" for name in write_folder(folder, markdown_files(result))))
    return folder
