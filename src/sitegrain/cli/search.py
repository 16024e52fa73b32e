"""`sitegrain index` and `sitegrain search`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import counted, echo, indented
from sitegrain.cli.screen.progress import page_counter

if TYPE_CHECKING:
    from sitegrain.index import Index
    from sitegrain.result.recipe import AnyMethod
    from sitegrain.result.result import Result
    from sitegrain.tables.site import Site


def index(
    source: Annotated[str, Argument(help="What `mine` takes, a labelled site, or a result folder")],
    out: Annotated[
        Path | None, Option(help="Folder for the index; the index of a result is written into its folder")
    ] = None,
    method: Annotated[list[str] | None, Option(help="Method that finds the informative text")] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="NAME=VALUE: a parameter of a method (see `methods`); may be repeated"),
    ] = None,
    pages: Annotated[
        str | None, Option(help="For a result folder: where its pages are now, if they have moved")
    ] = None,
    articles: Annotated[bool, Option("--articles", help="Index articles only")] = False,
    query: Annotated[list[str] | None, Option(help="Count wrong hits of this query; may be repeated")] = None,
    as_json: Annotated[bool, Option("--json", help="Print the report as JSON")] = False,
) -> None:
    """Build a full-text index of a site's informative text, and print what leaving out the template gains."""
    from sitegrain.errors import UsageError
    from sitegrain.index import index_folder, index_result, menu_queries, open_index
    from sitegrain.result.recipe import with_settings

    folder = Path(source)
    if (folder / "site.json").is_file() and (folder / "pages.parquet").is_file():
        if method or settings or out is not None:
            raise UsageError(
                "a result folder is indexed inside itself, with the text it holds: no --out, --method or --set"
            )
        site = _mined_from(folder, pages)
        index_folder(folder, site, articles_only=articles)
        queries = query or (menu_queries(site) if site is not None else [])
        out = folder
    else:
        if pages is not None:
            raise UsageError("--pages belongs to a result folder; a source is its own pages")
        if out is None:
            raise UsageError("say where the index goes: --out FOLDER")
        result = _mined(source, with_settings(method or (), settings or ()))
        index_result(result, out, articles_only=articles)
        queries = query or menu_queries(result.site)
    with open_index(out) as opened:
        report = _report(opened, queries, "given" if query else "menu")
    if as_json:
        echo(json.dumps(report, ensure_ascii=False))
        return
    echo(f"{counted(report['pages'], 'article' if articles else 'page')} indexed in {out}")
    if report["ratio"] is None:
        echo("no whole pages to compare with: give --pages, the source that the result was mined from")
        return
    echo(
        f"index of informative text: {report['informative_bytes']:,} bytes, "
        f"{report['ratio']:.1%} of {report['whole_bytes']:,} for whole pages"
    )
    echo(
        f"top-20 hits in whole pages that match in template text only: {report['template_hits']:,} of "
        f"{report['hits']:,} ({report['queries']} {report['query_kind']} queries)"
    )


def _mined(source: str, methods: list[AnyMethod]) -> Result:
    from sitegrain.result.mining import mine

    path = Path(source)
    if (path / "labels.jsonl").is_file() or path.name.endswith((".tar.xz", ".tar.gz", ".tar")):
        from sitegrain.evaluation.data import open_site

        return mine(open_site(path).captures(), methods=methods)
    with page_counter("reading", False) as on_page:
        return mine(source, methods=methods, on_page=on_page)


def _mined_from(folder: Path, pages: str | None) -> Site | None:
    """The pages that a result was mined from: as told, or where its summary says, if that is still on this disk."""
    from sitegrain.result.stored import open_result
    from sitegrain.sources.open import open_source
    from sitegrain.tables.parsing.build import build_site

    found = pages if pages is not None else open_result(folder).mined_from
    return None if found is None else build_site(open_source(str(found)))


def _report(index: Index, queries: list[str], kind: str) -> dict[str, Any]:
    from sitegrain.index import count_template_hits

    sizes = index.sizes()
    hits = count_template_hits(index, queries)
    return {
        "pages": sizes.n_pages,
        "whole_bytes": sizes.whole_bytes,
        "informative_bytes": sizes.informative_bytes,
        "ratio": sizes.ratio,
        "whole_characters": sizes.whole_characters,
        "informative_characters": sizes.informative_characters,
        "queries": hits.n_queries,
        "query_kind": kind,
        "hits": hits.n_hits,
        "template_hits": hits.n_template,
    }


def search(
    folder: Annotated[Path, Argument(help="Folder of an index, or a result folder of `mine`")],
    query: Annotated[str, Argument(help="Words that a page must have, all of them")],
    n: Annotated[int, Option("--number", "-n", min=1, help="How many pages to show")] = 10,
    whole: Annotated[bool, Option("--whole", help="Search whole pages, template and all")] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object per line")] = False,
) -> None:
    """Find pages by the words of their informative text."""
    from sitegrain.errors import SourceError
    from sitegrain.index import FILE, index_folder, open_index
    from sitegrain.result.stored import open_result

    is_result = (folder / "site.json").is_file() and (folder / "pages.parquet").is_file()
    if is_result and not (folder / FILE).exists():
        echo(f"indexing {folder}", err=True)
        index_folder(folder)
    try:
        opened = open_index(folder)
    except SourceError:
        if not is_result:
            raise
        index_folder(folder)  # it is damaged, or of another version
        opened = open_index(folder)
    if is_result and opened.facts.get("made") != str(open_result(folder).summary.get("time", "")):
        # The folder holds a newer result than its index.
        articles_only = opened.facts.get("pages") == "articles"
        opened.__exit__()
        index_folder(folder, articles_only=articles_only)
        opened = open_index(folder)
    with opened as found:
        hits = found.search(query, n, "whole" if whole else "informative")
        if not hits:
            absent = found.missing(query)
            why = f"no page has {', '.join(repr(w) for w in absent)}" if absent else "no page has all of its words"
            echo(f"sitegrain: nothing found for {query!r}: {why}", err=True)
            raise SystemExit(1)
    for number, hit in enumerate(hits, 1):
        if as_json:
            row = {"url": hit.url, "title": hit.title, "snippet": hit.snippet, "score": round(hit.score, 4)}
            echo(json.dumps(row, ensure_ascii=False))
        else:
            echo(f"{number}. {hit.title or hit.url}\n   {hit.url}\n{indented(hit.snippet, 3)}")
