"""`mine` of many sites at once: small ones as groups, large ones through the plan."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import pyarrow as pa

from sitegrain.errors import MissingExtraError, UsageError
from sitegrain.plan.spool import PART_PAGES
from sitegrain.result.folder import TABLES
from sitegrain.sources.warc import WarcSource
from sitegrain.spark.groups import PAGES, PIECES, SITES, Unpack, batch_of, keyed, mine_site, packed, table_schema
from sitegrain.spark.parts import PARTS, CutParts, mine_parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NAMES = ("sites", *TABLES)
TASK_BYTES = 32 << 20
"""HTML of the small sites of one task: a minute or so at 14 ms a page of 6 KB."""
_READ = pa.schema([("url", pa.string()), ("content_type", pa.string()), ("html", pa.binary())])


@dataclass(frozen=True)
class Limits:
    """Which sites are mined in one piece."""

    pages: int = 1000
    n_bytes: int = 32 << 20
    """Of HTML: the tables and texts of a site take up to 14 times as much memory (`plan/mining.py`), beside 150 MB for the models;
    so an executor needs some 700 MB outside of the heap (spark.executor.memoryOverhead)."""
    part_pages: int = PART_PAGES


@dataclass(frozen=True)
class Mined:
    """The tables of all sites, each row with its `site`: see docs/output.md. In a `with`, what is kept on the disks of the
    executors goes at its end."""

    sites: DataFrame
    """One row per site: pages, TOC pages, articles, parts, problems."""
    pages: DataFrame
    blocks: DataFrame
    links: DataFrame
    kept: tuple[DataFrame, ...]

    @property
    def articles(self) -> DataFrame:
        """The rows of `pages` that are articles."""
        return self.pages.filter(self.pages.role == "article")

    def save(self, out: str) -> None:
        """Write each table as a folder of Parquet files below `out`."""
        for name in NAMES:
            getattr(self, name).write.mode("error").parquet(f"{out.rstrip('/')}/{name}")

    def close(self) -> None:
        """Give the disks back."""
        for frame in self.kept:
            frame.unpersist()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def mine(df: DataFrame, limits: Limits | None = None) -> Mined:
    """Mine the sites of a DataFrame of pages: `url`, `html` (text or bytes), and, if there, `site` and `content_type`.

    A site is a registrable domain, those that anybody may register below (blogspot.com) counted as such. Pages are taken in
    the order of their addresses; of captures with one address one counts. Sites within `limits` are mined each in one task;
    those over it now, one after the other, part by part on all executors.
    """
    try:
        from pyspark import StorageLevel
        from pyspark.sql import functions as F
        from pyspark.sql.pandas.types import from_arrow_schema
    except ImportError as error:
        raise MissingExtraError("pyspark", "spark") from error
    limits = limits or Limits()
    if missing := {"url", "html"} - set(df.columns):
        raise UsageError(
            f"the DataFrame has no column {' and no '.join(sorted(missing))}: it has {', '.join(df.columns)}"
        )
    wanted = [name for name in ("url", "html", "site", "content_type") if name in df.columns]
    pages = df.select(*wanted).mapInArrow(keyed, from_arrow_schema(PAGES)).persist(StorageLevel.DISK_ONLY)
    sizes = pages.groupBy("site").agg(F.count("*").alias("n"), F.sum(F.length("html")).alias("size"))
    large = sizes.filter((F.col("n") > limits.pages) | (F.col("size") > limits.n_bytes)).collect()
    names = [row.site for row in large]
    small = pages.filter(~F.col("site").isin(names)) if names else pages
    total = pages.agg(F.sum(F.length("html"))).collect()[0][0] or 0
    # What is persisted keeps its number of tasks, and 200 of them, Spark's default, are too many for a few sites.
    n_tasks = max(df.sparkSession.sparkContext.defaultParallelism, total // TASK_BYTES)
    small = small.repartition(n_tasks, "site")
    made = small.groupBy("site").applyInArrow(mine_site, from_arrow_schema(PIECES)).persist(StorageLevel.DISK_ONLY)
    kept = [pages, made]
    if names:
        n_parts = sum(max(row.n // limits.part_pages, 1) for row in large)
        by = pages.filter(F.col("site").isin(names)).repartitionByRange(-(-n_parts // 2), "site", "key")
        in_order = by.sortWithinPartitions("site", "key", "url", "html")
        parts = in_order.mapInArrow(CutParts(limits.part_pages), from_arrow_schema(PARTS))
        parts = parts.persist(StorageLevel.DISK_ONLY)
        kept.append(parts)
        rows = []
        by_site: dict[str, dict[int, int]] = {}
        for site, place, n in parts.select("site", "place", "n_pages").collect():
            by_site.setdefault(site, {})[place] = n
        for site in sorted(by_site):
            with tempfile.TemporaryDirectory(prefix="sitegrain-") as work:
                own, row = mine_parts(site, parts.filter(F.col("site") == site), by_site[site], Path(work))
            kept.append(own)
            made = made.unionAll(own)
            rows.append((site, "sites", packed(pa.Table.from_pylist([asdict(row)], SITES))))
        made = made.unionAll(df.sparkSession.createDataFrame(rows, from_arrow_schema(PIECES)))
    tables = {name: _unpacked(made, name) for name in NAMES}
    return Mined(**tables, kept=tuple(kept))


def _unpacked(made: DataFrame, name: str) -> DataFrame:
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = table_schema(name)
    return made.filter(made.name == name).mapInArrow(Unpack(schema), from_arrow_schema(schema))


def read_warcs(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """The HTML pages of WARC files that all executors can open, as a DataFrame for `mine`."""
    from pyspark.sql.pandas.types import from_arrow_schema

    names = spark.createDataFrame([(path,) for path in paths], "path string").repartition(len(paths))
    return names.mapInArrow(_read_warcs, from_arrow_schema(_READ))


def _read_warcs(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for path in batch.column("path").to_pylist():
            for page in WarcSource(path):
                yield batch_of(_READ, [(page.url, page.headers.get("content-type"), page.body)])
