"""Many sites in one source: a WARC of several hosts, a folder of mirrors. Each is mined by itself."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, field
from pathlib import Path

import pyarrow as pa

from sitegrain.errors import OutputError, SitegrainError, SourceError
from sitegrain.light import dataclass
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.spool import Place, Spool
from sitegrain.result.mining import Input, opened
from sitegrain.result.parquet import parquet_bytes
from sitegrain.result.recipe import AnyMethod
from sitegrain.result.result import Result
from sitegrain.result.stored import StoredResult
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FolderSource
from sitegrain.sources.mirrors import as_mirrors
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Site

TABLE = "sites.parquet"


@dataclass(frozen=True)
class MinedSite:
    """A row of the table over all sites."""

    site: str
    folder: str
    n_pages: int
    n_toc: int
    n_articles: int
    n_problems: int


@dataclass
class MinedSites:
    """What became of a source of many sites."""

    sites: list[MinedSite] = field(default_factory=list)
    """In the order of their names."""
    skipped: Counter[str] = field(default_factory=Counter)
    """What the source could not give, by reason."""
    problems: list[str] = field(default_factory=list)
    """Of the source and of the sites, each of which begins with its name."""


OnSite = Callable[[Result | StoredResult, Path], object]
"""To be called with the result of a site and its folder when it is written."""


def mine_sites(
    source: Input,
    out: str | Path,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    means: Means | None = None,
    on_site: OnSite | None = None,
) -> MinedSites:
    """Mine every site of a source into a folder of its own below `out`, with `sites.parquet` over all.

    A site is a registrable domain, those that anybody may register below (blogspot.com) counted as such. Of a folder without pages of
    its own each folder in it may be another site. A site that cannot be mined is named, and the others are mined all the same.
    """
    out, means = Path(out), means or Means()
    if isinstance(source, Site):
        raise SourceError("a Site is one site already: give the source that it was read from")
    check_many_out(out)
    pages = opened(source)
    if isinstance(pages, FolderSource):
        pages = as_mirrors(pages)
    found = MinedSites()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sites.part-", dir=out) as work:
            place, names = _sorted(pages, Path(work), means, found)
            for name, rows in sorted(names.items()):
                try:
                    one = _OneSite(name, place, rows)
                    result = mine(one, out / folder_name(name), methods=methods, model=model, means=means)
                    if on_site is not None:
                        on_site(result, out / folder_name(name))
                except OutputError:  # no room for one is no room for the next
                    raise
                except SitegrainError as error:
                    found.problems.append(f"{name}: {error}")
                    continue
                problems = result.summary["problems"]
                found.problems.extend(f"{name}: {problem}" for problem in problems)
                counts = (len(result), result.count("toc"), result.count("article"))
                found.sites.append(MinedSite(name, folder_name(name), *counts, len(problems)))
        if not found.sites:
            raise SourceError(f"no site of the source could be mined: {found.problems[0]}")
        table = pa.Table.from_pylist([asdict(site) for site in found.sites])
        part = out / f".{TABLE}.part"
        part.write_bytes(parquet_bytes(table))
        part.replace(out / TABLE)
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error
    return found


def check_many_out(out: Path) -> None:
    """Raise `OutputError` now when results of many sites cannot be written there: in a folder of other things."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / TABLE).exists())):
        raise OutputError(f"{out} holds other files: give a new or empty folder for the results of many sites")


def folder_name(site: str) -> str:
    """A name of a folder for a site.

    >>> folder_name("example.org"), folder_name("[::1]"), folder_name("")
    ('example.org', '_-1_', 'no-address')
    """
    return re.sub(r"[^\w.-]+", "_", site.replace("::", "-"))[:100] or "no-address"


def _sorted(
    source: Source | Iterable[Capture], work: Path, means: Means, found: MinedSites
) -> tuple[Place, dict[str, list[int]]]:
    """All pages on disk, and which of them are of which site."""
    spool = Spool(work, means.part_pages)
    names: dict[str, list[int]] = {}
    for n, capture in enumerate(source, 1):
        before = len(spool)
        spool.add(capture)
        if len(spool) > before:
            names.setdefault(site_key(host_of(capture.url)), []).append(before)
        if means.on_progress is not None:
            means.on_progress("sorting", n, 0)
    if not names:
        raise SourceError("the source holds no page")
    found.skipped.update(spool.counts)
    if isinstance(source, Source):
        found.skipped.update(source.counts)
        found.problems.extend(source.problems)
    return spool.close(), names


class _OneSite(Source):
    """The pages of one site."""

    def __init__(self, name: str, place: Place, rows: list[int]) -> None:
        super().__init__(name or "pages without an address")
        self._place, self._rows = place, rows

    def captures(self) -> Iterator[Capture]:
        """In their order."""
        return self._place.pages(self._rows)
