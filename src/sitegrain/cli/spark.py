"""`sitegrain spark`."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

from sitegrain.cli.arguments.parameters import Argument, Option
from sitegrain.cli.screen.printing import echo


class Task(StrEnum):
    """What is done on Spark."""

    MINE = "mine"


def spark(
    task: Annotated[Task, Argument(help="mine")],
    pages: Annotated[
        str,
        Argument(help="A Parquet file or folder with columns url and html, or WARC files separated by commas"),
    ],
    out: Annotated[str, Argument(help="A new folder for the tables")],
    master: Annotated[str | None, Option(help="Where Spark runs (not needed under spark-submit)")] = None,
    max_pages: Annotated[int, Option(min=1, help="Mine sites of more pages than this part by part")] = 1000,
) -> None:
    """Mine the pages of many sites on Spark, and write tables of sites, pages, blocks and links as Parquet."""
    from sitegrain.errors import MissingExtraError, OutputError, SourceError, UsageError

    is_warc = pages.endswith((".warc", ".warc.gz"))
    for name in pages.split(",") if is_warc else [pages]:
        if _is_local(name) and not os.path.exists(name):
            raise SourceError(f"{name} does not exist")
    if _is_local(out) and os.path.exists(out):
        raise OutputError(f"{out} is there already: give a new folder")
    try:
        from pyspark.errors import AnalysisException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("pyspark", "spark") from error
    from sitegrain.spark import Limits, mine, read_warcs

    builder = SparkSession.builder.appName(f"sitegrain {task}")
    session = (builder.master(master) if master else builder).getOrCreate()
    try:
        frame = read_warcs(session, pages.split(",")) if is_warc else session.read.parquet(pages)
        with mine(frame, Limits(pages=max_pages)) as mined:
            mined.save(out)
            echo(f"{mined.sites.count():,} sites, {mined.pages.count():,} pages: {out}")
    except AnalysisException as error:  # a path that is not there, or one that is there already
        raise UsageError(str(error).partition("\n")[0]) from error


def _is_local(path: str) -> bool:
    """Whether a path is one of this machine: Spark takes seconds to start and answers with pages of its own, so what is
    wrong with such a path is told before. `spark-submit` sets the variable, and its cluster may have other file systems."""
    return "://" not in path and "PYSPARK_GATEWAY_PORT" not in os.environ
