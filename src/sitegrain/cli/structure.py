"""`sitegrain structure`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo
from sitegrain.cli.screen.progress import page_counter
from sitegrain.errors import OutputError, UsageError


def structure(
    source: Annotated[
        str, Argument(help="The site: a folder, a WARC, Parquet, JSON lines or HTML file, or an address")
    ],
    page: Annotated[str, Argument(help="The page: its address, the end of its address, or its number")],
    picture: Annotated[Path | None, Option(help="Also draw it into this SVG file")] = None,
    method: Annotated[str, Option(help="wisdom, wisdom-tuned, wisdom-m1 or wisdom-m2")] = "wisdom",
    settings: Annotated[
        list[str] | None, Option("--set", help="NAME=VALUE: a parameter of WISDOM; may be repeated")
    ] = None,
    base: Annotated[str | None, Option(help="Address that a folder's files live under")] = None,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print the structure and errors only")] = False,
) -> None:
    """Print the informative structure of a page by WISDOM: its article and TOC blocks, and how they are nested."""
    from sitegrain.methods.parameters import set_parameters
    from sitegrain.methods.registry import make_method
    from sitegrain.methods.wisdom.method import WISDOM
    from sitegrain.report.outline import OutlineNode, outline_svg, outline_text
    from sitegrain.result.mining import read_site
    from sitegrain.sources.open import open_source

    model = set_parameters({method: make_method(method)}, settings or ())[method]
    if not isinstance(model, WISDOM):
        raise UsageError(f"--method {method}: a structure is found by wisdom, wisdom-tuned, wisdom-m1 or wisdom-m2")
    with page_counter("reading", quiet) as on_page:
        site = read_site(open_source(source, base), on_page)
    number = _find(site.pages.url, site.pages.path, page)
    found = model.fit(site).structure(site)
    nodes = [OutlineNode(n.parent, n.kind, n.tag, n.text) for n in found.page_outline(number)]
    if not nodes:
        echo(f"sitegrain: no informative block on {site.pages.url[number]}", err=True)
        raise SystemExit(1)
    echo(outline_text(nodes))
    if picture is not None:
        try:
            picture.write_text(outline_svg(nodes, site.pages.url[number]), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"cannot write {picture}: {error.strerror or error}") from error
        echo(f"wrote {picture}", err=True)


def _find(urls: tuple[str, ...], paths: tuple[str, ...], wanted: str) -> int:
    """The page of this address or path, or the one whose address or path ends so, or the one of this number."""
    exact = [i for i, names in enumerate(zip(urls, paths, strict=True)) if wanted in names]
    ends = [i for i, names in enumerate(zip(urls, paths, strict=True)) if any(n.endswith(wanted) for n in names)]
    if exact or len(ends) == 1:
        return (exact or ends)[0]
    if wanted.isdigit() and int(wanted) < len(urls):
        return int(wanted)
    if ends:
        raise UsageError(f"{len(ends)} pages end with {wanted!r}: give more of the address, as {urls[ends[0]]}")
    raise UsageError(f"there is no page {wanted!r}; there are {len(urls):,}, such as {urls[0] if urls else 'none'}")
