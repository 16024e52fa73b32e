"""Many sites in one source: a WARC of several hosts, a folder of mirrors. Each is mined by itself."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.errors import OutputError, SourceError
from sitegrain.plan.mining import Means, mine
from sitegrain.plan.spool import Place, Spool
from sitegrain.result.mining import Input, opened
from sitegrain.result.recipe import AnyMethod
from sitegrain.sources.base import Source
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


def mine_sites(
    source: Input,
    out: str | Path,
    *,
    methods: Sequence[AnyMethod] = (),
    model: str | Path | None = None,
    means: Means | None = None,
) -> list[MinedSite]:
    """Mine every site of a source into a folder of its own below `out`, with `sites.parquet` over all.

    A site is a registrable domain, those that anybody may register below (blogspot.com) counted as such.
    """
    out = Path(out)
    if isinstance(source, Site):
        raise SourceError("tables are of one site: give what they were read from")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / TABLE).exists())):
        raise OutputError(f"{out} holds other files: give a new or empty folder for the results of many sites")
    found: list[MinedSite] = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sites.part-", dir=out) as work:
            place, names = _sorted(opened(source), Path(work), means or Means())
            for name, rows in sorted(names.items()):
                folder = folder_name(name)
                result = mine(_OneSite(name, place, rows), out / folder, methods=methods, model=model, means=means)
                problems = len(result.summary["problems"])
                counts = (len(result), result.count("toc"), result.count("article"))
                found.append(MinedSite(name, folder, *counts, problems))
        table = pa.Table.from_pylist([asdict(site) for site in found])
        part = out / f".{TABLE}.part"
        pq.write_table(table, part)
        part.replace(out / TABLE)
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error
    return found


def folder_name(site: str) -> str:
    """A name of a folder for a site.

    >>> folder_name("example.org"), folder_name("[::1]"), folder_name("")
    ('example.org', '_-1_', 'no-address')
    """
    return re.sub(r"[^\w.-]+", "_", site.replace("::", "-"))[:100] or "no-address"


def _sorted(source: Source | Iterable[Capture], work: Path, means: Means) -> tuple[Place, dict[str, list[int]]]:
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
    return spool.close(), names


class _OneSite(Source):
    """The pages of one site."""

    def __init__(self, name: str, place: Place, rows: list[int]) -> None:
        super().__init__(name or "pages without an address")
        self._place, self._rows = place, rows

    def captures(self) -> Iterator[Capture]:
        """In their order."""
        return self._place.pages(self._rows)
