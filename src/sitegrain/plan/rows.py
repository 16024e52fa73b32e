"""What a part adds to the result, and its way there."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa

from sitegrain.light import dataclass
from sitegrain.plan.frames import frame, read_frame
from sitegrain.plan.packing import Packed, pack
from sitegrain.result.distilled import PageEdges
from sitegrain.result.folder import TABLES, json_line
from sitegrain.result.parquet import parquet_bytes
from sitegrain.result.result import Result

LINES_TOGETHER = 32
"""Lines of TOC pages that are packed together until all are there to be put in order: 232 lines of 0.33 of the HTML take 0.04."""


@dataclass(frozen=True)
class PartRows:
    """What a part adds to the result."""

    tables: dict[str, bytes]
    """Each as a Parquet file: to pack them is work for many."""
    edges: PageEdges
    """Of the distilled site."""
    articles: bytes
    tocs: list[bytes]
    """Some lines each."""
    failed: list[str]
    """Pages of which something could not be made."""

    @classmethod
    def of(cls, result: Result) -> PartRows:
        """Of the result of a part."""
        tables = {name: parquet_bytes(result.table(name)) for name in TABLES}
        articles = b"".join(json_line(line) for line in result.lines("article"))
        tocs = [json_line(line) for line in result.lines("toc")]
        together = [b"".join(tocs[k : k + LINES_TOGETHER]) for k in range(0, len(tocs), LINES_TOGETHER)]
        return cls(tables, _edges(result.links), articles, together, result.failed)

    def write(self, path: Path) -> None:
        """Into a file."""
        with open(path, "wb") as file:
            for table in self.tables.values():
                file.write(frame(table))
            file.write(frame(pack(self.edges)))
            file.write(frame(self.articles))
            file.write(frame(json.dumps(self.failed).encode()))
            for lines in self.tocs:
                file.write(frame(lines))

    @classmethod
    def read(cls, path: Path) -> PartRows:
        """The same, out of it."""
        with open(path, "rb") as file:
            tables = {name: read_frame(file) for name in TABLES}
            edges = Packed(read_frame(file)).read(PageEdges)
            articles, failed = read_frame(file), json.loads(read_frame(file))
            tocs: list[bytes] = []
            while file.peek(1):
                tocs.append(read_frame(file))
        return cls(tables, edges, articles, tocs, failed)


def _edges(links: pa.Table) -> PageEdges:
    """The links of the distilled site."""
    own = np.flatnonzero(links["is_distilled"].to_numpy(zero_copy_only=False))
    page, target = (links[name].to_numpy()[own].astype(np.int64) for name in ("page", "target"))
    return PageEdges(page, target, np.asarray(links["entropy"].to_numpy(zero_copy_only=False)[own], np.float64))
